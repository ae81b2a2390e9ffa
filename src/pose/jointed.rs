//! Memory for motion whose bones take over rotation and scale each by itself.

use crate::math::angle::sin_cos_radians;
use crate::math::{Affine2, DVec2, Mat2};
use crate::model::{AttachmentId, SkinId};

/// Memory that is used again from pose to pose.
#[derive(Debug, Clone, Default)]
pub(crate) struct Jointed {
    /// Which motion and which skins `shown` was made for; 0 is none.
    pub made_for: (u64, Vec<SkinId>),
    /// What each thing that a slot can show is in these skins, slot after slot.
    pub shown: Vec<Option<AttachmentId>>,
    /// What animations change gradually.
    pub numbers: Vec<f64>,
    /// What animations change at once.
    pub switches: Vec<i32>,
    /// By bone: where it is in the world.
    pub joints: Vec<Joint>,
    /// By bone: the angle in the world that a chain gives it; none at all where no chain does.
    pub turns: Vec<f64>,
    /// By bone: it is hidden, or what it hangs on is.
    pub hidden: Vec<bool>,
    /// The joints of one chain.
    pub chain: Vec<DVec2>,
    /// What lies between each two of them.
    pub segments: Vec<Segment>,
    /// By slot: how far its pivot moves it.
    pub offsets: Vec<DVec2>,
}

/// What lies between two joints of a chain.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Segment {
    /// Pixels.
    pub length: f64,
    /// Where it ended a round ago.
    pub end: DVec2,
}

/// A bone in the world: pixels, y up, and radians counter-clockwise.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Joint {
    pub position: DVec2,
    pub rotation: f64,
    pub scale: DVec2,
    /// Of `rotation`.
    pub cos_sin: DVec2,
}

impl Joint {
    /// World from what is scaled by `scale` and turned to `cos_sin`.
    pub fn affine(position: DVec2, cos_sin: DVec2, scale: DVec2) -> Affine2 {
        let (x_axis, y_axis) = (cos_sin * scale.x, cos_sin.perp() * scale.y);
        Affine2 { matrix2: Mat2::from_cols(x_axis.as_vec2(), y_axis.as_vec2()), translation: position.as_vec2() }
    }

    /// Turns it to an angle.
    pub fn turn(&mut self, radians: f64) {
        let (sin, cos) = sin_cos_radians(radians);
        (self.rotation, self.cos_sin) = (radians, DVec2::new(cos, sin));
    }

    /// World from the bone.
    pub fn world_from_bone(&self) -> Affine2 {
        Self::affine(self.position, self.cos_sin, self.scale)
    }
}
