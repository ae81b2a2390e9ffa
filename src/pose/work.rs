//! How much work skinning is, counted before it is done. `docs/limits.md` lists what counts how much.

use super::Pose;
use crate::model::{Model, SkinNVertices, Vertices};

/// A vertex of up to four influences, and each four influences of a longer list.
const VERTEX: u64 = 40;

/// The units of work that placing all of `vertices` takes: see [`Limits::work`](crate::limits::Limits::work).
pub fn vertices_work(vertices: &Vertices) -> u64 {
    match vertices {
        Vertices::Skin4(vertices) => vertices.len() as u64 * VERTEX,
        Vertices::SkinN(vertices) => listed_vertices_work(vertices),
    }
}

/// [`vertices_work`] of vertices with lists of influences.
pub fn listed_vertices_work(vertices: &SkinNVertices) -> u64 {
    vertices.len().max(vertices.influences().len() / 4) as u64 * VERTEX
}

/// The units of work that placing everything that `pose` shows takes, as [`bounds`](super::bounds) does.
pub fn bounds_work(model: &Model, pose: &Pose) -> u64 {
    let shown = pose.visible_attachments(model).filter_map(|id| model.attachment(id).mesh());
    shown.map(|mesh| vertices_work(&mesh.vertices)).sum()
}
