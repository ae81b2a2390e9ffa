//! Breathing, a swaying cape, a blink. Loops.

use super::curve::wave;
use super::pose::{Pose, Foot, Side};
use super::super::rig::Bone;

pub const FRAMES: u32 = 60;

pub fn pose(frame: u32) -> Pose {
    let t = f64::from(frame) / f64::from(FRAMES);
    let mut pose = Pose::bind();
    pose.shift(Bone::Hips, 0.0, -3.0 + wave(t));
    pose.stand(Side::Back, Foot { x: 17.0, lift: 0.0, pitch: 0.0, toe: 0.0 });
    pose.stand(Side::Front, Foot { x: -17.0, lift: 0.0, pitch: 0.0, toe: 0.0 });
    pose
}
