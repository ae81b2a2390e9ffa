//! The colours of a row of pixels, one after the other.

use super::blend::over;
use super::sample::{Linear, LinearInside, Nearest, Sampler};
use super::setup::{Paint, Plane, Triangle};
use super::shade::Shade;
use super::texture::Textures;
use crate::draw::Sampling;

/// Pixels that are painted from left to right.
pub trait Pixels {
    /// How many there are, not 0.
    fn len(&self) -> usize;

    /// Lays the colours that `next` gives over the pixels, with `blend` of a colour that is not 0 and of what is below. A
    /// colour that is 0 changes nothing.
    fn paint(self, next: impl FnMut() -> u32, blend: impl Fn(u32, u32) -> u32);
}

/// Paints some pixels of a row, the first of them at a column and row of the picture, with what fills a triangle.
#[inline]
pub fn paint(
    pixels: impl Pixels,
    triangle: &Triangle,
    textures: &Textures,
    shade: &Shade,
    (column, row): (i32, i32),
) {
    let (texture, sampling, u, v) = match &triangle.paint {
        Paint::Flat(color) => {
            let color = shade.color(*color);
            return pixels.paint(|| color, |color, below| shade.blend(color, below));
        }
        Paint::Texture { texture, sampling, u, v } => (textures.get(*texture), *sampling, u, v),
    };
    let steps = (column - triangle.columns[0], row - triangle.rows[0]);
    let [u, v] = [u, v].map(|plane| Walk::new(plane, steps));
    let last = pixels.len() as i64 - 1;
    let end = u.end(last).zip(v.end(last));
    // Between two points inside everything is inside.
    let inside =
        || LinearInside::holds(texture, (u.at, v.at)) && end.is_some_and(|end| LinearInside::holds(texture, end));
    match sampling {
        Sampling::Nearest => sampled(pixels, &Nearest(texture), shade, u, v),
        Sampling::Linear if inside() => sampled(pixels, &LinearInside(texture), shade, u, v),
        Sampling::Linear => sampled(pixels, &Linear(texture), shade, u, v),
    }
}

#[inline]
fn sampled(pixels: impl Pixels, sampler: &impl Sampler, shade: &Shade, mut u: Walk, mut v: Walk) {
    let mut next = || {
        let color = sampler.sample(u.at, v.at);
        u.at = u.at.wrapping_add(u.step);
        v.at = v.at.wrapping_add(v.step);
        color
    };
    if shade.is_plain() {
        // What most pixels are: most colours cover what is below.
        pixels.paint(next, |color, below| if color >> 24 == 255 { color } else { over(color, below) });
    } else {
        pixels.paint(|| shade.color(next()), |color, below| shade.blend(color, below));
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
