//! JSON text → any type that serde can deserialize.
//!
//! `serde_json` knows neither the path of a value with an error nor which keys a type ignores. A single adapter around it
//! counts values, which costs little; a second reading finds the paths of those that someone wants to know. Everything is
//! read through it, so every type is compiled once.

use std::fmt;

use serde::de::value::{MapAccessDeserializer, StrDeserializer};
use serde::de::{Deserialize, DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};

use super::paths::{self, Content};
use super::text::explain;
#[cfg(any(feature = "pachario", feature = "skelform", feature = "spine"))]
use crate::diagnostics::Diagnostics;
#[cfg(any(feature = "pachario", feature = "skelform", feature = "spine"))]
use crate::error::Place;
use crate::error::Result;
use crate::formats::json_depth::check_depth;
use crate::limits::Budget;

/// Something odd about a value, with which the text can be read all the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Oddity {
    /// The type ignores it. What it contains.
    Ignored(Content),
    /// It is 0 or 1, and is read as a boolean.
    NumberAsBoolean,
}

/// Notes that a number is read as a boolean.
#[cfg(any(feature = "pachario", feature = "skelform", feature = "spine"))]
pub fn note_boolean(place: Place, diagnostics: &mut Diagnostics) {
    diagnostics.note(
        "number-as-boolean",
        place,
        "this should be `true` or `false`; 1 is read as true, 0 as false",
    );
}

/// Reads the only value of `text`, which starts at `offset` of its file. Calls `see` with the pointer of each odd value;
/// without it, no number is read as a boolean.
pub fn read<'de, T: Deserialize<'de>>(
    text: &'de [u8],
    offset: u64,
    budget: &Budget<'_>,
    see: Option<&mut dyn FnMut(String, Oddity)>,
) -> Result<T> {
    let mut parser = serde_json::Deserializer::from_slice(text);
    let mut trace = Trace { takes_numbers: see.is_some(), ..Trace::default() };
    let value = T::deserialize(Traced { inner: &mut parser, trace: &mut trace });
    let Trace { number, depth, deepest, odd, .. } = trace;
    let value = value.and_then(|value| parser.end().map(|()| value));
    if let Some(see) = see.filter(|_| !odd.is_empty()) {
        paths::of_odd(text, &odd, see);
    }
    // What a type ignores is skipped, and may nest deeper.
    if value.is_err() || !odd.is_empty() || deepest as u64 > budget.limits().json_depth {
        check_depth(text, offset, budget)?;
    }
    value.map_err(|error| explain(&error, paths::of_last(text, &odd, number, depth), text, offset))
}

/// Where the value that is being read is, and what was ignored before it.
#[derive(Default)]
struct Trace {
    /// The number of the value, in the order of the text. The root value is number 0; what is in an ignored value has none.
    number: usize,
    /// The number of lists and objects around the value; after an error, around the invalid one.
    depth: usize,
    /// The largest number of lists and objects inside each other.
    deepest: usize,
    /// The numbers of odd values.
    odd: Vec<(usize, Oddity)>,
    /// Whether 0 and 1 may stand for booleans.
    takes_numbers: bool,
}

impl Trace {
    /// Enters a list or an object.
    fn open(&mut self) {
        self.deepest = self.deepest.max(self.depth + 1);
    }

    #[cold]
    fn mark(&mut self, oddity: Oddity) {
        self.odd.push((self.number, oddity));
    }
}

/// A deserializer, visitor or seed, or the access to a list or an object, that counts values.
struct Traced<'t, T> {
    inner: T,
    trace: &'t mut Trace,
}

impl<'de, S: DeserializeSeed<'de>> DeserializeSeed<'de> for Traced<'_, S> {
    type Value = S::Value;

    fn deserialize<D: Deserializer<'de>>(self, inner: D) -> Result<S::Value, D::Error> {
        // Not before: an error between two values belongs to the list or the object.
        self.trace.number += 1;
        self.trace.depth += 1;
        let value = self.inner.deserialize(Traced { inner, trace: &mut *self.trace })?;
        self.trace.depth -= 1;
        Ok(value)
    }
}

/// Methods that only pass a traced visitor on.
macro_rules! deserialize {
    ($($name:ident($($argument:ident: $type:ty),*))*) => {$(
        fn $name<V: Visitor<'de>>(self, $($argument: $type,)* visitor: V) -> Result<V::Value, D::Error> {
            self.inner.$name($($argument,)* Traced { inner: visitor, trace: self.trace })
        }
    )*};
}

impl<'de, D: Deserializer<'de>> Deserializer<'de> for Traced<'_, D> {
    type Error = D::Error;

    deserialize! {
        deserialize_any() deserialize_char() deserialize_str() deserialize_string()
        deserialize_i8() deserialize_i16() deserialize_i32() deserialize_i64() deserialize_i128()
        deserialize_u8() deserialize_u16() deserialize_u32() deserialize_u64() deserialize_u128()
        deserialize_f32() deserialize_f64() deserialize_bytes() deserialize_byte_buf() deserialize_option()
        deserialize_unit() deserialize_seq() deserialize_map() deserialize_identifier()
        deserialize_unit_struct(name: &'static str) deserialize_newtype_struct(name: &'static str)
        deserialize_tuple(len: usize) deserialize_tuple_struct(name: &'static str, len: usize)
        deserialize_struct(name: &'static str, fields: &'static [&'static str])
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        let visitor = Traced { inner: visitor, trace: self.trace };
        match visitor.trace.takes_numbers {
            true => self.inner.deserialize_any(Boolean(visitor)),
            false => self.inner.deserialize_bool(visitor),
        }
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        // The second reading finds out what it contains.
        self.trace.mark(Oddity::Ignored(Content::Other));
        self.inner.deserialize_ignored_any(visitor)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, D::Error> {
        self.inner.deserialize_any(Variant(Traced { inner: visitor, trace: self.trace }))
    }
}

/// Methods that only pass a value on.
macro_rules! visit {
    ($($name:ident($type:ty))*) => {$(
        fn $name<E: serde::de::Error>(self, value: $type) -> Result<V::Value, E> {
            self.inner.$name(value)
        }
    )*};
}

impl<'de, V: Visitor<'de>> Visitor<'de> for Traced<'_, V> {
    type Value = V::Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.inner.expecting(f)
    }

    visit! {
        visit_bool(bool) visit_char(char) visit_str(&str) visit_borrowed_str(&'de str) visit_string(String)
        visit_i8(i8) visit_i16(i16) visit_i32(i32) visit_i64(i64) visit_i128(i128)
        visit_u8(u8) visit_u16(u16) visit_u32(u32) visit_u64(u64) visit_u128(u128)
        visit_f32(f32) visit_f64(f64) visit_bytes(&[u8]) visit_borrowed_bytes(&'de [u8]) visit_byte_buf(Vec<u8>)
    }

    fn visit_none<E: Error>(self) -> Result<V::Value, E> {
        self.inner.visit_none()
    }

    fn visit_unit<E: Error>(self) -> Result<V::Value, E> {
        self.inner.visit_unit()
    }

    fn visit_some<D: Deserializer<'de>>(self, inner: D) -> Result<V::Value, D::Error> {
        self.inner.visit_some(Traced { inner, trace: self.trace })
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, inner: D) -> Result<V::Value, D::Error> {
        self.inner.visit_newtype_struct(Traced { inner, trace: self.trace })
    }

    fn visit_seq<A: SeqAccess<'de>>(self, inner: A) -> Result<V::Value, A::Error> {
        self.trace.open();
        self.inner.visit_seq(Traced { inner, trace: self.trace })
    }

    fn visit_map<A: MapAccess<'de>>(self, inner: A) -> Result<V::Value, A::Error> {
        self.trace.open();
        self.inner.visit_map(Traced { inner, trace: self.trace })
    }
}

impl<'de, A: SeqAccess<'de>> SeqAccess<'de> for Traced<'_, A> {
    type Error = A::Error;

    fn next_element_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, A::Error> {
        self.inner.next_element_seed(Traced { inner: seed, trace: self.trace })
    }

    fn size_hint(&self) -> Option<usize> {
        self.inner.size_hint()
    }
}

impl<'de, A: MapAccess<'de>> MapAccess<'de> for Traced<'_, A> {
    type Error = A::Error;

    fn next_key_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, A::Error> {
        self.inner.next_key_seed(seed)
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, A::Error> {
        self.inner.next_value_seed(Traced { inner: seed, trace: self.trace })
    }

    fn size_hint(&self) -> Option<usize> {
        self.inner.size_hint()
    }
}

/// A visitor of a boolean, for which 0 and 1 may stand.
struct Boolean<'t, V>(Traced<'t, V>);

impl<V> Boolean<'_, V> {
    fn visit_number<'de, E: Error>(self, is: bool) -> Result<V::Value, E>
    where
        V: Visitor<'de>,
    {
        self.0.trace.mark(Oddity::NumberAsBoolean);
        self.0.inner.visit_bool(is)
    }
}

impl<'de, V: Visitor<'de>> Visitor<'de> for Boolean<'_, V> {
    type Value = V::Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.expecting(f)
    }

    fn visit_bool<E: Error>(self, is: bool) -> Result<V::Value, E> {
        self.0.visit_bool(is)
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<V::Value, E> {
        match number {
            0 | 1 => self.visit_number(number == 1),
            _ => self.0.visit_u64(number),
        }
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<V::Value, E> {
        match number {
            0.0 | 1.0 => self.visit_number(number == 1.0),
            _ => self.0.visit_f64(number),
        }
    }
}

/// A visitor of an enum: its variant is a string, or the only key of an object.
struct Variant<'t, V>(Traced<'t, V>);

impl<'de, V: Visitor<'de>> Visitor<'de> for Variant<'_, V> {
    type Value = V::Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.expecting(f)
    }

    fn visit_str<E: Error>(self, variant: &str) -> Result<V::Value, E> {
        self.0.inner.visit_enum(StrDeserializer::new(variant))
    }

    fn visit_map<A: MapAccess<'de>>(self, inner: A) -> Result<V::Value, A::Error> {
        let Traced { inner: visitor, trace } = self.0;
        trace.open();
        visitor.visit_enum(MapAccessDeserializer::new(Traced { inner, trace }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::Limits;
    use serde_json::Value;

    #[derive(Debug, serde::Deserialize)]
    #[expect(dead_code)]
    struct Bone {
        name: String,
        lengths: Option<Vec<f32>>,
        inherit: Option<Inherit>,
    }

    #[derive(Debug, serde::Deserialize)]
    #[serde(rename_all = "camelCase")]
    enum Inherit {
        Normal,
        NoScale,
    }

    /// Reads a list of bones with this limit; returns the error, or all ignored keys.
    fn bones(text: &str, json_depth: u64) -> String {
        let mut ignored = Vec::new();
        let limits = Limits { json_depth, ..Limits::default() };
        let bones: Result<Vec<Bone>> =
            read(text.as_bytes(), 100, &Budget::new(&limits), Some(&mut |pointer, _| ignored.push(pointer)));
        bones.map_or_else(|error| error.to_string(), |_| ignored.join(" "))
    }

    #[test]
    fn errors_state_path_and_offset() {
        let texts = [
            (
                r#"[{"name": "a"}, {"name": 5}]"#,
                "/1/name (byte 125): invalid type: integer `5`, expected a string",
            ),
            (r#"[{"lengths": []}]"#, "/0 (byte 101): missing field `name`"),
            (r#"[{"name": "a", "lengths": [1, {}]}]"#, "/0/lengths/1 (byte 130): invalid type: map, expected f32"),
            (r#"[{"name": "a", "lengths": [1 2]}]"#, "/0/lengths (byte 129): expected `,` or `]`"),
            (
                r#"[{"name": "a", "x": [1, [2]], "inherit": "scale"}]"#,
                "/0/inherit (byte 141): unknown variant `scale`, expected `normal` or `noScale`",
            ),
            (
                r#"[{"name": "a", "inherit": 1}]"#,
                "/0/inherit (byte 126): invalid type: integer `1`, expected enum Inherit",
            ),
            (
                r#"[{"name": "a", "inherit": {"normal": 1}}]"#,
                "/0/inherit/normal (byte 137): invalid type: integer `1`, expected unit",
            ),
            (r#"[{"name": "a", "a\/b": tru}]"#, "/0/a~1b (byte 126): expected ident"),
            (r#"[{"name": "a" "b": 1}]"#, "/0 (byte 114): expected `,` or `}`"),
            (r#"[{"name": "a", "b" 1}]"#, "/0 (byte 119): expected `:`"),
            (r#"[{"name": "a", "name": "b"}]"#, "/0 (byte 101): duplicate field `name`"),
            (r#"[{"name": "a"},]"#, "byte 115: trailing comma"),
            (r#"[{"name": "a"}] ]"#, "byte 116: trailing characters"),
            (r#"[{"name": "a"},"#, "byte 114: the file ends where a value should be"),
            (r#"[{"name": "a"#, "/0/name (byte 111): the file ends inside a string; it is incomplete"),
            (r#"[{"name": "#, "/0/name (byte 109): the file ends where a value should be"),
        ];
        for (text, expected) in texts {
            let found = bones(text, 64);
            assert_eq!(found.rsplit_once(" (line").map(|(what, _)| what), Some(expected), "{text}");
        }
    }

    #[test]
    fn zero_and_one_may_stand_for_booleans() {
        let read_flags = |text: &str| {
            let (limits, mut odd) = (Limits::default(), Vec::new());
            let mut see = |pointer, oddity| odd.push((pointer, oddity));
            let flags: Result<Vec<Option<bool>>> = read(text.as_bytes(), 0, &Budget::new(&limits), Some(&mut see));
            (flags.map_err(|error| error.to_string()), odd)
        };
        let (flags, odd) = read_flags("[true, 1, 0, null, false, 1.0]");
        assert_eq!(flags.unwrap(), [Some(true), Some(true), Some(false), None, Some(false), Some(true)]);
        let odd: Vec<_> = odd.iter().map(|(pointer, oddity)| (pointer.as_str(), *oddity)).collect();
        assert_eq!(odd, ["/1", "/2", "/5"].map(|pointer| (pointer, Oddity::NumberAsBoolean)));
        for (value, what) in [
            ("2", "integer `2`"),
            ("-1", "integer `-1`"),
            ("0.5", "floating point `0.5`"),
            ("{}", "map"),
            (r#""1""#, r#"string "1""#),
        ] {
            let error = read_flags(&format!("[{value}]")).0.unwrap_err();
            assert!(error.contains(&format!("/0 (byte 1): invalid type: {what}, expected a boolean")), "{error}");
        }
        let strict: Result<Vec<bool>> = read(b"[1]", 0, &Budget::new(&Limits::default()), None);
        assert_eq!(strict.unwrap_err().code(), "json-value");
    }

    #[test]
    fn ignored_keys_are_reported_with_their_path() {
        let text =
            r#"[{"a~/\u00e9": {"x": [1, {"y": "\ud83d\ude00"}]}, "name": "", "b": null}, {"c": [], "name": "d"}]"#;
        assert_eq!(bones(text, 64), "/0/a~0~1é /0/b /1/c");
        assert_eq!(bones(r#"[{"name": "", "lengths": null}]"#, 64), "");
        // Values in objects that stand for an enum are counted.
        let text = r#"[{"name": "", "inherit": {"noScale": null}, "a": {"b": [1, 2]}}, {"name": "", "lengths": [1], "c": 0}]"#;
        assert_eq!(bones(text, 64), "/0/a /1/c");
    }

    #[test]
    fn depth_is_limited_everywhere() {
        let text = r#"[{"name": "[[[[\"[[", "a": [1, {"b": []}]}]"#;
        assert_eq!(bones(text, 5), "/0/a");
        assert_eq!(bones(text, 4), "byte 137: limit `json-depth` exceeded: at least 5 needed, 4 allowed");
        assert_eq!(
            bones(r#"[{"name": "", "lengths": []}]"#, 2),
            "byte 125: limit `json-depth` exceeded: at least 3 needed, 2 allowed"
        );
        for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
            let limits = Limits { json_depth: u64::MAX, ..Limits::default() };
            let read = |depth: usize| {
                let text = format!("{}1{}", open.repeat(depth), close.repeat(depth));
                read::<Value>(text.as_bytes(), 0, &Budget::new(&limits), None).map(drop)
            };
            assert!(read(127).is_ok());
            assert_eq!(read(128).unwrap_err().code(), "bad-json");
            assert!(read(1_000_000).is_err());
        }
    }
}
