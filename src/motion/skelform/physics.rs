//! What swings: positions, scales and rotations that lag behind, and bones that sway.
//!
//! It depends on what was before, one step every 60th of a second.

use super::ease::{Handles, ease};
use super::joint::Joint;
use super::{Rig, angle};
use crate::math::angle::wrap_radians;
use crate::math::{DVec2, dvec2};

/// How something swings. What is 0 does not.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Physics {
    pub position_damping: f64,
    /// Below 0 less damping in y, above 0 less in x.
    pub position_ratio: f64,
    pub rotation_damping: f64,
    pub scale_damping: f64,
    /// Below 0 less damping in y, above 0 less in x.
    pub scale_ratio: f64,
    pub sway: f64,
    pub bounce: f64,
    /// As the file has it.
    pub start: Body,
}

/// Where it is with what swings, in the world: pixels and radians.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct Body {
    pub position: DVec2,
    pub rotation: f64,
    pub scale: DVec2,
    /// The direction from the parent in which it hangs.
    pub orbit: f64,
    /// How far that is behind.
    pub orbit_diff: f64,
    pub orbit_velocity: f64,
}

impl Rig {
    /// One step on, towards `joints`.
    pub(super) fn swing(&self, joints: &[Joint], bodies: &mut [Body]) {
        for (bone, joint) in self.bones.iter().zip(joints) {
            let Some(index) = bone.physics else { continue };
            let parent = bone.parent.map(|parent| joints[parent as usize].position);
            self.physics[index as usize].swing(joint, parent, &mut bodies[index as usize]);
        }
    }
}

impl Physics {
    /// Whether anything does.
    pub fn swings(&self) -> bool {
        let Self { position_damping, rotation_damping, scale_damping, sway, .. } = *self;
        [position_damping, rotation_damping, scale_damping, sway].iter().any(|&amount| amount > 0.0)
    }

    fn swing(&self, joint: &Joint, parent: Option<DVec2>, body: &mut Body) {
        let before = body.position;
        if self.position_damping > 0.0 || self.sway > 0.0 {
            body.position = follow(body.position, joint.position, self.position_damping, self.position_ratio);
        }
        if self.scale_damping > 0.0 {
            body.scale = follow(body.scale, joint.scale, self.scale_damping, self.scale_ratio);
        }
        if self.rotation_damping > 0.0 {
            body.rotation += wrap_radians(joint.rotation - body.rotation) / self.rotation_damping;
        }
        if let (true, Some(parent)) = (self.sway > 0.0, parent) {
            let hangs = angle(joint.position - parent);
            let mut towards = wrap_radians(hangs - body.orbit);
            if self.bounce > 0.0 && self.bounce <= 1.0 {
                towards += body.orbit_velocity / (2.0 - self.bounce);
                body.orbit_velocity = towards;
            }
            body.orbit += towards / 10.0;
            let moved = body.position - before;
            body.orbit += wrap_radians(angle(-moved) - body.orbit) * moved.length() / 1000.0 * self.sway;
            body.orbit_diff = hangs - body.orbit;
        }
    }
}

/// Two frames of the way that takes `damping` frames; less in one direction.
fn follow(from: DVec2, to: DVec2, damping: f64, ratio: f64) -> DVec2 {
    let mut spans = dvec2(damping, damping);
    if ratio < 0.0 {
        spans.y *= 1.0 + ratio;
    } else {
        spans.x *= 1.0 - ratio;
    }
    let step = |span: f64, from, to| ease(2.0, span.trunc(), from, to, Handles::PHYSICS);
    dvec2(step(spans.x, from.x, to.x), step(spans.y, from.y, to.y))
}
