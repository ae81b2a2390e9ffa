//! The order in which matrices are computed and constraints applied.
//!
//! It depends on the skins: some bones and constraints are only active in certain skins.

use super::parts::{Applied, Step};
use super::{ConstraintKind, Rig, Scratch};
use crate::model::{BoneId, SkinId};

/// Maximum number of steps of a plan, as counted by a reader: one for each bone, and again for each constraint.
pub(crate) const MAX_STEPS: usize = 1 << 24;

impl Rig {
    /// Creates the plan for these skins, and resolves the names of attachments.
    pub(super) fn plan(&self, skins: &[SkinId], scratch: &mut Scratch) {
        let skins = || skins.iter().filter_map(|id| self.skins.get(id.index()));
        scratch.attachments.clear();
        scratch.attachments.resize(self.key_count, None);
        let default = self.default_skin.map(|id| &self.skins[id.index()]);
        for &(key, attachment) in default.into_iter().chain(skins()).flat_map(|skin| &skin.entries) {
            scratch.attachments[key as usize] = Some(attachment);
        }
        scratch.rest_attachments.clear();
        let attachment = |key: u32| scratch.attachments[key as usize];
        scratch.rest_attachments.extend(self.slots.iter().map(|slot| slot.key.and_then(attachment)));

        scratch.is_active.clear();
        scratch.is_active.extend(self.bones.iter().map(|bone| !bone.needs_skin));
        for bone in default.into_iter().chain(skins()).flat_map(|skin| &skin.bones) {
            let mut next = Some(bone.index());
            while let Some(bone) = next {
                scratch.is_active[bone] = true;
                next = self.bones[bone].parent.map(|parent| parent as usize);
            }
        }
        scratch.inactive.clear();
        let inactive = scratch.is_active.iter().enumerate().filter(|(_, is_active)| !**is_active);
        scratch.inactive.extend(inactive.map(|(bone, _)| BoneId::new(bone)));
        scratch.is_constraining.clear();
        scratch.is_constraining.extend(self.constraints.iter().map(|constraint| !constraint.needs_skin));
        for &constraint in default.into_iter().chain(skins()).flat_map(|skin| &skin.constraints) {
            scratch.is_constraining[constraint as usize] = true;
        }
        for (index, constraint) in self.constraints.iter().enumerate() {
            let is_active =
                constraint.kind.target(index, self, scratch).is_none_or(|target| scratch.is_active[target]);
            scratch.is_constraining[index] &= is_active && !constraint.is_skipped;
        }
        self.order(scratch);
        scratch.local.start(self);
        scratch.applied.clear();
        scratch.applied.resize(self.bones.len(), Applied::AsAnimated);
    }

    /// Adds the constraints in order, each preceded by the bones that it needs.
    fn order(&self, scratch: &mut Scratch) {
        scratch.plan.clear();
        scratch.swinging_steps = 0;
        scratch.has_sliders = false;
        // Inactive bones are never computed.
        scratch.is_done.clear();
        scratch.is_done.extend(scratch.is_active.iter().map(|is_active| !is_active));
        scratch.was_done.clear();
        scratch.was_done.resize(self.bones.len(), false);
        for (index, constraint) in self.constraints.iter().enumerate() {
            if !scratch.is_constraining[index] {
                continue;
            }
            let target = constraint.kind.target(index, self, scratch);
            target.into_iter().for_each(|target| self.need(target, scratch));
            constraint.kind.need(self, scratch);
            scratch.plan.push(Step::Constraint { index: index as u32, target: target.unwrap_or_default() as u32 });
            if matches!(constraint.kind, ConstraintKind::Physics(_)) {
                scratch.swinging_steps = scratch.plan.len();
            }
            constraint.kind.mark(self, scratch);
        }
        (0..self.bones.len()).for_each(|bone| self.need(bone, scratch));
    }

    /// Adds a bone and its ancestors unless they are up to date.
    pub(super) fn need(&self, bone: usize, scratch: &mut Scratch) {
        let from = scratch.plan.len();
        let mut next = Some(bone);
        while let Some(bone) = next.filter(|&bone| !scratch.is_done[bone]) {
            scratch.is_done[bone] = true;
            scratch.plan.push(match scratch.was_done[bone] {
                false => self.first_step(bone),
                true => Step::Again(bone as u32),
            });
            scratch.was_done[bone] = true;
            next = self.bones[bone].parent.map(|parent| parent as usize);
        }
        // Parents before children.
        scratch.plan[from..].reverse();
    }

    pub(super) fn need_parent(&self, bone: usize, scratch: &mut Scratch) {
        if let Some(parent) = self.bones[bone].parent {
            self.need(parent as usize, scratch);
        }
    }

    /// Marks the descendants of `bones` that are up to date as outdated. A descendant that is not up to date ends
    /// the search: any computed bone below it was placed by a constraint.
    pub(super) fn mark_stale_below(&self, bones: &[u32], scratch: &mut Scratch) {
        scratch.is_stale.clear();
        scratch.is_stale.resize(self.bones.len(), false);
        bones.iter().for_each(|&bone| scratch.is_stale[bone as usize] = true);
        for (index, bone) in self.bones.iter().enumerate() {
            let hangs = bone.parent.is_some_and(|parent| scratch.is_stale[parent as usize]);
            if hangs && scratch.is_active[index] && scratch.is_done[index] {
                scratch.is_stale[index] = true;
                scratch.is_done[index] = false;
            }
        }
    }
}
