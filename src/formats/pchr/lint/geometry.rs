//! Texture coordinates outside the picture, triangles without area, and meshes without triangles.

use super::subject::vertex;
use super::{Report, Subject};
use crate::formats::pchr::document::{At, VertexField};
use crate::formats::pchr::schema::{Mesh, Vertex};

/// Tolerance of texture coordinates outside 0 to 1: less than half a texel of a picture of 4,096 pixels, which
/// still samples the edge texel.
const UV_TOLERANCE: f32 = 1e-4;

/// Rounding error of three collinear points in `f32`, relative to the largest coordinate.
const FLAT: f64 = 1.0 / (1 << 22) as f64;

/// Reports the first offence of each mesh, and the number of offences.
pub fn check(subject: &Subject<'_>, report: &mut Report<'_>) {
    let (mut outside, mut flat, mut empty) = (Vec::new(), Vec::new(), Vec::new());
    for (index, mesh, checked) in subject.meshes() {
        let records = mesh.vertices.bytes.chunks_exact(Vertex::SIZE).map(Vertex::read);
        let is_outside = |value: f32| !(-UV_TOLERANCE..=1.0 + UV_TOLERANCE).contains(&value);
        let mut found = records.enumerate().filter(|(_, vertex)| is_outside(vertex.u) || is_outside(vertex.v));
        if let Some((vertex, Vertex { u, v, .. })) = found.next() {
            let count = 1 + found.count();
            let (field, name, value) =
                if is_outside(u) { (VertexField::U, "u", u) } else { (VertexField::V, "v", v) };
            let message = format!(
                "{name} is {value}, outside 0 to 1: the picture's edge pixels are drawn there; affected vertices of \
                 `{}`: {count}",
                mesh.name
            );
            outside.push((At::Vertex(index, vertex, field), message));
        }
        let mut found = checked.indices.triangles().enumerate().filter_map(|(number, corners)| {
            let why = why_flat(mesh, corners)?;
            Some((number, corners, why))
        });
        if let Some((number, corners, why)) = found.next() {
            let count = 1 + found.count();
            let message = format!(
                "the triangle {corners:?} {why} and is not drawn; affected triangles of `{}`: {count}",
                mesh.name
            );
            flat.push((At::Index(index, 3 * number), message));
        }
        if checked.indices.is_empty() {
            let message = format!("`{}` has no triangles, so nothing of it is drawn", mesh.name);
            empty.push((At::Mesh(index, "indices"), message));
        }
    }
    report.warn_all("uv-out-of-range", outside);
    report.warn_all("degenerate-triangle", flat);
    report.warn_all("empty-mesh", empty);
}

/// Returns why a triangle has no area; `None` if it has one.
fn why_flat(mesh: &Mesh, corners: [u16; 3]) -> Option<&'static str> {
    let [a, b, c] = corners;
    if a == b || b == c || a == c {
        return Some("uses a vertex twice");
    }
    let point = |index| {
        let Vertex { x, y, .. } = vertex(mesh, index)?;
        Some([f64::from(x), f64::from(y)])
    };
    let [a, b, c] = [point(a)?, point(b)?, point(c)?];
    let between = |from: [f64; 2], to: [f64; 2]| [to[0] - from[0], to[1] - from[1]];
    let (ab, ac, bc) = (between(a, b), between(a, c), between(b, c));
    let longest = [ab, ac, bc].map(|[x, y]| x.abs().max(y.abs())).into_iter().fold(0.0, f64::max);
    let largest = [a, b, c].as_flattened().iter().fold(0.0, |largest: f64, value| largest.max(value.abs()));
    let area = (ab[0] * ac[1] - ab[1] * ac[0]).abs();
    (area <= longest * largest * FLAT).then_some("has no area in the bind pose")
}
