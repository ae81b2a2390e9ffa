//! Lenient reading of a JSON frame → a [`Frame`].
//!
//! A value of the wrong type never makes reading fail: it costs a frame, not the sheet. Only known fields are
//! stored while reading.

use std::fmt;
use std::marker::PhantomData;

use serde::Deserialize;
use serde::de::{Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

use super::frame::{Cost, Frame};
use super::schema::{Milliseconds, Name, Point, Rect, Size};

/// A value without parts.
#[derive(Debug, Clone, Default, PartialEq)]
pub enum Scalar {
    #[default]
    Missing,
    Null,
    Bool(bool),
    Number(f64),
    Text(String),
    /// Any other value, described for errors.
    Other(&'static str),
}

/// A value of a frame: a scalar, or an object with numbers of these names.
#[derive(Debug, Default)]
struct Field {
    scalar: Scalar,
    x: Scalar,
    y: Scalar,
    w: Scalar,
    h: Scalar,
}

/// A frame, or a value in place of one. The last of duplicate keys is used, as in JavaScript.
#[derive(Debug, Default)]
struct Whole {
    /// The value if it is not an object.
    scalar: Scalar,
    filename: Scalar,
    frame: Field,
    rotated: Scalar,
    sprite_source_size: Field,
    source_size: Field,
    duration: Scalar,
    pivot: Field,
    anchor: Field,
    // Egret's flat form.
    x: Scalar,
    y: Scalar,
    w: Scalar,
    h: Scalar,
    off_x: Scalar,
    off_y: Scalar,
    source_w: Scalar,
    source_h: Scalar,
    has_polygon: bool,
}

#[derive(Deserialize)]
#[serde(field_identifier, rename_all = "camelCase")]
enum Key {
    Filename,
    Frame,
    Rotated,
    SpriteSourceSize,
    SourceSize,
    Duration,
    Pivot,
    Anchor,
    X,
    Y,
    W,
    H,
    OffX,
    OffY,
    SourceW,
    SourceH,
    Triangles,
    #[serde(other)]
    Other,
}

/// A type that can be created from any value.
trait Loose: Default {
    fn of(scalar: Scalar) -> Self;

    /// Reads the value of a key of an object.
    fn take<'de, A: MapAccess<'de>>(&mut self, key: Key, access: &mut A) -> Result<(), A::Error>;
}

fn skip<'de, A: MapAccess<'de>>(access: &mut A) -> Result<(), A::Error> {
    access.next_value::<IgnoredAny>().map(drop)
}

impl Loose for Scalar {
    fn of(scalar: Scalar) -> Self {
        scalar
    }

    fn take<'de, A: MapAccess<'de>>(&mut self, _key: Key, access: &mut A) -> Result<(), A::Error> {
        skip(access)
    }
}

impl<'de> Deserialize<'de> for Scalar {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Any::deserialize(deserializer).map(|any| any.0)
    }
}

impl Loose for Field {
    fn of(scalar: Scalar) -> Self {
        Self { scalar, ..Self::default() }
    }

    fn take<'de, A: MapAccess<'de>>(&mut self, key: Key, access: &mut A) -> Result<(), A::Error> {
        match key {
            Key::X => self.x = read(access)?,
            Key::Y => self.y = read(access)?,
            Key::W => self.w = read(access)?,
            Key::H => self.h = read(access)?,
            _ => skip(access)?,
        }
        Ok(())
    }
}

impl Loose for Whole {
    fn of(scalar: Scalar) -> Self {
        Self { scalar, ..Self::default() }
    }

    fn take<'de, A: MapAccess<'de>>(&mut self, key: Key, access: &mut A) -> Result<(), A::Error> {
        match key {
            Key::Filename => self.filename = read(access)?,
            Key::Frame => self.frame = read(access)?,
            Key::Rotated => self.rotated = read(access)?,
            Key::SpriteSourceSize => self.sprite_source_size = read(access)?,
            Key::SourceSize => self.source_size = read(access)?,
            Key::Duration => self.duration = read(access)?,
            Key::Pivot => self.pivot = read(access)?,
            Key::Anchor => self.anchor = read(access)?,
            Key::X => self.x = read(access)?,
            Key::Y => self.y = read(access)?,
            Key::W => self.w = read(access)?,
            Key::H => self.h = read(access)?,
            Key::OffX => self.off_x = read(access)?,
            Key::OffY => self.off_y = read(access)?,
            Key::SourceW => self.source_w = read(access)?,
            Key::SourceH => self.source_h = read(access)?,
            Key::Triangles => {
                self.has_polygon = true;
                skip(access)?;
            }
            Key::Other => skip(access)?,
        }
        Ok(())
    }
}

/// Reads the value of the last key.
fn read<'de, T: Loose, A: MapAccess<'de>>(access: &mut A) -> Result<T, A::Error> {
    access.next_value::<Any<T>>().map(|any| any.0)
}

struct Any<T>(T);

impl<'de, T: Loose> Deserialize<'de> for Any<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(AnyVisitor(PhantomData)).map(Any)
    }
}

struct AnyVisitor<T>(PhantomData<T>);

impl<'de, T: Loose> Visitor<'de> for AnyVisitor<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any value")
    }

    fn visit_unit<E>(self) -> Result<T, E> {
        Ok(T::of(Scalar::Null))
    }

    fn visit_bool<E>(self, value: bool) -> Result<T, E> {
        Ok(T::of(Scalar::Bool(value)))
    }

    fn visit_i64<E>(self, value: i64) -> Result<T, E> {
        Ok(T::of(Scalar::Number(value as f64)))
    }

    fn visit_u64<E>(self, value: u64) -> Result<T, E> {
        Ok(T::of(Scalar::Number(value as f64)))
    }

    fn visit_f64<E>(self, value: f64) -> Result<T, E> {
        Ok(T::of(Scalar::Number(value)))
    }

    fn visit_str<E>(self, text: &str) -> Result<T, E> {
        Ok(T::of(Scalar::Text(text.to_owned())))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> Result<T, A::Error> {
        while access.next_element::<IgnoredAny>()?.is_some() {}
        Ok(T::of(Scalar::Other("an array")))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<T, A::Error> {
        let mut value = T::of(OBJECT);
        while let Some(key) = access.next_key()? {
            value.take(key, &mut access)?;
        }
        Ok(value)
    }
}

/// The scalar that represents an object.
const OBJECT: Scalar = Scalar::Other("an object");

impl<'de> Deserialize<'de> for Frame {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Any::<Whole>::deserialize(deserializer).map(|any| any.0.into_frame())
    }
}

impl Whole {
    fn into_frame(self) -> Frame {
        if self.scalar != OBJECT {
            return Frame::lost(format!("expected an object, found {}", self.scalar.kind()));
        }
        let filename = self.filename.into_name().map(Name);
        let mut frame = Frame { filename, ..Frame::default() };
        let is_flat = self.frame.scalar == Scalar::Missing && self.x != Scalar::Missing;
        let rect = if is_flat {
            let flat = [("x", self.x), ("y", self.y), ("w", self.w), ("h", self.h)];
            let rect = frame.numbers("", flat, Cost::Frame).map(Rect::from);
            let offset = [("offX", self.off_x), ("offY", self.off_y)];
            let source = [("sourceW", self.source_w), ("sourceH", self.source_h)];
            let is_there = |pair: &[(&str, Scalar); 2]| pair.iter().any(|(_, value)| *value != Scalar::Missing);
            if is_there(&offset)
                && let (Some([x, y]), Some(rect)) = (frame.numbers("", offset, Cost::Frame), rect)
            {
                frame.sprite_source_size = Some(Rect { x, y, ..rect });
            }
            if is_there(&source) {
                frame.source_size = frame.numbers("", source, Cost::Field).map(Size::from);
            }
            rect
        } else {
            if matches!(self.frame.scalar, Scalar::Missing | Scalar::Null) {
                frame.lose("", "`frame` is missing");
            }
            let rect = self.frame.rect(&mut frame, "frame");
            frame.sprite_source_size = self.sprite_source_size.inner(&mut frame, rect.unwrap_or_default());
            frame.source_size = self.source_size.size(&mut frame, "sourceSize");
            rect
        };
        frame.frame = rect.unwrap_or_default();
        frame.set_rotated("rotated", &self.rotated);
        frame.duration = duration(&self.duration, &mut frame);
        frame.pivot = self.pivot.point(&mut frame, "pivot");
        frame.anchor = self.anchor.point(&mut frame, "anchor");
        if self.has_polygon {
            frame.note_polygon("triangles");
        }
        frame
    }
}

impl Field {
    /// Returns true if it is an object. Any other value that is not missing is reported.
    fn is_object(&self, frame: &mut Frame, field: &'static str, cost: Cost) -> bool {
        match &self.scalar {
            Scalar::Missing | Scalar::Null => false,
            scalar if *scalar == OBJECT => true,
            scalar => {
                frame.reject(field, &format!("expected an object, found {}", scalar.kind()), cost);
                false
            }
        }
    }

    fn rect(self, frame: &mut Frame, field: &'static str) -> Option<Rect> {
        if !self.is_object(frame, field, Cost::Frame) {
            return None;
        }
        let values = [("x", self.x), ("y", self.y), ("w", self.w), ("h", self.h)];
        frame.numbers(field, values, Cost::Frame).map(Rect::from)
    }

    /// Returns the rectangle on the canvas. A missing size is taken from `outer`, the rectangle on the page.
    fn inner(self, frame: &mut Frame, outer: Rect) -> Option<Rect> {
        const FIELD: &str = "spriteSourceSize";
        if !self.is_object(frame, FIELD, Cost::Frame) {
            return None;
        }
        let [x, y] = frame.numbers(FIELD, [("x", self.x), ("y", self.y)], Cost::Frame)?;
        let size = match (&self.w, &self.h) {
            (Scalar::Missing, Scalar::Missing) => None,
            _ => frame.numbers(FIELD, [("w", self.w), ("h", self.h)], Cost::Field),
        };
        let [w, h] = size.unwrap_or([outer.w, outer.h]);
        Some(Rect { x, y, w, h })
    }

    fn size(self, frame: &mut Frame, field: &'static str) -> Option<Size> {
        if !self.is_object(frame, field, Cost::Field) {
            return None;
        }
        frame.numbers(field, [("w", self.w), ("h", self.h)], Cost::Field).map(Size::from)
    }

    fn point(self, frame: &mut Frame, field: &'static str) -> Option<Point> {
        if !self.is_object(frame, field, Cost::Field) {
            return None;
        }
        frame.numbers(field, [("x", self.x), ("y", self.y)], Cost::Field).map(|[x, y]| Point { x, y })
    }
}

fn duration(value: &Scalar, frame: &mut Frame) -> Option<Milliseconds> {
    match (value, value.number()) {
        (Scalar::Missing | Scalar::Null, _) => None,
        (Scalar::Number(ms), _) => Some(Milliseconds(*ms)),
        (_, Some(ms)) if ms.is_finite() => {
            frame.remark("duration", "the number is written as a string; it is read as a number");
            Some(Milliseconds(ms))
        }
        (value, _) => {
            frame.remark("duration", format!("{} is not a valid duration; it is ignored", value.described()));
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::sheet::frame::Turn;

    fn frame(text: &str) -> Frame {
        serde_json::from_str(text).unwrap()
    }

    fn messages(frame: &Frame) -> Vec<String> {
        frame.odd.iter().map(|odd| format!("{}: {}", odd.field, odd.message)).collect()
    }

    const RECT: &str = r#""frame": {"x": 1, "y": 2, "w": 3, "h": 4}"#;

    #[test]
    fn recoverable_values_are_used() {
        let odd = frame(&format!(r#"{{{RECT}, "rotated": "true", "sourceSize": {{}}, "duration": "20"}}"#));
        assert_eq!((odd.is_lost, odd.turn, odd.duration), (false, Turn::Clockwise, Some(Milliseconds(20.0))));
        assert!(odd.source_size.is_none());
        assert_eq!(
            messages(&odd),
            [
                "sourceSize: `w` is missing; the field is ignored",
                "rotated: the string `true` is read as true",
                "duration: the number is written as a string; it is read as a number"
            ]
        );
        let text = frame(r#"{"frame": {"x": "1", "y": 2, "w": 3, "h": 4}}"#);
        assert_eq!((text.is_lost, text.frame.x.0, text.odd.len()), (false, 1.0, 1));
        let twice = frame(&format!(r#"{{"frame": {{}}, {RECT}}}"#));
        assert_eq!((twice.is_lost, twice.frame.w.0), (false, 3.0));
    }

    #[test]
    fn other_invalid_values_cost_the_frame() {
        for text in [
            "null".to_owned(),
            "7".to_owned(),
            "[[{}], 1]".to_owned(),
            "{}".to_owned(),
            r#"{"frame": null}"#.to_owned(),
            r#"{"frame": [1, 2, 3, 4]}"#.to_owned(),
            r#"{"frame": {"x": 1, "y": 2, "w": 3}}"#.to_owned(),
            r#"{"frame": {"x": 1e9, "y": 2, "w": 3, "h": 4}}"#.to_owned(),
            r#"{"frame": {"x": {"x": 1}, "y": 2, "w": 3, "h": 4}}"#.to_owned(),
            format!(r#"{{{RECT}, "rotated": 90}}"#),
            format!(r#"{{{RECT}, "rotated": "yes"}}"#),
            format!(r#"{{{RECT}, "spriteSourceSize": {{}}}}"#),
            format!(r#"{{{RECT}, "spriteSourceSize": "no"}}"#),
            r#"{"x": 1, "y": 2, "w": 3, "h": true}"#.to_owned(),
            r#"{"x": 1, "y": 2, "w": 3, "h": 4, "offX": 1}"#.to_owned(),
        ] {
            let frame = frame(&text);
            assert!(frame.is_lost && !frame.odd.is_empty(), "{text}");
        }
    }

    #[test]
    fn flat_frames_are_read_as_egret() {
        let flat =
            frame(r#"{"x": 1, "y": 2, "w": 3, "h": 4, "offX": 5, "offY": 6, "sourceW": 20, "sourceH": 30}"#);
        assert!(!flat.is_lost && flat.odd.is_empty(), "{:?}", flat.odd);
        let inner = flat.sprite_source_size.unwrap();
        assert_eq!((inner.x.0, inner.y.0, inner.w.0, inner.h.0), (5.0, 6.0, 3.0, 4.0));
        assert_eq!(flat.source_size.unwrap().h.0, 30.0);
    }
}
