//! Transform constraints: mix the transform of a target into bones.

use super::axes::{angle, direction, turn, wrap_once};
use super::bone::TINY;
use super::{ConstraintPose, Links, Rig, Rules, Scratch};
use crate::math::angle::wrap_turn;
use crate::math::{DAffine2, DMat2, DVec2, dvec2};

/// Bones that take on a share of another bone's transform.
#[derive(Debug, Clone)]
pub(crate) struct TransformConstraint {
    pub bones: Vec<u32>,
    pub target: usize,
    /// Changes local poses instead of matrices.
    pub is_local: bool,
    /// Adds the target's transform instead of replacing the bone's.
    pub is_relative: bool,
    /// Degrees, added to the target's rotation.
    pub rotation: f64,
    /// Pixels in the space of the target.
    pub translation: DVec2,
    /// Added to the target's scale.
    pub scale: DVec2,
    /// Degrees, added to the target's y axis.
    pub shear_y: f64,
    /// Which properties drive which, since 4.3; before, each drives itself.
    pub links: Option<Links>,
}

/// How much of each component bones take on.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
struct Mixes {
    rotate: f64,
    translate: DVec2,
    scale: DVec2,
    shear: f64,
}

impl TransformConstraint {
    /// Returns true if it changes local poses instead of matrices.
    pub fn changes_locally(&self) -> bool {
        self.links.as_ref().map_or(self.is_local, |links| links.is_local)
    }

    pub(super) fn apply(&self, rig: &Rig, target: usize, now: &ConstraintPose, scratch: &mut Scratch) {
        if let Some(links) = &self.links {
            return self.link(links, rig, target, now, scratch);
        }
        let [rotate, x, y, scale_x, scale_y, shear, ..] = now.values;
        let scale_y = if rig.rules.needs_scale_x && scale_x == 0.0 { 0.0 } else { scale_y };
        let mixes = Mixes { rotate, translate: dvec2(x, y), scale: dvec2(scale_x, scale_y), shear };
        let is_off = mixes == Mixes::default();
        if is_off && !rig.rules.restarts_bones {
            return;
        }
        if self.is_local {
            self.apply_local(rig, target, mixes, scratch);
        } else if is_off {
            self.bones.iter().for_each(|&bone| rig.moved_in_world(bone as usize, scratch));
        } else {
            let target = scratch.world[target];
            for &bone in &self.bones {
                let bone = bone as usize;
                scratch.world[bone] = self.pulled(scratch.world[bone], target, mixes);
                rig.moved_in_world(bone, scratch);
            }
        }
    }

    /// Returns a matrix mixed with the target's.
    fn pulled(&self, bone: DAffine2, target: DAffine2, mixes: Mixes) -> DAffine2 {
        let DAffine2 { matrix2: mut axes, mut translation } = bone;
        let pull = target.matrix2;
        // The offset turns the other way if the target is mirrored.
        let sense = if pull.determinant() > 0.0 { 1.0 } else { -1.0 };
        if mixes.rotate != 0.0 {
            let from = if self.is_relative { 0.0 } else { angle(axes.x_axis) };
            let by = wrap_once(angle(pull.x_axis) - from + self.rotation * sense);
            axes = turn(by * mixes.rotate) * axes;
        }
        if mixes.translate != DVec2::ZERO {
            let to = target.transform_point2(self.translation);
            let from = if self.is_relative { DVec2::ZERO } else { translation };
            translation += (to - from) * mixes.translate;
        }
        let scaled = |axis: DVec2, pull: DVec2, offset: f64, mix: f64| {
            if mix <= 0.0 {
                return axis;
            }
            let (length, pull) = (axis.length(), pull.length());
            if self.is_relative {
                axis * ((pull - 1.0 + offset) * mix + 1.0)
            } else if length > TINY {
                axis * ((length + (pull - length + offset) * mix) / length)
            } else {
                axis
            }
        };
        axes = DMat2::from_cols(
            scaled(axes.x_axis, pull.x_axis, self.scale.x, mixes.scale.x),
            scaled(axes.y_axis, pull.y_axis, self.scale.y, mixes.scale.y),
        );
        if mixes.shear > 0.0 {
            // Shear is the deviation of the angle between the axes from a right angle.
            let between = |axes: DMat2| angle(axes.y_axis) - angle(axes.x_axis);
            let from = if self.is_relative { 90.0 } else { between(axes) };
            let by =
                if self.is_relative { wrap_once(between(pull)) - from } else { wrap_once(between(pull) - from) };
            let y = angle(axes.y_axis) + (by + self.shear_y * sense) * mixes.shear;
            axes.y_axis = direction(y) * axes.y_axis.length();
        }
        DAffine2 { matrix2: axes, translation }
    }

    fn apply_local(&self, rig: &Rig, target: usize, mixes: Mixes, scratch: &mut Scratch) {
        let target = rig.applied(target, scratch);
        for &bone in &self.bones {
            let bone = bone as usize;
            let mut local = rig.applied(bone, scratch);
            if self.is_relative {
                local.rotation += (target.rotation + self.rotation) * mixes.rotate;
                local.translation += (target.translation + self.translation) * mixes.translate;
                local.scale = scaled(local.scale, mixes.scale, &rig.rules, |now| {
                    now * ((target.scale - DVec2::ONE + self.scale) * mixes.scale + DVec2::ONE)
                });
                if mixes.shear > 0.0 {
                    local.shear.y += (target.shear.y + self.shear_y) * mixes.shear;
                }
            } else {
                if mixes.rotate != 0.0 {
                    let by = target.rotation - local.rotation + self.rotation;
                    local.rotation += if rig.rules.copies_short_way { wrap_turn(by) } else { by } * mixes.rotate;
                }
                local.translation += (target.translation - local.translation + self.translation) * mixes.translate;
                // Divided by the old scale once more, as in every program that plays such files.
                local.scale = scaled(local.scale, mixes.scale, &rig.rules, |now| {
                    (now + (target.scale - now + self.scale) * mixes.scale) / now
                });
                if mixes.shear > 0.0 {
                    let by = target.shear.y - local.shear.y + self.shear_y;
                    local.shear.y += if rig.rules.copies_short_way { wrap_turn(by) } else { by } * mixes.shear;
                }
            }
            rig.place(bone, local, scratch);
        }
    }
}

/// Applies `change` to the scale. A component that is not mixed or zero, or mirrored by older rules, keeps its value.
fn scaled(now: DVec2, mix: DVec2, rules: &Rules, change: impl Fn(DVec2) -> DVec2) -> DVec2 {
    let is_scaled =
        if rules.keeps_mirrored_scale { now.cmpgt(DVec2::splat(TINY)) } else { now.cmpne(DVec2::ZERO) };
    DVec2::select(is_scaled & mix.cmpgt(DVec2::ZERO), change(now), now)
}
