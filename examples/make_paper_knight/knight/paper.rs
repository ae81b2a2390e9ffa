//! Layers of cut paper → straight RGBA.
//!
//! Each layer is a sheet of paper cut to its shape: it casts a small shadow on the layers below, and has relief
//! along the edges, a lighter cut and grain. The shadow of the whole part on other parts is a soft halo in its own
//! picture. The rasteriser only computes the coverage of shapes.

use tiny_skia::{FillRule, Mask, PathBuilder, Transform};

use super::shape::Shape;

/// Texels per world pixel.
pub const DENSITY: f64 = 2.0;
/// Margin for the halo around the shapes, in world pixels.
pub const HALO: f64 = 5.0;

/// Reach of blurs beyond a layer, in texels.
const REACH: i32 = 14;
const SHADOW: [f32; 3] = [0.16, 0.09, 0.13];

/// One sheet of paper.
#[derive(Clone)]
pub struct Layer {
    pub shape: Shape,
    pub minus: Option<Shape>,
    pub inside: Option<Shape>,
    pub color: [f32; 3],
    /// Darkness of its shadow on the layers below.
    pub lift: f32,
    /// Strength of the relief and the cut edge.
    relief: f32,
    /// Brightness difference between top and bottom.
    pub slope: f32,
}

/// Creates a sheet of `color`, `0xRRGGBB`.
pub fn paper(color: u32, shape: Shape) -> Layer {
    let channel = |shift: u32| (color >> shift & 255) as f32 / 255.0;
    let color = [channel(16), channel(8), channel(0)];
    Layer { shape, minus: None, inside: None, color, lift: 0.42, relief: 1.0, slope: 0.10 }
}

/// Creates a print on the sheet below: no shadow, no edge.
pub fn ink(color: u32, shape: Shape) -> Layer {
    Layer { lift: 0.0, relief: 0.0, slope: 0.0, ..paper(color, shape) }
}

impl Layer {
    /// Cuts out a hole.
    pub fn minus(self, hole: &Shape) -> Self {
        Self { minus: Some(hole.clone()), ..self }
    }

    /// Clips the sheet to `border`.
    pub fn inside(self, border: &Shape) -> Self {
        Self { inside: Some(border.clone()), ..self }
    }

    /// Returns left, bottom, right and top of the visible area.
    fn bounds(&self) -> [f64; 4] {
        let [left, bottom, right, top] = self.shape.bounds();
        match self.inside.as_ref().map(Shape::bounds) {
            Some([l, b, r, t]) => [left.max(l), bottom.max(b), right.min(r), top.min(t)],
            None => [left, bottom, right, top],
        }
    }

    pub fn slope(self, slope: f32) -> Self {
        Self { slope, ..self }
    }

    pub fn relief(self, relief: f32) -> Self {
        Self { relief, ..self }
    }

    pub fn lift(self, lift: f32) -> Self {
        Self { lift, ..self }
    }
}

/// A picture and its position: `left` and `top` are world pixels in the part's own space.
pub struct Sheet {
    pub left: f64,
    pub top: f64,
    pub width: usize,
    pub height: usize,
    /// Straight alpha, rows top to bottom.
    pub rgba: Vec<u8>,
}

/// Draws the layers from bottom to top. `shade` darkens parts on the far side.
pub fn draw(layers: &[Layer], shade: f32) -> Sheet {
    let mut bounds = [f64::MAX, f64::MAX, f64::MIN, f64::MIN];
    for layer in layers {
        let b = layer.bounds();
        bounds = [bounds[0].min(b[0]), bounds[1].min(b[1]), bounds[2].max(b[2]), bounds[3].max(b[3])];
    }
    let (left, top) = ((bounds[0] - HALO).floor(), (bounds[3] + HALO).ceil());
    let width = (((bounds[2] + HALO).ceil() - left) * DENSITY) as usize;
    let height = ((top - (bounds[1] - HALO).floor()) * DENSITY) as usize;
    let mut canvas = Canvas {
        width,
        height,
        left,
        top,
        color: vec![[0.0; 3]; width * height],
        alpha: vec![0.0; width * height],
    };
    for (seed, layer) in layers.iter().enumerate() {
        canvas.lay(layer, seed as u32);
    }
    Sheet { left, top, width, height, rgba: canvas.finish(shade) }
}

struct Canvas {
    width: usize,
    height: usize,
    left: f64,
    top: f64,
    color: Vec<[f32; 3]>,
    alpha: Vec<f32>,
}

impl Canvas {
    fn lay(&mut self, layer: &Layer, seed: u32) {
        let window = self.window(layer.bounds());
        let mut mask = self.coverage(&layer.shape, &window);
        if let Some(hole) = &layer.minus {
            let hole = self.coverage(hole, &window);
            mask.values.iter_mut().zip(&hole.values).for_each(|(value, hole)| *value *= 1.0 - hole);
        }
        if let Some(border) = &layer.inside {
            let border = self.coverage(border, &window);
            mask.values.iter_mut().zip(&border.values).for_each(|(value, border)| *value *= border);
        }
        let shadow = mask.blurred(3);
        let soft = mask.blurred(4);
        let sharp = mask.blurred(1);
        let rows = mask.height as f32;
        for y in 0..mask.height {
            for x in 0..mask.width {
                let at = (y + window.y) * self.width + x + window.x;
                // The light comes from the upper left, so the shadow falls two texels down and one right.
                let dark = layer.lift * shadow.get(x as i32 - 1, y as i32 - 2);
                if dark > 0.0 {
                    (0..3).for_each(|k| self.color[at][k] *= 1.0 - dark * (1.0 - SHADOW[k]));
                }
                let cover = mask.values[y * mask.width + x];
                if cover <= 0.0 {
                    continue;
                }
                let facing = soft.facing(x, y);
                let cut = ((0.96 - sharp.get(x as i32, y as i32)) * 2.2).clamp(0.0, 1.0);
                let height = 0.5 - y as f32 / rows;
                let light = 1.0
                    + layer.relief * 0.95 * facing.clamp(-0.14, 0.10)
                    + layer.slope * height
                    + grain((x + window.x) as u32, (y + window.y) as u32, seed);
                let lighter = layer.relief * cut * (0.26 + 1.6 * facing).clamp(0.06, 0.42);
                for k in 0..3 {
                    let value = (layer.color[k] * light).clamp(0.0, 1.0);
                    let value = value + (1.0 - value) * lighter;
                    self.color[at][k] = self.color[at][k] * (1.0 - cover) + value * cover;
                }
                self.alpha[at] += (1.0 - self.alpha[at]) * cover;
            }
        }
    }

    /// Returns the texels that a layer can affect.
    fn window(&self, [left, bottom, right, top]: [f64; 4]) -> Window {
        let x0 = (((left - self.left) * DENSITY) as i32 - REACH).max(0) as usize;
        let y0 = (((self.top - top) * DENSITY) as i32 - REACH).max(0) as usize;
        let x1 = ((((right - self.left) * DENSITY) as i32 + REACH).max(0) as usize).min(self.width);
        let y1 = ((((self.top - bottom) * DENSITY) as i32 + REACH).max(0) as usize).min(self.height);
        Window { x: x0, y: y0, width: x1 - x0, height: y1 - y0 }
    }

    fn coverage(&self, shape: &Shape, window: &Window) -> Plane {
        let mut builder = PathBuilder::new();
        for contour in &shape.contours {
            for (index, [x, y]) in contour.iter().enumerate() {
                let x = ((x - self.left) * DENSITY) as f32 - window.x as f32;
                let y = ((self.top - y) * DENSITY) as f32 - window.y as f32;
                if index == 0 { builder.move_to(x, y) } else { builder.line_to(x, y) }
            }
            builder.close();
        }
        let mut mask = Mask::new(window.width as u32, window.height as u32).expect("a layer has a size");
        if let Some(path) = builder.finish() {
            mask.fill_path(&path, FillRule::Winding, true, Transform::identity());
        }
        let values = mask.data().iter().map(|&value| f32::from(value) / 255.0).collect();
        Plane { width: window.width, height: window.height, values }
    }

    /// Composites everything over the halo, and converts from premultiplied to straight alpha.
    fn finish(self, shade: f32) -> Vec<u8> {
        let plane = Plane { width: self.width, height: self.height, values: self.alpha };
        let halo = plane.blurred(3);
        let byte = |value: f32| (value.clamp(0.0, 1.0) * 255.0 + 0.5) as u8;
        let mut rgba = Vec::with_capacity(self.width * self.height * 4);
        for (at, (color, alpha)) in self.color.iter().zip(&plane.values).enumerate() {
            let (x, y) = (at % self.width, at / self.width);
            let under = (halo.get(x as i32, y as i32 - 2) * 0.40).min(0.34) * (1.0 - alpha);
            let total = alpha + under;
            if total < 0.012 {
                rgba.extend([0; 4]);
                continue;
            }
            let mixed = |k: usize| byte((color[k] * shade + SHADOW[k] * under) / total);
            rgba.extend([mixed(0), mixed(1), mixed(2), byte(total)]);
        }
        rgba
    }
}

struct Window {
    x: usize,
    y: usize,
    width: usize,
    height: usize,
}

struct Plane {
    width: usize,
    height: usize,
    values: Vec<f32>,
}

impl Plane {
    /// Returns 0 outside.
    fn get(&self, x: i32, y: i32) -> f32 {
        let inside = x >= 0 && y >= 0 && (x as usize) < self.width && (y as usize) < self.height;
        if inside { self.values[y as usize * self.width + x as usize] } else { 0.0 }
    }

    /// Returns how much the surface leans towards the light, from the slope of a blurred mask.
    fn facing(&self, x: usize, y: usize) -> f32 {
        let (x, y) = (x as i32, y as i32);
        let dx = self.get(x + 1, y) - self.get(x - 1, y);
        let dy = self.get(x, y + 1) - self.get(x, y - 1);
        dx * 0.6 + dy * 0.8
    }

    /// Applies three box blurs of width `2 · radius + 1`, close to a Gaussian.
    fn blurred(&self, radius: usize) -> Self {
        let mut values = self.values.clone();
        let mut line = Vec::new();
        for _ in 0..3 {
            for y in 0..self.height {
                box_blur(&mut values, y * self.width, 1, self.width, radius, &mut line);
            }
            for x in 0..self.width {
                box_blur(&mut values, x, self.width, self.height, radius, &mut line);
            }
        }
        Self { values, ..*self }
    }
}

fn box_blur(values: &mut [f32], from: usize, step: usize, count: usize, radius: usize, line: &mut Vec<f32>) {
    line.clear();
    line.extend((0..count).map(|i| values[from + i * step]));
    let scale = 1.0 / (2 * radius + 1) as f32;
    for i in 0..count {
        let window = &line[i.saturating_sub(radius)..(i + radius + 1).min(count)];
        values[from + i * step] = window.iter().sum::<f32>() * scale;
    }
}

/// Paper grain: a coarse mottle and a fine one, about ±4 %.
fn grain(x: u32, y: u32, seed: u32) -> f32 {
    0.030 * mottle(x, y, 9, seed) + 0.034 * mottle(x, y, 3, seed + 77)
}

/// Smooth noise between −1 and 1 that changes over `size` texels.
fn mottle(x: u32, y: u32, size: u32, seed: u32) -> f32 {
    let (cx, cy) = (x / size, y / size);
    let (fx, fy) = ((x % size) as f32 / size as f32, (y % size) as f32 / size as f32);
    let (a, b) = (noise(cx, cy, seed), noise(cx + 1, cy, seed));
    let (c, d) = (noise(cx, cy + 1, seed), noise(cx + 1, cy + 1, seed));
    let (top, bottom) = (a + (b - a) * fx, c + (d - c) * fx);
    top + (bottom - top) * fy
}

fn noise(x: u32, y: u32, seed: u32) -> f32 {
    let mut h = x.wrapping_mul(0x9E37_79B1) ^ y.wrapping_mul(0x85EB_CA77) ^ seed.wrapping_mul(0xC2B2_AE3D);
    h = (h ^ h >> 15).wrapping_mul(0x2C1B_3C6D);
    h = (h ^ h >> 12).wrapping_mul(0x297A_2D39);
    ((h ^ h >> 15) & 0xFFFF) as f32 / 32767.5 - 1.0
}
