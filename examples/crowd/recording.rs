//! Frames without a window, as a PNG or as an APNG that loops without a seam.

#[path = "../make_paper_knight/knight/colors.rs"]
mod colors;

use std::io::Write;
use std::path::Path;

use pchr::draw::{Picture, View};
use pchr::export::{OutputFile, OutputPath};
use pchr::gpu::{Context, ContextOptions, OffscreenTarget, Readback};

use super::Result;
use super::arguments::Arguments;
use super::figure::Figure;
use super::ground;
use super::report::{costs, thousands};
use super::scene::{Gpu, Scene};

const WIDTH: u32 = 640;
const HEIGHT: u32 = 300;
const SAMPLES: u32 = 4;
const COUNT: usize = 250;
const FRAMES: u32 = 12;
const FPS: f64 = 12.0;

pub fn record(figure: Figure, arguments: &Arguments, out: &Path) -> Result<()> {
    if !out.extension().is_some_and(|extension| extension == "png" || extension == "apng") {
        return Err(format!("{}: the name has to end in .png or .apng", out.display()).into());
    }
    let frames = arguments.frames.unwrap_or(FRAMES);
    let count = arguments.count.unwrap_or(COUNT);
    // Whole cycles of the march, as many as come close to the usual rate.
    let cycle = figure.cycle_secs(figure.march);
    let loop_secs = (f64::from(frames) / FPS / cycle).round().max(1.0) * cycle;
    let loop_secs = if loop_secs.is_finite() { loop_secs } else { f64::from(frames) / FPS };

    let context = Context::new(&ContextOptions::default())?;
    let gpu = Gpu { device: context.device().clone(), queue: context.queue().clone() };
    let target = OffscreenTarget::new(&gpu.device, WIDTH, HEIGHT, SAMPLES)?;
    let mut scene = Scene::new(gpu.clone(), target.format(), figure)?;
    scene.muster(count, WIDTH as f32 / HEIGHT as f32, Some(loop_secs))?;
    let view = View::fit(WIDTH, HEIGHT, scene.formation().area);
    let (mut readback, mut picture, mut pixels) = (Readback::default(), Picture::default(), Vec::new());
    // The second round, which every later one repeats.
    scene.advance(loop_secs);
    for frame in 0..frames {
        let now = loop_secs * (1.0 + f64::from(frame) / f64::from(frames));
        let mut encoder = gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        scene.advance(now);
        scene.prepare(&mut encoder, view, now, |_, _| ())?;
        let mut pass = target.begin_pass(&mut encoder, ground::clear());
        scene.draw(&mut pass);
        drop(pass);
        readback.record(&gpu.device, &mut encoder, &target)?;
        let submission = gpu.queue.submit([encoder.finish()]);
        readback.wait(&gpu.device, submission);
        context.check()?;
        readback.take(&mut picture)?;
        pixels.extend(picture.pixels().as_chunks().0.iter().flat_map(rounded));
    }
    write(out, &pixels, frames, loop_secs)?;
    let (count, costs) = (thousands(count as u64), costs(&scene));
    println!("{}: {WIDTH} × {HEIGHT}, {count} members, frames: {frames}, {costs}", out.display());
    println!("drawn by {}", context.adapter());
    Ok(())
}

/// Reduces colours before the palette search, which is slow for many.
fn rounded(&[r, g, b, _]: &[u8; 4]) -> [u8; 4] {
    let [r, g, b] = [r, g, b].map(|value| value >> 2 << 2 | value >> 6);
    [r, g, b, 255]
}

/// Writes frames with one palette for all of them.
fn write(out: &Path, pixels: &[u8], frames: u32, loop_secs: f64) -> Result<()> {
    let colors::Indexed { palette, pixels } = colors::reduce(pixels);
    let mut file = OutputFile::create(&OutputPath::named(out), true)?;
    let mut encoder = png::Encoder::new(&mut file, WIDTH, HEIGHT);
    encoder.set_color(png::ColorType::Indexed);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_palette(palette.iter().flat_map(|color| [color[0], color[1], color[2]]).collect::<Vec<u8>>());
    encoder.set_compression(png::Compression::High);
    encoder.set_filter(png::Filter::NoFilter);
    if frames > 1 {
        encoder.set_animated(frames, 0)?;
    }
    let mut writer = encoder.write_header()?;
    if frames > 1 {
        writer.set_frame_delay((loop_secs * 1000.0 / f64::from(frames)).round() as u16, 1000)?;
    }
    for frame in pixels.chunks_exact((WIDTH * HEIGHT) as usize) {
        writer.write_image_data(frame)?;
    }
    writer.finish()?;
    file.flush()?;
    Ok(file.finish()?)
}
