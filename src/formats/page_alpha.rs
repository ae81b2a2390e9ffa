//! Detection of premultiplied pages when a character is read, and its findings.

use super::ReadOptions;
use crate::diagnostics::Diagnostics;
use crate::error::Place;
use crate::model::{AlphaSource, AtlasPage, Evidence, ModelBuilder};

/// Decides for all pages of `builder` whether they are premultiplied. Call it after adding all pages.
pub fn decide(builder: &mut ModelBuilder, options: &ReadOptions, diagnostics: &mut Diagnostics) {
    let Some(evidence) = builder.decide_alpha(options.page_alpha) else { return };
    let message = match (evidence.is_premultiplied(), evidence.is_sure()) {
        (Some(true), true) => {
            "the images are read as premultiplied: the file does not say, but their colours follow alpha along soft \
            edges; `--page-alpha straight` overrides this"
        }
        (Some(true), false) => {
            "the images are read as premultiplied, but that is uncertain: the file does not say, and their pixels \
            are ambiguous; `--page-alpha straight` overrides this"
        }
        (Some(false) | None, false) => {
            "the images are read as straight, but that is uncertain: the file does not say, and their pixels are \
            ambiguous; `--page-alpha premultiplied` overrides this"
        }
        (Some(false) | None, true) => return,
    };
    diagnostics.note("page-alpha", Place::default(), message);
}

/// Returns a message if the pixels of pages contradict their declaration. `straight` describes how their file or
/// format declares them straight; only an atlas declares them premultiplied.
pub fn contradiction<'a>(pages: impl IntoIterator<Item = &'a AtlasPage>, straight: &str) -> Option<String> {
    let mut evidence = Evidence::default();
    let mut is_premultiplied = None;
    for page in pages.into_iter().filter(|page| page.alpha_source == AlphaSource::Stated) {
        is_premultiplied = Some(page.is_premultiplied);
        evidence.add(page.width, &page.pixels);
    }
    if !evidence.is_sure() {
        return None;
    }
    match (is_premultiplied?, evidence.is_premultiplied()?) {
        (true, false) => Some(
            "the atlas says `pma: true`, but colours do not follow alpha along soft edges: they are not \
            premultiplied, and edges are too bright; `--page-alpha straight` overrides this"
                .to_owned(),
        ),
        (false, true) => Some(format!(
            "{straight}, but colours follow alpha along soft edges, as if they were premultiplied: edges are too \
            dark; `--page-alpha premultiplied` overrides this"
        )),
        (true, true) | (false, false) => None,
    }
}
