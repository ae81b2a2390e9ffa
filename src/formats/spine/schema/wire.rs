//! Timelines as JSON, by the rows of the table.

use std::fmt;

use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};

use super::Number;
use super::color::Color;
use super::keys::{Keys, Value};
use super::table::{FieldKind, Form, Group, MAX_FIELDS, Property};
use super::timelines::{Curve, DeformKeys, ResetKey, Step, Timelines};
use crate::formats::json::parser::{Parser, Result};
use crate::formats::json::pull::{Pull, numbers};
use crate::model::ConstraintKind;

/// The fields that all keys have; a form adds others.
const COMMON: [&str; 5] = ["time", "curve", "c2", "c3", "c4"];
const TIME: usize = 0;
const CURVE: usize = 1;

impl Form {
    /// The number of a field, counted from those that all keys have.
    fn find(&self, name: &str) -> Option<usize> {
        match name {
            "time" => Some(TIME),
            "curve" => Some(CURVE),
            "c2" | "c3" | "c4" if self.has_shares => COMMON.iter().position(|common| *common == name),
            _ => Some(COMMON.len() + self.fields.iter().position(|field| field.name == name)?),
        }
    }
}

impl<'a> Keys<'a> {
    /// Pulls a list of keys.
    fn pull(property: Property, json: &mut Parser<'a>) -> Result<Self> {
        let mut keys = Self::new(property);
        json.list(|json| keys.pull_key(json))?;
        Ok(keys)
    }

    fn pull_key(&mut self, json: &mut Parser<'a>) -> Result<()> {
        let form = self.row().form;
        let (mut time, mut curve, mut shares) = (0.0, Curve::Linear, [None; 3]);
        let mut fields = [Value::Missing; MAX_FIELDS];
        let (start, mut seen) = (json.start(), 0);
        json.object(form.what, |json, key| {
            let Some(found) = form.find(&key) else { return json.ignore() };
            let field = found.checked_sub(COMMON.len());
            let name = || field.map_or_else(|| COMMON[found], |field| form.fields[field].name);
            json.refuse_duplicate(&mut seen, found, start, name())?;
            match (found, field) {
                (_, Some(field)) => fields[field] = self.pull_field(form.fields[field].kind, json)?,
                (TIME, _) => time = json.number()?,
                (CURVE, _) => curve = Option::pull(json)?.unwrap_or_default(),
                (share, _) => shares[share - 2] = Option::<Number>::pull(json)?,
            }
            Ok(())
        })?;
        if let Curve::Shares([_, shares_of @ ..]) = &mut curve {
            shares_of.iter_mut().zip(shares).for_each(|(share, stated)| *share = stated.map_or(*share, |it| it.0));
        }
        self.push(time, curve, &fields[..form.fields.len()]);
        Ok(())
    }

    fn pull_field(&mut self, kind: FieldKind, json: &mut Parser<'a>) -> Result<Value> {
        Ok(match kind {
            FieldKind::Optional if json.null()? => Value::Missing,
            FieldKind::Optional | FieldKind::Number(_) => Value::Number(json.number()?),
            FieldKind::Switch(_) => Value::Switch(json.boolean()?),
            FieldKind::Color | FieldKind::Dark => match Pull::pull(json)? {
                Some(Color::Rgba(rgba)) => Value::Color(rgba),
                Some(Color::Rgb(rgb)) => Value::Opaque(rgb),
                Some(Color::Invalid(text)) => self.invalid(text),
                None => Value::Missing,
            },
            FieldKind::Count => Value::Count(json.count()?),
            FieldKind::List => match numbers(json)? {
                numbers if numbers.is_empty() => Value::Missing,
                numbers => self.list(numbers),
            },
        })
    }
}

impl Serialize for Keys<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        serializer.collect_seq((0..self.len()).map(|at| Key { keys: self, at }))
    }
}

/// A key that is written.
struct Key<'k, 'a> {
    keys: &'k Keys<'a>,
    at: usize,
}

impl Serialize for Key<'_, '_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        let Self { keys, at } = *self;
        let row = keys.row();
        let mut map = serializer.serialize_map(None)?;
        if keys.list[at].time != 0.0 {
            map.serialize_entry("time", &Number(keys.list[at].time))?;
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
        match &keys.list[at].curve {
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
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl<'a> Pull<'a> for DeformKeys<'a> {
    fn pull(json: &mut Parser<'a>) -> Result<Self> {
        Keys::pull(Property::Deform, json).map(Self)
    }
}

impl<K: Step + Serialize> Serialize for Timelines<'_, K> {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        self.serialize_as(K::GROUP, serializer)
    }
}

impl<'a, K: Step + Pull<'a>> Pull<'a> for Timelines<'a, K> {
    fn pull(json: &mut Parser<'a>) -> Result<Self> {
        Self::of(K::GROUP, json)
    }
}

impl<'a, K: Pull<'a>> Timelines<'a, K> {
    /// Pulls the timelines of something of a group.
    fn of(group: Group, json: &mut Parser<'a>) -> Result<Self> {
        let (mut timelines, start, mut seen) = (Self::default(), json.start(), 0);
        json.object(Named(group), |json, key| {
            if let Some(property) = Property::of(group).find(|property| property.row().name == key) {
                json.refuse_duplicate(&mut seen, property as usize, start, property.row().name)?;
                timelines.put(Keys::pull(property, json)?);
                return Ok(());
            }
            let Some(name) = group.steps().filter(|steps| *steps == key) else { return json.ignore() };
            json.refuse_duplicate(&mut seen, Property::Deform as usize + 1, start, name)?;
            timelines.steps = Pull::pull(json)?;
            Ok(())
        })?;
        Ok(timelines)
    }
}

impl<'a> Timelines<'a, ResetKey> {
    /// Pulls the timelines of a constraint.
    pub fn of_constraint(kind: ConstraintKind, json: &mut Parser<'a>) -> Result<Self> {
        let group = Group::Constraint(kind);
        match group.only() {
            Some(property) => Ok(Self { steps: Vec::new(), list: vec![Keys::pull(property, json)?] }),
            None => Self::of(group, json),
        }
    }
}

/// What errors call the timelines of a group.
struct Named(Group);

impl fmt::Display for Named {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Group::Constraint(kind) => write!(f, "struct {kind:?}Timelines"),
            group => write!(f, "struct {group:?}Timelines"),
        }
    }
}

impl<K: Serialize> Timelines<'_, K> {
    /// Serializes timelines of a group.
    pub fn serialize_as<S: Serializer>(
        &self,
        group: Group,
        serializer: S,
    ) -> std::result::Result<S::Ok, S::Error> {
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
