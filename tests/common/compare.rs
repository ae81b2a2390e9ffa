//! Compares two premultiplied pictures of the same scene from two rasterisers.

use pchr::draw::{Command, DrawList, Picture, View};
use pchr::math::Vec2;
use pchr::model::{Attachment, Model};
use pchr::pose::for_each_deformed_vertex;

/// The scene to compare.
pub struct Scene<'a> {
    /// The model with the meshes.
    pub model: &'a Model,
    /// Draw order, matrices and clipping.
    pub list: &'a DrawList,
    /// The view.
    pub view: View,
}

/// The difference of two pictures.
#[derive(Debug, Default)]
pub struct Difference {
    /// Number of pixels inside meshes, away from edges.
    pub inside: usize,
    /// The largest channel difference among them, and its position.
    pub worst: (u8, u32, u32),
    /// Number of them beyond the tolerance.
    pub off: usize,
    /// Number of covered pixels at an edge, where the renderers may disagree on the mesh.
    pub edge: usize,
    /// Number of edge pixels beyond the range of their neighbourhood in the expected picture.
    pub stray: Vec<(u32, u32)>,
    /// Number of pixels away from every mesh that are not empty in both pictures.
    pub spill: Vec<(u32, u32)>,
}

impl Difference {
    /// Returns the fraction of covered pixels that were only compared with their neighbourhood.
    pub fn excluded(&self) -> f64 {
        self.edge as f64 / (self.edge + self.inside).max(1) as f64
    }
}

/// Compares pixel by pixel. `tolerance` is per channel, and also extends the range allowed for edge pixels.
pub fn difference(scene: &Scene<'_>, found: &Picture, expected: &Picture, tolerance: u8) -> Difference {
    difference_snapped(scene, found, expected, tolerance, SNAP)
}

/// [`difference`] for a rasteriser that may move an edge by `snap` pixels.
pub fn difference_snapped(
    scene: &Scene<'_>,
    found: &Picture,
    expected: &Picture,
    tolerance: u8,
    snap: f64,
) -> Difference {
    let covers = covers(scene, snap);
    let (width, height) = (scene.view.width(), scene.view.height());
    let mut difference = Difference::default();
    for (y, x) in (0..height).flat_map(|y| (0..width).map(move |x| (y, x))) {
        let around: Vec<(u32, u32)> = (y.saturating_sub(1)..=(y + 1).min(height - 1))
            .flat_map(|y| (x.saturating_sub(1)..=(x + 1).min(width - 1)).map(move |x| (x, y)))
            .collect();
        let cover_at = |x: u32, y: u32| covers[(y * width + x) as usize];
        let Cover { topmost, at_edge } = cover_at(x, y);
        if !at_edge && around.iter().all(|&(x, y)| cover_at(x, y).topmost == topmost) {
            let (found, expected) = (found.pixel(x, y), expected.pixel(x, y));
            if topmost.is_none() {
                if found != [0; 4] || expected != [0; 4] {
                    difference.spill.push((x, y));
                }
                continue;
            }
            let error = (0..4).map(|channel| found[channel].abs_diff(expected[channel])).max().unwrap_or(0);
            difference.inside += 1;
            difference.worst = difference.worst.max((error, x, y));
            difference.off += usize::from(error > tolerance);
        } else {
            difference.edge += usize::from(topmost.is_some());
            // Snapping moves an edge in either direction: one picture's pixel is within the other's neighbourhood.
            let is_among = |pixel: [u8; 4], picture: &Picture| {
                (0..4).all(|channel| {
                    let range = around.iter().map(|&(x, y)| picture.pixel(x, y)[channel]);
                    let (low, high) = (range.clone().min().unwrap_or(0), range.max().unwrap_or(0));
                    pixel[channel] >= low.saturating_sub(tolerance)
                        && pixel[channel] <= high.saturating_add(tolerance)
                })
            };
            if !is_among(found.pixel(x, y), expected) && !is_among(expected.pixel(x, y), found) {
                difference.stray.push((x, y));
            }
        }
    }
    difference
}

/// The coverage of a pixel's centre.
#[derive(Clone, Copy, Default)]
struct Cover {
    /// Index of the mesh drawn last.
    topmost: Option<usize>,
    /// True if the centre is so close to the edge of any triangle, even one below or inside a folded mesh, that
    /// snapping decides.
    at_edge: bool,
}

/// Maximum distance in pixels by which snapping to 1/256 pixel moves an edge.
const SNAP: f64 = 1.0 / 256.0;

/// Computes the coverage of each pixel by testing it against every triangle and clip mask.
fn covers(scene: &Scene<'_>, snap: f64) -> Vec<Cover> {
    let (width, height) = (scene.view.width(), scene.view.height());
    let mut covers = vec![Cover::default(); (width * height) as usize];
    let pixel = |position: Vec2| {
        let point = scene.view.pixel_from_world(position);
        [f64::from(point.x), f64::from(point.y)]
    };
    let (list, mut clip) = (scene.list, None);
    for (number, command) in list.commands.iter().enumerate() {
        let sprite = match command {
            Command::Sprite(sprite) => sprite,
            Command::ClipBegin(mask) => {
                let Attachment::ClipMask(attachment) = scene.model.attachment(mask.attachment) else {
                    panic!("a mask")
                };
                let mut corners: Vec<[f64; 2]> = Vec::new();
                list.for_each_corner(scene.model, mask, |position| corners.push(pixel(position)));
                clip = Some((corners, attachment.is_inverse));
                continue;
            }
            Command::ClipEnd => {
                clip = None;
                continue;
            }
            Command::Overlay(_) => continue,
        };
        let mesh = scene.model.attachment(sprite.attachment).mesh().expect("a mesh");
        let mut points: Vec<[f64; 2]> = Vec::new();
        for_each_deformed_vertex(&mesh.vertices, list.deform_of(sprite.deform), &list.palette, |position, _uv| {
            points.push(pixel(position))
        });
        for triangle in mesh.indices.triangles() {
            let corners = triangle.map(|index| points[usize::from(index)]);
            let span = |axis: usize, end: u32| {
                let of_corners = corners.map(|corner| corner[axis]);
                let low = of_corners.into_iter().fold(f64::INFINITY, f64::min);
                let high = of_corners.into_iter().fold(f64::NEG_INFINITY, f64::max);
                (low.max(0.0) as u32).min(end)..(high.max(0.0).ceil() as u32).min(end)
            };
            for (y, x) in span(1, height).flat_map(|y| span(0, width).map(move |x| (y, x))) {
                let point = [f64::from(x) + 0.5, f64::from(y) + 0.5];
                let depth = depth(corners, point);
                let cover = &mut covers[(y * width + x) as usize];
                let (is_left, is_at_mask) =
                    clip.as_ref().filter(|_| depth > -snap).map_or((true, false), |(corners, is_inverse)| {
                        let (is_inside, at_edge) = in_polygon_snapped(corners, point, snap);
                        (is_inside != *is_inverse, at_edge)
                    });
                cover.at_edge |= depth.abs() < snap || is_at_mask;
                if depth >= 0.0 && is_left {
                    // By list index: the same attachment may be drawn twice.
                    cover.topmost = Some(number);
                }
            }
        }
    }
    covers
}

/// Returns whether `point` is in a polygon by the even-odd rule, and whether snapping may change that.
pub fn in_polygon(corners: &[[f64; 2]], point: [f64; 2]) -> (bool, bool) {
    in_polygon_snapped(corners, point, SNAP)
}

fn in_polygon_snapped(corners: &[[f64; 2]], point: [f64; 2], snap: f64) -> (bool, bool) {
    let (mut inside, mut at_edge) = (false, false);
    for (index, &to) in corners.iter().enumerate() {
        let from = corners[(index + corners.len() - 1) % corners.len()];
        if (from[1] > point[1]) != (to[1] > point[1]) {
            let along = (point[1] - from[1]) / (to[1] - from[1]);
            inside ^= point[0] < from[0] + (to[0] - from[0]) * along;
        }
        let (x, y) = (to[0] - from[0], to[1] - from[1]);
        let square = (x * x + y * y).max(f64::MIN_POSITIVE);
        let along = (((point[0] - from[0]) * x + (point[1] - from[1]) * y) / square).clamp(0.0, 1.0);
        let (dx, dy) = (point[0] - from[0] - x * along, point[1] - from[1] - y * along);
        at_edge |= dx * dx + dy * dy < snap * snap;
    }
    (inside, at_edge)
}

/// Returns the distance of `point` from the nearest side of a triangle with either winding; negative outside.
fn depth([a, b, c]: [[f64; 2]; 3], point: [f64; 2]) -> f64 {
    let side = |from: [f64; 2], to: [f64; 2]| {
        let (x, y) = (to[0] - from[0], to[1] - from[1]);
        (x * (point[1] - from[1]) - y * (point[0] - from[0])) / (x * x + y * y).sqrt()
    };
    let sides = [side(a, b), side(b, c), side(c, a)];
    let inside = |sign: f64| sides.iter().map(|side| side * sign).fold(f64::INFINITY, f64::min);
    inside(1.0).max(inside(-1.0))
}
