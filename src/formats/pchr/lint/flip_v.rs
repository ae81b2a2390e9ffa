//! Pictures that are upside down: how much opaque atlas the meshes cover, as it is and with `v` mirrored.
//!
//! A mesh is cut around what it shows: opaque inside, little of it at the outer edge. Mirrored it lies anywhere
//! in the atlas, and is opaque inside no more than at its edge. So what counts is how much more it is inside.

use super::subject::vertex;
use super::{Report, Subject};
use crate::formats::pchr::build::outline;
use crate::formats::pchr::document::At;
use crate::formats::pchr::schema::{Mesh, Vertex};
use crate::math::{Vec2, vec2};
use crate::model::{AtlasPage, Indices};

/// The difference is plain when the other way has so much more: what is cut well has 0.3 to 0.6 more inside than
/// at the edge, what lies anywhere about 0.
const MIN_GAIN: f64 = 0.25;
/// Triangles and edges that are looked at in a file, evenly chosen in each mesh.
const MAX_LOOKED_AT: usize = 1 << 18;
/// At least so many of each mesh.
const MIN_OF_MESH: usize = 16;
/// A mesh with more triangles is not looked at: finding its outer edge takes too long.
const MAX_TRIANGLES: usize = 1 << 18;
/// Alpha from which on a pixel counts as opaque.
const OPAQUE: u8 = 128;
/// Where a triangle is looked at: parts of its corners.
const INSIDE: [[f32; 3]; 7] = [
    [0.34, 0.33, 0.33],
    [0.6, 0.2, 0.2],
    [0.2, 0.6, 0.2],
    [0.2, 0.2, 0.6],
    [0.46, 0.46, 0.08],
    [0.46, 0.08, 0.46],
    [0.08, 0.46, 0.46],
];
/// Where an edge is looked at: parts of the way along it.
const ALONG: [f32; 3] = [0.2, 0.5, 0.8];

/// How much of something is opaque, as it is and mirrored, weighted by its size in pixels.
#[derive(Default)]
struct Opaque {
    whole: f64,
    is: f64,
    mirrored: f64,
}

/// Compares over all meshes that have a picture.
pub fn check(subject: &Subject<'_>, report: &mut Report<'_>) {
    let most = (MAX_LOOKED_AT / subject.file.meshes.len().max(1)).max(MIN_OF_MESH);
    let (mut whole, mut inside, mut edge) = (0.0, [0.0; 2], [0.0; 2]);
    let (mut better, mut worse) = (0, 0);
    let mut first_better = None;
    for (index, mesh, _) in subject.meshes() {
        let Some(page) = subject.pages.get(usize::from(mesh.image)).and_then(Option::as_ref) else { continue };
        let Some((pixels, own_inside, own_edge)) = look_at(page, mesh, subject.options.flip_v, most) else {
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
    // Not so where nothing is shown and these are no numbers. One large mesh alone decides nothing.
    let is_plain = (inside_mirrored - edge_mirrored) - (inside - edge) > MIN_GAIN && better > 2 * worse;
    let told = first_better.filter(|_| is_plain).map(|index| {
        let how = if subject.options.flip_v { "without `--flip-v`" } else { "with `--flip-v`" };
        let [inside, edge, inside_mirrored, edge_mirrored] =
            [inside, edge, inside_mirrored, edge_mirrored].map(|part| 100.0 * part);
        let message = format!(
            "the pictures seem to be upside down: the atlas is {inside:.0} % opaque inside the meshes and {edge:.0} % \
             at their edges, {how} {inside_mirrored:.0} % and {edge_mirrored:.0} %"
        );
        (At::Mesh(index, "vertices"), message)
    });
    report.warn_all("flipped-v", told);
}

/// How many pixels a mesh shows, and how much of them is opaque inside and at the edge, each as it is and
/// mirrored; `None` where nothing can be said.
fn look_at(page: &AtlasPage, mesh: &Mesh, is_flipped: bool, most: usize) -> Option<(f64, [f64; 2], [f64; 2])> {
    let indices = Indices::new(mesh.indices.bytes.clone());
    let triangles = indices.triangles();
    if triangles.len() > MAX_TRIANGLES {
        return None;
    }
    // As it is drawn.
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
    /// Looks at `points`, which stand for `size` pixels.
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

    /// 0 to 1, as it is and mirrored; no numbers where nothing was added.
    fn parts(&self) -> [f64; 2] {
        [self.is / self.whole, self.mirrored / self.whole]
    }
}

fn in_pixels(uv: Vec2, page: &AtlasPage) -> Vec2 {
    uv * vec2(page.width as f32, page.height as f32)
}

/// Whether the pixel there is; beyond the picture's edge the pixel at the edge.
fn is_opaque(page: &AtlasPage, uv: Vec2) -> bool {
    // The cast ends at the bounds, for what is no number too.
    let pixel = |part: f32, size: u32| ((part * size as f32) as usize).min(size.saturating_sub(1) as usize);
    let at = pixel(uv.y, page.height) * page.width as usize + pixel(uv.x, page.width);
    page.pixels.get(4 * at + 3).is_some_and(|alpha| *alpha >= OPAQUE)
}
