//! The animations, stored frame by frame.

mod curve;
mod idle;
mod jump;
mod pose;
mod walk;
mod wave;

use super::v1;

use super::rig::{BONES, Bone, Joint};
use super::shape::{Point, turned};

use pose::Pose;

/// Frames per second of all animations.
pub const FPS: u16 = 24;

/// Returns all animations. `bind` comes first: the pose in which the vertices are drawn.
pub fn animations() -> Vec<v1::Animation> {
    vec![
        record("bind", false, 1, |_| Pose::bind()),
        record("idle", true, idle::FRAMES, idle::pose),
        record("walk", true, walk::FRAMES, walk::pose),
        record("jump", false, jump::FRAMES, jump::pose),
        record("wave", false, wave::FRAMES, wave::pose),
    ]
}

fn record(name: &str, looping: bool, frames: u32, pose: fn(u32) -> Pose) -> v1::Animation {
    let frames: Vec<_> = (0..frames).map(|frame| pose(frame).transforms()).collect();
    v1::Animation::new(name, looping, &frames)
}
