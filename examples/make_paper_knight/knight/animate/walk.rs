//! A walk in place: a foot on the ground moves backwards at constant speed, so nothing slides if the ground moves
//! along. Loops; two steps.

use super::Bone;
use super::curve::{keys, wave};
use super::pose::{Foot, Pose, Side};

pub const FRAMES: u32 = 24;

/// Fraction of a cycle during which a foot is on the ground.
const STANCE: f64 = 0.56;
/// Where a foot touches down and lifts off, relative to the body.
const AHEAD: f64 = 45.0;
const BEHIND: f64 = -46.0;
/// Half of the distance between the tracks of the feet.
const TRACK: f64 = 5.0;

pub fn pose(frame: u32) -> Pose {
    let t = f64::from(frame) / f64::from(FRAMES);
    // Position of the near leg, forward is positive; the near arm does the opposite.
    let stride = |delay: f64| wave(t - delay + 0.25);
    // Up and down twice a cycle, lowest just after a foot touches down.
    let bob = |delay: f64| -wave(2.0 * (t - 0.07 - delay) + 0.25);

    let mut pose = Pose::at_ease();
    pose.shift(Bone::Hips, 1.0 + 0.8 * wave(2.0 * t), -7.0 + 3.6 * bob(0.0));
    pose.turn(Bone::Hips, -1.5 + 1.6 * stride(0.1));
    // Seen more from the side than at ease; the far leg's joint moves forward as the near one moves back.
    pose.shift(Bone::LegUpperFront, 7.0 + 3.0 * stride(0.0), 0.0);
    pose.shift(Bone::LegUpperBack, -7.0 - 3.0 * stride(0.0), 0.0);
    pose.turn(Bone::Spine, -1.5 - 1.2 * stride(0.05));
    pose.turn(Bone::Chest, -1.5 - 1.4 * stride(0.0) + 0.8 * bob(0.06));
    pose.turn(Bone::Neck, 1.5 + 0.6 * stride(0.0));
    pose.turn(Bone::Head, 1.5 + 0.9 * stride(0.05) - 1.6 * bob(0.12));
    pose.shift(Bone::Head, 0.0, 0.9 * bob(0.1));
    pose.shift(Bone::Face, -0.6 * stride(0.1), 0.5 * bob(0.14));
    pose.turn(Bone::Visor, -1.0 + 2.0 * bob(0.16));

    pose.shift(Bone::ArmUpperFront, -3.4 * stride(0.02), 0.4 * bob(0.1));
    pose.shift(Bone::ShoulderFront, -3.4 * stride(0.02), 0.4 * bob(0.1));
    pose.shift(Bone::ArmUpperBack, 2.6 * stride(0.02), 0.4 * bob(0.1));
    pose.shift(Bone::ShoulderBack, 2.6 * stride(0.02), 0.4 * bob(0.1));
    pose.turn(Bone::ArmUpperFront, 5.0 - 31.0 * stride(0.03));
    pose.turn(Bone::ShoulderFront, 5.0 - 14.0 * stride(0.03));
    pose.turn(Bone::ArmLowerFront, 8.0 - 13.0 * stride(0.1));
    pose.turn(Bone::HandFront, 2.0 - 7.0 * stride(0.17));
    pose.turn(Bone::ArmUpperBack, 2.0 + 11.0 * stride(0.03));
    pose.turn(Bone::ShoulderBack, 6.0 * stride(0.03));
    pose.turn(Bone::ArmLowerBack, 4.0 + 5.0 * stride(0.1));
    pose.turn(Bone::Shield, -5.0 - 13.0 * stride(0.07) + 1.5 * bob(0.12));
    pose.turn(Bone::Sword, 3.0 + 3.0 * stride(0.12) - 2.0 * bob(0.1));

    // The cape streams back and shakes with every step, lower pieces later.
    pose.cape([
        -7.0 - 1.2 * bob(0.05) + 1.0 * stride(0.1),
        -5.0 - 2.4 * bob(0.12) + 1.0 * stride(0.2),
        -3.0 - 4.0 * bob(0.20) + 1.5 * stride(0.3),
        2.0 - 6.0 * bob(0.28) + 2.0 * stride(0.4),
    ]);
    pose.plume([3.0 + 1.8 * bob(0.12), 3.0 + 3.2 * bob(0.19), 1.0 + 5.0 * bob(0.26), -4.0 + 7.0 * bob(0.33)]);

    pose.stand(Side::Front, step(t, -TRACK));
    pose.stand(Side::Back, step(t + 0.5, TRACK));
    pose
}

/// Returns a foot at phase `p`, which is 0 at touchdown.
fn step(p: f64, track: f64) -> Foot {
    let p = p - p.floor();
    Foot {
        x: track + reach(p),
        lift: keys(p, &[(STANCE, 0.0), (0.63, 8.0), (0.72, 17.0), (0.87, 9.0), (1.0, 0.0)]),
        pitch: keys(
            p,
            &[
                (0.0, 18.0),
                (0.09, 0.0),
                (0.32, 0.0),
                (STANCE, -42.0),
                (0.64, -46.0),
                (0.84, 0.0),
                (0.95, 18.0),
                (1.0, 18.0),
            ],
        ),
        toe: keys(p, &[(0.32, 0.0), (STANCE, 40.0), (0.64, 24.0), (0.76, 0.0)]),
    }
}

/// Moves straight backwards on the ground, then swings forward, with a smooth transition.
fn reach(p: f64) -> f64 {
    let speed = (BEHIND - AHEAD) / STANCE;
    if p < STANCE {
        return AHEAD + speed * p;
    }
    let span = 1.0 - STANCE;
    let s = (p - STANCE) / span;
    let (s2, s3) = (s * s, s * s * s);
    let m = speed * span;
    BEHIND * (2.0 * s3 - 3.0 * s2 + 1.0)
        + m * (s3 - 2.0 * s2 + s)
        + AHEAD * (3.0 * s2 - 2.0 * s3)
        + 0.6 * m * (s3 - s2)
}
