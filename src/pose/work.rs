//! The work of skinning, counted before it is done. `docs/limits.md` lists the costs.

use super::Pose;
use crate::model::{Model, SkinNVertices, Vertices};

/// Units of work for a vertex, counted from visible vertices, once per four influences; twice in convex clip masks.
const VERTEX: u64 = 40;

/// Returns the units of work needed to skin all of `vertices`, see [`Limits::work`](crate::limits::Limits::work).
pub(crate) fn vertices_work(vertices: &Vertices) -> u64 {
    match vertices {
        Vertices::Skin4(vertices) => vertices.len() as u64 * VERTEX,
        Vertices::SkinN(vertices) => listed_vertices_work(vertices),
    }
}

/// Like [`vertices_work`], for vertices with lists of influences.
pub(crate) fn listed_vertices_work(vertices: &SkinNVertices) -> u64 {
    vertices.len().max(vertices.influences().len() / 4) as u64 * VERTEX
}

/// Returns the units of work needed to skin everything that `pose` shows, as [`bounds`](super::bounds) does.
///
/// # Panics
///
/// If `pose` belongs to another model.
#[track_caller]
pub fn bounds_work(model: &Model, pose: &Pose) -> u64 {
    let shown = pose.visible_attachments(model).filter_map(|id| model.attachment(id).mesh());
    shown.map(|mesh| vertices_work(&mesh.vertices)).sum()
}
