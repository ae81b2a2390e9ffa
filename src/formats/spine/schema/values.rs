//! Objects and lists of JSON.

use std::fmt;
use std::marker::PhantomData;

use serde::de::{Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Unexpected, Visitor};
use serde::{Deserialize, Serialize, Serializer};

use super::Text;
use crate::formats::json::parser::{Parser, Result};
use crate::formats::json::pull::Pull;

/// The entries of an object in the order of the text.
#[derive(Debug, Clone)]
pub struct Entries<'a, T>(pub Vec<(Text<'a>, T)>);

impl<T> Default for Entries<'_, T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T> Entries<'_, T> {
    /// Returns true without entries.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl<T: Serialize> Serialize for Entries<'_, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, entry)| (name, entry)))
    }
}

impl<'a, T: Pull<'a>> Pull<'a> for Entries<'a, T> {
    fn pull(json: &mut Parser<'a>) -> Result<Self> {
        let mut entries = Vec::new();
        json.object("an object", |json, key| {
            entries.push((Text(key), T::pull(json)?));
            Ok(())
        })?;
        Ok(Self(entries))
    }
}

impl<'de: 'a, 'a, T: Deserialize<'de>> Deserialize<'de> for Entries<'a, T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        struct Reader<'a, T>(PhantomData<(&'a (), T)>);
        impl<'de: 'a, 'a, T: Deserialize<'de>> Visitor<'de> for Reader<'a, T> {
            type Value = Entries<'a, T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> std::result::Result<Self::Value, A::Error> {
                let mut entries = Vec::new();
                while let Some(entry) = map.next_entry()? {
                    entries.push(entry);
                }
                Ok(Entries(entries))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> std::result::Result<Self::Value, A::Error> {
                // As in `Parser::object`.
                match list.next_element::<IgnoredAny>()? {
                    Some(_) => Err(A::Error::invalid_type(Unexpected::Seq, &self)),
                    None => Ok(Entries::default()),
                }
            }
        }
        deserializer.deserialize_map(Reader(PhantomData))
    }
}
