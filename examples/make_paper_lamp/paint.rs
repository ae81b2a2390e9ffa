//! Polygons → a picture.

use std::error::Error;

use pchr::formats::image::encode_png;
use tiny_skia::{Color, FillRule, Paint, PathBuilder, Pixmap, Transform};

/// Draws polygons on a page, and returns it as a PNG.
pub fn draw<'a>(
    [width, height]: [u32; 2],
    shapes: impl Iterator<Item = (Transform, &'a [[f32; 2]], [u8; 3])>,
) -> Result<Vec<u8>, Box<dyn Error>> {
    let mut page = Pixmap::new(width, height).ok_or("the page is empty")?;
    for (transform, corners, [r, g, b]) in shapes {
        let mut path = PathBuilder::new();
        for (at, [x, y]) in corners.iter().enumerate() {
            if at == 0 { path.move_to(*x, *y) } else { path.line_to(*x, *y) }
        }
        path.close();
        let path = path.finish().ok_or("the shape has no corners")?;
        let mut paint = Paint::default();
        paint.set_color(Color::from_rgba8(r, g, b, 255));
        page.fill_path(&path, &paint, FillRule::Winding, transform, None);
    }
    let straight = page.pixels().iter().flat_map(|pixel| {
        let pixel = pixel.demultiply();
        [pixel.red(), pixel.green(), pixel.blue(), pixel.alpha()]
    });
    Ok(encode_png(width, height, &straight.collect::<Vec<u8>>())?)
}
