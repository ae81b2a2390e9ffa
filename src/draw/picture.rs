//! The render target of both renderers.

use super::View;
use crate::math::color::{average, drop_light, is_mixed, keep_light, mul_255, over, unpremultiply};
use crate::misuse;

/// A picture in premultiplied RGBA, rows top to bottom.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Picture {
    width: u32,
    height: u32,
    pixels: Vec<u8>,
}

impl Picture {
    /// Resizes the picture to `width` × `height` and makes it transparent. Reuses its memory.
    ///
    /// # Panics
    ///
    /// If there is not enough memory for its pixels. The picture is then empty.
    #[track_caller]
    pub fn reset(&mut self, width: u32, height: u32) {
        (self.width, self.height) = (0, 0);
        self.pixels.clear();
        let bytes = u128::from(width) * u128::from(height) * 4;
        let reserved = usize::try_from(bytes).is_ok_and(|bytes| self.pixels.try_reserve_exact(bytes).is_ok());
        misuse::expect(reserved, || {
            format!("a picture of {width}×{height} takes {bytes} bytes, which cannot be allocated")
        });
        self.pixels.resize(bytes as usize, 0);
        (self.width, self.height) = (width, height);
    }

    /// Returns the width in pixels.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// Returns the height in pixels.
    pub fn height(&self) -> u32 {
        self.height
    }

    /// Returns the `width · height` pixels, four bytes each.
    pub fn pixels(&self) -> &[u8] {
        &self.pixels
    }

    /// Returns the pixels for writing.
    pub fn pixels_mut(&mut self) -> &mut [u8] {
        &mut self.pixels
    }

    /// Returns the pixel at column `x` of row `y`.
    ///
    /// # Panics
    ///
    /// If it is outside of the picture.
    #[track_caller]
    pub fn pixel(&self, x: u32, y: u32) -> [u8; 4] {
        let (width, height) = (self.width, self.height);
        misuse::expect(x < width && y < height, || {
            format!("pixel {x}, {y} lies outside of a picture of {width}×{height}")
        });
        let at = (y as usize * self.width as usize + x as usize) * 4;
        std::array::from_fn(|i| self.pixels[at + i])
    }

    /// The largest factor for [`Self::shrink`].
    pub const MAX_SHRINK: u32 = 4096;

    /// Averages blocks of `factor` × `factor` pixels. Incomplete blocks at the right and bottom are cut off.
    ///
    /// # Panics
    ///
    /// If `factor` is not between 1 and [`Self::MAX_SHRINK`].
    #[track_caller]
    pub fn shrink(&mut self, factor: u32) {
        misuse::expect((1..=Self::MAX_SHRINK).contains(&factor), || {
            format!("a picture shrinks by a factor of 1 to {}, not {factor}", Self::MAX_SHRINK)
        });
        if factor == 1 {
            return;
        }
        let (width, height) = (self.width / factor, self.height / factor);
        let (step, row) = (factor as usize, self.width as usize * 4);
        if factor == 2 {
            return self.halve(width, height);
        }
        let area = factor * factor;
        let mut to = 0;
        for y in 0..height as usize {
            for x in 0..width as usize {
                let mut sums = [0u32; 4];
                for from_y in 0..step {
                    let from = (y * step + from_y) * row + x * step * 4;
                    for pixel in self.pixels[from..from + step * 4].as_chunks::<4>().0 {
                        (0..4).for_each(|i| sums[i] += u32::from(pixel[i]));
                    }
                }
                // Never overtakes the pixels still to be read.
                self.pixels[to..to + 4].copy_from_slice(&sums.map(|sum| ((sum + area / 2) / area) as u8));
                to += 4;
            }
        }
        self.pixels.truncate(to);
        (self.width, self.height) = (width, height);
    }

    /// Shrinks by a factor of 2 to the given size.
    fn halve(&mut self, width: u32, height: u32) {
        let (row, columns) = (self.width as usize, width as usize);
        let pixels = self.pixels.as_chunks_mut::<4>().0;
        for y in 0..height as usize {
            // Never overtakes the pixels still to be read.
            let (from, to) = (2 * y * row, y * columns);
            for x in 0..columns {
                let block = [0, 1, row, row + 1].map(|at| u32::from_le_bytes(pixels[from + 2 * x + at]));
                pixels[to + x] = average(block).to_le_bytes();
            }
        }
        self.pixels.truncate(columns * height as usize * 4);
        (self.width, self.height) = (width, height);
    }

    /// Composites the picture over `background`, which returns a premultiplied colour for a column and row.
    pub fn lay_over(&mut self, background: impl Fn(u32, u32) -> [u8; 4]) {
        let row = self.width.max(1) as usize;
        let pixels = self.pixels.as_chunks_mut::<4>().0;
        for (y, row) in (0..).zip(pixels.chunks_mut(row)) {
            for (x, pixel) in (0..).zip(row) {
                if is_mixed(*pixel) {
                    *pixel = over(*pixel, background(x, y));
                } else if *pixel == [0; 4] {
                    *pixel = background(x, y);
                }
            }
        }
    }

    /// Checks that the picture has the size of `view`.
    ///
    /// # Panics
    ///
    /// If it does not.
    #[track_caller]
    pub(crate) fn expect_size(&self, view: &View) {
        let [own, wanted] = [[self.width, self.height], [view.width(), view.height()]];
        misuse::expect(own == wanted, || {
            let [[width, height], [wide, high]] = [own, wanted];
            format!("the picture behind has {width}×{height} pixels, the view {wide}×{high}")
        });
    }

    /// Resizes the picture to `behind`, `factor` times enlarged, with its colours and alpha 0: what is drawn over that blends
    /// with the colours, and alpha becomes its coverage.
    pub(crate) fn reset_to_colors_of(&mut self, behind: &Self, factor: u32) {
        self.reset(behind.width * factor, behind.height * factor);
        let (row, factor) = (behind.width.max(1) as usize, factor as usize);
        let rows = self.pixels.as_chunks_mut::<4>().0.chunks_exact_mut(row * factor);
        let sources = behind.pixels.as_chunks::<4>().0.chunks_exact(row);
        for (to, from) in rows.zip(sources.flat_map(|row| std::iter::repeat_n(row, factor))) {
            for (to, [r, g, b, _]) in to.chunks_exact_mut(factor).zip(from) {
                to.fill([*r, *g, *b, 0]);
            }
        }
    }

    /// Takes `behind` away again from what was drawn after [`Self::reset_to_colors_of`]: laid over it, the picture is
    /// the one that was drawn.
    pub(crate) fn lift_off(&mut self, behind: &Self) {
        let behind = behind.pixels.as_chunks::<4>().0;
        for (pixel, behind) in self.pixels.as_chunks_mut::<4>().0.iter_mut().zip(behind) {
            let left = 255 - pixel[3];
            for (channel, behind) in pixel.iter_mut().zip(behind).take(3) {
                *channel = channel.saturating_sub(mul_255(*behind, left));
            }
        }
    }

    /// Converts the pixels to straight alpha. Straight alpha cannot represent colours brighter than their alpha,
    /// which additive slots leave over a transparent background. These are clipped, unless [`Self::keep_light`] is
    /// called first.
    pub fn unpremultiply(&mut self) {
        self.map(unpremultiply);
    }

    /// Raises the alpha of every pixel to its brightest channel. This only affects pixels that additive slots have
    /// made brighter than their alpha: they look the same over black, and cover other backgrounds.
    pub fn keep_light(&mut self) {
        self.map(keep_light);
    }

    /// Clips every pixel's colour to its alpha, which drops additive light over transparency.
    pub fn drop_light(&mut self) {
        self.map(drop_light);
    }

    /// Converts the pixels by `of`, except for opaque and empty ones, which it must leave as they are.
    fn map(&mut self, of: impl Fn([u8; 4]) -> [u8; 4]) {
        for pixel in self.pixels.as_chunks_mut::<4>().0 {
            if is_mixed(*pixel) {
                *pixel = of(*pixel);
            }
        }
    }
}
