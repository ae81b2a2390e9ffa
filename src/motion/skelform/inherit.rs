//! From numbers to joints in the world.

use super::physics::Body;
use super::{NUMBERS_A_BONE, Rig, direction, turned};
use crate::math::{DVec2, dvec2};
use crate::pose::{Joint, Jointed};

/// What roots hang on.
const WORLD: Joint = Joint { position: DVec2::ZERO, rotation: 0.0, scale: DVec2::ONE, cos_sin: DVec2::X };

impl Rig {
    /// Places every joint: with what chains have turned, and with what swings where `bodies` are given.
    pub(super) fn inherit(&self, bodies: Option<&[Body]>, work: &mut Jointed) {
        work.joints.clear();
        let (numbers, _) = work.numbers.as_chunks::<NUMBERS_A_BONE>();
        for ((bone, &[x, y, rotation, scale_x, scale_y]), &turn) in
            self.bones.iter().zip(numbers).zip(&work.turns)
        {
            let swing = bodies.zip(bone.physics).map(|(bodies, physics)| {
                let physics = physics as usize;
                (&self.physics[physics], &bodies[physics])
            });
            let mut joint = Joint { position: dvec2(x, y), rotation, scale: dvec2(scale_x, scale_y), ..WORLD };
            if let Some(parent) = bone.parent {
                let parent = work.joints[parent as usize];
                // What sways hangs back behind its parent's turn.
                let (orbit, cos_sin) = match swing {
                    Some((physics, body)) if physics.sway > 0.0 => {
                        let orbit = parent.rotation - body.orbit_diff;
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
            if let Some((physics, body)) = swing {
                if physics.rotation_damping > 0.0 {
                    joint.rotation = body.rotation;
                }
                if physics.position_damping > 0.0 {
                    joint.position = body.position;
                }
                if physics.scale_damping > 0.0 {
                    joint.scale = body.scale;
                }
            }
            joint.cos_sin = match bone.parent.map(|parent| work.joints[parent as usize]) {
                // As often as not a bone turns with its parent.
                Some(parent) if parent.rotation == joint.rotation => parent.cos_sin,
                _ => direction(joint.rotation),
            };
            work.joints.push(joint);
        }
    }
}
