//! Queries of a pose: positions of polygons and points, hit tests, and bounds.
//!
//! Everything is in world pixels, y up, and takes the [palette](super::palette()) of the pose. Nothing is
//! allocated. A slot that the model does not have shows nothing.

use super::{
    Pose, SkinMatrix, deformed_world_position, expect_palette, for_each_deformed_vertex, for_each_listed_vertex,
    mesh_bounds,
};
use crate::math::angle::{atan2_radians, sin_cos_radians};
use crate::math::{self, Rect, Vec2};
use crate::model::{Attachment, AttachmentId, ClipMask, Mesh, Model, SlotId};

/// The position and direction of a [`Point`](crate::model::Point).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PlacedPoint {
    /// Position in world pixels.
    pub position: Vec2,
    /// Direction in radians, counter-clockwise from the world's x axis, -π to π.
    pub rotation_radians: f32,
}

/// Returns the point that `slot` shows, or `None` if it shows none or its bone is inactive.
///
/// # Panics
///
/// If `pose` belongs to another model, or `palette` to another pose.
#[track_caller]
pub fn point(model: &Model, pose: &Pose, slot: SlotId, palette: &[SkinMatrix]) -> Option<PlacedPoint> {
    expect_palette(model, pose, palette);
    let Attachment::Point(point) = shown(model, pose, slot)? else { return None };
    let matrix = palette.get(point.bone.index())?;
    let (sin, cos) = sin_cos_radians(point.rotation_radians.into());
    let along = matrix.x_axis * cos as f32 + matrix.y_axis * sin as f32;
    Some(PlacedPoint {
        position: matrix.transform(point.position),
        rotation_radians: atan2_radians(along.y.into(), along.x.into()) as f32,
    })
}

/// Writes the transformed and deformed corners of the bounding box that `slot` shows into `out`. Returns false if
/// it shows no [`Attachment::Bounds`].
///
/// # Panics
///
/// If `pose` belongs to another model, or `palette` to another pose.
#[track_caller]
pub fn bounding_box(
    model: &Model,
    pose: &Pose,
    slot: SlotId,
    palette: &[SkinMatrix],
    out: &mut Vec<Vec2>,
) -> bool {
    expect_palette(model, pose, palette);
    out.clear();
    let Some(Attachment::Bounds(polygon)) = shown(model, pose, slot) else { return false };
    for_each_listed_vertex(&polygon.vertices, deform_of(pose, slot), palette, |corner, _uv| out.push(corner));
    true
}

/// Writes the transformed and deformed corners of the clip mask that `slot` shows into `out`: for a
/// [convex](ClipMask::is_convex) one, the corners of the hull. Returns false if it shows no [`Attachment::ClipMask`].
///
/// # Panics
///
/// If `pose` belongs to another model, or `palette` to another pose.
#[track_caller]
pub fn clip_polygon(
    model: &Model,
    pose: &Pose,
    slot: SlotId,
    palette: &[SkinMatrix],
    out: &mut Vec<Vec2>,
) -> bool {
    expect_palette(model, pose, palette);
    out.clear();
    let Some(Attachment::ClipMask(mask)) = shown(model, pose, slot) else { return false };
    mask_corners(mask, deform_of(pose, slot), palette, out);
    true
}

/// Writes the corners of a clip mask into `out`.
#[track_caller]
pub(crate) fn mask_corners(mask: &ClipMask, deform: &[Vec2], palette: &[SkinMatrix], out: &mut Vec<Vec2>) {
    out.clear();
    for_each_listed_vertex(&mask.polygon.vertices, deform, palette, |corner, _uv| out.push(corner));
    if mask.is_convex {
        math::keep_hull(out, |corner| *corner);
    }
}

/// Returns the slot of the frontmost bounding box that contains `at`, by the even-odd rule.
///
/// # Panics
///
/// If `pose` belongs to another model, or `palette` to another pose.
#[track_caller]
pub fn bounding_box_at(model: &Model, pose: &Pose, palette: &[SkinMatrix], at: Vec2) -> Option<SlotId> {
    expect_palette(model, pose, palette);
    pose.draw_order.iter().rev().copied().find(|&slot| {
        let Some(Attachment::Bounds(polygon)) = shown(model, pose, slot) else { return false };
        let mut winding = EvenOdd::new(at);
        let visit = |corner, _uv| winding.corner(corner);
        for_each_listed_vertex(&polygon.vertices, deform_of(pose, slot), palette, visit);
        winding.is_inside()
    })
}

/// Returns the slot of the frontmost region or mesh with a triangle that contains `at`. Transparency and clip
/// masks are ignored.
///
/// # Panics
///
/// If `pose` belongs to another model, or `palette` to another pose.
#[track_caller]
pub fn mesh_at(model: &Model, pose: &Pose, palette: &[SkinMatrix], at: Vec2) -> Option<SlotId> {
    expect_palette(model, pose, palette);
    let is_over = |mesh: &Mesh, deform: &[Vec2]| {
        mesh.indices.triangles().any(|triangle| {
            let corners = triangle.map(|index| deformed_world_position(&mesh.vertices, index, deform, palette));
            let mut winding = EvenOdd::new(at);
            corners.iter().flatten().for_each(|corner| winding.corner(*corner));
            winding.is_inside()
        })
    };
    pose.draw_order.iter().rev().copied().find(|&slot| {
        shown_mesh(model, pose, slot).is_some_and(|mesh| {
            let deform = deform_of(pose, slot);
            let mut reach = Rect::NOTHING;
            for_each_deformed_vertex(&mesh.vertices, deform, palette, |corner, _uv| reach = reach.include(corner));
            let is_near = at.cmpge(reach.min).all() && at.cmple(reach.max).all();
            is_near && is_over(mesh, deform)
        })
    })
}

/// Returns the bounding box of the region or mesh that `slot` shows, or [`Rect::NOTHING`] if it shows none.
///
/// # Panics
///
/// If `pose` belongs to another model, or `palette` to another pose.
#[track_caller]
pub fn slot_bounds(model: &Model, pose: &Pose, slot: SlotId, palette: &[SkinMatrix]) -> Rect {
    expect_palette(model, pose, palette);
    let mesh = shown_mesh(model, pose, slot);
    mesh.map_or(Rect::NOTHING, |mesh| mesh_bounds(mesh, deform_of(pose, slot), palette))
}

/// Returns true if the polygon with these corners contains `at`, by the even-odd rule. A point on an edge shared
/// by two polygons is contained in exactly one of them.
pub(crate) fn polygon_contains(corners: &[Vec2], at: Vec2) -> bool {
    let mut winding = EvenOdd::new(at);
    corners.iter().for_each(|corner| winding.corner(*corner));
    winding.is_inside()
}

fn shown<'a>(model: &'a Model, pose: &Pose, slot: SlotId) -> Option<&'a Attachment> {
    shown_id(model, pose, slot).map(|id| model.attachment(id))
}

fn shown_mesh<'a>(model: &'a Model, pose: &Pose, slot: SlotId) -> Option<&'a Mesh> {
    shown_id(model, pose, slot).and_then(|id| model.drawn_mesh(id))
}

fn shown_id(model: &Model, pose: &Pose, slot: SlotId) -> Option<AttachmentId> {
    pose.slots.get(slot.index()).filter(|_| pose.is_slot_active(model, slot))?.attachment
}

fn deform_of(pose: &Pose, slot: SlotId) -> &[Vec2] {
    pose.slots.get(slot.index()).map_or(&[], |slot| pose.deform_of(slot))
}

/// Counts how often a ray to the right crosses the edges of a polygon, whose corners are passed in order.
struct EvenOdd {
    at: Vec2,
    first: Option<Vec2>,
    last: Vec2,
    is_odd: bool,
}

impl EvenOdd {
    fn new(at: Vec2) -> Self {
        Self { at, first: None, last: Vec2::ZERO, is_odd: false }
    }

    fn corner(&mut self, corner: Vec2) {
        match self.first {
            None => self.first = Some(corner),
            Some(_) => self.is_odd ^= self.is_crossed(self.last, corner),
        }
        self.last = corner;
    }

    fn is_crossed(&self, a: Vec2, b: Vec2) -> bool {
        // An edge includes its lower end but not its upper one, so that each corner counts once.
        if (a.y > self.at.y) == (b.y > self.at.y) {
            return false;
        }
        let share = (self.at.y - a.y) / (b.y - a.y);
        self.at.x < a.x + (b.x - a.x) * share
    }

    fn is_inside(&self) -> bool {
        self.first.is_some_and(|first| self.is_odd ^ self.is_crossed(self.last, first))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::vec2;

    #[test]
    fn the_even_odd_rule() {
        let star = [vec2(0.0, 3.0), vec2(2.0, -3.0), vec2(-3.0, 1.0), vec2(3.0, 1.0), vec2(-2.0, -3.0)];
        assert!(!polygon_contains(&star, vec2(0.0, 0.0)), "the winding number at the centre of a star is 2");
        assert!(polygon_contains(&star, vec2(0.0, 2.0)) && polygon_contains(&star, vec2(1.6, -2.4)));
        let notched = [vec2(0.0, 0.0), vec2(4.0, 0.0), vec2(4.0, 4.0), vec2(2.0, 1.0), vec2(0.0, 4.0)];
        assert!(!polygon_contains(&notched, vec2(2.0, 2.0)) && polygon_contains(&notched, vec2(0.5, 2.0)));
        // Of two areas with a common edge, exactly one contains it, and a corner belongs to one of four.
        let square = |x: f32, y: f32| [vec2(x, y), vec2(x + 1.0, y), vec2(x + 1.0, y + 1.0), vec2(x, y + 1.0)];
        let squares = [square(0.0, 0.0), square(1.0, 0.0), square(0.0, 1.0), square(1.0, 1.0)];
        for point in [vec2(1.0, 0.5), vec2(0.5, 1.0), vec2(1.0, 1.0)] {
            assert_eq!(squares.iter().filter(|square| polygon_contains(*square, point)).count(), 1, "{point}");
        }
        assert!(!polygon_contains(&[], Vec2::ZERO) && !polygon_contains(&star, vec2(f32::NAN, 0.0)));
    }
}
