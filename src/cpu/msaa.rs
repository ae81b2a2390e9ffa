//! Triangles → rows of pixels with four coverage samples each.
//!
//! Away from edges, which is almost everywhere, the four samples of a pixel are equal. They are then stored as one
//! pixel, which is shaded and blended once. Only a pixel that is partly covered is split into its samples.

use std::ops::Range;

use super::edges::for_each_row;
use super::raster::Rows;
use super::setup::Triangle;
use super::shade::Shade;
use super::span::{Colors, Pixels, paint};
use super::texture::Textures;
use crate::math::color::average;

/// The standard 4× pattern of GPUs, in subpixels from the corner of the pixel.
const SAMPLES: [(i64, i64); 4] = [(96, 32), (224, 96), (32, 160), (160, 224)];
/// All samples; one bit each.
const ALL: u8 = 0b1111;

/// Rows of pixels with four samples each.
pub struct SampledRows<'a> {
    /// Whole rows: the colours of pixels that are not split.
    pub pixels: &'a mut [[u8; 4]],
    /// The colours of the samples of pixels that are split; meaningless for others.
    pub samples: &'a mut [[u32; 4]],
    /// Whether a pixel is split.
    pub is_split: &'a mut [bool],
    /// The clip mask, one bit per sample: one byte per pixel, or empty if nothing is clipped.
    pub mask: &'a mut [u8],
    /// Pixels in a row.
    pub width: usize,
    /// The first row in the picture.
    pub first: i32,
}

impl SampledRows<'_> {
    /// Averages the samples of split pixels.
    pub fn resolve(self) {
        let split = self.is_split.iter().zip(self.samples).filter(|(is_split, _)| **is_split);
        let pixels = self.pixels.iter_mut().zip(self.is_split.iter()).filter(|(_, is_split)| **is_split);
        pixels.zip(split).for_each(|((pixel, _), (_, samples))| *pixel = average(*samples).to_le_bytes());
    }

    /// Calls `visit` with every row that a triangle covers in part, and the covered columns.
    fn for_each_row(&mut self, triangle: &Triangle, mut visit: impl FnMut(&mut Self, i32, Covered)) {
        for_each_row(triangle, self.rows(), SAMPLES, |row, spans| visit(self, row, Covered(spans)));
    }
}

impl Rows for SampledRows<'_> {
    fn rows(&self) -> Range<i32> {
        self.first..self.first + (self.pixels.len() / self.width.max(1)) as i32
    }

    fn clear_mask(&mut self) {
        self.mask.fill(0);
    }

    fn invert(&mut self, triangle: &Triangle) {
        self.for_each_row(triangle, |rows, row, covered| {
            let start = (row - rows.first) as usize * rows.width;
            for column in covered.columns() {
                rows.mask[start + column as usize] ^= covered.at(column);
            }
        });
    }

    fn triangle(&mut self, triangle: &Triangle, textures: &Textures, shade: &Shade, is_clipped: bool) {
        self.for_each_row(triangle, |rows, row, covered| {
            let start = (row - rows.first) as usize * rows.width;
            let columns = covered.columns();
            let range = start + columns.start as usize..start + columns.end as usize;
            let span = Span {
                pixels: &mut rows.pixels[range.clone()],
                samples: &mut rows.samples[range.clone()],
                is_split: &mut rows.is_split[range.clone()],
                mask: if is_clipped { Some(&rows.mask[range]) } else { None },
                covered: Covered(covered.0.map(|span| span.map(|column| column - columns.start))),
            };
            paint(span, triangle, textures, shade, (columns.start, row));
        });
    }
}

/// The covered columns of a row: the first one and the one after the last, by sample. At least one range is not
/// empty.
#[derive(Clone, Copy)]
struct Covered([[i32; 2]; 4]);

impl Covered {
    /// The columns in which any sample is covered.
    fn columns(&self) -> Range<i32> {
        let spans = self.0.iter().filter(|[from, to]| from < to);
        let around = |[first, end]: [i32; 2], [from, to]: [i32; 2]| [first.min(from), end.max(to)];
        let [first, end] = spans.copied().reduce(around).unwrap_or_default();
        first..end
    }

    /// The columns in which all samples are covered; an empty range within `columns` if there are none.
    fn inner(&self, columns: &Range<i32>) -> Range<i32> {
        let inner =
            self.0.iter().fold(columns.clone(), |inner, &[from, to]| inner.start.max(from)..inner.end.min(to));
        if inner.start < inner.end { inner } else { columns.end..columns.end }
    }

    /// One bit a sample that is covered.
    #[inline]
    fn at(&self, column: i32) -> u8 {
        let bit = |sample: usize| u8::from((self.0[sample][0]..self.0[sample][1]).contains(&column)) << sample;
        bit(0) | bit(1) | bit(2) | bit(3)
    }
}

/// Consecutive pixels of a row.
struct Span<'a> {
    pixels: &'a mut [[u8; 4]],
    samples: &'a mut [[u32; 4]],
    is_split: &'a mut [bool],
    /// The clip mask, if it applies.
    mask: Option<&'a [u8]>,
    /// Columns from the first pixel.
    covered: Covered,
}

impl Pixels for Span<'_> {
    fn len(&self) -> usize {
        self.pixels.len()
    }

    #[inline]
    fn paint(mut self, mut colors: impl Colors, blend: impl Fn(u32, u32) -> u32) {
        let covered = self.covered;
        let columns = 0..self.pixels.len() as i32;
        if let Some(mask) = self.mask {
            let coverage = |column: i32| covered.at(column) & mask[column as usize];
            return self.run(columns, &mut colors, &blend, coverage);
        }
        let inner = covered.inner(&columns);
        self.run(0..inner.start, &mut colors, &blend, |column| covered.at(column));
        self.run(inner.clone(), &mut colors, &blend, |_| ALL);
        self.run(inner.end..columns.end, &mut colors, &blend, |column| covered.at(column));
    }
}

impl Span<'_> {
    #[inline]
    fn run(
        &mut self,
        columns: Range<i32>,
        colors: &mut impl Colors,
        blend: &impl Fn(u32, u32) -> u32,
        coverage: impl Fn(i32) -> u8,
    ) {
        for column in columns {
            let color = colors.next();
            if color == 0 {
                continue;
            }
            let (index, coverage) = (column as usize, coverage(column));
            if coverage == 0 {
                continue;
            }
            if coverage == ALL && !self.is_split[index] {
                let pixel = &mut self.pixels[index];
                *pixel = blend(color, u32::from_le_bytes(*pixel)).to_le_bytes();
            } else {
                self.split(index, coverage, |below| blend(color, below));
            }
        }
    }

    /// Changes the covered samples of a pixel. If all samples are equal afterwards, they are merged again.
    #[inline]
    fn split(&mut self, index: usize, coverage: u8, change: impl Fn(u32) -> u32) {
        let samples = &mut self.samples[index];
        if !self.is_split[index] {
            *samples = [u32::from_le_bytes(self.pixels[index]); 4];
        }
        for (number, sample) in samples.iter_mut().enumerate() {
            if coverage & 1 << number != 0 {
                *sample = change(*sample);
            }
        }
        let is_split = samples[1..].iter().any(|sample| *sample != samples[0]);
        self.is_split[index] = is_split;
        if !is_split {
            self.pixels[index] = samples[0].to_le_bytes();
        }
    }
}
