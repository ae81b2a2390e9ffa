//! Straight RGBA → at most 256 colours and one byte per pixel. Paper has few colours and its grain hides the
//! steps, so this more than halves the file without visible loss.

use std::collections::BTreeMap;

/// Red, green, blue, alpha.
type Color = [u8; 4];

/// A colour for comparisons: premultiplied, so that faint colours count little.
type Point = [i64; 4];

/// Number of k-means rounds.
const ROUNDS: usize = 6;

/// A palette, and one index per pixel.
pub struct Indexed {
    /// The first entry is transparent.
    pub palette: Vec<Color>,
    pub pixels: Vec<u8>,
}

/// Finds the palette: splits boxes of colours where they are widest, then refines it with k-means.
pub fn reduce(rgba: &[u8]) -> Indexed {
    let mut counts: BTreeMap<Color, i64> = BTreeMap::new();
    for color in rgba.as_chunks::<4>().0 {
        *counts.entry(*color).or_default() += 1;
    }
    let clear = [0; 4];
    counts.remove(&clear);
    let colors: Vec<(Color, Point, i64)> =
        counts.iter().map(|(&color, &count)| (color, premultiplied(color), 1 + count.isqrt())).collect();

    let mut palette = split(colors.iter().map(|&(_, point, weight)| (point, weight)).collect(), 255);
    let mut nearest = vec![0; colors.len()];
    for _ in 0..ROUNDS {
        for (best, (_, point, _)) in nearest.iter_mut().zip(&colors) {
            *best = (0..palette.len()).min_by_key(|&i| distance(palette[i], *point)).unwrap_or_default();
        }
        let mut sums = vec![([0; 4], 0); palette.len()];
        for (&best, (_, point, weight)) in nearest.iter().zip(&colors) {
            let (sum, total): &mut (Point, i64) = &mut sums[best];
            (0..4).for_each(|k| sum[k] += point[k] * weight);
            *total += weight;
        }
        for (entry, (sum, total)) in palette.iter_mut().zip(sums) {
            if total > 0 {
                *entry = sum.map(|value| (value + total / 2) / total);
            }
        }
    }
    let index_of: BTreeMap<Color, u8> =
        colors.iter().zip(&nearest).map(|(&(color, ..), &best)| (color, best as u8 + 1)).collect();
    let pixels = rgba.as_chunks::<4>().0.iter().map(|color| index_of.get(color).copied().unwrap_or(0)).collect();
    let palette = std::iter::once(clear).chain(palette.into_iter().map(straight)).collect();
    Indexed { palette, pixels }
}

/// Repeatedly splits the box with the largest spread; the mean of each is an entry.
fn split(all: Vec<(Point, i64)>, count: usize) -> Vec<Point> {
    let mut boxes = vec![all];
    while boxes.len() < count {
        let spreads = boxes.iter().map(|colors| spread(colors));
        let Some((widest, (cost, axis))) = spreads.enumerate().max_by_key(|&(i, (cost, _))| (cost, i)) else {
            break;
        };
        if cost == 0 {
            break;
        }
        let mut colors = boxes.swap_remove(widest);
        colors.sort_unstable_by_key(|(point, _)| (point[axis], *point));
        let middle = mean(&colors)[axis];
        let at = colors.partition_point(|(point, _)| point[axis] <= middle).clamp(1, colors.len() - 1);
        let upper = colors.split_off(at);
        boxes.extend([colors, upper]);
    }
    boxes.iter().filter(|colors| !colors.is_empty()).map(|colors| mean(colors)).collect()
}

/// Returns the largest sum of squared deviations from the mean along one axis, and that axis.
fn spread(colors: &[(Point, i64)]) -> (i64, usize) {
    if colors.len() < 2 {
        return (0, 0);
    }
    let mean = mean(colors);
    let along =
        |axis: usize| colors.iter().map(|(point, weight)| (point[axis] - mean[axis]).pow(2) * weight).sum();
    (0..4).map(|axis| (along(axis), axis)).max().unwrap_or_default()
}

fn mean(colors: &[(Point, i64)]) -> Point {
    let total: i64 = colors.iter().map(|(_, weight)| weight).sum::<i64>().max(1);
    std::array::from_fn(|k| {
        (colors.iter().map(|(point, weight)| point[k] * weight).sum::<i64>() + total / 2) / total
    })
}

/// In 1/255 of a level, so that it is lossless.
fn premultiplied([r, g, b, a]: Color) -> Point {
    let alpha = i64::from(a);
    [i64::from(r) * alpha, i64::from(g) * alpha, i64::from(b) * alpha, alpha * 255]
}

fn straight([r, g, b, a]: Point) -> Color {
    let alpha = (a + 127) / 255;
    let channel = |value: i64| ((value + alpha / 2) / alpha.max(1)).min(255) as u8;
    [channel(r), channel(g), channel(b), alpha as u8]
}

/// Green has the largest weight and alpha a small one, since halos are soft.
fn distance(a: Point, b: Point) -> i64 {
    let d = |k: usize| (a[k] - b[k]).pow(2);
    3 * d(0) + 4 * d(1) + 2 * d(2) + 2 * d(3)
}
