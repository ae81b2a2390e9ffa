//! One frame of a character as a PNG, drawn by tiny-skia: a renderer that knows nothing of pchr gets its batches.
//!
//!     cargo run --release --example draw_with_tiny_skia -- FILE OUT.png [ANIMATION [FRAME]]

mod skia;

use std::error::Error;
use std::fs::File;
use std::io::BufWriter;

use pchr::Animator;
use pchr::draw::{Batches, DrawList, Picture, View};
use tiny_skia::FilterQuality;

use skia::Skia;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let usage = "usage: draw_with_tiny_skia FILE OUT.png [ANIMATION [FRAME]]";
    let mut animator = Animator::open(arguments.next().ok_or(usage)?)?;
    let out = arguments.next().ok_or(usage)?;
    match arguments.next() {
        Some(name) => _ = animator.play(&name)?,
        None => animator.show(animator.model().default_animation()),
    }
    let frame: u32 = arguments.next().map_or(Ok(0), |number| number.parse())?;
    animator.seek(frame.into());
    animator.refresh();

    // Choose the visible area: a margin around everything drawn, one pixel per world pixel.
    let world = animator.bounds().expand(8.0).round_out();
    if world.is_empty() {
        return Err("nothing is visible in this frame".into());
    }
    let size = world.size();
    let view = View::fit(size.x as u32, size.y as u32, world);
    let mut list = DrawList::default();
    animator.build_draw_list(&view, &mut list);

    // Reuse these from frame to frame.
    let skia = Skia::new(animator.model(), FilterQuality::Bilinear)?;
    let (mut batches, mut picture) = (Batches::default(), Picture::default());
    batches.build(animator.model(), &list);
    picture.reset(view.width(), view.height());
    skia.draw(&batches, &view, &mut picture)?;
    eprintln!("{} batches of {} triangles", batches.batches().len(), batches.indices().len() / 3);
    write_png(picture, &out)
}

/// PNG files have straight alpha. Light that additive slots add beside the character is kept as far as straight alpha can
/// express it.
fn write_png(mut picture: Picture, path: &str) -> Result<(), Box<dyn Error>> {
    picture.keep_light();
    picture.unpremultiply();
    let file = BufWriter::new(File::create(path)?);
    let mut encoder = png::Encoder::new(file, picture.width(), picture.height());
    encoder.set_color(png::ColorType::Rgba);
    encoder.set_depth(png::BitDepth::Eight);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(picture.pixels())?;
    Ok(writer.finish()?)
}
