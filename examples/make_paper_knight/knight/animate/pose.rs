//! One frame under construction, starting from the bind pose.

use super::v1::BoneTransform;

use super::curve::direction;
use super::{BONES, Bone, Joint, Point, turned};

/// Which leg or arm.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Side {
    Back,
    Front,
}

/// Position of a foot, in world pixels and degrees.
#[derive(Clone, Copy)]
pub struct Foot {
    /// Position of the ankle with the foot flat on the ground.
    pub x: f64,
    /// Height of the sole above the ground.
    pub lift: f64,
    /// Positive lifts the toes and rotates the foot about its heel, negative rotates it about its ball.
    pub pitch: f64,
    /// Rotation of the toes relative to the foot.
    pub toe: f64,
}

/// One transform per bone, not yet rounded.
pub struct Pose {
    locals: Vec<Local>,
}

struct Local {
    offset: Point,
    degrees: f64,
    scale: Point,
    visible: bool,
    z: i16,
}

const THIGH: f64 = 56.0;
const SHIN: f64 = 56.0;
const ANKLE: f64 = 22.0;
/// Distances from the ankle to the pivots of the sole.
const HEEL: f64 = -13.0;
const BALL: f64 = 18.0;

impl Pose {
    /// Returns the pose in which the vertices are drawn, with open eyes.
    pub fn bind() -> Self {
        let local = |joint: &Joint| {
            let (offset, degrees) = joint.bone.local();
            Local { offset, degrees, scale: [1.0, 1.0], visible: joint.bone != Bone::EyesClosed, z: joint.z }
        };
        Self { locals: BONES.iter().map(local).collect() }
    }

    /// Returns a relaxed stance: arms hanging, the shield held before him. Feet are placed relative to it.
    pub fn at_ease() -> Self {
        let mut pose = Self::bind();
        pose.turn(Bone::ArmUpperFront, 8.0);
        pose.turn(Bone::ArmLowerFront, 14.0);
        pose.turn(Bone::HandFront, -4.0);
        pose.turn(Bone::ShoulderFront, 4.0);
        pose.turn(Bone::ArmUpperBack, -10.0);
        pose.turn(Bone::ArmLowerBack, 52.0);
        pose.turn(Bone::ShoulderBack, -5.0);
        pose.turn(Bone::Shield, -44.0);
        pose
    }

    pub fn turn(&mut self, bone: Bone, degrees: f64) {
        self.locals[bone as usize].degrees += degrees;
    }

    /// Moves a bone in its parent's space.
    pub fn shift(&mut self, bone: Bone, dx: f64, dy: f64) {
        let offset = &mut self.locals[bone as usize].offset;
        *offset = [offset[0] + dx, offset[1] + dy];
    }

    pub fn scale(&mut self, bone: Bone, sx: f64, sy: f64) {
        let scale = &mut self.locals[bone as usize].scale;
        *scale = [scale[0] * sx, scale[1] * sy];
    }

    pub fn order(&mut self, bone: Bone, z: i16) {
        self.locals[bone as usize].z = z;
    }

    pub fn close_eyes(&mut self, closed: bool) {
        self.locals[Bone::EyesOpen as usize].visible = !closed;
        self.locals[Bone::EyesClosed as usize].visible = closed;
    }

    /// Swings the cape: the rotation of each piece from the top down; negative is backwards.
    pub fn cape(&mut self, turns: [f64; 4]) {
        let bones = [Bone::CapeTop, Bone::CapeUpper, Bone::CapeMiddle, Bone::CapeLower];
        bones.into_iter().zip(turns).for_each(|(bone, degrees)| self.turn(bone, degrees));
    }

    /// Swings the plume: the rotation of each piece from the helmet outwards; positive is down the back.
    pub fn plume(&mut self, turns: [f64; 4]) {
        let bones = [Bone::PlumeRoot, Bone::PlumeMiddle, Bone::PlumeTip, Bone::PlumeEnd];
        bones.into_iter().zip(turns).for_each(|(bone, degrees)| self.turn(bone, degrees));
    }

    /// Bends a leg so that the foot reaches its position. The root and the hips must be set before.
    ///
    /// Feet are positioned in the space of the root, so squashing the root squashes the step too.
    pub fn stand(&mut self, side: Side, foot: Foot) {
        let [thigh, shin, ankle, toe] = match side {
            Side::Back => [Bone::LegUpperBack, Bone::LegLowerBack, Bone::FootBack, Bone::ToeBack],
            Side::Front => [Bone::LegUpperFront, Bone::LegLowerFront, Bone::FootFront, Bone::ToeFront],
        };
        let pivot = if foot.pitch >= 0.0 { HEEL } else { BALL };
        let target = turned([-pivot, ANKLE], foot.pitch, [foot.x + pivot, foot.lift]);
        let hips = &self.locals[Bone::Hips as usize];
        let hip = turned(self.locals[thigh as usize].offset, hips.degrees, hips.offset);
        let (dx, dy) = (target[0] - hip[0], target[1] - hip[1]);
        let reach = (dx * dx + dy * dy).sqrt().clamp(20.0, THIGH + SHIN - 0.02);
        // The knee is `along` the line from hip to ankle and `aside` from it, always forward.
        let along = (THIGH * THIGH - SHIN * SHIN + reach * reach) / (2.0 * reach);
        let aside = (THIGH * THIGH - along * along).max(0.0).sqrt();
        let line = direction([dx, dy]);
        let thigh_degrees = line - 90.0 + direction([along, aside]);
        let shin_degrees = line - 90.0 - direction([reach - along, aside]);
        self.locals[thigh as usize].degrees = near(thigh_degrees - hips.degrees, 180.0);
        self.locals[shin as usize].degrees = near(shin_degrees - thigh_degrees, 0.0);
        self.locals[ankle as usize].degrees = near(270.0 + foot.pitch - shin_degrees, 90.0);
        self.locals[toe as usize].degrees += foot.toe;
    }

    /// Returns one record per bone, on a grid of 1/64 pixels and degrees that hides rounding differences between
    /// platforms.
    pub fn transforms(&self) -> Vec<BoneTransform> {
        let grid = |value: f64, steps: f64| ((value * steps).round() / steps) as f32;
        let record = |local: &Local| BoneTransform {
            x: grid(local.offset[0], 64.0),
            y: grid(local.offset[1], 64.0),
            rotation: grid(local.degrees, 64.0),
            scale_x: grid(local.scale[0], 1024.0),
            scale_y: grid(local.scale[1], 1024.0),
            flags: if local.visible { BoneTransform::VISIBLE } else { 0 },
            z_order: local.z,
        };
        self.locals.iter().map(record).collect()
    }
}

/// Returns the same angle within half a turn of `center`, so that neighbouring frames have neighbouring numbers.
fn near(degrees: f64, center: f64) -> f64 {
    degrees - ((degrees - center) / 360.0).round() * 360.0
}
