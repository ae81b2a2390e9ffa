//! Draw list → triangles in picture space, ready to be filled row by row.

use std::ops::Range;

use super::clip::{self, Corner};
use super::sample::ONE;
use super::shade::Shade;
use super::texture::{TextureFill, TextureId, Textures};
use crate::draw::{Command, DrawList, Filter, Mask, NEUTRAL_COLOR, Sampling, Sprite, View};
use crate::math::Vec2;
use crate::model::{Attachment, Model};
use crate::pose::for_each_deformed_vertex;

/// Subpixels per pixel: corners are snapped to them, as on GPUs.
pub const SUBPIXELS: i64 = 256;

/// The inputs for rendering a picture.
#[derive(Debug, Clone, Copy)]
pub struct Scene<'a> {
    pub model: &'a Model,
    pub list: &'a DrawList,
    pub view: &'a View,
    pub filter: Filter,
}

/// All triangles of a picture, back to front. Its memory is reused.
#[derive(Debug, Clone, Default)]
pub struct Setup {
    pub parts: Vec<Part>,
    pub triangles: Vec<Triangle>,
    corners: Vec<Corner>,
}

/// Consecutive triangles with the same role.
#[derive(Debug, Clone)]
pub struct Part {
    /// A range of [`Setup::triangles`].
    pub triangles: Range<usize>,
    pub role: Role,
}

/// The use of triangles.
#[derive(Debug, Clone, Copy)]
pub enum Role {
    /// A fan over a polygon of any shape: the area that an odd number of them covers is the new clip mask.
    Mask,
    /// Drawn triangles.
    Sprite {
        shade: Shade,
        /// Drawn inside the last clip mask only.
        is_clipped: bool,
    },
}

/// A triangle that may cover pixels, and its paint.
#[derive(Debug, Clone)]
pub struct Triangle {
    /// The first row that may be covered, and the one after the last.
    pub rows: [i32; 2],
    /// The first column that may be covered, and the one after the last.
    pub columns: [i32; 2],
    /// A point is inside if it is inside all three.
    pub edges: [Edge; 3],
    pub paint: Paint,
}

/// The half-plane `x · a + y · b + c >= 0` in 1/256 pixel. `c` includes the top-left rule: a point on an edge that
/// two triangles share belongs to exactly one of them.
#[derive(Debug, Clone, Copy)]
pub struct Edge {
    pub a: i64,
    pub b: i64,
    pub c: i64,
}

/// The paint of a triangle.
#[derive(Debug, Clone)]
pub enum Paint {
    /// A premultiplied colour.
    Flat(u32),
    /// A texture.
    Texture { texture: TextureId, sampling: Sampling, u: Plane, v: Plane },
}

/// A texture coordinate as a linear function of the pixel: its value in the middle of the first pixel of the
/// triangle's bounding box, and its increments per column and row.
#[derive(Debug, Clone, Copy)]
pub struct Plane {
    pub start: i64,
    pub column: i64,
    pub row: i64,
}

/// The fill of a mesh.
#[derive(Clone, Copy)]
enum Fill {
    Flat([u8; 4]),
    Texture(TextureFill),
}

impl Setup {
    pub fn fill(&mut self, scene: &Scene<'_>, textures: &Textures) {
        self.parts.clear();
        self.triangles.clear();
        for list in scene.list.with_ghosts() {
            self.add(&Scene { list, ..*scene }, textures);
        }
    }

    /// Adds the triangles of a list without its ghosts.
    fn add(&mut self, scene: &Scene<'_>, textures: &Textures) {
        let Scene { list, view, .. } = *scene;
        let mut is_clipped = false;
        for command in &list.commands {
            let first = self.triangles.len();
            let role = match command {
                Command::Sprite(sprite) => {
                    self.sprite(scene, sprite, textures);
                    Role::Sprite { shade: Shade::new(&sprite.color, sprite.blend), is_clipped }
                }
                Command::ClipBegin(_) if is_clipped => continue,
                Command::ClipBegin(mask) => {
                    is_clipped = true;
                    self.mask(scene, mask);
                    Role::Mask
                }
                Command::ClipEnd => {
                    is_clipped = false;
                    continue;
                }
                Command::Overlay(range) => {
                    let range = range.start as usize..range.end as usize;
                    let vertices = list.overlay.get(range).unwrap_or_default();
                    for triangle in vertices.as_chunks::<3>().0 {
                        let corners = triangle.map(|vertex| Corner::new(view, vertex.position, Vec2::ZERO));
                        self.triangle(corners, Fill::Flat(triangle[0].color), view);
                    }
                    Role::Sprite { shade: Shade::PLAIN, is_clipped }
                }
            };
            self.parts.push(Part { triangles: first..self.triangles.len(), role });
        }
    }

    /// Returns true if there is a clip mask.
    pub fn has_masks(&self) -> bool {
        self.parts.iter().any(|part| matches!(part.role, Role::Mask))
    }

    fn sprite(&mut self, scene: &Scene<'_>, sprite: &Sprite, textures: &Textures) {
        let Scene { model, list, view, .. } = *scene;
        let Some(mesh) = model.attachment(sprite.attachment).mesh() else { return };
        let fill = match mesh.page {
            Some(page) => Fill::Texture(textures.fill(scene, page, sprite)),
            None => Fill::Flat(NEUTRAL_COLOR),
        };
        let mut corners = std::mem::take(&mut self.corners);
        corners.clear();
        corners.reserve(mesh.vertices.len());
        let deform = list.deform_of(sprite.deform);
        for_each_deformed_vertex(&mesh.vertices, deform, &list.palette, |position, uv| {
            corners.push(Corner::new(view, position, uv));
        });
        for triangle in mesh.indices.triangles() {
            self.triangle(triangle.map(|index| corners[usize::from(index)]), fill, view);
        }
        self.corners = corners;
    }

    /// Adds a fan from the first corner. Areas covered twice are outside, so polygons of any shape come out right.
    fn mask(&mut self, scene: &Scene<'_>, mask: &Mask) {
        let Scene { model, list, view, .. } = *scene;
        let Attachment::ClipMask(clip) = model.attachment(mask.attachment) else { return };
        let mut corners = std::mem::take(&mut self.corners);
        corners.clear();
        list.for_each_corner(model, mask, |position| corners.push(Corner::new(view, position, Vec2::ZERO)));
        if let Some((first, rest)) = corners.split_first() {
            for pair in rest.windows(2) {
                self.triangle([*first, pair[0], pair[1]], Fill::Flat([255; 4]), view);
            }
        }
        if clip.is_inverse {
            let [width, height] = [view.width(), view.height()].map(f64::from);
            let [a, b, c, d] =
                [[0.0, 0.0], [width, 0.0], [width, height], [0.0, height]].map(|at| Corner { at, uv: [0.0; 2] });
            self.triangle([a, b, c], Fill::Flat([255; 4]), view);
            self.triangle([a, c, d], Fill::Flat([255; 4]), view);
        }
        self.corners = corners;
    }

    fn triangle(&mut self, corners: [Corner; 3], fill: Fill, view: &View) {
        if corners.iter().all(Corner::is_near) {
            self.push(corners, fill, view);
        } else {
            for corners in clip::to_picture(corners, view) {
                self.push(corners, fill, view);
            }
        }
    }

    /// Adds a triangle whose corners are all near enough for exact integers.
    fn push(&mut self, mut corners: [Corner; 3], fill: Fill, view: &View) {
        let mut points = corners.map(|corner| corner.snapped());
        let area = cross(points[0], points[1], points[2]);
        if area == 0 {
            return;
        }
        if area < 0 {
            points.swap(1, 2);
            corners.swap(1, 2);
        }
        let covered = |axis: usize, size: u32| {
            let (min, max) = points
                .iter()
                .fold((i64::MAX, i64::MIN), |(min, max), point| (min.min(point[axis]), max.max(point[axis])));
            // Samples are somewhere inside their pixel.
            let first = min.div_euclid(SUBPIXELS).max(0) as i32;
            let end = (max.div_euclid(SUBPIXELS) + 1).min(i64::from(size)) as i32;
            [first, end]
        };
        let (columns, rows) = (covered(0, view.width()), covered(1, view.height()));
        if columns[0] >= columns[1] || rows[0] >= rows[1] {
            return;
        }
        let paint = match fill {
            Fill::Flat(color) => Paint::Flat(u32::from_le_bytes(color)),
            Fill::Texture(fill) => {
                let uv = |axis: usize| corners.map(|corner| fill.texel(corner.uv[axis], axis));
                let origin = [columns[0], rows[0]];
                let points = points_of_plane(&corners, points);
                let [u, v] = [0, 1].map(|axis| plane(points, uv(axis), origin));
                Paint::Texture { texture: fill.texture, sampling: fill.sampling, u, v }
            }
        };
        let [p, q, r] = points;
        self.triangles.push(Triangle { rows, columns, edges: [edge(p, q), edge(q, r), edge(r, p)], paint });
    }
}

/// Twice the signed area; positive if the corners are in clockwise order in the picture, whose y is down.
fn cross(p: [i64; 2], q: [i64; 2], r: [i64; 2]) -> i64 {
    (q[0] - p[0]) * (r[1] - p[1]) - (r[0] - p[0]) * (q[1] - p[1])
}

fn edge(from: [i64; 2], to: [i64; 2]) -> Edge {
    let (a, b) = (from[1] - to[1], to[0] - from[0]);
    let c = -(a * from[0] + b * from[1]);
    // Left edges go up and top edges go right; points on other edges belong to the neighbour.
    let owns_its_points = a > 0 || (a == 0 && b > 0);
    Edge { a, b, c: if owns_its_points { c } else { c - 1 } }
}

/// The points at which texture coordinates are known: the corners before snapping, which would visibly shift the
/// texture of a thin triangle, or the snapped corners if the triangle is so small that snapping changes its shape.
fn points_of_plane(corners: &[Corner; 3], snapped: [[i64; 2]; 3]) -> [[f64; 2]; 3] {
    let exact = corners.map(|corner| corner.at);
    let snapped = snapped.map(|point| point.map(|at| at as f64 / SUBPIXELS as f64));
    let area = |[p, q, r]: [[f64; 2]; 3]| (q[0] - p[0]) * (r[1] - p[1]) - (r[0] - p[0]) * (q[1] - p[1]);
    if area(exact) * 2.0 > area(snapped) { exact } else { snapped }
}

/// The linear function with the given values at three points. `origin` is a column and a row.
fn plane(points: [[f64; 2]; 3], values: [f64; 3], origin: [i32; 2]) -> Plane {
    let [x, y] = [0, 1].map(|axis| points.map(|point| point[axis]));
    let (x1, x2, y1, y2) = (x[1] - x[0], x[2] - x[0], y[1] - y[0], y[2] - y[0]);
    let (d1, d2) = (values[1] - values[0], values[2] - values[0]);
    let factor = 1.0 / (x1 * y2 - x2 * y1);
    let (column, row) = ((d1 * y2 - d2 * y1) * factor, (d2 * x1 - d1 * x2) * factor);
    let (from_x, from_y) = (f64::from(origin[0]) + 0.5 - x[0], f64::from(origin[1]) + 0.5 - y[0]);
    let start = values[0] + column * from_x + row * from_y;
    // Not `f64::round`, which is a slow library call without SSE 4.1.
    let fixed = |value: f64| (value * ONE as f64 + 0.5).floor() as i64;
    Plane { start: fixed(start), column: fixed(column), row: fixed(row) }
}
