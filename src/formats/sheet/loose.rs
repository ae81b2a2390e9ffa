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

/// An object with the values of the first `N` keys, or another value. The last of duplicate keys is used, as in
/// JavaScript.
#[derive(Debug)]
struct Object<T, const N: usize> {
    /// The value itself: [`OBJECT`] for an object.
    scalar: Scalar,
    values: [T; N],
}

/// A value of a frame: a scalar, or an object with numbers.
type Field = Object<Scalar, 4>;

/// A frame, or a value in place of one.
type Whole = Object<Field, 19>;

/// The keys of a frame.
#[derive(Deserialize)]
#[serde(field_identifier, rename_all = "camelCase")]
enum Key {
    // Those of a field, too. In a frame, Egret's flat form has them.
    X,
    Y,
    W,
    H,
    Filename,
    Frame,
    Rotated,
    SpriteSourceSize,
    SourceSize,
    Duration,
    Pivot,
    Anchor,
    OffX,
    OffY,
    SourceW,
    SourceH,
    Triangles,
    // Those of Godot.
    Region,
    Margin,
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

impl<T: Loose, const N: usize> Default for Object<T, N> {
    fn default() -> Self {
        Self { scalar: Scalar::Missing, values: std::array::from_fn(|_| T::default()) }
    }
}

impl<T: Loose, const N: usize> Loose for Object<T, N> {
    fn of(scalar: Scalar) -> Self {
        Self { scalar, ..Self::default() }
    }

    fn take<'de, A: MapAccess<'de>>(&mut self, key: Key, access: &mut A) -> Result<(), A::Error> {
        match self.values.get_mut(key as usize) {
            Some(value) => *value = access.next_value::<Any<T>>()?.0,
            None => skip(access)?,
        }
        Ok(())
    }
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
    fn into_frame(mut self) -> Frame {
        if self.scalar != OBJECT {
            return Frame::lost(format!("expected an object, found {}", self.scalar.kind()));
        }
        let mut take = |key: Key| std::mem::take(&mut self.values[key as usize]);
        let filename = take(Key::Filename).scalar.into_name().map(Name);
        let mut frame = Frame { filename, ..Frame::default() };
        let (stored, x, region) = (take(Key::Frame), take(Key::X).scalar, take(Key::Region));
        let rect = if region.scalar != Scalar::Missing {
            let rect = region.rect(&mut frame, "region");
            let margin = take(Key::Margin).rect(&mut frame, "margin");
            frame.set_region(rect.unwrap_or_default(), margin);
            rect
        } else if stored.scalar == Scalar::Missing && x != Scalar::Missing {
            let mut named = |(name, key): (&'static str, Key)| (name, take(key).scalar);
            let [y, w, h] = [("y", Key::Y), ("w", Key::W), ("h", Key::H)].map(&mut named);
            let offset = [("offX", Key::OffX), ("offY", Key::OffY)].map(&mut named);
            let source = [("sourceW", Key::SourceW), ("sourceH", Key::SourceH)].map(&mut named);
            let rect = frame.numbers("", [("x", x), y, w, h], Cost::Frame).map(Rect::from);
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
            if matches!(stored.scalar, Scalar::Missing | Scalar::Null) {
                frame.lose("", "`frame` is missing");
            }
            let rect = stored.rect(&mut frame, "frame");
            frame.sprite_source_size = take(Key::SpriteSourceSize).inner(&mut frame, rect.unwrap_or_default());
            frame.source_size = take(Key::SourceSize).size(&mut frame, "sourceSize");
            rect
        };
        frame.frame = rect.unwrap_or_default();
        frame.set_rotated("rotated", &take(Key::Rotated).scalar);
        frame.duration = duration(&take(Key::Duration).scalar, &mut frame);
        let pivot = take(Key::Pivot).point(&mut frame, "pivot");
        // A synonym.
        frame.pivot = pivot.or(take(Key::Anchor).point(&mut frame, "anchor"));
        if take(Key::Triangles).scalar != Scalar::Missing {
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
        let [x, y, w, h] = self.values;
        frame.numbers(field, [("x", x), ("y", y), ("w", w), ("h", h)], Cost::Frame).map(Rect::from)
    }

    /// Returns the rectangle on the canvas. A missing size is taken from `outer`, the rectangle on the page.
    fn inner(self, frame: &mut Frame, outer: Rect) -> Option<Rect> {
        const FIELD: &str = "spriteSourceSize";
        if !self.is_object(frame, FIELD, Cost::Frame) {
            return None;
        }
        let [x, y, w, h] = self.values;
        let [x, y] = frame.numbers(FIELD, [("x", x), ("y", y)], Cost::Frame)?;
        let size = match (&w, &h) {
            (Scalar::Missing, Scalar::Missing) => None,
            _ => frame.numbers(FIELD, [("w", w), ("h", h)], Cost::Field),
        };
        let [w, h] = size.unwrap_or([outer.w, outer.h]);
        Some(Rect { x, y, w, h })
    }

    fn size(self, frame: &mut Frame, field: &'static str) -> Option<Size> {
        if !self.is_object(frame, field, Cost::Field) {
            return None;
        }
        let [_, _, w, h] = self.values;
        frame.numbers(field, [("w", w), ("h", h)], Cost::Field).map(Size::from)
    }

    fn point(self, frame: &mut Frame, field: &'static str) -> Option<Point> {
        if !self.is_object(frame, field, Cost::Field) {
            return None;
        }
        let [x, y, ..] = self.values;
        frame.numbers(field, [("x", x), ("y", y)], Cost::Field).map(|[x, y]| Point { x, y })
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
    fn regions_with_margins_are_read_as_godot() {
        let region = r#""region": {"x": 1, "y": 2, "w": 3, "h": 4}"#;
        let read = frame(&format!(r#"{{{region}, "margin": {{"x": 5, "y": 6, "w": 7, "h": 8}}}}"#));
        let (inner, canvas) = (read.sprite_source_size.unwrap(), read.source_size.unwrap());
        assert_eq!([inner.x.0, inner.y.0, inner.w.0, canvas.w.0, canvas.h.0], [5.0, 6.0, 3.0, 10.0, 12.0]);
        assert!(!read.is_lost && frame(r#"{"region": {"x": 1}}"#).is_lost);
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
