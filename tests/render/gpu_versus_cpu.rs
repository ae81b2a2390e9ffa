//! Compares the GPU renderer with the CPU renderer.

use std::sync::Arc;

use crate::common::characters::{BONE_LENGTH, limbs, limbs_of};
use crate::common::compare::{Difference, Scene, difference};
use crate::common::gpu::gpu_or_skip;
use crate::common::influences::{same_influences, spread_influences, with_lists, with_lists_in};
use crate::common::{conformance_files, say};
use crate::scenes;
use pchr::Character;
use pchr::cpu;
use pchr::draw::{Antialias, Command, DrawList, Filter, Picture, Settings, View};
use pchr::export::RenderOptions;
use pchr::gpu::{Headless, Member, OffscreenTarget, Readback, Renderer, TargetFormat};
use pchr::math::{Affine2, Mat2, Rect, vec2};
use pchr::model::{Model, Vertices};
use pchr::motion::{Cue, Position, evaluate};
use pchr::pose::{self, Pose};

/// Pixels on the longer side. In smaller pictures, thin meshes would consist of edges only.
const SIZE: u32 = 512;
/// Of 255, one for each renderer: both round colours to eight bits once per mesh.
const TOLERANCE: u8 = 2;
/// The largest share of covered pixels at edges, which are only compared with their surroundings.
const EXCLUDED: f64 = 0.25;

/// The largest share of inner pixels that may exceed the tolerance.
fn limit_of(settings: Settings) -> f64 {
    match (settings.filter, settings.antialias) {
        // A pixel whose centre is on the border of two texels may show either.
        (Filter::Nearest, _) => 0.005,
        (Filter::Linear | Filter::Auto, Antialias::None) => 0.0,
        // Edge pixels are found by their middle, and snapping may move an edge across another sample of a pixel.
        (Filter::Linear | Filter::Auto, _) => 0.0001,
    }
}

fn every_setting() -> impl Iterator<Item = Settings> {
    [Filter::Linear, Filter::Nearest].into_iter().flat_map(|filter| {
        let with = move |antialias| Settings { filter, antialias };
        [Antialias::None, Antialias::Msaa4, Antialias::Ssaa2].map(with)
    })
}

/// Draws with both renderers.
struct Pair {
    gpu: Headless,
    cpu: cpu::Renderer,
    pose: Pose,
    list: DrawList,
    /// The largest difference of a channel, of 255.
    tolerance: u8,
    /// Pictures are drawn over colours, which differ from pixel to pixel.
    over_colors: bool,
    pictures: [Picture; 2],
}

impl Pair {
    fn new(model: &Model) -> Option<Self> {
        let gpu = Headless::new(gpu_or_skip()?, model).unwrap();
        let cpu = cpu::Renderer::new(model);
        let (pose, list) = (Pose::default(), DrawList::default());
        Some(Self { gpu, cpu, pose, list, tolerance: TOLERANCE, over_colors: false, pictures: Default::default() })
    }

    /// Compares one picture.
    fn compare(&mut self, name: &str, character: &Character, cue: &Cue, settings: Settings) -> Difference {
        let view = view_of(character, cue, SIZE);
        self.compare_in(name, character, cue, settings, view)
    }

    fn compare_in(
        &mut self,
        name: &str,
        character: &Character,
        cue: &Cue,
        settings: Settings,
        view: View,
    ) -> Difference {
        evaluate(character, cue, &mut self.pose);
        self.compare_pose(name, character.model(), settings, view)
    }

    /// Compares pictures of the current pose.
    fn compare_pose(&mut self, name: &str, model: &Model, settings: Settings, view: View) -> Difference {
        self.list.build(model, &self.pose, &view);
        self.compare_list(name, model, settings, view)
    }

    /// Compares pictures of the current list.
    fn compare_list(&mut self, name: &str, model: &Model, settings: Settings, view: View) -> Difference {
        let [expected, found] = &mut self.pictures;
        if self.over_colors {
            let behind = Arc::new(colors(&view));
            self.cpu.render_over(model, &self.list, &view, settings, &behind, expected);
            self.gpu.submit_over(model, &self.list, &view, settings, &behind).unwrap();
            self.gpu.receive(found).unwrap();
        } else {
            self.cpu.render(model, &self.list, &view, settings, expected);
            self.gpu.render(model, &self.list, &view, settings, found).unwrap();
        }
        let scene = Scene { model, list: &self.list, view };
        let difference = difference(&scene, found, expected, self.tolerance);
        let about = || format!("{name}, {settings:?}: {difference:?}");
        assert!(difference.excluded() <= EXCLUDED, "too little was compared: {}", about());
        assert!(difference.stray.is_empty(), "edges of a foreign colour: {}", about());
        // With antialiasing, a tip between the middles of pixels is visible in both.
        let is_smooth = settings.antialias != Antialias::None;
        assert!(is_smooth || difference.spill.is_empty(), "drawn outside of every mesh: {}", about());
        let off = difference.off as f64 / difference.inside.max(1) as f64;
        assert!(off <= limit_of(settings), "too far off: {}", about());
        difference
    }
}

/// Opaque colours that differ from pixel to pixel.
fn colors(view: &View) -> Picture {
    let mut picture = Picture::default();
    picture.reset(view.width(), view.height());
    picture.lay_over(|x, y| [(x * 7) as u8 | 64, (y * 5) as u8 | 32, ((x + y) * 3) as u8, 255]);
    picture
}

fn frame_of(character: &Character, animation: usize, frame: u32) -> Cue {
    let animation = character.model().animation_ids().nth(animation);
    Cue { animation, position: Position::frame(frame), interpolate: false, ..Cue::default() }
}

/// Returns a view that fits a cue into a picture of at most `size` pixels.
fn view_of(character: &Character, cue: &Cue, size: u32) -> View {
    let mut pose = Pose::default();
    evaluate(character, cue, &mut pose);
    view_around(character.model(), &pose, size)
}

fn view_around(model: &Model, pose: &Pose, size: u32) -> View {
    let mut palette = Vec::new();
    pose::palette(model, pose, &mut palette);
    let around = pose::bounds(model, pose, &palette);
    let world =
        if around.is_empty() { Rect::from_min_size(vec2(0.0, 0.0), vec2(1.0, 1.0)) } else { around.expand(2.0) };
    View::fit(size, size, world)
}

#[test]
fn limbs_are_drawn_alike() {
    let character = limbs(4);
    let Some(mut pair) = Pair::new(character.model()) else { return };
    for settings in every_setting() {
        for frame in 0..5 {
            pair.compare(&format!("limbs {frame}"), &character, &frame_of(&character, 0, frame), settings);
        }
    }
}

#[test]
fn one_to_eleven_influences_are_drawn_alike() {
    let character = limbs_of(11, 4);
    let spread = |vertex: &_| spread_influences(vertex, 11, BONE_LENGTH);
    let lists = with_lists(character.model(), spread);
    let mesh = lists.attachments()[0].mesh().expect("a mesh");
    let Vertices::SkinN(vertices) = &mesh.vertices else { panic!("lists") };
    let mut counts: Vec<usize> = vertices.iter().map(|vertex| vertex.influences.len()).collect();
    counts.sort_unstable();
    counts.dedup();
    assert!(counts.iter().copied().eq(1..=11), "{counts:?}");
    // Both kinds of vertices in one model, in either order.
    let first = with_lists_in(character.model(), |mesh| mesh == 0, spread);
    let second = with_lists_in(character.model(), |mesh| mesh == 1, spread);
    let every: Vec<Settings> = every_setting().collect();
    let default = vec![Settings::default()];
    for (name, model, settings) in
        [("all", lists, &every), ("first", first, &default), ("second", second, &default)]
    {
        let Some(mut pair) = Pair::new(&model) else { return };
        for (frame, &settings) in (0..5).flat_map(|frame| settings.iter().map(move |settings| (frame, settings))) {
            evaluate(&character, &frame_of(&character, 0, frame), &mut pair.pose);
            let view = view_around(&model, &pair.pose, SIZE);
            pair.compare_pose(&format!("{name} {frame}"), &model, settings, view);
        }
    }
}

#[test]
fn lists_of_four_influences_are_drawn_as_four_influences() {
    let character = limbs(4);
    let lists = with_lists(character.model(), same_influences);
    let models = [character.model(), &lists];
    for frame in 0..5 {
        let cue = frame_of(&character, 0, frame);
        let view = view_of(&character, &cue, SIZE);
        let mut pictures: [Picture; 2] = Default::default();
        for (model, picture) in models.into_iter().zip(&mut pictures) {
            let Some(mut pair) = Pair::new(model) else { return };
            evaluate(&character, &cue, &mut pair.pose);
            pair.list.build(model, &pair.pose, &view);
            pair.gpu.render(model, &pair.list, &view, Settings::default(), picture).unwrap();
        }
        let [expected, found] = &pictures;
        // The driver may round the two sums differently, which moves edges across the middles of a few pixels.
        let channels = expected.pixels().iter().zip(found.pixels());
        let differ = channels.filter(|(expected, found)| expected.abs_diff(**found) > 1).count();
        assert!(differ <= 40, "frame {frame}: {differ} channels differ");
    }
}

#[test]
fn the_knights_walk_is_drawn_alike() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/assets/paper-knight.pchr");
    let character = Character::open(path).unwrap();
    let Some(mut pair) = Pair::new(character.model()) else { return };
    let animation = character.model().find_animation("walk").unwrap();
    // As `pchr-view -a walk -f all` renders it: one rectangle for all frames, one pixel per world pixel.
    let view = RenderOptions::default().plan(&character, &[animation], &[]).unwrap().view;
    let mut worst = 0;
    for frame in 0..character.model().animation(animation).frame_count() {
        let cue = Cue {
            animation: Some(animation),
            position: Position::frame(frame),
            interpolate: false,
            ..Cue::default()
        };
        let difference = pair.compare_in(&format!("walk {frame}"), &character, &cue, Settings::default(), view);
        worst = worst.max(difference.worst.0);
    }
    say(&format!("GPU and CPU: the knight's walk, worst {worst}/255"));
}

#[test]
fn golden_scenes_are_drawn_alike() {
    let (mut count, mut worst) = (0, 0);
    for scene in scenes::scenes() {
        // GPUs are not exact millions of pixels away from the corners; and the comparison does not know outlines.
        if scene.name == "panes-far-inside" || scene.name == "bare-outline" {
            continue;
        }
        scene.with_list(4.0, |model, list, view, settings| {
            let Some(mut pair) = Pair::new(model) else { return };
            pair.list = list.clone();
            // Two translucent layers overlap.
            pair.tolerance = 2 * TOLERANCE;
            for settings in every_setting().chain([settings]) {
                let difference = pair.compare_list(scene.name, model, settings, view);
                count += 1;
                if settings.filter == Filter::Linear && settings.antialias == Antialias::None {
                    worst = worst.max(difference.worst.0);
                }
            }
        });
    }
    say(&format!("GPU and CPU: {count} pictures of golden scenes, worst {worst}/255 (linear)"));
}

#[test]
fn blended_sprites_are_drawn_alike_over_colors() {
    let mut count = 0;
    for scene in scenes::scenes() {
        scene.with_list(4.0, |model, list, view, _| {
            if !list.blends_with_background() {
                return;
            }
            let Some(mut pair) = Pair::new(model) else { return };
            (pair.list, pair.over_colors) = (list.clone(), true);
            // Two layers overlap, and what was behind them is taken away again.
            pair.tolerance = 2 * TOLERANCE + 1;
            for settings in every_setting() {
                pair.compare_list(scene.name, model, settings, view);
                count += 1;
            }
        });
    }
    say(&format!("GPU and CPU: {count} pictures over colours"));
}

/// Views that are not upright, of what `view` shows.
fn other_views(view: View) -> [(&'static str, View); 5] {
    let middle = vec2(view.width() as f32, view.height() as f32) * 0.5;
    let about_middle = |columns: [f32; 4]| {
        let matrix2 = Mat2::from_cols_array(&columns);
        view.transformed(Affine2 { matrix2, translation: middle - matrix2 * middle })
    };
    [
        ("rotated", view.rotated(0.6)),
        ("a quarter turn", view.rotated(-std::f32::consts::FRAC_PI_2)),
        ("mirrored", view.mirrored()),
        ("sheared", about_middle([0.9, 0.1, 0.4, 0.8])),
        ("mirrored and sheared", about_middle([-0.3, 0.8, 1.1, 0.2])),
    ]
}

#[test]
fn rotated_mirrored_and_sheared_views_are_drawn_alike() {
    let character = limbs(2);
    let Some(mut pair) = Pair::new(character.model()) else { return };
    let cue = frame_of(&character, 0, 1);
    for (name, view) in other_views(view_of(&character, &cue, SIZE)) {
        for settings in every_setting() {
            pair.compare_in(&format!("limbs {name}"), &character, &cue, settings, view);
        }
    }
    let (mut count, mut masks) = (0, 0);
    for scene in scenes::scenes() {
        if scene.name == "panes-far-inside" || scene.name == "bare-outline" {
            continue;
        }
        scene.with_list(4.0, |model, list, upright, _| {
            let Some(mut pair) = Pair::new(model) else { return };
            pair.list = list.clone();
            // Two translucent layers overlap.
            pair.tolerance = 2 * TOLERANCE;
            for (name, view) in other_views(upright) {
                for settings in every_setting() {
                    pair.compare_list(&format!("{} {name}", scene.name), model, settings, view);
                    count += 1;
                    masks += usize::from(model.has_clip_masks());
                }
            }
        });
    }
    assert!(count == 0 || count >= 450 && masks >= 90, "{count} pictures, {masks} with clip masks");
    say(&format!("GPU and CPU: {count} pictures of views that are not upright, {masks} with clip masks"));
}

#[test]
fn sprites_drawn_twice_keep_their_colours_and_masks() {
    for scene in
        scenes::scenes().iter().filter(|scene| scene.name.starts_with("clip") || scene.name == "two-colours")
    {
        scene.with_list(4.0, |model, list, view, _| {
            let Some(mut pair) = Pair::new(model) else { return };
            // Up to seven layers overlap.
            pair.tolerance = 3 * TOLERANCE;
            pair.list = list.clone();
            for command in &list.commands {
                let mut again = command.clone();
                if let Command::Sprite(sprite) = &mut again {
                    sprite.color.light = sprite.color.light.map(|channel| channel * 0.5);
                }
                pair.list.commands.push(again);
            }
            let settings = Settings { filter: Filter::Linear, ..Settings::default() };
            pair.compare_list(scene.name, model, settings, view);

            // A crowd of two equals both in one list.
            let context = pair.gpu.context();
            let (device, queue) = (context.device(), context.queue());
            let mut picture_of = |lists: &[&DrawList]| {
                let members: Vec<Member<'_>> = lists
                    .iter()
                    .map(|list| Member { list, world_from_character: Affine2::IDENTITY, z: 0.0 })
                    .collect();
                let target = OffscreenTarget::for_model(device, model, view.width(), view.height(), 1).unwrap();
                let mut renderer = Renderer::new(device, queue, model, target.format()).unwrap();
                let mut readback = Readback::default();
                // Independent of what was prepared before.
                for members in [&members[..0], &members[..1], &members[..]] {
                    renderer.prepare_crowd(device, queue, model, members, view, Filter::Linear).unwrap();
                    let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
                    renderer.draw(&mut target.begin_pass(&mut encoder, wgpu::Color::TRANSPARENT));
                    readback.record(device, &mut encoder, &target).unwrap();
                    readback.wait(device, queue.submit([encoder.finish()]));
                }
                readback.take(&mut pair.pictures[0]).unwrap();
                pair.pictures[0].clone()
            };
            let mut twice = list.clone();
            twice.commands.extend_from_within(..);
            assert!(picture_of(&[list, list]) == picture_of(&[&twice]), "{}", scene.name);
        });
    }
}

#[test]
fn a_target_without_a_stencil_is_rejected_if_there_are_clip_masks() {
    let Some(context) = gpu_or_skip() else { return };
    let format = |depth_stencil| TargetFormat { color: OffscreenTarget::FORMAT, samples: 1, depth_stencil };
    for scene in scenes::scenes() {
        scene.with_list(1.0, |model, _, _, _| {
            let new = |target| Renderer::new(context.device(), context.queue(), model, target).map(|_| ());
            for depth_stencil in [None, Some(wgpu::TextureFormat::Depth32Float)] {
                let refused = new(format(depth_stencil)).err().map(|error| error.to_string());
                let expected = "the character has clip masks, so the target needs a stencil, such as Stencil8";
                assert_eq!(refused.as_deref(), model.has_clip_masks().then_some(expected), "{}", scene.name);
            }
            new(format(Some(wgpu::TextureFormat::Depth24PlusStencil8))).unwrap();
        });
    }
    context.check().unwrap();
}

#[test]
fn conformance_gpu_draws_like_cpu() {
    let paths = conformance_files("pchr", ".pchr");
    assert!(!paths.is_empty(), "no characters found");
    let (mut pictures, mut worst, mut off) = (0, 0, 0);
    for path in &paths {
        let character = Character::open(path).unwrap();
        let Some(mut pair) = Pair::new(character.model()) else { return };
        for (number, animation) in character.model().animations().iter().enumerate() {
            let frame = animation.frame_count() / 2;
            let name = format!("{}, `{}` {frame}", path.display(), animation.name);
            let cue = frame_of(&character, number, frame);
            for settings in every_setting() {
                let difference = pair.compare(&name, &character, &cue, settings);
                pictures += 1;
                off += difference.off;
                if settings.filter == Filter::Linear && settings.antialias == Antialias::None {
                    worst = worst.max(difference.worst.0);
                }
            }
        }
    }
    say(&format!(
        "GPU and CPU: {} files, {pictures} pictures, worst {worst}/255 (linear), {off} pixels with another texel",
        paths.len()
    ));
}
