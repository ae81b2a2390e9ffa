//! Breathing, a swaying cape, a blink. Loops; the other animations are based on it.

use super::Bone;
use super::curve::wave;
use super::pose::{Foot, Pose, Side};

pub const FRAMES: u32 = 60;
/// Positions of the feet.
pub const FRONT: Foot = Foot { x: -19.0, lift: 0.0, pitch: 0.0, toe: 0.0 };
pub const BACK: Foot = Foot { x: 19.0, lift: 0.0, pitch: 0.0, toe: 0.0 };
/// Offset of the hips from the bind pose.
pub const SINK: f64 = -2.5;

pub fn pose(frame: u32) -> Pose {
    let t = f64::from(frame) / f64::from(FRAMES);
    // One breath a loop: in, a little quicker than out.
    let breath = wave(t + 0.045 * wave(t));
    let mut pose = Pose::at_ease();
    pose.shift(Bone::Hips, 0.4 * wave(t + 0.25), SINK + 0.5 * wave(t - 0.05));
    pose.turn(Bone::Hips, 0.3 * wave(t + 0.25));
    pose.turn(Bone::Spine, 0.5 * wave(t - 0.05));
    pose.shift(Bone::Chest, 0.0, 1.1 * breath);
    pose.scale(Bone::Chest, 1.0 + 0.012 * breath, 1.0 + 0.016 * breath);
    pose.scale(Bone::Neck, 1.0 / (1.0 + 0.012 * breath), 1.0 / (1.0 + 0.016 * breath));
    pose.turn(Bone::Head, 1.1 * wave(t - 0.14));
    pose.shift(Bone::Face, 0.4 * wave(t - 0.2), 0.3 * wave(t - 0.1));
    pose.turn(Bone::Visor, 0.8 * wave(t - 0.2));

    pose.turn(Bone::ArmUpperFront, -1.4 * wave(t - 0.08));
    pose.turn(Bone::ArmLowerFront, 2.0 * wave(t - 0.16));
    pose.turn(Bone::HandFront, 2.4 * wave(t - 0.24));
    pose.turn(Bone::ArmUpperBack, 1.0 * wave(t - 0.10));
    pose.turn(Bone::ArmLowerBack, 1.3 * wave(t - 0.18));
    pose.turn(Bone::Shield, -1.6 * wave(t - 0.22));
    pose.turn(Bone::Sword, 0.8 * wave(t - 0.1));

    // A light breeze: each piece follows the one above it.
    let breeze = |delay: f64| wave(t - delay) + 0.35 * wave(2.0 * t - 1.7 * delay);
    pose.cape([-1.0 + 0.7 * breeze(0.05), 1.4 * breeze(0.17), 2.2 * breeze(0.29), 3.0 * breeze(0.41)]);
    pose.plume([1.3 * breeze(0.1), 2.4 * breeze(0.22), 3.6 * breeze(0.34), 4.8 * breeze(0.46)]);

    pose.close_eyes((41..44).contains(&frame));
    pose.stand(Side::Back, BACK);
    pose.stand(Side::Front, FRONT);
    pose
}
