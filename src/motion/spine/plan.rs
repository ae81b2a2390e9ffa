//! In which order bones are worked out and constraints act.
//!
//! It depends on the skins: some bones and constraints are there only with one that has them.

use super::{ConstraintKind, PathConstraint, Rig, TransformConstraint};
use crate::model::SkinId;
use crate::pose::{Keyed, Step};

/// More steps than a plan may have, as a reader counts them: one for each bone and once more for each constraint.
pub(crate) const MAX_STEPS: usize = 1 << 24;

impl Rig {
    /// Makes the plan for these skins, and what names of attachments mean in them.
    pub(super) fn plan(&self, skins: &[SkinId], keyed: &mut Keyed) {
        let skins = || skins.iter().filter_map(|id| self.skins.get(id.index()));
        keyed.attachments.clear();
        keyed.attachments.resize(self.key_count, None);
        let default = self.default_skin.map(|id| &self.skins[id.index()]);
        for &(key, attachment) in default.into_iter().chain(skins()).flat_map(|skin| &skin.entries) {
            keyed.attachments[key as usize] = Some(attachment);
        }

        keyed.is_active.clear();
        keyed.is_active.extend(self.bones.iter().map(|bone| !bone.needs_skin));
        for bone in default.into_iter().chain(skins()).flat_map(|skin| &skin.bones) {
            let mut next = Some(bone.index());
            while let Some(bone) = next {
                keyed.is_active[bone] = true;
                next = self.bones[bone].parent.map(|parent| parent as usize);
            }
        }
        keyed.is_constraining.clear();
        keyed.is_constraining.extend(self.constraints.iter().map(|constraint| !constraint.needs_skin));
        for &constraint in default.into_iter().chain(skins()).flat_map(|skin| &skin.constraints) {
            keyed.is_constraining[constraint as usize] = true;
        }
        for (constraint, is_constraining) in self.constraints.iter().zip(&mut keyed.is_constraining) {
            let target = match &constraint.kind {
                ConstraintKind::Ik(ik) => ik.target,
                ConstraintKind::Transform(transform) => transform.target,
                ConstraintKind::Path(path) => self.slots[path.target].bone,
            };
            *is_constraining &= keyed.is_active[target];
        }
        self.order(keyed);
    }

    /// Every constraint in its turn, before it the bones that it needs.
    fn order(&self, keyed: &mut Keyed) {
        keyed.plan.clear();
        // What is not there is never worked out.
        keyed.is_done.clear();
        keyed.is_done.extend(keyed.is_active.iter().map(|is_active| !is_active));
        for (index, constraint) in self.constraints.iter().enumerate() {
            if !keyed.is_constraining[index] {
                continue;
            }
            match &constraint.kind {
                ConstraintKind::Ik(ik) => {
                    self.need(ik.target, keyed);
                    self.need(ik.bone, keyed);
                }
                ConstraintKind::Transform(transform) => {
                    self.need(transform.target, keyed);
                    for &bone in &transform.bones {
                        match transform.is_local {
                            true => self.need_parent(bone as usize, keyed),
                            false => self.need(bone as usize, keyed),
                        }
                    }
                }
                ConstraintKind::Path(path) => {
                    let slot = &self.slots[path.target];
                    self.need(slot.bone, keyed);
                    slot.path_bones.iter().chain(&path.bones).for_each(|&bone| self.need(bone as usize, keyed));
                }
            }
            keyed.plan.push(Step::Constraint(index as u32));
            match &constraint.kind {
                ConstraintKind::Ik(ik) => {
                    self.spoil_below(&[ik.bone as u32], keyed);
                    keyed.is_done[ik.bone] = true;
                    if let Some(child) = ik.child {
                        keyed.is_done[child] = true;
                    }
                }
                ConstraintKind::Transform(TransformConstraint { bones, .. })
                | ConstraintKind::Path(PathConstraint { bones, .. }) => {
                    self.spoil_below(bones, keyed);
                    bones.iter().for_each(|&bone| keyed.is_done[bone as usize] = true);
                }
            }
        }
        (0..self.bones.len()).for_each(|bone| self.need(bone, keyed));
    }

    /// Adds a bone and what it hangs on, where they are not worked out.
    fn need(&self, bone: usize, keyed: &mut Keyed) {
        let from = keyed.plan.len();
        let mut next = Some(bone);
        while let Some(bone) = next.filter(|&bone| !keyed.is_done[bone]) {
            keyed.is_done[bone] = true;
            keyed.plan.push(Step::Bone(bone as u32));
            next = self.bones[bone].parent.map(|parent| parent as usize);
        }
        // Parents before children.
        keyed.plan[from..].reverse();
    }

    fn need_parent(&self, bone: usize, keyed: &mut Keyed) {
        if let Some(parent) = self.bones[bone].parent {
            self.need(parent as usize, keyed);
        }
    }

    /// What hangs on `bones` and is worked out is to be worked out again. What is not ends the way down: a bone below
    /// it that was worked out after all is one that a constraint has put where it is.
    fn spoil_below(&self, bones: &[u32], keyed: &mut Keyed) {
        keyed.is_stale.clear();
        keyed.is_stale.resize(self.bones.len(), false);
        bones.iter().for_each(|&bone| keyed.is_stale[bone as usize] = true);
        for (index, bone) in self.bones.iter().enumerate() {
            let hangs = bone.parent.is_some_and(|parent| keyed.is_stale[parent as usize]);
            if hangs && keyed.is_active[index] && keyed.is_done[index] {
                keyed.is_stale[index] = true;
                keyed.is_done[index] = false;
            }
        }
    }
}
