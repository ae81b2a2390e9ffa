//! Colours of many pictures → palette.
//!
//! Colours are counted in a table of fixed size while the pictures are rendered; if they fit into a palette they
//! are kept exactly. Otherwise boxes of colours are split where they differ most (median cut), and a few rounds of
//! k-means refine the palette.

use std::collections::BTreeMap;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

/// Red, green, blue.
pub type Rgb = [u8; 3];

/// Number of leading bits per channel that the table distinguishes.
const BITS: u32 = 6;
/// Perceptual weight of each channel.
const WEIGHTS: [f64; 3] = [2.0, 4.0, 3.0];
/// Number of k-means rounds; more hardly change a colour.
const ROUNDS: usize = 4;

/// Counts how often each colour occurs.
#[derive(Debug)]
pub struct Histogram {
    /// All colours, as long as they fit into a palette.
    few: Option<BTreeMap<Rgb, u64>>,
    room: usize,
    buckets: Vec<Bucket>,
}

/// Colours that differ only in their low bits.
#[derive(Debug, Clone, Copy, Default)]
struct Bucket {
    count: u64,
    sums: [u64; 3],
}

/// The mean colour of a bucket.
#[derive(Debug, Clone, Copy)]
struct Sample {
    color: [f64; 3],
    weight: f64,
}

impl Histogram {
    /// Creates an empty histogram for a palette of at most `room` colours.
    pub fn new(room: usize) -> Self {
        Self { few: Some(BTreeMap::new()), room, buckets: vec![Bucket::default(); 1 << (3 * BITS)] }
    }

    /// Adds `count` pixels of a colour.
    pub fn add(&mut self, color: Rgb, count: u32) {
        if let Some(few) = &mut self.few {
            *few.entry(color).or_default() += u64::from(count);
            if few.len() > self.room {
                self.few = None;
            }
        }
        let index = color.iter().fold(0, |index, channel| index << BITS | usize::from(channel >> (8 - BITS)));
        let bucket = &mut self.buckets[index];
        bucket.count += u64::from(count);
        for (sum, channel) in bucket.sums.iter_mut().zip(color) {
            *sum += u64::from(channel) * u64::from(count);
        }
    }

    /// Returns the palette. It is never empty.
    pub fn palette(&self) -> Palette {
        if let Some(few) = &self.few {
            return Palette::new(few.keys().copied().collect());
        }
        let seen = self.buckets.iter().filter(|bucket| bucket.count > 0);
        let mut samples: Vec<Sample> = seen
            .map(|bucket| {
                let weight = bucket.count as f64;
                Sample { color: bucket.sums.map(|sum| sum as f64 / weight), weight }
            })
            .collect();
        let mut colors = split(&mut samples, self.room);
        for _ in 0..ROUNDS {
            settle(&samples, &mut colors);
        }
        Palette::new(colors.into_iter().map(|color| color.map(|channel| (channel + 0.5) as u8)).collect())
    }
}

/// A box of samples.
struct Part<'a> {
    samples: &'a mut [Sample],
    mean: [f64; 3],
    /// The channel with the largest error.
    channel: usize,
    /// The sum of squared deviations from the mean.
    error: f64,
}

impl<'a> Part<'a> {
    fn new(samples: &'a mut [Sample]) -> Self {
        let weight: f64 = samples.iter().map(|sample| sample.weight).sum();
        let sum = |channel: usize| samples.iter().map(|sample| sample.color[channel] * sample.weight).sum::<f64>();
        let mean = [0, 1, 2].map(|channel| if weight > 0.0 { sum(channel) / weight } else { 0.0 });
        let errors = [0, 1, 2].map(|channel: usize| {
            let squares = samples.iter().map(|sample| {
                let off = sample.color[channel] - mean[channel];
                off * off * sample.weight
            });
            squares.sum::<f64>() * WEIGHTS[channel]
        });
        let channel = (1..3).fold(0, |most, channel| if errors[channel] > errors[most] { channel } else { most });
        Self { samples, mean, channel, error: errors.iter().sum() }
    }
}

/// Splits the samples into at most `count` boxes and returns their means.
fn split(samples: &mut [Sample], count: usize) -> Vec<[f64; 3]> {
    let mut parts = vec![Part::new(samples)];
    while parts.len() < count {
        let worst =
            (1..parts.len()).fold(0, |worst, i| if parts[i].error > parts[worst].error { i } else { worst });
        if parts[worst].error <= 0.0 {
            break;
        }
        let Part { samples, mean, channel, .. } = parts.swap_remove(worst);
        samples.sort_unstable_by(|a, b| a.color[channel].total_cmp(&b.color[channel]));
        // Both sides are non-empty except for rounding errors, hence the clamp.
        let at = samples.partition_point(|sample| sample.color[channel] <= mean[channel]);
        let (low, high) = samples.split_at_mut(at.clamp(1, samples.len() - 1));
        parts.extend([Part::new(low), Part::new(high)]);
    }
    parts.into_iter().map(|part| part.mean).collect()
}

/// Moves every colour to the mean of the samples nearest to it.
fn settle(samples: &[Sample], colors: &mut [[f64; 3]]) {
    let mut sums = vec![([0.0; 3], 0.0); colors.len()];
    let near = Nearest::new(colors.to_vec());
    for sample in samples {
        let (sum, weight) = &mut sums[near.to(sample.color)];
        (0..3).for_each(|i| sum[i] += sample.color[i] * sample.weight);
        *weight += sample.weight;
    }
    for (color, (sum, weight)) in colors.iter_mut().zip(sums) {
        if weight > 0.0 {
            *color = sum.map(|sum| sum / weight);
        }
    }
}

/// Numbers of leading bits per channel that coarse and fine cells distinguish.
const CELL_BITS: [usize; 2] = [3, 4];

/// Finds the nearest of at most 256 colours.
///
/// Colour space is divided into cubes. Each lists the colours that can be the nearest one to a colour in it, so that the
/// others are not searched. The lists are made when they are first needed, those of fine cells from those of coarse ones.
#[derive(Debug)]
struct Nearest {
    colors: Vec<[f64; 3]>,
    cells: [Vec<OnceLock<Box<[u8]>>>; 2],
}

impl Nearest {
    fn new(colors: Vec<[f64; 3]>) -> Self {
        Self { colors, cells: CELL_BITS.map(|bits| vec![OnceLock::new(); 1 << (3 * bits)]) }
    }

    /// Returns the index of the colour nearest to `color`, whose channels are at most 255; the first one of a tie.
    fn to(&self, color: [f64; 3]) -> usize {
        let channels = color.map(|channel| (channel as usize).min(255));
        let [coarse, fine] = [0, 1].map(|level| {
            let bits = CELL_BITS[level];
            &self.cells[level][channels.iter().fold(0, |cell, channel| cell << bits | channel >> (8 - bits))]
        });
        let near = fine.get_or_init(|| {
            let near = coarse.get_or_init(|| self.candidates(0..=u8::MAX, channels, CELL_BITS[0]));
            self.candidates(near.iter().copied(), channels, CELL_BITS[1])
        });
        let mut nearest = (f64::INFINITY, 0);
        for &index in near {
            let of = self.colors[usize::from(index)];
            let distance = square([0, 1, 2].map(|i| of[i] - color[i]));
            if distance < nearest.0 {
                nearest = (distance, index);
            }
        }
        nearest.1.into()
    }

    /// Returns the colours `among` that can be the nearest one to a colour in the cell around `channels`. It leaves out
    /// colours whose smallest distance from the cell exceeds the largest distance of another colour.
    fn candidates(&self, among: impl Iterator<Item = u8>, channels: [usize; 3], bits: usize) -> Box<[u8]> {
        /// Exceeds the rounding errors of distances.
        const ROUNDING: f64 = 1.0 + 1e-9;
        let side = 256 >> bits;
        let half = side as f64 / 2.0;
        let middle = channels.map(|channel| (channel - channel % side) as f64 + half);
        let mut limit = f64::INFINITY;
        let near = |index: u8| {
            let color = self.colors.get(usize::from(index))?;
            let offset = [0, 1, 2].map(|i| (color[i] - middle[i]).abs());
            limit = limit.min(square(offset.map(|offset| offset + half)));
            Some((index, square(offset.map(|offset| (offset - half).max(0.0)))))
        };
        let near: Vec<(u8, f64)> = among.map_while(near).collect();
        near.into_iter().filter(|(_, distance)| *distance <= limit * ROUNDING).map(|(index, _)| index).collect()
    }
}

/// Returns the square of a distance, weighted by [`WEIGHTS`].
fn square(offset: [f64; 3]) -> f64 {
    WEIGHTS[0] * offset[0] * offset[0] + WEIGHTS[1] * offset[1] * offset[1] + WEIGHTS[2] * offset[2] * offset[2]
}

/// At most 256 colours with nearest-colour lookup.
#[derive(Debug)]
pub struct Palette {
    colors: Vec<Rgb>,
    near: Nearest,
    /// Cached lookups by hash of the colour: 24 bits of colour, then 8 bits of index. Each entry is
    /// self-contained, so threads may overwrite each other's.
    known: Vec<AtomicU32>,
}

/// Number of pixels of a pattern.
pub const PATTERN: usize = 16;

/// Bits of the hash.
const KNOWN_BITS: u32 = 15;

impl Palette {
    /// Sorts and deduplicates `colors`, so that the order does not depend on how they were found.
    fn new(mut colors: Vec<Rgb>) -> Self {
        colors.sort_unstable();
        colors.dedup();
        if colors.is_empty() {
            colors.push([0; 3]);
        }
        let near = Nearest::new(colors.iter().map(|color| color.map(f64::from)).collect());
        let mut palette = Self { colors, near, known: Vec::new() };
        let black = u32::from(palette.search([0; 3]));
        palette.known.resize_with(1 << KNOWN_BITS, || AtomicU32::new(black));
        palette
    }

    /// The colours, sorted.
    pub fn colors(&self) -> &[Rgb] {
        &self.colors
    }

    /// Returns the index of the colour nearest to `color`; the first one of a tie.
    pub fn nearest(&self, color: Rgb) -> u8 {
        let [r, g, b] = color.map(u32::from);
        let key = r << 16 | g << 8 | b;
        let slot = &self.known[(key.wrapping_mul(0x9e37_79b1) >> (32 - KNOWN_BITS)) as usize];
        let known = slot.load(Ordering::Relaxed);
        if known >> 8 == key {
            return known as u8;
        }
        let index = self.search(color);
        slot.store(key << 8 | u32::from(index), Ordering::Relaxed);
        index
    }

    /// Returns the colours of a square of [`PATTERN`] pixels that look like `color` together, by increasing brightness.
    ///
    /// Each colour makes up for the errors of the ones before. Patterns stay where they are from frame to frame, which
    /// errors that are passed on to the neighbouring pixels would not.
    pub fn pattern(&self, color: Rgb) -> [u8; PATTERN] {
        let mut missing = color.map(i32::from);
        let mut pattern = [(); PATTERN].map(|()| {
            let index = self.nearest(missing.map(|channel| channel.clamp(0, 255) as u8));
            let found = self.colors[usize::from(index)];
            (0..3).for_each(|i| missing[i] += i32::from(color[i]) - i32::from(found[i]));
            index
        });
        let brightness = |index: &u8| {
            let [r, g, b] = self.colors[usize::from(*index)].map(u32::from);
            (2 * r + 4 * g + b, *index)
        };
        pattern.sort_unstable_by_key(brightness);
        pattern
    }

    /// Returns the place of a pixel in its pattern.
    pub fn place_in_pattern([x, y]: [usize; 2]) -> usize {
        /// Neighbours are far apart in brightness.
        const ORDER: [[usize; 4]; 4] = [[0, 8, 2, 10], [12, 4, 14, 6], [3, 11, 1, 9], [15, 7, 13, 5]];
        ORDER[y % 4][x % 4]
    }

    fn search(&self, color: Rgb) -> u8 {
        self.near.to(color.map(f64::from)) as u8
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_colours_are_kept() {
        let mut histogram = Histogram::new(255);
        let colors: Vec<Rgb> = (0..255).map(|i| [i, 255 - i, i / 2]).collect();
        colors.iter().for_each(|&color| histogram.add(color, 1));
        let palette = histogram.palette();
        assert_eq!(palette.colors(), colors);
        // The second lookup hits the cache.
        for _ in 0..2 {
            colors.iter().enumerate().for_each(|(i, &color)| assert_eq!(usize::from(palette.nearest(color)), i));
        }
        assert_eq!(Histogram::new(255).palette().colors(), [[0; 3]]);
    }

    #[test]
    fn the_nearest_colour_is_found_as_if_all_were_searched() {
        let mut state = 1_u32;
        let mut random = |among: u32| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            [0, 8, 16].map(|bits| f64::from((state >> 8 >> bits & 0xff) % among))
        };
        for (count, among) in [(1, 256), (2, 256), (40, 256), (256, 256), (256, 40), (256, 5)] {
            let near = Nearest::new((0..count).map(|_| random(among)).collect());
            for _ in 0..2000 {
                let color = random(256);
                let distance = |of: &[f64; 3]| square([0, 1, 2].map(|i| of[i] - color[i]));
                let all = near.colors.iter().map(distance).enumerate();
                let nearest = all.min_by(|(_, a), (_, b)| a.total_cmp(b)).map(|(index, _)| index);
                assert_eq!(Some(near.to(color)), nearest, "{color:?} of {count} colours");
            }
        }
    }

    #[test]
    fn a_pattern_mixes_its_colour() {
        let mut histogram = Histogram::new(2);
        histogram.add([0; 3], 1);
        histogram.add([255; 3], 1);
        let palette = histogram.palette();
        for (grey, whites) in [(0, 0), (64, 4), (128, 8), (250, 16), (255, 16)] {
            let pattern = palette.pattern([grey; 3]);
            assert_eq!(pattern.iter().filter(|&&index| index == 1).count(), whites, "{grey}");
            assert!(pattern.is_sorted());
        }
        let mut places: Vec<usize> = (0..16).map(|at| Palette::place_in_pattern([at % 4, at / 4])).collect();
        places.sort_unstable();
        assert!(places.into_iter().eq(0..PATTERN));
    }

    #[test]
    fn many_colours_are_reduced_by_frequency() {
        let mut histogram = Histogram::new(16);
        // A thousand reds, and one dominant blue.
        (0..1000u32).for_each(|i| histogram.add([(i / 4) as u8, (i % 8) as u8, 0], 1));
        histogram.add([10, 20, 250], 100_000);
        let palette = histogram.palette();
        assert_eq!(palette.colors().len(), 16);
        let off = |color: Rgb| {
            let found = palette.colors()[usize::from(palette.nearest(color))];
            (0..3).map(|i| found[i].abs_diff(color[i])).max().unwrap()
        };
        assert_eq!(off([10, 20, 250]), 0);
        // 15 entries are left for 250 reds: each stands for 17 of them.
        assert!((0..250).all(|red| off([red, 4, 0]) <= 12));
    }
}
