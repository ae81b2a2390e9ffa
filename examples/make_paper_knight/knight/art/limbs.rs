//! Arms, gloves, legs and boots. Limbs are drawn hanging straight down from their joint.

use super::palette::*;
use super::{Bone, C, Layer, Part, S, Shape, Weights, ink, paper, ramp, rigid};

const FAR: f32 = 0.84;

/// The bones of an arm or a leg, from the body outwards.
type Chain = [Bone; 4];

const ARM_BACK: Chain = [Bone::ArmUpperBack, Bone::ArmLowerBack, Bone::HandBack, Bone::HandBack];
const ARM_FRONT: Chain = [Bone::ArmUpperFront, Bone::ArmLowerFront, Bone::HandFront, Bone::HandFront];
const LEG_BACK: Chain = [Bone::LegUpperBack, Bone::LegLowerBack, Bone::FootBack, Bone::ToeBack];
const LEG_FRONT: Chain = [Bone::LegUpperFront, Bone::LegLowerFront, Bone::FootFront, Bone::ToeFront];

pub fn parts() -> Vec<Part> {
    let mut parts = Vec::new();
    for (names, bones, shade) in [
        (["arm_back", "elbow_back", "glove_back"], ARM_BACK, FAR),
        (["arm_front", "elbow_front", "glove_front"], ARM_FRONT, 1.0),
    ] {
        let glove = if bones == ARM_BACK { fist() } else { open_hand() };
        parts.push(limb(names[0], bones, sleeve(), shade, move |[_, y]| joint(bones, -y, 46.0, 17.0)));
        parts.push(limb(names[1], bones, elbow(), shade, move |_| vec![(bones[0], 0.47), (bones[1], 0.53)]));
        parts.push(limb(names[2], bones, glove, shade, move |[_, y]| {
            let hand = ramp(-y, 78.0, 96.0);
            vec![(bones[1], 1.0 - hand), (bones[2], hand)]
        }));
    }
    for (names, bones, shade) in [
        (["leg_back", "knee_back", "boot_back"], LEG_BACK, FAR),
        (["leg_front", "knee_front", "boot_front"], LEG_FRONT, 1.0),
    ] {
        parts.push(limb(names[0], bones, trouser(), shade, move |[_, y]| joint(bones, -y, 56.0, 20.0)));
        parts.push(limb(names[1], bones, knee(), shade, move |_| vec![(bones[0], 0.47), (bones[1], 0.53)]));
        parts.push(limb(names[2], bones, boot(), shade, move |point| boot_weights(bones, point)));
    }
    parts
}

/// Drawn with the joint at the origin, hanging down.
fn limb(
    name: &'static str,
    bones: Chain,
    layers: Vec<Layer>,
    shade: f32,
    weights: impl Fn([f64; 2]) -> Weights + 'static,
) -> Part {
    let joint = bones[0].joint();
    let (at, degrees) = (joint.at, joint.degrees - 180.0);
    Part { at, degrees, shade, cell: [9.0, 8.0], weights: Box::new(weights), ..rigid(name, bones[0], layers) }
}

/// Both bones share the vertices within `reach` of the joint, which is `at` below the limb's origin.
fn joint(bones: Chain, down: f64, at: f64, reach: f64) -> Weights {
    let lower = ramp(down, at - reach, at + reach);
    vec![(bones[0], 1.0 - lower), (bones[1], lower)]
}

fn sleeve() -> Vec<Layer> {
    let cloth = Shape::closed(&[
        S(0.0, 13.0),
        S(-12.5, 4.0),
        S(-13.5, -16.0),
        S(-12.0, -46.0),
        S(-10.5, -72.0),
        C(-9.5, -94.0),
        C(9.5, -94.0),
        S(10.5, -72.0),
        S(12.0, -46.0),
        S(13.5, -16.0),
        S(12.5, 4.0),
    ]);
    let mut layers = vec![paper(CREAM, cloth.clone()).slope(0.14)];
    for y in [-14.0, -27.0, -62.0, -74.0] {
        layers.push(
            ink(CREAM_DARK, Shape::line(&[S(-15.0, y + 2.0), S(0.0, y - 2.0), S(15.0, y + 2.0)], 1.8))
                .inside(&cloth),
        );
    }
    layers
}

fn elbow() -> Vec<Layer> {
    vec![
        paper(STEEL, Shape::ellipse(0.0, -46.0, 13.5, 12.5)).slope(0.25),
        paper(STEEL_LIGHT, Shape::ellipse(-0.5, -45.0, 8.5, 7.5)).slope(0.2).lift(0.3),
        paper(GOLD, Shape::circle(0.0, -45.5, 3.0)).lift(0.3),
    ]
}

fn cuff() -> Vec<Layer> {
    let cuff = Shape::closed(&[
        C(-15.5, -68.0),
        S(-12.0, -80.0),
        C(-9.5, -92.0),
        C(9.5, -92.0),
        S(12.0, -80.0),
        C(15.5, -68.0),
        S(0.0, -65.0),
    ]);
    vec![
        paper(STEEL, cuff.clone()).slope(0.2),
        paper(GOLD, Shape::line(&[S(-17.0, -69.5), S(0.0, -66.5), S(17.0, -69.5)], 5.0)).inside(&cuff),
    ]
}

/// Palm and four fingers, the thumb forward.
fn open_hand() -> Vec<Layer> {
    let palm = Shape::closed(&[
        C(-8.5, -86.0),
        S(-12.0, -98.0),
        S(-12.0, -107.0),
        S(0.0, -111.0),
        S(10.0, -107.0),
        S(11.5, -97.0),
        C(8.5, -86.0),
    ]);
    let fingers = Shape::line(&[C(-8.2, -104.0), C(-9.6, -115.0)], 7.2)
        .and(Shape::line(&[C(-2.4, -106.0), C(-2.8, -119.5)], 7.4))
        .and(Shape::line(&[C(3.6, -106.0), C(4.2, -119.0)], 7.4))
        .and(Shape::line(&[C(8.2, -103.0), C(10.4, -114.0)], 6.8));
    let thumb = Shape::line(&[S(7.0, -93.0), S(13.5, -97.5), S(17.0, -104.0)], 7.6);
    let mut layers = vec![
        paper(LEATHER, fingers).slope(0.1),
        paper(LEATHER, palm).slope(0.1).lift(0.2),
        paper(LEATHER_LIGHT, thumb).slope(0.1).lift(0.35),
        ink(LEATHER_DARK, Shape::line(&[S(-7.0, -100.5), S(0.0, -102.5), S(6.5, -100.5)], 1.6)),
    ];
    layers.extend(cuff());
    layers
}

fn fist() -> Vec<Layer> {
    let hand = Shape::closed(&[
        C(-9.0, -86.0),
        S(-12.5, -98.0),
        S(-10.0, -110.0),
        S(0.0, -114.0),
        S(10.0, -110.0),
        S(12.5, -98.0),
        C(9.0, -86.0),
    ]);
    let mut layers = vec![paper(LEATHER, hand).slope(0.1)];
    layers
        .push(paper(LEATHER_LIGHT, Shape::line(&[S(-8.0, -99.0), S(0.0, -101.0), S(8.5, -99.0)], 8.0)).lift(0.3));
    layers.extend(cuff());
    layers
}

fn trouser() -> Vec<Layer> {
    let cloth = Shape::closed(&[
        S(0.0, 14.0),
        S(-15.0, 6.0),
        S(-17.0, -18.0),
        S(-14.5, -56.0),
        S(-13.5, -80.0),
        C(-12.0, -98.0),
        C(10.0, -98.0),
        S(12.5, -80.0),
        S(14.0, -56.0),
        S(16.5, -18.0),
        S(15.0, 6.0),
    ]);
    let mut layers = vec![paper(MAIL, cloth.clone()).slope(0.14)];
    layers.push(
        ink(
            MAIL_DARK,
            Shape::closed(&[C(20.0, 16.0), C(20.0, -100.0), C(5.0, -100.0), S(7.0, -50.0), C(4.0, 16.0)]),
        )
        .inside(&cloth.clone().scaled(0.97, 1.0, [0.0, 0.0])),
    );
    layers
}

fn knee() -> Vec<Layer> {
    vec![
        paper(
            STEEL,
            Shape::closed(&[
                S(2.0, -40.0),
                S(-11.0, -47.0),
                S(-13.0, -58.0),
                S(-5.0, -69.0),
                C(3.0, -74.0),
                S(11.0, -68.0),
                S(16.0, -57.0),
                S(13.0, -46.0),
            ]),
        )
        .slope(0.25),
        paper(STEEL_LIGHT, Shape::ellipse(2.5, -54.0, 8.5, 8.5)).slope(0.2).lift(0.3),
        paper(GOLD, Shape::circle(2.5, -54.0, 3.2)).lift(0.3),
    ]
}

/// The ankle is 112 below the hip, the sole 22 below the ankle.
fn boot() -> Vec<Layer> {
    let leather = Shape::closed(&[
        C(-15.0, -84.0),
        S(-14.0, -100.0),
        S(-16.0, -120.0),
        C(-16.0, -134.0),
        C(40.0, -134.0),
        S(40.5, -125.0),
        S(28.0, -114.0),
        S(15.0, -107.0),
        S(13.5, -96.0),
        C(14.5, -84.0),
        S(0.0, -81.0),
    ]);
    let cap =
        Shape::closed(&[C(20.0, -140.0), S(20.0, -122.0), C(28.0, -108.0), C(46.0, -112.0), C(46.0, -140.0)]);
    let flap = Shape::closed(&[
        C(-18.0, -78.0),
        S(-17.5, -85.0),
        C(-16.5, -92.0),
        S(0.0, -96.0),
        C(16.0, -92.0),
        S(17.5, -85.0),
        C(18.0, -78.0),
        S(0.0, -74.5),
    ]);
    vec![
        paper(LEATHER, leather.clone()).slope(0.2),
        paper(LEATHER_LIGHT, cap).inside(&leather).slope(0.15).lift(0.3),
        paper(
            LEATHER_DARK,
            Shape::closed(&[C(-22.0, -129.5), C(46.0, -129.5), C(46.0, -140.0), C(-22.0, -140.0)]),
        )
        .inside(&leather)
        .slope(0.0),
        paper(LEATHER_DARK, Shape::line(&[S(-20.0, -108.0), S(0.0, -112.0), S(18.0, -104.0)], 5.0))
            .inside(&leather),
        paper(GOLD, Shape::circle(4.0, -110.5, 4.2)),
        paper(LEATHER_LIGHT, flap).slope(0.1),
    ]
}

fn boot_weights(bones: Chain, [x, y]: [f64; 2]) -> Weights {
    // Along the shaft the foot takes over at the ankle, along the foot the toe takes over at the ball.
    let foot = ramp(-y, 88.0, 112.0);
    let toe = ramp(x, 13.0, 30.0) * foot;
    vec![(bones[1], 1.0 - foot), (bones[2], foot - toe), (bones[3], toe)]
}
