//! Values of keys, as text of JSON.

use std::borrow::Cow;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::mem::discriminant;

use serde::{Serialize, Serializer};
use serde_json::Value;
use serde_json::value::RawValue;

use crate::formats::detect::json::end_of_string;

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

    /// Returns a hash of the value. It is the same for numbers that no character can tell apart, such as `1` and `1.0`.
    pub(crate) fn content(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        match serde_json::from_str(&self.0) {
            Ok(value) => hash(&value, &mut hasher),
            Err(_) => self.0.hash(&mut hasher),
        }
        hasher.finish()
    }
}

/// Adds a value to a hash.
fn hash(value: &Value, hasher: &mut DefaultHasher) {
    discriminant(value).hash(hasher);
    match value {
        Value::Null => {}
        Value::Bool(value) => value.hash(hasher),
        // Adding 0 removes the sign of a zero.
        Value::Number(number) => (number.as_f64().unwrap_or_default() as f32 + 0.0).to_bits().hash(hasher),
        Value::String(text) => text.hash(hasher),
        Value::Array(items) => {
            items.len().hash(hasher);
            items.iter().for_each(|item| hash(item, hasher));
        }
        Value::Object(members) => {
            members.len().hash(hasher);
            for (name, member) in members {
                name.hash(hasher);
                hash(member, hasher);
            }
        }
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
