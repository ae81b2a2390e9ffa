//! Images whose pixels look premultiplied, although the format requires straight alpha.

use super::Report;
use crate::formats::page_alpha::contradiction;
use crate::formats::pchr::document::At;
use crate::formats::{PageAlpha, ReadOptions};
use crate::model::AtlasPage;

/// Why images must have straight alpha.
const STRAIGHT: &str = "images of this format have straight alpha";

/// Checks all pictures together, unless the caller states their alpha. Reported at the first image.
pub fn check(pages: &[Option<AtlasPage>], options: &ReadOptions, report: &mut Report<'_>) {
    if options.page_alpha == PageAlpha::Auto {
        let first = pages.iter().position(Option::is_some);
        let why = contradiction(pages.iter().flatten(), STRAIGHT);
        report.warn_all("doubtful-alpha", first.zip(why).map(|(first, why)| (At::Image(first, "data"), why)));
    }
}
