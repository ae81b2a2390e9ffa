//! Pages whose pixels contradict the atlas, and unused regions.

use super::Subject;
use crate::diagnostics::Diagnostics;
use crate::error::{Place, escaped};
use crate::formats::page_alpha::contradiction;

/// How an atlas states that its pages have straight alpha.
const STRAIGHT: &str = "the atlas says `pma: false`";

/// Maximum number of region names in a message.
const MAX_NAMES: usize = 8;

/// Checks all pages and the list of regions.
pub fn check(subject: &Subject<'_>, diagnostics: &mut Diagnostics) {
    let pages = subject.model.pages().iter();
    let doubtful =
        pages.filter_map(|page| Some((Place::file(escaped(&page.name)), contradiction([page], STRAIGHT)?)));
    diagnostics.warn_all("doubtful-alpha", doubtful);
    let unused = subject.attached.unused_regions.iter().filter(|(_, regions)| !regions.is_empty());
    diagnostics.note_all(
        "unused-region",
        unused.map(|(atlas, regions)| {
            let names: Vec<String> =
                regions.iter().take(MAX_NAMES).map(|name| format!("`{}`", escaped(name))).collect();
            let more = if regions.len() > MAX_NAMES { " and others" } else { "" };
            let message = format!("unused regions ({}): {}{more}", regions.len(), names.join(", "));
            (Place::file(escaped(atlas)), message)
        }),
    );
}
