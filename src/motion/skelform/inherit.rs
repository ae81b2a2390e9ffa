//! Evaluated numbers → joints in the world: each inherits from its parent, rotation and scale separately.

use super::joint::Joint;
use super::physics::Body;
use super::{NUMBERS_A_BONE, Rig, Scratch, direction, turned};
use crate::math::angle::wrap_radians;
use crate::math::{DVec2, dvec2};
use crate::motion::BoneOverride;

/// The parent of root bones.
const WORLD: Joint = Joint { position: DVec2::ZERO, rotation: 0.0, scale: DVec2::ONE, cos_sin: DVec2::X };

fn mixed(own: DVec2, swung: DVec2, mix: f64) -> DVec2 {
    if mix == 1.0 { swung } else { own.lerp(swung, mix) }
}

impl Rig {
    /// Computes every joint, with the rotations given by chains, and with physics if `bodies` and their mix are given.
    pub(super) fn inherit(&self, bodies: Option<(&[Body], f64)>, scratch: &mut Scratch) {
        let Scratch { numbers, turns, joints, .. } = scratch;
        joints.resize(self.bones.len(), WORLD);
        let (numbers, _) = numbers.as_chunks::<NUMBERS_A_BONE>();
        let bones = self.bones.iter().zip(numbers).zip(&*turns).enumerate();
        for (index, ((bone, &[x, y, rotation, scale_x, scale_y]), &turn)) in bones {
            let swing = bodies.zip(bone.physics).map(|((bodies, mix), physics)| {
                let physics = physics as usize;
                (&self.physics[physics], &bodies[physics], mix)
            });
            let mut joint = Joint { position: dvec2(x, y), rotation, scale: dvec2(scale_x, scale_y), ..WORLD };
            if let Some(parent) = bone.parent {
                let parent = joints[parent as usize];
                // A swaying bone lags behind the rotation of its parent.
                let (orbit, cos_sin) = match swing {
                    Some((physics, body, mix)) if physics.sway > 0.0 => {
                        let orbit = parent.rotation - body.orbit_diff * mix;
                        (orbit, direction(orbit))
                    }
                    _ => (parent.rotation, parent.cos_sin),
                };
                let is_mirrored = (parent.scale.x < 0.0) != (parent.scale.y < 0.0);
                joint.rotation = if is_mirrored { orbit - rotation } else { rotation + orbit };
                joint.position = parent.position + turned(joint.position * parent.scale, cos_sin);
                joint.scale *= parent.scale;
            }
            if !turn.is_nan() {
                joint.rotation = turn;
            }
            if let Some((physics, body, mix)) = swing {
                if physics.rotation_damping > 0.0 {
                    let by = wrap_radians(body.rotation - joint.rotation) * mix;
                    joint.rotation = if mix == 1.0 { body.rotation } else { joint.rotation + by };
                }
                if physics.position_damping > 0.0 {
                    joint.position = mixed(joint.position, body.position, mix);
                }
                if physics.scale_damping > 0.0 {
                    joint.scale = mixed(joint.scale, body.scale, mix);
                }
            }
            // Often a bone has the rotation of its parent, or the same rotation as in the last pose.
            let known = bone.parent.map_or(&WORLD, |parent| &joints[parent as usize]);
            let known = if known.rotation == joint.rotation { known } else { &joints[index] };
            joint.cos_sin =
                if known.rotation == joint.rotation { known.cos_sin } else { direction(joint.rotation) };
            joints[index] = joint;
        }
    }

    /// Sets the numbers of overridden bones. World positions are converted to the space of the parent, one bone
    /// after the other, so that they are also correct if an ancestor is moved.
    pub(super) fn put(&self, overrides: &[BoneOverride], scratch: &mut Scratch) {
        for put in overrides {
            let at = NUMBERS_A_BONE * put.bone.index();
            if put.bone.index() >= self.bones.len() {
                continue;
            }
            let numbers = &mut scratch.numbers[at..at + NUMBERS_A_BONE];
            if let Some(position) = put.local_position() {
                numbers[..2].copy_from_slice(&position.as_dvec2().to_array());
            }
            if let Some(degrees) = put.rotation_degrees() {
                numbers[2] = f64::from(degrees).to_radians();
            }
            if let Some(scale) = put.finite_scale() {
                numbers[3..].copy_from_slice(&scale.as_dvec2().to_array());
            }
        }
        if overrides.iter().all(|put| put.world_position().is_none()) {
            return;
        }
        for (bone, rig) in self.bones.iter().enumerate() {
            let mut puts = overrides.iter().filter(|put| put.bone.index() == bone);
            // The last override with a position applies.
            let last = puts.rfind(|put| put.local_position().or(put.world_position()).is_some());
            let Some(world) = last.and_then(BoneOverride::world_position) else { continue };
            self.inherit(None, scratch);
            let parent = rig.parent.map_or(WORLD, |parent| scratch.joints[parent as usize]);
            if parent.scale.x != 0.0 && parent.scale.y != 0.0 {
                let DVec2 { x: cos, y: sin } = parent.cos_sin;
                let local = turned(world.as_dvec2() - parent.position, dvec2(cos, -sin)) / parent.scale;
                let at = NUMBERS_A_BONE * bone;
                scratch.numbers[at..at + 2].copy_from_slice(&local.to_array());
            }
        }
    }
}
