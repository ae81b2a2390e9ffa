//! The facts about one part, and what refers to it.

use super::{Attachment, Bone, Constraint, Event, Fact, Part, Skin, Slot, Value};
use crate::character::Character;
use crate::model::{BoneId, ConstraintId, ConstraintTarget, Model, SlotId};
use crate::motion::draw_order_folders;

impl Part {
    /// Returns the facts about the part.
    pub fn facts(self, character: &Character) -> Vec<Fact> {
        let model = character.model();
        match self {
            Self::Bone(bone) => Bone::facts(character, bone),
            Self::Slot(slot) => Slot::facts(model, slot),
            Self::Attachment(slot, attachment) => Attachment::facts(model, slot, attachment),
            Self::Skin(skin) => Skin::facts(model, skin),
            Self::Constraint(id) => Constraint::facts(character, id),
            Self::Event(event) => Event::facts(model, event),
        }
    }
}

/// Returns what refers to a part, and where it stands among others.
pub fn references(character: &Character, part: Part) -> Vec<Fact> {
    let model = character.model();
    match part {
        Part::Bone(bone) => of_bone(model, bone),
        Part::Slot(slot) => of_slot(character, slot),
        Part::Constraint(id) => of_constraint(character, id),
        Part::Skin(skin) => vec![Fact::new("count", "Attachments", model.skin(skin).entries.len())],
        Part::Attachment(..) | Part::Event(_) => Vec::new(),
    }
}

fn of_bone(model: &Model, bone: BoneId) -> Vec<Fact> {
    let skeleton = model.skeleton();
    let children = skeleton.bone_ids().zip(skeleton.authored_bones());
    let children = children.filter(|(_, child)| child.parent == Some(bone)).map(|(id, _)| Part::Bone(id));
    let slots = model.slot_ids().zip(model.slots());
    let slots = slots.filter(|(_, slot)| slot.bone == Some(bone)).map(|(id, _)| Part::Slot(id));
    let constraints = model.constraint_ids().zip(model.constraints()).filter(|(_, constraint)| {
        constraint.bones.contains(&bone) || constraint.target == Some(ConstraintTarget::Bone(bone))
    });
    let constraints = constraints.map(|(id, _)| Part::Constraint(id));
    vec![
        Fact::new("children", "Children", Value::parts(children, model)),
        Fact::new("slots", "Slots", Value::parts(slots, model)),
        Fact::new("constraints", "Constraints", Value::parts(constraints, model)),
    ]
}

fn of_slot(character: &Character, id: SlotId) -> Vec<Fact> {
    let model = character.model();
    let mut facts = Vec::new();
    for (skin, attachments) in model.skin_ids().zip(model.skins()) {
        let entries = attachments.entries.iter().filter(|entry| entry.slot == id);
        let entries: Vec<Part> = entries.map(|entry| Part::Attachment(id, entry.attachment)).collect();
        if !entries.is_empty() {
            let entries = [Part::Skin(skin)].into_iter().chain(entries);
            facts.push(Fact::new("in skin", "In skin", Value::parts(entries, model)));
        }
    }
    let mut folders: Vec<_> =
        model.animation_ids().flat_map(|animation| draw_order_folders(character, animation)).collect();
    folders.retain(|slots| slots.contains(&id));
    folders.sort_unstable();
    folders.dedup();
    let folder = |slots: Vec<SlotId>| Value::parts(slots.into_iter().map(Part::Slot), model);
    facts.extend(folders.into_iter().map(|slots| Fact::new("ordered among", "Ordered among", folder(slots))));
    facts
}

fn of_constraint(character: &Character, id: ConstraintId) -> Vec<Fact> {
    let mut facts = Constraint::settings(character, id);
    let count = character.model().constraints().len();
    facts.push(Fact::new("applied", "Applied", Value::Text(format!("as number {} of {count}", id.index() + 1))));
    facts
}
