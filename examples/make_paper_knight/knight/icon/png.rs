//! The drawing → PNG. The rasteriser only computes the coverage of shapes.

use png::{BitDepth, ColorType, Compression, Encoder};
use tiny_skia::{FillRule, Mask, PathBuilder, Transform};

use super::{Drawing, SIDE, Shape, byte};

/// Smaller pictures are drawn at least this large, and averaged.
const DRAWN: usize = 256;

/// Returns the picture with `size` pixels on each side.
pub fn encode(drawing: &Drawing, size: usize) -> Vec<u8> {
    let factor = (DRAWN / size).max(1);
    let rgba = straight(&averaged(&draw(drawing, size * factor), size, factor));
    let mut bytes = Vec::new();
    let mut encoder = Encoder::new(&mut bytes, size as u32, size as u32);
    encoder.set_color(ColorType::Rgba);
    encoder.set_depth(BitDepth::Eight);
    encoder.set_compression(Compression::High);
    let written = encoder.write_header().and_then(|mut writer| writer.write_image_data(&rgba));
    written.expect("writing to memory does not fail");
    bytes
}

/// Premultiplied red, green, blue, alpha.
type Pixel = [f32; 4];

fn draw(drawing: &Drawing, side: usize) -> Vec<Pixel> {
    let mut pixels = vec![[0.0; 4]; side * side];
    let plate = coverage(&drawing.plate, side);
    for piece in &drawing.pieces {
        let mut cover = coverage(&piece.shape, side);
        multiply(&mut cover, plate.iter().copied());
        if let Some(hole) = &piece.minus {
            multiply(&mut cover, coverage(hole, side).iter().map(|value| 1.0 - value));
        }
        if let Some(border) = &piece.inside {
            multiply(&mut cover, coverage(border, side).iter().copied());
        }
        let [_, top, _, bottom] = piece.shape.bounds();
        for (at, cover) in cover.iter().map(|value| value * piece.opacity).enumerate() {
            if cover <= 0.0 {
                continue;
            }
            let y = ((at / side) as f64 + 0.5) * SIDE / side as f64;
            let t = ((y - top) / (bottom - top)).clamp(0.0, 1.0) as f32;
            let pixel = &mut pixels[at];
            for k in 0..3 {
                let [from, to] = piece.colors.map(|color| f32::from(color[k]) / 255.0);
                pixel[k] = pixel[k] * (1.0 - cover) + (from + (to - from) * t) * cover;
            }
            pixel[3] += (1.0 - pixel[3]) * cover;
        }
    }
    pixels
}

fn multiply(cover: &mut [f32], by: impl Iterator<Item = f32>) {
    cover.iter_mut().zip(by).for_each(|(value, by)| *value *= by);
}

fn coverage(shape: &Shape, side: usize) -> Vec<f32> {
    let scale = side as f64 / SIDE;
    let mut builder = PathBuilder::new();
    for contour in &shape.contours {
        for (index, point) in contour.iter().enumerate() {
            let [x, y] = point.map(|value| (value * scale) as f32);
            if index == 0 { builder.move_to(x, y) } else { builder.line_to(x, y) }
        }
        builder.close();
    }
    let mut mask = Mask::new(side as u32, side as u32).expect("an icon has a size");
    if let Some(path) = builder.finish() {
        mask.fill_path(&path, FillRule::Winding, true, Transform::identity());
    }
    mask.data().iter().map(|&value| f32::from(value) / 255.0).collect()
}

/// Averages blocks of `factor` by `factor` pixels.
fn averaged(pixels: &[Pixel], size: usize, factor: usize) -> Vec<Pixel> {
    let count = (factor * factor) as f32;
    let block = |x: usize, y: usize| {
        let rows = (0..factor).map(|row| &pixels[((y * factor + row) * size + x) * factor..][..factor]);
        rows.flatten().fold([0.0; 4], |sum: Pixel, pixel| std::array::from_fn(|k| sum[k] + pixel[k] / count))
    };
    (0..size * size).map(|at| block(at % size, at / size)).collect()
}

fn straight(pixels: &[Pixel]) -> Vec<u8> {
    let bytes = pixels.iter().map(|&[r, g, b, a]| match byte(a) {
        0 => [0; 4],
        alpha => [byte(r / a), byte(g / a), byte(b / a), alpha],
    });
    bytes.flatten().collect()
}
