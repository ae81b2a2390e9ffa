//! One frame in the making: the bind pose, bent.

use pchr::formats::pchr::schema::BoneTransform;
use pchr::math::angle::sin_cos_degrees_f64;

use super::curve::direction;
use crate_rig::{BONES, Bone};
use crate_shape::{Point, turned};

use super::super::{rig as crate_rig, shape as crate_shape};

/// Which leg or arm.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Side {
    Back,
    Front,
}

/// Where a foot is: world pixels and degrees.
#[derive(Clone, Copy)]
pub struct Foot {
    /// Of the ankle, were the foot flat.
    pub x: f64,
    /// How far the sole is off the ground.
    pub lift: f64,
    /// Toes up is positive; the foot turns about its heel then, else about its ball.
    pub pitch: f64,
    /// Turn of the toes against the foot.
    pub toe: f64,
}

#[derive(Clone)]
pub struct Pose {
    locals: Vec<Local>,
}

#[derive(Clone, Copy)]
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
/// From the ankle to where the sole turns.
const HEEL: f64 = -13.0;
const BALL: f64 = 18.0;

impl Pose {
    /// As the vertices are drawn, eyes open.
    pub fn bind() -> Self {
        let local = |joint: &crate_rig::Joint| {
            let (offset, degrees) = joint.bone.local();
            Local { offset, degrees, scale: [1.0, 1.0], visible: joint.bone != Bone::EyesClosed, z: joint.z }
        };
        Self { locals: BONES.iter().map(local).collect() }
    }

    pub fn turn(&mut self, bone: Bone, degrees: f64) {
        self.locals[bone as usize].degrees += degrees;
    }

    /// In the parent's frame.
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

    /// Turns `bone` so that its world angle is `degrees`; its ancestors are set already.
    pub fn aim(&mut self, bone: Bone, degrees: f64) {
        let parent = bone.parent().map_or(0.0, |parent| self.world_degrees(parent));
        self.locals[bone as usize].degrees = degrees - parent;
    }

    /// Bends a leg so that the foot is where it should be. The root and the hips are set already.
    ///
    /// Feet live in the frame of the root: what squashes the root squashes the step too.
    pub fn stand(&mut self, side: Side, foot: Foot) {
        let [thigh, shin, ankle, toe] = match side {
            Side::Back => [Bone::LegUpperBack, Bone::LegLowerBack, Bone::FootBack, Bone::ToeBack],
            Side::Front => [Bone::LegUpperFront, Bone::LegLowerFront, Bone::FootFront, Bone::ToeFront],
        };
        let pivot = if foot.pitch >= 0.0 { HEEL } else { BALL };
        let target = turned([-pivot, ANKLE], foot.pitch, [foot.x + pivot, foot.lift]);
        let hips = self.locals[Bone::Hips as usize];
        let hip = turned(self.locals[thigh as usize].offset, hips.degrees, hips.offset);
        let (dx, dy) = (target[0] - hip[0], target[1] - hip[1]);
        let reach = (dx * dx + dy * dy).sqrt().clamp(20.0, THIGH + SHIN - 0.02);
        // The knee is `along` the line from hip to ankle and `aside` of it, always forward.
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

    fn world_degrees(&self, bone: Bone) -> f64 {
        let own = self.locals[bone as usize].degrees;
        bone.parent().map_or(own, |parent| own + self.world_degrees(parent))
    }

    /// One record a bone, on a grid of 1/64 pixels and degrees so that no platform's last bit shows.
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

/// The same angle within half a turn of `center`, so that neighbouring frames have neighbouring numbers.
fn near(degrees: f64, center: f64) -> f64 {
    degrees - ((degrees - center) / 360.0).round() * 360.0
}

/// The point `length` away in direction `degrees` of a bone.
#[allow(dead_code)]
pub fn tip([x, y]: Point, degrees: f64, length: f64) -> Point {
    let (sin, cos) = sin_cos_degrees_f64(degrees);
    [x - sin * length, y + cos * length]
}
