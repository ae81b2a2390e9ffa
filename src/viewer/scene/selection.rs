//! The selected part of the character: at most one.
//!
//! While the file is read again, the selection is remembered by name, and so is that of every file that was left.

use crate::model::{AttachmentId, BoneId, EventId, Model, SkinId, SlotId};
use crate::viewer::base::name::Name;

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

/// A selection by name, which stays valid when the file is read again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ByName {
    /// A bone.
    Bone(Name),
    /// A slot.
    Slot(Name),
    /// An attachment and its slot.
    Attachment(Name, Name),
    /// A skin.
    Skin(Name),
    /// A constraint.
    Constraint(Name),
    /// An event.
    Event(Name),
}

impl ByName {
    /// Returns the names of what is selected in `model`.
    pub fn of(model: &Model, selected: Selected) -> Option<Self> {
        let slot = |slot: SlotId| Name::of(model.slots().iter().map(|slot| &*slot.name), slot.index());
        Some(match selected {
            Selected::Bone(bone) => {
                let bones = model.skeleton().authored_bones().iter();
                Self::Bone(Name::of(bones.map(|bone| &*bone.name), bone.index())?)
            }
            Selected::Slot(id) => Self::Slot(slot(id)?),
            Selected::Attachment(id, attachment) => {
                let names = model.authored_attachments().iter().map(|attachment| attachment.name());
                Self::Attachment(slot(id)?, Name::of(names, attachment.index())?)
            }
            Selected::Skin(skin) => {
                Self::Skin(Name::of(model.skins().iter().map(|skin| &*skin.name), skin.index())?)
            }
            Selected::Constraint(index) => {
                Self::Constraint(Name::of(model.constraints().iter().map(|constraint| &*constraint.name), index)?)
            }
            Selected::Event(event) => {
                Self::Event(Name::of(model.events().iter().map(|event| &*event.name), event.index())?)
            }
        })
    }

    /// Finds it in `model`, which may be another version of the file. An attachment that no longer exists becomes its
    /// slot.
    pub fn find(&self, model: &Model) -> Option<Selected> {
        let slot = |name: &Name| {
            let index = name.find(model.slots().iter().map(|slot| &*slot.name))?;
            model.slot_ids().nth(index)
        };
        match self {
            Self::Bone(name) => {
                let index = name.find(model.skeleton().authored_bones().iter().map(|bone| &*bone.name))?;
                model.skeleton().bone_ids().nth(index).map(Selected::Bone)
            }
            Self::Slot(name) => slot(name).map(Selected::Slot),
            Self::Attachment(of, name) => {
                let of = slot(of)?;
                let index = name.find(model.authored_attachments().iter().map(|attachment| attachment.name()));
                let found = index.and_then(|index| model.attachment_ids().nth(index));
                Some(found.map_or(Selected::Slot(of), |found| Selected::Attachment(of, found)))
            }
            Self::Skin(name) => {
                let index = name.find(model.skins().iter().map(|skin| &*skin.name))?;
                model.skin_ids().nth(index).map(Selected::Skin)
            }
            Self::Constraint(name) => {
                let names = model.constraints().iter().map(|constraint| &*constraint.name);
                name.find(names).map(Selected::Constraint)
            }
            Self::Event(name) => {
                let index = name.find(model.events().iter().map(|event| &*event.name))?;
                model.event_ids().nth(index).map(Selected::Event)
            }
        }
    }
}
