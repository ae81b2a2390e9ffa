//! Triangles → rows of pixels, or of the clip mask.

use std::ops::Range;

use super::blend::over;
use super::sample::{Linear, LinearInside, Nearest, Sampler};
use super::setup::{Edge, Paint, Plane, Role, SUBPIXELS, Setup, Triangle};
use super::shade::Shade;
use super::texture::Texture;
use crate::draw::Sampling;

/// Some rows of a picture.
pub struct Rows<'a> {
    pixels: &'a mut [[u8; 4]],
    /// 0 where the clip mask is not; one for each pixel, or none where nothing is clipped.
    mask: &'a mut [u8],
    width: usize,
    first: i32,
    end: i32,
}

impl<'a> Rows<'a> {
    /// `pixels` holds whole rows of `width` pixels, beginning with row `first` of the picture. `mask` is as many
    /// bytes, or empty where there are no clip masks.
    pub fn new(pixels: &'a mut [u8], mask: &'a mut [u8], width: usize, first: usize) -> Self {
        let pixels = pixels.as_chunks_mut().0;
        let end = (first + pixels.len() / width.max(1)) as i32;
        Self { pixels, mask, width, first: first as i32, end }
    }

    /// Draws what of `setup` covers these rows, in its order. A pixel is covered when its
    /// point at `sample`, in subpixels from its corner, is; its colour is that of its middle.
    pub fn draw(&mut self, setup: &Setup, textures: &[Texture], sample: (i64, i64)) {
        for part in &setup.parts {
            if matches!(part.role, Role::Mask) {
                self.mask.fill(0);
            }
            for triangle in &setup.triangles[part.triangles.clone()] {
                if triangle.rows[0] >= self.end || triangle.rows[1] <= self.first {
                    continue;
                }
                match part.role {
                    Role::Mask => self.invert(triangle, sample),
                    Role::Sprite { shade, is_clipped: false } => self.triangle(triangle, textures, &shade, sample),
                    Role::Sprite { shade, is_clipped: true } => self.clipped(triangle, textures, &shade, sample),
                }
            }
        }
    }

    fn triangle(&mut self, triangle: &Triangle, textures: &[Texture], shade: &Shade, sample: (i64, i64)) {
        for_each_row(triangle, self.first..self.end, sample, |row, columns| {
            let start = (row - self.first) as usize * self.width;
            let pixels = &mut self.pixels[start + columns.start as usize..start + columns.end as usize];
            paint(pixels, triangle, textures, shade, (columns.start, row));
        });
    }

    /// [`Self::triangle`] where the mask is.
    fn clipped(&mut self, triangle: &Triangle, textures: &[Texture], shade: &Shade, sample: (i64, i64)) {
        for_each_row(triangle, self.first..self.end, sample, |row, columns| {
            let start = (row - self.first) as usize * self.width;
            let mask = &self.mask[start..start + columns.end as usize];
            let mut at = columns.start as usize;
            while let Some(left_out) = mask[at..].iter().position(|&inside| inside != 0) {
                at += left_out;
                let run = mask[at..].iter().position(|&inside| inside == 0).unwrap_or(mask.len() - at);
                let pixels = &mut self.pixels[start + at..start + at + run];
                paint(pixels, triangle, textures, shade, (at as i32, row));
                at += run;
            }
        });
    }

    /// Turns the mask over where a triangle is.
    fn invert(&mut self, triangle: &Triangle, sample: (i64, i64)) {
        for_each_row(triangle, self.first..self.end, sample, |row, columns| {
            let start = (row - self.first) as usize * self.width;
            let mask = &mut self.mask[start + columns.start as usize..start + columns.end as usize];
            mask.iter_mut().for_each(|inside| *inside = !*inside);
        });
    }
}

/// Calls `visit` with every row of `rows` of which a triangle covers something, and the columns that it covers.
#[inline]
fn for_each_row(
    triangle: &Triangle,
    rows: Range<i32>,
    sample: (i64, i64),
    mut visit: impl FnMut(i32, Range<i32>),
) {
    let rows = triangle.rows[0].max(rows.start)..triangle.rows[1].min(rows.end);
    let mut bounds = triangle.edges.map(|edge| Bound::new(edge, rows.start, sample));
    for row in rows {
        let mut columns = triangle.columns;
        for bound in &mut bounds {
            bound.narrow(&mut columns);
            bound.next_row();
        }
        let [from, to] = columns;
        if from < to {
            visit(row, from..to);
        }
    }
}

/// Paints some pixels of a row, the first of them at a column and row of the picture.
fn paint(
    pixels: &mut [[u8; 4]],
    triangle: &Triangle,
    textures: &[Texture],
    shade: &Shade,
    (column, row): (i32, i32),
) {
    match &triangle.paint {
        Paint::Flat(color) => flat(pixels, *color, shade),
        Paint::Texture { page, sampling, u, v } => {
            let steps = (column - triangle.columns[0], row - triangle.rows[0]);
            let texture = &textures[*page];
            textured(pixels, texture, *sampling, shade, [Walk::new(u, steps), Walk::new(v, steps)]);
        }
    }
}

/// The column at which one edge begins or ends a row, kept exact from row to row as a
/// quotient and a remainder, so that only the first row needs a division.
struct Bound {
    kind: BoundKind,
    quotient: i64,
    remainder: i64,
    divisor: i64,
    step_quotient: i64,
    step_remainder: i64,
}

enum BoundKind {
    /// `quotient` is the first column inside.
    From,
    /// `quotient` is the last column inside.
    To,
    /// The edge is level: the row is inside where `quotient` is not negative.
    Level,
}

impl Bound {
    fn new(edge: Edge, row: i32, (sample_x, sample_y): (i64, i64)) -> Self {
        // At column x the edge's value is `x · step + value`.
        let step = edge.a * SUBPIXELS;
        let value = edge.a * sample_x + edge.b * (i64::from(row) * SUBPIXELS + sample_y) + edge.c;
        let row_step = edge.b * SUBPIXELS;
        let (kind, divisor, numerator, numerator_step) = match edge.a {
            // x >= -value / step, rounded up
            1.. => (BoundKind::From, step, step - 1 - value, -row_step),
            // x <= value / -step, rounded down
            ..0 => (BoundKind::To, -step, value, row_step),
            0 => (BoundKind::Level, 1, value, row_step),
        };
        Self {
            kind,
            quotient: numerator.div_euclid(divisor),
            remainder: numerator.rem_euclid(divisor),
            divisor,
            step_quotient: numerator_step.div_euclid(divisor),
            step_remainder: numerator_step.rem_euclid(divisor),
        }
    }

    #[inline]
    fn narrow(&self, [from, to]: &mut [i32; 2]) {
        match self.kind {
            BoundKind::From => *from = self.quotient.clamp((*from).into(), (*to).into()) as i32,
            BoundKind::To => *to = (self.quotient + 1).clamp((*from).into(), (*to).into()) as i32,
            BoundKind::Level if self.quotient < 0 => *to = *from,
            BoundKind::Level => {}
        }
    }

    #[inline]
    fn next_row(&mut self) {
        self.quotient += self.step_quotient;
        self.remainder += self.step_remainder;
        if self.remainder >= self.divisor {
            self.remainder -= self.divisor;
            self.quotient += 1;
        }
    }
}

/// A texture coordinate along a row. Wraps where a file's coordinates are beyond all sense.
#[derive(Clone, Copy)]
struct Walk {
    at: i64,
    step: i64,
}

impl Walk {
    fn new(plane: &Plane, (columns, rows): (i32, i32)) -> Self {
        let down = plane.row.wrapping_mul(rows.into());
        Self { at: plane.start.wrapping_add(down), step: plane.column }.after(columns.into())
    }

    fn after(self, columns: i64) -> Self {
        Self { at: self.at.wrapping_add(self.step.wrapping_mul(columns)), step: self.step }
    }

    /// Where the row ends; `None` where that does not fit and [`Self::after`] wraps.
    fn end(self, columns: i64) -> Option<i64> {
        self.at.checked_add(self.step.checked_mul(columns)?)
    }
}

fn flat(pixels: &mut [[u8; 4]], color: u32, shade: &Shade) {
    let color = shade.color(color);
    for pixel in pixels {
        *pixel = shade.blend(color, u32::from_le_bytes(*pixel)).to_le_bytes();
    }
}

fn textured(pixels: &mut [[u8; 4]], texture: &Texture, sampling: Sampling, shade: &Shade, [u, v]: [Walk; 2]) {
    let last = pixels.len() as i64 - 1;
    // Between two points inside everything is inside.
    let end = u.end(last).zip(v.end(last));
    let inside =
        || LinearInside::holds(texture, (u.at, v.at)) && end.is_some_and(|end| LinearInside::holds(texture, end));
    match sampling {
        Sampling::Nearest => sampled(pixels, &Nearest(texture), shade, u, v),
        Sampling::Linear if inside() => sampled(pixels, &LinearInside(texture), shade, u, v),
        Sampling::Linear => sampled(pixels, &Linear(texture), shade, u, v),
    }
}

#[inline]
fn sampled(pixels: &mut [[u8; 4]], sampler: &impl Sampler, shade: &Shade, u: Walk, v: Walk) {
    if shade.is_plain() {
        span(pixels, sampler, u, v);
    } else {
        shaded_span(pixels, sampler, shade, u, v);
    }
}

/// What most pixels are.
#[inline]
fn span(pixels: &mut [[u8; 4]], sampler: &impl Sampler, mut u: Walk, mut v: Walk) {
    for pixel in pixels {
        let color = sampler.sample(u.at, v.at);
        match color >> 24 {
            255 => *pixel = color.to_le_bytes(),
            // Neither covers nor adds anything.
            0 if color == 0 => {}
            _ => *pixel = over(color, u32::from_le_bytes(*pixel)).to_le_bytes(),
        }
        u.at = u.at.wrapping_add(u.step);
        v.at = v.at.wrapping_add(v.step);
    }
}

/// Coloured, or blended in some other way.
#[inline]
fn shaded_span(pixels: &mut [[u8; 4]], sampler: &impl Sampler, shade: &Shade, mut u: Walk, mut v: Walk) {
    for pixel in pixels {
        let color = shade.color(sampler.sample(u.at, v.at));
        // Changes nothing in any way of blending.
        if color != 0 {
            *pixel = shade.blend(color, u32::from_le_bytes(*pixel)).to_le_bytes();
        }
        u.at = u.at.wrapping_add(u.step);
        v.at = v.at.wrapping_add(v.step);
    }
}
