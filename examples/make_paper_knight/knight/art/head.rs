//! Helmet, visor, face, eyes and plume. Drawn in place, in the bind pose.

use super::palette::*;
use super::{Bone, C, Layer, Part, S, Shape, chain, ink, paper, rigid};

pub fn parts() -> Vec<Part> {
    vec![
        plume(),
        rigid("face", Bone::Face, face()),
        rigid("eyes_open", Bone::EyesOpen, eyes_open()),
        rigid("eyes_closed", Bone::EyesClosed, eyes_closed()),
        rigid("helmet", Bone::Head, helmet()),
        visor(),
    ]
}

fn window() -> Shape {
    Shape::closed(&[
        S(13.0, 296.0),
        S(18.0, 317.0),
        S(36.0, 323.0),
        S(52.0, 315.0),
        S(56.0, 294.0),
        S(50.0, 270.0),
        S(35.0, 261.0),
        S(20.0, 270.0),
    ])
}

fn helmet() -> Vec<Layer> {
    let dome = Shape::closed(&[
        C(-37.0, 250.0),
        S(-48.0, 284.0),
        S(-45.0, 324.0),
        S(-20.0, 353.0),
        S(16.0, 357.0),
        S(47.0, 338.0),
        S(62.0, 304.0),
        S(60.0, 274.0),
        C(49.0, 249.0),
        S(30.0, 243.0),
        S(6.0, 240.0),
        S(-18.0, 243.0),
    ]);
    let hole = window();
    let rim = window().scaled(1.16, 1.13, [35.0, 292.0]);
    let cheek = Shape::closed(&[
        C(-44.0, 288.0),
        S(-20.0, 292.0),
        S(4.0, 288.0),
        S(14.0, 262.0),
        S(30.0, 252.0),
        C(60.0, 266.0),
        C(49.0, 236.0),
        C(-40.0, 236.0),
    ]);
    let crest = Shape::closed(&[
        C(-32.0, 340.0),
        S(-12.0, 350.0),
        S(14.0, 351.0),
        S(40.0, 338.0),
        C(47.0, 329.0),
        C(53.0, 334.0),
        S(42.0, 349.0),
        S(16.0, 363.0),
        S(-16.0, 361.0),
        C(-38.0, 346.0),
    ]);
    let mut layers = vec![
        paper(STEEL, dome.clone()).minus(&hole).slope(0.22),
        paper(
            STEEL_LIGHT,
            Shape::closed(&[
                C(-38.0, 306.0),
                S(-34.0, 332.0),
                S(-12.0, 348.0),
                S(14.0, 350.0),
                S(40.0, 338.0),
                S(54.0, 316.0),
                C(56.0, 308.0),
                S(40.0, 334.0),
                S(12.0, 330.0),
                S(-6.0, 322.0),
                S(-22.0, 312.0),
            ]),
        )
        .inside(&dome)
        .minus(&rim)
        .lift(0.25),
        paper(STEEL_DARK, cheek).inside(&dome).minus(&hole).slope(0.16),
        paper(GOLD_DARK, Shape::line(&[S(-52.0, 250.0), S(-10.0, 245.0), S(30.0, 246.0), S(60.0, 254.0)], 9.0))
            .inside(&dome),
        paper(GOLD, crest).slope(0.18),
        paper(GOLD, rim.clone()).minus(&hole).slope(0.15),
    ];
    // Breathing holes in the cheek.
    for (x, y) in [(-2.0, 274.0), (-14.0, 276.0), (-26.0, 276.0), (-8.0, 263.0), (-20.0, 264.0)] {
        layers.push(ink(MAIL_DARK, Shape::ellipse(x, y, 2.7, 3.4)));
    }
    for (x, y) in [(-22.0, 351.0), (2.0, 357.0), (27.0, 352.5), (46.0, 338.5)] {
        layers.push(paper(GOLD_DARK, Shape::circle(x, y, 2.4)).lift(0.2));
    }
    layers
}

fn face() -> Vec<Layer> {
    let skin = window().scaled(1.22, 1.2, [35.0, 292.0]);
    vec![
        paper(SKIN, skin.clone()).slope(0.05),
        // The brow is in the shade of the helmet, and a lock of hair falls out of it.
        ink(
            SKIN_DARK,
            Shape::closed(&[
                C(5.0, 302.0),
                S(20.0, 311.0),
                S(36.0, 314.0),
                S(50.0, 310.0),
                C(64.0, 302.0),
                C(64.0, 340.0),
                C(5.0, 340.0),
            ]),
        )
        .inside(&skin),
        paper(
            LEATHER_DARK,
            Shape::closed(&[
                C(10.0, 330.0),
                C(9.0, 300.0),
                S(17.0, 309.0),
                C(22.0, 305.0),
                S(27.0, 312.0),
                C(37.0, 306.0),
                S(41.0, 314.0),
                C(52.0, 308.0),
                C(58.0, 332.0),
            ]),
        )
        .inside(&skin)
        .lift(0.3),
        ink(BLUSH, Shape::ellipse(23.0, 283.0, 5.6, 4.0)).inside(&skin),
        ink(BLUSH, Shape::ellipse(50.5, 283.0, 4.2, 3.8)).inside(&skin),
        paper(SKIN, Shape::closed(&[C(37.5, 291.0), S(42.5, 286.5), S(40.0, 283.5), C(35.5, 285.0)]))
            .lift(0.22)
            .relief(0.6),
        ink(LEATHER_DARK, Shape::line(&[S(30.5, 276.5), S(34.0, 273.6), S(39.0, 273.4), S(43.0, 276.5)], 2.3)),
    ]
}

fn eyes_open() -> Vec<Layer> {
    let eye = |x: f64, rx: f64| {
        [
            ink(INK, Shape::ellipse(x, 295.5, rx, 6.4)),
            ink(WHITE, Shape::ellipse(x + 1.2, 298.0, 1.6, 2.0)),
            ink(LEATHER_DARK, Shape::line(&[S(x - 5.0, 304.6), S(x, 306.4), S(x + 4.8, 304.8)], 2.2)),
        ]
    };
    [eye(27.5, 4.3), eye(46.0, 3.8)].into_iter().flatten().collect()
}

fn eyes_closed() -> Vec<Layer> {
    let eye = |x: f64| {
        [
            ink(INK, Shape::line(&[S(x - 5.4, 293.0), S(x, 297.2), S(x + 5.2, 293.0)], 2.7)),
            ink(LEATHER_DARK, Shape::line(&[S(x - 5.0, 303.8), S(x, 305.4), S(x + 4.8, 304.0)], 2.2)),
        ]
    };
    [eye(27.5), eye(46.0)].into_iter().flatten().collect()
}

/// Drawn closed, with the hinge at the origin; the bind pose raises it.
fn visor() -> Part {
    let snout = Shape::closed(&[
        C(-9.0, 9.0),
        S(14.0, 17.0),
        S(44.0, 22.0),
        C(59.0, 15.0),
        C(78.0, -7.0),
        C(62.0, -32.0),
        S(40.0, -40.0),
        S(20.0, -33.0),
        C(-9.0, -9.0),
    ]);
    let upper = Shape::closed(&[
        C(-9.0, 9.0),
        S(14.0, 17.0),
        S(44.0, 22.0),
        C(59.0, 15.0),
        C(78.0, -7.0),
        S(48.0, -3.0),
        S(20.0, -3.0),
        C(-9.0, -4.0),
    ]);
    let mut layers = vec![
        paper(STEEL_DARK, snout.clone()).slope(0.12),
        paper(STEEL, upper).slope(0.2),
        ink(INK, Shape::line(&[S(27.0, 8.5), S(46.0, 10.5), S(62.0, 6.0)], 5.2)),
        paper(GOLD, Shape::line(&[S(18.0, 16.5), S(44.0, 21.0), S(58.0, 15.5)], 4.5)).lift(0.3),
    ];
    for (x, y) in [(34.0, -14.0), (46.0, -13.0), (58.0, -12.0), (39.0, -25.0), (51.0, -24.0)] {
        layers.push(ink(INK, Shape::ellipse(x, y, 2.3, 3.4)));
    }
    layers.push(paper(STEEL_LIGHT, Shape::circle(0.0, 0.0, 14.5)).slope(0.2));
    layers.push(paper(GOLD, Shape::circle(0.0, 0.0, 8.5)).slope(0.2));
    layers.push(paper(GOLD_DARK, Shape::circle(0.0, 0.0, 3.2)).lift(0.3));
    let joint = Bone::Visor.joint();
    // Closed, the snout points to the right; along the bone's own +y it is a quarter turn further.
    Part { at: joint.at, degrees: joint.degrees + 90.0, ..rigid("visor", Bone::Visor, layers) }
}

fn plume() -> Part {
    let feather = |nodes: &[_]| Shape::closed(nodes);
    let back = feather(&[
        C(2.0, 348.0),
        S(-6.0, 380.0),
        S(-30.0, 402.0),
        S(-62.0, 406.0),
        S(-92.0, 390.0),
        C(-114.0, 352.0),
        C(-101.0, 357.0),
        C(-104.0, 338.0),
        S(-88.0, 352.0),
        C(-85.0, 345.0),
        S(-72.0, 366.0),
        C(-62.0, 358.0),
        S(-48.0, 373.0),
        C(-36.0, 364.0),
        S(-22.0, 362.0),
        C(-14.0, 342.0),
    ]);
    let middle = feather(&[
        C(1.0, 350.0),
        S(-10.0, 382.0),
        S(-34.0, 397.0),
        S(-62.0, 398.0),
        S(-86.0, 384.0),
        C(-102.0, 362.0),
        S(-86.0, 369.0),
        C(-76.0, 362.0),
        S(-62.0, 377.0),
        C(-52.0, 370.0),
        S(-38.0, 380.0),
        C(-29.0, 371.0),
        S(-18.0, 368.0),
        C(-11.0, 346.0),
    ]);
    let front = feather(&[
        C(-1.0, 352.0),
        S(-14.0, 380.0),
        S(-36.0, 391.0),
        S(-58.0, 391.0),
        C(-78.0, 381.0),
        S(-60.0, 384.0),
        C(-50.0, 378.0),
        S(-38.0, 384.0),
        C(-26.0, 376.0),
        S(-16.0, 370.0),
        C(-9.0, 350.0),
    ]);
    let layers = vec![
        paper(CRIMSON_DARK, back).slope(0.2),
        paper(CRIMSON, middle).slope(0.2),
        paper(CRIMSON_LIGHT, front).slope(0.2),
        paper(GOLD, Shape::closed(&[C(-18.0, 344.0), C(4.0, 346.0), C(3.0, 357.0), C(-16.0, 356.0)])),
    ];
    let bones = [Bone::Head, Bone::PlumeRoot, Bone::PlumeMiddle, Bone::PlumeTip, Bone::PlumeEnd];
    let spine = [[-7.0, 336.0], [-7.0, 350.0], [-22.0, 383.0], [-56.0, 390.0], [-83.0, 373.0], [-104.0, 340.0]];
    let weights = Box::new(move |point| chain(&bones, along(&spine, point) - 0.5));
    Part { cell: [10.0, 10.0], weights, ..rigid("plume", Bone::PlumeMiddle, layers) }
}

/// Returns the position of the point on a polyline nearest to `point`, counted in segments.
fn along(line: &[[f64; 2]], [x, y]: [f64; 2]) -> f64 {
    let mut best = (f64::MAX, 0.0);
    for (i, pair) in line.windows(2).enumerate() {
        let ([ax, ay], [bx, by]) = (pair[0], pair[1]);
        let (dx, dy) = (bx - ax, by - ay);
        let t = (((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy)).clamp(0.0, 1.0);
        let (ex, ey) = (ax + dx * t - x, ay + dy * t - y);
        let distance = ex * ex + ey * ey;
        if distance < best.0 {
            best = (distance, i as f64 + t);
        }
    }
    best.1
}
