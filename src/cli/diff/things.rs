//! Slots, skins, constraints and events: by name, in words.

use std::collections::BTreeSet;

use super::matching::{Entry, Matching};
use super::report::{ThingDifference, WordedChange};
use crate::error::shown;
use crate::model::{Blend, BoneId, Constraint, ConstraintKind, ConstraintTarget, Event, Model, Skin, Slot};

/// Of a difference between two skins no more names are told than this.
const MOST_NAMES: usize = 6;

/// What one thing is, in words, part by part. Both of a pair have the same parts.
type Parts = Vec<(&'static str, String)>;

/// Matches the skins of two models by name.
pub fn skins<'a>(a: &'a Model, b: &'a Model) -> Matching<'a> {
    let names = |model: &'a Model| model.skins().iter().map(|skin| &*skin.name);
    Matching::new(names(a), names(b))
}

/// The slots that differ. Those of a file that has no list of slots are its meshes and told as such.
pub fn compare_slots(a: &Model, b: &Model) -> Vec<ThingDifference> {
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

/// The skins that differ.
pub fn compare_skins(a: &Model, b: &Model, skins: &Matching<'_>) -> Vec<ThingDifference> {
    let mut found = differences(skins, |_| Vec::new(), |_| Vec::new());
    for (in_a, in_b) in skins.pairs() {
        let changes = skin((a, &a.skins()[in_a]), (b, &b.skins()[in_b]));
        if !changes.is_empty() {
            let (named, found_in) = skins.tell(Entry::Both(in_a, in_b));
            found.push(ThingDifference { changes, found_in, name: named.name, occurrence: named.occurrence });
        }
    }
    found
}

/// The constraints that differ.
pub fn compare_constraints(a: &Model, b: &Model) -> Vec<ThingDifference> {
    let names = |model| Model::constraints(model).iter().map(|constraint| &*constraint.name);
    let of = |model: &Model, index: usize| constraint(model, &model.constraints()[index]);
    differences(&Matching::new(names(a), names(b)), |index| of(a, index), |index| of(b, index))
}

/// The events that differ.
pub fn compare_events(a: &Model, b: &Model) -> Vec<ThingDifference> {
    let names = |model| Model::events(model).iter().map(|event| &*event.name);
    differences(
        &Matching::new(names(a), names(b)),
        |index| event(&a.events()[index]),
        |index| event(&b.events()[index]),
    )
}

fn differences(
    matching: &Matching<'_>,
    of_a: impl Fn(usize) -> Parts,
    of_b: impl Fn(usize) -> Parts,
) -> Vec<ThingDifference> {
    let difference = |entry| {
        let (named, found_in) = matching.tell(entry);
        let mut changes = Vec::new();
        if let Entry::Both(in_a, in_b) = entry {
            let pairs = of_a(in_a).into_iter().zip(of_b(in_b)).filter(|((_, a), (_, b))| a != b);
            changes.extend(pairs.map(|((what, a), (_, b))| WordedChange { a, b, what }));
            if changes.is_empty() {
                return None;
            }
        }
        Some(ThingDifference { changes, found_in, name: named.name, occurrence: named.occurrence })
    };
    matching.entries().filter_map(difference).collect()
}

fn bone(model: &Model, bone: BoneId) -> String {
    model.skeleton().bones().get(bone.index()).map_or_else(String::new, |bone| shown(&bone.name))
}

fn slot(model: &Model, slot: &Slot) -> Parts {
    let blend = match slot.blend {
        Blend::Normal => "normal",
        Blend::Additive => "additive",
        Blend::Multiply => "multiply",
        Blend::Screen => "screen",
    };
    let on = slot.bone.map_or_else(|| "none".to_owned(), |id| bone(model, id));
    let shows = slot.attachment.map_or_else(|| "nothing".to_owned(), |id| shown(model.attachment(id).name()));
    vec![
        ("bone", on),
        ("blend", blend.to_owned()),
        ("colour", format!("{:?}", slot.tint.light)),
        ("dark colour", slot.tint.dark.map_or_else(|| "none".to_owned(), |dark| format!("{dark:?}"))),
        ("attachment", shows),
    ]
}

/// What only one of two skins has.
fn skin(a: (&Model, &Skin), b: (&Model, &Skin)) -> Vec<WordedChange> {
    let entries = |(model, skin): (&Model, &Skin)| -> BTreeSet<String> {
        let name = |entry: &crate::model::SkinEntry| {
            format!("{}/{}", shown(&model.slot(entry.slot).name), shown(&entry.key))
        };
        skin.entries.iter().map(name).collect()
    };
    let bones = |(model, skin): (&Model, &Skin)| -> BTreeSet<String> {
        skin.bones.iter().map(|&id| bone(model, id)).collect()
    };
    let mut changes = Vec::new();
    for (what, a, b) in [("attachments", entries(a), entries(b)), ("bones", bones(a), bones(b))] {
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
            changes.push(WordedChange { a: only(&a, &b), b: only(&b, &a), what });
        }
    }
    changes
}

fn constraint(model: &Model, constraint: &Constraint) -> Parts {
    let kind = match constraint.kind {
        ConstraintKind::Ik => "ik",
        ConstraintKind::Transform => "transform",
        ConstraintKind::Path => "path",
    };
    let bones: Vec<String> = constraint.bones.iter().map(|&id| bone(model, id)).collect();
    let target = match constraint.target {
        ConstraintTarget::Bone(id) => bone(model, id),
        ConstraintTarget::Slot(slot) => shown(&model.slot(slot).name),
    };
    let needs_skin = if constraint.needs_skin { "yes" } else { "no" };
    vec![
        ("kind", kind.to_owned()),
        ("bones", bones.join(", ")),
        ("target", target),
        ("only with a skin", needs_skin.to_owned()),
    ]
}

fn event(event: &Event) -> Parts {
    let Event { name: _, int, float, string, audio, volume, balance } = event;
    vec![
        ("int", int.to_string()),
        ("float", float.to_string()),
        ("string", shown(string)),
        ("audio", audio.as_deref().map_or_else(|| "none".to_owned(), shown)),
        ("volume", volume.to_string()),
        ("balance", balance.to_string()),
    ]
}
