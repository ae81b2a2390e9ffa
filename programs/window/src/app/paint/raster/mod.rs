//! Rasterizes egui's triangles on the CPU.
//!
//! Follows the rules of a GPU: a pixel belongs to the triangle that contains its centre, a shared edge belongs to
//! exactly one of its two triangles, and colours are premultiplied and blended in gamma space. Vertices are
//! rounded to 1/256 pixel so that coverage is computed in integers.

pub mod shade;

use egui::epaint::{Primitive, Vertex};
use egui::{ClippedPrimitive, Color32, Mesh};

use super::damage::Area;
use super::textures::{Texture, Textures};
use shade::Shade;

/// A render target: pixels are `0x00RRGGBB`, rows top to bottom.
pub struct Canvas<'a> {
    /// Consecutive whole rows of the target.
    pub pixels: &'a mut [u32],
    /// Pixels per row.
    pub width: usize,
    /// Index of the first row in `pixels`.
    pub first_row: usize,
}

/// The character's picture: four premultiplied bytes per pixel, shown without scaling. It may be part of a larger
/// picture that is transparent around it.
#[derive(Clone, Copy)]
pub struct Character<'a> {
    /// The pixels.
    pub pixels: &'a [u8],
    /// Width and height in pixels.
    pub size: [usize; 2],
    /// Column and row of its upper-left corner in the larger picture.
    pub corner: [i64; 2],
    /// Width and height of the larger picture in pixels.
    pub whole: [usize; 2],
    /// Opacity, 0 to 255.
    pub opacity: u8,
}

impl Character<'_> {
    /// Returns the stored pixels of a row of the larger picture, and their first column.
    fn row(&self, row: i64) -> (i64, &[[u8; 4]]) {
        let [width, height] = self.size;
        let pixels = usize::try_from(row - self.corner[1])
            .ok()
            .filter(|row| *row < height)
            .and_then(|row| self.pixels.as_chunks::<4>().0.get(row * width..(row + 1) * width));
        (self.corner[0], pixels.unwrap_or_default())
    }
}

impl Canvas<'_> {
    /// Returns the area of the stored rows.
    pub fn area(&self) -> Area {
        let rows = self.pixels.len() / self.width.max(1);
        let (top, bottom) = (self.first_row as i64, (self.first_row + rows) as i64);
        Area { left: 0, top, right: self.width as i64, bottom }
    }

    /// Fills the stored part of `area` with `color`.
    pub fn fill(&mut self, area: Area, color: Color32) {
        let Area { left, top, right, bottom } = area.intersect(self.area());
        (top..bottom).for_each(|row| self.span(row, left, right.max(left)).fill(shade::pack(color)));
    }

    /// Returns the pixels from column `left` to `right` of a stored row.
    fn span(&mut self, row: i64, left: i64, right: i64) -> &mut [u32] {
        let start = (row as usize - self.first_row) * self.width;
        &mut self.pixels[start + left as usize..start + right as usize]
    }
}

/// Paints `primitives` back to front, clipped to `area`. User textures stand for the characters, which `character`
/// returns.
pub fn paint<'a>(
    canvas: &mut Canvas<'_>,
    area: Area,
    primitives: &[ClippedPrimitive],
    pixels_per_point: f32,
    textures: &'a Textures,
    character: &dyn Fn(usize) -> Option<Character<'a>>,
) {
    let area = area.intersect(canvas.area());
    for ClippedPrimitive { clip_rect, primitive } in primitives {
        let Primitive::Mesh(mesh) = primitive else { continue };
        let round = |value: f32| (value * pixels_per_point).round() as i64;
        let clip = Area {
            left: round(clip_rect.min.x),
            top: round(clip_rect.min.y),
            right: round(clip_rect.max.x),
            bottom: round(clip_rect.max.y),
        };
        let clip = clip.intersect(area);
        if clip.is_empty() {
            continue;
        }
        let source = match mesh.texture_id {
            egui::TextureId::User(place) => character(place as usize).map(Source::Character),
            id @ egui::TextureId::Managed(_) => textures.get(id).map(Source::Texture),
        };
        if let Some(source) = source {
            paint_mesh(canvas, mesh, pixels_per_point, &clip, source);
        }
    }
}

#[derive(Clone, Copy)]
pub enum Source<'a> {
    Texture(&'a Texture),
    Character(Character<'a>),
}

fn paint_mesh(canvas: &mut Canvas<'_>, mesh: &Mesh, pixels_per_point: f32, clip: &Area, source: Source<'_>) {
    // In points, with a margin for rounding, to reject most triangles early.
    let [left, top, right, bottom] =
        [clip.left - 1, clip.top - 1, clip.right + 1, clip.bottom + 1].map(|side| side as f32 / pixels_per_point);
    let corner = |index: u32| mesh.vertices.get(index as usize).copied();
    let mut triangles = mesh.indices.as_chunks::<3>().0;
    while let [[a, b, c], rest @ ..] = triangles {
        triangles = rest;
        let (Some(first), Some(second), Some(third)) = (corner(*a), corner(*b), corner(*c)) else { continue };
        let (p, q, r) = (first.pos, second.pos, third.pos);
        let is_beside = p.y.max(q.y).max(r.y) < top
            || p.y.min(q.y).min(r.y) > bottom
            || p.x.max(q.x).max(r.x) < left
            || p.x.min(q.x).min(r.x) > right;
        if is_beside {
            continue;
        }
        let Some(triangle) = Triangle::new([first, second, third], pixels_per_point) else { continue };
        let shade = Shade::new(&triangle, source);
        let other = match rest {
            // egui makes rectangles like this.
            [[d, e, f], ..] if matches!(shade, Shade::Flat(_)) && (d, e) == (c, b) => corner(*f),
            _ => None,
        };
        match other.and_then(|last| triangle.rectangle_to(&last, pixels_per_point)) {
            Some(rectangle) => {
                triangles = &rest[1..];
                let Area { left, top, right, bottom } = rectangle.intersect(*clip);
                if left < right {
                    (top..bottom).for_each(|row| shade.fill(&triangle, canvas.span(row, left, right), left, row));
                }
            }
            None => triangle.paint(canvas, clip, &shade),
        }
    }
}

/// Subpixels per pixel.
const ONE: i64 = 256;

pub struct Triangle {
    corners: [Vertex; 3],
    /// Positions in 1/256 pixel, counter-clockwise on the screen.
    at: [[i64; 2]; 3],
    /// Twice the area, positive.
    area: i64,
}

impl Triangle {
    /// Returns `None` if the triangle is degenerate or far outside the screen.
    fn new(corners: [Vertex; 3], pixels_per_point: f32) -> Option<Self> {
        let mut corners = corners;
        let mut at = corners.each_ref().map(|vertex| fixed(vertex, pixels_per_point));
        // Products would overflow far outside; no window is that large.
        if at.iter().flatten().any(|value| value.unsigned_abs() > 1 << 28) {
            return None;
        }
        let mut area = edge(at[0], at[1], at[2]);
        if area < 0 {
            corners.swap(1, 2);
            at.swap(1, 2);
            area = -area;
        }
        (area > 0).then_some(Self { corners, at, area })
    }

    /// Returns the pixels of the rectangle that this triangle, its upper left half, forms with `last`, the lower right corner;
    /// `None` if they form another shape or have more than one colour. A checkerboard consists of
    /// thousands of rectangles.
    fn rectangle_to(&self, last: &Vertex, pixels_per_point: f32) -> Option<Area> {
        let [[left, top], [right, upper], [side, bottom]] = self.at;
        let is_right_angle = (left, top) == (side, upper) && fixed(last, pixels_per_point) == [right, bottom];
        let is_same = |corner: &Vertex| (corner.uv, corner.color) == (last.uv, last.color);
        // The first pixel whose centre is not before a position.
        let pixel = |at: i64| (at + ONE / 2 - 1).div_euclid(ONE);
        (is_right_angle && left < right && self.corners.iter().all(is_same)).then(|| Area {
            left: pixel(left),
            top: pixel(top),
            right: pixel(right),
            bottom: pixel(bottom),
        })
    }

    fn paint(&self, canvas: &mut Canvas<'_>, clip: &Area, shade: &Shade<'_>) {
        let rows = self.at.map(|[_, y]| y);
        let (min, max) = (rows.into_iter().min().unwrap_or(0), rows.into_iter().max().unwrap_or(0));
        for row in clip.top.max((min - ONE / 2).div_euclid(ONE))..clip.bottom.min(max.div_euclid(ONE) + 1) {
            let (left, right) = self.span(row, clip);
            if left < right {
                shade.fill(self, canvas.span(row, left, right), left, row);
            }
        }
    }

    /// Returns the span of pixels in a row whose centres are inside, or on an edge that belongs to this triangle.
    fn span(&self, row: i64, clip: &Area) -> (i64, i64) {
        let y = row * ONE + ONE / 2;
        let (mut left, mut right) = (clip.left, clip.right);
        for (from, to) in [(0, 1), (1, 2), (2, 0)] {
            let ([ax, ay], [bx, by]) = (self.at[from], self.at[to]);
            // Inside if `slope · x + rest ≥ 0`, with x in whole pixels. Left and top edges own the pixels on them;
            // other edges leave them to the neighbouring triangle.
            let slope = (ay - by) * ONE;
            let is_mine = ay > by || (ay == by && bx > ax);
            let rest = edge([ax, ay], [bx, by], [ONE / 2, y]) - i64::from(!is_mine);
            if slope > 0 {
                left = left.max(-(rest.div_euclid(slope)));
            } else if slope < 0 {
                right = right.min(rest.div_euclid(-slope) + 1);
            } else if rest < 0 {
                return (0, 0);
            }
        }
        (left, right)
    }
}

/// Returns the position of a vertex in 1/256 pixel.
fn fixed(vertex: &Vertex, pixels_per_point: f32) -> [i64; 2] {
    [vertex.pos.x, vertex.pos.y].map(|value| (value * pixels_per_point * ONE as f32).round() as i64)
}

/// Returns a positive value if `p` is on the inner side of the edge from `a` to `b`.
fn edge([ax, ay]: [i64; 2], [bx, by]: [i64; 2], [px, py]: [i64; 2]) -> i64 {
    (bx - ax) * (py - ay) - (by - ay) * (px - ax)
}

#[cfg(test)]
mod tests {
    use egui::epaint::ImageDelta;
    use egui::{Color32, ColorImage, Rect, TextureId, TextureOptions, TexturesDelta, pos2, vec2};

    use super::*;

    /// A white pixel, like the first one of egui's font texture.
    fn textures() -> Textures {
        let mut changes = TexturesDelta::default();
        let white = ColorImage::filled([1, 1], Color32::WHITE);
        changes.push(TextureId::default(), ImageDelta::full(white, TextureOptions::LINEAR));
        let mut textures = Textures::default();
        textures.apply(&changes);
        changes.clear();
        textures
    }

    fn painted(mesh: Mesh, clip_rect: Rect, character: Option<Character<'_>>) -> Vec<u32> {
        let primitives = [ClippedPrimitive { clip_rect, primitive: Primitive::Mesh(mesh) }];
        let mut pixels = vec![0; 16 * 16];
        // In bands, as with several threads.
        for (band, rows) in pixels.chunks_mut(16 * 5).enumerate() {
            let mut canvas = Canvas { pixels: rows, width: 16, first_row: band * 5 };
            let area = canvas.area();
            paint(&mut canvas, area, &primitives, 1.0, &textures(), &|place| character.filter(|_| place == 0));
        }
        pixels
    }

    #[test]
    fn edges_between_triangles_are_painted_once() {
        // Translucent: a pixel painted twice would be brighter, and a missing one black.
        let color = Color32::from_rgba_premultiplied(100, 0, 0, 100);
        let mut mesh = Mesh::default();
        for corner in [pos2(0.0, 0.0), pos2(16.0, 0.0), pos2(16.0, 16.0), pos2(0.0, 16.0), pos2(5.3, 9.1)] {
            mesh.colored_vertex(corner, color);
        }
        for [a, b] in [[0, 1], [1, 2], [2, 3], [3, 0]] {
            mesh.add_triangle(a, b, 4);
        }
        assert!(painted(mesh, Rect::EVERYTHING, None).iter().all(|&pixel| pixel == 0x0064_0000));
    }

    #[test]
    fn rectangles_cover_what_their_triangles_cover() {
        let color = Color32::from_rgba_premultiplied(100, 0, 0, 100);
        for step in 0..64 {
            let at = |start: f32, parts: f32| start + step as f32 * parts / 64.0;
            let rect = Rect::from_min_max(pos2(at(2.0, 1.0), at(3.5, 2.0)), pos2(at(9.0, 1.0), at(11.0, 3.0)));
            let mut mesh = Mesh::default();
            mesh.add_colored_rect(rect, color);
            let mut halves = mesh.clone();
            halves.indices.rotate_left(3);
            let [corners @ .., last] = *mesh.vertices.as_array::<4>().expect("four corners");
            let half = |corners| Triangle::new(corners, 1.0).expect("an area");
            assert!(half(corners).rectangle_to(&last, 1.0).is_some());
            let (moved, red) =
                (Vertex { pos: last.pos + vec2(0.1, 0.0), ..last }, Vertex { color: Color32::RED, ..last });
            for other in [moved, red] {
                assert_eq!(half(corners).rectangle_to(&other, 1.0), None);
            }
            let pixels = painted(mesh, Rect::EVERYTHING, None);
            assert_eq!(pixels, painted(halves, Rect::EVERYTHING, None), "{rect}");
            assert!(pixels.contains(&0x0064_0000));
        }
    }

    #[test]
    fn painting_is_clipped_to_the_clip_rectangle_and_the_picture() {
        let mut mesh = Mesh::default();
        mesh.add_colored_rect(Rect::from_min_max(pos2(-1e4, -1e4), pos2(1e4, 1e4)), Color32::WHITE);
        let clip = Rect::from_min_max(pos2(3.0, 4.0), pos2(7.0, 6.0));
        let pixels = painted(mesh, clip, None);
        assert_eq!(pixels.iter().filter(|&&pixel| pixel == 0x00ff_ffff).count(), 4 * 2);
        assert_eq!((pixels[4 * 16 + 3], pixels[4 * 16 + 2]), (0x00ff_ffff, 0));
    }

    #[test]
    fn colours_are_interpolated_linearly() {
        let mut mesh = Mesh::default();
        for (x, y, grey) in [(0.0, 0.0, 0), (16.0, 0.0, 160), (16.0, 16.0, 160), (0.0, 16.0, 0)] {
            mesh.colored_vertex(pos2(x, y), Color32::from_gray(grey));
        }
        mesh.add_triangle(0, 1, 2);
        mesh.add_triangle(0, 2, 3);
        let pixels = painted(mesh, Rect::EVERYTHING, None);
        let row: Vec<u32> = pixels[16 * 7..16 * 8].iter().map(|pixel| pixel & 255).collect();
        assert_eq!(row, (0..16).map(|x| x * 10 + 5).collect::<Vec<_>>());
    }

    #[test]
    fn the_character_is_copied_pixel_by_pixel() {
        let bytes: Vec<u8> = (0..16 * 16).flat_map(|index: u32| [index as u8, 1, 2, 255]).collect();
        let mut mesh = Mesh::with_texture(TextureId::User(0));
        let whole = Rect::from_min_max(pos2(0.0, 0.0), pos2(1.0, 1.0));
        mesh.add_rect_with_uv(Rect::from_min_max(pos2(0.0, 0.0), pos2(16.0, 16.0)), whole, Color32::WHITE);
        let pixels = painted(
            mesh,
            Rect::EVERYTHING,
            Some(Character { pixels: &bytes, size: [16, 16], corner: [0, 0], whole: [16, 16], opacity: 255 }),
        );
        assert!(pixels.iter().enumerate().all(|(index, &pixel)| pixel == (index as u32) << 16 | 0x0102));
    }
}
