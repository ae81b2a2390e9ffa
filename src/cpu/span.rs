//! Computes the colours along a row of pixels.

use super::blend::over;
use super::sample::{Linear, LinearInside, Nearest, Sampler};
use super::setup::{Paint, Plane, Triangle};
use super::shade::Shade;
use super::texture::Textures;
use crate::draw::Sampling;

/// Consecutive pixels that are painted from left to right.
pub trait Pixels {
    /// The number of pixels, not 0.
    fn len(&self) -> usize;

    /// Blends colours with the pixels. `blend` takes a colour other than 0 and the pixel below it; a colour of 0 changes
    /// nothing.
    fn paint(self, colors: impl Colors, blend: impl Fn(u32, u32) -> u32);
}

/// The colours of consecutive pixels.
pub trait Colors {
    /// Returns the colour of the next pixel.
    fn next(&mut self) -> u32;
}

/// The same colour everywhere.
impl Colors for u32 {
    #[inline(always)]
    fn next(&mut self) -> u32 {
        *self
    }
}

/// Paints pixels of a row with the paint of a triangle. `column` and `row` are the first pixel's.
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
            return pixels.paint(color, |color, below| shade.blend(color, below));
        }
        Paint::Texture { texture, sampling, u, v } => (textures.get(*texture), *sampling, u, v),
    };
    let steps = (column - triangle.columns[0], row - triangle.rows[0]);
    let [u, v] = [u, v].map(|plane| Walk::new(plane, steps));
    let last = pixels.len() as i64 - 1;
    let end = u.end(last).zip(v.end(last));
    // If both ends are inside, everything between them is.
    let inside =
        || LinearInside::holds(texture, (u.at, v.at)) && end.is_some_and(|end| LinearInside::holds(texture, end));
    match sampling {
        Sampling::Nearest => sampled(pixels, &Nearest(texture), shade, u, v),
        Sampling::Linear if inside() => sampled(pixels, &LinearInside(texture), shade, u, v),
        Sampling::Linear => sampled(pixels, &Linear(texture), shade, u, v),
    }
}

#[inline]
fn sampled(pixels: impl Pixels, sampler: &impl Sampler, shade: &Shade, u: Walk, v: Walk) {
    let texels = Texels { sampler, u, v };
    if shade.is_plain() {
        // The common case, in which most colours are opaque.
        pixels.paint(texels, |color, below| if color >> 24 == 255 { color } else { over(color, below) });
    } else {
        pixels.paint(Shaded { texels, shade }, |color, below| shade.blend(color, below));
    }
}

/// The texels along a row.
struct Texels<'a, S> {
    sampler: &'a S,
    u: Walk,
    v: Walk,
}

impl<S: Sampler> Colors for Texels<'_, S> {
    // Called once per pixel. Left to itself, the compiler inlines neither it nor a closure in all builds.
    #[inline(always)]
    fn next(&mut self) -> u32 {
        let color = self.sampler.sample(self.u.at, self.v.at);
        self.u.at = self.u.at.wrapping_add(self.u.step);
        self.v.at = self.v.at.wrapping_add(self.v.step);
        color
    }
}

/// Tinted texels.
struct Shaded<'a, S> {
    texels: Texels<'a, S>,
    shade: &'a Shade,
}

impl<S: Sampler> Colors for Shaded<'_, S> {
    #[inline(always)]
    fn next(&mut self) -> u32 {
        self.shade.color(self.texels.next())
    }
}

/// A texture coordinate along a row. Wraps if the coordinates of a file are absurdly large.
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

    /// The coordinate at the end of the row; `None` if [`Self::after`] would wrap.
    fn end(self, columns: i64) -> Option<i64> {
        self.at.checked_add(self.step.checked_mul(columns)?)
    }
}
