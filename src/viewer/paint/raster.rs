//! egui's triangles → pixels, on the processor.
//!
//! The same rules as on a GPU: a pixel belongs to the triangle that its middle is in, an edge that
//! two triangles share to exactly one of them, colours are premultiplied and blend in gamma space.
//! Corners are rounded to 1/256 pixel, so that coverage is decided in whole numbers.

use egui::epaint::{Primitive, Vertex};
use egui::{ClippedPrimitive, Color32, Mesh};

use super::textures::{Texture, Textures};

/// A picture that is painted into: `0x00RRGGBB` a pixel, rows top to bottom.
pub struct Canvas<'a> {
    /// Some whole rows of the picture.
    pub pixels: &'a mut [u32],
    /// Pixels a row.
    pub width: usize,
    /// The row of the picture that `pixels` begins with.
    pub first_row: usize,
}

/// The picture of the character: four premultiplied bytes a pixel, to be shown pixel by pixel.
#[derive(Clone, Copy)]
pub struct Character<'a> {
    /// The pixels.
    pub pixels: &'a [u8],
    /// Width and height.
    pub size: [usize; 2],
}

/// Paints `primitives` from back to front. A texture of the user's is the character.
pub fn paint(
    canvas: &mut Canvas<'_>,
    primitives: &[ClippedPrimitive],
    pixels_per_point: f32,
    textures: &Textures,
    character: Option<Character<'_>>,
) {
    let rows = canvas.first_row as i64..(canvas.first_row + canvas.pixels.len() / canvas.width.max(1)) as i64;
    for ClippedPrimitive { clip_rect, primitive } in primitives {
        let Primitive::Mesh(mesh) = primitive else { continue };
        let round = |value: f32| (value * pixels_per_point).round() as i64;
        let clip = Clip {
            left: round(clip_rect.min.x).max(0),
            right: round(clip_rect.max.x).min(canvas.width as i64),
            top: round(clip_rect.min.y).max(rows.start),
            bottom: round(clip_rect.max.y).min(rows.end),
        };
        if clip.left >= clip.right || clip.top >= clip.bottom {
            continue;
        }
        let source = match mesh.texture_id {
            egui::TextureId::User(_) => character.map(Source::Character),
            id => textures.get(id).map(Source::Texture),
        };
        if let Some(source) = source {
            paint_mesh(canvas, mesh, pixels_per_point, &clip, source);
        }
    }
}

#[derive(Clone, Copy)]
enum Source<'a> {
    Texture(&'a Texture),
    Character(Character<'a>),
}

/// The pixels that may be touched.
struct Clip {
    left: i64,
    right: i64,
    top: i64,
    bottom: i64,
}

fn paint_mesh(canvas: &mut Canvas<'_>, mesh: &Mesh, pixels_per_point: f32, clip: &Clip, source: Source<'_>) {
    for &[a, b, c] in mesh.indices.as_chunks::<3>().0 {
        let corner = |index: u32| mesh.vertices.get(index as usize).copied();
        let (Some(a), Some(b), Some(c)) = (corner(a), corner(b), corner(c)) else { continue };
        if let Some(triangle) = Triangle::new([a, b, c], pixels_per_point) {
            triangle.paint(canvas, clip, source);
        }
    }
}

/// Parts of a pixel.
const ONE: i64 = 256;

struct Triangle {
    corners: [Vertex; 3],
    /// 1/256 pixel, counter-clockwise as the screen has it.
    at: [[i64; 2]; 3],
    /// Twice the area, positive.
    area: i64,
}

impl Triangle {
    /// `None` when it covers nothing or is nowhere near the screen.
    fn new(corners: [Vertex; 3], pixels_per_point: f32) -> Option<Self> {
        let mut corners = corners;
        let fixed = |vertex: &Vertex| {
            [vertex.pos.x, vertex.pos.y].map(|value| (value * pixels_per_point * ONE as f32).round() as i64)
        };
        let mut at = corners.each_ref().map(fixed);
        // Far outside products would overflow; a window is never that large.
        if at.iter().flatten().any(|value| value.abs() > 1 << 28) {
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

    fn paint(&self, canvas: &mut Canvas<'_>, clip: &Clip, source: Source<'_>) {
        let rows = self.at.map(|[_, y]| y);
        let (min, max) = (rows.into_iter().min().unwrap_or(0), rows.into_iter().max().unwrap_or(0));
        let shade = Shade::new(self, source);
        for row in clip.top.max((min - ONE / 2).div_euclid(ONE))..clip.bottom.min(max.div_euclid(ONE) + 1) {
            let (left, right) = self.span(row, clip);
            if left < right {
                let start = (row as usize - canvas.first_row) * canvas.width;
                let pixels = &mut canvas.pixels[start + left as usize..start + right as usize];
                shade.fill(self, pixels, left, row);
            }
        }
    }

    /// The pixels of a row whose middle is inside, or on an edge that is this triangle's.
    fn span(&self, row: i64, clip: &Clip) -> (i64, i64) {
        let y = row * ONE + ONE / 2;
        let (mut left, mut right) = (clip.left, clip.right);
        for (from, to) in [(0, 1), (1, 2), (2, 0)] {
            let ([ax, ay], [bx, by]) = (self.at[from], self.at[to]);
            // Inside where `slope · x + rest ≥ 0`, x in whole pixels. An edge to the left or at the top
            // takes the pixels on it, any other leaves them to its neighbour.
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

/// Positive when `p` is to the inner side of the edge from `a` to `b`.
fn edge([ax, ay]: [i64; 2], [bx, by]: [i64; 2], [px, py]: [i64; 2]) -> i64 {
    (bx - ax) * (py - ay) - (by - ay) * (px - ax)
}

/// How the pixels of a triangle get their colour.
enum Shade<'a> {
    /// All the same.
    Flat(Color32),
    /// The character, where the triangle's corners say.
    Blit(Character<'a>, Gradient<2>),
    /// A texture times a colour, both different everywhere.
    Textured(&'a Texture, Gradient<6>),
}

impl<'a> Shade<'a> {
    fn new(triangle: &Triangle, source: Source<'a>) -> Self {
        let [a, b, c] = &triangle.corners;
        match source {
            Source::Character(character) => {
                let [width, height] = character.size.map(|side| side as f32);
                let texel = |vertex: &Vertex| [vertex.uv.x * width, vertex.uv.y * height];
                Self::Blit(character, Gradient::new(triangle, texel))
            }
            Source::Texture(texture)
                if a.uv == b.uv && b.uv == c.uv && a.color == b.color && b.color == c.color =>
            {
                let [width, height] = texture.image.size.map(|side| side as f32);
                let texel = sample(texture, a.uv.x * width, a.uv.y * height);
                Self::Flat(to_color(std::array::from_fn(|i| texel[i] * f32::from(a.color[i]) / 255.0)))
            }
            Source::Texture(texture) => {
                let [width, height] = texture.image.size.map(|side| side as f32);
                let values = |vertex: &Vertex| {
                    let [r, g, b, a] = vertex.color.to_array().map(f32::from);
                    [vertex.uv.x * width, vertex.uv.y * height, r, g, b, a]
                };
                Self::Textured(texture, Gradient::new(triangle, values))
            }
        }
    }

    fn fill(&self, triangle: &Triangle, pixels: &mut [u32], left: i64, row: i64) {
        match self {
            Self::Flat(color) if color.a() == 255 => pixels.fill(pack(*color)),
            Self::Flat(color) => pixels.iter_mut().for_each(|pixel| *pixel = over(*color, *pixel)),
            Self::Blit(character, texels) => {
                let [width, height] = character.size;
                for (x, pixel) in (left..).zip(pixels) {
                    let [u, v] = texels.at(triangle, x, row);
                    let (column, line) =
                        ((u.max(0.0) as usize).min(width - 1), (v.max(0.0) as usize).min(height - 1));
                    let at = (line * width + column) * 4;
                    if let Some(&[r, g, b, a]) = character.pixels[at..].first_chunk() {
                        *pixel = over(Color32::from_rgba_premultiplied(r, g, b, a), *pixel);
                    }
                }
            }
            Self::Textured(texture, values) => {
                for (x, pixel) in (left..).zip(pixels) {
                    let [u, v, color @ ..] = values.at(triangle, x, row);
                    let texel = sample(texture, u, v);
                    let color = to_color(std::array::from_fn(|i| texel[i] * color[i] / 255.0));
                    *pixel = over(color, *pixel);
                }
            }
        }
    }
}

/// Values that change evenly over a triangle.
struct Gradient<const N: usize> {
    origin: [f32; N],
    per_x: [f32; N],
    per_y: [f32; N],
}

impl<const N: usize> Gradient<N> {
    fn new(triangle: &Triangle, values: impl Fn(&Vertex) -> [f32; N]) -> Self {
        let [a, b, c] = triangle.corners.each_ref().map(values);
        let [p, q, r] = triangle.at.map(|at| at.map(|value| value as f32 / ONE as f32));
        let area = triangle.area as f32 / (ONE * ONE) as f32;
        let ([ux, uy], [vx, vy]) = ([q[0] - p[0], q[1] - p[1]], [r[0] - p[0], r[1] - p[1]]);
        Self {
            origin: a,
            per_x: std::array::from_fn(|i| ((b[i] - a[i]) * vy - (c[i] - a[i]) * uy) / area),
            per_y: std::array::from_fn(|i| ((c[i] - a[i]) * ux - (b[i] - a[i]) * vx) / area),
        }
    }

    /// In the middle of a pixel.
    fn at(&self, triangle: &Triangle, x: i64, y: i64) -> [f32; N] {
        let [left, top] = triangle.at[0];
        let dx = (x * ONE + ONE / 2 - left) as f32 / ONE as f32;
        let dy = (y * ONE + ONE / 2 - top) as f32 / ONE as f32;
        std::array::from_fn(|i| self.origin[i] + self.per_x[i] * dx + self.per_y[i] * dy)
    }
}

/// A texture at a place in its own pixels; beyond its edge it repeats its last pixel.
fn sample(texture: &Texture, u: f32, v: f32) -> [f32; 4] {
    let image = &texture.image;
    let texel = |x: i64, y: i64| {
        let x = x.clamp(0, image.size[0] as i64 - 1) as usize;
        let y = y.clamp(0, image.size[1] as i64 - 1) as usize;
        image.pixels.get(y * image.size[0] + x).map_or([0.0; 4], |pixel| pixel.to_array().map(f32::from))
    };
    if texture.is_nearest() {
        return texel(u.floor() as i64, v.floor() as i64);
    }
    let (u, v) = (u - 0.5, v - 0.5);
    let (x, y) = (u.floor(), v.floor());
    // Text is laid out on whole pixels: there is nothing to blend, up to rounding.
    let (fx, fy) = (snap(u - x), snap(v - y));
    let (x, y) = (x as i64, y as i64);
    if fx == 0.0 && fy == 0.0 {
        return texel(x, y);
    }
    let corners = [texel(x, y), texel(x + 1, y), texel(x, y + 1), texel(x + 1, y + 1)];
    std::array::from_fn(|i| {
        let top = corners[0][i] + (corners[1][i] - corners[0][i]) * fx;
        let bottom = corners[2][i] + (corners[3][i] - corners[2][i]) * fx;
        top + (bottom - top) * fy
    })
}

fn snap(fraction: f32) -> f32 {
    if fraction < 1.0 / 512.0 { 0.0 } else { fraction }
}

fn to_color(values: [f32; 4]) -> Color32 {
    let [r, g, b, a] = values.map(|value| (value + 0.5) as u8);
    Color32::from_rgba_premultiplied(r, g, b, a)
}

fn pack(color: Color32) -> u32 {
    u32::from_be_bytes([0, color.r(), color.g(), color.b()])
}

/// Premultiplied over opaque. egui's additive colours have less alpha than colour, so sums saturate.
fn over(color: Color32, below: u32) -> u32 {
    match color.to_array() {
        [0, 0, 0, 0] => below,
        [_, _, _, 255] => pack(color),
        [r, g, b, a] => {
            let [_, below_r, below_g, below_b] = below.to_be_bytes();
            let left = 255 - u32::from(a);
            let blend = |top: u8, below: u8| {
                let product = u32::from(below) * left + 128;
                top.saturating_add(((product + (product >> 8)) >> 8) as u8)
            };
            u32::from_be_bytes([0, blend(r, below_r), blend(g, below_g), blend(b, below_b)])
        }
    }
}
