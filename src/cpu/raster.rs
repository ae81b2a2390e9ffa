//! Triangles → rows of pixels.

use super::blend::over;
use super::sample::{Linear, LinearInside, Nearest, Sampler};
use super::setup::{Edge, Paint, Plane, SUBPIXELS, Triangle};
use super::texture::Texture;
use crate::draw::Sampling;

/// Some rows of a picture.
pub struct Rows<'a> {
    pixels: &'a mut [[u8; 4]],
    width: usize,
    first: i32,
    end: i32,
}

impl<'a> Rows<'a> {
    /// `pixels` holds whole rows of `width` pixels, beginning with row `first` of the picture.
    pub fn new(pixels: &'a mut [u8], width: usize, first: usize) -> Self {
        let pixels = pixels.as_chunks_mut().0;
        let end = (first + pixels.len() / width.max(1)) as i32;
        Self { pixels, width, first: first as i32, end }
    }

    /// Draws what of `triangles` covers these rows, in their order. A pixel is covered when its
    /// point at `sample`, in subpixels from its corner, is; its colour is that of its middle.
    pub fn draw(&mut self, triangles: &[Triangle], textures: &[Texture], sample: (i64, i64)) {
        for triangle in triangles {
            if triangle.rows[0] < self.end && triangle.rows[1] > self.first {
                self.triangle(triangle, textures, sample);
            }
        }
    }

    fn triangle(&mut self, triangle: &Triangle, textures: &[Texture], sample: (i64, i64)) {
        let rows = triangle.rows[0].max(self.first)..triangle.rows[1].min(self.end);
        let mut bounds = triangle.edges.map(|edge| Bound::new(edge, rows.start, sample));
        for row in rows {
            let mut columns = triangle.columns;
            for bound in &mut bounds {
                bound.narrow(&mut columns);
                bound.next_row();
            }
            let [from, to] = columns;
            if from >= to {
                continue;
            }
            let start = (row - self.first) as usize * self.width;
            let pixels = &mut self.pixels[start + from as usize..start + to as usize];
            match &triangle.paint {
                Paint::Flat(color) => flat(pixels, *color),
                Paint::Texture { page, sampling, u, v } => {
                    let steps = (from - triangle.columns[0], row - triangle.rows[0]);
                    let texture = &textures[*page];
                    textured(pixels, texture, *sampling, Walk::new(u, steps), Walk::new(v, steps));
                }
            }
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

fn flat(pixels: &mut [[u8; 4]], color: u32) {
    for pixel in pixels {
        *pixel = over(color, u32::from_le_bytes(*pixel)).to_le_bytes();
    }
}

fn textured(pixels: &mut [[u8; 4]], texture: &Texture, sampling: Sampling, u: Walk, v: Walk) {
    let last = pixels.len() as i64 - 1;
    // Between two points inside everything is inside.
    let end = u.end(last).zip(v.end(last));
    let inside =
        || LinearInside::holds(texture, (u.at, v.at)) && end.is_some_and(|end| LinearInside::holds(texture, end));
    match sampling {
        Sampling::Nearest => span(pixels, &Nearest(texture), u, v),
        Sampling::Linear if inside() => span(pixels, &LinearInside(texture), u, v),
        Sampling::Linear => span(pixels, &Linear(texture), u, v),
    }
}

#[inline]
fn span(pixels: &mut [[u8; 4]], sampler: &impl Sampler, mut u: Walk, mut v: Walk) {
    for pixel in pixels {
        let color = sampler.sample(u.at, v.at);
        match color >> 24 {
            255 => *pixel = color.to_le_bytes(),
            // Premultiplied: without alpha there is no colour either.
            0 => {}
            _ => *pixel = over(color, u32::from_le_bytes(*pixel)).to_le_bytes(),
        }
        u.at = u.at.wrapping_add(u.step);
        v.at = v.at.wrapping_add(v.step);
    }
}
