//! Samples a texture along a row of pixels.
//!
//! Texture coordinates are in texels from the upper-left corner of the texture, with [`FRACTION`] fractional bits.

use super::blend::mix;
use super::texture::Texture;

/// Fractional bits of a texture coordinate.
pub const FRACTION: u32 = 24;
/// One texel.
pub const ONE: i64 = 1 << FRACTION;

/// Samples a texture. Coordinates beyond the edge are clamped to the last texel.
pub trait Sampler {
    /// Returns the premultiplied colour at a point.
    fn sample(&self, u: i64, v: i64) -> u32;
}

/// The texel that contains the point.
pub struct Nearest<'a>(pub &'a Texture);

impl Sampler for Nearest<'_> {
    #[inline(always)]
    fn sample(&self, u: i64, v: i64) -> u32 {
        let x = clamp(u >> FRACTION, self.0.width);
        let y = clamp(v >> FRACTION, self.0.height);
        self.0.texels[y * self.0.width as usize + x]
    }
}

/// Interpolates the four texels around the point in steps of 1/256 texel.
pub struct Linear<'a>(pub &'a Texture);

impl Sampler for Linear<'_> {
    #[inline(always)]
    fn sample(&self, u: i64, v: i64) -> u32 {
        let (u, v) = (u.wrapping_sub(ONE / 2), v.wrapping_sub(ONE / 2));
        let (x, y) = (u >> FRACTION, v >> FRACTION);
        let (left, right) = (clamp(x, self.0.width), clamp(x.wrapping_add(1), self.0.width));
        let width = self.0.width as usize;
        let top = clamp(y, self.0.height) * width;
        let bottom = clamp(y.wrapping_add(1), self.0.height) * width;
        let texels = &self.0.texels;
        blend([texels[top + left], texels[top + right], texels[bottom + left], texels[bottom + right]], u, v)
    }
}

/// [`Linear`] for points at least half a texel inside the texture's edge.
pub struct LinearInside<'a>(pub &'a Texture);

impl LinearInside<'_> {
    /// Returns true if a point is inside.
    pub fn holds(texture: &Texture, (u, v): (i64, i64)) -> bool {
        let inside = |at: i64, size: u32| at >= ONE / 2 && at < (i64::from(size) << FRACTION) - ONE / 2;
        inside(u, texture.width) && inside(v, texture.height)
    }
}

impl Sampler for LinearInside<'_> {
    #[inline(always)]
    fn sample(&self, u: i64, v: i64) -> u32 {
        let (u, v) = (u - ONE / 2, v - ONE / 2);
        let width = self.0.width as usize;
        let at = (v >> FRACTION) as usize * width + (u >> FRACTION) as usize;
        let top = &self.0.texels[at..at + 2];
        let bottom = &self.0.texels[at + width..at + width + 2];
        blend([top[0], top[1], bottom[0], bottom[1]], u, v)
    }
}

/// Interpolates the four texels around a point, whose coordinates are relative to the middle of the first.
#[inline(always)]
fn blend(texels: [u32; 4], u: i64, v: i64) -> u32 {
    // Most points are inside an area of one colour or in the empty space around it.
    if texels[0] == texels[1] && texels[0] == texels[2] && texels[0] == texels[3] {
        return texels[0];
    }
    mix(texels, fraction(u), fraction(v))
}

/// The fraction in 1/256, 0 to 255.
#[inline]
fn fraction(at: i64) -> u64 {
    (at >> (FRACTION - 8)) as u64 & 255
}

#[inline]
fn clamp(at: i64, size: u32) -> usize {
    at.clamp(0, i64::from(size) - 1) as usize
}
