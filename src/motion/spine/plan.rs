//! The order in which matrices are computed and constraints applied.
//!
//! It depends on the skins: some bones and constraints are only active in certain skins.

use super::parts::{Applied, Step};
use super::{ConstraintKind, PathConstraint, Rig, Scratch, TransformConstraint};
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
            let is_active = self.target(index, scratch).is_none_or(|target| scratch.is_active[target]);
            scratch.is_constraining[index] &= is_active && !constraint.is_skipped;
        }
        self.order(scratch);
        scratch.local.start(self);
        scratch.applied.clear();
        scratch.applied.resize(self.bones.len(), Applied::AsAnimated);
    }

    /// Returns the bone that a constraint is only applied with, which follows or gives its values.
    fn target(&self, index: usize, scratch: &Scratch) -> Option<usize> {
        match &self.constraints[index].kind {
            ConstraintKind::Ik(ik) => Some(scratch.target(index, ik.target)),
            ConstraintKind::Transform(transform) => Some(scratch.target(index, transform.target)),
            ConstraintKind::Path(path) => Some(self.slots[path.target].bone),
            ConstraintKind::Physics(physics) => Some(physics.bone),
            ConstraintKind::Slider(slider) => slider.driver.map(|driver| driver.bone),
        }
    }

    /// Adds the constraints in order, each preceded by the bones that it needs.
    fn order(&self, scratch: &mut Scratch) {
        scratch.plan.clear();
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
            let target = self.target(index, scratch);
            target.into_iter().for_each(|target| self.need(target, scratch));
            match &constraint.kind {
                ConstraintKind::Ik(ik) => {
                    self.need(ik.bone, scratch);
                    if let Some(child) = ik.child.filter(|_| !self.rules.restarts_bones) {
                        self.need(child, scratch);
                    }
                }
                ConstraintKind::Transform(transform) => {
                    for &bone in &transform.bones {
                        let (bone, is_local) = (bone as usize, transform.changes_locally());
                        if is_local {
                            // It is computed even for inactive bones, whose own matrices are not.
                            self.need_parent(bone, scratch);
                        }
                        if !(is_local && self.rules.restarts_bones) {
                            self.need(bone, scratch);
                        }
                    }
                }
                ConstraintKind::Path(path) => {
                    let slot = &self.slots[path.target];
                    slot.path_bones.iter().chain(&path.bones).for_each(|&bone| self.need(bone as usize, scratch));
                }
                ConstraintKind::Physics(_) => {}
                ConstraintKind::Slider(_) => scratch.has_sliders = true,
            }
            scratch.plan.push(Step::Constraint { index: index as u32, target: target.unwrap_or_default() as u32 });
            match &constraint.kind {
                ConstraintKind::Ik(ik) => {
                    self.mark_stale_below(&[ik.bone as u32], scratch);
                    scratch.is_done[ik.bone] = true;
                    if let Some(child) = ik.child {
                        scratch.is_done[child] = true;
                        scratch.was_done[child] = true;
                    }
                }
                ConstraintKind::Transform(TransformConstraint { bones, .. })
                | ConstraintKind::Path(PathConstraint { bones, .. }) => {
                    self.mark_stale_below(bones, scratch);
                    let follows = self.rules.follows_parents
                        && matches!(&constraint.kind, ConstraintKind::Transform(it) if it.changes_locally());
                    for bone in bones.iter().map(|&bone| bone as usize) {
                        let parent = self.bones[bone].parent;
                        let is_moved = parent.is_some_and(|parent| scratch.is_stale[parent as usize]);
                        scratch.is_done[bone] = !(follows && is_moved && scratch.is_active[bone]);
                        scratch.was_done[bone] = true;
                    }
                }
                ConstraintKind::Physics(physics) => {
                    self.mark_stale_below(&[physics.bone as u32], scratch);
                    scratch.is_done[physics.bone] = true;
                }
                ConstraintKind::Slider(slider) => {
                    self.mark_stale_below(&slider.bones, scratch);
                    for &bone in &slider.bones {
                        let is_active = scratch.is_active[bone as usize];
                        scratch.is_done[bone as usize] = !is_active;
                    }
                }
            }
        }
        (0..self.bones.len()).for_each(|bone| self.need(bone, scratch));
    }

    /// Adds a bone and its ancestors unless they are up to date.
    fn need(&self, bone: usize, scratch: &mut Scratch) {
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

    fn need_parent(&self, bone: usize, scratch: &mut Scratch) {
        if let Some(parent) = self.bones[bone].parent {
            self.need(parent as usize, scratch);
        }
    }

    /// Marks the descendants of `bones` that are up to date as outdated. A descendant that is not up to date ends
    /// the search: any computed bone below it was placed by a constraint.
    fn mark_stale_below(&self, bones: &[u32], scratch: &mut Scratch) {
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
