//! Slots, skins, constraints and events: matched by name, with their differences as text.

use std::collections::BTreeSet;

use super::differences::{ItemDifference, PropertyChange};
use super::matching::{Entry, Matching};
use crate::character::Character;
use crate::error::escaped;
use crate::model::{
    Blend, BoneId, Constraint, ConstraintKind, ConstraintTarget, Event, Model, Skin, SkinEntry, Slot,
};
use crate::motion::constraint_notes;

/// Most names that are listed of the items that only one of two skins has.
const MOST_NAMES: usize = 6;

/// The properties of an item as text. Both items of a pair have the same properties, in the same order.
type Properties = Vec<(&'static str, String)>;

/// Matches the skins of two models by name.
pub fn skins<'a>(a: &'a Model, b: &'a Model) -> Matching<'a> {
    let names = |model: &'a Model| model.skins().iter().map(|skin| &*skin.name);
    Matching::new(names(a), names(b))
}

/// Returns the slots that differ. For formats without slots, only the meshes are compared.
pub fn compare_slots(a: &Model, b: &Model) -> Vec<ItemDifference> {
    if a.skins().is_empty() || b.skins().is_empty() {
        return Vec::new();
    }
    let names = |model| Model::slots(model).iter().map(|slot| &*slot.name);
    differences(
        &Matching::new(names(a), names(b)),
        |index| slot(a, &a.slots()[index]),
        |index| slot(b, &b.slots()[index]),
    )
}

/// Returns the skins that differ.
pub fn compare_skins(a: &Model, b: &Model, skins: &Matching<'_>) -> Vec<ItemDifference> {
    let mut found = differences(skins, |_| Vec::new(), |_| Vec::new());
    for (in_a, in_b) in skins.pairs() {
        let changes =
            skin(&SkinOf { model: a, skin: &a.skins()[in_a] }, &SkinOf { model: b, skin: &b.skins()[in_b] });
        if !changes.is_empty() {
            let (named, found_in) = skins.named(Entry::Both(in_a, in_b));
            found.push(ItemDifference { changes, found_in, named });
        }
    }
    found
}

/// The settings of constraints of any kind.
const NOTES: [&str; 7] = ["space", "additive", "drives", "animation", "loops", "time", "scale y"];

/// Returns the constraints that differ.
pub fn compare_constraints(a: &Character, b: &Character) -> Vec<ItemDifference> {
    let names = |character| Character::model(character).constraints().iter().map(|constraint| &*constraint.name);
    let of = |character: &Character, index: usize| {
        let mut properties = constraint(character.model(), &character.model().constraints()[index]);
        let notes = constraint_notes(character, index);
        let of = |name| notes.iter().find(|(known, _)| *known == name).map(|(_, note)| note.clone());
        properties.extend(NOTES.map(|name| (name, of(name).unwrap_or_else(|| "none".to_owned()))));
        properties
    };
    differences(&Matching::new(names(a), names(b)), |index| of(a, index), |index| of(b, index))
}

/// Returns the events that differ.
pub fn compare_events(a: &Model, b: &Model) -> Vec<ItemDifference> {
    let names = |model| Model::events(model).iter().map(|event| &*event.name);
    differences(
        &Matching::new(names(a), names(b)),
        |index| event(&a.events()[index]),
        |index| event(&b.events()[index]),
    )
}

fn differences(
    matching: &Matching<'_>,
    of_a: impl Fn(usize) -> Properties,
    of_b: impl Fn(usize) -> Properties,
) -> Vec<ItemDifference> {
    let difference = |entry| {
        let (named, found_in) = matching.named(entry);
        let mut changes = Vec::new();
        if let Entry::Both(in_a, in_b) = entry {
            let pairs = of_a(in_a).into_iter().zip(of_b(in_b)).filter(|((_, a), (_, b))| a != b);
            changes.extend(pairs.map(|((property, a), (_, b))| PropertyChange { a, b, property }));
            if changes.is_empty() {
                return None;
            }
        }
        Some(ItemDifference { changes, found_in, named })
    };
    matching.entries().filter_map(difference).collect()
}

fn bone(model: &Model, bone: BoneId) -> String {
    model.skeleton().bones().get(bone.index()).map_or_else(String::new, |bone| escaped(&bone.name))
}

fn slot(model: &Model, slot: &Slot) -> Properties {
    let blend = match slot.blend {
        Blend::Normal => "normal",
        Blend::Additive => "additive",
        Blend::Multiply => "multiply",
        Blend::Screen => "screen",
    };
    let on = slot.bone.map_or_else(|| "none".to_owned(), |id| bone(model, id));
    let shows = slot.attachment.map_or_else(|| "nothing".to_owned(), |id| escaped(model.attachment(id).name()));
    vec![
        ("bone", on),
        ("blend", blend.to_owned()),
        ("colour", format!("{:?}", slot.tint.light)),
        ("dark colour", slot.tint.dark.map_or_else(|| "none".to_owned(), |dark| format!("{dark:?}"))),
        ("attachment", shows),
    ]
}

/// A skin and its model.
struct SkinOf<'a> {
    model: &'a Model,
    skin: &'a Skin,
}

impl SkinOf<'_> {
    /// Returns the attachments of the skin as `slot/key`.
    fn attachments(&self) -> BTreeSet<String> {
        let name =
            |entry: &SkinEntry| format!("{}/{}", escaped(&self.model.slot(entry.slot).name), escaped(&entry.key));
        self.skin.entries.iter().map(name).collect()
    }

    fn bones(&self) -> BTreeSet<String> {
        self.skin.bones.iter().map(|&id| bone(self.model, id)).collect()
    }
}

/// Returns what only one of two skins has.
fn skin(a: &SkinOf<'_>, b: &SkinOf<'_>) -> Vec<PropertyChange> {
    let mut changes = Vec::new();
    for (property, a, b) in [("attachments", a.attachments(), b.attachments()), ("bones", a.bones(), b.bones())] {
        if a != b {
            let only = |of: &BTreeSet<String>, other: &BTreeSet<String>| {
                let names: Vec<&str> = of.difference(other).map(String::as_str).collect();
                match &names[..] {
                    [] => "none of its own".to_owned(),
                    [first @ .., _] if first.len() >= MOST_NAMES => {
                        format!("{} and {} more", names[..MOST_NAMES].join(", "), names.len() - MOST_NAMES)
                    }
                    names => names.join(", "),
                }
            };
            changes.push(PropertyChange { a: only(&a, &b), b: only(&b, &a), property });
        }
    }
    changes
}

fn constraint(model: &Model, constraint: &Constraint) -> Properties {
    let kind = match constraint.kind {
        ConstraintKind::Ik => "ik",
        ConstraintKind::Transform => "transform",
        ConstraintKind::Path => "path",
        ConstraintKind::Physics => "physics",
        ConstraintKind::Slider => "slider",
    };
    let bones: Vec<String> = constraint.bones.iter().map(|&id| bone(model, id)).collect();
    let target = match constraint.target {
        Some(ConstraintTarget::Bone(id)) => bone(model, id),
        Some(ConstraintTarget::Slot(slot)) => escaped(&model.slot(slot).name),
        None => "none".to_owned(),
    };
    let needs_skin = if constraint.needs_skin { "yes" } else { "no" };
    vec![
        ("kind", kind.to_owned()),
        ("bones", bones.join(", ")),
        ("target", target),
        ("only with a skin", needs_skin.to_owned()),
    ]
}

fn event(event: &Event) -> Properties {
    let Event { name: _, int, float, string, audio, volume, balance } = event;
    vec![
        ("int", int.to_string()),
        ("float", float.to_string()),
        ("string", escaped(string)),
        ("audio", audio.as_deref().map_or_else(|| "none".to_owned(), escaped)),
        ("volume", volume.to_string()),
        ("balance", balance.to_string()),
    ]
}
