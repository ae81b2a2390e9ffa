//! Values that different versions write in different ways.

use serde::Serialize;
use serde::de::{Error, MapAccess, SeqAccess, Unexpected};

use crate::formats::json::{deserialize_any, visit_scalars};

pub use crate::formats::json::borrowed::Text;
pub use crate::formats::json::finite::Number;

/// An index; negative means none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Id(pub i64);

/// `true`, `false`, or a number, which is true if positive.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Flag(pub bool);

/// Any value of a key that is known but not used. Unlike `IgnoredAny`, it is not reported as unknown.
#[derive(Debug, Clone, Copy, Default)]
pub struct Anything;

/// A chain's constraint or mode, as a word or, in older files, a number. [`Self::Missing`] if absent.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Word {
    #[default]
    Missing,
    Number(u8),
    /// One of [`WORDS`].
    Known(&'static str),
    /// Any other word.
    Unknown,
}

/// The words for constraints and modes.
const WORDS: [&str; 5] = ["None", "Clockwise", "CounterClockwise", "FABRIK", "Arc"];

impl Default for Id {
    fn default() -> Self {
        Self(-1)
    }
}

impl Id {
    /// The index, if it is one.
    pub fn get(self) -> Option<usize> {
        usize::try_from(self.0).ok()
    }
}

impl Word {
    /// Parses a word of the format.
    pub fn of(text: &str) -> Self {
        match WORDS.iter().find(|word| **word == text) {
            Some(word) => Self::Known(word),
            None if text.is_empty() => Self::Missing,
            None => Self::Unknown,
        }
    }
}

deserialize_any! { Id, "an index, or -1 for none", {
    fn visit_i64<E: Error>(self, id: i64) -> Result<Id, E> {
        Ok(Id(id.max(-1)))
    }

    fn visit_u64<E: Error>(self, id: u64) -> Result<Id, E> {
        // Some programs write -1 as the largest 32-bit number.
        if id == u64::from(u32::MAX) {
            return Ok(Id(-1));
        }
        i64::try_from(id).map(Id).map_err(|_| E::invalid_value(Unexpected::Unsigned(id), &self))
    }

    fn visit_f64<E: Error>(self, id: f64) -> Result<Id, E> {
        if id.fract() == 0.0 && id.abs() < 1e9 {
            return self.visit_i64(id as i64);
        }
        Err(E::invalid_value(Unexpected::Float(id), &self))
    }
} }

deserialize_any! { Anything, "any value", {
    visit_scalars! { Anything }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Anything, A::Error> {
        while list.next_element::<Anything>()?.is_some() {}
        Ok(Anything)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Anything, A::Error> {
        while map.next_entry::<Anything, Anything>()?.is_some() {}
        Ok(Anything)
    }
} }

deserialize_any! { Flag, "true, false, 1 or 0", {
    fn visit_bool<E: Error>(self, flag: bool) -> Result<Flag, E> {
        Ok(Flag(flag))
    }

    fn visit_i64<E: Error>(self, flag: i64) -> Result<Flag, E> {
        Ok(Flag(flag > 0))
    }

    fn visit_u64<E: Error>(self, flag: u64) -> Result<Flag, E> {
        Ok(Flag(flag > 0))
    }

    fn visit_f64<E: Error>(self, flag: f64) -> Result<Flag, E> {
        Ok(Flag(flag > 0.0))
    }
} }

deserialize_any! { Word, "a word, or 0, 1 or 2", {
    fn visit_str<E: Error>(self, text: &str) -> Result<Word, E> {
        Ok(Word::of(text))
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<Word, E> {
        Ok(if number < 0 { Word::Missing } else { Word::Number(number.min(255) as u8) })
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<Word, E> {
        Ok(Word::Number(number.min(255) as u8))
    }
} }
