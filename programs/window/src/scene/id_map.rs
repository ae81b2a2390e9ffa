//! Maps the parts of a character to the parts of another version of it, or of another character, by name. Parts of the same
//! name are told apart by their order.

use std::collections::HashMap;

use super::names;
use super::selection::Selected;
use pchr::draw::Hideable;
use pchr::model::{AttachmentId, BoneId, ConstraintId, EventId, Model, SkinId, SlotId};
use pchr::motion::{BoneOverride, SlotOverride};

/// The parts of a character, as far as another one has them.
#[derive(Debug, Clone, Default)]
pub struct IdMap {
    bones: Vec<Option<BoneId>>,
    slots: Vec<Option<SlotId>>,
    attachments: Vec<Option<AttachmentId>>,
    skins: Vec<Option<SkinId>>,
    constraints: Vec<Option<ConstraintId>>,
    events: Vec<Option<EventId>>,
}

impl IdMap {
    /// Maps the authored parts of `old` to the parts of `new`.
    pub fn between(old: &Model, new: &Model) -> Self {
        Self {
            bones: matches(names::bones(old), names::bones(new)),
            slots: matches(names::slots(old), names::slots(new)),
            attachments: matches(names::attachments(old), names::attachments(new)),
            skins: matches(names::skins(old), names::skins(new)),
            constraints: matches(names::constraints(old), names::constraints(new)),
            events: matches(names::events(old), names::events(new)),
        }
    }

    /// Returns the same part of the other character. An attachment that it does not have becomes its slot.
    pub fn part(&self, part: Selected) -> Option<Selected> {
        match part {
            Selected::Bone(bone) => self.bones.get(bone.index()).copied()?.map(Selected::Bone),
            Selected::Slot(slot) => self.slot(slot).map(Selected::Slot),
            Selected::Attachment(slot, attachment) => {
                let slot = self.slot(slot)?;
                let found = self.attachments.get(attachment.index()).copied().flatten();
                Some(found.map_or(Selected::Slot(slot), |found| Selected::Attachment(slot, found)))
            }
            Selected::Skin(skin) => self.skins.get(skin.index()).copied()?.map(Selected::Skin),
            Selected::Constraint(id) => self.constraints.get(id.index()).copied()?.map(Selected::Constraint),
            Selected::Event(event) => self.events.get(event.index()).copied()?.map(Selected::Event),
        }
    }

    /// Returns the same slot or attachment of the other character.
    pub fn hideable(&self, item: Hideable) -> Option<Hideable> {
        match item {
            Hideable::Slot(slot) => self.slot(slot).map(Hideable::from),
            Hideable::Attachment(attachment) => {
                self.attachments.get(attachment.index()).copied()?.map(Hideable::from)
            }
        }
    }

    /// Moves the same bone of the other character.
    pub fn bone_override(&self, put: BoneOverride) -> Option<BoneOverride> {
        let bone = self.bones.get(put.bone.index()).copied()??;
        Some(BoneOverride { bone, ..put })
    }

    /// Shows the same attachment in the same slot of the other character. The draw order is not changed in the window.
    pub fn slot_override(&self, put: SlotOverride) -> Option<SlotOverride> {
        let slot = self.slot(put.slot)?;
        let attachment = match put.attachment.flatten() {
            Some(chosen) => Some(Some(self.attachments.get(chosen.index()).copied()??)),
            None => put.attachment,
        };
        Some(SlotOverride { slot, attachment, order: None, ..put })
    }

    fn slot(&self, slot: SlotId) -> Option<SlotId> {
        self.slots.get(slot.index()).copied()?
    }
}

/// Returns, for each of `old`, the item of `new` with the same name, and as many items of that name before it.
fn matches<'a, T: Copy>(
    old: impl Iterator<Item = (&'a str, T)>,
    new: impl Iterator<Item = (&'a str, T)>,
) -> Vec<Option<T>> {
    let (names, ids): (Vec<&str>, Vec<T>) = new.unzip();
    let known: HashMap<(&str, usize), T> = numbered(names.into_iter()).zip(ids).collect();
    numbered(old.map(|(name, _)| name)).map(|name| known.get(&name).copied()).collect()
}

/// Adds to each name how many of the same came before it.
fn numbered<'a>(names: impl Iterator<Item = &'a str>) -> impl Iterator<Item = (&'a str, usize)> {
    let mut counts: HashMap<&str, usize> = HashMap::new();
    names.map(move |name| {
        let count = counts.entry(name).or_default();
        *count += 1;
        (name, *count - 1)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_names_are_told_apart() {
        let list = ["arm", "leg", "arm", "", "arm"];
        let same = matches(list.into_iter().zip(0..), list.into_iter().zip(0..));
        assert_eq!(same, [0, 1, 2, 3, 4].map(Some));
        let fewer = matches(list.into_iter().zip(0..), [("arm", 7), ("arm", 8), ("", 9)].into_iter());
        assert_eq!(fewer, [Some(7), None, Some(8), Some(9), None]);
    }
}
