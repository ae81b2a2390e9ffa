//! Skins and animations in JSON, whose objects have a key for each kind of constraint.
//!
//! These keys are read into one list here; all others as serde derives it for the struct.

use std::fmt;

use serde::de::value::CowStrDeserializer;
use serde::de::{Deserialize, DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use serde::forward_to_deserialize_any;
use serde::ser::{Serialize, SerializeMap, Serializer};

use super::keys::Keys;
use super::table::Group;
use super::timelines::{ConstraintTimelines, Timelines};
use super::wire::{ListReader, TimelinesOf, see};
use super::{Animation, KINDS, Skin, Text};
use crate::model::ConstraintKind;

/// Something that belongs to constraints.
trait Item<'de>: Sized {
    /// The kind of constraint to which a key of the object belongs.
    fn kind_of(key: &str) -> Option<ConstraintKind> {
        KINDS.iter().copied().find(|kind| kind.name() == key)
    }

    fn kind(&self) -> ConstraintKind;

    /// Reads the value of the key of a kind.
    fn read<A: MapAccess<'de>>(kind: ConstraintKind, map: &mut A, items: &mut Vec<Self>) -> Result<(), A::Error>;
}

/// Reads an object with `read`, but reads the keys of constraint kinds itself. Returns their contents in the order of the
/// kinds.
fn split<'de, D: Deserializer<'de>, I: Item<'de>, T>(
    deserializer: D,
    read: impl FnOnce(Split<'_, D, I>) -> Result<T, D::Error>,
) -> Result<(T, Vec<I>), D::Error> {
    let (mut items, mut seen) = (Vec::new(), 0);
    let rest = read(Split { inner: deserializer, items: &mut items, seen: &mut seen })?;
    items.sort_by_key(I::kind);
    Ok((rest, items))
}

/// A deserializer, a visitor or the access to an object that keeps the keys of kinds for itself.
struct Split<'s, T, I> {
    inner: T,
    items: &'s mut Vec<I>,
    /// The kinds whose key has been read.
    seen: &'s mut u64,
}

impl<'de, D: Deserializer<'de>, I: Item<'de>> Deserializer<'de> for Split<'_, D, I> {
    type Error = D::Error;

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, D::Error> {
        let Self { inner, items, seen } = self;
        inner.deserialize_struct(name, fields, Split { inner: visitor, items, seen })
    }

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        self.inner.deserialize_any(visitor)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct
        newtype_struct seq tuple tuple_struct map enum identifier ignored_any
    }
}

impl<'de, V: Visitor<'de>, I: Item<'de>> Visitor<'de> for Split<'_, V, I> {
    type Value = V::Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.inner.expecting(f)
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<V::Value, A::Error> {
        let Self { inner, items, seen } = self;
        inner.visit_map(Split { inner: map, items, seen })
    }

    fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<V::Value, A::Error> {
        self.inner.visit_seq(list)
    }
}

impl<'de, A: MapAccess<'de>, I: Item<'de>> MapAccess<'de> for Split<'_, A, I> {
    type Error = A::Error;

    fn next_key_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, A::Error> {
        while let Some(Text(key)) = self.inner.next_key()? {
            let Some(kind) = I::kind_of(&key) else {
                return seed.deserialize(CowStrDeserializer::new(key)).map(Some);
            };
            see(self.seen, kind as usize, kind.name())?;
            I::read(kind, &mut self.inner, self.items)?;
        }
        Ok(None)
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, A::Error> {
        self.inner.next_value_seed(seed)
    }
}

impl<'de: 'a, 'a> Item<'de> for (ConstraintKind, Text<'a>) {
    fn kind(&self) -> ConstraintKind {
        self.0
    }

    fn read<A: MapAccess<'de>>(kind: ConstraintKind, map: &mut A, items: &mut Vec<Self>) -> Result<(), A::Error> {
        let names: Vec<Text<'a>> = map.next_value()?;
        items.extend(names.into_iter().map(|name| (kind, name)));
        Ok(())
    }
}

impl<'de: 'a, 'a> Item<'de> for ConstraintTimelines<'a> {
    fn kind_of(key: &str) -> Option<ConstraintKind> {
        // Before 3.8, paths had another key.
        let key = if key == "paths" { "path" } else { key };
        KINDS.iter().copied().find(|kind| kind.name() == key)
    }

    fn kind(&self) -> ConstraintKind {
        self.kind
    }

    fn read<A: MapAccess<'de>>(kind: ConstraintKind, map: &mut A, items: &mut Vec<Self>) -> Result<(), A::Error> {
        map.next_value_seed(Reader { kind, items })
    }
}

/// Reads the timelines of all constraints of a kind, by name.
struct Reader<'r, 'a> {
    kind: ConstraintKind,
    items: &'r mut Vec<ConstraintTimelines<'a>>,
}

impl<'de: 'a, 'a> DeserializeSeed<'de> for Reader<'_, 'a> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de: 'a, 'a> Visitor<'de> for Reader<'_, 'a> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let Self { kind, items } = self;
        let group = Group::Constraint(kind);
        while let Some(name) = map.next_key()? {
            let timelines = match group.only() {
                Some(row) => {
                    let mut keys = Keys::new(row.property);
                    map.next_value_seed(ListReader(&mut keys))?;
                    Timelines { steps: Vec::new(), list: vec![keys] }
                }
                None => map.next_value_seed(TimelinesOf::new(group))?,
            };
            items.push(ConstraintTimelines { kind, name, timelines });
        }
        Ok(())
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Skin<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let (skin, constraints) = split(deserializer, |it| Self::deserialize(it))?;
        Ok(Self { constraints, ..skin })
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Animation<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let (animation, constraints) = split(deserializer, |it| Self::deserialize(it))?;
        Ok(Self { constraints, ..animation })
    }
}

/// Serializes the entries of an object that are not empty.
macro_rules! entries {
    ($map:ident: $($key:literal $value:expr,)*) => {$(
        if !$value.is_empty() {
            $map.serialize_entry($key, &$value)?;
        }
    )*};
}

impl Serialize for Skin<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("name", &self.name)?;
        entries!(map: "bones" self.bones,);
        for names in self.constraints.chunk_by(|(a, _), (b, _)| a == b) {
            let (kind, _) = names[0];
            map.serialize_entry(kind.name(), &names.iter().map(|(_, name)| name).collect::<Vec<_>>())?;
        }
        // Written even if it is empty: some of Spine's own players fail without it.
        map.serialize_entry("attachments", &self.attachments)?;
        if let Some(color) = &self.color {
            map.serialize_entry("color", color)?;
        }
        map.end()
    }
}

impl Serialize for Animation<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        entries!(map: "slots" self.slots, "bones" self.bones,);
        for items in self.constraints.chunk_by(|a, b| a.kind == b.kind) {
            map.serialize_entry(items[0].kind.name(), &ByName(items))?;
        }
        entries!(map:
            "attachments" self.attachments,
            "deform" self.deform,
            "drawOrder" self.draw_order,
            "drawOrderFolder" self.folders,
            "events" self.events,
        );
        if let Some(color) = &self.color {
            map.serialize_entry("color", color)?;
        }
        map.end()
    }
}

/// The timelines of the constraints of one kind, by name.
struct ByName<'w, 'a>(&'w [ConstraintTimelines<'a>]);

impl Serialize for ByName<'_, '_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|it| (&it.name, it)))
    }
}

impl Serialize for ConstraintTimelines<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let group = Group::Constraint(self.kind);
        match group.only() {
            Some(row) => match self.timelines.list.first() {
                Some(keys) => keys.serialize(serializer),
                None => Keys::new(row.property).serialize(serializer),
            },
            None => self.timelines.serialize_as(group, serializer),
        }
    }
}
