//! Property lists of cocos2d and TexturePacker, as XML or binary: a dictionary `frames` of dictionaries by name,
//! in any of the formats 0 to 3 or of UIKit, and `metadata`.
//!
//! The format is detected from the fields of a frame. Sizes apply before the rotation, which is clockwise. The offset
//! is from the centre of the canvas to the centre of the frame, y up. Some programs round half pixels of the offset;
//! then `sourceColorRect` is exact.

use super::bplist;
use super::frame::{Cost, Frame};
use super::loose::Scalar;
use super::schema::{Frames, Meta, Name, Number, Point, Rect, Root, Size};
use super::value::{self, Dict, Value};
use crate::error::{Error, Place, Result};
use crate::formats::detect::sheet::BPLIST_MAGIC;
use crate::limits::Budget;

/// Reads a file.
pub fn read(bytes: &[u8], budget: &mut Budget<'_>) -> Result<Root> {
    if bytes.starts_with(&BPLIST_MAGIC) {
        return sheet(&bplist::read(bytes, budget)?, budget);
    }
    let text = super::xml::text(bytes, budget)?;
    sheet(&value::read_xml(&text, budget)?, budget)
}

fn sheet(root: &Value<'_>, budget: &mut Budget<'_>) -> Result<Root> {
    let place = Place::inside("plist");
    let reject = |message: &str| Error::malformed("bad-plist", place, message);
    let Value::Dict(root) = root else { return Err(reject("the property list is not a dictionary")) };
    let Some(Value::Dict(list)) = root.get("frames") else {
        return Err(reject("the property list has no dictionary `frames`, so it is not a sheet"));
    };
    let (mut frames, mut also) = (Frames::hash(), Vec::new());
    for (name, value) in list.pairs() {
        let place = || Place::inside("frames");
        budget.charge_memory(1, size_of::<Frame>() + name.len(), place)?;
        let mut frame = match value {
            Value::Dict(fields) => read_frame(fields),
            other => Frame::lost(format!("expected a dictionary, found {}", other.scalar().kind())),
        };
        frame.filename = Some(Name(name.to_string()));
        let aliases = match value {
            Value::Dict(fields) => fields.get("aliases"),
            _ => None,
        };
        if let Some(Value::Texts(names)) = aliases {
            for name in names {
                budget.charge_memory(1, size_of::<Frame>() + name.len(), place)?;
                let alias = Frame { filename: Some(Name(name.to_string())), ..frame.clone() };
                also.push(alias);
            }
        }
        frames.push(frame).map_err(|message| Error::malformed("no-frames", place(), message))?;
    }
    // Other names of frames come after all frames, which keep their numbers.
    for frame in also {
        frames.push(frame).map_err(|message| Error::malformed("no-frames", Place::inside("frames"), message))?;
    }
    let meta = match root.get("metadata") {
        Some(Value::Dict(metadata)) => read_metadata(metadata),
        _ => Meta::default(),
    };
    Ok(Root { frames: Some(frames), meta: Some(meta), ..Root::default() })
}

fn read_metadata(metadata: &Dict<'_>) -> Meta {
    let text = |key| match metadata.get(key) {
        Some(Value::Text(text)) if !text.is_empty() => Some(text.to_string()),
        // Zwoptex stores a dictionary that contains the name.
        Some(Value::Dict(target)) => match (target.get("textureFileName"), target.get("textureFileExtension")) {
            (Some(Value::Text(name)), Some(Value::Text(extension))) => Some(format!("{name}{extension}")),
            (Some(Value::Text(name)), _) => Some(name.to_string()),
            _ => None,
        },
        _ => None,
    };
    let size = metadata.get("size").and_then(|size| match size {
        Value::Text(text) => braced(text),
        _ => None,
    });
    let size = size.and_then(|[w, h]| Some(Size { w: Number::new(w)?, h: Number::new(h)? }));
    Meta {
        image: text("textureFileName").or_else(|| text("realTextureFileName")).or_else(|| text("target")),
        size,
        ..Meta::default()
    }
}

fn read_frame(fields: &Dict<'_>) -> Frame {
    let mut frame = Frame::default();
    if fields.get("w").is_some() {
        uikit(fields, &mut frame);
        return frame;
    }
    let placed = if fields.get("textureRect").is_some() {
        let keys = ["textureRect", "spriteOffset", "spriteSourceSize", "spriteColorRect", "textureRotated"];
        texts(fields, keys, Some("spriteSize"), &mut frame)
    } else if fields.get("frame").is_some() {
        let keys = ["frame", "offset", "sourceSize", "sourceColorRect", "rotated"];
        texts(fields, keys, None, &mut frame)
    } else {
        zeroth(fields, &mut frame)
    };
    if let Some(placed) = placed {
        placed.put(&mut frame);
    }
    // The anchor is relative to the lower left.
    if let Some([x, y]) = pair(fields, "anchor", Cost::Field, &mut frame) {
        frame.pivot = Some(Point { x, y: Number(1.0 - y.0) });
    }
    if fields.get("triangles").is_some() {
        frame.note_polygon("triangles");
    }
    frame
}

/// The placement of a frame, which all formats describe.
struct Placement {
    /// Position on the page, and size before rotation.
    rect: Rect,
    /// Offset from the centre of the canvas to the centre of the frame, y up.
    offset: [Number; 2],
    canvas: Option<[Number; 2]>,
    /// Rectangle on the canvas, y down.
    color_rect: Option<Rect>,
}

/// The numbers of UIKit. The offset is from the upper left of the canvas.
fn uikit(fields: &Dict<'_>, frame: &mut Frame) -> Option<()> {
    let scalar = |key| (key, fields.get(key).map_or(Scalar::Missing, Value::scalar));
    let [x, y, w, h] = frame.numbers("", ["x", "y", "w", "h"].map(scalar), Cost::Frame)?;
    frame.frame = Rect { x, y, w, h };
    if fields.get("oW").is_some() {
        let [x, y, width, height] = frame.numbers("", ["oX", "oY", "oW", "oH"].map(scalar), Cost::Field)?;
        frame.sprite_source_size = Some(Rect { x, y, w, h });
        frame.source_size = Some(Size { w: width, h: height });
    }
    Some(())
}

/// Format 0: numbers.
fn zeroth(fields: &Dict<'_>, frame: &mut Frame) -> Option<Placement> {
    let scalar = |key| (key, fields.get(key).map_or(Scalar::Missing, Value::scalar));
    let or_zero = |(key, value)| (key, if value == Scalar::Missing { Scalar::Number(0.0) } else { value });
    let rect = frame.numbers("", ["x", "y", "width", "height"].map(scalar), Cost::Frame)?;
    let offset = frame.numbers("", ["offsetX", "offsetY"].map(scalar).map(or_zero), Cost::Frame)?;
    let canvas = ["originalWidth", "originalHeight"].map(scalar);
    let has_canvas = canvas.iter().any(|(_, value)| *value != Scalar::Missing);
    let canvas = if has_canvas { frame.numbers("", canvas, Cost::Field) } else { None };
    // Some programs write negative sizes.
    let canvas = canvas.map(|size| size.map(|Number(side)| Number(side.abs())));
    Some(Placement { rect: rect.into(), offset, canvas, color_rect: None })
}

/// Formats 1 and 2: texts, with rotation in format 2. Format 3: the same with other keys, and a key for the size.
fn texts(
    fields: &Dict<'_>,
    [rect, offset, canvas, color_rect, rotated]: [&'static str; 5],
    size: Option<&'static str>,
    frame: &mut Frame,
) -> Option<Placement> {
    let rect = self::rect(fields, rect, Cost::Frame, frame)?;
    let offset = match fields.get(offset) {
        Some(_) => pair(fields, offset, Cost::Frame, frame)?,
        None => [Number(0.0); 2],
    };
    // Engines use this size.
    let size = size.and_then(|key| pair(fields, key, Cost::Field, frame));
    let rect = size.map_or(rect, |[w, h]| Rect { w, h, ..rect });
    let canvas = pair(fields, canvas, Cost::Field, frame);
    let color_rect = self::rect(fields, color_rect, Cost::Field, frame);
    frame.set_rotated(rotated, &fields.get(rotated).map_or(Scalar::Missing, Value::scalar));
    Some(Placement { rect, offset, canvas, color_rect })
}

impl Placement {
    fn put(self, frame: &mut Frame) {
        let Rect { w: Number(w), h: Number(h), .. } = self.rect;
        let canvas = self.canvas.filter(|canvas| canvas.iter().all(|side| side.0 > 0.0));
        let [width, height] = canvas.map_or([w, h], |canvas| canvas.map(|side| side.0));
        let [x, y] = self.offset.map(|offset| offset.0);
        let corner = [(width - w) / 2.0 + x, (height - h) / 2.0 - y];
        // A difference of half a pixel is due to rounding; a larger one means that the rectangle is unrelated.
        let exact = self.color_rect.map(|rect| [rect.x.0, rect.y.0]);
        let is_near =
            |exact: &[f32; 2]| exact.iter().zip(corner).all(|(exact, corner)| (exact - corner).abs() < 1.0);
        let [x, y] = exact.filter(is_near).unwrap_or(corner).map(Number);
        frame.frame = self.rect;
        frame.sprite_source_size =
            Some(Rect { x, y, ..Rect::from([Number(0.0), Number(0.0), Number(w), Number(h)]) });
        frame.source_size = Some(Size { w: Number(width), h: Number(height) });
    }
}

/// Reads `{{x,y},{w,h}}`.
fn rect(fields: &Dict<'_>, key: &'static str, cost: Cost, frame: &mut Frame) -> Option<Rect> {
    numbers::<4>(fields, key, "{{x,y},{w,h}}", cost, frame).map(Rect::from)
}

/// Reads `{x,y}`.
fn pair(fields: &Dict<'_>, key: &'static str, cost: Cost, frame: &mut Frame) -> Option<[Number; 2]> {
    numbers(fields, key, "{x,y}", cost, frame)
}

fn numbers<const N: usize>(
    fields: &Dict<'_>,
    key: &'static str,
    form: &str,
    cost: Cost,
    frame: &mut Frame,
) -> Option<[Number; N]> {
    let value = fields.get(key)?;
    let found = match value {
        Value::Text(text) => braced::<N>(text),
        Value::Number(_) | Value::Bool(_) | Value::Dict(_) | Value::Texts(_) | Value::Other(_) => None,
    };
    let mut numbers = [Number(0.0); N];
    for (number, found) in numbers.iter_mut().zip(found.into_iter().flatten()) {
        match Number::new(found) {
            Some(found) => *number = found,
            None => {
                let message = format!("{found} is out of range, coordinates are limited to ±{}", Number::LARGEST);
                frame.reject(key, &message, cost);
                return None;
            }
        }
    }
    if found.is_none() {
        frame.reject(key, &format!("{} does not have the form `{form}`", value.scalar().described()), cost);
        return None;
    }
    Some(numbers)
}

/// Parses numbers in any number of braces.
fn braced<const N: usize>(text: &str) -> Option<[f64; N]> {
    let mut numbers = [0.0; N];
    let mut parts = text.split(',').map(|part| part.trim_matches([' ', '\t', '\r', '\n', '{', '}']));
    for number in &mut numbers {
        *number = parts.next()?.parse().ok()?;
    }
    parts.next().is_none().then_some(numbers)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::Limits;

    fn frames(fields: &str) -> Vec<Frame> {
        let text = format!(
            "<?xml version='1.0'?><!DOCTYPE plist PUBLIC 'a' 'b'><plist><dict><key>frames</key><dict>{fields}</dict>\
             <key>metadata</key><dict><key>size</key><string>{{64,32}}</string></dict></dict></plist>"
        );
        let limits = Limits::default();
        let root = read(text.as_bytes(), &mut Budget::new(&limits)).unwrap();
        assert_eq!(root.meta.unwrap().size.unwrap().w.0, 64.0);
        root.frames.unwrap().list
    }

    fn corner(fields: &str) -> [f32; 2] {
        let list = frames(&format!("<key>a</key><dict>{fields}</dict>"));
        assert!(!list[0].is_lost && list[0].odd.is_empty(), "{:?}", list[0].odd);
        list[0].sprite_source_size.map(|rect| [rect.x.0, rect.y.0]).unwrap()
    }

    #[test]
    fn all_formats_give_the_same_frame() {
        let number = |key: &str, value: f32| format!("<key>{key}</key><real>{value}</real>");
        let zeroth = [
            ("x", 2.0),
            ("y", 3.0),
            ("width", 4.0),
            ("height", 5.0),
            ("offsetX", -1.5),
            ("offsetY", 0.5),
            ("originalWidth", -9.0),
            ("originalHeight", 8.0),
        ];
        let zeroth: String = zeroth.map(|(key, value)| number(key, value)).concat();
        let text = |pairs: &[(&str, &str)]| -> String {
            pairs.iter().map(|(key, text)| format!("<key>{key}</key><string>{text}</string>")).collect()
        };
        let second = [("frame", "{{2,3},{4,5}}"), ("offset", "{-1.5,0.5}"), ("sourceSize", "{9, 8}")];
        let third = [
            ("textureRect", "{{2, 3}, {5, 4}}"),
            ("spriteSize", "{4,5}"),
            ("spriteOffset", "{-1.5,0.5}"),
            ("spriteSourceSize", "{9,8}"),
        ];
        for fields in [zeroth, text(&second), text(&third)] {
            assert_eq!(corner(&fields), [1.0, 1.0], "{fields}");
        }
    }

    #[test]
    fn uikit_and_aliases_are_read() {
        let number = |(key, value): (&str, i32)| format!("<key>{key}</key><integer>{value}</integer>");
        let fields =
            [("x", 2), ("y", 3), ("w", 4), ("h", 5), ("oX", 1), ("oY", 2), ("oW", 9), ("oH", 8)].map(number);
        assert_eq!(corner(&fields.concat()), [1.0, 2.0]);
        let aliases = "<key>aliases</key><array><string>b</string><integer>1</integer><string>c</string></array>";
        let list = frames(&format!("<key>a</key><dict>{}{aliases}</dict><key>d</key><dict/>", fields.concat()));
        let names: Vec<&str> = list.iter().map(Frame::name).collect();
        assert_eq!(names, ["a", "d", "b", "c"]);
        assert_eq!(list[3].frame, list[0].frame);
    }

    #[test]
    fn the_rectangle_replaces_a_rounded_offset() {
        let fields = |offset: &str, rect: &str| {
            format!(
                "<key>frame</key><string>{{{{0,0}},{{4,4}}}}</string><key>offset</key><string>{offset}</string>\
                 <key>sourceSize</key><string>{{9,9}}</string><key>sourceColorRect</key><string>{rect}</string>"
            )
        };
        assert_eq!(corner(&fields("{0,0}", "{{2,3},{4,4}}")), [2.0, 3.0]);
        // Not the position on the canvas.
        assert_eq!(corner(&fields("{0.5,0.5}", "{{0,0},{4,4}}")), [3.0, 2.0]);
    }

    #[test]
    fn an_invalid_frame_does_not_affect_others() {
        let rect = "<key>frame</key><string>{{0,0},{4,4}}</string>";
        let list = frames(&format!(
            "<key>a</key><dict>{rect}<key>rotated</key><string>true</string></dict><key>b</key><string>c</string>\
             <key>d</key><dict><key>frame</key><string>{{{{0,0}},{{4}}}}</string></dict>\
             <key>e</key><dict><key>frame</key><string>{{{{0,0}},{{nan,1}}}}</string></dict>\
             <key>f</key><dict>{rect}<key>sourceSize</key><string>{{}}</string></dict>\
             <key>a</key><dict>{rect}</dict><key>g</key><dict/>"
        ));
        let lost: Vec<bool> = list.iter().map(|frame| frame.is_lost).collect();
        assert_eq!(lost, [false, true, true, true, false, false, true]);
        assert_eq!(list[0].turn, crate::formats::sheet::frame::Turn::Clockwise);
        assert!(list.iter().filter(|frame| !frame.odd.is_empty()).count() == 6);
    }
}
