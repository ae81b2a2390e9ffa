//! Shades the pixels of a triangle.

use egui::Color32;
use egui::epaint::Vertex;

use super::{Character, ONE, Source, Triangle};
use crate::app::paint::textures::Texture;

/// The shading of a triangle's pixels.
pub enum Shade<'a> {
    /// One colour.
    Flat(Color32),
    /// The character, unscaled, with the offset of its first pixel on the screen.
    Copy(Character<'a>, [i64; 2]),
    /// The character, sampled at interpolated texture coordinates.
    Blit(Character<'a>, Gradient<2>),
    /// A texture times a colour, both interpolated.
    Textured(&'a Texture, Gradient<6>),
}

impl<'a> Shade<'a> {
    /// Selects the shading of `triangle`.
    pub fn new(triangle: &Triangle, source: Source<'a>) -> Self {
        let [a, b, c] = &triangle.corners;
        match source {
            Source::Character(character) => {
                let character = Character { opacity: a.color.a(), ..character };
                let [width, height] = character.whole.map(|side| side as f32);
                let texel = |vertex: &Vertex| [vertex.uv.x * width, vertex.uv.y * height];
                let texels = Gradient::new(triangle, texel);
                match texels.whole_steps(triangle) {
                    Some(offset) => Self::Copy(character, offset),
                    None => Self::Blit(character, texels),
                }
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

    /// Shades the pixels of a row, starting at column `left`.
    pub fn fill(&self, triangle: &Triangle, pixels: &mut [u32], left: i64, row: i64) {
        match self {
            Self::Flat(color) if color.a() == 255 => pixels.fill(pack(*color)),
            Self::Flat(color) => pixels.iter_mut().for_each(|pixel| *pixel = over(*color, *pixel)),
            Self::Copy(character, [x, y]) => copy(*character, pixels, left - x, row - y),
            Self::Blit(character, texels) => {
                let last = character.whole.map(|side| side as i64 - 1);
                for (x, pixel) in (left..).zip(pixels) {
                    let [u, v] = texels.at(triangle, x, row);
                    let (first, line) = character.row((v.floor() as i64).clamp(0, last[1]));
                    let column = (u.floor() as i64).clamp(0, last[0]) - first;
                    if let Some(texel) = usize::try_from(column).ok().and_then(|column| line.get(column)) {
                        *pixel = over(character.color(*texel), *pixel);
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

/// Values that change linearly over a triangle.
pub struct Gradient<const N: usize> {
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

    /// Returns the values at the centre of a pixel.
    fn at(&self, triangle: &Triangle, x: i64, y: i64) -> [f32; N] {
        let [left, top] = triangle.at[0];
        let dx = (x * ONE + ONE / 2 - left) as f32 / ONE as f32;
        let dy = (y * ONE + ONE / 2 - top) as f32 / ONE as f32;
        std::array::from_fn(|i| self.origin[i] + self.per_x[i] * dx + self.per_y[i] * dy)
    }
}

impl Gradient<2> {
    /// Returns the offset of texels from pixels if each pixel shows exactly one texel and its neighbour the next
    /// one.
    fn whole_steps(&self, triangle: &Triangle) -> Option<[i64; 2]> {
        // Over 16,384 pixels this adds up to a quarter of a pixel, which leaves pixel centres in the same texel.
        const NEARLY: f32 = 1.0 / 65_536.0;
        let is_near =
            |[x, y]: [f32; 2], [to_x, to_y]: [f32; 2]| (x - to_x).abs() < NEARLY && (y - to_y).abs() < NEARLY;
        let is_copy = is_near(self.per_x, [1.0, 0.0]) && is_near(self.per_y, [0.0, 1.0]);
        let offset: [f32; 2] =
            std::array::from_fn(|axis| triangle.at[0][axis] as f32 / ONE as f32 - self.origin[axis]);
        let is_whole = offset.iter().all(|axis| (axis - axis.round()).abs() < 0.125);
        (is_copy && is_whole).then(|| offset.map(|axis| axis.round() as i64))
    }
}

/// Draws the texels of one row of `character`, starting at `column`.
fn copy(character: Character<'_>, pixels: &mut [u32], column: i64, row: i64) {
    let (first, texels) = character.row(row);
    // At least one of them is 0.
    let skipped = usize::try_from(first - column).unwrap_or(0).min(pixels.len());
    let hidden = usize::try_from(column - first).unwrap_or(0).min(texels.len());
    let visible = pixels[skipped..].iter_mut().zip(&texels[hidden..]).filter(|(_, texel)| **texel != [0; 4]);
    visible.for_each(|(pixel, texel)| *pixel = over(character.color(*texel), *pixel));
}

impl Character<'_> {
    /// Returns the colour of a texel of this picture.
    fn color(&self, texel: [u8; 4]) -> Color32 {
        let opacity = u16::from(self.opacity);
        let [r, g, b, a] = match self.opacity {
            255 => texel,
            _ => texel.map(|value| ((u16::from(value) * opacity + 127) / 255) as u8),
        };
        Color32::from_rgba_premultiplied(r, g, b, a)
    }
}

/// Samples a texture at texel coordinates, clamped to the edge.
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
    // Text is aligned to whole pixels, so up to rounding there is nothing to blend.
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

/// Packs a colour as `0x00RRGGBB`.
pub fn pack(color: Color32) -> u32 {
    u32::from_be_bytes([0, color.r(), color.g(), color.b()])
}

/// Blends a premultiplied colour over an opaque one. Sums saturate, as egui's additive colours have less alpha
/// than colour.
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
