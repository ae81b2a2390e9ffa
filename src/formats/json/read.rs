//! JSON text → any type that serde can deserialize, or what a reader pulls from it.

use std::borrow::Cow;
use std::fmt::{self, Display};

#[cfg(any(feature = "pachario", feature = "skelform", feature = "sheet"))]
use serde::de::Deserialize;
use serde::de::value::{BorrowedStrDeserializer, MapAccessDeserializer, StringDeserializer};
use serde::de::{DeserializeSeed, Deserializer, Expected, MapAccess, SeqAccess, Unexpected, Visitor};
use serde::forward_to_deserialize_any;

use super::parser::{self, Numeral, Oddity, ParseError, ParseErrorKind, Parser, described};
use super::text::explain;
use super::walk::Walk;
#[cfg(any(feature = "pachario", feature = "skelform", feature = "spine"))]
use crate::diagnostics::Diagnostics;
#[cfg(any(feature = "pachario", feature = "skelform", feature = "spine"))]
use crate::error::Place;
use crate::error::Result;
use crate::limits::Budget;

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
#[cfg(any(feature = "pachario", feature = "skelform", feature = "sheet"))]
pub fn read<'de, T: Deserialize<'de>>(
    text: &'de [u8],
    offset: u64,
    budget: &Budget<'_>,
    see: Option<&mut dyn FnMut(String, Oddity)>,
) -> Result<T> {
    read_with(text, offset, budget, see, |parser| T::deserialize(parser))
}

/// Reads the only value of `text` with a function that pulls it; otherwise like `read`.
pub fn read_with<'a, T>(
    text: &'a [u8],
    offset: u64,
    budget: &Budget<'_>,
    see: Option<&mut dyn FnMut(String, Oddity)>,
    read: impl FnOnce(&mut Parser<'a>) -> parser::Result<T>,
) -> Result<T> {
    let mut parser = Parser::new(text, budget.limits().json_depth, see.is_some());
    let start = parser.start();
    let value = read(&mut parser).and_then(|value| parser.end().map(|()| value));
    let end = parser.start();
    if let Some(see) = see.filter(|_| !parser.odd.is_empty()) {
        let mut walk = Walk::over(text);
        for (at, oddity) in parser.odd {
            walk.go_to(at, |_, _| {});
            see(walk.pointer(false), oddity);
        }
    }
    value.map_err(|mut fault| {
        // The start of the text is no help, unless a field is missing: report where reading stopped.
        if fault.kind == ParseErrorKind::Value && fault.at == Some(start) && !fault.message.starts_with("missing")
        {
            fault.at = Some(end);
            fault.is_between = text.get(start) == Some(&b'[');
        }
        explain(*fault, text, offset, budget)
    })
}

impl std::error::Error for ParseError {}

impl ParseError {
    /// Errors of serde have no place; the innermost value around them is the one that is meant.
    fn or_at(self: Box<Self>, start: usize) -> Box<Self> {
        if self.at.is_some() { self } else { Box::new(Self { at: Some(start), ..*self }) }
    }
}

impl Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl serde::de::Error for Box<ParseError> {
    fn custom<T: Display>(message: T) -> Self {
        let message = Cow::Owned(message.to_string());
        Box::new(ParseError { kind: ParseErrorKind::Value, at: None, is_between: false, message })
    }

    fn invalid_type(found: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self::custom(described(found, &expected.to_string()))
    }
}

impl<'de> Deserializer<'de> for &mut Parser<'de> {
    type Error = Box<ParseError>;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> parser::Result<V::Value> {
        let start = self.start();
        let value = match self.peek() {
            Some(b'"') => match self.text()? {
                Cow::Borrowed(text) => visitor.visit_borrowed_str(text),
                Cow::Owned(text) => visitor.visit_string(text),
            },
            Some(b'-' | b'0'..=b'9') => match self.numeral()? {
                Numeral::Whole(number) => visitor.visit_u64(number),
                Numeral::Negative(number) => visitor.visit_i64(number),
                Numeral::Float(number) => visitor.visit_f64(number),
            },
            Some(b'[') => {
                self.enter()?;
                let mut items = Parts { parser: self, is_first: true, is_over: false };
                let value = visitor.visit_seq(&mut items);
                value.and_then(|value| items.finish(b']').map(|()| value))
            }
            Some(b'{') => {
                self.enter()?;
                let mut entries = Parts { parser: self, is_first: true, is_over: false };
                let value = visitor.visit_map(&mut entries);
                value.and_then(|value| entries.finish(b'}').map(|()| value))
            }
            _ => match self.literal()? {
                Some(is) => visitor.visit_bool(is),
                None => visitor.visit_unit(),
            },
        };
        value.map_err(|fault: Box<ParseError>| fault.or_at(start))
    }

    fn deserialize_f32<V: Visitor<'de>>(self, visitor: V) -> parser::Result<V::Value> {
        let start = self.start();
        let Some(b'-' | b'0'..=b'9') = self.peek() else { return self.deserialize_any(visitor) };
        let value = match self.numeral()? {
            Numeral::Whole(number) => visitor.visit_u64(number),
            Numeral::Negative(number) => visitor.visit_i64(number),
            Numeral::Float(number) => visitor.visit_f32(self.narrow(number, start)?),
        };
        value.map_err(|fault: Box<ParseError>| fault.or_at(start))
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> parser::Result<V::Value> {
        visitor.visit_bool(self.boolean()?)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> parser::Result<V::Value> {
        if self.null()? { visitor.visit_none() } else { visitor.visit_some(self) }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &str, visitor: V) -> parser::Result<V::Value> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> parser::Result<V::Value> {
        self.deserialize_any(Variant(visitor))
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> parser::Result<V::Value> {
        self.ignore()?;
        visitor.visit_unit()
    }

    forward_to_deserialize_any! {
        i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f64 char str string bytes byte_buf unit unit_struct seq tuple
        tuple_struct map struct identifier
    }
}

/// The items of a list or the entries of an object.
struct Parts<'p, 'de> {
    parser: &'p mut Parser<'de>,
    is_first: bool,
    is_over: bool,
}

impl Parts<'_, '_> {
    /// Leaves the list or object, which ends with this byte. Fails if the type has not taken all.
    fn finish(self, end: u8) -> parser::Result<()> {
        match self.parser.peek() {
            _ if self.is_over => Ok(()),
            Some(next) if next == end => {
                self.parser.leave();
                Ok(())
            }
            Some(_) => Err(self.parser.between("trailing characters")),
            None if end == b']' => Err(self.parser.between("the file ends inside a list; it is incomplete")),
            None => Err(self.parser.between("the file ends inside an object; it is incomplete")),
        }
    }
}

impl<'de> SeqAccess<'de> for &mut Parts<'_, 'de> {
    type Error = Box<ParseError>;

    fn next_element_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> parser::Result<Option<S::Value>> {
        self.is_over = self.is_over || !self.parser.next_item(&mut self.is_first)?;
        if self.is_over { Ok(None) } else { self.parser.seeded(seed).map(Some) }
    }
}

impl<'de> MapAccess<'de> for &mut Parts<'_, 'de> {
    type Error = Box<ParseError>;

    fn next_key_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> parser::Result<Option<S::Value>> {
        let key = if self.is_over { None } else { self.parser.next_key(&mut self.is_first)? };
        self.is_over = key.is_none();
        let read = |key| match key {
            Cow::Borrowed(key) => seed.deserialize(BorrowedStrDeserializer::new(key)),
            Cow::Owned(key) => seed.deserialize(StringDeserializer::new(key)),
        };
        key.map(read).transpose()
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> parser::Result<S::Value> {
        self.parser.seeded(seed)
    }
}

impl<'de> Parser<'de> {
    /// The next value by a seed.
    fn seeded<S: DeserializeSeed<'de>>(&mut self, seed: S) -> parser::Result<S::Value> {
        let start = self.start();
        seed.deserialize(self).map_err(|fault| fault.or_at(start))
    }
}

/// A visitor of an enum: its variant is a string, or the only key of an object.
struct Variant<V>(V);

impl<'de, V: Visitor<'de>> Visitor<'de> for Variant<V> {
    type Value = V::Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.expecting(f)
    }

    fn visit_str<E: serde::de::Error>(self, variant: &str) -> std::result::Result<V::Value, E> {
        self.0.visit_enum(serde::de::value::StrDeserializer::new(variant))
    }

    fn visit_map<A: MapAccess<'de>>(self, entries: A) -> std::result::Result<V::Value, A::Error> {
        self.0.visit_enum(MapAccessDeserializer::new(entries))
    }
}

#[cfg(test)]
#[cfg(feature = "formats-all")]
mod tests {
    use super::*;
    use crate::formats::json::pull::numbers;
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

    /// Texts with everything that JSON knows, and what it nearly knows.
    const SEEDS: [&str; 9] = [
        r#"{"a": [1, -2, 0.5, -0, -0.0, 1e5, 1E-7, 12345678901234567890, -9223372036854775808, 1.7976931348623157e308]}"#,
        r#"[0.1, 123456.789, 5e-324, 2.2250738585072011e-308, 9007199254740993, 9007199254740993.0, 1e22, 1e23, 4.35]"#,
        r#"{"é\u00e9": "\ud83d\ude00", "b\n\"\/": "\b\f\r\t\\", "c": null, "": [true, false, {}], "d": [[], [[]]]}"#,
        r#" [ "x" , {"k" : {"l":[1 ,2] } } , 100000000000000000000, 0e9, 1.0000000000000000000000001, 18446744073709551616 ] "#,
        "[3.1415927,\t0.30000001192092896,\r\n-1.1754942e-38, 1e400, 1e-400, 16777217, 0.000001]",
        "[0.1, 123456.789, 16777217.0, 1.00000005960464477539, 8.5899346e9, 3.4028236e38, 1.0e-40, 7.0064923216240862e-46]",
        "[1.175494280757364291e-38, -1.5, 0.30000001192092896, 33554434.0000001, 0.33333334, 1e-45, 2.5e-1, 1.17549435082228750797e-38, 340282356779733661637539395458142568448]",
        r#"{"curve": [0.25, 0, 0.75, 1], "time": 0.0333, "value": -12.34, "color": "ff8000ff"}"#,
        "[0, 12 ,\t3,4,\n 65535,  4294967295,10]",
    ];
    const PIECES: [&str; 32] = [
        "0",
        "9",
        "00",
        "-",
        ".",
        "e",
        "E+",
        "e-3",
        "1",
        "\"",
        "\\",
        "\\u",
        "d800",
        "\\ud800\\udc00",
        "[",
        "]",
        "{",
        "}",
        ",",
        ":",
        " ",
        "\n",
        "null",
        "true",
        "fals",
        "1e9",
        ".5",
        "\u{1}",
        "é",
        "\"k\": ",
        "12345678901234567",
        "e308",
    ];

    /// Set `PCHR_FUZZ_JSON` to a number of texts to try more.
    #[test]
    fn texts_are_read_and_refused_as_by_serde_json() {
        let count = std::env::var("PCHR_FUZZ_JSON").ok().and_then(|count| count.parse().ok()).unwrap_or(40_000);
        let limits = Limits { json_depth: u64::MAX, ..Limits::default() };
        let mut state = 0x2545_f491_4f6c_dd1d_u64;
        let mut below = |end: usize| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state % end as u64) as usize
        };
        let mut valid = 0;
        for round in 0..count {
            let mut text = SEEDS[round % SEEDS.len()].as_bytes().to_vec();
            for _ in 0..below(4) {
                let (at, piece) = (below(text.len() + 1), PIECES[below(PIECES.len())].bytes());
                match below(4) {
                    0 => drop(text.splice(at..at, piece)),
                    1 => drop(text.splice(at..(at + 1 + below(3)).min(text.len()), piece)),
                    2 => drop(text.drain(at..(at + below(5)).min(text.len()))),
                    _ if at < text.len() => text[at] = below(256) as u8,
                    _ => text.truncate(below(text.len() + 1)),
                }
            }
            let ours = read::<Value>(&text, 0, &Budget::new(&limits), None);
            let theirs = serde_json::from_slice::<Value>(&text);
            let shown = String::from_utf8_lossy(&text);
            match (&ours, &theirs) {
                // As text, since zeros have signs.
                (Ok(ours), Ok(theirs)) => assert_eq!(ours.to_string(), theirs.to_string(), "{shown}"),
                (Err(_), Err(_)) => {}
                _ => panic!("{shown}\n{ours:?}\n{theirs:?}"),
            }
            let narrow = read::<Vec<f32>>(&text, 0, &Budget::new(&limits), None).ok();
            let bits = |all: Vec<f32>| all.into_iter().map(f32::to_bits).collect::<Vec<_>>();
            let theirs_narrow = serde_json::from_slice(&text).ok().map(bits);
            assert_eq!(narrow.map(bits), theirs_narrow, "{shown}");
            let pulled = read_with(&text, 0, &Budget::new(&limits), None, numbers::<f32>).ok();
            assert_eq!(pulled.map(bits), theirs_narrow, "{shown}");
            let counts = read_with(&text, 0, &Budget::new(&limits), None, numbers::<u32>).ok();
            assert_eq!(counts, serde_json::from_slice(&text).ok(), "{shown}");
            // What is ignored has to be JSON as well.
            let ignored = read::<serde::de::IgnoredAny>(&text, 0, &Budget::new(&limits), None).is_ok();
            assert_eq!(ignored, serde_json::from_slice::<serde::de::IgnoredAny>(&text).is_ok(), "{shown}");
            valid += usize::from(theirs.is_ok());
        }
        assert!(valid > count / 5 && valid < count, "{valid} of {count} texts are valid");
    }
}
