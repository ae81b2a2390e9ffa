//! Pages whose colours are not as the atlas says, and regions that nothing is drawn from.

use super::Subject;
use crate::diagnostics::Diagnostics;
use crate::error::{Place, shown};
use crate::model::AtlasPage;

/// So many pixels that are partly there tell how their colours are meant.
const ENOUGH: usize = 64;

/// Of regions no more names are told than this.
const MAX_NAMES: usize = 8;

/// Looks at every page and at the list of regions.
pub fn check(subject: &Subject<'_>, diagnostics: &mut Diagnostics) {
    let pages = subject.model.pages().iter();
    let doubtful = pages.filter_map(|page| why(page).map(|why| (Place::file(shown(&page.name)), why.to_owned())));
    diagnostics.warn_all("doubtful-alpha", doubtful);
    let unused = subject.attached.unused_regions.iter().filter(|(_, regions)| !regions.is_empty());
    diagnostics.note_all(
        "unused-region",
        unused.map(|(atlas, regions)| {
            let names: Vec<String> =
                regions.iter().take(MAX_NAMES).map(|name| format!("`{}`", shown(name))).collect();
            let more = if regions.len() > MAX_NAMES { " and others" } else { "" };
            let message =
                format!("nothing is drawn from {} of its regions: {}{more}", regions.len(), names.join(", "));
            (Place::file(shown(atlas)), message)
        }),
    );
}

/// Why the colours of a page are not as the atlas says, if they are not.
fn why(page: &AtlasPage) -> Option<&'static str> {
    let pixels = page.pixels.as_chunks::<4>().0.iter();
    let partly = pixels.filter(|pixel| (1..255).contains(&pixel[3]));
    let (mut below, mut above) = (0, 0);
    for &[r, g, b, a] in partly {
        *(if r.max(g).max(b) > a { &mut above } else { &mut below }) += 1;
    }
    if page.is_premultiplied && above >= ENOUGH {
        return Some(
            "the atlas says `pma: true`, but colours are brighter than their alpha: they are not premultiplied, and \
             edges look too bright",
        );
    }
    // Dark pictures have dark edges; a few hundred pixels of which none is bright are no accident.
    if !page.is_premultiplied && above == 0 && below >= 4 * ENOUGH && has_bright(page) {
        return Some(
            "no colour is brighter than its alpha, as if they were premultiplied, but the atlas does not say \
             `pma: true`: edges look too dark",
        );
    }
    None
}

/// Whether there is something bright, whose edge would be bright too.
fn has_bright(page: &AtlasPage) -> bool {
    let is_bright = |&&[r, g, b, a]: &&[u8; 4]| a == 255 && r.max(g).max(b) >= 192;
    page.pixels.as_chunks::<4>().0.iter().filter(is_bright).count() >= 4 * ENOUGH
}
