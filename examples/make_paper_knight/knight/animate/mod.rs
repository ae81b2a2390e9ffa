//! The animations, stored frame by frame.

mod curve;
mod idle;
mod pose;

use pchr::formats::pchr::schema;

use pose::Pose;

/// Frames a second, of all animations.
pub const FPS: u16 = 24;

/// `bind` comes first: the pose in which the vertices are drawn.
pub fn animations() -> Vec<schema::Animation> {
    vec![
        record("bind", false, 1, |_| Pose::bind()),
        record("idle", true, idle::FRAMES, idle::pose),
    ]
}

fn record(name: &str, looping: bool, frames: u32, pose: fn(u32) -> Pose) -> schema::Animation {
    let frames: Vec<_> = (0..frames).map(|frame| pose(frame).transforms()).collect();
    schema::Animation::new(name, looping, &frames)
}
