//! The selected part of the character: at most one.

use pchr::model::{AttachmentId, BoneId, EventId, Model, SkinId, SlotId};

/// A part of the shown character.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Selected {
    /// An authored bone.
    Bone(BoneId),
    /// A slot.
    Slot(SlotId),
    /// An authored attachment, in a slot that can show it.
    Attachment(SlotId, AttachmentId),
    /// A skin.
    Skin(SkinId),
    /// The constraint at this index of [`Model::constraints`].
    Constraint(usize),
    /// An event.
    Event(EventId),
}

impl Selected {
    /// Returns the bone that is selected, or that the selected slot or attachment belongs to.
    pub fn bone(self, model: &Model) -> Option<BoneId> {
        match self {
            Self::Bone(bone) => Some(bone),
            Self::Slot(slot) | Self::Attachment(slot, _) => model.slot(slot).bone,
            Self::Skin(_) | Self::Constraint(_) | Self::Event(_) => None,
        }
    }

    /// Returns the slot that is selected, or that the selected attachment belongs to.
    pub fn slot(self) -> Option<SlotId> {
        match self {
            Self::Slot(slot) | Self::Attachment(slot, _) => Some(slot),
            Self::Bone(_) | Self::Skin(_) | Self::Constraint(_) | Self::Event(_) => None,
        }
    }

    /// Returns the name in the file.
    pub fn name(self, model: &Model) -> &str {
        match self {
            Self::Bone(bone) => &model.skeleton().bones()[bone.index()].name,
            Self::Slot(slot) => &model.slot(slot).name,
            Self::Attachment(_, attachment) => model.attachment(attachment).name(),
            Self::Skin(skin) => &model.skin(skin).name,
            Self::Constraint(index) => &model.constraints()[index].name,
            Self::Event(event) => &model.event(event).name,
        }
    }
}
