//! The thin outline of a mesh without a texture.

use super::{OverlayVertex, View};
use crate::math::{Vec2, vec2};
use crate::model::Mesh;
use crate::pose::{SkinMatrix, deformed_world_position};

/// Dark grey.
const COLOR: [u8; 4] = [64, 64, 72, 255];

/// Appends each outline edge as a bar one pixel wide.
pub fn append(mesh: &Mesh, deform: &[Vec2], palette: &[SkinMatrix], view: &View, out: &mut Vec<OverlayVertex>) {
    let half = 0.5 / view.scale();
    for &[a, b] in &mesh.outline {
        let at = |index| deformed_world_position(&mesh.vertices, index, deform, palette);
        let (Some(a), Some(b)) = (at(a), at(b)) else { continue };
        bar(a, b, half, out);
    }
}

fn bar(a: Vec2, b: Vec2, half: f32, out: &mut Vec<OverlayVertex>) {
    let along = (b - a).normalize_or_zero() * half;
    let across = vec2(-along.y, along.x);
    let corner = |position| OverlayVertex { position, color: COLOR };
    let [p, q, r, s] = [a - across, b - across, b + across, a + across].map(corner);
    out.extend([p, q, r, r, s, p]);
}
