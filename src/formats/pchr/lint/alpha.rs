//! Images whose pixels look premultiplied. The format holds straight ones.

use super::Report;
use crate::formats::page_alpha::contradiction;
use crate::formats::pchr::document::At;
use crate::formats::{PageAlpha, ReadOptions};
use crate::model::AtlasPage;

/// Of the format.
const STRAIGHT: &str = "images of this format are straight";

/// Looks at every image that has a picture, unless the caller says how they are read.
pub fn check(pages: &[Option<AtlasPage>], options: &ReadOptions, report: &mut Report<'_>) {
    if options.page_alpha != PageAlpha::Auto {
        return;
    }
    let doubtful = |(index, page): (usize, &Option<AtlasPage>)| {
        Some((At::Image(index, "data"), contradiction(page.as_ref()?, STRAIGHT)?))
    };
    report.warn_all("doubtful-alpha", pages.iter().enumerate().filter_map(doubtful));
}
