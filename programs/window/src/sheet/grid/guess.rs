//! Guesses the grid of a sheet: from its name, from the empty columns and rows between its frames, or from usual sizes.

use std::ops::Range;

use pchr::draw::Picture;
use pchr::formats::Grid;

/// Usual sides of frames in pixels, the largest first.
const USUAL: [u32; 10] = [256, 192, 128, 96, 64, 48, 32, 24, 16, 8];
/// Smallest side of a frame in pixels. Smaller numbers in names count columns and rows.
const LEAST: u32 = 4;
const LEAST_NAMED: u32 = 8;
/// The widest gap between two frames that is taken for spacing.
const MOST_SPACING: u32 = 4;

/// Guesses the grid of a picture with straight alpha, and the name of its file without extension.
pub fn grid(picture: &Picture, name: &str) -> Grid {
    let size = [picture.width(), picture.height()];
    let of = |[width, height]: [u32; 2]| Grid { width: width.max(1), height: height.max(1), ..Grid::default() };
    if let Some(cell) = named(name, size) {
        return of(cell);
    }
    let runs = [Runs::of_columns(picture), Runs::of_rows(picture)];
    if let Some(spaced) = spaced(&runs) {
        return spaced;
    }
    let [x, y] = [0, 1].map(|axis| runs[axis].divided());
    match (x, y) {
        (Some(width), Some(height)) => of([width, height]),
        (Some(width), None) => of([width, runs[1].side_like(width)]),
        (None, Some(height)) => of([runs[0].side_like(height), height]),
        (None, None) => of(usual(size)),
    }
}

/// Returns the size of a frame that a name such as `walk_32x32` states, or the size that follows from the number of
/// columns and rows in `walk-8x4`.
fn named(name: &str, size: [u32; 2]) -> Option<[u32; 2]> {
    let numbers = |text: &str, at: usize| -> Option<[u32; 2]> {
        let before = text[..at].rsplit(|letter: char| !letter.is_ascii_digit()).next()?;
        let after = text[at + 1..].split(|letter: char| !letter.is_ascii_digit()).next()?;
        Some([before.parse().ok()?, after.parse().ok()?])
    };
    let pairs = name.match_indices(['x', 'X']).filter_map(|(at, _)| numbers(name, at));
    let pairs: Vec<[u32; 2]> = pairs.filter(|pair| pair.iter().all(|number| *number > 0)).collect();
    let divides = |pair: &[u32; 2]| pair.iter().zip(size).all(|(part, whole)| whole.is_multiple_of(*part));
    let is_cell = |pair: &[u32; 2]| divides(pair) && *pair != size && pair.iter().all(|side| *side >= LEAST_NAMED);
    let cells = |pair: &[u32; 2]| [size[0] / pair[0], size[1] / pair[1]];
    let is_count = |pair: &[u32; 2]| divides(pair) && cells(pair).iter().all(|side| *side >= LEAST);
    // The last number is the most specific: `set_640x480_32x32`.
    let cell = pairs.iter().rev().find(|pair| is_cell(pair)).copied();
    cell.or_else(|| pairs.iter().rev().find(|pair| is_count(pair)).map(cells))
}

/// Whether each column or row contains anything.
struct Runs {
    is_full: Vec<bool>,
}

impl Runs {
    fn of_columns(picture: &Picture) -> Self {
        let mut is_full = vec![false; picture.width() as usize];
        each_line(picture, |line, is_empty| {
            for (full, pixel) in is_full.iter_mut().zip(line) {
                *full |= !is_empty(pixel);
            }
        });
        Self { is_full }
    }

    fn of_rows(picture: &Picture) -> Self {
        let mut is_full = Vec::with_capacity(picture.height() as usize);
        each_line(picture, |line, is_empty| is_full.push(line.iter().any(|pixel| !is_empty(pixel))));
        Self { is_full }
    }

    /// Returns the ranges that contain something.
    fn full(&self) -> Vec<Range<u32>> {
        let mut runs: Vec<Range<u32>> = Vec::new();
        for (at, full) in (0..).zip(&self.is_full) {
            match runs.last_mut() {
                Some(run) if *full && run.end == at => run.end += 1,
                _ if *full => runs.push(at..at + 1),
                _ => {}
            }
        }
        runs
    }

    fn side(&self) -> u32 {
        self.is_full.len() as u32
    }

    /// Returns the side of the frames, their spacing and the margin, if all are alike.
    fn spacing(&self) -> Option<(u32, u32, u32)> {
        let full = self.full();
        let (first, second, last) = (full.first()?, full.get(1)?, full.last()?);
        let (side, spacing, margin) = (first.end - first.start, second.start - first.end, first.start);
        let trailing = self.side() - last.end;
        let is_even = side >= LEAST
            && (margin.max(1)..=MOST_SPACING).contains(&spacing)
            && (trailing == margin || margin == 0 && trailing == spacing)
            && full.iter().all(|run| run.end - run.start == side)
            && full.windows(2).all(|pair| pair[1].start - pair[0].end == spacing);
        is_even.then_some((side, spacing, margin))
    }

    /// Returns the side of the only frame between margins like those in the `other` direction.
    fn strip(&self, (_, spacing, margin): (u32, u32, u32)) -> Option<(u32, u32, u32)> {
        match &self.full()[..] {
            [one] if one.start == margin => Some((one.end - one.start, spacing, margin)),
            _ => None,
        }
    }

    /// Returns true if a cut at all multiples of `cell` passes between frames.
    fn is_clear(&self, cell: u32) -> bool {
        let full = |at: u32| self.is_full.get(at as usize).copied().unwrap_or(false);
        (1..self.side() / cell).all(|number| !full(number * cell - 1) || !full(number * cell))
    }

    /// Returns the side of the frames if there are equal parts between which there is nothing: as many as there are
    /// full ranges, or the next smaller number.
    fn divided(&self) -> Option<u32> {
        let (most, side) = (self.full().len() as u32, self.side());
        let mut counts = (2..=most).rev().filter(|count| side.is_multiple_of(*count) && side / count >= LEAST);
        counts.find(|count| self.is_clear(side / count)).map(|count| side / count)
    }

    /// Returns `other` if frames may have this side here, and else the whole side. Square frames that touch are more likely
    /// than frames that are several times longer than wide.
    fn side_like(&self, other: u32) -> u32 {
        let fits = self.side().is_multiple_of(other) && (self.is_clear(other) || self.side() / other >= 3);
        if fits { other } else { self.side() }
    }
}

/// Visits the lines of a picture, with a test whether a pixel is empty: transparent, or in a picture without
/// transparency, of the colour of its first pixel.
fn each_line(picture: &Picture, mut visit: impl FnMut(&[[u8; 4]], &dyn Fn(&[u8; 4]) -> bool)) {
    let pixels = picture.pixels().as_chunks::<4>().0;
    let is_opaque = pixels.iter().all(|pixel| pixel[3] == 255);
    let first = pixels.first().copied().unwrap_or_default();
    let is_empty = |pixel: &[u8; 4]| if is_opaque { *pixel == first } else { pixel[3] == 0 };
    pixels.chunks(picture.width().max(1) as usize).for_each(|line| visit(line, &is_empty));
}

/// Returns a grid with margin and spacing if all frames are equally large and equally far apart, up to the edges.
fn spaced([columns, rows]: &[Runs; 2]) -> Option<Grid> {
    let (across, down) = (columns.spacing(), rows.spacing());
    let across = across.or_else(|| columns.strip(down?));
    let down = down.or_else(|| rows.strip(across?));
    let ((width, spacing, margin), (height, other_spacing, other_margin)) = (across?, down?);
    let is_even = (spacing, margin) == (other_spacing, other_margin);
    is_even.then_some(Grid { width, height, count: None, margin, spacing })
}

/// Returns the frame of a picture without gaps: the square of a strip, or the largest usual square that fits at least
/// four times.
fn usual([width, height]: [u32; 2]) -> [u32; 2] {
    let (long, short) = (width.max(height), width.min(height));
    if short >= LEAST && long > short && long.is_multiple_of(short) {
        return [short; 2];
    }
    let fits = |side: &u32| {
        let is_whole = width.is_multiple_of(*side) && height.is_multiple_of(*side);
        is_whole && (width / side) * (height / side) >= 4
    };
    USUAL.into_iter().find(fits).map_or([width, height], |side| [side; 2])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A picture with these opaque rectangles: left, top, width and height.
    fn picture(size: [u32; 2], full: &[[u32; 4]]) -> Picture {
        let mut picture = Picture::default();
        picture.reset(size[0], size[1]);
        let width = size[0] as usize;
        for &[left, top, across, down] in full {
            for y in top..top + down {
                for x in left..left + across {
                    let at = (y as usize * width + x as usize) * 4;
                    picture.pixels_mut()[at..at + 4].copy_from_slice(&[200, x as u8, y as u8, 255]);
                }
            }
        }
        picture
    }

    fn size_of(picture: &Picture, name: &str) -> [u32; 2] {
        let Grid { width, height, .. } = grid(picture, name);
        [width, height]
    }

    #[test]
    fn names_state_the_frame_or_the_number_of_frames() {
        let sheet = picture([128, 64], &[[0, 0, 128, 64]]);
        assert_eq!(size_of(&sheet, "walk_32x32"), [32, 32]);
        assert_eq!(size_of(&sheet, "walk_32x16_v2"), [32, 16]);
        assert_eq!(size_of(&sheet, "sheet 128x64 (32X64)"), [32, 64]);
        assert_eq!(size_of(&sheet, "run-4x2"), [32, 32]);
        assert_eq!(size_of(&sheet, "run-8x4"), [16, 16]);
        assert_eq!(size_of(&sheet, "box48x48"), [64, 64], "that does not fit");
        assert_eq!(size_of(&sheet, "x0x0x_99999999999x1"), [64, 64]);
    }

    #[test]
    fn empty_columns_and_rows_divide_frames() {
        // Three frames of 20 × 30, drawn at different places in their cells.
        let strip = picture([60, 30], &[[3, 4, 10, 20], [22, 2, 15, 28], [45, 4, 5, 9]]);
        assert_eq!(size_of(&strip, ""), [20, 30]);
        // Each frame has two parts.
        let parts = [[1, 1, 3, 8], [6, 1, 3, 8], [11, 1, 3, 8], [16, 1, 3, 8]];
        assert_eq!(size_of(&picture([20, 10], &parts), ""), [5, 10]);
        // Frames that touch those below, and frames that are twice as high as wide.
        let touching = |height: u32| [0, 1, 2].map(|column| [column * 16 + 2, 0, 11, height]);
        assert_eq!(size_of(&picture([48, 48], &touching(48)), ""), [16, 16]);
        assert_eq!(size_of(&picture([48, 32], &touching(32)), ""), [16, 32]);
        let table = [[2, 2, 10, 10], [20, 3, 8, 9], [3, 18, 9, 12], [18, 19, 12, 9]];
        assert_eq!(size_of(&picture([32, 32], &table), ""), [16, 16]);
    }

    #[test]
    fn margin_and_spacing_are_found() {
        let cells = |margin: u32, spacing: u32| {
            let at = move |place: u32| margin + place * (16 + spacing);
            let full: Vec<[u32; 4]> = (0..6).map(|number| [at(number % 3), at(number / 3), 16, 16]).collect();
            picture([2 * margin + 48 + 2 * spacing, 2 * margin + 32 + spacing], &full)
        };
        for (margin, spacing) in [(0, 1), (1, 1), (0, 2), (1, 2), (2, 2)] {
            let found = grid(&cells(margin, spacing), "tiles");
            assert_eq!(found, Grid { width: 16, height: 16, count: None, margin, spacing });
            assert_eq!(found.cells(2 * margin + 48 + 2 * spacing, 2 * margin + 32 + spacing), [3, 2]);
        }
        // Equal figures in the middle of cells of 20 pixels.
        let middle: Vec<[u32; 4]> = (0..3).map(|number| [number * 20 + 8, 6, 4, 8]).collect();
        assert_eq!(size_of(&picture([60, 20], &middle), ""), [20, 20]);
    }

    #[test]
    fn without_gaps_usual_sizes_are_tried() {
        let full = |width, height| size_of(&picture([width, height], &[[0, 0, width, height]]), "");
        assert_eq!(full(128, 32), [32, 32]);
        assert_eq!(full(32, 96), [32, 32]);
        assert_eq!(full(192, 128), [64, 64]);
        assert_eq!(full(128, 128), [64, 64]);
        assert_eq!(full(97, 61), [97, 61]);
        assert_eq!(size_of(&picture([64, 64], &[]), ""), [32, 32], "an empty picture");
        assert_eq!(full(1, 1), [1, 1]);
    }

    #[test]
    fn the_colour_of_the_corner_is_empty_in_an_opaque_picture() {
        let mut strip = picture([60, 20], &[[3, 4, 10, 12], [25, 2, 9, 13], [44, 4, 12, 9]]);
        for pixel in strip.pixels_mut().as_chunks_mut::<4>().0.iter_mut().filter(|pixel| pixel[3] == 0) {
            *pixel = [255, 0, 255, 255];
        }
        assert_eq!(size_of(&strip, ""), [20, 20]);
    }
}
