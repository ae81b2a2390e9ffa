//! The overlay of outlines: the edges of regions and meshes that belong to only one triangle.

use super::Shown;
use super::marker::ORANGE;
use super::pen::rimmed;
use crate::draw::OverlayVertex;
use crate::model::single_edges;

/// Width in picture pixels.
const WIDTH: f32 = 1.5;

/// Appends the outline of each visible region and mesh.
pub fn append(shown: &Shown<'_>, out: &mut Vec<OverlayVertex>) {
    let (mut points, mut all) = (Vec::new(), Vec::new());
    for mesh in shown.meshes() {
        shown.positions(&mesh, &mut points);
        mesh.mesh.indices.edges(&mut all);
        rimmed(shown, ORANGE, out, |pen| {
            for [a, b] in single_edges(&all).map(|edge| edge.map(|index| points[usize::from(index)])) {
                pen.line(a, b, WIDTH);
            }
        });
    }
}
