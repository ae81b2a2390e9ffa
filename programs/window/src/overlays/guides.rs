//! The guides behind the character: a grid, its coordinates, the ground line at y = 0 and the origin.
//!
//! They belong to the window alone: screenshots and exports do not contain them.

use serde::{Deserialize, Serialize};

use crate::base::ticks;
use pchr::draw::View;
use pchr::math::vec2;

/// Which guides are shown. They are kept in the settings as they are here.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Guides {
    /// The grid.
    pub grid: bool,
    /// The coordinates of the heavier grid lines.
    pub coordinates: bool,
    /// The ground line at y = 0.
    pub ground: bool,
    /// A cross at the origin of the world.
    pub origin: bool,
}

impl Default for Guides {
    fn default() -> Self {
        Self { grid: false, coordinates: true, ground: false, origin: false }
    }
}

/// Every line whose number is a multiple of this is heavier.
pub const HEAVY: i64 = 10;

/// Maximum number of grid lines in either direction, as many as fit on the largest screens.
const MAX_LINES: i64 = 2000;

/// A line of the grid.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Line {
    /// Its number from the axis: its coordinate is this times the spacing.
    pub number: i64,
    /// Its column or row on the canvas, in pixels from the left or top.
    pub pixel: f64,
}

/// The grid in a view.
#[derive(Debug, Clone, PartialEq)]
pub struct Grid {
    /// Distance between lines in world pixels: 1, 2 or 5 times a power of ten.
    pub spacing: f64,
    /// The vertical lines from left to right.
    pub columns: Vec<Line>,
    /// The horizontal lines from top to bottom.
    pub rows: Vec<Line>,
}

impl Grid {
    /// Returns the lines in `view`, as close as possible, but at least `room` pixels apart. There are none in a
    /// view that shows nothing.
    pub fn new(view: &View, room: f64) -> Self {
        let nothing = Self { spacing: 1.0, columns: Vec::new(), rows: Vec::new() };
        let scale = f64::from(view.scale());
        let corner = view.world_from_pixel(vec2(0.0, 0.0));
        if !(scale.is_finite() && scale > 0.0 && corner.is_finite()) {
            return nothing;
        }
        let spacing = ticks::step(room / scale);
        let lines = |from: f64, pixels: u32, sign: f64| {
            let to = from + sign * f64::from(pixels) / scale;
            let (first, last) = ((from.min(to) / spacing).ceil() as i64, (from.max(to) / spacing).floor() as i64);
            let last = last.min(first.saturating_add(MAX_LINES));
            let line = |number: i64| Line { number, pixel: (number as f64 * spacing - from) * sign * scale };
            (first..=last).map(line).collect::<Vec<_>>()
        };
        let columns = lines(corner.x.into(), view.width(), 1.0);
        let mut rows = lines(corner.y.into(), view.height(), -1.0);
        rows.reverse();
        Self { spacing, columns, rows }
    }

    /// Returns the coordinate of a line as text.
    pub fn label(&self, line: Line) -> String {
        // The spacing is a short decimal number, and so is the product, apart from rounding.
        let decimals = if self.spacing < 1.0 { 3 } else { 0 };
        let text = format!("{:.decimals$}", line.number as f64 * self.spacing);
        match text.split_once('.') {
            Some((whole, fraction)) if fraction.trim_end_matches('0').is_empty() => whole.to_owned(),
            Some(_) => text.trim_end_matches('0').to_owned(),
            None => text,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pchr::math::Vec2;

    #[test]
    fn lines_are_where_the_world_is() {
        let view = View::centered(200, 100, vec2(3.0, -20.0), 2.0);
        let grid = Grid::new(&view, 16.0);
        assert_eq!(grid.spacing, 10.0);
        for (lines, axis) in [(&grid.columns, Vec2::X), (&grid.rows, Vec2::Y)] {
            assert!(lines.len() >= 5, "{lines:?}");
            for line in lines {
                let pixel = view.pixel_from_world(axis * (line.number as f32 * 10.0)).dot(axis);
                assert!((f64::from(pixel) - line.pixel).abs() < 1e-3, "{line:?} is at {pixel}");
            }
            assert!(lines.windows(2).all(|pair| pair[1].pixel - pair[0].pixel >= 16.0));
        }
    }

    #[test]
    fn any_view_has_a_bounded_grid() {
        for scale in [1.0 / 256.0, 1e-30, 1e30, 256.0, 0.0, -1.0, f32::NAN, f32::INFINITY] {
            for corner in [Vec2::ZERO, Vec2::splat(1e7), Vec2::splat(f32::MAX), Vec2::splat(f32::NAN)] {
                let grid = Grid::new(&View::new(4000, 2000, corner, scale), 12.0);
                assert!(grid.columns.len() + grid.rows.len() <= 2 * MAX_LINES as usize + 2, "{scale} {corner}");
            }
        }
    }

    #[test]
    fn labels_have_no_needless_digits() {
        let label = |spacing, number| {
            let grid = Grid { spacing, columns: Vec::new(), rows: Vec::new() };
            grid.label(Line { number, pixel: 0.0 })
        };
        assert_eq!(label(50.0, -10), "-500");
        assert_eq!(label(0.1, 10), "1");
        assert_eq!(label(0.05, 30), "1.5");
        assert_eq!(label(0.2, 0), "0");
    }
}
