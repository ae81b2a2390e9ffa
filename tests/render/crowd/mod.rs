//! Crowds that pose themselves, held against the CPU renderer member by member.

mod changes;
mod limits;
mod members;

use std::path::Path;
use std::sync::Arc;

use crate::common::baking;
use crate::common::compare::{Difference, Scene, difference};
use crate::common::gpu::gpu_or_skip;
use pchr::bake::bake;
use pchr::cpu;
use pchr::draw::{Antialias, DrawList, Filter, Picture, Settings, View};
use pchr::gpu::{
    Crowd, CrowdBake, CrowdMember, CrowdModel, CrowdOptions, GpuModel, OffscreenTarget, Pipelines, Readback,
    TargetFormat,
};
use pchr::limits::Limits;
use pchr::math::{Rect, Vec2, vec2};
use pchr::player::LoopMode;
use pchr::{Animator, Character};

/// Of 255: one for each renderer, which round colours to eight bits once per mesh.
const TOLERANCE: u8 = 2;
const TARGET: TargetFormat = TargetFormat { color: OffscreenTarget::FORMAT, samples: 1, depth_stencil: None };
/// Pixels of a member's cell.
const CELL: u32 = 192;

/// A crowd, and what is needed to draw it.
struct Drawn {
    device: wgpu::Device,
    queue: wgpu::Queue,
    character: Arc<Character>,
    crowd: Crowd,
}

impl Drawn {
    fn new(character: Character, options: CrowdOptions) -> Option<Self> {
        let context = gpu_or_skip()?;
        Some(Self::on(context.device(), context.queue(), character, options))
    }

    fn on(device: &wgpu::Device, queue: &wgpu::Queue, character: Character, options: CrowdOptions) -> Self {
        let bake = CrowdBake::new(&character, options).unwrap();
        let pipelines = Pipelines::new(device, TARGET).unwrap();
        let pages = GpuModel::new(device, queue, &pipelines, character.model()).unwrap();
        let model = CrowdModel::new(device, &pages, &bake).unwrap();
        let crowd = Crowd::new(device, &pipelines, &model).unwrap();
        Self { device: device.clone(), queue: queue.clone(), character: Arc::new(character), crowd }
    }

    fn picture(&mut self, view: &View, filter: Filter, time_secs: f64) -> Picture {
        let (device, queue) = (&self.device, &self.queue);
        let target = OffscreenTarget::new(device, view.width(), view.height(), 1).unwrap();
        let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        self.crowd.prepare(device, queue, &mut encoder, view, filter, time_secs).unwrap();
        self.crowd.draw(&mut target.begin_pass(&mut encoder, wgpu::Color::TRANSPARENT));
        let mut readback = Readback::default();
        readback.record(device, &mut encoder, &target).unwrap();
        readback.wait(device, queue.submit([encoder.finish()]));
        let mut picture = Picture::default();
        readback.take(&mut picture).unwrap();
        picture
    }
}

/// Returns the animator at the time of a member.
fn animator(character: &Arc<Character>, member: &CrowdMember, interpolate: bool, time_secs: f64) -> Animator {
    let mut animator = Animator::new(Arc::clone(character));
    animator.set_interpolate(interpolate);
    animator.set_loop_mode(member.loop_mode);
    animator.play(member.animation).unwrap();
    let animation = character.model().animation(member.animation);
    let mut secs = member.start_secs + member.speed * time_secs;
    let is_once =
        member.loop_mode == LoopMode::Once || (member.loop_mode == LoopMode::Authored && !animation.looping);
    if secs < 0.0 {
        // An animator begins at 0. Two cycles of either kind are a whole number of both.
        let frames = f64::from(animation.frame_count()) * f64::from(animation.frame_count() - 1).max(1.0);
        let cycles = 2.0 * frames / animation.fps();
        secs = if is_once { 0.0 } else { secs + (-secs / cycles).ceil() * cycles };
    }
    animator.update(secs);
    animator
}

/// Returns the view of a single member in its own cell: everything that `character` shows at all.
fn cell_view(character: &Arc<Character>) -> View {
    let mut world: Option<Rect> = None;
    for id in character.model().animation_ids() {
        let mut animator = Animator::new(Arc::clone(character));
        if character.model().animation(id).frame_count() == 0 {
            continue;
        }
        animator.play(id).unwrap();
        for _ in 0..8 {
            animator.update(character.model().animation(id).duration_secs() / 7.3);
            let bounds = animator.bounds();
            if !bounds.is_empty() {
                world = Some(world.map_or(bounds, |world| world.union(bounds)));
            }
        }
    }
    let world = world.expect("something is shown");
    // The places of cells are exact, and no part is exactly on the border of two mipmap levels.
    let mut scale = 0.75;
    while world.size().max_element() * scale > 0.9 * CELL as f32 {
        scale /= 2.0;
    }
    let half = CELL as f32 / 2.0 / scale;
    let center = world.center().round();
    View::new(CELL, CELL, vec2(center.x - half, center.y + half), scale)
}

/// The place of a cell's member, and the view of all cells.
fn grid(cell: &View, columns: u32, count: u32) -> (View, impl Fn(u32) -> Vec2) {
    let (scale, corner) = (cell.scale(), cell.world_from_pixel(Vec2::ZERO));
    let rows = count.div_ceil(columns);
    let view = View::new(columns * CELL, rows * CELL, corner, scale);
    let side = CELL as f32 / scale;
    (view, move |number| vec2((number % columns) as f32 * side, -((number / columns) as f32) * side))
}

fn cell_of(picture: &Picture, columns: u32, number: u32) -> Picture {
    let (left, top) = (number % columns * CELL, number / columns * CELL);
    let mut cell = Picture::default();
    cell.reset(CELL, CELL);
    let places = (0..CELL).flat_map(|y| (0..CELL).map(move |x| (x, y)));
    for (pixel, (x, y)) in cell.pixels_mut().as_chunks_mut::<4>().0.iter_mut().zip(places) {
        *pixel = picture.pixel(left + x, top + y);
    }
    cell
}

/// Compares a cell with the CPU renderer's picture of `list`.
#[track_caller]
fn expect_cell(
    name: &str,
    character: &Character,
    list: &DrawList,
    view: View,
    filter: Filter,
    found: &Picture,
) -> Difference {
    let mut expected = Picture::default();
    let settings = Settings { filter, antialias: Antialias::None };
    cpu::Renderer::new(character.model()).render(character.model(), list, &view, settings, &mut expected);
    let difference = difference(&Scene { model: character.model(), list, view }, found, &expected, TOLERANCE);
    let limit = if filter == Filter::Nearest { difference.inside / 200 } else { 0 };
    let is_same = difference.off <= limit && difference.stray.is_empty() && difference.spill.is_empty();
    assert!(is_same, "{name}: {difference:?}");
    difference
}

fn open(path: impl AsRef<Path>) -> Character {
    Character::open(path).unwrap()
}

fn asset(name: &str) -> Character {
    open(Path::new(env!("CARGO_MANIFEST_DIR")).join("assets").join(name))
}

/// Returns a character with stored frames.
fn baked(source: &Character) -> Character {
    let mut options = baking::options(source, Vec::new());
    options.fps = Some(12);
    bake(source, &options).unwrap().character(&Limits::default()).unwrap()
}
