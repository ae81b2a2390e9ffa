//! The overlay of outlines: the edges of regions and meshes that belong to only one triangle.

use super::Shown;
use super::marker::ORANGE;
use super::pen::rimmed;
use super::scratch::MarkScratch;
use crate::draw::OverlayVertex;
use crate::model::single_edges;

/// Width in picture pixels.
const WIDTH: f32 = 1.5;

/// Appends the outline of each visible region and mesh.
pub fn append(shown: &Shown<'_>, scratch: &mut MarkScratch, out: &mut Vec<OverlayVertex>) {
    let MarkScratch { points, edges, .. } = scratch;
    for mesh in shown.meshes() {
        shown.positions(&mesh, points);
        mesh.mesh.indices.edges(edges);
        rimmed(shown, ORANGE, out, |pen| {
            for [a, b] in single_edges(edges).map(|edge| edge.map(|index| points[usize::from(index)])) {
                pen.line(a, b, WIDTH);
            }
        });
    }
}
