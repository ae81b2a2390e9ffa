//! Crowds that pose themselves, held against the CPU renderer member by member.

use std::path::Path;
use std::sync::Arc;

use crate::common::characters::limbs;
use crate::common::compare::{Difference, Scene, difference};
use crate::common::gpu::gpu_or_skip;
use crate::common::{baking, conformance_files, say};
use pchr::cpu;
use pchr::draw::{Antialias, Command, DrawList, Filter, Picture, Settings, View};
use pchr::export::bake;
use pchr::gpu::{
    Context, Crowd, CrowdBake, CrowdMember, CrowdModel, CrowdObstacle, CrowdOptions, GpuModel, MemberId, OffscreenTarget,
    Pipelines, Readback, TargetFormat,
};
use pchr::limits::Limits;
use pchr::math::{Affine2, Mat2, Rect, Vec2, vec2};
use pchr::model::AnimationId;
use pchr::player::LoopMode;
use pchr::pose::Pose;
use pchr::{Animator, Character};

/// Of 255: one for each renderer, which round colours to eight bits once per mesh.
const TOLERANCE: u8 = 2;
const TARGET: TargetFormat = TargetFormat { color: OffscreenTarget::FORMAT, samples: 1, depth_stencil: None };
/// Pixels of a member's cell.
const CELL: u32 = 192;

/// A crowd, and what is needed to draw it.
struct Drawn {
    context: Context,
    character: Arc<Character>,
    crowd: Crowd,
}

impl Drawn {
    fn new(character: Character, options: CrowdOptions) -> Option<Self> {
        let context = gpu_or_skip()?;
        let (device, queue) = (context.device(), context.queue());
        let bake = CrowdBake::new(&character, options).unwrap();
        let pipelines = Pipelines::new(device, TARGET).unwrap();
        let pages = GpuModel::new(device, queue, &pipelines, character.model()).unwrap();
        let model = CrowdModel::new(device, &pages, &bake).unwrap();
        let crowd = Crowd::new(device, &pipelines, &model).unwrap();
        Some(Self { context, character: Arc::new(character), crowd })
    }

    fn picture(&mut self, view: &View, filter: Filter, time_secs: f64) -> Picture {
        let (device, queue) = (self.context.device(), self.context.queue());
        let target = OffscreenTarget::new(device, view.width(), view.height(), 1).unwrap();
        let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        self.crowd.prepare(device, queue, &mut encoder, view, filter, time_secs).unwrap();
        self.crowd.draw(&mut target.begin_pass(&mut encoder, wgpu::Color::TRANSPARENT));
        let mut readback = Readback::default();
        readback.record(device, &mut encoder, &target).unwrap();
        readback.wait(device, queue.submit([encoder.finish()]));
        self.context.check().unwrap();
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
    let is_once = member.loop_mode == LoopMode::Once || (member.loop_mode == LoopMode::Authored && !animation.looping);
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
fn expect_cell(name: &str, character: &Character, list: &DrawList, view: View, filter: Filter, found: &Picture) -> Difference {
    let mut expected = Picture::default();
    let settings = Settings { filter, antialias: Antialias::None };
    cpu::Renderer::new(character.model()).render(character.model(), list, &view, settings, &mut expected);
    let difference = difference(&Scene { model: character.model(), list, view }, found, &expected, TOLERANCE);
    let limit = if filter == Filter::Nearest { difference.inside / 200 } else { 0 };
    let is_same = difference.off <= limit && difference.stray.is_empty() && difference.spill.is_empty();
    if !is_same {
        let folder = std::env::temp_dir();
        for (kind, picture) in [("found", found), ("expected", &expected)] {
            let file = std::fs::File::create(folder.join(format!("crowd-{kind}.png"))).unwrap();
            let mut picture = picture.clone();
            pchr::export::Surface::default().finish(&mut picture);
            pchr::export::write_png(&picture, file).unwrap();
        }
    }
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

/// Draws members in every loop mode, with positions before, in and after their animations, and compares each.
fn compare(name: &str, character: Character, options: CrowdOptions, filter: Filter) -> usize {
    let Some(mut drawn) = Drawn::new(character, options) else { return 0 };
    let character = Arc::clone(&drawn.character);
    let cell = cell_view(&character);
    let animations: Vec<AnimationId> =
        character.model().animation_ids().filter(|id| character.model().animation(*id).frame_count() > 0).collect();
    let mut members = Vec::new();
    for (number, mode) in LoopMode::ALL.into_iter().cycle().take(16).enumerate() {
        let animation = animations[number % animations.len()];
        let duration = character.model().animation(animation).duration_secs();
        let mut member = CrowdMember::new(animation);
        member.loop_mode = mode;
        member.start_secs = [0.0, -0.37, 0.81, -2.3, 5.55][number % 5] * duration;
        member.speed = [1.0, 0.5, -1.25, 0.0][number / 4];
        members.push(member);
    }
    let (view, place) = grid(&cell, 4, members.len() as u32);
    for (number, member) in (0..).zip(&mut members) {
        member.world_from_character = Affine2::from_translation(place(number));
        drawn.crowd.add(*member);
    }
    let mut compared = 0;
    // Stored frames, the middle between two, and any time.
    for time in [0.0, 0.25, 0.27083, 1.7, 3600.5] {
        let picture = drawn.picture(&view, filter, time);
        for (number, member) in (0..).zip(&members) {
            let animator = animator(&character, member, options.interpolate, time);
            let mut list = DrawList::default();
            animator.build_draw_list(&cell, &mut list);
            let about = format!("{name}, {filter:?}, {time} s, member {number}: {member:?}");
            let found = cell_of(&picture, 4, number);
            compared += expect_cell(&about, &character, &list, cell, filter, &found).inside;
        }
    }
    assert_eq!(drawn.crowd.draw_calls(), 1, "{name}");
    assert!(compared > 10_000, "{name}: only {compared} pixels were compared");
    compared
}

fn compare_all(name: &str, character: &Character) {
    let interpolated = CrowdOptions::default();
    compare(name, character.clone(), interpolated, Filter::Linear);
    compare(name, character.clone(), interpolated, Filter::Auto);
    compare(name, character.clone(), CrowdOptions::interpolate(false), Filter::Linear);
}

#[test]
fn knights_look_like_single_ones() {
    let knight = asset("paper-knight.pchr");
    compare_all("knight", &knight);
    compare("knight", knight, CrowdOptions::default(), Filter::Nearest);
}

#[test]
fn limbs_with_mirrored_bones_and_changing_orders_look_like_single_ones() {
    compare_all("limbs", &limbs(7));
}

#[test]
fn baked_spine_characters_look_like_single_ones() {
    compare_all("lamp", &baked(&asset("paper-lamp.json")));
}
