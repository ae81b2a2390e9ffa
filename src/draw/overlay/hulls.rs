//! The overlay of outlines: the edges of regions and meshes that belong to only one triangle.

use super::Shown;
use super::marker::ORANGE;
use super::pen::rimmed;
use crate::draw::OverlayVertex;
use crate::model::Mesh;

/// Width in picture pixels.
const WIDTH: f32 = 1.5;

/// Appends the outline of each visible region and mesh.
pub fn append(shown: &Shown<'_>, out: &mut Vec<OverlayVertex>) {
    let (mut points, mut all) = (Vec::new(), Vec::new());
    for mesh in shown.meshes() {
        shown.positions(&mesh, &mut points);
        edges(mesh.mesh, &mut all);
        rimmed(shown, ORANGE, out, |pen| {
            let single = all.chunk_by(|a, b| a == b).filter(|same| same.len() == 1).flatten();
            for [a, b] in single.map(|edge| edge.map(|index| points[usize::from(index)])) {
                pen.line(a, b, WIDTH);
            }
        });
    }
}

/// Writes the edges of all triangles into `out`, sorted: an edge is as often in it as triangles share it.
pub fn edges(mesh: &Mesh, out: &mut Vec<[u16; 2]>) {
    out.clear();
    for [a, b, c] in mesh.indices.triangles() {
        out.extend([[a, b], [b, c], [c, a]].map(|[from, to]| [from.min(to), from.max(to)]));
    }
    out.sort_unstable();
}
