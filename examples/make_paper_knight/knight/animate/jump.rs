//! Crouch, leap, hang, land with a squash, settle; the visor falls shut on landing.

use super::Bone;
use super::curve::keys;
use super::idle::{BACK, FRONT, SINK};
use super::pose::{Foot, Pose, Side};

pub const FRAMES: u32 = 54;

/// The frames at which the feet lift off and touch down.
const OFF: f64 = 13.0;
const DOWN: f64 = 27.0;
const HEIGHT: f64 = 96.0;

pub fn pose(frame: u32) -> Pose {
    let t = f64::from(frame);
    let mut pose = Pose::at_ease();
    let s = ((t - OFF) / (DOWN - OFF)).clamp(0.0, 1.0);
    pose.shift(Bone::Root, 0.0, 4.0 * HEIGHT * s * (1.0 - s));
    let squash = keys(
        t,
        &[
            (2.0, 0.0),
            (9.0, -0.045),
            (11.0, -0.02),
            (14.0, 0.075),
            (20.0, 0.0),
            (27.0, 0.05),
            (29.5, -0.085),
            (35.0, 0.025),
            (40.0, -0.008),
            (44.0, 0.0),
        ],
    );
    pose.scale(Bone::Root, 1.0 - 0.8 * squash, 1.0 + squash);

    let sink = [
        (0.0, SINK),
        (2.0, -1.0),
        (9.0, -36.0),
        (10.5, -35.0),
        (13.0, 4.0),
        (20.0, -3.0),
        (27.0, -3.0),
        (30.0, -44.0),
        (37.0, 0.5),
        (43.0, -5.0),
        (49.0, SINK),
    ];
    pose.shift(
        Bone::Hips,
        keys(
            t,
            &[
                (2.0, 0.0),
                (9.0, -7.0),
                (13.0, 3.0),
                (20.0, 0.0),
                (27.0, -1.0),
                (30.0, -7.0),
                (37.0, 1.0),
                (44.0, 0.0),
            ],
        ),
        keys(t, &sink),
    );
    let lean = keys(
        t,
        &[
            (2.0, 0.0),
            (9.0, -17.0),
            (13.5, 7.0),
            (20.0, -2.0),
            (27.0, -4.0),
            (30.5, -19.0),
            (37.5, 3.0),
            (44.0, -1.0),
            (50.0, 0.0),
        ],
    );
    pose.turn(Bone::Hips, 0.25 * lean);
    pose.turn(Bone::Spine, 0.5 * lean);
    pose.turn(Bone::Chest, 0.6 * lean);
    pose.turn(Bone::Neck, -0.4 * lean);
    pose.turn(
        Bone::Head,
        keys(
            t,
            &[
                (2.0, 0.0),
                (9.0, 2.0),
                (14.0, 10.0),
                (20.0, 2.0),
                (25.0, -8.0),
                (27.0, -6.0),
                (31.0, -5.0),
                (35.0, 12.0),
                (38.0, 12.0),
                (42.0, -3.0),
                (47.0, 0.0),
            ],
        ),
    );
    arms(&mut pose, t);
    follow(&mut pose, t);
    pose.close_eyes((8..10).contains(&frame) || (28..31).contains(&frame));

    let foot = |base: Foot, spread: f64, tuck: f64, late: f64| Foot {
        x: base.x + spread * keys(t, &[(OFF, 0.0), (20.0, 1.0), (DOWN - 1.0, 0.15), (DOWN, 0.0)]),
        lift: keys(t - late, &[(OFF - late, 0.0), (20.0, tuck), (DOWN - 1.0, 0.12 * tuck), (DOWN - late, 0.0)]),
        pitch: keys(
            t,
            &[(9.5, 0.0), (OFF, -50.0), (16.0, -44.0), (21.0, -14.0), (25.5, -18.0), (DOWN, -14.0), (28.0, 0.0)],
        ),
        toe: keys(
            t,
            &[(9.5, 0.0), (OFF, 46.0), (15.0, -8.0), (20.0, 0.0), (25.0, 0.0), (DOWN, 12.0), (28.0, 0.0)],
        ),
    };
    pose.stand(Side::Front, foot(FRONT, 14.0, 46.0, 0.0));
    pose.stand(Side::Back, foot(BACK, -16.0, 24.0, 0.8));
    pose
}

/// Arms: thrown up at the start, floating up behind him in the fall, down again with the landing.
fn arms(pose: &mut Pose, t: f64) {
    let swing = keys(
        t,
        &[
            (1.0, 0.0),
            (9.0, -60.0),
            (13.5, 52.0),
            (16.0, 60.0),
            (21.0, -30.0),
            (26.0, -88.0),
            (28.0, -90.0),
            (32.0, 16.0),
            (38.0, -9.0),
            (44.0, 3.0),
            (50.0, 0.0),
        ],
    );
    let bend = keys(
        t - 1.5,
        &[
            (1.0, 0.0),
            (9.0, 24.0),
            (13.5, 12.0),
            (17.0, 40.0),
            (22.0, 0.0),
            (27.0, -26.0),
            (32.0, 34.0),
            (38.0, 4.0),
            (46.0, 0.0),
        ],
    );
    pose.turn(Bone::ArmUpperFront, swing);
    pose.turn(Bone::ShoulderFront, 0.55 * swing);
    pose.turn(Bone::ArmLowerFront, bend);
    pose.turn(
        Bone::HandFront,
        keys(
            t - 2.5,
            &[
                (1.0, 0.0),
                (9.0, 8.0),
                (13.5, -20.0),
                (18.0, 14.0),
                (24.0, 10.0),
                (27.0, -16.0),
                (32.0, 12.0),
                (40.0, 0.0),
            ],
        ),
    );
    let lift = keys(
        t - 0.5,
        &[
            (1.0, 0.0),
            (9.0, -26.0),
            (13.5, 34.0),
            (18.0, 46.0),
            (27.0, 44.0),
            (31.0, -18.0),
            (38.0, 6.0),
            (46.0, 0.0),
        ],
    );
    pose.turn(Bone::ArmUpperBack, lift);
    pose.turn(Bone::ShoulderBack, 0.5 * lift);
    pose.turn(Bone::ArmLowerBack, 0.35 * lift);
    pose.turn(Bone::Shield, -1.05 * lift);
}

/// Secondary motion: cape, plume, visor, sword.
fn follow(pose: &mut Pose, t: f64) {
    let cape = |delay: f64| {
        keys(
            t - delay,
            &[
                (2.0, 0.0),
                (9.0, -5.0),
                (13.0, 6.0),
                (16.0, 5.0),
                (20.0, -8.0),
                (25.0, -26.0),
                (27.5, -29.0),
                (32.0, -4.0),
                (35.0, 6.0),
                (40.0, -3.0),
                (45.0, 1.0),
                (49.0, 0.0),
            ],
        )
    };
    pose.cape([0.75 * cape(0.0), 0.9 * cape(0.6), 1.0 * cape(1.3), 1.2 * cape(2.1)]);
    let plume = |delay: f64| {
        keys(
            t - delay,
            &[
                (2.0, 0.0),
                (9.0, -7.0),
                (13.5, 17.0),
                (17.0, 12.0),
                (21.0, -8.0),
                (26.0, -20.0),
                (29.5, 18.0),
                (34.0, -9.0),
                (39.0, 5.0),
                (44.0, -2.0),
                (48.0, 0.0),
            ],
        )
    };
    pose.plume([0.5 * plume(0.3), 0.8 * plume(1.1), 1.0 * plume(1.9), 1.2 * plume(2.7)]);
    pose.turn(
        Bone::Visor,
        keys(
            t,
            &[
                (2.0, 0.0),
                (9.0, -5.0),
                (13.5, -9.0),
                (19.0, 3.0),
                (26.0, 6.0),
                (28.0, 0.0),
                (30.0, -66.0),
                (31.5, -60.0),
                (33.0, -66.0),
                (36.0, -66.0),
                (39.0, 8.0),
                (42.0, -4.0),
                (46.0, 0.0),
            ],
        ),
    );
    pose.turn(
        Bone::Sword,
        keys(
            t,
            &[
                (2.0, 0.0),
                (9.0, 8.0),
                (14.0, 12.0),
                (20.0, -6.0),
                (27.0, -16.0),
                (31.0, 12.0),
                (36.0, -6.0),
                (41.0, 3.0),
                (46.0, 0.0),
            ],
        ),
    );
    // The blade rattles in the scabbard.
    let rattle = keys(t, &[(19.0, 0.0), (26.0, 10.0), (29.0, 0.0)]);
    pose.shift(Bone::Sword, 0.0, 0.4 * rattle);
    pose.shift(Bone::Scabbard, 0.0, rattle);
}
