//! The GPU renderer draws what the CPU renderer draws.
#![cfg(feature = "gpu")]

mod common;

use common::characters::limbs;
use common::compare::{Difference, Scene, difference};
use common::gpu::gpu_or_skip;
use common::{files_in, say};
use pchr::Character;
use pchr::cpu;
use pchr::draw::{Antialias, DrawList, Filter, Picture, Settings, View};
use pchr::export::{Fit, Padding, Size, choose_view};
use pchr::gpu::Headless;
use pchr::math::{Rect, vec2};
use pchr::motion::{Cue, Position, evaluate};
use pchr::pose::{self, Pose};

/// Pixels on the longer side. Small pictures of thin meshes are all edge.
const SIZE: u32 = 512;
/// Of 255, one for each renderer: both round colours to eight bits once a mesh.
const TOLERANCE: u8 = 2;
/// Share of covered pixels at edges, which are only held to their surroundings.
const EXCLUDED: f64 = 0.25;

/// Share of the pixels inside that may be further off.
fn limit_of(settings: Settings) -> f64 {
    match (settings.filter, settings.antialias) {
        // A pixel whose middle is on the border of two texels may show either.
        (Filter::Nearest, _) => 0.005,
        (Filter::Linear | Filter::Auto, Antialias::None) => 0.0,
        // Edges are told by the middle of a pixel, and snapping may move one across a sample elsewhere in it.
        (Filter::Linear | Filter::Auto, _) => 0.0001,
    }
}

fn every_setting() -> impl Iterator<Item = Settings> {
    [Filter::Linear, Filter::Nearest].into_iter().flat_map(|filter| {
        let with = move |antialias| Settings { filter, antialias };
        [Antialias::None, Antialias::Msaa4, Antialias::Ssaa2].map(with)
    })
}

/// Draws with both.
struct Pair {
    gpu: Headless,
    cpu: cpu::Renderer,
    pose: Pose,
    list: DrawList,
    pictures: [Picture; 2],
}

impl Pair {
    fn new(character: &Character) -> Option<Self> {
        let gpu = Headless::new(gpu_or_skip()?, character.model()).unwrap();
        let cpu = cpu::Renderer::new(character.model());
        Some(Self { gpu, cpu, pose: Pose::default(), list: DrawList::default(), pictures: Default::default() })
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
        let model = character.model();
        evaluate(character, cue, &mut self.pose);
        self.list.build(model, &self.pose, &view);
        let [expected, found] = &mut self.pictures;
        self.cpu.render(model, &self.list, &view, settings, expected);
        self.gpu.render(model, &self.list, &view, settings, found).unwrap();
        let scene = Scene { model, pose: &self.pose, palette: &self.list.palette, view };
        let difference = difference(&scene, found, expected, TOLERANCE);
        let about = || format!("{name}, {settings:?}: {difference:?}");
        assert!(difference.excluded() <= EXCLUDED, "too little was compared: {}", about());
        assert!(difference.stray.is_empty(), "edges of a foreign colour: {}", about());
        // Smoothed, a tip that lies between the middles of pixels shows in both.
        let is_smooth = settings.antialias != Antialias::None;
        assert!(is_smooth || difference.spill.is_empty(), "drawn where nothing is: {}", about());
        let off = difference.off as f64 / difference.inside.max(1) as f64;
        assert!(off <= limit_of(settings), "too far off: {}", about());
        difference
    }
}

fn frame_of(character: &Character, animation: usize, frame: u32) -> Cue {
    let animation = character.model().animation_ids().nth(animation);
    Cue { animation, position: Position::frame(frame), interpolate: false }
}

/// The rectangle around a cue, in a picture of at most `size` pixels.
fn view_of(character: &Character, cue: &Cue, size: u32) -> View {
    let mut pose = Pose::default();
    evaluate(character, cue, &mut pose);
    let mut palette = Vec::new();
    pose::palette(character.model(), &pose, &mut palette);
    let around = pose::bounds(character.model(), &pose, &palette);
    let world =
        if around.is_empty() { Rect::from_min_size(vec2(0.0, 0.0), vec2(1.0, 1.0)) } else { around.expand(2.0) };
    View::fit(size, size, world)
}

#[test]
fn limbs_are_drawn_alike() {
    let character = limbs(4);
    let Some(mut pair) = Pair::new(&character) else { return };
    for settings in every_setting() {
        for frame in 0..5 {
            pair.compare(&format!("limbs {frame}"), &character, &frame_of(&character, 0, frame), settings);
        }
    }
}

#[test]
fn the_knight_walks_alike() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/assets/paper-knight.pchr");
    let character = Character::open(path).unwrap();
    let Some(mut pair) = Pair::new(&character) else { return };
    let animation = character.model().find_animation("walk").unwrap();
    // As `pchr-view -a walk -f all` draws it: one rectangle for all frames, one pixel to a world pixel.
    let rect = Fit::Animation.rect(&character, &[animation], &[]);
    let view = choose_view(rect, Size::Native, 1.0, Padding::default()).unwrap();
    let mut worst = 0;
    for frame in 0..character.model().animation(animation).frame_count {
        let cue = Cue { animation: Some(animation), position: Position::frame(frame), interpolate: false };
        let difference = pair.compare_in(&format!("walk {frame}"), &character, &cue, Settings::default(), view);
        worst = worst.max(difference.worst.0);
    }
    say(&format!("GPU and CPU: the knight's walk, worst {worst}/255"));
}

#[test]
fn conformance_gpu_draws_like_cpu() {
    let Some(folder) = common::conformance("pchr") else { return };
    let paths = files_in(&folder, ".pchr");
    assert!(!paths.is_empty(), "no character in {}", folder.display());
    let (mut pictures, mut worst, mut off) = (0, 0, 0);
    for path in &paths {
        let character = Character::open(path).unwrap();
        let Some(mut pair) = Pair::new(&character) else { return };
        for (number, animation) in character.model().animations().iter().enumerate() {
            let frame = animation.frame_count / 2;
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
        "GPU and CPU: {} files, {pictures} pictures, worst {worst}/255 (linear), {off} pixels of another texel",
        paths.len()
    ));
}
