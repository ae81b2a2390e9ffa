//! Picking: which slots are drawn at a point, down to the pixel of the texture.
//!
//! Unlike [`mesh_at`](crate::pose::mesh_at), which tests triangles only, [`pick`] tests what a picture shows: the alpha
//! of the texture and of the tint, clip masks, and the draw order. World space: pixels, y up.

use crate::math::Vec2;
use crate::model::{AtlasPage, Attachment, AttachmentId, BoneId, Influence, Mesh, Model, SlotId, Vertices};
use crate::pose::{
    Pose, SkinMatrix, deformed_world_position, for_each_listed_vertex, mask_corners, polygon_contains,
};

/// A slot at the picked point.
#[derive(Debug, Clone, Copy)]
pub struct Hit {
    /// The slot.
    pub slot: SlotId,
    /// The region, mesh or bounding box that it shows.
    pub attachment: AttachmentId,
    /// The point on the region or mesh; `None` for a bounding box.
    pub surface: Option<SurfacePoint>,
}

/// A point on a triangle of a region or mesh.
#[derive(Debug, Clone, Copy)]
pub struct SurfacePoint {
    /// The vertices of the triangle.
    pub triangle: [u16; 3],
    /// Share of each vertex in the point; the sum is 1.
    pub barycentric: [f32; 3],
    /// Texture coordinates, 0–1, v down.
    pub uv: Vec2,
    /// Coverage of the pixel, 0 to 1: alpha of the texture, the slot and the attachment. For a premultiplied page
    /// whose colours exceed alpha, as in glows, the brightest channel counts.
    pub alpha: f32,
}

/// Writes everything that is drawn at the world point `at` into `hits`, frontmost first: each region and mesh with a
/// coverage of more than `min_alpha` there that is not clipped, and each bounding box that contains the point. Bounding
/// boxes are not drawn; they are listed at the place of their slot in the draw order, and are never clipped.
///
/// The texel is the nearest one. Where a mesh overlaps itself, its last triangle counts. A mesh without a page is
/// opaque.
///
/// ```
/// use pchr::draw::{Hit, pick};
/// use pchr::math::vec2;
/// use pchr::motion::{Cue, evaluate};
/// use pchr::pose::{Pose, palette};
///
/// let knight = pchr::Character::open("assets/paper-knight.pchr")?;
/// let (model, mut pose, mut matrices) = (knight.model(), Pose::default(), Vec::new());
/// evaluate(&knight, &Cue::default(), &mut pose);
/// palette(model, &pose, &mut matrices);
/// let mut hits = Vec::new();
/// pick(model, &pose, &matrices, vec2(0.0, 200.0), 0.05, &mut hits);
/// let names: Vec<&str> = hits.iter().map(|hit: &Hit| model.attachment(hit.attachment).name()).collect();
/// assert!(!names.is_empty());
/// # Ok::<(), pchr::Error>(())
/// ```
///
/// # Panics
///
/// If `pose` belongs to another model, or `palette` to another pose.
#[track_caller]
pub fn pick(model: &Model, pose: &Pose, palette: &[SkinMatrix], at: Vec2, min_alpha: f32, hits: &mut Vec<Hit>) {
    crate::pose::expect_palette(model, pose, palette);
    hits.clear();
    let mut clip = Clip { active: None, corners: Vec::new() };
    for &slot in &pose.draw_order {
        let state = pose.slot(slot);
        let deform = pose.deform_of(state);
        let shown = state.attachment.filter(|_| pose.is_slot_active(model, slot));
        match shown.map(|id| (id, model.attachment(id))) {
            Some((_, Attachment::ClipMask(mask))) if clip.active.is_none() => {
                mask_corners(mask, deform, palette, &mut clip.corners);
                let is_inside = polygon_contains(&clip.corners, at);
                clip.active = Some((mask.end, is_inside != mask.is_inverse));
                // As in a draw list, a mask that ends with its own slot applies until the end.
                continue;
            }
            Some((attachment, Attachment::Region(mesh) | Attachment::Mesh(mesh)))
                if clip.shows() && model.is_drawn(mesh) =>
            {
                let alpha = state.tint.light[3].clamp(0.0, 1.0) * mesh.tint[3].clamp(0.0, 1.0);
                let mut surface = None;
                for_each_surface(model, mesh, deform, palette, at, |found| {
                    let found = SurfacePoint { alpha: found.alpha * alpha, ..found };
                    if found.alpha > min_alpha {
                        surface = Some(found);
                    }
                });
                hits.extend(surface.map(|_| Hit { slot, attachment, surface }));
            }
            Some((attachment, Attachment::Bounds(polygon))) => {
                clip.corners.clear();
                for_each_listed_vertex(&polygon.vertices, deform, palette, |corner, _uv| {
                    clip.corners.push(corner)
                });
                if polygon_contains(&clip.corners, at) {
                    hits.push(Hit { slot, attachment, surface: None });
                }
            }
            Some(_) | None => {}
        }
        clip.passes(model, slot);
    }
    hits.reverse();
}

/// The mask that applies to the slots being visited.
struct Clip {
    /// Its last slot, and whether it shows the point.
    active: Option<(Option<SlotId>, bool)>,
    corners: Vec<Vec2>,
}

impl Clip {
    fn shows(&self) -> bool {
        self.active.is_none_or(|(_, is_inside)| is_inside)
    }

    fn passes(&mut self, model: &Model, slot: SlotId) {
        if self.active.is_some_and(|(end, _)| model.ends_mask(end, slot)) {
            self.active = None;
        }
    }
}

/// Calls `visit` for each triangle of `mesh` at `at`, in drawing order, with the coverage of the texture.
fn for_each_surface(
    model: &Model,
    mesh: &Mesh,
    deform: &[Vec2],
    palette: &[SkinMatrix],
    at: Vec2,
    mut visit: impl FnMut(SurfacePoint),
) {
    let page = mesh.page.and_then(|page| model.pages().get(page.index()));
    for triangle in mesh.indices.triangles() {
        let corners = triangle.map(|index| deformed_world_position(&mesh.vertices, index, deform, palette));
        let [Some(a), Some(b), Some(c)] = corners else { continue };
        let Some(barycentric) = barycentric([a, b, c], at) else { continue };
        let mut uv = Vec2::ZERO;
        for (index, share) in triangle.into_iter().zip(barycentric) {
            uv += uv_of(&mesh.vertices, index) * share;
        }
        visit(SurfacePoint { triangle, barycentric, uv, alpha: page.map_or(1.0, |page| coverage(page, uv)) });
    }
}

/// Returns the shares of the corners in the point `at`, or `None` if it is outside or the triangle has no area. A point
/// on an edge shared by two triangles belongs to exactly one of them.
fn barycentric([a, b, c]: [Vec2; 3], at: Vec2) -> Option<[f32; 3]> {
    if !polygon_contains(&[a, b, c], at) {
        return None;
    }
    let area = (b - a).perp_dot(c - a);
    let second = (at - a).perp_dot(c - a) / area;
    let third = (b - a).perp_dot(at - a) / area;
    let shares = [1.0 - second - third, second, third];
    shares.iter().all(|share| share.is_finite()).then_some(shares)
}

fn uv_of(vertices: &Vertices, index: u16) -> Vec2 {
    let uv = match vertices {
        Vertices::Skin4(vertices) => vertices.get(index).map(|vertex| vertex.uv),
        Vertices::SkinN(vertices) => vertices.get(index).map(|vertex| vertex.uv),
    };
    uv.unwrap_or_default()
}

/// Returns the coverage of the nearest texel, 0 to 1.
fn coverage(page: &AtlasPage, uv: Vec2) -> f32 {
    let texel = |share: f32, size: u32| (share * size as f32).clamp(0.0, (size - 1) as f32) as usize;
    let (x, y) = (texel(uv.x, page.width), texel(uv.y, page.height));
    let at = (y * page.width as usize + x) * 4;
    let Some(&[r, g, b, a]) = page.pixels.get(at..at + 4).and_then(|texel| texel.as_array()) else { return 0.0 };
    let coverage = if page.is_premultiplied { r.max(g).max(b).max(a) } else { a };
    f32::from(coverage) / 255.0
}

impl SurfacePoint {
    /// Writes the bones that move the point of `mesh`, and their weights, into `weights`: largest first, each bone once.
    /// Bones that have no name of their own count as the bone that they help. The weights sum to 1 if the weights
    /// of the vertices do.
    pub fn weights(&self, model: &Model, mesh: &Mesh, weights: &mut Vec<(BoneId, f32)>) {
        weights.clear();
        let mut add = |bone: usize, weight: f32| {
            let Some(bone) = model.skeleton().authored_bone(BoneId::new(bone)) else { return };
            match weights.iter_mut().find(|(known, _)| *known == bone) {
                Some((_, sum)) => *sum += weight,
                None => weights.push((bone, weight)),
            }
        };
        for (index, share) in self.triangle.into_iter().zip(self.barycentric) {
            match &mesh.vertices {
                Vertices::Skin4(vertices) => {
                    let Some(vertex) = vertices.get(index) else { continue };
                    for (bone, weight) in vertex.bone_ids.into_iter().zip(vertex.bone_weights) {
                        if weight > 0.0 {
                            add(bone.into(), weight * share);
                        }
                    }
                }
                Vertices::SkinN(vertices) => {
                    let Some(vertex) = vertices.get(index) else { continue };
                    for &Influence { bone, weight, .. } in vertex.influences {
                        if weight != 0.0 && bone != Influence::NO_BONE {
                            add(bone as usize, weight * share);
                        }
                    }
                }
            }
        }
        weights.retain(|(_, weight)| weight.abs() > 1e-4);
        weights.sort_by(|(a, first), (b, second)| second.total_cmp(first).then(a.cmp(b)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::vec2;

    #[test]
    fn shares_of_corners_add_up_to_the_point() {
        let corners = [vec2(0.0, 0.0), vec2(4.0, 0.0), vec2(0.0, 8.0)];
        assert_eq!(barycentric(corners, vec2(1.0, 2.0)), Some([0.5, 0.25, 0.25]));
        assert_eq!(barycentric(corners, vec2(3.0, 3.0)), None, "outside");
        let flipped = [corners[0], corners[2], corners[1]];
        assert_eq!(barycentric(flipped, vec2(1.0, 2.0)), Some([0.5, 0.25, 0.25]), "clockwise");
        assert_eq!(barycentric([Vec2::ZERO; 3], Vec2::ZERO), None, "no area");
        assert_eq!(barycentric([vec2(f32::NAN, 0.0), corners[1], corners[2]], vec2(1.0, 1.0)), None);
    }

    #[test]
    fn coverage_is_that_of_the_nearest_texel() {
        let page = |is_premultiplied| AtlasPage {
            name: "page".into(),
            width: 2,
            height: 1,
            pixels: vec![9, 0, 0, 51, 102, 0, 0, 0].into(),
            is_premultiplied,
            alpha_source: crate::model::AlphaSource::Stated,
        };
        for (u, straight, premultiplied) in [(-1.0, 0.2, 0.2), (0.4, 0.2, 0.2), (0.6, 0.0, 0.4), (1.0, 0.0, 0.4)] {
            assert_eq!(coverage(&page(false), vec2(u, 0.5)), straight, "{u}");
            assert_eq!(coverage(&page(true), vec2(u, 0.5)), premultiplied, "{u}");
        }
        assert_eq!(coverage(&page(false), Vec2::NAN), 0.2, "never out of bounds");
    }
}
