//! A file → frames and tags of a sprite sheet, from which the sheet reader builds a character.

use super::pages::{Pages, Shown};
use super::schema::{File, Tag};
use crate::character::Character;
use crate::diagnostics::Diagnostics;
use crate::error::{Error, Place, Result};
use crate::formats::sheet::frames::Tag as SheetTag;
use crate::formats::sheet::frames::{
    Frame, Gathered, Meta, Milliseconds, Name, Number, ORDERS, Part, Picture, Rect, Repeat, Size, build, direction,
};
use crate::formats::{ReadOptions, Sidecars};
use crate::limits::Budget;
use crate::model::{AlphaSource, AtlasPage};

/// Builds a character.
pub fn character(
    file: &File,
    pages: Pages,
    sidecars: &dyn Sidecars,
    options: &ReadOptions,
    budget: &mut Budget<'_>,
    diagnostics: &mut Diagnostics,
) -> Result<Character> {
    let gathered = gathered(file, pages, sidecars.own_name().unwrap_or("sprite"));
    let mut found = Diagnostics::default();
    let character = build(&gathered, sidecars, options, budget, &mut found);
    for finding in found.findings() {
        let mut fault = finding.fault.clone();
        fault.place = place(file, &fault.place);
        diagnostics.add(finding.severity, fault);
    }
    character.map_err(|error| relocated(file, error))
}

/// Converts the file to a sheet of several pages.
fn gathered(file: &File, pages: Pages, name: &str) -> Gathered {
    let Pages { pages, frames } = pages;
    let [width, height] = file.header.pixel;
    let shared = gcd(width, height);
    let pixel = [width / shared, height / shared].map(f32::from);
    let mut parts: Vec<Part> = pages
        .into_iter()
        .map(|page| {
            let [width, height] = page.size;
            let pixels = page.pixels.into();
            let (is_premultiplied, alpha_source) = (false, AlphaSource::Stated);
            let page = AtlasPage { name: name.into(), width, height, pixels, is_premultiplied, alpha_source };
            Part { picture: Picture::Decoded { page, pixel }, ..Part::default() }
        })
        .collect();
    for (index, shown) in frames.iter().enumerate() {
        if let Some(part) = parts.get_mut(shown.page) {
            part.frames.push(frame(file, index, shown));
        }
    }
    let frame_tags = Some(file.tags.iter().map(tag).collect());
    Gathered { parts, meta: Meta { frame_tags, ..Meta::default() }, ..Gathered::default() }
}

fn gcd(a: u8, b: u8) -> u8 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// Converts a frame. Frames are named by number, so that they stay in order regardless of their pages.
fn frame(file: &File, index: usize, shown: &Shown) -> Frame {
    let number = |value: u32| Number(value as f32);
    let [w, h] = shown.size.map(number);
    let rect = |[x, y]: [u32; 2]| Rect { x: number(x), y: number(y), w, h };
    let [width, height] = file.header.size.map(|side| number(side.into()));
    Frame {
        filename: Some(Name(index.to_string())),
        sprite_source_size: Some(rect(shown.on_canvas)),
        source_size: Some(Size { w: width, h: height }),
        duration: duration(file, index).map(Milliseconds),
        frame: rect(shown.on_page),
        ..Frame::default()
    }
}

/// Returns the duration of a frame in milliseconds, or `None` if the file does not specify it.
pub fn duration(file: &File, index: usize) -> Option<f64> {
    let own = file.frames.get(index).map_or(0, |frame| frame.duration);
    [own, file.header.speed].into_iter().find(|ms| *ms > 0).map(f64::from)
}

fn tag(tag: &Tag) -> SheetTag {
    SheetTag {
        name: Some(Name(tag.name.clone())),
        from: Number(tag.from.into()),
        to: Number(tag.to.into()),
        direction: Some(match ORDERS.get(usize::from(tag.direction)) {
            Some(order) => direction(*order).to_owned(),
            None => tag.direction.to_string(),
        }),
        repeat: Some(Repeat(Some(tag.repeat.into()))),
    }
}

/// Converts a place in sheet JSON to one in the file.
fn place(file: &File, place: &Place) -> Place {
    let Some(rest) = place.path.strip_prefix("/meta/frameTags") else { return Place::at("frames", 128) };
    let mut fields = rest.split('/').skip(1);
    let number = fields.next().and_then(|number| number.parse::<usize>().ok());
    let found = number.and_then(|number| Some((number, file.tags.get(number)?)));
    match (found, file.tags.first()) {
        (Some((number, tag)), _) => {
            let field = fields.next().map(|field| format!(".{field}")).unwrap_or_default();
            Place::at(format!("tags[{number}]{field}"), tag.offset)
        }
        (None, Some(first)) => Place::at("tags", first.offset),
        (None, None) => Place::at("frames", 128),
    }
}

fn relocated(file: &File, mut error: Error) -> Error {
    if let Some(of) = error.place_inside_mut() {
        *of = place(file, of);
    }
    error
}
