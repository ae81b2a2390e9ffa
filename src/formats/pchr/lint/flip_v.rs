//! Pictures that are upside down: how much opaque atlas the meshes cover, as it is and with `v` mirrored.
//!
//! A mesh is cut around what it shows: opaque inside, little of it at the outer edge. Mirrored it lies anywhere
//! in the atlas, and is opaque inside no more than at its edge. So what counts is how much more it is inside.

use super::{Report, Subject};
use crate::formats::pchr::build::outline;
use crate::formats::pchr::document::At;
use crate::math::{Vec2, vec2};
use crate::model::AtlasPage;

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
    let (mut whole, mut is, mut mirrored) = (0.0, 0.0, 0.0);
    let (mut better, mut worse) = (0, 0);
    for (_, mesh, checked) in subject.meshes() {
        let Some(page) = subject.pages.get(usize::from(mesh.image)).and_then(Option::as_ref) else { continue };
        if checked.indices.len() / 3 > MAX_TRIANGLES {
            continue;
        }
        let uv = |vertex| checked.vertices.get(vertex).map(|vertex| vertex.uv);
        let mut inside = Opaque::default();
        let triangles = checked.indices.triangles();
        let step = triangles.len().div_ceil(most).max(1);
        for corners in triangles.step_by(step) {
            if let [Some(a), Some(b), Some(c)] = corners.map(uv) {
                let size = in_pixels(b - a, page).perp_dot(in_pixels(c - a, page)).abs();
                inside.add(page, size, INSIDE.map(|[of_a, of_b, of_c]| a * of_a + b * of_b + c * of_c));
            }
        }
        let mut edge = Opaque::default();
        let edges = outline(mesh);
        for ends in edges.iter().step_by(edges.len().div_ceil(most).max(1)) {
            if let [Some(a), Some(b)] = ends.map(uv) {
                edge.add(page, in_pixels(b - a, page).length(), ALONG.map(|part| a + (b - a) * part));
            }
        }
        let [own, own_mirrored] = [inside.part() - edge.part(), inside.mirrored_part() - edge.mirrored_part()];
        if !(own.is_finite() && own_mirrored.is_finite()) {
            continue;
        }
        whole += inside.whole;
        is += inside.whole * own;
        mirrored += inside.whole * own_mirrored;
        better += usize::from(own_mirrored > own);
        worse += usize::from(own_mirrored < own);
    }
    let [is, mirrored] = [is, mirrored].map(|sum| 100.0 * sum / whole);
    // Not so where nothing is shown and these are no numbers. One large mesh alone decides nothing.
    let is_plain = mirrored - is > 100.0 * MIN_GAIN && better > 2 * worse;
    let told = is_plain.then(|| {
        let how = if subject.options.flip_v { "without `--flip-v`" } else { "with `--flip-v`" };
        let message = format!(
            "the pictures seem to be upside down: the meshes cover {is:.0} % more opaque atlas inside than at their \
             edges, {how} it is {mirrored:.0} %"
        );
        (At::File("meshCount"), message)
    });
    report.warn_all("flipped-v", told);
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

    /// 0 to 1; no number where nothing was added.
    fn part(&self) -> f64 {
        self.is / self.whole
    }

    fn mirrored_part(&self) -> f64 {
        self.mirrored / self.whole
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
