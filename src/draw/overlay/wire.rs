//! The overlay of triangle edges.

use super::Shown;
use super::marker::WHITE;
use super::pen::rimmed;
use super::scratch::MarkScratch;
use crate::draw::OverlayVertex;

/// Width in picture pixels.
const WIDTH: f32 = 0.75;

/// Appends each edge of each visible region and mesh once.
pub fn append(shown: &Shown<'_>, scratch: &mut MarkScratch, out: &mut Vec<OverlayVertex>) {
    let MarkScratch { points, edges, .. } = scratch;
    for mesh in shown.meshes() {
        shown.positions(&mesh, points);
        mesh.mesh.indices.edges(edges);
        edges.dedup();
        rimmed(shown, WHITE, out, |pen| {
            for [a, b] in edges.iter().map(|edge| edge.map(|index| points[usize::from(index)])) {
                pen.line(a, b, WIDTH);
            }
        });
    }
}
