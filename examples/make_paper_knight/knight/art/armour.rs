//! Equipment: shield, sword, scabbard and shoulder plates.

use super::palette::*;
use super::{Bone, C, Layer, Part, S, Shape, ink, paper, rigid};

pub fn parts() -> Vec<Part> {
    vec![
        hung("shoulder_back", Bone::ShoulderBack, pauldron(), 0.86),
        hung("shield", Bone::Shield, shield(), 1.0),
        hung("sword", Bone::Sword, sword(), 1.0),
        hung("scabbard", Bone::Scabbard, scabbard(), 1.0),
        hung("shoulder_front", Bone::ShoulderFront, pauldron(), 1.0),
    ]
}

/// Creates a part drawn in the bone's own space, +y along the bone.
fn hung(name: &'static str, bone: Bone, layers: Vec<Layer>, shade: f32) -> Part {
    let joint = bone.joint();
    Part { at: joint.at, degrees: joint.degrees, shade, ..rigid(name, bone, layers) }
}

/// Two overlapping plates; the bone points away from the body.
fn pauldron() -> Vec<Layer> {
    let lower = Shape::closed(&[
        S(0.0, -10.0),
        C(-17.0, 2.0),
        S(-18.0, 18.0),
        C(-15.0, 31.0),
        S(0.0, 36.0),
        C(15.0, 31.0),
        S(18.0, 18.0),
        C(17.0, 2.0),
    ]);
    let upper = Shape::closed(&[
        S(0.0, -17.0),
        S(-15.0, -11.0),
        S(-21.0, 3.0),
        C(-19.0, 17.0),
        S(0.0, 22.0),
        C(19.0, 17.0),
        S(21.0, 3.0),
        S(15.0, -11.0),
    ]);
    vec![
        paper(STEEL_DARK, lower.clone()).slope(-0.2),
        paper(GOLD_DARK, Shape::line(&[S(-18.0, 30.0), S(0.0, 35.0), S(18.0, 30.0)], 4.0))
            .inside(&lower)
            .lift(0.2),
        paper(STEEL, upper.clone()).slope(-0.25),
        paper(GOLD, Shape::line(&[S(-22.0, 15.0), S(0.0, 20.0), S(22.0, 15.0)], 4.5)).inside(&upper).lift(0.25),
        paper(STEEL_LIGHT, Shape::ellipse(0.0, -2.0, 9.0, 8.0)).slope(-0.2).lift(0.3),
    ]
}

fn shield() -> Vec<Layer> {
    let outline = |s: f64| {
        Shape::closed(&[
            C(-37.0, 44.0),
            S(-14.0, 48.0),
            S(10.0, 48.0),
            C(37.0, 43.0),
            S(37.0, 14.0),
            S(28.0, -22.0),
            C(2.0, -58.0),
            S(-27.0, -20.0),
            S(-37.0, 14.0),
        ])
        .scaled(s, s, [1.0, 2.0])
    };
    let field = outline(0.84);
    vec![
        paper(GOLD, outline(1.0)).slope(0.2),
        paper(TEAL, field.clone()).slope(0.25),
        ink(TEAL_LIGHT, Shape::closed(&[C(1.0, 60.0), C(1.5, -70.0), C(-50.0, -70.0), C(-50.0, 60.0)]))
            .inside(&outline(0.82)),
        paper(
            CRIMSON,
            Shape::closed(&[C(-40.0, 52.0), C(-40.0, 30.0), S(0.0, 33.0), C(40.0, 29.0), C(40.0, 52.0)]),
        )
        .inside(&field)
        .slope(0.1),
    ]
    .into_iter()
    .chain(crane())
    .chain(
        [(-31.5, 39.0), (31.5, 38.0), (2.0, -50.0), (-33.0, 8.0), (33.5, 8.0)]
            .map(|(x, y)| paper(GOLD_DARK, Shape::circle(x, y, 2.6)).lift(0.25)),
    )
    .collect()
}

/// A folded paper crane: flat facets, each a separate sheet.
fn crane() -> Vec<Layer> {
    let facet =
        |color, points: [(f64, f64); 3]| paper(color, Shape::closed(&points.map(|(x, y)| C(x, y)))).slope(0.0);
    vec![
        // Tail, far wing, body, near wing, neck, head.
        facet(CREAM_DARK, [(-25.0, 12.0), (-2.0, -14.0), (-9.0, -17.0)]),
        facet(CREAM_DARK, [(12.0, 26.0), (9.0, -12.0), (-4.0, -8.0)]),
        facet(CREAM, [(-9.0, -17.0), (13.0, -11.0), (3.0, -27.0)]),
        facet(CREAM_DARK, [(-9.0, -17.0), (3.0, -27.0), (2.0, -13.0)]).lift(0.15),
        facet(WHITE, [(-10.0, 27.0), (10.0, -13.0), (-8.0, -14.0)]),
        facet(CREAM, [(-10.0, 27.0), (10.0, -13.0), (2.0, -13.5)]).lift(0.2),
        facet(CREAM, [(24.0, 10.0), (13.0, -11.0), (6.0, -15.0)]),
        facet(CREAM_DARK, [(24.0, 10.0), (32.0, 1.0), (20.5, 3.5)]),
    ]
}

/// The bone points along the blade; the origin is the mouth of the scabbard.
fn sword() -> Vec<Layer> {
    let grip = Shape::closed(&[C(-4.2, -9.0), C(-4.6, -33.0), C(4.6, -33.0), C(4.2, -9.0)]);
    let mut layers = vec![
        paper(
            STEEL_LIGHT,
            Shape::closed(&[C(-6.0, -6.0), C(-6.0, 80.0), C(0.0, 92.0), C(6.0, 80.0), C(6.0, -6.0)]),
        ),
        ink(STEEL_DARK, Shape::closed(&[C(0.0, -6.0), C(0.0, 90.0), C(5.6, 80.0), C(5.6, -6.0)])),
        paper(LEATHER, grip.clone()),
    ];
    for y in [-14.0, -20.0, -26.0] {
        layers.push(ink(LEATHER_DARK, Shape::line(&[C(-6.0, y - 2.0), C(6.0, y + 2.0)], 1.8)).inside(&grip));
    }
    layers.push(
        paper(GOLD, Shape::line(&[S(-19.0, -1.5), S(-10.0, -6.0), S(10.0, -6.0), S(19.0, -1.5)], 7.5)).slope(-0.2),
    );
    layers.push(paper(GOLD, Shape::circle(0.0, -37.0, 7.0)).slope(-0.2));
    layers.push(paper(CRIMSON, Shape::circle(0.0, -37.0, 3.4)).lift(0.25));
    layers
}

fn scabbard() -> Vec<Layer> {
    let sheath = Shape::closed(&[
        C(-9.5, 0.0),
        S(-9.0, 50.0),
        C(-7.0, 92.0),
        S(0.0, 104.0),
        C(7.0, 92.0),
        S(9.0, 50.0),
        C(9.5, 0.0),
    ]);
    let band =
        |y: f64, width: f64| paper(GOLD, Shape::line(&[C(-14.0, y), C(14.0, y)], width)).inside(&sheath).lift(0.3);
    vec![
        paper(LEATHER_DARK, sheath.clone()).slope(-0.1),
        ink(LEATHER, Shape::closed(&[C(-7.0, 6.0), C(-5.5, 90.0), C(-1.5, 90.0), C(-2.0, 6.0)])),
        band(5.0, 9.0),
        band(34.0, 4.0),
        paper(
            GOLD,
            Shape::closed(&[C(-14.0, 78.0), C(0.0, 86.0), C(14.0, 78.0), C(14.0, 110.0), C(-14.0, 110.0)]),
        )
        .inside(&sheath)
        .lift(0.3),
    ]
}
