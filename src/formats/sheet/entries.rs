//! Keys and raw values of JSON objects and lists. Each is charged before it is kept: a short text can have many.

use std::fmt;

use serde::de::{Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

use crate::error::{Error, Place, Result};
use crate::limits::Budget;

/// Memory of an entry in a growing list, without its text.
const ENTRY_BYTES: usize = 128;

/// Keys and raw values. In a list, keys are empty.
type Entries<'a> = Vec<(String, &'a RawValue)>;

/// Returns the keys and values of the object `json`.
pub fn object<'a>(json: &'a str, path: &str, budget: &mut Budget<'_>) -> Result<Entries<'a>> {
    Charged { budget, path, is_list: false, failed: None }.read(json)
}

/// Returns the values of the list `json`.
pub fn list<'a>(json: &'a str, path: &str, budget: &mut Budget<'_>) -> Result<Entries<'a>> {
    Charged { budget, path, is_list: true, failed: None }.read(json)
}

/// Reads any value that is not expected to be large.
pub fn parse<'a, T: serde::Deserialize<'a>>(json: &'a str, path: &str) -> Result<T> {
    serde_json::from_str(json).map_err(|error| bad_json(path, &error))
}

fn bad_json(path: &str, error: &serde_json::Error) -> Error {
    Error::malformed("bad-json", Place::inside(path), error.to_string())
}

/// Reads entries and charges each.
struct Charged<'a, 'l> {
    budget: &'a mut Budget<'l>,
    path: &'a str,
    is_list: bool,
    /// The exceeded limit, which an error of the parser cannot express.
    failed: Option<Error>,
}

impl Charged<'_, '_> {
    fn read(mut self, json: &str) -> Result<Entries<'_>> {
        let mut parser = serde_json::Deserializer::from_str(json);
        let found =
            if self.is_list { parser.deserialize_seq(&mut self) } else { parser.deserialize_map(&mut self) };
        let found = found.and_then(|found| parser.end().map(|()| found));
        match self.failed {
            Some(error) => Err(error),
            None => found.map_err(|error| bad_json(self.path, &error)),
        }
    }

    fn charge<E: serde::de::Error>(&mut self, key: &str) -> Result<(), E> {
        let charged = self.budget.charge_memory(1, ENTRY_BYTES + key.len(), || Place::inside(self.path));
        charged.map_err(|error| {
            self.failed = Some(error);
            E::custom("a limit is exceeded")
        })
    }
}

impl<'de> Visitor<'de> for &mut Charged<'_, '_> {
    type Value = Entries<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.is_list { "a list" } else { "an object" })
    }

    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Self::Value, A::Error> {
        let mut entries = Vec::new();
        while let Some((key, value)) = access.next_entry::<String, &RawValue>()? {
            self.charge(&key)?;
            entries.push((key, value));
        }
        Ok(entries)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> Result<Self::Value, A::Error> {
        let mut entries = Vec::new();
        while let Some(value) = access.next_element::<&RawValue>()? {
            self.charge("")?;
            entries.push((String::new(), value));
        }
        Ok(entries)
    }
}
