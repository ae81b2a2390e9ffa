//! He raises the near arm and waves. It passes in front of the head: the arm's order changes.

use super::Bone;
use super::curve::{keys, wave};
use super::idle::{BACK, FRONT, SINK};
use super::pose::{Pose, Side};

pub const FRAMES: u32 = 56;

/// The frames between which the arm is in front of everything.
const IN_FRONT: std::ops::Range<u32> = 7..46;

pub fn pose(frame: u32) -> Pose {
    let t = f64::from(frame);
    let mut pose = Pose::at_ease();
    let raised =
        keys(t, &[(2.0, 0.0), (5.0, -0.06), (12.0, 1.05), (15.0, 1.0), (38.0, 1.0), (47.0, -0.05), (51.0, 0.0)]);
    // Intensity of the waving; three waves to and fro.
    let busy = keys(t, &[(11.0, 0.0), (15.0, 1.0), (34.0, 1.0), (39.0, 0.0)]);
    let beat = |delay: f64| busy * wave((t - delay - 14.0) / 8.0);

    pose.shift(
        Bone::Hips,
        -1.5 * raised,
        SINK - 3.0
            * keys(t, &[(2.0, 0.0), (6.0, 1.0), (11.0, -0.4), (15.0, 0.0), (40.0, 0.0), (47.0, 0.8), (53.0, 0.0)]),
    );
    pose.turn(Bone::Hips, -0.8 * raised);
    pose.turn(Bone::Spine, -1.8 * raised - 0.5 * beat(0.5));
    pose.turn(Bone::Chest, -2.2 * raised - 0.8 * beat(0.8));
    pose.turn(Bone::Neck, 2.0 * raised);
    pose.turn(Bone::Head, 5.0 * raised + 1.8 * beat(2.0));
    pose.turn(Bone::Visor, 7.0 * raised + 1.5 * beat(3.0));
    pose.shift(Bone::Face, -raised, 0.5 * raised);

    pose.shift(Bone::ArmUpperFront, -raised, 5.0 * raised);
    pose.shift(Bone::ShoulderFront, -raised, 5.0 * raised);
    pose.turn(Bone::ArmUpperFront, -116.0 * raised - 4.0 * beat(0.0));
    pose.turn(Bone::ShoulderFront, -62.0 * raised - 2.0 * beat(0.0));
    pose.turn(
        Bone::ArmLowerFront,
        -62.0 * keys(t, &[(5.0, 0.0), (13.0, 1.0), (38.0, 1.0), (46.0, 0.0)]) - 23.0 * beat(0.6),
    );
    pose.turn(Bone::HandFront, -16.0 * beat(1.6));
    pose.turn(Bone::ArmUpperBack, -3.0 * raised);
    pose.turn(Bone::Shield, 3.0 * raised + 1.0 * beat(1.5));
    pose.turn(Bone::Sword, 2.0 * raised + 1.0 * beat(1.5));

    let lag = |delay: f64| {
        keys(
            t - delay,
            &[
                (2.0, 0.0),
                (6.0, 0.5),
                (12.0, -1.0),
                (18.0, 0.3),
                (26.0, 0.0),
                (40.0, 0.0),
                (46.0, 0.7),
                (49.0, -0.2),
                (52.0, 0.0),
            ],
        )
    };
    pose.cape([
        1.5 * lag(0.0),
        2.5 * lag(1.0) + 0.6 * beat(2.0),
        4.0 * lag(1.8) + 1.0 * beat(3.2),
        5.0 * lag(2.6) + 1.4 * beat(4.4),
    ]);
    pose.plume([
        -3.0 * lag(0.5) + 0.8 * beat(2.0),
        -5.0 * lag(1.0) + 1.6 * beat(3.0),
        -7.0 * lag(1.8) + 2.4 * beat(4.0),
        -9.0 * lag(2.6) + 3.2 * beat(5.0),
    ]);

    pose.close_eyes((5..7).contains(&frame) || (18..34).contains(&frame));
    if IN_FRONT.contains(&frame) {
        for (bone, z) in [
            (Bone::ArmUpperFront, 100),
            (Bone::HandFront, 101),
            (Bone::ArmLowerFront, 102),
            (Bone::ShoulderFront, 104),
        ] {
            pose.order(bone, z);
        }
    }
    pose.stand(Side::Back, BACK);
    pose.stand(Side::Front, FRONT);
    pose
}
