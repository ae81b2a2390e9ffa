//! Whether a character's pages are premultiplied, decided when it is read, and what is said of that.

use super::ReadOptions;
use crate::diagnostics::Diagnostics;
use crate::error::Place;
use crate::model::{AlphaSource, AtlasPage, Evidence, ModelBuilder};

/// Settles it for all pages of `builder`. All of them were added before.
pub fn settle(builder: &mut ModelBuilder, options: &ReadOptions, diagnostics: &mut Diagnostics) {
    if builder.settle_alpha(options.page_alpha) {
        let message = "the pictures are read as premultiplied: nothing says whether they are, but none of their \
             colours is brighter than its alpha; `--page-alpha straight` overrides this";
        diagnostics.note("page-alpha", Place::default(), message);
    }
}

/// Why the pixels of pages with one statement contradict it, if they do: `straight`, the words in which their file or
/// their format calls them so, or that of an atlas that they are premultiplied.
pub fn contradiction<'a>(pages: impl IntoIterator<Item = &'a AtlasPage>, straight: &str) -> Option<String> {
    let mut evidence = Evidence::default();
    let mut is_premultiplied = None;
    for page in pages.into_iter().filter(|page| page.alpha_source == AlphaSource::Stated) {
        is_premultiplied = Some(page.is_premultiplied);
        evidence.add(&page.pixels);
    }
    match (is_premultiplied?, evidence.is_premultiplied()?) {
        (true, false) => Some(
            "the atlas says `pma: true`, but colours are brighter than their alpha: they are not premultiplied, and \
             edges look too bright; `--page-alpha straight` overrides this"
                .to_owned(),
        ),
        (false, true) => Some(format!(
            "{straight}, but no colour is brighter than its alpha, as if they were premultiplied: edges look too \
             dark; `--page-alpha premultiplied` overrides this"
        )),
        (true, true) | (false, false) => None,
    }
}
