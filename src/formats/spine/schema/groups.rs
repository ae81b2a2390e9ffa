//! Skins and animations in JSON, whose objects have a key for each kind of constraint.
//!
//! These keys are read into one list.

use serde::ser::{Serialize, SerializeMap, Serializer};

use super::keys::Keys;
use super::table::Group;
use super::timelines::{ConstraintTimelines, Timelines};
use super::{Animation, Entries, KINDS, Skin, Skins, Text};
use crate::formats::json::parser::{Parser, Result};
use crate::formats::json::pull::{Pull, pull_object};
use crate::model::ConstraintKind;

/// The kind of constraint to which a key of an object belongs.
fn kind_of(key: &str) -> Option<ConstraintKind> {
    KINDS.iter().copied().find(|kind| kind.name() == key)
}

impl<'a> Pull<'a> for Skin<'a> {
    fn pull(json: &mut Parser<'a>) -> Result<Self> {
        let (mut it, mut constraints, mut kinds) = (Self::default(), Vec::new(), 0);
        let start = json.start();
        let seen = pull_object!(json, key, "struct Skin", it {
            "name" => name,
            "bones" => bones,
            "attachments" => attachments,
            "color" => color,
        } else {
            let Some(kind) = kind_of(&key) else { return json.ignore() };
            json.refuse_duplicate(&mut kinds, kind as usize, start, kind.name())?;
            json.list(|json| Text::pull(json).map(|name| constraints.push((kind, name))))
        });
        if seen & 1 == 0 {
            return Err(json.refused(start, "missing field `name`"));
        }
        constraints.sort_by_key(|(kind, _)| *kind);
        Ok(Self { constraints, ..it })
    }
}

impl<'a> Pull<'a> for Skins<'a> {
    fn pull(json: &mut Parser<'a>) -> Result<Self> {
        match json.peek() {
            Some(b'[') => Ok(Self { list: Pull::pull(json)?, is_object: false }),
            Some(b'{') => {
                let Entries(skins) = Pull::pull(json)?;
                let skin = |(name, attachments)| Skin { name, attachments, ..Skin::default() };
                Ok(Self { list: skins.into_iter().map(skin).collect(), is_object: true })
            }
            _ => Err(json.unexpected(&"a list or an object of skins")),
        }
    }
}

impl<'a> Pull<'a> for Animation<'a> {
    fn pull(json: &mut Parser<'a>) -> Result<Self> {
        let (mut it, mut constraints, mut kinds) = (Self::default(), Vec::new(), 0);
        let start = json.start();
        pull_object!(json, key, "struct Animation", it {
            "slots" => slots,
            "bones" => bones,
            "attachments" => attachments,
            "deform" => deform,
            "ffd" => ffd,
            "drawOrder" | "draworder" => draw_order,
            "drawOrderFolder" => folders,
            "events" => events,
            "color" => color,
        } else {
            // Before 3.8, paths had another key.
            let Some(kind) = kind_of(if key == "paths" { "path" } else { &key }) else { return json.ignore() };
            json.refuse_duplicate(&mut kinds, kind as usize, start, kind.name())?;
            json.object("an object", |json, name| {
                let timelines = Timelines::of_constraint(kind, json)?;
                constraints.push(ConstraintTimelines { kind, name: Text(name), timelines });
                Ok(())
            })
        });
        constraints.sort_by_key(|it| it.kind);
        Ok(Self { constraints, ..it })
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
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
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
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
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
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|it| (&it.name, it)))
    }
}

impl Serialize for ConstraintTimelines<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        let group = Group::Constraint(self.kind);
        match group.only() {
            Some(property) => match self.timelines.list.first() {
                Some(keys) => keys.serialize(serializer),
                None => Keys::new(property).serialize(serializer),
            },
            None => self.timelines.serialize_as(group, serializer),
        }
    }
}
