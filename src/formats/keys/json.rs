//! Values of keys, as text of JSON.

use std::borrow::Cow;
use std::fmt;
use std::hash::{DefaultHasher, Hash, Hasher};

use serde::de::{self, DeserializeSeed, MapAccess, SeqAccess, Visitor};
use serde::{Deserializer, Serialize, Serializer};
use serde_json::Value;
use serde_json::value::RawValue;

use crate::formats::detect::json::end_of_string;

/// Whole numbers below this are exact in 32 bits.
const MAX_EXACT: f32 = (1 << f32::MANTISSA_DIGITS) as f32;

/// A value as the file states it: JSON on one line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StatedValue<'k>(Cow<'k, str>);

impl<'k> StatedValue<'k> {
    /// Creates a value from its text in a file.
    pub(in crate::formats) fn of(raw: &'k [u8]) -> Self {
        let text = match raw.iter().any(u8::is_ascii_whitespace) {
            true => Cow::Owned(String::from_utf8_lossy(&compact(raw)).into_owned()),
            false => String::from_utf8_lossy(raw),
        };
        // Readers ignore half a character in a value that they do not use; parsers of JSON refuse it.
        if text.contains("\\u") && serde_json::from_str::<Value>(&text).is_err() {
            return Self::text(&text);
        }
        Self(text)
    }

    /// Creates a string.
    pub(in crate::formats) fn text(text: &str) -> Self {
        Self(Value::from(text).to_string().into())
    }

    /// Creates a number, `true` or `false`.
    pub(super) fn plain(value: impl ToString) -> Self {
        Self(value.to_string().into())
    }

    /// Returns the JSON text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns a hash of the value. It is the same for numbers that no character can tell apart, such as `1` and `1.0`, and
    /// does not depend on the order of an object.
    pub(crate) fn content(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        match Content(&mut hasher).deserialize(&mut serde_json::Deserializer::from_str(&self.0)) {
            Ok(()) => hasher.finish(),
            Err(_) => {
                let mut hasher = DefaultHasher::new();
                self.0.hash(&mut hasher);
                hasher.finish()
            }
        }
    }
}

/// Hashes a value while it is parsed: a list can be as long as the file.
struct Content<'h>(&'h mut DefaultHasher);

impl<'de> DeserializeSeed<'de> for Content<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Content<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_unit<E: de::Error>(self) -> Result<(), E> {
        'n'.hash(self.0);
        Ok(())
    }

    fn visit_bool<E: de::Error>(self, value: bool) -> Result<(), E> {
        ('b', value).hash(self.0);
        Ok(())
    }

    fn visit_i64<E: de::Error>(self, number: i64) -> Result<(), E> {
        self.visit_f64(number as f64)
    }

    fn visit_u64<E: de::Error>(self, number: u64) -> Result<(), E> {
        self.visit_f64(number as f64)
    }

    fn visit_f64<E: de::Error>(self, number: f64) -> Result<(), E> {
        let narrow = number as f32;
        // Numbers are read as 32 bits, but whole numbers of events are exact. Adding 0 removes the sign of a zero.
        let bits = if narrow.abs() < MAX_EXACT { u64::from((narrow + 0.0).to_bits()) } else { number.to_bits() };
        ('#', bits).hash(self.0);
        Ok(())
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<(), E> {
        ('"', text).hash(self.0);
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<(), A::Error> {
        '['.hash(self.0);
        while items.next_element_seed(Content(self.0))?.is_some() {}
        ']'.hash(self.0);
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<(), A::Error> {
        let mut sum = 0_u64;
        while let Some(name) = members.next_key::<String>()? {
            let mut hasher = DefaultHasher::new();
            name.hash(&mut hasher);
            members.next_value_seed(Content(&mut hasher))?;
            sum = sum.wrapping_add(hasher.finish());
        }
        ('{', sum).hash(self.0);
        Ok(())
    }
}

/// Removes white space between the parts of a value.
fn compact(raw: &[u8]) -> Vec<u8> {
    let (mut out, mut at) = (Vec::with_capacity(raw.len()), 0);
    while let Some(&byte) = raw.get(at) {
        let end = if byte == b'"' { end_of_string(raw, at).unwrap_or(raw.len()) } else { at + 1 };
        if !byte.is_ascii_whitespace() {
            out.extend_from_slice(raw.get(at..end).unwrap_or_default());
        }
        at = end;
    }
    out
}

impl Serialize for StatedValue<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match serde_json::from_str::<&RawValue>(&self.0) {
            Ok(raw) => raw.serialize(serializer),
            Err(_) => serializer.serialize_str(&self.0),
        }
    }
}

/// Fields of a key, in the order of the file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct StatedValues<'k>(pub Vec<(Cow<'k, str>, StatedValue<'k>)>);

impl StatedValues<'_> {
    /// Returns true without fields.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn size(&self) -> usize {
        self.0.iter().map(|(name, value)| name.len() + value.0.len()).sum()
    }
}

impl Serialize for StatedValues<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, value)| (name, value)))
    }
}

/// Serializes a curve: the value of the field `curve`, or all fields if there are others.
pub fn curve<S: Serializer>(fields: &StatedValues<'_>, serializer: S) -> Result<S::Ok, S::Error> {
    match &fields.0[..] {
        [(name, value)] if name == "curve" => value.serialize(serializer),
        _ => fields.serialize(serializer),
    }
}
