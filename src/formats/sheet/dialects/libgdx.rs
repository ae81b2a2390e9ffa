//! libGDX's `.atlas`, in the older form, which all of its versions read.
//!
//! As in its own packer, a number after `_` is the index of a region, and names have no extension.

use std::io::{self, Write};

use super::{Listing, Shown, Turn};
use crate::formats::atlas::{Atlas, Page, Region};
use crate::formats::sheet::schema::Rect;

/// Writes the text.
pub fn write(listing: &Listing<'_>, out: &mut dyn Write) -> io::Result<()> {
    let page =
        |(file, size): &(String, [f32; 2])| Page { file: file.clone(), size: Some(*size), ..Page::default() };
    let pages = listing.pages.iter().map(page).collect();
    let atlas = Atlas { pages, regions: listing.frames.iter().map(region).collect() };
    out.write_all(atlas.in_older_form().as_bytes())
}

fn region(shown: &Shown<'_>) -> Region {
    let (Rect { x, y, w, h }, (inner, original)) = (shown.frame.frame, shown.placed());
    let number = shown.name.rsplit_once('_').filter(|(name, _)| !name.is_empty());
    let number = number.and_then(|(name, number)| {
        let is_number = number.bytes().all(|byte| byte.is_ascii_digit());
        Some((name, number.parse::<i32>().ok().filter(|_| is_number)?.unsigned_abs()))
    });
    Region {
        name: number.map_or(shown.name.as_str(), |(name, _)| name).to_owned(),
        page: shown.page,
        at: [x.0, y.0],
        size: [w.0, h.0],
        offset: [inner.x.0, original[1] - inner.y.0 - h.0],
        original,
        degrees: if shown.frame.turn == Turn::None { 0 } else { 90 },
        index: number.map(|(_, number)| number),
        ..Region::default()
    }
}

/// Returns a name without extension, and without what separates it from properties and from pages.
pub fn name(name: &str) -> String {
    let stem = match name.rsplit_once('.') {
        Some((stem, extension)) if ["png", "jpg", "jpeg", "webp"].contains(&&*extension.to_lowercase()) => stem,
        _ => name,
    };
    let name = super::printable(stem).replace(':', "_");
    if name.trim().is_empty() { "_".to_owned() } else { name.trim().to_owned() }
}
