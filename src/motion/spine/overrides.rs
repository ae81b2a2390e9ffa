//! Bones moved, constraints changed and attachments shown by the caller, before constraints are applied.

use super::parts::Applied;
use super::{ConstraintPose, Posing, Rig, Scratch};
use crate::model::AttachmentId;
use crate::motion::{BoneOverride, ConstraintOverride, Setting, SlotOverride};
use crate::pose::DeformSpan;

/// A slot that shows what the caller has chosen, while animations go on to change what it would show otherwise.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Held {
    slot: usize,
    shown: Option<AttachmentId>,
    /// What it would show.
    own: Option<AttachmentId>,
}

/// Returns the changed targets: constraints and bones.
pub(super) fn targets(overrides: &[ConstraintOverride]) -> impl Iterator<Item = (u32, u32)> {
    let target = |put: &ConstraintOverride| {
        Some((u32::try_from(put.constraint.index()).ok()?, u32::try_from(put.target?.index()).ok()?))
    };
    overrides.iter().filter_map(target)
}

/// Sets the changed values of a constraint.
pub(super) fn set(
    overrides: &[ConstraintOverride],
    constraint: usize,
    settings: &[Setting],
    now: &mut ConstraintPose,
) {
    for put in overrides.iter().filter(|put| put.constraint.index() == constraint) {
        let mut changed = put.settings;
        for (value, setting) in now.values.iter_mut().zip(settings) {
            let set = *(setting.of)(&mut changed);
            *value = set.filter(|set| set.is_finite()).map_or(*value, f64::from);
        }
    }
}

impl Scratch {
    /// Returns the target of a constraint, which is `own` unless the caller has changed it.
    pub(super) fn target(&self, constraint: usize, own: usize) -> usize {
        let changed = self.targets.iter().rev().find(|(at, _)| *at as usize == constraint);
        changed.map(|(_, bone)| *bone as usize).filter(|bone| *bone < self.is_active.len()).unwrap_or(own)
    }
}

impl Posing<'_> {
    /// Lets slots show the attachments that the caller has chosen before animations deform them, and returns the others to
    /// what animations have set.
    pub(super) fn hold_attachments(&mut self, slots: &[SlotOverride]) {
        let is_known =
            |shown: Option<AttachmentId>| shown.is_none_or(|id| id.index() < self.model.attachments().len());
        // The last override of a slot applies.
        let chosen = |slot: usize| {
            let mut those = slots.iter().rev().filter(|put| put.slot.index() == slot);
            those.find_map(|put| put.attachment.filter(|shown| is_known(*shown)))
        };
        let mut held = std::mem::take(&mut self.scratch.held);
        held.retain(|it| {
            let is_same = chosen(it.slot) == Some(it.shown);
            if is_same {
                // It may have shown a picture of the attachment.
                self.pose.slots[it.slot].attachment = it.shown;
            } else {
                self.set_attachment(it.slot, it.own);
            }
            is_same
        });
        for put in slots {
            let slot = put.slot.index();
            let Some(shown) = chosen(slot).filter(|_| slot < self.rig.slots.len()) else { continue };
            if !held.iter().any(|it| it.slot == slot) {
                held.push(Held { slot, shown, own: self.pose.slots[slot].attachment });
                self.set_attachment(slot, shown);
            }
        }
        self.scratch.held = held;
    }

    /// Changes the attachment of a slot for the animations. If the caller has chosen another, that one stays.
    pub(super) fn show(&mut self, slot: usize, attachment: Option<AttachmentId>) {
        match self.scratch.held.iter_mut().find(|it| it.slot == slot) {
            Some(held) => held.own = attachment,
            None => self.set_attachment(slot, attachment),
        }
    }

    /// Changes the attachment of a slot, which resets its picture, and its deformation unless both attachments share it.
    fn set_attachment(&mut self, slot: usize, attachment: Option<AttachmentId>) {
        let state = &mut self.pose.slots[slot];
        if state.attachment != attachment {
            if !(self.rig.rules.keeps_shared_deforms && self.rig.share_timelines(state.attachment, attachment)) {
                state.deform = DeformSpan::NONE;
            }
            state.attachment = attachment;
            self.scratch.set_picture(slot, None);
        }
    }
}

/// Applies all overrides except for world positions, which require the parent's matrix.
pub(super) fn put_locally(overrides: &[BoneOverride], scratch: &mut Scratch) {
    for put in overrides {
        let bone = put.bone.index();
        if bone >= scratch.is_active.len() {
            continue;
        }
        let local = scratch.local.after_animations(bone);
        if let Some(position) = put.local_position() {
            local.translation = position.as_dvec2();
        }
        if let Some(degrees) = put.rotation_degrees() {
            local.rotation = degrees.into();
        }
        if let Some(scale) = put.finite_scale() {
            local.scale = scale.as_dvec2();
        }
    }
}

impl Rig {
    /// Applies a world position once the parent's matrix is known.
    pub(super) fn put_in_world(&self, bone: usize, overrides: &[BoneOverride], scratch: &mut Scratch) {
        let mut puts = overrides.iter().filter(|put| put.bone.index() == bone);
        // The last override with a position applies.
        let last = puts.rfind(|put| put.local_position().or(put.world_position()).is_some());
        let Some(position) = last.and_then(BoneOverride::world_position) else { return };
        let parent = self.world_from_parent(bone, scratch);
        if parent.matrix2.determinant() != 0.0 {
            let local = parent.inverse().transform_point2(position.as_dvec2());
            scratch.local.after_animations(bone).translation = local;
            scratch.local.compute_one(bone, self);
            if let Applied::OnlyMatrixWithin(_) = scratch.applied[bone] {
                self.applied(bone, scratch);
            }
            if let Applied::To(applied) = &mut scratch.applied[bone] {
                applied.translation = local;
            }
        }
    }

    /// Does the same for the bones that a constraint computes itself.
    pub(super) fn put_constrained_in_world(
        &self,
        constraint: usize,
        overrides: &[BoneOverride],
        scratch: &mut Scratch,
    ) {
        let bones = self.constraints[constraint].kind.placed_bones();
        bones.for_each(|bone| self.put_in_world(bone, overrides, scratch));
    }
}
