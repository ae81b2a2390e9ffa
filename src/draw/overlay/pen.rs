//! Lines and dots as triangles, of a width in picture pixels, with a dark rim that keeps them visible on any picture.

use super::Shown;
use crate::draw::OverlayVertex;
use crate::math::{Vec2, vec2};

/// Premultiplied RGBA.
const RIM: [u8; 4] = [12, 14, 20, 200];
/// Width of the rim in picture pixels.
const RIM_WIDTH: f32 = 1.0;

/// Draws marks in one colour.
pub struct Pen<'a> {
    out: &'a mut Vec<OverlayVertex>,
    /// World pixels of a picture pixel.
    pixel: f32,
    color: [u8; 4],
    rim: f32,
}

/// Calls `draw` twice: with a pen for all rims, and with a pen for all marks in `color`, which is premultiplied. So no
/// rim covers a mark.
pub fn rimmed(
    shown: &Shown<'_>,
    color: [u8; 4],
    out: &mut Vec<OverlayVertex>,
    mut draw: impl FnMut(&mut Pen<'_>),
) {
    let pixel = shown.pixel();
    draw(&mut Pen { out, pixel, color: RIM, rim: RIM_WIDTH });
    draw(&mut Pen { out, pixel, color, rim: 0.0 });
}

impl Pen<'_> {
    /// Draws a line, `width` picture pixels wide.
    pub fn line(&mut self, from: Vec2, to: Vec2, width: f32) {
        let along = (to - from).normalize_or_zero();
        if along == Vec2::ZERO {
            return;
        }
        let across = vec2(-along.y, along.x) * ((width * 0.5 + self.rim) * self.pixel);
        let (from, to) = (from - along * (self.rim * self.pixel), to + along * (self.rim * self.pixel));
        self.quad([from + across, to + across, to - across, from - across]);
    }

    /// Draws the outline of a polygon, or a line through the points if it is not `closed`.
    pub fn lines(&mut self, points: &[Vec2], closed: bool, width: f32) {
        points.windows(2).for_each(|pair| self.line(pair[0], pair[1], width));
        if let ([first, .., last], true) = (points, closed) {
            self.line(*last, *first, width);
        }
    }

    /// Draws a disc. The radius is in picture pixels.
    pub fn dot(&mut self, at: Vec2, radius: f32) {
        disc(at, (radius + self.rim) * self.pixel, self.color, self.out);
    }

    /// Draws a ring as an octagon. The radius and the width are in picture pixels.
    pub fn ring(&mut self, at: Vec2, radius: f32, width: f32) {
        let corner = |index: usize, radius: f32| at + OCTAGON[index % 8] * (radius * self.pixel);
        let (inner, outer) = (radius - width * 0.5 - self.rim, radius + width * 0.5 + self.rim);
        for index in 0..8 {
            let [a, b] = [index, index + 1].map(|index| corner(index, inner));
            let [c, d] = [index, index + 1].map(|index| corner(index, outer));
            let color = self.color;
            self.out.extend([a, c, d, d, b, a].map(|position| OverlayVertex { position, color }));
        }
    }

    /// Draws a diamond. The radius is in picture pixels.
    pub fn diamond(&mut self, at: Vec2, radius: f32) {
        let radius = (radius + self.rim * 1.4) * self.pixel;
        self.quad(
            [vec2(radius, 0.0), vec2(0.0, radius), vec2(-radius, 0.0), vec2(0.0, -radius)].map(|to| at + to),
        );
    }

    fn quad(&mut self, [a, b, c, d]: [Vec2; 4]) {
        let color = self.color;
        self.out.extend([a, b, c, c, d, a].map(|position| OverlayVertex { position, color }));
    }
}

/// Appends a disc as an octagon. The radius is in world pixels.
pub fn disc(at: Vec2, radius: f32, color: [u8; 4], out: &mut Vec<OverlayVertex>) {
    let corner = |index: usize| OverlayVertex { position: at + OCTAGON[index % 8] * radius, color };
    out.extend((1..7).flat_map(|index| [corner(0), corner(index), corner(index + 1)]));
}

// Cosine and sine of π/8.
const SIDE: f32 = 0.923_879_5;
const OTHER: f32 = 0.382_683_43;

/// A regular octagon of radius 1.
const OCTAGON: [Vec2; 8] = [
    vec2(SIDE, OTHER),
    vec2(OTHER, SIDE),
    vec2(-OTHER, SIDE),
    vec2(-SIDE, OTHER),
    vec2(-SIDE, -OTHER),
    vec2(-OTHER, -SIDE),
    vec2(OTHER, -SIDE),
    vec2(SIDE, -OTHER),
];
