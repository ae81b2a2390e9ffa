//! The icon of the program: the knight's head on a plate, as SVG and PNGs made from the same layers.
//!
//! The paper has no grain and no relief here, which would be noise at these sizes.

mod png;
mod svg;

use super::art::{self, palette};
use super::paper::{Layer, ink, paper};
use super::shape::Node::C;
use super::shape::{Point, Shape, turned};

/// Name of the icon: the application id.
const NAME: &str = "io.github.pchr.View";
/// Sizes of the PNGs in pixels.
const SIZES: [usize; 8] = [16, 24, 32, 48, 64, 128, 256, 512];

/// Side of the canvas. Coordinates are `y` down from here on.
const SIDE: f64 = 128.0;
/// Margin around the plate, except in small icons, and width of its rim.
const MARGIN: f64 = 8.0;
const RIM: f64 = 4.0;
/// Radius of the corners, as a share of the side.
const RADIUS: f64 = 0.23;
/// The point of the knight at the centre of the plate, and the size of one of its pixels, as a share of the side.
const CENTER: Point = [8.0, 319.0];
const SCALE: f64 = 0.0066;
/// Parts from back to front.
const PARTS: [&str; 5] = ["plume", "face", "eyes_open", "helmet", "visor"];
/// Offset of shadows.
const SHADOW: Point = [0.8, 1.6];

/// A shape with one fill.
struct Piece {
    shape: Shape,
    minus: Option<Shape>,
    inside: Option<Shape>,
    /// Colours at the top and the bottom of the shape.
    colors: [[u8; 3]; 2],
    opacity: f32,
}

/// Everything is clipped to `plate`.
struct Drawing {
    plate: Shape,
    pieces: Vec<Piece>,
}

/// Returns the paths below `packaging/icons`, laid out as an icon theme, and the contents.
pub fn files() -> Vec<(String, Vec<u8>)> {
    let path = |folder: &str, extension: &str| format!("hicolor/{folder}/apps/{NAME}.{extension}");
    let pngs = SIZES.map(|size| (path(&format!("{size}x{size}"), "png"), png::encode(&drawing(size), size)));
    std::iter::once((path("scalable", "svg"), svg::write(&drawing(SIDE as usize)).into_bytes()))
        .chain(pngs)
        .collect()
}

/// Returns the drawing for a picture with `size` pixels on each side. Small ones have no margin and less detail.
fn drawing(size: usize) -> Drawing {
    let pixel = SIDE / size as f64;
    let is_small = size < 32;
    let margin = if is_small { 0.0 } else { MARGIN };
    let side = SIDE - 2.0 * margin;
    let plate = rounded(margin, side * RADIUS);
    let rim = RIM.max(pixel);
    let mut pieces = vec![
        piece(&paper(palette::GOLD, plate.clone()).slope(0.3), Clone::clone),
        piece(&paper(palette::TEAL, rounded(margin + rim, side * RADIUS - rim)).slope(0.3), Clone::clone),
    ];
    let on_canvas =
        |[x, y]: Point| [SIDE / 2.0 + (x - CENTER[0]) * side * SCALE, SIDE / 2.0 - (y - CENTER[1]) * side * SCALE];
    let parts = art::parts();
    for name in PARTS {
        let part = parts.iter().find(|part| part.name == name).expect("a part of the head");
        let place = |shape: &Shape| shape.clone().map(|point| on_canvas(turned(point, part.degrees, part.at)));
        for layer in &part.layers {
            let layer_piece = piece(layer, place);
            let [left, top, right, bottom] = layer_piece.shape.bounds();
            if (right - left).max(bottom - top) < pixel {
                continue;
            }
            pieces.extend(shadow(layer, place).filter(|_| !is_small));
            pieces.push(layer_piece);
        }
    }
    Drawing { plate, pieces }
}

fn piece(layer: &Layer, place: impl Fn(&Shape) -> Shape) -> Piece {
    let at = |height: f32| layer.color.map(|value| byte(value * (1.0 + layer.slope * height)));
    Piece {
        shape: place(&layer.shape),
        minus: layer.minus.as_ref().map(&place),
        inside: layer.inside.as_ref().map(&place),
        colors: [at(0.5), at(-0.5)],
        opacity: 1.0,
    }
}

/// Prints have no shadow.
fn shadow(layer: &Layer, place: impl Fn(&Shape) -> Shape) -> Option<Piece> {
    let dark = piece(&ink(palette::INK, Shape::default()), Clone::clone);
    let moved = |shape: &Shape| place(shape).map(|[x, y]| [x + SHADOW[0], y + SHADOW[1]]);
    (layer.lift > 0.0).then(|| Piece {
        shape: moved(&layer.shape),
        minus: layer.minus.as_ref().map(moved),
        inside: layer.inside.as_ref().map(&place),
        opacity: layer.lift,
        ..dark
    })
}

/// A square of `SIDE` with rounded corners.
fn rounded(margin: f64, radius: f64) -> Shape {
    let (near, far) = (margin + radius, SIDE - margin - radius);
    let corners = [[far, far], [near, far], [near, near], [far, near]];
    let nodes = corners.iter().zip(0..).flat_map(|(&corner, quarter)| {
        (0..=12).map(move |step| {
            let [x, y] = turned([radius, 0.0], f64::from(quarter * 90) + f64::from(step) * 7.5, corner);
            C(x, y)
        })
    });
    Shape::closed(&nodes.collect::<Vec<_>>())
}

fn byte(value: f32) -> u8 {
    (value.clamp(0.0, 1.0) * 255.0 + 0.5) as u8
}
