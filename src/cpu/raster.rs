//! Triangles → rows of pixels or of the clip mask.

use std::ops::Range;

use super::edges::for_each_row;
use super::setup::{Role, SUBPIXELS, Setup, Triangle};
use super::shade::Shade;
use super::span::{Colors, Pixels, paint};
use super::texture::Textures;
use crate::progress::Progress;

/// The coverage sample of a pixel: its middle, in subpixels from its corner.
const CENTER: [(i64, i64); 1] = [(SUBPIXELS / 2, SUBPIXELS / 2)];

/// Consecutive rows of a picture and of its clip mask.
pub trait Rows {
    /// The rows of the picture.
    fn rows(&self) -> Range<i32>;

    /// Clears the clip mask.
    fn clear_mask(&mut self);

    /// Inverts the clip mask inside a triangle.
    fn invert(&mut self, triangle: &Triangle);

    /// Draws a triangle; only inside the clip mask if `is_clipped`.
    fn triangle(&mut self, triangle: &Triangle, textures: &Textures, shade: &Shade, is_clipped: bool);

    /// Draws everything in `setup` that covers these rows, in order, until `progress` is cancelled.
    fn draw(&mut self, setup: &Setup, textures: &Textures, progress: Option<&Progress>) {
        let rows = self.rows();
        for part in &setup.parts {
            if matches!(part.role, Role::Mask) {
                self.clear_mask();
            }
            for triangle in &setup.triangles[part.triangles.clone()] {
                if triangle.rows[0] >= rows.end || triangle.rows[1] <= rows.start {
                    continue;
                }
                if progress.is_some_and(Progress::is_cancelled) {
                    return;
                }
                match part.role {
                    Role::Mask => self.invert(triangle),
                    Role::Sprite { shade, is_clipped } => self.triangle(triangle, textures, &shade, is_clipped),
                }
            }
        }
    }
}

/// Rows of pixels with one coverage sample each, in the middle.
pub struct PlainRows<'a> {
    /// Whole rows.
    pub pixels: &'a mut [[u8; 4]],
    /// The clip mask, 0 outside: one byte per pixel, or empty if nothing is clipped.
    pub mask: &'a mut [u8],
    /// Pixels in a row.
    pub width: usize,
    /// The first row in the picture.
    pub first: i32,
}

impl PlainRows<'_> {
    /// The index of the first pixel of a row of the picture.
    fn start(&self, row: i32) -> usize {
        (row - self.first) as usize * self.width
    }

    /// Draws a triangle inside the clip mask.
    fn clipped(&mut self, triangle: &Triangle, textures: &Textures, shade: &Shade) {
        for_each_row(triangle, self.rows(), CENTER, |row, [[from, to]]| {
            let start = self.start(row);
            let mask = &self.mask[start..start + to as usize];
            let mut at = from as usize;
            while let Some(skipped) = mask[at..].iter().position(|&inside| inside != 0) {
                at += skipped;
                let run = mask[at..].iter().position(|&inside| inside == 0).unwrap_or(mask.len() - at);
                let pixels = &mut self.pixels[start + at..start + at + run];
                paint(Span(pixels), triangle, textures, shade, (at as i32, row));
                at += run;
            }
        });
    }
}

impl Rows for PlainRows<'_> {
    fn rows(&self) -> Range<i32> {
        self.first..self.first + (self.pixels.len() / self.width.max(1)) as i32
    }

    fn clear_mask(&mut self) {
        self.mask.fill(0);
    }

    fn invert(&mut self, triangle: &Triangle) {
        for_each_row(triangle, self.rows(), CENTER, |row, [[from, to]]| {
            let start = self.start(row);
            let mask = &mut self.mask[start + from as usize..start + to as usize];
            mask.iter_mut().for_each(|inside| *inside = !*inside);
        });
    }

    fn triangle(&mut self, triangle: &Triangle, textures: &Textures, shade: &Shade, is_clipped: bool) {
        if is_clipped {
            return self.clipped(triangle, textures, shade);
        }
        for_each_row(triangle, self.rows(), CENTER, |row, [[from, to]]| {
            let start = self.start(row);
            let pixels = &mut self.pixels[start + from as usize..start + to as usize];
            paint(Span(pixels), triangle, textures, shade, (from, row));
        });
    }
}

/// Consecutive pixels of a row.
struct Span<'a>(&'a mut [[u8; 4]]);

impl Pixels for Span<'_> {
    fn len(&self) -> usize {
        self.0.len()
    }

    #[inline]
    fn paint(self, mut colors: impl Colors, blend: impl Fn(u32, u32) -> u32) {
        for pixel in self.0 {
            let color = colors.next();
            if color != 0 {
                *pixel = blend(color, u32::from_le_bytes(*pixel)).to_le_bytes();
            }
        }
    }
}
