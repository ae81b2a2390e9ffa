//! A libGDX `.atlas` without a skeleton: each region is a frame.
//!
//! Regions with an `index` are named like their source images, `walk_0`, `walk_1`, which makes them an animation.

use super::frame::{Frame, Turn};
use super::schema::{Frames, Meta, Name, Number, Rect, Root, Size, Texture};
use super::text::utf8;
use crate::diagnostics::Diagnostics;
use crate::error::{Error, Place, Result};
use crate::formats::atlas::{Atlas, Region};
use crate::limits::Budget;

/// Reads a file.
pub fn read(bytes: &[u8], budget: &mut Budget<'_>, diagnostics: &mut Diagnostics) -> Result<Root> {
    let text = utf8(bytes, "the atlas is not valid UTF-8")?;
    let place = || Place::inside("line 1");
    // The number of region and page names. Few names contain colons.
    let names = text.lines().filter(|line| !line.contains(':') && !line.trim().is_empty()).count() as u64;
    Budget::new(budget.limits()).charge_records(names, place)?;
    budget.charge_memory(names, size_of::<Region>() + size_of::<Frame>(), place)?;
    let Atlas { pages, regions } = Atlas::parse_regions(text, diagnostics)?;
    budget.charge_records(pages.len() as u64, place)?;
    let texture = |page: crate::formats::atlas::Page| Texture {
        image: Some(page.file),
        size: page.size.and_then(|[w, h]| Some(Size { w: number(w)?, h: number(h)? })),
        frames: Frames::default(),
        is_premultiplied: page.is_premultiplied,
    };
    let mut textures: Vec<Texture> = pages.into_iter().map(texture).collect();
    for region in regions {
        let (page, line) = (region.page, region.line);
        if let Some(texture) = textures.get_mut(page) {
            texture.frames.push(frame(region)).map_err(|message| {
                Error::malformed("no-frames", Place::inside(format!("line {line}")), message)
            })?;
        }
    }
    Ok(Root { textures: Some(textures), meta: Some(Meta::default()), ..Root::default() })
}

fn number(value: f32) -> Option<Number> {
    Number::new(value.into())
}

fn frame(region: Region) -> Frame {
    let [whole_width, whole_height] = region.whole();
    let ([x, y], [w, h], [left, below]) = (region.at, region.size, region.offset);
    let name = match region.index {
        Some(index) => format!("{}_{index}", region.name),
        None => region.name,
    };
    let mut frame = Frame { filename: Some(Name(name)), at: region.line, ..Frame::default() };
    if let Some(fault) = region.fault {
        frame.lose("", fault);
        return frame;
    }
    if w == 0.0 || h == 0.0 {
        frame.lose("", "the region has no area");
        return frame;
    }
    let numbers = [x, y, w, h, left, whole_height - below - h, whole_width, whole_height].map(number);
    let [Some(x), Some(y), Some(w), Some(h), Some(left), Some(top), Some(width), Some(height)] = numbers else {
        frame.lose("", format!("a number is out of range, coordinates are limited to ±{}", Number::LARGEST));
        return frame;
    };
    frame.frame = Rect { x, y, w, h };
    frame.sprite_source_size = Some(Rect { x: left, y: top, w, h });
    frame.source_size = Some(Size { w: width, h: height });
    frame.turn = match region.degrees {
        90 => Turn::CounterClockwise,
        180 => Turn::Half,
        270 => Turn::Clockwise,
        _ => Turn::None,
    };
    frame
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::Limits;

    #[test]
    fn regions_are_frames_of_their_pages() {
        let text = "\none.png\nsize: 64,32\nwalk\n  rotate: true\n  xy: 2, 4\n  size: 10, 20\n  orig: 14, 28\n  offset: 1, 3\n  \
                    index: 2\n\ntwo.png\nsize: 8,8\nwalk\n  xy: 0, 0\n  size: 8, 8\n  index: 10\nbox\n  bounds: 0, 0, 1e30, 1\n";
        let limits = Limits::default();
        let root = read(text.as_bytes(), &mut Budget::new(&limits), &mut Diagnostics::default()).unwrap();
        let textures = root.textures.unwrap();
        let frames: Vec<&Frame> = textures.iter().flat_map(|texture| &texture.frames.list).collect();
        let names: Vec<&str> = frames.iter().map(|frame| &*frame.filename.as_ref().unwrap().0).collect();
        assert_eq!(names, ["walk_2", "walk_10", "box"]);
        assert_eq!(
            (frames[0].turn, frames[0].frame.w.0, frames[0].frame.h.0),
            (Turn::CounterClockwise, 10.0, 20.0)
        );
        let inner = frames[0].sprite_source_size.unwrap();
        assert_eq!((inner.x.0, inner.y.0), (1.0, 5.0));
        assert_eq!(frames.iter().map(|frame| frame.is_lost).collect::<Vec<_>>(), [false, false, true]);
    }
}
