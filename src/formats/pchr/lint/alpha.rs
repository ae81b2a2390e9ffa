//! Images whose pixels look premultiplied. The format holds straight ones.

use super::Report;
use crate::formats::page_alpha::contradiction;
use crate::formats::pchr::document::At;
use crate::formats::{PageAlpha, ReadOptions};
use crate::model::AtlasPage;

/// Of the format.
const STRAIGHT: &str = "images of this format are straight";

/// Looks at all images that have a picture together, unless the caller says how they are read. Told at the first.
pub fn check(pages: &[Option<AtlasPage>], options: &ReadOptions, report: &mut Report<'_>) {
    if options.page_alpha == PageAlpha::Auto {
        let first = pages.iter().position(Option::is_some);
        let why = contradiction(pages.iter().flatten(), STRAIGHT);
        report.warn_all("doubtful-alpha", first.zip(why).map(|(first, why)| (At::Image(first, "data"), why)));
    }
}
