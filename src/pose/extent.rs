//! The area that poses cover, without small parts that are far away, and how much each of them shows.

use std::ops::Range;

use super::{Pose, SkinMatrix, expect_palette, mesh_bounds};
use crate::math::{Rect, Vec2, vec2};
use crate::model::{AttachmentId, Mesh, Model, SlotId};

/// Maximum number of parts that are kept. If there are more, the parts of every second pose are dropped.
const MAX_PARTS: usize = 1 << 16;

/// Share of everything that may be left out on each side.
const LEFT_OUT: f64 = 0.01;

/// How far what is left out must be away, as a part of the longer side of the rest.
const FAR: f32 = 0.5;

/// Share of the largest visible area that a pose must show to stand for all of them.
const ENOUGH: f64 = 0.1;

/// Number of pixels that are searched for visible ones; the parts of pages beyond them count as visible.
const MAX_SEARCHED_PIXELS: u64 = 1 << 26;

/// Collects the area that poses cover.
#[derive(Debug)]
pub struct Extent {
    whole: Rect,
    parts: Vec<Part>,
    /// How many poses there are for each one whose parts are kept.
    every: u64,
    /// By pose, the sum of the weights of its visible parts.
    visible: Vec<f64>,
    /// By attachment, whether its part of the page has visible pixels, once known.
    has_pixels: Vec<Option<bool>>,
    unsearched_pixels: u64,
}

/// The visible area of a slot in a pose.
#[derive(Debug, Clone, Copy)]
struct Part {
    pose: u64,
    bounds: Rect,
    /// Its area times its alpha.
    weight: f64,
}

impl Default for Extent {
    fn default() -> Self {
        Self {
            whole: Rect::NOTHING,
            parts: Vec::new(),
            every: 1,
            visible: Vec::new(),
            has_pixels: Vec::new(),
            unsearched_pixels: MAX_SEARCHED_PIXELS,
        }
    }
}

impl Extent {
    /// Adds what `pose` shows.
    ///
    /// # Panics
    ///
    /// If `pose` belongs to another model, or `palette` to another pose.
    #[track_caller]
    pub fn add(&mut self, model: &Model, pose: &Pose, palette: &[SkinMatrix]) {
        self.add_without(model, pose, palette, |_, _| false);
    }

    /// Like [`Self::add`], but what `is_hidden` only counts for the area, not as [visible](Self::first_shown).
    #[track_caller]
    pub(crate) fn add_without(
        &mut self,
        model: &Model,
        pose: &Pose,
        palette: &[SkinMatrix],
        is_hidden: impl Fn(SlotId, AttachmentId) -> bool,
    ) {
        expect_palette(model, pose, palette);
        let number = self.visible.len() as u64;
        let is_kept = number.is_multiple_of(self.every);
        let mut visible = 0.0;
        for &id in pose.draw_order.iter().filter(|slot| pose.is_slot_active(model, **slot)) {
            let slot = pose.slot(id);
            let Some(attachment) = slot.attachment else { continue };
            let Some(mesh) = model.drawn_mesh(attachment) else { continue };
            let bounds = mesh_bounds(mesh, pose.deform_of(slot), palette);
            self.whole = self.whole.union(bounds);
            let alpha = slot.tint.light[3] * mesh.tint[3];
            let weight = f64::from(bounds.size().x) * f64::from(bounds.size().y) * f64::from(alpha);
            if !(weight > 0.0 && weight.is_finite()) {
                continue;
            }
            if is_kept {
                self.parts.push(Part { pose: number, bounds, weight });
            }
            if !is_hidden(id, attachment) && self.has_pixels(model, attachment, mesh) {
                visible += weight;
            }
        }
        self.visible.push(visible);
        let poses = self.visible.len() as u64;
        while self.parts.len() > MAX_PARTS {
            self.every *= 2;
            self.parts.retain(|part| part.pose.is_multiple_of(self.every));
            if self.every > poses {
                break;
            }
        }
    }

    /// Returns true unless the part of the page that `mesh` shows is transparent.
    fn has_pixels(&mut self, model: &Model, attachment: AttachmentId, mesh: &Mesh) -> bool {
        let Some(page) = mesh.page.and_then(|page| model.pages().get(page.index())) else { return true };
        let at = attachment.index();
        if self.has_pixels.len() <= at {
            self.has_pixels.resize(at + 1, None);
        }
        let left = &mut self.unsearched_pixels;
        self.has_pixels.get_mut(at).is_none_or(|known| *known.get_or_insert_with(|| page.shows(mesh, left)))
    }

    /// Returns the number of the pose to show of those with these numbers, counted from 0 in the order in which they were
    /// added: the first with at least a tenth of the largest visible area that any of them has. `None` if none shows
    /// anything.
    ///
    /// The visible area of a pose is the sum of the areas of its slots, each times its alpha.
    pub fn first_shown(&self, poses: Range<usize>) -> Option<usize> {
        let visible = self.visible.get(poses.clone())?;
        let largest = visible.iter().copied().fold(0.0, f64::max);
        let first = visible.iter().position(|area| *area > 0.0 && *area >= largest * ENOUGH)?;
        Some(poses.start + first)
    }

    /// Returns the area of everything, [`Rect::NOTHING`] if nothing is shown.
    pub fn whole(&self) -> Rect {
        self.whole
    }

    /// Returns the area without parts that are far away from the rest and small, or shown briefly: what hardly anyone sees.
    ///
    /// On each side, the outermost parts are left out as long as they have at most a hundredth of the weight of all parts,
    /// which is their area times their alpha, summed over all poses; but only if the area extends beyond the others by more
    /// than half of their longer side.
    pub fn seen(&self) -> Rect {
        let most = LEFT_OUT * self.parts.iter().map(|part| part.weight).sum::<f64>();
        // The edges point outward, so that the largest is the outermost.
        let edge = |outward: fn(&Rect) -> f32| {
            let mut edges: Vec<_> = self.parts.iter().map(|part| (outward(&part.bounds), part.weight)).collect();
            edges.sort_unstable_by(|a, b| b.0.total_cmp(&a.0));
            let mut left_out = 0.0;
            let inner = edges.iter().find(|(_, weight)| {
                left_out += weight;
                left_out > most
            });
            inner.map(|(edge, _)| *edge)
        };
        let (left, bottom) = (edge(|part| -part.min.x), edge(|part| -part.min.y));
        let (right, top) = (edge(|part| part.max.x), edge(|part| part.max.y));
        let (Some(left), Some(bottom), Some(right), Some(top)) = (left, bottom, right, top) else {
            return self.whole;
        };
        let inner = Rect { min: vec2(-left, -bottom), max: vec2(right, top) };
        let far = FAR * inner.size().max_element();
        let Rect { min, max } = self.whole;
        Rect {
            min: Vec2::select((inner.min - min).cmpgt(Vec2::splat(far)), inner.min, min),
            max: Vec2::select((max - inner.max).cmpgt(Vec2::splat(far)), inner.max, max),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn extent(parts: &[(Rect, f64)]) -> Extent {
        let part = |&(bounds, weight): &(Rect, f64)| Part { pose: 0, bounds, weight };
        let whole = parts.iter().fold(Rect::NOTHING, |whole, (bounds, _)| whole.union(*bounds));
        Extent { whole, parts: parts.iter().map(part).collect(), ..Extent::default() }
    }

    fn square(x: f32, y: f32, side: f32) -> Rect {
        Rect::from_min_size(vec2(x, y), vec2(side, side))
    }

    #[test]
    fn small_parts_far_away_are_left_out() {
        let body = (square(0.0, 0.0, 100.0), 1e4);
        let drop = |x: f32, y: f32| (square(x, y, 5.0), 25.0);
        let far = [drop(-160.0, 0.0), drop(20.0, -900.0), drop(300.0, 40.0), drop(50.0, 151.0)];
        for part in far {
            assert_eq!(extent(&[body, part]).seen(), body.0, "{part:?}");
        }
        let together = [&[body], &far[..]].concat();
        assert_eq!(extent(&together).seen(), body.0);
        assert_eq!(extent(&together).whole(), Rect { min: vec2(-160.0, -900.0), max: vec2(305.0, 156.0) });
    }

    #[test]
    fn near_or_large_parts_belong_to_the_area() {
        let body = (square(0.0, 0.0, 100.0), 1e4);
        for part in [(square(145.0, 0.0, 5.0), 25.0), (square(900.0, 0.0, 11.0), 121.0)] {
            let extent = extent(&[body, part]);
            assert_eq!(extent.seen(), extent.whole(), "{part:?}");
        }
        // Many small parts are not small.
        let rain: Vec<_> = (0..9).map(|at| (square(0.0, -100.0 * at as f32, 5.0), 25.0)).collect();
        let extent = extent(&[&[body], &rain[..]].concat());
        assert!(extent.seen().min.y < -300.0 && extent.seen().min.y > -500.0, "{:?}", extent.seen());
    }

    #[test]
    fn without_anything_visible_it_is_empty() {
        assert!(Extent::default().seen().is_empty() && Extent::default().whole().is_empty());
        let flat = extent(&[]);
        assert_eq!(flat.seen(), flat.whole());
    }
}
