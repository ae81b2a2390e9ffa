//! The parts of a character by name: in order, and as maps for a comparison that asks for them in every frame.

use std::collections::HashMap;

use pchr::model::{AnimationId, AttachmentId, BoneId, ConstraintId, EventId, Model, SkinId, SlotId};

/// Returns the names and ids of the animations of `model`.
pub fn animations(model: &Model) -> impl Iterator<Item = (&str, AnimationId)> {
    model.animations().iter().map(|animation| &*animation.name).zip(model.animation_ids())
}

/// Returns the names and ids of the authored bones.
pub fn bones(model: &Model) -> impl Iterator<Item = (&str, BoneId)> {
    model.skeleton().authored_bones().iter().map(|bone| &*bone.name).zip(model.skeleton().bone_ids())
}

/// Returns the names and ids of the slots.
pub fn slots(model: &Model) -> impl Iterator<Item = (&str, SlotId)> {
    model.slots().iter().map(|slot| &*slot.name).zip(model.slot_ids())
}

/// Returns the names and ids of the authored attachments.
pub fn attachments(model: &Model) -> impl Iterator<Item = (&str, AttachmentId)> {
    model.authored_attachments().iter().map(|attachment| attachment.name()).zip(model.attachment_ids())
}

/// Returns the names and ids of the skins.
pub fn skins(model: &Model) -> impl Iterator<Item = (&str, SkinId)> {
    model.skins().iter().map(|skin| &*skin.name).zip(model.skin_ids())
}

/// Returns the names and ids of the constraints.
pub fn constraints(model: &Model) -> impl Iterator<Item = (&str, ConstraintId)> {
    model.constraints().iter().map(|constraint| &*constraint.name).zip(model.constraint_ids())
}

/// Returns the names and ids of the events.
pub fn events(model: &Model) -> impl Iterator<Item = (&str, EventId)> {
    model.events().iter().map(|event| &*event.name).zip(model.event_ids())
}

/// The animations and skins of a character by name. Of several with the same name, the first one counts.
#[derive(Debug, Default)]
pub struct Names {
    animations: HashMap<String, AnimationId>,
    skins: HashMap<String, SkinId>,
}

impl Names {
    /// Collects the names of `model`.
    pub fn of(model: &Model) -> Self {
        let mut names = Self::default();
        for (name, id) in animations(model) {
            names.animations.entry(name.to_owned()).or_insert(id);
        }
        for (name, id) in skins(model) {
            names.skins.entry(name.to_owned()).or_insert(id);
        }
        names
    }

    /// Returns the animation with the given name.
    pub fn animation(&self, name: &str) -> Option<AnimationId> {
        self.animations.get(name).copied()
    }

    /// Returns the skin with the given name.
    pub fn skin(&self, name: &str) -> Option<SkinId> {
        self.skins.get(name).copied()
    }
}
