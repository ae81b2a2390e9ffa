//! Batches drawn by tiny-skia, with the code of the example, against the pictures of the CPU renderer.

#[path = "../../examples/draw_with_tiny_skia/skia.rs"]
mod skia;

use crate::common::v1::File;
use ::tiny_skia::FilterQuality;
use pchr::Character;
use pchr::cpu::Renderer;
use pchr::draw::{Antialias, Batches, DrawList, Filter, Overlay, Picture, Settings, View};
use pchr::math::{Rect, vec2};
use pchr::model::Model;
use pchr::motion::Cue;
use pchr::pose::{Pose, bounds};

use self::skia::Skia;
use super::batches::{Subject, subjects};
use crate::common::characters::{image, quad, roots};
use crate::common::compare::{Difference, Scene, difference_snapped};
use crate::common::look::look;
use crate::common::random::Random;
use crate::common::{read, say};
use crate::scenes::scenes;

/// Of 255: tiny-skia computes with floats, ours with integers, and both round each layer; tinted texels and vertex colours
/// are rounded once more.
const TOLERANCE: u8 = 3;
/// In pixels: tiny-skia cuts corners off at 1/64 pixel on both axes, and once more where an edge meets a row.
const SNAP: f64 = 3.0 / 64.0;
/// Share of the pixels that may show the next texel: those whose middle is on the border of two texels.
const NEXT_TEXEL: f64 = 0.005;
/// Share of the pixels of a scene that may be off by one more than the tolerance: scenes lay three translucent sprites of
/// the largest contrast over each other, and each adds the error of ours, whose weights of texels are cut off to 1/256.
const SEVERAL_LAYERS: f64 = 0.0001;
/// How much scenes are enlarged: by no whole number, so that few borders of texels go through the middle of pixels.
const SCENE_SCALE: f32 = 4.87;
/// Pixels of a picture's longer side, at least: no character is shrunk.
const SIZE: u32 = 640;

/// The pictures of one model by both renderers.
struct Pair {
    cpu: Renderer,
    linear: Skia,
    nearest: Skia,
    batches: Batches,
    pictures: [Picture; 2],
}

/// What was compared.
#[derive(Default)]
struct VisibleAnimations {
    pictures: usize,
    /// Of 255, off edges, with linear filtering.
    worst: u8,
    excluded: f64,
    /// The largest share of pixels that show another texel.
    other_texels: f64,
    /// Share of the pixels that may be off by one more than the tolerance, with linear filtering.
    may_be_off: f64,
    faults: Vec<String>,
}

impl Pair {
    fn new(model: &Model) -> Self {
        let skia = |filter| Skia::new(model, filter).expect("pages that tiny-skia supports");
        Self {
            cpu: Renderer::new(model),
            linear: skia(FilterQuality::Bilinear),
            nearest: skia(FilterQuality::Nearest),
            batches: Batches::default(),
            pictures: Default::default(),
        }
    }

    fn draw(&mut self, name: &str, model: &Model, list: &DrawList, view: &View, filter: Filter) {
        let [expected, found] = &mut self.pictures;
        let settings = Settings { filter, antialias: Antialias::None };
        self.cpu.render(model, list, view, settings, expected);
        self.batches.build(model, list);
        found.reset(view.width(), view.height());
        let skia = if filter == Filter::Nearest { &self.nearest } else { &self.linear };
        skia.draw(&self.batches, view, found).expect("a size that tiny-skia supports");
        look(name, [("cpu", expected), ("skia", found)]);
    }

    /// Draws with both filters and compares.
    fn compare(&mut self, name: &str, model: &Model, list: &DrawList, view: View, seen: &mut VisibleAnimations) {
        for filter in [Filter::Linear, Filter::Nearest] {
            let name = format!("{name}-{filter:?}").to_lowercase();
            self.draw(&name, model, list, &view, filter);
            let [expected, found] = &self.pictures;
            let scene = Scene { model, list, view };
            let difference = difference_snapped(&scene, found, expected, TOLERANCE, SNAP);
            seen.note(&name, filter, &difference);
        }
    }
}

impl VisibleAnimations {
    fn note(&mut self, name: &str, filter: Filter, difference: &Difference) {
        self.pictures += 1;
        self.excluded = self.excluded.max(difference.excluded());
        let off = difference.off as f64 / difference.inside.max(1) as f64;
        let is_near = if filter == Filter::Nearest {
            self.other_texels = self.other_texels.max(off);
            off <= NEXT_TEXEL
        } else {
            self.worst = self.worst.max(difference.worst.0);
            off <= self.may_be_off && difference.worst.0 <= TOLERANCE + 1
        };
        let is_right = is_near
            && difference.stray.is_empty()
            && difference.spill.is_empty()
            && difference.excluded() <= 0.25
            && difference.inside > 100;
        if !is_right {
            self.faults.push(format!(
                "{name}: {} of {} off, worst {:?}, {:.3} edge, {} stray {:?}, {} spilt",
                difference.off,
                difference.inside,
                difference.worst,
                difference.excluded(),
                difference.stray.len(),
                difference.stray.first(),
                difference.spill.len()
            ));
        }
    }

    fn finish(&self, what: &str, at_least: usize) {
        say(&format!(
            "{what} by tiny-skia: {} pictures, worst {}/255 off edges (linear), at most {:.2} % other texels (nearest) \
             and {:.1} % edges",
            self.pictures,
            self.worst,
            self.other_texels * 100.0,
            self.excluded * 100.0
        ));
        assert!(self.faults.is_empty(), "{} differ:\n{}", self.faults.len(), self.faults.join("\n"));
        assert!(self.pictures >= at_least, "only {} pictures", self.pictures);
    }
}

/// A view that shows all of `world`, never smaller than it is.
fn view_of(world: Rect) -> View {
    let (world, size) = (world.expand(2.0), world.expand(2.0).size());
    let scale = (SIZE as f32 / size.max_element()).max(1.0);
    View::fit((size.x * scale) as u32, (size.y * scale) as u32, world)
}

/// What `character` shows at `cue`, and all of it in view.
fn shown(character: &Character, cue: &Cue) -> (DrawList, View, Pose) {
    let (model, mut pose, mut list) = (character.model(), Pose::default(), DrawList::default());
    pchr::motion::evaluate(character, cue, &mut pose);
    pchr::pose::palette(model, &pose, &mut list.palette);
    let view = view_of(bounds(model, &pose, &list.palette));
    list.build(model, &pose, &view);
    (list, view, pose)
}

#[test]
fn characters_are_drawn_as_by_the_cpu_renderer() {
    let mut seen = VisibleAnimations::default();
    for Subject { name, character, cues } in subjects() {
        let mut pair = Pair::new(character.model());
        for (number, cue) in cues.iter().enumerate().step_by(2) {
            let (list, view, _) = shown(&character, cue);
            pair.compare(&format!("{name}-{number}"), character.model(), &list, view, &mut seen);
        }
    }
    seen.finish("characters", if cfg!(feature = "formats-all") { 100 } else { 10 });
}

/// Every blend mode, two colours, clip masks, deformation and many influences, over a transparent background.
#[test]
fn scenes_are_drawn_as_by_the_cpu_renderer() {
    let mut seen = VisibleAnimations { may_be_off: SEVERAL_LAYERS, ..VisibleAnimations::default() };
    let drawn = ["panes-nearest", "blend-", "two-colours", "clip-", "eleven-"];
    for scene in scenes().iter().filter(|scene| drawn.iter().any(|name| scene.name.starts_with(name))) {
        scene.with_list(SCENE_SCALE, |model, list, view, _| {
            Pair::new(model).compare(scene.name, model, list, view, &mut seen);
        });
    }
    seen.finish("scenes", 18);
}

/// Spine's own examples: many layers, dense meshes, clip masks, several pages and blend modes.
#[cfg(feature = "formats-all")]
#[test]
fn conformance_spine_characters_are_drawn_as_by_the_cpu_renderer() {
    use crate::common::spine_golden::{Golden, goldens};

    let mut seen = VisibleAnimations::default();
    let paths = goldens("spine/examples");
    for (path, skeleton) in &paths {
        let golden = Golden::load(path, skeleton);
        let mut pair = Pair::new(golden.character.model());
        for (number, case) in golden.cases().into_iter().step_by(golden.cases().len().div_ceil(2)).enumerate() {
            let (list, view, _) = shown(&golden.character, &golden.cue(case));
            if view.width() == 0 {
                // Nothing is visible.
                continue;
            }
            let name = format!("{}-{number}", golden.name);
            pair.compare(&name, golden.character.model(), &list, view, &mut seen);
        }
    }
    seen.finish("Spine's examples", paths.len());
}

/// A pattern that is only moved, by parts of a pixel, is filtered like any other.
#[test]
fn a_sprite_that_is_only_moved_is_filtered() {
    const SIDE: u8 = 32;
    let mut random = Random(5);
    let mut texel = || [0; 4].map(|_: u8| random.below(256) as u8);
    let texels: Vec<[u8; 4]> = (0..u32::from(SIDE) * u32::from(SIDE)).map(|_| texel()).collect();
    let side = f32::from(SIDE);
    let file = File {
        images: vec![image(SIDE.into(), SIDE.into(), &texels)],
        bones: roots(1),
        meshes: vec![quad(0, 0, [0.0, 0.0], [side, side])],
        ..File::default()
    };
    let character = read(&file);
    let (mut pose, mut list) = (Pose::default(), DrawList::default());
    pchr::motion::evaluate(&character, &Cue::default(), &mut pose);
    let view = View::new(40, 40, vec2(-3.37, side + 2.61), 1.0);
    list.build(character.model(), &pose, &view);
    let mut seen = VisibleAnimations::default();
    Pair::new(character.model()).compare("moved", character.model(), &list, view, &mut seen);
    seen.finish("a moved sprite", 2);
}

#[test]
fn overlays_and_meshes_without_pictures_are_drawn() {
    let Subject { character, cues, .. } = subjects().swap_remove(0);
    let (mut list, view, pose) = shown(&character, &cues[0]);
    list.add_overlays(character.model(), &pose, &view, Overlay::Bones.into());
    let mut pair = Pair::new(character.model());
    pair.draw("bones", character.model(), &list, &view, Filter::Linear);
    // Marks have edges only, which each renderer snaps in its own way.
    assert_few_pixels_differ(&pair.pictures);
    let bare = scenes().into_iter().find(|scene| scene.name == "bare-outline").expect("a scene");
    bare.with_list(1.0, |model, list, view, _| {
        let mut pair = Pair::new(model);
        pair.draw("bare", model, list, &view, Filter::Linear);
        assert_few_pixels_differ(&pair.pictures);
    });
}

/// Panics if more than one covered pixel in a hundred is off by more than the tolerance.
fn assert_few_pixels_differ([expected, found]: &[Picture; 2]) {
    let pixels = || expected.pixels().as_chunks::<4>().0.iter().zip(found.pixels().as_chunks::<4>().0);
    let covered = pixels().filter(|(expected, _)| expected[3] > 0).count();
    let is_off = |(a, b): &(&[u8; 4], &[u8; 4])| a.iter().zip(*b).any(|(a, b)| a.abs_diff(*b) > TOLERANCE);
    let off = pixels().filter(is_off).count();
    assert!(covered > 1000 && off * 100 <= covered, "{off} of {covered} pixels are off");
}
