//! Objects and lists of JSON.

use std::fmt;
use std::marker::PhantomData;

use serde::de::{DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Serialize, Serializer};

use super::Text;

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
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, entry)| (name, entry)))
    }
}

/// Reads a list of numbers.
pub fn list<'de, T: Copy + Default + Deserialize<'de>, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Vec<T>, D::Error> {
    List(PhantomData).deserialize(deserializer)
}

/// Reads a list of numbers. They are collected on the stack first, so that most lists reserve memory only once.
pub struct List<T>(pub PhantomData<T>);

impl<'de, T: Copy + Default + Deserialize<'de>> DeserializeSeed<'de> for List<T> {
    type Value = Vec<T>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Vec<T>, D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de, T: Copy + Default + Deserialize<'de>> Visitor<'de> for List<T> {
    type Value = Vec<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a sequence")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Vec<T>, A::Error> {
        let (mut all, mut part, mut len) = (Vec::new(), [T::default(); 64], 0);
        while let Some(number) = list.next_element()? {
            if len == part.len() {
                all.extend_from_slice(&part);
                len = 0;
            }
            part[len] = number;
            len += 1;
        }
        all.extend_from_slice(&part[..len]);
        Ok(all)
    }
}

impl<'de: 'a, 'a, T: Deserialize<'de>> Deserialize<'de> for Entries<'a, T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Reader<'a, T>(PhantomData<(&'a (), T)>);
        impl<'de: 'a, 'a, T: Deserialize<'de>> Visitor<'de> for Reader<'a, T> {
            type Value = Entries<'a, T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut entries = Vec::new();
                while let Some(entry) = map.next_entry()? {
                    entries.push(entry);
                }
                Ok(Entries(entries))
            }
        }
        deserializer.deserialize_map(Reader(PhantomData))
    }
}
