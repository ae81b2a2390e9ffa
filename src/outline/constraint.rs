//! Constraints.

use std::collections::BTreeMap;
use std::fmt;

use serde::Serialize;

use super::{Fact, Part, Value};
use crate::character::Character;
use crate::error::escaped;
use crate::model::{self, ConstraintId, ConstraintTarget};
use crate::motion::{constraint_notes, constraint_settings};

/// A constraint.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct Constraint {
    /// Constrained bones.
    pub bones: Vec<String>,
    /// Type: ik, transform, path, physics or slider.
    pub kind: &'static str,
    /// Name.
    pub name: String,
    /// Settings that are not numbers, such as what drives what and what a slider applies.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub notes: BTreeMap<&'static str, String>,
    /// Target bone, or for a path constraint the target slot. Physics has none, and sliders may have one.
    pub target: Option<String>,
}

/// The names of [`constraint_notes`], of constraints of any kind.
const NOTES: [&str; 7] = ["space", "additive", "drives", "animation", "loops", "time", "scale y"];

impl Constraint {
    /// Describes all constraints, in the order in which they are applied.
    pub fn all(character: &Character) -> Vec<Self> {
        let model = character.model();
        let of = |(id, constraint): (ConstraintId, &model::Constraint)| Self {
            bones: constraint.bones.iter().map(|&bone| Part::Bone(bone).name(model).to_owned()).collect(),
            kind: constraint.kind.name(),
            name: constraint.name.to_string(),
            notes: constraint_notes(character, id).into_iter().collect(),
            target: target(constraint).map(|target| target.name(model).to_owned()),
        };
        model.constraint_ids().zip(model.constraints()).map(of).collect()
    }

    /// Returns the facts about the constraint.
    pub fn facts(character: &Character, id: ConstraintId) -> Vec<Fact> {
        let model = character.model();
        let Some(constraint) = model.constraints().get(id.index()) else { return Vec::new() };
        let mut facts = vec![
            Fact::new("kind", "", constraint.kind.name()),
            Fact::new("bones", "Bones", Value::parts(constraint.bones.iter().copied().map(Part::Bone), model)),
            Fact::new("target", "Target", Value::part_or(target(constraint), "none", model)),
            Fact::new("only with a skin", "Only with a skin", constraint.needs_skin),
        ];
        let mut notes: BTreeMap<_, _> = constraint_notes(character, id).into_iter().collect();
        let note = |name| (name, notes.remove(name).map_or(Value::Nothing("none"), Value::Note));
        facts.extend(NOTES.map(note).map(|(name, value)| Fact::new(name, name, value)));
        facts
    }

    /// Returns the mixes and other settings of the constraint at rest, in the units of its format.
    pub fn settings(character: &Character, id: ConstraintId) -> Vec<Fact> {
        let fact = |(name, setting)| Fact::new(name, name, Value::Number(setting));
        constraint_settings(character, id).into_iter().map(fact).collect()
    }
}

fn target(constraint: &model::Constraint) -> Option<Part> {
    constraint.target.map(|target| match target {
        ConstraintTarget::Bone(bone) => Part::Bone(bone),
        ConstraintTarget::Slot(slot) => Part::Slot(slot),
    })
}

impl fmt::Display for Constraint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bones: Vec<String> = self.bones.iter().map(|bone| escaped(bone)).collect();
        write!(f, "{}:{}{}", self.kind, if bones.is_empty() { "" } else { " " }, bones.join(", "))?;
        if let Some(target) = &self.target {
            write!(f, " to {}", escaped(target))?;
        }
        self.notes.iter().try_for_each(|(name, note)| write!(f, "; {name}: {note}"))
    }
}
