//! Slots and attachments that are not drawn, by the user's choice.

use std::collections::BTreeSet;

use crate::model::{Attachment, AttachmentId, Model, SlotId};
use crate::pose::Pose;

/// Slots and attachments that are not drawn. [`Self::apply`] removes them from a pose, so that drawing, overlays,
/// picking and bounds skip them alike.
///
/// Clipping polygons are never hidden, as that would change what other slots show.
///
/// ```
/// # use pchr::{Character, draw::Hidden, motion::{Cue, evaluate}, pose::Pose};
/// let character = Character::open("assets/paper-knight.pchr")?;
/// let (model, mut pose) = (character.model(), Pose::default());
/// evaluate(&character, &Cue::default(), &mut pose);
/// let slot = *pose.draw_order.last().expect("the knight has slots");
///
/// let mut hidden = Hidden::default();
/// hidden.set_hidden(slot, true);
/// hidden.apply(model, &mut pose);
/// assert_eq!(pose.slots[slot.index()].attachment, None);
/// # Ok::<(), pchr::Error>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Hidden {
    hidden: BTreeSet<Hideable>,
    /// Of these, only regions and meshes are hidden.
    hidden_meshes: BTreeSet<Hideable>,
    /// Unless empty, all other regions and meshes are hidden.
    solo: BTreeSet<Hideable>,
}

/// Something that can be hidden.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Hideable {
    /// Everything that a slot shows.
    Slot(SlotId),
    /// An attachment, with all of its pictures if it is a sequence.
    Attachment(AttachmentId),
}

impl From<SlotId> for Hideable {
    fn from(slot: SlotId) -> Self {
        Self::Slot(slot)
    }
}

impl From<AttachmentId> for Hideable {
    fn from(attachment: AttachmentId) -> Self {
        Self::Attachment(attachment)
    }
}

impl Hidden {
    /// Hides the regions and meshes for which `is_hidden` returns true. If `is_solo` is given, regions and meshes for
    /// which it returns false are hidden too. Both are called with names of slots and of attachments; either may
    /// match.
    pub fn by_name(
        model: &Model,
        is_hidden: impl Fn(&str) -> bool,
        is_solo: Option<&dyn Fn(&str) -> bool>,
    ) -> Self {
        let named = |matches: &dyn Fn(&str) -> bool| {
            let found = hideable_names(model).filter(|(_, name)| matches(name));
            found.map(|(item, _)| item).collect()
        };
        Self {
            hidden: BTreeSet::new(),
            hidden_meshes: named(&is_hidden),
            solo: is_solo.map(named).unwrap_or_default(),
        }
    }

    /// Returns true if nothing is hidden.
    pub fn is_empty(&self) -> bool {
        self.hidden.is_empty() && self.hidden_meshes.is_empty() && self.solo.is_empty()
    }

    /// Returns true if `item` was hidden itself, by id or by name.
    pub fn is_hidden(&self, item: impl Into<Hideable>) -> bool {
        let item = item.into();
        self.hidden.contains(&item) || self.hidden_meshes.contains(&item)
    }

    /// Hides `item`, or no longer does.
    pub fn set_hidden(&mut self, item: impl Into<Hideable>, is_hidden: bool) {
        let item = item.into();
        set_in(&mut self.hidden, item, is_hidden);
        if !is_hidden {
            self.hidden_meshes.remove(&item);
        }
    }

    /// Returns true if `item` is solo: while any item is, all other regions and meshes are hidden.
    pub fn is_solo(&self, item: impl Into<Hideable>) -> bool {
        self.solo.contains(&item.into())
    }

    /// Makes `item` solo, or no longer does.
    pub fn set_solo(&mut self, item: impl Into<Hideable>, is_solo: bool) {
        set_in(&mut self.solo, item.into(), is_solo);
    }

    /// Returns the items that were hidden, by id or by name.
    pub fn hidden(&self) -> impl Iterator<Item = Hideable> + '_ {
        self.hidden.union(&self.hidden_meshes).copied()
    }

    /// Returns the items that are solo.
    pub fn solo(&self) -> impl Iterator<Item = Hideable> + '_ {
        self.solo.iter().copied()
    }

    /// Returns true if `attachment` is not drawn in `slot`.
    ///
    /// # Panics
    ///
    /// If `model` does not have the attachment.
    #[track_caller]
    pub fn hides(&self, model: &Model, slot: SlotId, attachment: AttachmentId) -> bool {
        let items = [slot.into(), model.authored_attachment(attachment).into()];
        let is_in = |set: &BTreeSet<Hideable>| items.iter().any(|item| set.contains(item));
        match model.attachment(attachment) {
            Attachment::ClipMask(_) => false,
            Attachment::Region(_) | Attachment::Mesh(_) => {
                is_in(&self.hidden) || is_in(&self.hidden_meshes) || !self.solo.is_empty() && !is_in(&self.solo)
            }
            Attachment::Path(_) | Attachment::Point(_) | Attachment::Bounds(_) => is_in(&self.hidden),
        }
    }

    /// Removes everything hidden from `pose`. Does not allocate.
    ///
    /// # Panics
    ///
    /// If `pose` belongs to another model, or names attachments that the model does not have.
    #[track_caller]
    pub fn apply(&self, model: &Model, pose: &mut Pose) {
        pose.expect_of(model);
        if self.is_empty() {
            return;
        }
        for (index, slot) in pose.slots.iter_mut().enumerate() {
            slot.attachment = slot.attachment.filter(|shown| !self.hides(model, SlotId::new(index), *shown));
        }
    }
}

fn set_in(set: &mut BTreeSet<Hideable>, item: Hideable, is_in: bool) {
    if is_in {
        set.insert(item);
    } else {
        set.remove(&item);
    }
}

/// Returns the slots, and the attachments that are regions or meshes, with their names.
pub fn hideable_names(model: &Model) -> impl Iterator<Item = (Hideable, &str)> {
    let slots = model.slot_ids().zip(model.slots()).map(|(id, slot)| (id.into(), &*slot.name));
    let attachments = model.attachment_ids().zip(model.authored_attachments());
    let meshes = attachments.filter(|(_, attachment)| attachment.mesh().is_some());
    slots.chain(meshes.map(|(id, attachment)| (id.into(), attachment.name())))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Bone, Indices, Mesh, ModelBuilder, Point, SkinNVertices, Slot};
    use crate::pose::{DeformSpan, SlotPose};

    fn mesh(name: &str) -> Mesh {
        Mesh {
            name: name.into(),
            page: None,
            vertices: SkinNVertices::default().into(),
            indices: Indices::default(),
            tint: [1.0; 4],
            outline: Box::default(),
        }
    }

    fn model() -> Model {
        let mut builder = ModelBuilder::default();
        let bone = builder.bone(Bone::default()).expect("a valid bone");
        for name in ["arm", "leg"] {
            let mesh = mesh(&format!("{name} mesh"));
            let attachment = builder.attachment(Attachment::Mesh(mesh)).expect("a valid attachment");
            builder
                .slot(Slot { name: name.into(), attachment: Some(attachment), ..Slot::default() })
                .expect("a valid slot");
        }
        let point = Point { name: "tip".into(), bone, position: Default::default(), rotation_radians: 0.0 };
        let attachment = builder.attachment(Attachment::Point(point)).expect("a valid attachment");
        builder
            .slot(Slot { name: "marks".into(), attachment: Some(attachment), ..Slot::default() })
            .expect("a valid slot");
        builder.build()
    }

    fn shown(model: &Model, hidden: &Hidden) -> Vec<usize> {
        let slots = model.slots().iter();
        let slots =
            slots.map(|slot| SlotPose { attachment: slot.attachment, tint: slot.tint, deform: DeformSpan::NONE });
        let mut pose = Pose { slots: slots.collect(), draw_order: model.slot_ids().collect(), ..Pose::default() };
        pose.world_from_bone = vec![Default::default(); model.skeleton().bones().len()];
        hidden.apply(model, &mut pose);
        pose.visible_attachments(model).map(AttachmentId::index).collect()
    }

    #[test]
    fn names_of_slots_and_of_attachments_select_meshes() {
        let model = model();
        assert_eq!(shown(&model, &Hidden::default()), [0, 1, 2]);
        assert_eq!(shown(&model, &Hidden::by_name(&model, |name| name == "arm", None)), [1, 2]);
        assert_eq!(shown(&model, &Hidden::by_name(&model, |name| name == "leg mesh", None)), [0, 2]);
        assert_eq!(shown(&model, &Hidden::by_name(&model, |_| true, None)), [2]);
        let is_arm = |name: &str| name == "arm mesh";
        assert_eq!(shown(&model, &Hidden::by_name(&model, |_| false, Some(&is_arm))), [0, 2]);
        assert_eq!(shown(&model, &Hidden::by_name(&model, |name| name == "arm", Some(&is_arm))), [2]);
    }

    #[test]
    fn ids_hide_everything_in_a_slot() {
        let model = model();
        let mut hidden = Hidden::default();
        let ids: Vec<SlotId> = model.slot_ids().collect();
        hidden.set_hidden(ids[2], true);
        hidden.set_solo(ids[1], true);
        assert_eq!(shown(&model, &hidden), [1]);
        hidden.set_hidden(ids[2], false);
        assert_eq!(shown(&model, &hidden), [1, 2]);
        hidden.set_solo(ids[1], false);
        assert!(hidden.is_empty());
    }
}
