//! Cape, torso, skirt and collar. Drawn in place, in the bind pose.

use super::palette::*;
use super::{Bone, C, Layer, Part, S, Shape, Weights, chain, ink, paper, ramp, rigid, turned};

pub fn parts() -> Vec<Part> {
    vec![
        Part { cell: [15.0, 15.0], weights: Box::new(cape_weights), ..rigid("cape", Bone::CapeUpper, cape()) },
        Part { cell: [14.0, 12.0], weights: Box::new(skirt_weights), ..rigid("skirt", Bone::Hips, skirt()) },
        Part { cell: [18.0, 12.0], weights: Box::new(torso_weights), ..rigid("torso", Bone::Chest, torso()) },
        Part { cell: [18.0, 10.0], weights: Box::new(collar_weights), ..rigid("collar", Bone::Neck, collar()) },
    ]
}

fn cape() -> Vec<Layer> {
    let cloth = Shape::closed(&[
        C(-32.0, 243.0),
        S(-46.0, 214.0),
        S(-56.0, 160.0),
        S(-72.0, 96.0),
        C(-88.0, 44.0),
        S(-70.0, 38.0),
        S(-50.0, 42.0),
        S(-28.0, 33.0),
        S(-6.0, 37.0),
        S(16.0, 30.0),
        C(40.0, 36.0),
        S(42.0, 90.0),
        S(41.0, 150.0),
        S(38.0, 214.0),
        C(30.0, 243.0),
    ]);
    let fold = |x0: f64, x1: f64, spread: f64| {
        Shape::closed(&[
            C(x0, 226.0),
            S(x0 * 0.6 + x1 * 0.4 - 3.0, 150.0),
            C(x1 - spread, 20.0),
            C(x1 + spread, 20.0),
            S(x0 * 0.6 + x1 * 0.4 + 4.0, 150.0),
        ])
    };
    let hem = [
        S(-92.0, 52.0),
        S(-70.0, 47.0),
        S(-50.0, 51.0),
        S(-28.0, 42.0),
        S(-6.0, 46.0),
        S(16.0, 39.0),
        S(48.0, 45.0),
    ];
    vec![
        paper(CRIMSON_DARK, cloth.clone()).slope(0.30),
        paper(CRIMSON, fold(-34.0, -74.0, 13.0)).inside(&cloth).slope(0.25),
        paper(CRIMSON_DEEP, fold(-14.0, -36.0, 8.0)).inside(&cloth).slope(0.2).lift(0.25),
        paper(CRIMSON, fold(-8.0, -14.0, 10.0)).inside(&cloth).slope(0.25),
        paper(CRIMSON_DEEP, fold(10.0, 9.0, 7.0)).inside(&cloth).slope(0.2).lift(0.25),
        paper(CRIMSON, fold(22.0, 30.0, 9.0)).inside(&cloth).slope(0.25),
        paper(GOLD, Shape::line(&hem, 6.0)).inside(&cloth).slope(0.0),
        paper(
            GOLD_DARK,
            Shape::line(
                &hem.map(|node| match node {
                    S(x, y) | C(x, y) => S(x, y + 7.0),
                }),
                2.2,
            ),
        )
        .inside(&cloth)
        .lift(0.2),
    ]
}

fn cape_weights([x, y]: [f64; 2]) -> Weights {
    let bones = [Bone::Chest, Bone::CapeTop, Bone::CapeUpper, Bone::CapeMiddle, Bone::CapeLower];
    // The corners of the hem swing a little later than its middle.
    let late = (x + 20.0).abs() / 60.0 * ramp(y, 200.0, 40.0) * 0.25;
    chain(&bones, (244.0 - y) / 48.0 - late)
}

fn torso() -> Vec<Layer> {
    let trunk = Shape::closed(&[
        C(-28.0, 242.0),
        S(-42.0, 226.0),
        S(-43.0, 200.0),
        S(-36.0, 168.0),
        S(-35.0, 146.0),
        C(-37.0, 130.0),
        S(0.0, 125.0),
        C(38.0, 130.0),
        S(37.0, 146.0),
        S(38.0, 168.0),
        S(45.0, 200.0),
        S(42.0, 226.0),
        C(30.0, 242.0),
        S(2.0, 246.0),
    ]);
    let panel = Shape::closed(&[
        C(-16.0, 250.0),
        S(-19.0, 210.0),
        S(-15.0, 170.0),
        C(-18.0, 120.0),
        C(31.0, 120.0),
        S(29.0, 170.0),
        S(35.0, 210.0),
        C(30.0, 250.0),
    ]);
    let belt =
        Shape::line(&[S(-46.0, 150.0), S(-20.0, 146.0), S(8.0, 144.5), S(30.0, 146.0), S(46.0, 149.0)], 13.0);
    let mut layers = vec![
        paper(STEEL, trunk.clone()).slope(0.25),
        // The side plates of the breastplate.
        paper(
            STEEL_LIGHT,
            Shape::closed(&[C(-44.0, 238.0), S(-44.0, 206.0), S(-36.0, 184.0), C(-10.0, 178.0), C(-10.0, 246.0)]),
        )
        .inside(&trunk)
        .slope(0.2)
        .lift(0.3),
        paper(STEEL_DARK, Shape::line(&[S(-48.0, 168.0), S(-30.0, 163.0), S(-10.0, 161.0)], 3.0))
            .inside(&trunk)
            .lift(0.2),
        paper(GOLD, panel.clone().and(panel.rim(6.5))).inside(&trunk),
        paper(TEAL, panel.clone()).inside(&trunk).slope(0.25),
        ink(
            TEAL_DARK,
            Shape::closed(&[
                C(8.0, 246.0),
                C(9.0, 126.0),
                C(31.0, 130.0),
                S(29.0, 170.0),
                S(35.0, 210.0),
                C(30.0, 242.0),
            ]),
        )
        .inside(&panel),
    ];
    layers.extend(star(8.0, 203.0, 17.0));
    layers.push(paper(LEATHER_DARK, belt).inside(&trunk).slope(0.0));
    layers.push(paper(GOLD, Shape::closed(&[C(-2.0, 153.0), C(19.0, 153.5), C(19.5, 136.0), C(-2.0, 135.5)])));
    layers.push(
        paper(LEATHER_DARK, Shape::closed(&[C(3.0, 149.0), C(14.5, 149.0), C(14.5, 140.5), C(3.0, 140.5)]))
            .lift(0.0),
    );
    layers.push(paper(GOLD_DARK, Shape::line(&[C(8.0, 144.5), C(17.0, 144.5)], 2.4)).lift(0.2));
    layers
}

/// A folded star: each ray has a light and a dark side.
fn star(x: f64, y: f64, r: f64) -> Vec<Layer> {
    let ray = |k: u32, r: f64| turned([0.0, r], f64::from(k) * 45.0, [x, y]);
    let outer = |k: u32| ray(k, if k.is_multiple_of(2) { r } else { r * 0.36 });
    let corner = |p: [f64; 2]| C(p[0], p[1]);
    let nodes: Vec<_> = (0..8).map(|k| corner(outer(k))).collect();
    let mut layers = vec![paper(CREAM, Shape::closed(&nodes))];
    for k in [0, 2, 4, 6] {
        layers
            .push(ink(CREAM_DARK, Shape::closed(&[corner([x, y]), corner(outer(k)), corner(outer((k + 7) % 8))])));
    }
    layers
}

fn torso_weights([_, y]: [f64; 2]) -> Weights {
    let (low, high) = (ramp(y, 140.0, 164.0), ramp(y, 170.0, 204.0));
    vec![(Bone::Hips, 1.0 - low), (Bone::Spine, low * (1.0 - high)), (Bone::Chest, low * high)]
}

fn skirt() -> Vec<Layer> {
    let mail = Shape::closed(&[
        C(-36.0, 150.0),
        S(-42.0, 130.0),
        C(-49.0, 109.0),
        S(-40.0, 102.0),
        C(-32.0, 107.0),
        S(-24.0, 100.0),
        C(-16.0, 105.0),
        S(-8.0, 98.0),
        C(0.0, 104.0),
        S(9.0, 98.0),
        C(18.0, 104.0),
        S(26.0, 99.0),
        C(34.0, 105.0),
        S(42.0, 101.0),
        C(49.0, 108.0),
        S(44.0, 130.0),
        C(38.0, 150.0),
    ]);
    let flap = |s: f64| {
        Shape::closed(&[
            C(-17.0, 150.0),
            S(-18.0, 122.0),
            C(-20.0, 95.0),
            C(7.0, 85.0),
            C(34.0, 94.0),
            S(33.0, 122.0),
            C(31.0, 150.0),
        ])
        .scaled(s, 1.0 - (1.0 - s) * 0.6, [7.0, 160.0])
    };
    let mut layers = vec![paper(MAIL, mail.clone()).slope(0.25)];
    for row in 0..5 {
        for column in 0..14 {
            let (x, y) =
                (-54.0 + f64::from(column) * 8.4 + f64::from(row % 2) * 4.2, 104.0 + f64::from(row) * 9.0);
            let ring = Shape::line(&[S(x - 3.2, y + 1.5), S(x, y - 1.6), S(x + 3.2, y + 1.5)], 1.5);
            layers.push(ink(MAIL_DARK, ring).inside(&mail));
        }
    }
    let half = Shape::closed(&[C(8.0, 160.0), C(7.0, 60.0), C(40.0, 60.0), C(40.0, 160.0)]);
    layers.push(paper(GOLD, flap(1.0)).slope(0.0));
    layers.push(paper(TEAL, flap(0.87)).slope(0.2));
    layers.push(ink(TEAL_DARK, half).inside(&flap(0.855)));
    layers
}

fn skirt_weights([x, y]: [f64; 2]) -> Weights {
    let leg = 0.62 * ramp(y, 146.0, 96.0);
    let far = ramp(x, -26.0, 30.0);
    vec![(Bone::Hips, 1.0 - leg), (Bone::LegUpperFront, leg * (1.0 - far)), (Bone::LegUpperBack, leg * far)]
}

/// The cape's shoulders, clasped in front of the neck.
fn collar() -> Vec<Layer> {
    let scarf = Shape::closed(&[
        S(-43.0, 234.0),
        S(-34.0, 247.0),
        S(-16.0, 255.0),
        S(8.0, 257.0),
        S(30.0, 253.0),
        S(43.0, 243.0),
        S(42.0, 232.0),
        S(26.0, 224.0),
        S(10.0, 219.0),
        S(-10.0, 222.0),
        S(-30.0, 226.0),
    ]);
    vec![
        paper(CRIMSON_DARK, scarf.clone()).slope(0.15),
        paper(
            CRIMSON,
            Shape::closed(&[
                S(-41.0, 238.0),
                S(-30.0, 247.0),
                S(-10.0, 252.0),
                S(10.0, 246.0),
                S(14.0, 232.0),
                S(-6.0, 230.0),
                S(-28.0, 231.0),
            ]),
        )
        .inside(&scarf)
        .slope(0.2),
        paper(
            CRIMSON,
            Shape::closed(&[S(12.0, 236.0), S(24.0, 248.0), S(40.0, 243.0), S(41.0, 235.0), S(26.0, 229.0)]),
        )
        .inside(&scarf)
        .slope(0.2),
        paper(GOLD, Shape::circle(13.0, 230.0, 8.5)).slope(0.2),
        paper(TEAL_LIGHT, Shape::circle(13.0, 230.0, 4.6)).slope(0.3),
    ]
}

fn collar_weights([_, y]: [f64; 2]) -> Weights {
    let neck = 0.35 + 0.4 * ramp(y, 222.0, 252.0);
    vec![(Bone::Chest, 1.0 - neck), (Bone::Neck, neck)]
}
