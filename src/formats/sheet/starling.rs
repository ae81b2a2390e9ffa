//! Starling XML, which Sparrow and Adobe Animate write as well: `<TextureAtlas>` with a `<SubTexture>` for each
//! frame. TexturePacker's generic XML has a `<sprite>` instead, with other names for the same.
//!
//! `x`, `y`, `width` and `height` are the rectangle as stored on the page: for a rotated frame, which is turned
//! clockwise, width and height are not swapped. `frameX` and `frameY` are the corner of the canvas relative to the
//! frame, so they are negative; `frameWidth` and `frameHeight` are the canvas size. `flipX` and `flipY` mirror the
//! canvas. `pivotX` and `pivotY` are pixels of the canvas. Adobe Animate writes them on the first frame of a clip
//! only; then no engine reads them, and they are ignored.

use std::borrow::Cow;

use super::frame::{Cost, Frame, Turn};
use super::loose::Scalar;
use super::schema::{Frames, Meta, Name, Number, Point, Rect, Root, Size};
use super::sequences::{self, Numbering};
use super::xml::{self, Element, Part, Parts};
use crate::error::{Error, Place, Result};
use crate::limits::Budget;

/// Reads a file.
pub fn read(bytes: &[u8], budget: &mut Budget<'_>) -> Result<Root> {
    let text = xml::text(bytes, budget)?;
    let mut parts = Parts::of(&text);
    let mut meta = Meta::default();
    let mut frames = Frames::default();
    while let Some(part) = parts.next(budget)? {
        let Part::Start(element, _) = part else { continue };
        match element.name().as_str() {
            "TextureAtlas" => element.attributes(|name, value| {
                if name == "imagePath" && meta.image.is_none() {
                    meta.image = Some(value.into_owned());
                }
            })?,
            name @ ("SubTexture" | "sprite") => {
                let keys = if name == "sprite" { &GENERIC } else { &STARLING };
                let place = || Place::at(name, element.offset);
                budget.charge_memory(1, size_of::<Frame>(), place)?;
                let frame = sub_texture(&element, keys)?;
                frames.push(frame).map_err(|message| Error::malformed("no-frames", place(), message))?;
            }
            _ => {}
        }
    }
    let names: Vec<&str> = frames.list.iter().map(Frame::name).collect();
    let is_of_animate = text.has_comment("Adobe Animate") || sequences::end_in_four_digits(&names);
    let pivots = first_pivots(&names, &frames.list, Numbering::of(is_of_animate));
    for index in pivots {
        if let Some(frame) = frames.list.get_mut(index as usize) {
            frame.pivot = None;
        }
    }
    Ok(Root { frames: Some(frames), meta: Some(meta), is_of_animate, ..Root::default() })
}

/// Returns the frames that are the first of a clip and the only ones of it with a pivot. Clips of one frame count if
/// there are longer ones.
fn first_pivots(names: &[&str], frames: &[Frame], numbering: Numbering) -> Vec<u32> {
    let has_pivot = |frame: &u32| frames.get(*frame as usize).is_some_and(|frame| frame.pivot.is_some());
    let clips = sequences::clips(names, numbering);
    let (long, short): (Vec<_>, Vec<_>) = clips.into_iter().partition(|(_, frames)| frames.len() > 1);
    let first = |frames: Vec<u32>| match frames.split_first() {
        Some((first, rest)) if has_pivot(first) && !rest.iter().any(has_pivot) => Some(*first),
        _ => None,
    };
    let mut found: Vec<u32> = long.into_iter().filter_map(|(_, frames)| first(frames)).collect();
    if !found.is_empty() {
        found.extend(short.into_iter().flat_map(|(_, frames)| frames));
    }
    found
}

/// The attributes of an element, and what their values mean.
struct Keys {
    name: &'static str,
    stored: [&'static str; 4],
    corner: [&'static str; 2],
    canvas: [&'static str; 2],
    pivot: [&'static str; 2],
    rotated: &'static str,
    flip: [&'static str; 2],
    /// The value of `rotated` for a frame that is.
    yes: &'static str,
    /// True if `corner` is the corner of the frame on the canvas, and the pivot a part of the canvas.
    is_generic: bool,
}

const STARLING: Keys = Keys {
    name: "name",
    stored: ["x", "y", "width", "height"],
    corner: ["frameX", "frameY"],
    canvas: ["frameWidth", "frameHeight"],
    pivot: ["pivotX", "pivotY"],
    rotated: "rotated",
    flip: ["flipX", "flipY"],
    yes: "true",
    is_generic: false,
};

/// TexturePacker's generic XML.
const GENERIC: Keys = Keys {
    name: "n",
    stored: ["x", "y", "w", "h"],
    corner: ["oX", "oY"],
    canvas: ["oW", "oH"],
    pivot: ["pX", "pY"],
    rotated: "r",
    flip: ["", ""],
    yes: "y",
    is_generic: true,
};

/// The attributes of a frame, with their names.
struct Attributes {
    stored: [Attribute; 4],
    corner: [Attribute; 2],
    canvas: [Attribute; 2],
    pivot: [Attribute; 2],
    rotated: [Attribute; 1],
    flip: [Attribute; 2],
}

type Attribute = (&'static str, Scalar);

impl Attributes {
    fn missing(keys: &Keys) -> Self {
        let missing = |name| (name, Scalar::Missing);
        Self {
            stored: keys.stored.map(missing),
            corner: keys.corner.map(missing),
            canvas: keys.canvas.map(missing),
            pivot: keys.pivot.map(missing),
            rotated: [missing(keys.rotated)],
            flip: keys.flip.map(missing),
        }
    }
}

fn sub_texture(element: &Element<'_>, keys: &Keys) -> Result<Frame> {
    let mut attributes = Attributes::missing(keys);
    let mut frame = Frame { at: element.offset, ..Frame::default() };
    element.attributes(|name, value| match name {
        name if name == keys.name => frame.filename = Some(Name(value.into_owned())),
        name if name == keys.rotated && value == keys.yes => attributes.rotated[0].1 = Scalar::Bool(true),
        name => {
            let Attributes { stored, corner, canvas, pivot, rotated, flip } = &mut attributes;
            let mut all = stored.iter_mut().chain(corner).chain(canvas).chain(pivot).chain(rotated).chain(flip);
            if let Some((_, target)) = all.find(|(known, _)| *known == name) {
                *target = scalar(value);
            }
        }
    })?;
    attributes.apply(&mut frame, keys);
    Ok(frame)
}

/// Converts the text of an attribute to a number or boolean if it is one.
fn scalar(value: Cow<'_, str>) -> Scalar {
    match value.trim() {
        "" => Scalar::Missing,
        "true" => Scalar::Bool(true),
        "false" => Scalar::Bool(false),
        text => match text.parse::<f64>() {
            Ok(number) => Scalar::Number(number),
            Err(_) => Scalar::Text(text.to_owned()),
        },
    }
}

impl Attributes {
    fn apply(self, frame: &mut Frame, keys: &Keys) {
        let [(name, rotated)] = self.rotated;
        frame.set_rotated(name, &rotated);
        let Some([x, y, width, height]) = frame.numbers("", self.stored, Cost::Frame) else { return };
        let (w, h) = if frame.turn == Turn::Clockwise { (height, width) } else { (width, height) };
        frame.frame = Rect { x, y, w, h };
        let or_zero = |(name, value)| (name, if value == Scalar::Missing { Scalar::Number(0.0) } else { value });
        let canvas = frame.numbers("", self.canvas.map(or_zero), Cost::Frame).map(Size::from);
        let corner = frame.numbers("", self.corner.map(or_zero), Cost::Frame);
        // Without a size there is no canvas, and the corner is meaningless.
        if let (Some(canvas), Some([x, y])) = (canvas, corner)
            && canvas.w.0 > 0.0
            && canvas.h.0 > 0.0
        {
            // Adding 0 turns -0 into 0.
            let corner = [x, y].map(|Number(number)| Number(if keys.is_generic { number } else { 0.0 - number }));
            frame.sprite_source_size = Some(Rect { x: corner[0], y: corner[1], w, h });
            frame.source_size = Some(canvas);
        }
        if self.pivot.iter().any(|(_, value)| *value != Scalar::Missing) {
            let one = Size { w: Number(1.0), h: Number(1.0) };
            let canvas = if keys.is_generic { one } else { frame.source_size.unwrap_or(Size { w, h }) };
            frame.pivot = frame.numbers("", self.pivot.map(or_zero), Cost::Field).map(|[x, y]| Point {
                x: Number(x.0 / canvas.w.0.max(1.0)),
                y: Number(y.0 / canvas.h.0.max(1.0)),
            });
        }
        let is_true = |value: &Scalar| match value {
            Scalar::Bool(is_true) => *is_true,
            Scalar::Text(text) => text.eq_ignore_ascii_case("true"),
            Scalar::Missing | Scalar::Null | Scalar::Number(_) | Scalar::Other(_) => false,
        };
        frame.flip = self.flip.map(|(_, value)| is_true(&value));
        if frame.flip != [false; 2] {
            frame.remark("", "the frame is mirrored as `flipX` and `flipY` say; some engines ignore them");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::Limits;

    fn frames(elements: &str) -> Vec<Frame> {
        let limits = Limits::default();
        let text = format!("<TextureAtlas imagePath='a.png'>{elements}</TextureAtlas>");
        let root = read(text.as_bytes(), &mut Budget::new(&limits)).unwrap();
        assert_eq!(root.meta.unwrap().image.as_deref(), Some("a.png"));
        root.frames.unwrap().list
    }

    #[test]
    fn a_rotated_frame_has_its_stored_size() {
        let list = frames(
            "<SubTexture name='a &amp; b' x='1' y='2' width='20' height='10' rotated='true' frameX='-3' frameY='-4' \
             frameWidth='16' frameHeight='32' pivotX='8' pivotY='32'/>",
        );
        let Frame { filename, frame, turn, sprite_source_size, source_size, pivot, odd, .. } = &list[0];
        assert_eq!((filename.as_ref().unwrap().0.as_str(), odd.len()), ("a & b", 0));
        assert_eq!((frame.w.0, frame.h.0, *turn), (10.0, 20.0, Turn::Clockwise));
        let inner = sprite_source_size.unwrap();
        assert_eq!((inner.x.0, inner.y.0, source_size.unwrap().h.0), (3.0, 4.0, 32.0));
        assert_eq!(pivot.unwrap(), Point { x: Number(0.5), y: Number(1.0) });
    }

    #[test]
    fn generic_xml_has_other_names_for_the_same() {
        let list = frames(
            "<sprite n='a' x='1' y='2' w='20' h='10' r='y' oX='3' oY='4' oW='16' oH='32' pX='0.5' pY='1'/>\
             <sprite n='b' x='1' y='2' w='20' h='10'/>",
        );
        let Frame { frame, turn, sprite_source_size, source_size, pivot, odd, .. } = &list[0];
        assert_eq!((frame.w.0, frame.h.0, *turn, odd.len()), (10.0, 20.0, Turn::Clockwise, 0));
        let inner = sprite_source_size.unwrap();
        assert_eq!((inner.x.0, inner.y.0, source_size.unwrap().h.0), (3.0, 4.0, 32.0));
        assert_eq!(pivot.unwrap(), Point { x: Number(0.5), y: Number(1.0) });
        assert_eq!((list[1].name(), list[1].turn, list[1].pivot), ("b", Turn::None, None));
    }

    #[test]
    fn pivots_of_first_frames_alone_are_ignored() {
        let pivots = |pivots: [&str; 4]| -> Vec<bool> {
            let names = ["a0001", "a0000", "b0000", "c"];
            let frame = |(name, pivot): (&str, &str)| {
                format!("<SubTexture name='{name}' x='1' y='2' width='3' height='4' {pivot}/>")
            };
            let text: String = names.into_iter().zip(pivots).map(frame).collect();
            frames(&text).iter().map(|frame| frame.pivot.is_some()).collect()
        };
        let there = "pivotX='1'";
        assert_eq!(pivots(["", there, there, there]), [false, false, false, true]);
        assert_eq!(pivots([there, "", there, ""]), [true, false, true, false]);
        assert_eq!(pivots([there, there, there, there]), [true; 4]);
        assert_eq!(pivots(["", "", there, there]), [false, false, true, true]);
    }

    #[test]
    fn an_invalid_frame_does_not_affect_others() {
        let list = frames(
            "<SubTexture x='1' y='2' width='3'/><SubTexture x='NaN' y='2' width='3' height='4'/>\
             <SubTexture x='1e30' y='2' width='3' height='4'/><SubTexture x='1' y='2' width='3' height='4' rotated='?'/>\
             <SubTexture x='1' y='2' width='3' height='4' frameX=''/><SubTexture x='1' y='2' width='3px' height='4'/>",
        );
        let lost: Vec<bool> = list.iter().map(|frame| frame.is_lost).collect();
        assert_eq!(lost, [true, true, true, true, false, true]);
    }
}
