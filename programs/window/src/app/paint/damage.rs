//! Finds the pixels of the window that differ from the last frame.
//!
//! egui lays out everything in every frame, although most of it has not changed. Two frames are compared shape by
//! shape; the differences are collected as a few rectangles, and only those are repainted.

use std::sync::Arc;

use egui::epaint::{ClippedShape, Shape};
use egui::{Pos2, Rect};

/// Pixels that a shape may touch beyond its bounds, because of antialiasing and rounding.
const FRINGE: i64 = 2;
/// Number of vertices above which the clip rectangle stands in for the bounds of a mesh.
const MAX_EXACT_VERTICES: usize = 256;
/// Maximum number of rectangles.
const MAX_AREAS: usize = 8;

/// A rectangle of pixels, excluding the right column and the bottom row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Area {
    /// The first column.
    pub left: i64,
    /// The first row.
    pub top: i64,
    /// The column after the last.
    pub right: i64,
    /// The row after the last.
    pub bottom: i64,
}

impl Area {
    /// Returns the area of a whole picture.
    pub fn whole([width, height]: [u32; 2]) -> Self {
        Self { left: 0, top: 0, right: width.into(), bottom: height.into() }
    }

    /// Returns the area of every pixel that a rectangle in points touches.
    pub fn around(rect: Rect, pixels_per_point: f32) -> Self {
        let down = |value: f32| (value * pixels_per_point).floor() as i64;
        let up = |value: f32| (value * pixels_per_point).ceil() as i64;
        Self { left: down(rect.min.x), top: down(rect.min.y), right: up(rect.max.x), bottom: up(rect.max.y) }
    }

    /// Returns the intersection.
    #[must_use]
    pub fn intersect(self, other: Self) -> Self {
        Self {
            left: self.left.max(other.left),
            top: self.top.max(other.top),
            right: self.right.min(other.right),
            bottom: self.bottom.min(other.bottom),
        }
    }

    /// Returns the bounding box of both areas. Neither may be empty.
    #[must_use]
    pub fn union(self, other: Self) -> Self {
        Self {
            left: self.left.min(other.left),
            top: self.top.min(other.top),
            right: self.right.max(other.right),
            bottom: self.bottom.max(other.bottom),
        }
    }

    /// Returns the area grown by `by` pixels on each side.
    #[must_use]
    pub fn grown(self, by: i64) -> Self {
        Self {
            left: self.left.saturating_sub(by),
            top: self.top.saturating_sub(by),
            right: self.right.saturating_add(by),
            bottom: self.bottom.saturating_add(by),
        }
    }

    /// Returns the area moved `x` pixels right and `y` pixels down.
    #[must_use]
    pub fn moved(self, x: i64, y: i64) -> Self {
        Self { left: self.left + x, top: self.top + y, right: self.right + x, bottom: self.bottom + y }
    }

    /// Returns true if it contains no pixels.
    pub fn is_empty(self) -> bool {
        self.left >= self.right || self.top >= self.bottom
    }

    /// Returns the number of pixels.
    pub fn pixels(self) -> i64 {
        if self.is_empty() { 0 } else { (self.right - self.left) * (self.bottom - self.top) }
    }
}

/// A few disjoint rectangles.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Damage {
    areas: Vec<Area>,
}

impl Damage {
    /// The empty damage.
    pub const NOTHING: Self = Self { areas: Vec::new() };

    /// Returns the rectangles.
    pub fn areas(&self) -> &[Area] {
        &self.areas
    }

    /// Adds the part of `area` within `window`.
    pub fn add(&mut self, area: Area, window: Area) {
        let mut area = area.intersect(window);
        if area.is_empty() {
            return;
        }
        // A merged rectangle may overlap others.
        while let Some(at) = self.areas.iter().position(|known| !known.intersect(area).is_empty()) {
            area = area.union(self.areas.swap_remove(at));
        }
        self.areas.push(area);
        if self.areas.len() > MAX_AREAS {
            self.join_nearest();
        }
    }

    /// Returns true if it overlaps `area`.
    pub fn touches(&self, area: Area) -> bool {
        self.areas.iter().any(|known| !known.intersect(area).is_empty())
    }

    /// Returns the number of pixels.
    pub fn pixels(&self) -> i64 {
        self.areas.iter().map(|area| area.pixels()).sum()
    }

    /// Merges the two rectangles whose union wastes the fewest pixels.
    fn join_nearest(&mut self) {
        let count = self.areas.len();
        let pairs = (0..count).flat_map(|a| (a + 1..count).map(move |b| (a, b)));
        let waste = |&(a, b): &(usize, usize)| {
            let (a, b) = (self.areas[a], self.areas[b]);
            a.union(b).pixels() - a.pixels() - b.pixels()
        };
        let Some((a, b)) = pairs.min_by_key(waste) else { return };
        let area = self.areas.swap_remove(b).union(self.areas.swap_remove(a));
        self.add(area, area);
    }
}

/// A shape of a frame with the pixels that it may touch.
#[derive(Debug)]
pub struct Placed {
    /// The shape laid out by egui.
    pub shape: ClippedShape,
    /// The pixels that it may touch.
    pub area: Area,
}

impl Placed {
    /// Computes the pixels that `shape` may touch.
    pub fn new(shape: ClippedShape, pixels_per_point: f32) -> Self {
        let bounds = match &shape.shape {
            // Visiting every vertex of a large mesh in every frame would be slow.
            Shape::Mesh(mesh) if mesh.vertices.len() > MAX_EXACT_VERTICES => shape.clip_rect,
            shown => shape.transform_after_tessellation * shown.visual_bounding_rect(),
        };
        let nothing = Area { left: 0, top: 0, right: 0, bottom: 0 };
        let area = if bounds.any_nan() {
            Area::around(shape.clip_rect, pixels_per_point)
        } else if bounds.is_negative() {
            nothing
        } else {
            let clip = Area::around(shape.clip_rect, pixels_per_point).grown(1);
            Area::around(bounds, pixels_per_point).grown(FRINGE).intersect(clip)
        };
        Self { shape, area }
    }

    /// Returns which character's picture this shape shows, if any, and its position.
    pub fn character(&self) -> Option<(usize, Pos2)> {
        match (self.shape.shape.texture_id(), &self.shape.shape) {
            (egui::TextureId::User(number), Shape::Mesh(mesh)) => Some((number as usize, mesh.calc_bounds().min)),
            _ => None,
        }
    }
}

/// Calls `differs` for every area in which two frames differ. Both lists are in painting order.
pub fn compare(before: &[Placed], after: &[Placed], mut differs: impl FnMut(Area)) {
    let is_same = |(before, after): &(&Placed, &Placed)| is_same(&before.shape, &after.shape);
    let first = before.iter().zip(after).take_while(is_same).count();
    let (before, after) = (&before[first..], &after[first..]);
    let last = before.iter().rev().zip(after.iter().rev()).take_while(is_same).count();
    let (before, after) = (&before[..before.len() - last], &after[..after.len() - last]);
    let is_as_many = before.len() == after.len();
    for (before, after) in before.iter().zip(after) {
        if !is_as_many || !is_same(&(before, after)) {
            differs(before.area);
            differs(after.area);
        }
    }
    let common = before.len().min(after.len());
    before[common..].iter().chain(&after[common..]).for_each(|placed| differs(placed.area));
}

/// Returns true if two shapes look the same. Texts and meshes are shared, so a pointer comparison usually
/// suffices.
fn is_same(a: &ClippedShape, b: &ClippedShape) -> bool {
    a.clip_rect == b.clip_rect
        && a.transform_after_tessellation == b.transform_after_tessellation
        && is_same_shape(&a.shape, &b.shape)
}

fn is_same_shape(a: &Shape, b: &Shape) -> bool {
    match (a, b) {
        (Shape::Text(a), Shape::Text(b)) if Arc::ptr_eq(&a.galley, &b.galley) => {
            let rest = |text: &egui::epaint::TextShape| {
                (text.pos, text.underline, text.fallback_color, text.override_text_color)
            };
            rest(a) == rest(b) && (a.opacity_factor, a.angle) == (b.opacity_factor, b.angle)
        }
        (Shape::Mesh(a), Shape::Mesh(b)) => Arc::ptr_eq(a, b) || a == b,
        (Shape::Vec(a), Shape::Vec(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| is_same_shape(a, b)),
        (a, b) => a == b,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::{Color32, pos2};

    const WINDOW: Area = Area { left: 0, top: 0, right: 1000, bottom: 1000 };

    fn square(x: f32, color: Color32) -> Placed {
        let rect = Rect::from_min_max(pos2(x, 100.0), pos2(x + 10.0, 110.0));
        Placed::new(ClippedShape::new(Rect::EVERYTHING, Shape::rect_filled(rect, 0.0, color)), 1.0)
    }

    fn damage(before: &[Placed], after: &[Placed]) -> Vec<Area> {
        let mut damage = Damage::default();
        compare(before, after, |area| damage.add(area, WINDOW));
        damage.areas
    }

    /// Returns the pixels that a square at `x` may touch.
    fn at(x: i64) -> Area {
        Area { left: x, top: 100, right: x + 10, bottom: 110 }.grown(FRINGE)
    }

    #[test]
    fn only_differing_shapes_are_damaged() {
        let frame = |colors: [Color32; 3]| {
            [0.0, 100.0, 200.0].iter().zip(colors).map(|(&x, color)| square(x, color)).collect::<Vec<_>>()
        };
        let (grey, red) = (Color32::GRAY, Color32::RED);
        let before = frame([grey, grey, grey]);
        assert_eq!(damage(&before, &frame([grey, grey, grey])), []);
        assert_eq!(damage(&before, &frame([grey, red, grey])), [at(100)]);
        assert_eq!(damage(&before, &frame([red, grey, red])), [at(0).intersect(WINDOW), at(200)]);
    }

    #[test]
    fn a_moved_shape_damages_its_old_and_new_position() {
        let (before, after) = (
            [square(0.0, Color32::RED), square(500.0, Color32::RED)],
            [square(0.0, Color32::RED), square(700.0, Color32::RED)],
        );
        assert_eq!(damage(&before, &after), [at(500), at(700)]);
    }

    #[test]
    fn added_and_removed_shapes_damage_only_their_own_pixels() {
        let few = [square(0.0, Color32::RED), square(500.0, Color32::RED)];
        let more = [square(0.0, Color32::RED), square(300.0, Color32::RED), square(500.0, Color32::RED)];
        assert_eq!(damage(&few, &more), [at(300)]);
        assert_eq!(damage(&more, &few), [at(300)]);
        assert_eq!(damage(&[], &few).len(), 2);
    }

    #[test]
    fn rectangles_stay_disjoint_and_few() {
        let mut damage = Damage::default();
        let square = |x: i64, y: i64| Area { left: x, top: y, right: x + 20, bottom: y + 20 };
        let all: Vec<Area> = (0..30).map(|i| square(i * 37 % 900, i * 91 % 900)).collect();
        for &area in &all {
            damage.add(area, WINDOW);
        }
        let areas = damage.areas();
        assert!(areas.len() <= MAX_AREAS, "{areas:?}");
        for (place, &a) in areas.iter().enumerate() {
            assert!(areas[place + 1..].iter().all(|&b| a.intersect(b).is_empty()), "{areas:?}");
        }
        assert!(all.iter().all(|&area| areas.iter().any(|&of| of.intersect(area) == area)), "{areas:?}");
    }

    #[test]
    fn damage_is_clipped_to_the_window() {
        let mut damage = Damage::default();
        damage.add(Area { left: -50, top: 10, right: 20, bottom: 20 }, WINDOW);
        damage.add(Area { left: 2000, top: 10, right: 2020, bottom: 20 }, WINDOW);
        assert_eq!(damage.areas(), [Area { left: 0, top: 10, right: 20, bottom: 20 }]);
    }
}
