//! Where everyone stands: rows on a field in perspective. The unit of length is the height of the character.

use pchr::math::{Rect, Vec2, vec2};

/// The distance that the ground moves in one cycle of a walk, so that the knight's feet do not slide.
pub const STRIDE: f32 = 0.39;

/// The distance between neighbours in the front row.
const FILE: f32 = 0.62;
/// The distance in the picture between the two front rows.
const ROW: f32 = 0.26;
/// The size of the last row, relative to the first one.
const BACK: f32 = 0.5;
/// A small crowd does not shrink as much.
const MIN_DEPTH: usize = 8;
/// What is visible above and below.
const MARGINS: [f32; 2] = [0.22, 0.14];
/// The largest distance from one's place in the row, in places.
const DISORDER: f32 = 0.28;
/// How far every second row is shifted, in distances between neighbours.
const SHIFT: f32 = 0.4;

/// A place on the field: sideways from its middle, and behind the front row.
#[derive(Debug, Clone, Copy)]
pub struct Place {
    pub x: f32,
    pub depth: f32,
}

/// Maps the field to the picture.
#[derive(Debug, Clone, Copy)]
pub struct Perspective {
    /// The height at which the field would end.
    horizon: f32,
}

impl Perspective {
    /// The size of what is that far behind the front row.
    pub fn scale(self, depth: f32) -> f32 {
        1.0 / (1.0 + depth)
    }

    /// The scale of what stands at this height of the picture; not positive above the horizon.
    pub fn scale_at(self, y: f32) -> f32 {
        1.0 - y / self.horizon
    }

    /// The height at which everything has this scale.
    pub fn height_of(self, scale: f32) -> f32 {
        (1.0 - scale) * self.horizon
    }

    pub fn project(self, place: Place) -> Vec2 {
        let scale = self.scale(place.depth);
        vec2(place.x * scale, self.height_of(scale))
    }
}

/// Rows that fill a picture.
#[derive(Debug, Clone, Copy)]
pub struct Formation {
    count: usize,
    rows: usize,
    row_depth: f32,
    pub perspective: Perspective,
    /// The picture.
    pub area: Rect,
}

impl Formation {
    /// Arranges `count` members in a picture of `aspect`, its width divided by its height.
    pub fn new(count: usize, aspect: f32) -> Self {
        let mut formation = Self::of_rows(1, count, aspect);
        while formation.capacity() < count {
            formation = Self::of_rows(formation.rows + 1, count, aspect);
        }
        formation
    }

    fn of_rows(rows: usize, count: usize, aspect: f32) -> Self {
        let row_depth = (1.0 / BACK - 1.0) / rows.max(MIN_DEPTH) as f32;
        let perspective = Perspective { horizon: ROW / row_depth };
        let back = perspective.scale((rows - 1) as f32 * row_depth);
        let (top, bottom) = (perspective.height_of(back) + (1.0 + MARGINS[0]) * back, -MARGINS[1]);
        let half = (top - bottom) * aspect / 2.0;
        let area = Rect { min: vec2(-half, bottom), max: vec2(half, top) };
        Self { count, rows, row_depth, perspective, area }
    }

    /// The width of a row on the field. Those at its ends are not cut off by the picture.
    fn width(&self, row: usize) -> f32 {
        (self.area.size().x - FILE / 2.0) / self.perspective.scale(row as f32 * self.row_depth)
    }

    fn capacity(&self) -> usize {
        (0..self.rows).map(|row| (self.width(row) / FILE) as usize).sum()
    }

    /// How far back a place is: 0 in the front row, 1 in the last one.
    pub fn distance(&self, place: Place) -> f32 {
        (place.depth / (self.row_depth * self.rows.max(MIN_DEPTH) as f32)).clamp(0.0, 1.0)
    }

    /// The places of all members, back to front.
    pub fn places(self, mut random: impl FnMut() -> f32) -> impl Iterator<Item = Place> {
        let total: f32 = (0..self.rows).map(|row| self.width(row)).sum();
        let (mut width_so_far, mut placed) = (0.0, 0);
        (0..self.rows).rev().flat_map(move |row| {
            let width = self.width(row);
            width_so_far += width;
            // Rounding never loses a member.
            let end = if row == 0 { self.count } else { (self.count as f32 * width_so_far / total) as usize };
            let members = end - placed;
            placed = end;
            let mut disorder = || (2.0 * random() - 1.0) * DISORDER;
            let shift = 0.5 + ((row % 2) as f32 - 0.5) * SHIFT;
            let mut places: Vec<Place> = (0..members)
                .map(|number| Place {
                    x: ((number as f32 + shift) / members as f32 - 0.5) * width + disorder() * FILE,
                    depth: (row as f32 + disorder()) * self.row_depth,
                })
                .collect();
            places.sort_by(|a, b| b.depth.total_cmp(&a.depth));
            places
        })
    }
}
