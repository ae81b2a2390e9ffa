//! Generates the animation at the top of the README: `animate_readme [FILE] [OUT]`.
//!
//! Renders the knight on the CPU, frame by frame, into an APNG with one palette for all frames.

#[path = "make_paper_knight/knight/colors.rs"]
mod colors;

use std::fs::File;
use std::io::BufWriter;
use std::path::PathBuf;

use pchr::Character;
use pchr::cpu::Renderer;
use pchr::draw::{Antialias, DrawList, Picture, Settings, View};
use pchr::math::{Rect, vec2};
use pchr::motion::{Cue, Evaluator, Position};
use pchr::pose::{self, Pose};

type Failure = Box<dyn std::error::Error>;

/// Picture pixels per world pixel.
const SCALE: f32 = 0.9;

/// A whole cycle, so that the picture loops without a seam.
const ANIMATION: &str = "walk";

fn main() -> Result<(), Failure> {
    let mut args = std::env::args_os().skip(1).map(PathBuf::from);
    let file = args.next().unwrap_or_else(|| "assets/paper-knight.pchr".into());
    let out = args.next().unwrap_or_else(|| "docs/paper-knight.png".into());

    let character = Character::open(&file)?;
    let (view, frames) = render(&character)?;
    let fps = character.model().animations().iter().map(|animation| animation.fps() as u16).max().unwrap_or(1);
    if let Some(folder) = out.parent() {
        std::fs::create_dir_all(folder)?;
    }
    let count = frames.len();
    write(&out, &view, &frames, fps)?;
    println!("{}: {} × {}, {count} frames", out.display(), view.width(), view.height());
    Ok(())
}

/// Returns every stored frame in straight RGBA, and the view that shows all of them.
fn render(character: &Character) -> Result<(View, Vec<Vec<u8>>), Failure> {
    let model = character.model();
    let id = model.find_animation(ANIMATION).ok_or_else(|| format!("no animation `{ANIMATION}`"))?;
    let mut poses = vec![Pose::default(); model.animation(id).frame_count() as usize];
    let (mut evaluator, mut palette) = (Evaluator::default(), Vec::new());
    let mut world = Rect::NOTHING;
    for (pose, frame) in poses.iter_mut().zip(0..) {
        let cue =
            Cue { animation: Some(id), position: Position::frame(frame), interpolate: false, ..Cue::default() };
        evaluator.evaluate(character, &cue, pose);
        pose::palette(model, pose, &mut palette);
        world = world.union(pose::bounds(model, pose, &palette));
    }
    let size = (world.size() * SCALE).ceil();
    let view = View::new(size.x as u32, size.y as u32, vec2(world.min.x, world.max.y), SCALE);

    let settings = Settings { antialias: Antialias::Ssaa4, ..Settings::default() };
    let mut renderer = Renderer::new(model);
    let mut list = DrawList::default();
    let mut picture = Picture::default();
    let mut frames = Vec::new();
    for pose in &poses {
        list.build(model, pose, &view);
        renderer.render(model, &list, &view, settings, &mut picture);
        picture.unpremultiply();
        frames.push(picture.pixels().to_vec());
    }
    Ok((view, frames))
}

/// Reduces colours before the palette search, which is slow for many: 6 bits per channel and 4 of alpha.
fn rounded(&[r, g, b, a]: &[u8; 4]) -> [u8; 4] {
    let a = (u16::from(a) + 8) / 17 * 17;
    let [r, g, b] = [r, g, b].map(|value| value >> 2 << 2 | value >> 6);
    if a == 0 { [0; 4] } else { [r, g, b, a as u8] }
}

fn write(out: &std::path::Path, view: &View, frames: &[Vec<u8>], fps: u16) -> Result<(), Failure> {
    let (width, height) = (view.width(), view.height());
    let size = width as usize * height as usize;
    let all: Vec<u8> = frames.iter().flat_map(|frame| frame.as_chunks::<4>().0).flat_map(rounded).collect();
    let colors::Indexed { palette, pixels } = colors::reduce(&all);

    let mut encoder = png::Encoder::new(BufWriter::new(File::create(out)?), width, height);
    encoder.set_color(png::ColorType::Indexed);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_palette(palette.iter().flat_map(|color| [color[0], color[1], color[2]]).collect::<Vec<u8>>());
    encoder.set_trns(palette.iter().map(|color| color[3]).collect::<Vec<u8>>());
    encoder.set_compression(png::Compression::High);
    encoder.set_filter(png::Filter::NoFilter);
    encoder.set_animated(frames.len() as u32, 0)?;
    let mut writer = encoder.write_header()?;
    writer.set_frame_delay(1, fps)?;
    for indices in pixels.chunks_exact(size) {
        writer.write_image_data(indices)?;
    }
    writer.finish()?;
    Ok(())
}
