//! Skinning: the palette, and the same sums that `skin4.wgsl` and `skin_n.wgsl` compute.

use bytemuck::{Pod, Zeroable};

use super::Pose;
use crate::math::{Affine2, Rect, Vec2};
use crate::misuse;
use crate::model::{Influence, Mesh, Model, Skin4Vertex, SkinNVertex, SkinNVertices, Vertices};

/// `world_from_bind` of one bone, as laid out in a storage buffer: three columns, 24 bytes.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Pod, Zeroable)]
pub struct SkinMatrix {
    /// Image of the x unit vector.
    pub x_axis: Vec2,
    /// Image of the y unit vector.
    pub y_axis: Vec2,
    /// Image of the origin.
    pub translation: Vec2,
}

impl SkinMatrix {
    /// The identity.
    pub const IDENTITY: Self = Self { x_axis: Vec2::X, y_axis: Vec2::Y, translation: Vec2::ZERO };

    /// Transforms `point`.
    #[inline]
    pub fn transform(&self, point: Vec2) -> Vec2 {
        self.x_axis * point.x + self.y_axis * point.y + self.translation
    }

    /// The factor by which areas grow.
    #[inline]
    pub(crate) fn area_scale(&self) -> f32 {
        self.x_axis.perp_dot(self.y_axis).abs()
    }
}

impl From<Affine2> for SkinMatrix {
    #[inline]
    fn from(affine: Affine2) -> Self {
        Self { x_axis: affine.matrix2.x_axis, y_axis: affine.matrix2.y_axis, translation: affine.translation }
    }
}

/// Writes `world_from_bind` of every bone: the matrix that moves a vertex from its bind pose to the world. A bone
/// whose bind matrix is not invertible moves nothing.
///
/// # Panics
///
/// If `pose` has bones of another model.
#[track_caller]
pub fn palette(model: &Model, pose: &Pose, out: &mut Vec<SkinMatrix>) {
    let bones = model.skeleton().bones();
    let (found, expected) = (pose.world_from_bone.len(), bones.len());
    // A pose that was never evaluated fits any model.
    misuse::expect(found == expected || found == 0, || {
        format!("the pose belongs to another model: it has {found} bones, the model has {expected}")
    });
    out.clear();
    if model.skeleton().is_bound_in_bones() {
        return out.extend(pose.world_from_bone.iter().map(|world_from_bone| SkinMatrix::from(*world_from_bone)));
    }
    out.extend(bones.iter().zip(&pose.world_from_bone).map(|(bone, world_from_bone)| match bone.bone_from_bind {
        Some(bone_from_bind) => SkinMatrix::from(*world_from_bone * bone_from_bind),
        None => SkinMatrix::IDENTITY,
    }));
}

/// Returns the world position of a vertex: `Σ weight · world_from_bind[bone] · position` over the positive
/// weights, or the authored position if there are none.
///
/// # Panics
///
/// If a bone with a positive weight has no matrix in `palette`.
#[inline]
#[track_caller]
pub(crate) fn skin4(vertex: &Skin4Vertex, palette: &[SkinMatrix]) -> Vec2 {
    let mut sum = Vec2::ZERO;
    let mut moved = false;
    for (&bone, &weight) in vertex.bone_ids.iter().zip(&vertex.bone_weights) {
        if weight > 0.0 {
            sum += matrix(palette, bone.into()).transform(vertex.position) * weight;
            moved = true;
        }
    }
    if moved { sum } else { vertex.position }
}

/// Returns the world position of a vertex: `Σ weight · world_from_bind[bone] · position` over the influences, in
/// list order. Influences with a weight of 0, whose bone may not exist, are skipped.
///
/// # Panics
///
/// If a bone with a non-zero weight has no matrix in `palette`.
#[inline]
#[track_caller]
pub(crate) fn skin_n(vertex: &SkinNVertex<'_>, palette: &[SkinMatrix]) -> Vec2 {
    let mut sum = Vec2::ZERO;
    for &Influence { position, bone, weight } in vertex.influences {
        if weight != 0.0 {
            let moved = match bone {
                Influence::NO_BONE => position,
                bone => matrix(palette, bone as usize).transform(position),
            };
            sum += moved * weight;
        }
    }
    sum
}

/// Like [`skin_n`], with each influence moved by its offset in `deform`, which has one per influence.
///
/// # Panics
///
/// If a bone with a non-zero weight has no matrix in `palette`.
#[inline]
#[track_caller]
pub(crate) fn skin_n_deformed(vertex: &SkinNVertex<'_>, deform: &[Vec2], palette: &[SkinMatrix]) -> Vec2 {
    let mut sum = Vec2::ZERO;
    for (&Influence { position, bone, weight }, &offset) in vertex.influences.iter().zip(deform) {
        if weight != 0.0 {
            let moved = match bone {
                Influence::NO_BONE => position + offset,
                bone => matrix(palette, bone as usize).transform(position + offset),
            };
            sum += moved * weight;
        }
    }
    sum
}

#[inline]
#[track_caller]
fn matrix(palette: &[SkinMatrix], bone: usize) -> &SkinMatrix {
    match palette.get(bone) {
        Some(matrix) => matrix,
        None => misuse::fail(format_args!(
            "the palette belongs to another pose: it has {} matrices, none for bone {bone}",
            palette.len()
        )),
    }
}

/// Returns the world position of one vertex of either kind, or `None` if there is no such vertex. Its influences are moved
/// by `deform`, which is empty or has one offset per influence.
///
/// # Panics
///
/// If a bone that moves the vertex has no matrix in `palette`.
#[track_caller]
pub fn deformed_world_position(
    vertices: &Vertices,
    index: u16,
    deform: &[Vec2],
    palette: &[SkinMatrix],
) -> Option<Vec2> {
    match vertices {
        Vertices::Skin4(vertices) => Some(skin4(&vertices.get(index)?, palette)),
        Vertices::SkinN(vertices) => listed_world_position(vertices, index, deform, palette),
    }
}

/// Like [`deformed_world_position`], for vertices with lists of influences.
#[track_caller]
pub(crate) fn listed_world_position(
    vertices: &SkinNVertices,
    index: u16,
    deform: &[Vec2],
    palette: &[SkinMatrix],
) -> Option<Vec2> {
    let (vertex, record) = (vertices.get(index)?, vertices.records().get(usize::from(index))?);
    Some(match deform.get(record.first_influence as usize..) {
        Some(deform) if !deform.is_empty() => skin_n_deformed(&vertex, deform, palette),
        _ => skin_n(&vertex, palette),
    })
}

/// Calls `visit` with the world position and uv of each vertex of either kind, in order. Influences are moved by `deform`,
/// which is empty or has one offset per influence.
///
/// # Panics
///
/// If a bone that moves a vertex has no matrix in `palette`.
#[inline]
#[track_caller]
pub fn for_each_deformed_vertex(
    vertices: &Vertices,
    deform: &[Vec2],
    palette: &[SkinMatrix],
    mut visit: impl FnMut(Vec2, Vec2),
) {
    match vertices {
        Vertices::SkinN(vertices) => for_each_listed_vertex(vertices, deform, palette, visit),
        Vertices::Skin4(vertices) => {
            for vertex in vertices.iter() {
                visit(skin4(&vertex, palette), vertex.uv);
            }
        }
    }
}

// Loops, not iterators: a closure would hide the caller from a panic.
/// Like [`for_each_deformed_vertex`], for vertices with lists of influences.
///
/// # Panics
///
/// As [`for_each_deformed_vertex`].
#[inline]
#[track_caller]
pub fn for_each_listed_vertex(
    vertices: &SkinNVertices,
    deform: &[Vec2],
    palette: &[SkinMatrix],
    mut visit: impl FnMut(Vec2, Vec2),
) {
    if deform.len() != vertices.influences().len() {
        for vertex in vertices.iter() {
            visit(skin_n(&vertex, palette), vertex.uv);
        }
        return;
    }
    for (vertex, record) in vertices.iter().zip(vertices.records()) {
        let deform = &deform[record.first_influence as usize..];
        visit(skin_n_deformed(&vertex, deform, palette), vertex.uv);
    }
}

/// Returns the bounding box of every drawn vertex in world pixels, or [`Rect::NOTHING`] if there is none. Vertices
/// that are not finite are ignored. Parts outside of clip masks are included.
///
/// # Panics
///
/// If `pose` belongs to another model, or `palette` to another pose.
#[track_caller]
pub fn bounds(model: &Model, pose: &Pose, palette: &[SkinMatrix]) -> Rect {
    expect_palette(model, pose, palette);
    let mut bounds = Rect::NOTHING;
    for &slot in pose.draw_order.iter().filter(|slot| pose.is_slot_active(model, **slot)) {
        let slot = pose.slot(slot);
        if let Some(mesh) = slot.attachment.and_then(|id| model.drawn_mesh(id)) {
            bounds = bounds.union(mesh_bounds(mesh, pose.deform_of(slot), palette));
        }
    }
    bounds
}

/// Panics if `pose` belongs to another model, or bones of it have no matrix in `palette`.
#[track_caller]
pub(crate) fn expect_palette(model: &Model, pose: &Pose, palette: &[SkinMatrix]) {
    pose.expect_of(model);
    let bones = pose.world_from_bone.len();
    let matrices = palette.len();
    misuse::expect(matrices >= bones, || {
        format!("the palette belongs to another pose: it has {matrices} matrices for {bones} bones")
    });
}

/// A mesh without triangles draws nothing.
#[track_caller]
pub(super) fn mesh_bounds(mesh: &Mesh, deform: &[Vec2], palette: &[SkinMatrix]) -> Rect {
    let mut bounds = Rect::NOTHING;
    if mesh.indices.is_empty() {
        return bounds;
    }
    for_each_deformed_vertex(&mesh.vertices, deform, palette, |point, _uv| {
        if point.is_finite() {
            bounds = bounds.include(point);
        }
    });
    bounds
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::vec2;

    #[test]
    fn weights_are_used_as_authored() {
        let right = SkinMatrix { translation: vec2(100.0, 0.0), ..SkinMatrix::IDENTITY };
        let up = SkinMatrix { translation: vec2(0.0, 10.0), ..SkinMatrix::IDENTITY };
        let at = |bone_weights| {
            let vertex =
                Skin4Vertex { position: vec2(1.0, 2.0), uv: Vec2::ZERO, bone_ids: [0, 1, 1, 0], bone_weights };
            skin4(&vertex, &[right, up])
        };
        assert_eq!(at([0.5, 0.25, 0.25, 0.0]), vec2(51.0, 7.0));
        assert_eq!(at([2.0, 0.0, 0.0, 0.0]), vec2(202.0, 4.0));
        assert_eq!(at([1.0, -3.0, 0.0, 0.0]), vec2(101.0, 2.0));
        assert_eq!(at([-1.0, 0.0, 0.0, 0.0]), vec2(1.0, 2.0));
    }
}
