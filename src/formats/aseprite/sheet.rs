//! A file → a sprite sheet for writing: pages and their description.

use ::bytes::Bytes;

use super::build::duration;
use super::pack::MAX_SIDE;
use super::pages::{Page, Pages, Shown, pages};
use super::read::read;
use super::schema::{File, Tag};
use crate::diagnostics::Diagnostics;
use crate::error::{Place, Result};
use crate::formats::image::encode_png;
use crate::formats::sheet::frames::ORDERS;
use crate::formats::sheet::{self, Duration, Sheet, TEXT_BYTES};
use crate::formats::{Input, ReadOptions};
use crate::limits::Budget;
use crate::model::{Order, Strip};

/// The frames of a file, laid out as a sprite sheet.
pub struct AsSheet {
    /// JSON and PNG of each page.
    pub pages: Vec<(String, Bytes)>,
    /// Width and height of a pixel, if they differ.
    pub pixel: Option<[u8; 2]>,
    /// Number of frames whose duration the JSON cannot represent exactly.
    pub rounded: usize,
}

/// Memory for the name of a frame in the list of an animation, in bytes.
const NAME_BYTES: usize = 12;

/// Converts the file to a sprite sheet with as few pages as possible.
pub fn as_sheet(input: &Input<'_>, options: &ReadOptions, budget: &mut Budget<'_>) -> Result<AsSheet> {
    let mut file = read(&input.bytes, budget, &mut Diagnostics::default())?;
    file.show(&options.layers)?;
    let pages = pages(&file, |_| MAX_SIDE, budget)?;
    let title = sheet::title(input.sidecars.own_name().unwrap_or_default());
    describe(&file, &pages, &title, sheet::usual_ms(options.fps), budget)
}

/// Describes a file. Without tags, its only animation is named `title`. Frames without a duration are shown for
/// `usual_ms`.
fn describe(file: &File, pages: &Pages, title: &str, usual_ms: f64, budget: &mut Budget<'_>) -> Result<AsSheet> {
    let place = || Place::at("frames", 128);
    // The texts of all pages, and the description they are written from.
    budget.charge_memory(pages.frames.len() as u64, size_of::<sheet::Frame>() + TEXT_BYTES, place)?;
    let mut pictures = Vec::with_capacity(pages.pages.len());
    for Page { size: [width, height], pixels } in &pages.pages {
        budget.charge_encoding(*width, *height, place)?;
        pictures.push(encode_png(*width, *height, pixels)?);
    }
    let exact = |index: usize| duration(file, index).unwrap_or(usual_ms);
    let whole = |index: usize| (exact(index) + 0.5).floor().max(1.0);
    let frames = pages.frames.iter().enumerate();
    let frames = frames.map(|(index, shown)| frame(index, shown, Duration::Whole(whole(index) as u32)));
    let last = pages.frames.len().saturating_sub(1);
    let mut tags: Vec<sheet::Tag> = file.tags.iter().filter_map(|found| tag(found, last)).collect();
    if tags.is_empty() {
        tags.push(sheet::Tag { name: title.to_owned(), from: 0, to: last, order: Order::Forward, plays: 0 });
    }
    // Tags are written with the names of their frames.
    for (tag, found) in tags.iter().zip(&file.tags) {
        let strip = Strip::new(tag.from as u32, (tag.to - tag.from) as u32 + 1, tag.order);
        budget.charge_memory(strip.period(), NAME_BYTES, || Place::at("tags", found.offset))?;
    }
    let page = |page: &Page| sheet::Page { image: String::new(), file: String::new(), size: page.size };
    let sheet = Sheet {
        frames: frames.collect(),
        tags,
        pages: pages.pages.iter().map(page).collect(),
        canvas: file.header.size.map(u32::from),
        origin: [0, 0],
        is_hash: false,
    };
    let [width, height] = file.header.pixel;
    let pictures = pictures.into_iter().enumerate();
    Ok(AsSheet {
        pages: pictures.map(|(page, picture)| (sheet.json(page), picture.into())).collect(),
        pixel: (width != height).then_some([width, height]),
        rounded: (0..pages.frames.len()).filter(|&index| whole(index) != exact(index)).count(),
    })
}

fn frame(index: usize, shown: &Shown, duration: Duration) -> sheet::Frame {
    let Shown { page, on_page: [x, y], on_canvas, size: [w, h] } = *shown;
    // An empty frame becomes one of the transparent pixels in the gaps, as Aseprite writes it.
    let (rect, offset) = if w == 0 { ([0, 0, 1, 1], [0, 0]) } else { ([x, y, w, h], on_canvas) };
    sheet::Frame { name: index.to_string(), page, rect, offset, duration }
}

/// Clips a tag to the existing frames; `None` if it has none.
fn tag(tag: &Tag, last: usize) -> Option<sheet::Tag> {
    let (from, to) = (usize::from(tag.from), usize::from(tag.to).min(last));
    let order = ORDERS.get(usize::from(tag.direction)).copied().unwrap_or(Order::Forward);
    (from <= to).then(|| sheet::Tag { name: tag.name.clone(), from, to, order, plays: tag.repeat.into() })
}
