//! The parts of a character that others refer to.

use crate::model::{AttachmentId, BoneId, ConstraintId, EventId, Model, SkinId, SlotId};

/// A part of a character.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Part {
    /// An authored bone.
    Bone(BoneId),
    /// A slot.
    Slot(SlotId),
    /// An authored attachment, in a slot that can show it.
    Attachment(SlotId, AttachmentId),
    /// A skin.
    Skin(SkinId),
    /// A constraint.
    Constraint(ConstraintId),
    /// An event.
    Event(EventId),
}

impl Part {
    /// Returns the kind in words, such as `Bone`, `Bounding box` or `IK constraint`.
    ///
    /// # Panics
    ///
    /// Panics if the part is an attachment that the model does not have.
    pub fn title(self, model: &Model) -> &'static str {
        match self {
            Self::Bone(_) => "Bone",
            Self::Slot(_) => "Slot",
            Self::Attachment(_, attachment) => model.attachment(attachment).title(),
            Self::Skin(_) => "Skin",
            Self::Constraint(id) => model.constraints().get(id.index()).map_or("Constraint", |it| it.kind.title()),
            Self::Event(_) => "Event",
        }
    }

    /// Returns the name in the file; empty for a bone or constraint that the model does not have.
    ///
    /// # Panics
    ///
    /// Panics if the model does not have the slot, attachment, skin or event.
    pub fn name(self, model: &Model) -> &str {
        match self {
            Self::Bone(bone) => model.skeleton().bones().get(bone.index()).map_or("", |bone| &bone.name),
            Self::Slot(slot) => &model.slot(slot).name,
            Self::Attachment(_, attachment) => model.attachment(attachment).name(),
            Self::Skin(skin) => &model.skin(skin).name,
            Self::Constraint(id) => model.constraints().get(id.index()).map_or("", |constraint| &constraint.name),
            Self::Event(event) => &model.event(event).name,
        }
    }

    /// Returns the bone, or the bone of a slot or attachment.
    ///
    /// # Panics
    ///
    /// Panics if the model does not have the slot.
    pub fn bone(self, model: &Model) -> Option<BoneId> {
        match self {
            Self::Bone(bone) => Some(bone),
            Self::Slot(slot) | Self::Attachment(slot, _) => model.slot(slot).bone,
            Self::Skin(_) | Self::Constraint(_) | Self::Event(_) => None,
        }
    }

    /// Returns the slot, or the slot of an attachment.
    pub fn slot(self) -> Option<SlotId> {
        match self {
            Self::Slot(slot) | Self::Attachment(slot, _) => Some(slot),
            Self::Bone(_) | Self::Skin(_) | Self::Constraint(_) | Self::Event(_) => None,
        }
    }
}
