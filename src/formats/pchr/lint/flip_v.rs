//! Upside-down pictures: compares how much opaque atlas the meshes cover, as stored and with `v` mirrored.
//!
//! A mesh is cut around its content: mostly opaque inside, less so at its outline. Mirrored, it lies anywhere in
//! the atlas, as opaque inside as at its outline. So the difference between the two is decisive.

use super::subject::vertex;
use super::{Report, Subject};
use crate::formats::pchr::build::outline;
use crate::formats::pchr::document::At;
use crate::formats::pchr::schema::{Mesh, Vertex};
use crate::math::{Vec2, vec2};
use crate::model::{AtlasPage, Indices};

/// Minimum gain of the mirrored difference. A well-cut mesh is 0.3 to 0.6 more opaque inside than at its outline;
/// a misplaced one about 0.
const MIN_GAIN: f64 = 0.25;
/// Maximum number of triangles and edges to sample in a file, spread evenly within each mesh.
const MAX_SAMPLES: usize = 1 << 18;
/// Minimum number of samples for each mesh.
const MIN_SAMPLES_OF_MESH: usize = 16;
/// Meshes with more triangles are skipped, because finding their outline takes too long.
const MAX_TRIANGLES: usize = 1 << 18;
/// Minimum alpha of an opaque pixel.
const OPAQUE: u8 = 128;
/// Sample points in a triangle, in barycentric coordinates.
const INSIDE: [[f32; 3]; 7] = [
    [0.34, 0.33, 0.33],
    [0.6, 0.2, 0.2],
    [0.2, 0.6, 0.2],
    [0.2, 0.2, 0.6],
    [0.46, 0.46, 0.08],
    [0.46, 0.08, 0.46],
    [0.08, 0.46, 0.46],
];
/// Sample points on an edge, as fractions of its length.
const ALONG: [f32; 3] = [0.2, 0.5, 0.8];

/// Opacity as stored and mirrored, weighted by size in pixels.
#[derive(Default)]
struct Opaque {
    whole: f64,
    is: f64,
    mirrored: f64,
}

/// Compares all meshes that have a picture.
pub fn check(subject: &Subject<'_>, report: &mut Report<'_>) {
    let most = (MAX_SAMPLES / subject.file.meshes.len().max(1)).max(MIN_SAMPLES_OF_MESH);
    let (mut whole, mut inside, mut edge) = (0.0, [0.0; 2], [0.0; 2]);
    let (mut better, mut worse) = (0, 0);
    let mut first_better = None;
    for (index, mesh, _) in subject.meshes() {
        let Some(page) = subject.pages.get(usize::from(mesh.image)).and_then(Option::as_ref) else { continue };
        let Some((pixels, own_inside, own_edge)) = measure(page, mesh, subject.options.flip_v, most) else {
            continue;
        };
        whole += pixels;
        for way in 0..2 {
            inside[way] += pixels * own_inside[way];
            edge[way] += pixels * own_edge[way];
        }
        let (is, mirrored) = (own_inside[0] - own_edge[0], own_inside[1] - own_edge[1]);
        better += usize::from(mirrored > is);
        worse += usize::from(mirrored < is);
        if mirrored > is {
            first_better.get_or_insert(index);
        }
    }
    let ([inside, inside_mirrored], [edge, edge_mirrored]) =
        (inside.map(|sum| sum / whole), edge.map(|sum| sum / whole));
    // False if nothing is drawn and the values are NaN. A single large mesh does not decide alone.
    let is_plain = (inside_mirrored - edge_mirrored) - (inside - edge) > MIN_GAIN && better > 2 * worse;
    let finding = first_better.filter(|_| is_plain).map(|index| {
        let how = if subject.options.flip_v { "without `--flip-v`" } else { "with `--flip-v`" };
        let [inside, edge, inside_mirrored, edge_mirrored] =
            [inside, edge, inside_mirrored, edge_mirrored].map(|part| 100.0 * part);
        let message = format!(
            "the pictures seem to be upside down: the atlas is {inside:.0} % opaque inside the meshes and {edge:.0} % \
             at their outlines, but {how} {inside_mirrored:.0} % and {edge_mirrored:.0} %"
        );
        (At::Mesh(index, "vertices"), message)
    });
    report.warn_all("flipped-v", finding);
}

/// Returns the size of a mesh in pixels, and its opacity inside and at its outline, each as stored and mirrored;
/// `None` if it is too large or draws nothing.
fn measure(page: &AtlasPage, mesh: &Mesh, is_flipped: bool, most: usize) -> Option<(f64, [f64; 2], [f64; 2])> {
    let indices = Indices::new(mesh.indices.bytes.clone());
    let triangles = indices.triangles();
    if triangles.len() > MAX_TRIANGLES {
        return None;
    }
    // As drawn.
    let uv = |index| vertex(mesh, index).map(|Vertex { u, v, .. }| vec2(u, if is_flipped { 1.0 - v } else { v }));
    let (mut inside, mut edge) = (Opaque::default(), Opaque::default());
    let step = triangles.len().div_ceil(most).max(1);
    for corners in triangles.step_by(step) {
        if let [Some(a), Some(b), Some(c)] = corners.map(uv) {
            let size = in_pixels(b - a, page).perp_dot(in_pixels(c - a, page)).abs();
            inside.add(page, size, INSIDE.map(|[of_a, of_b, of_c]| a * of_a + b * of_b + c * of_c));
        }
    }
    let edges = outline(mesh);
    for ends in edges.iter().step_by(edges.len().div_ceil(most).max(1)) {
        if let [Some(a), Some(b)] = ends.map(uv) {
            edge.add(page, in_pixels(b - a, page).length(), ALONG.map(|part| a + (b - a) * part));
        }
    }
    let ([is, mirrored], [edge_is, edge_mirrored]) = (inside.parts(), edge.parts());
    (is + edge_is).is_finite().then_some((inside.whole, [is, mirrored], [edge_is, edge_mirrored]))
}

impl Opaque {
    /// Adds sample `points` that represent `size` pixels.
    fn add<const N: usize>(&mut self, page: &AtlasPage, size: f32, points: [Vec2; N]) {
        if !size.is_finite() {
            return;
        }
        let is = points.iter().filter(|uv| is_opaque(page, **uv)).count();
        let mirrored = points.iter().filter(|uv| is_opaque(page, vec2(uv.x, 1.0 - uv.y))).count();
        self.whole += f64::from(size);
        self.is += f64::from(size) * is as f64 / N as f64;
        self.mirrored += f64::from(size) * mirrored as f64 / N as f64;
    }

    /// Opacity from 0 to 1, as stored and mirrored; NaN if nothing was added.
    fn parts(&self) -> [f64; 2] {
        [self.is / self.whole, self.mirrored / self.whole]
    }
}

fn in_pixels(uv: Vec2, page: &AtlasPage) -> Vec2 {
    uv * vec2(page.width as f32, page.height as f32)
}

/// Returns true if the pixel at `uv` is opaque. Coordinates outside the picture are clamped.
fn is_opaque(page: &AtlasPage, uv: Vec2) -> bool {
    // The cast saturates, also for NaN.
    let pixel = |part: f32, size: u32| ((part * size as f32) as usize).min(size.saturating_sub(1) as usize);
    let at = pixel(uv.y, page.height) * page.width as usize + pixel(uv.x, page.width);
    page.pixels.get(4 * at + 3).is_some_and(|alpha| *alpha >= OPAQUE)
}
