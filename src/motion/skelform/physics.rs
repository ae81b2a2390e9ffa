//! Physics: positions, scales and rotations that lag behind, and bones that sway.
//!
//! It depends on earlier poses, in steps of a 60th of a second.

use super::ease::{Handles, ease};
use super::joint::Joint;
use super::{Rig, angle};
use crate::math::angle::wrap_radians;
use crate::math::{DVec2, dvec2};

/// Physics of a bone. Values of 0 disable a part.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Physics {
    pub position_damping: f64,
    /// Below 0 reduces the damping in y, above 0 in x.
    pub position_ratio: f64,
    pub rotation_damping: f64,
    pub scale_damping: f64,
    /// Below 0 reduces the damping in y, above 0 in x.
    pub scale_ratio: f64,
    pub sway: f64,
    pub bounce: f64,
    /// The initial state, as stored in the file.
    pub start: Body,
}

/// The current state of a bone with physics, in the world: pixels and radians.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct Body {
    pub position: DVec2,
    pub rotation: f64,
    pub scale: DVec2,
    /// Direction from the parent to the bone.
    pub orbit: f64,
    /// How far that direction lags behind.
    pub orbit_diff: f64,
    pub orbit_velocity: f64,
}

impl Rig {
    /// Advances by one step towards `joints`.
    pub(super) fn swing(&self, joints: &[Joint], bodies: &mut [Body]) {
        for (bone, joint) in self.bones.iter().zip(joints) {
            let Some(index) = bone.physics else { continue };
            let parent = bone.parent.map(|parent| joints[parent as usize].position);
            self.physics[index as usize].swing(joint, parent, &mut bodies[index as usize]);
        }
    }
}

impl Physics {
    /// Returns true if any part is enabled.
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

/// Moves by two frames of a change that takes `damping` frames; faster along one axis.
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
