//! Timelines as JSON, by the rows of the table.

use std::fmt;
use std::marker::PhantomData;

use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Unexpected, Visitor};
use serde::ser::{SerializeMap, Serializer};
use serde::{Deserialize, Serialize};

use super::color::Color;
use super::keys::{Keys, Value};
use super::table::{FieldKind, Form, Group, MAX_FIELDS, Property, Row};
use super::timelines::{Curve, DeformKeys, Step, Timelines};
use super::{List, Number};

/// Finds what the key of an object stands for.
struct Find<F>(F);

impl<'de, T, F: FnOnce(&str) -> T> DeserializeSeed<'de> for Find<F> {
    type Value = T;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<T, D::Error> {
        deserializer.deserialize_identifier(self)
    }
}

impl<T, F: FnOnce(&str) -> T> Visitor<'_> for Find<F> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("field identifier")
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<T, E> {
        Ok((self.0)(name))
    }
}

/// Notes that an object has a key, which it must not have twice.
pub fn see<E: Error>(seen: &mut u64, bit: usize, name: &'static str) -> Result<(), E> {
    let is_twice = *seen & 1 << bit != 0;
    *seen |= 1 << bit;
    if is_twice { Err(E::duplicate_field(name)) } else { Ok(()) }
}

/// Some programs write empty objects as empty lists.
fn expect_empty<'de, A: SeqAccess<'de>>(mut list: A, expected: &impl Visitor<'de>) -> Result<(), A::Error> {
    match list.next_element::<IgnoredAny>()? {
        Some(_) => Err(A::Error::invalid_type(Unexpected::Seq, expected)),
        None => Ok(()),
    }
}

/// Reads a list of keys.
pub struct ListReader<'k, 'a>(pub &'k mut Keys<'a>);

impl<'de: 'a, 'a> DeserializeSeed<'de> for ListReader<'_, 'a> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de: 'a, 'a> Visitor<'de> for ListReader<'_, 'a> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a sequence")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        while list.next_element_seed(KeyReader(&mut *self.0))?.is_some() {}
        Ok(())
    }
}

/// Reads a key.
struct KeyReader<'k, 'a>(&'k mut Keys<'a>);

/// The fields that all keys have; a form adds others.
const COMMON: [&str; 5] = ["time", "curve", "c2", "c3", "c4"];
const TIME: usize = 0;
const CURVE: usize = 1;

impl Form {
    /// The number of a field, counted from those that all keys have.
    fn find(&self, name: &str) -> Option<usize> {
        let common = if self.has_shares { &COMMON[..] } else { &COMMON[..=CURVE] };
        let other = || Some(COMMON.len() + self.fields.iter().position(|field| field.name == name)?);
        common.iter().position(|field| *field == name).or_else(other)
    }
}

impl<'de: 'a, 'a> DeserializeSeed<'de> for KeyReader<'_, 'a> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_struct("", &[], self)
    }
}

impl<'de: 'a, 'a> Visitor<'de> for KeyReader<'_, 'a> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.row().form.what)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let form = self.0.row().form;
        let (mut time, mut curve, mut shares) = (0.0, Curve::Linear, [None; 3]);
        let mut fields = [Value::Missing; MAX_FIELDS];
        let mut seen = 0;
        while let Some(found) = map.next_key_seed(Find(|name: &str| form.find(name)))? {
            let Some(found) = found else {
                map.next_value::<IgnoredAny>()?;
                continue;
            };
            let field = found.checked_sub(COMMON.len());
            see(&mut seen, found, field.map_or_else(|| COMMON[found], |field| form.fields[field].name))?;
            match (found, field) {
                (_, Some(field)) => fields[field] = self.0.read(form.fields[field].kind, &mut map)?,
                (TIME, _) => time = map.next_value::<Number>()?.0,
                (CURVE, _) => curve = map.next_value::<Option<Curve>>()?.unwrap_or_default(),
                (share, _) => shares[share - 2] = map.next_value::<Option<Number>>()?,
            }
        }
        if let Curve::Shares([_, shares_of @ ..]) = &mut curve {
            shares_of.iter_mut().zip(shares).for_each(|(share, stated)| *share = stated.map_or(*share, |it| it.0));
        }
        self.0.push(time, curve, &fields[..form.fields.len()]);
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<(), A::Error> {
        expect_empty(list, &self)?;
        self.0.push(0.0, Curve::Linear, &[Value::Missing; MAX_FIELDS][..self.0.row().form.fields.len()]);
        Ok(())
    }
}

impl<'a> Keys<'a> {
    /// Reads the value of a field.
    fn read<'de: 'a, A: MapAccess<'de>>(&mut self, kind: FieldKind, map: &mut A) -> Result<Value, A::Error> {
        Ok(match kind {
            FieldKind::Optional => {
                map.next_value::<Option<Number>>()?.map_or(Value::Missing, |it| Value::Number(it.0))
            }
            FieldKind::Number(_) => Value::Number(map.next_value::<Number>()?.0),
            FieldKind::Switch(_) => Value::Switch(map.next_value()?),
            FieldKind::Color | FieldKind::Dark => match map.next_value()? {
                Some(Color::Rgba(rgba)) => Value::Color(rgba),
                Some(Color::Rgb(rgb)) => Value::Opaque(rgb),
                Some(Color::Invalid(text)) => self.invalid(text),
                None => Value::Missing,
            },
            FieldKind::Count => Value::Count(map.next_value()?),
            FieldKind::List => match map.next_value_seed(List(PhantomData))? {
                numbers if numbers.is_empty() => Value::Missing,
                numbers => self.list(numbers),
            },
        })
    }
}

impl Serialize for Keys<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq((0..self.len()).map(|at| Key { keys: self, at }))
    }
}

/// A key that is written.
struct Key<'k, 'a> {
    keys: &'k Keys<'a>,
    at: usize,
}

impl Serialize for Key<'_, '_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { keys, at } = *self;
        let row = keys.row();
        let mut map = serializer.serialize_map(None)?;
        if keys.times[at] != 0.0 {
            map.serialize_entry("time", &Number(keys.times[at]))?;
        }
        for (index, (field, value)) in row.form.fields.iter().zip(keys.fields(at)).enumerate() {
            match *value {
                Value::Missing => {}
                value if value.is_default(field.kind) => {}
                Value::Number(number) => map.serialize_entry(field.name, &Number(number))?,
                Value::Switch(is) => map.serialize_entry(field.name, &is)?,
                Value::Count(count) => map.serialize_entry(field.name, &count)?,
                Value::List(_) => map.serialize_entry(field.name, keys.numbers(*value))?,
                Value::Color(_) | Value::Opaque(_) | Value::Invalid(_) => {
                    let is_opaque = field.kind == FieldKind::Dark || row.is_opaque();
                    if let Some(color) = keys.color(at, index) {
                        map.serialize_entry(field.name, &color.digits(is_opaque))?;
                    }
                }
            }
        }
        match &keys.curves[at] {
            Curve::Linear => {}
            Curve::Shares([c1, shares @ ..]) => {
                map.serialize_entry("curve", &Number(*c1))?;
                for ((name, share), default) in COMMON[2..].iter().zip(shares).zip(Curve::DEFAULT_SHARES) {
                    if *share != default {
                        map.serialize_entry(name, &Number(*share))?;
                    }
                }
            }
            curve => map.serialize_entry("curve", curve)?,
        }
        map.end()
    }
}

impl Serialize for DeformKeys<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for DeformKeys<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut deform = Self::default();
        ListReader(&mut deform.0).deserialize(deserializer)?;
        Ok(deform)
    }
}

impl<K: Step + Serialize> Serialize for Timelines<'_, K> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.serialize_as(K::GROUP, serializer)
    }
}

impl<'de: 'a, 'a, K: Step + Deserialize<'de>> Deserialize<'de> for Timelines<'a, K> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        TimelinesOf::new(K::GROUP).deserialize(deserializer)
    }
}

impl<K: Serialize> Timelines<'_, K> {
    /// Serializes timelines of a group.
    pub fn serialize_as<S: Serializer>(&self, group: Group, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        for keys in self.list.iter().filter(|keys| !keys.is_empty()) {
            map.serialize_entry(keys.row().name, keys)?;
        }
        if let Some(name) = group.steps().filter(|_| !self.steps.is_empty()) {
            map.serialize_entry(name, &self.steps)?;
        }
        map.end()
    }
}

/// Reads the timelines of something of a group.
pub struct TimelinesOf<T>(Group, PhantomData<T>);

impl<T> TimelinesOf<T> {
    pub fn new(group: Group) -> Self {
        Self(group, PhantomData)
    }
}

/// What the key of an object of timelines stands for.
enum Named {
    Steps(&'static str),
    Keys(&'static Row),
    Unknown,
}

impl Named {
    fn of(group: Group, name: &str) -> Self {
        match Row::of(group).find(|row| row.name == name) {
            Some(row) => Self::Keys(row),
            None => group.steps().filter(|steps| *steps == name).map_or(Self::Unknown, Self::Steps),
        }
    }
}

impl<'de: 'a, 'a, K: Deserialize<'de>> DeserializeSeed<'de> for TimelinesOf<Timelines<'a, K>> {
    type Value = Timelines<'a, K>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_struct("", &[], self)
    }
}

impl<'de: 'a, 'a, K: Deserialize<'de>> Visitor<'de> for TimelinesOf<Timelines<'a, K>> {
    type Value = Timelines<'a, K>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Group::Constraint(kind) => write!(f, "struct {kind:?}Timelines"),
            group => write!(f, "struct {group:?}Timelines"),
        }
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut timelines = Timelines::default();
        let mut seen = 0;
        while let Some(named) = map.next_key_seed(Find(|name: &str| Named::of(self.0, name)))? {
            match named {
                Named::Keys(row) => {
                    see(&mut seen, row.property as usize, row.name)?;
                    let mut keys = Keys::new(row.property);
                    map.next_value_seed(ListReader(&mut keys))?;
                    timelines.put(keys);
                }
                Named::Steps(name) => {
                    see(&mut seen, Property::Deform as usize + 1, name)?;
                    timelines.steps = map.next_value()?;
                }
                Named::Unknown => drop(map.next_value::<IgnoredAny>()?),
            }
        }
        Ok(timelines)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<Self::Value, A::Error> {
        expect_empty(list, &self).map(|()| Timelines::default())
    }
}
