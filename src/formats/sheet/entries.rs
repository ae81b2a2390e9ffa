//! Keys and raw values of JSON objects and lists. Each is charged before it is kept: a short text can have many.

use std::fmt;

use serde::de::{Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

use crate::error::{Error, Place, Result};
use crate::limits::Budget;

/// Memory of an entry in a growing list, without its text.
const ENTRY_BYTES: usize = 128;

/// Returns the keys and values of the object `json`.
pub fn object<'a>(json: &'a str, path: &str, budget: &mut Budget<'_>) -> Result<Vec<(String, &'a RawValue)>> {
    let charged = Charged { budget, path, failed: None };
    charged.read(json, |charged, parser| parser.deserialize_map(Object(charged)))
}

/// Returns the values of the list `json`.
pub fn list<'a>(json: &'a str, path: &str, budget: &mut Budget<'_>) -> Result<Vec<&'a RawValue>> {
    let charged = Charged { budget, path, failed: None };
    charged.read(json, |charged, parser| parser.deserialize_seq(List(charged)))
}

/// Reads any value that is not expected to be large.
pub fn parse<'a, T: serde::Deserialize<'a>>(json: &'a str, path: &str) -> Result<T> {
    serde_json::from_str(json).map_err(|error| bad_json(path, &error))
}

fn bad_json(path: &str, error: &serde_json::Error) -> Error {
    Error::malformed("bad-json", Place::inside(path), error.to_string())
}

struct Charged<'a, 'l> {
    budget: &'a mut Budget<'l>,
    path: &'a str,
    /// The exceeded limit, which an error of the parser cannot express.
    failed: Option<Error>,
}

type Parser<'de> = serde_json::Deserializer<serde_json::de::StrRead<'de>>;

impl Charged<'_, '_> {
    fn read<'de, T>(
        mut self,
        json: &'de str,
        read: impl FnOnce(&mut Self, &mut Parser<'de>) -> serde_json::Result<T>,
    ) -> Result<T> {
        let mut parser = serde_json::Deserializer::from_str(json);
        let found = read(&mut self, &mut parser).and_then(|found| parser.end().map(|()| found));
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

struct Object<'c, 'a, 'l>(&'c mut Charged<'a, 'l>);

impl<'de> Visitor<'de> for Object<'_, '_, '_> {
    type Value = Vec<(String, &'de RawValue)>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Self::Value, A::Error> {
        let mut entries = Vec::new();
        while let Some((key, value)) = access.next_entry::<String, &RawValue>()? {
            self.0.charge(&key)?;
            entries.push((key, value));
        }
        Ok(entries)
    }
}

struct List<'c, 'a, 'l>(&'c mut Charged<'a, 'l>);

impl<'de> Visitor<'de> for List<'_, '_, '_> {
    type Value = Vec<&'de RawValue>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> Result<Self::Value, A::Error> {
        let mut entries = Vec::new();
        while let Some(value) = access.next_element::<&RawValue>()? {
            self.0.charge("")?;
            entries.push(value);
        }
        Ok(entries)
    }
}
