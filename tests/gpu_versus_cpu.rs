//! The GPU renderer draws what the CPU renderer draws.
#![cfg(feature = "gpu")]

mod support;

use pchr::Character;
use pchr::cpu;
use pchr::draw::{Antialias, Filter, Picture, Settings, View};
use pchr::gpu::Headless;
use pchr::math::{Rect, vec2};
use pchr::motion::{Cue, Position};
use pchr::pose::{self, Pose};
use support::characters::{limbs, list_of};
use support::compare::{Bounds, Report, assert_alike};
use support::gpu::gpu_or_skip;

const ANTIALIAS: [Antialias; 3] = [Antialias::None, Antialias::Msaa4, Antialias::Ssaa2];

/// How far apart the two may be.
fn bounds(filter: Filter) -> Bounds {
    // A quarter of a picture at most goes uncompared.
    let edges = 0.25;
    match filter {
        Filter::Nearest => Bounds {
            // Blending rounds once a mesh, here to nearest and there as the driver likes.
            inside: 3,
            // The other of two texels, a quarter of a pixel when it is averaged with three more.
            edge: 64,
            // A pixel whose middle is on the border of two texels may show either.
            outliers: 0.005,
            edges,
        },
        Filter::Auto | Filter::Linear => Bounds {
            // The same, and drivers weigh four texels with as few as 8 bits.
            inside: 3,
            // The mesh that is seen here may have, in this pixel, a texel that no neighbour shows.
            edge: 8,
            // Borders below a translucent mesh, and where a mesh folds over itself.
            outliers: 0.001,
            edges,
        },
    }
}

/// Draws with both.
struct Pair {
    gpu: Headless,
    cpu: cpu::Renderer,
    pictures: [Picture; 2],
}

impl Pair {
    fn new(character: &Character) -> Option<Self> {
        let gpu = Headless::new(gpu_or_skip()?, character.model()).unwrap();
        Some(Self { gpu, cpu: cpu::Renderer::new(character.model()), pictures: Default::default() })
    }

    fn compare(
        &mut self,
        name: &str,
        character: &Character,
        cue: &Cue,
        view: &View,
        settings: Settings,
    ) -> Report {
        let model = character.model();
        let list = list_of(character, cue, view);
        let [oracle, picture] = &mut self.pictures;
        self.cpu.render(model, &list, view, settings, oracle);
        self.gpu.render(model, &list, view, settings, picture).unwrap();
        let name = format!("{name} {:?} {:?}", settings.filter, settings.antialias);
        assert_alike(&name, (model, &list, view), [oracle, picture], bounds(settings.filter))
    }
}

fn frame_of(character: &Character, animation: usize, frame: u32) -> Cue {
    let animation = character.model().animation_ids().nth(animation);
    Cue { animation, position: Position::frame(frame), interpolate: false }
}

/// The rectangle around a cue, in a picture of at most `size` pixels.
fn view_of(character: &Character, cue: &Cue, size: u32) -> View {
    let mut pose = Pose::default();
    pchr::motion::evaluate(character, cue, &mut pose);
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
    for filter in [Filter::Linear, Filter::Nearest] {
        for antialias in ANTIALIAS {
            for frame in 0..5 {
                let cue = frame_of(&character, 0, frame);
                let view = view_of(&character, &cue, 512);
                let name = format!("limbs {frame}");
                pair.compare(&name, &character, &cue, &view, Settings { filter, antialias });
            }
        }
    }
}

#[test]
fn conformance_gpu_draws_like_cpu() {
    let Some(folder) = support::conformance() else { return };
    let mut paths: Vec<_> =
        std::fs::read_dir(folder.join("pchr")).unwrap().map(|file| file.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "pchr"));
    paths.sort();
    assert!(!paths.is_empty(), "no character in {}", folder.display());
    let mut total = Report::default();
    let mut pictures = 0;
    for path in &paths {
        let character = Character::open(path).unwrap();
        let Some(mut pair) = Pair::new(&character) else { return };
        let name = path.file_stem().unwrap().to_string_lossy();
        for (number, animation) in character.model().animations().iter().enumerate() {
            for frame in [0, animation.frame_count / 2] {
                let cue = frame_of(&character, number, frame);
                let view = view_of(&character, &cue, 512);
                for filter in [Filter::Linear, Filter::Nearest] {
                    for antialias in ANTIALIAS {
                        let name = format!("{name} {} {frame}", animation.name);
                        total.add(&pair.compare(&name, &character, &cue, &view, Settings { filter, antialias }));
                        pictures += 1;
                    }
                }
            }
        }
    }
    println!("{} files, {pictures} pictures, {total:?}", paths.len());
}
