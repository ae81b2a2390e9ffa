//! Which pixels of the window differ from the last frame.
//!
//! Egui lays out everything in every frame, and most of it is what it was before. Two frames are compared shape by
//! shape; what differs is collected as a few rectangles, and only those are painted again.

use std::sync::Arc;

use egui::epaint::{ClippedShape, Shape};
use egui::{Pos2, Rect};

/// Shapes are painted up to this many pixels beyond their bounds: smooth edges, and rounding to whole pixels.
const FRINGE: i64 = 2;
/// The clip rectangle will do for the bounds of a mesh with more corners.
const LARGE: usize = 256;
/// More rectangles are not kept apart.
const MOST: usize = 8;

/// A rectangle of pixels, without the right column and the bottom row.
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
    /// All of a picture.
    pub fn whole([width, height]: [u32; 2]) -> Self {
        Self { left: 0, top: 0, right: width.into(), bottom: height.into() }
    }

    /// Every pixel that a rectangle of points touches.
    pub fn around(rect: Rect, pixels_per_point: f32) -> Self {
        let down = |value: f32| (value * pixels_per_point).floor() as i64;
        let up = |value: f32| (value * pixels_per_point).ceil() as i64;
        Self { left: down(rect.min.x), top: down(rect.min.y), right: up(rect.max.x), bottom: up(rect.max.y) }
    }

    /// What both have.
    #[must_use]
    pub fn intersect(self, other: Self) -> Self {
        Self {
            left: self.left.max(other.left),
            top: self.top.max(other.top),
            right: self.right.min(other.right),
            bottom: self.bottom.min(other.bottom),
        }
    }

    /// The smallest rectangle around both, neither of which is empty.
    #[must_use]
    pub fn union(self, other: Self) -> Self {
        Self {
            left: self.left.min(other.left),
            top: self.top.min(other.top),
            right: self.right.max(other.right),
            bottom: self.bottom.max(other.bottom),
        }
    }

    /// `by` pixels larger on each side.
    #[must_use]
    pub fn grown(self, by: i64) -> Self {
        Self {
            left: self.left.saturating_sub(by),
            top: self.top.saturating_sub(by),
            right: self.right.saturating_add(by),
            bottom: self.bottom.saturating_add(by),
        }
    }

    /// `x` and `y` pixels further right and down.
    #[must_use]
    pub fn moved(self, x: i64, y: i64) -> Self {
        Self { left: self.left + x, top: self.top + y, right: self.right + x, bottom: self.bottom + y }
    }

    /// It has no pixels.
    pub fn is_empty(self) -> bool {
        self.left >= self.right || self.top >= self.bottom
    }

    /// How many pixels it has.
    pub fn pixels(self) -> i64 {
        if self.is_empty() { 0 } else { (self.right - self.left) * (self.bottom - self.top) }
    }
}

/// A few rectangles that do not overlap.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Damage {
    areas: Vec<Area>,
}

impl Damage {
    /// No rectangle.
    pub const NOTHING: Self = Self { areas: Vec::new() };

    /// The rectangles.
    pub fn areas(&self) -> &[Area] {
        &self.areas
    }

    /// Adds the part of `area` that lies within `window`.
    pub fn add(&mut self, area: Area, window: Area) {
        let mut area = area.intersect(window);
        if area.is_empty() {
            return;
        }
        // What grew may reach others than before.
        while let Some(at) = self.areas.iter().position(|known| !known.intersect(area).is_empty()) {
            area = area.union(self.areas.swap_remove(at));
        }
        self.areas.push(area);
        if self.areas.len() > MOST {
            self.join_nearest();
        }
    }

    /// True when `area` has a pixel in common with it.
    pub fn touches(&self, area: Area) -> bool {
        self.areas.iter().any(|known| !known.intersect(area).is_empty())
    }

    /// How many pixels it has.
    pub fn pixels(&self) -> i64 {
        self.areas.iter().map(|area| area.pixels()).sum()
    }

    /// Makes one of the two rectangles that waste the fewest pixels when joined.
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

/// A shape of a frame, with the pixels that it may touch.
#[derive(Debug)]
pub struct Placed {
    /// What egui laid out.
    pub shape: ClippedShape,
    /// The pixels.
    pub area: Area,
}

impl Placed {
    /// Finds the pixels of `shape`.
    pub fn new(shape: ClippedShape, pixels_per_point: f32) -> Self {
        let bounds = match &shape.shape {
            // Every corner of a large mesh would be looked at in every frame.
            Shape::Mesh(mesh) if mesh.vertices.len() > LARGE => shape.clip_rect,
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

    /// Where the picture of the character is shown, if this is what shows it.
    pub fn stage(&self) -> Option<Pos2> {
        match (self.shape.shape.texture_id(), &self.shape.shape) {
            (egui::TextureId::User(_), Shape::Mesh(mesh)) => Some(mesh.calc_bounds().min),
            _ => None,
        }
    }
}

/// Calls `differs` with every area in which two frames differ. Both are in painting order.
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

/// Whether two shapes look the same. Texts and meshes are shared, so most need not be looked into.
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

    /// The pixels that a square at `x` may touch.
    fn at(x: i64) -> Area {
        Area { left: x, top: 100, right: x + 10, bottom: 110 }.grown(FRINGE)
    }

    #[test]
    fn only_what_differs_is_damaged() {
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
    fn what_moves_is_damaged_where_it_was_and_where_it_is() {
        let (before, after) = (
            [square(0.0, Color32::RED), square(500.0, Color32::RED)],
            [square(0.0, Color32::RED), square(700.0, Color32::RED)],
        );
        assert_eq!(damage(&before, &after), [at(500), at(700)]);
    }

    #[test]
    fn what_comes_and_goes_is_damaged_and_the_rest_is_not() {
        let few = [square(0.0, Color32::RED), square(500.0, Color32::RED)];
        let more = [square(0.0, Color32::RED), square(300.0, Color32::RED), square(500.0, Color32::RED)];
        assert_eq!(damage(&few, &more), [at(300)]);
        assert_eq!(damage(&more, &few), [at(300)]);
        assert_eq!(damage(&[], &few).len(), 2);
    }

    #[test]
    fn rectangles_do_not_overlap_and_stay_few() {
        let mut damage = Damage::default();
        let square = |x: i64, y: i64| Area { left: x, top: y, right: x + 20, bottom: y + 20 };
        let all: Vec<Area> = (0..30).map(|i| square(i * 37 % 900, i * 91 % 900)).collect();
        for &area in &all {
            damage.add(area, WINDOW);
        }
        let areas = damage.areas();
        assert!(areas.len() <= MOST, "{areas:?}");
        for (place, &a) in areas.iter().enumerate() {
            assert!(areas[place + 1..].iter().all(|&b| a.intersect(b).is_empty()), "{areas:?}");
        }
        assert!(all.iter().all(|&area| areas.iter().any(|&of| of.intersect(area) == area)), "{areas:?}");
    }

    #[test]
    fn nothing_beyond_the_window_is_damaged() {
        let mut damage = Damage::default();
        damage.add(Area { left: -50, top: 10, right: 20, bottom: 20 }, WINDOW);
        damage.add(Area { left: 2000, top: 10, right: 2020, bottom: 20 }, WINDOW);
        assert_eq!(damage.areas(), [Area { left: 0, top: 10, right: 20, bottom: 20 }]);
    }
}
