//! Renders one frame of a character to a PNG, on the GPU or, if there is none, on the CPU.
//!
//!     cargo run --release --example headless_png -- FILE OUT.png [ANIMATION [FRAME]]
//!     cargo run --release --no-default-features --example headless_png -- …          # always the CPU

use std::error::Error;
use std::fs::File;
use std::io::BufWriter;

use pchr::draw::{Antialias, DrawList, Filter, Picture, Settings, View};
use pchr::model::Model;
use pchr::{Animator, cpu};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let usage = "usage: headless_png FILE OUT.png [ANIMATION [FRAME]]";
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

    let settings = Settings { filter: Filter::Auto, antialias: Antialias::Msaa4 };
    let mut picture = Picture::default();
    draw(animator.model(), &list, &view, settings, &mut picture);
    write_png(picture, &out)
}

/// Draws on the GPU if possible, otherwise on the CPU: both draw the same list to the same picture.
#[cfg(feature = "gpu")]
fn draw(model: &Model, list: &DrawList, view: &View, settings: Settings, picture: &mut Picture) {
    use pchr::gpu::{Context, ContextOptions, Headless};
    let drawn = Context::new(&ContextOptions::default())
        .and_then(|context| Headless::new(context, model))
        .and_then(|mut gpu| {
            gpu.render(model, list, view, settings, picture)?;
            Ok(gpu.context().adapter())
        });
    match drawn {
        Ok(adapter) => eprintln!("drawn by {adapter}"),
        Err(error) => {
            eprintln!("drawn by the CPU: {error}");
            cpu::Renderer::new(model).render(model, list, view, settings, picture);
        }
    }
}

#[cfg(not(feature = "gpu"))]
fn draw(model: &Model, list: &DrawList, view: &View, settings: Settings, picture: &mut Picture) {
    cpu::Renderer::new(model).render(model, list, view, settings, picture);
}

/// Pictures are premultiplied, PNG files are not. Light of additive slots around the character is kept as far as
/// straight alpha can represent it.
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
