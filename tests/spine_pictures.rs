//! Spine characters drawn: the GPU's pictures against the CPU's, how many draw calls they take, and what is allocated.
//!
//! `PCHR_LOOK=FOLDER` writes the pictures that are compared.
#![cfg(all(feature = "formats-all", feature = "gpu"))]

mod common;
#[path = "common/spine_golden.rs"]
mod spine_golden;

use std::path::Path;

use common::compare::{Difference, Scene, difference};
use common::gpu::gpu_or_skip;
use common::memory::allocations;
use common::{conformance, say};
use pchr::diagnostics::Diagnostics;
use pchr::draw::{Antialias, BlendClass, Command, DrawList, Filter, Picture, Settings, View};
use pchr::gpu::{Context, Headless, OffscreenTarget, Renderer, TargetFormat};
use pchr::math::{Rect, vec2};
use pchr::model::{Attachment, Model};
use pchr::motion::{Cue, Position, evaluate};
use pchr::pose::{Pose, bounds, for_each_deformed_vertex, for_each_listed_vertex, palette};
use serde_json::Value;
use spine_golden::{Golden, goldens, list, read_spine};

// ---- Pictures

/// Pixels on the longer side.
const SIZE: u32 = 640;
/// Of 255, one for each renderer.
const TOLERANCE: u8 = 2;

struct Pair {
    gpu: Headless,
    cpu: pchr::cpu::Renderer,
    pictures: [Picture; 2],
}

impl Pair {
    fn new(context: Context, model: &Model) -> Self {
        let gpu = Headless::new(context, model).expect("it fits");
        Self { gpu, cpu: pchr::cpu::Renderer::new(model), pictures: Default::default() }
    }

    fn compare(
        &mut self,
        name: &str,
        model: &Model,
        list: &DrawList,
        view: View,
        settings: Settings,
    ) -> Difference {
        let [expected, found] = &mut self.pictures;
        self.cpu.render(model, list, &view, settings, expected);
        self.gpu.render(model, list, &view, settings, found).expect("it is drawn");
        look(name, [("cpu", expected), ("gpu", found)]);
        difference(&Scene { model, list, view }, found, expected, TOLERANCE)
    }
}

fn look(name: &str, pictures: [(&str, &Picture); 2]) {
    let Some(folder) = std::env::var_os("PCHR_LOOK") else { return };
    for (renderer, picture) in pictures {
        let mut picture = picture.clone();
        picture.unpremultiply();
        let path = Path::new(&folder).join(format!("{name}-{renderer}.png"));
        let file = std::fs::File::create(&path).expect("the folder can be written");
        pchr::export::write_png(&picture, file).expect("it can be written");
    }
}

fn around(model: &Model, pose: &Pose, list: &DrawList) -> Rect {
    let mut rect = Rect::NOTHING;
    let mut clip: Option<Rect> = None;
    for command in &list.commands {
        let mut corners = Rect::NOTHING;
        match command {
            Command::ClipBegin(mask) => {
                let Attachment::ClipMask(shape) = model.attachment(mask.attachment) else { panic!("a mask") };
                let deform = list.deform_of(mask.deform);
                for_each_listed_vertex(&shape.polygon.vertices, deform, &list.palette, |at, _| {
                    corners = corners.include(at);
                });
                clip = Some(corners);
            }
            Command::ClipEnd => clip = None,
            Command::Sprite(sprite) => {
                let mesh = model.attachment(sprite.attachment).mesh().expect("a mesh");
                let deform = list.deform_of(sprite.deform);
                for_each_deformed_vertex(&mesh.vertices, deform, &list.palette, |at, _| {
                    corners = corners.include(at)
                });
                if let Some(clip) = clip {
                    corners = Rect { min: corners.min.max(clip.min), max: corners.max.min(clip.max) };
                }
                if !corners.is_empty() {
                    rect = rect.union(corners);
                }
            }
            Command::Overlay(_) => {}
        }
    }
    if rect.is_empty() {
        let mut matrices = Vec::new();
        palette(model, pose, &mut matrices);
        rect = bounds(model, pose, &matrices);
    }
    if rect.is_empty() { Rect::from_min_size(vec2(0.0, 0.0), vec2(1.0, 1.0)) } else { rect.expand(2.0) }
}

/// Five of the cases, and up to five of those that clip.
fn chosen(golden: &Golden) -> Vec<&Value> {
    let all = golden.cases();
    let clips = |case: &&Value| {
        list(&case["slots"]).iter().any(|slot| slot["clip"][0].as_f64().is_some_and(|left| left > 0.0))
    };
    let clipping: Vec<&Value> = all.iter().copied().filter(clips).collect();
    let spread = |cases: &[&'_ Value]| -> Vec<usize> {
        let count = cases.len().min(5);
        (0..count).map(|index| (2 * index + 1) * cases.len() / (2 * count)).collect()
    };
    let mut chosen: Vec<&Value> = spread(&all).into_iter().map(|index| all[index]).collect();
    chosen.extend(spread(&clipping).into_iter().map(|index| clipping[index]));
    chosen
}

/// Settings in turn, so that every one meets many characters.
fn settings_of(round: usize) -> Settings {
    let antialias = [Antialias::None, Antialias::Msaa4, Antialias::None, Antialias::Ssaa2, Antialias::None];
    let filter = if round % 5 == 4 { Filter::Nearest } else { Filter::Linear };
    Settings { filter, antialias: antialias[round % 5] }
}

/// Share of the pixels inside that may be further off.
fn limit_of(settings: Settings) -> f64 {
    match (settings.filter, settings.antialias) {
        // A pixel whose middle is on the border of two texels may show either.
        (Filter::Nearest, _) => 0.005,
        // One for each renderer and layer: few pixels have several translucent ones.
        (Filter::Linear | Filter::Auto, Antialias::None) => 0.0001,
        // Edges are told by the middle of a pixel, and snapping may move one across a sample elsewhere in it.
        (Filter::Linear | Filter::Auto, _) => 0.0001,
    }
}

fn check_pictures(golden: &Golden, context: Context, faults: &mut Vec<String>) -> (usize, u8, f64) {
    let model = golden.character.model();
    let mut pair = Pair::new(context, model);
    let (mut pose, mut drawn) = (Pose::default(), DrawList::default());
    let (mut count, mut worst, mut excluded) = (0, 0, 0.0_f64);
    for (round, case) in chosen(golden).into_iter().enumerate() {
        evaluate(&golden.character, &golden.cue(case), &mut pose);
        drawn.build(model, &pose, &View::new(8, 8, vec2(0.0, 0.0), 1.0));
        let view = View::fit(SIZE, SIZE, around(model, &pose, &drawn));
        drawn.build(model, &pose, &view);
        let settings = settings_of(round);
        let name = format!("{}-{round}", golden.name);
        let difference = pair.compare(&name, model, &drawn, view, settings);
        if std::env::var_os("PCHR_LOOK").is_some() {
            say(&format!(
                "{name}: {} {} inside {} edge {} worst {:?} off {} stray {} spill {}",
                case["anim"],
                case["time"],
                difference.inside,
                difference.edge,
                difference.worst,
                difference.off,
                difference.stray.len(),
                difference.spill.len()
            ));
        }
        let off = difference.off as f64 / difference.inside.max(1) as f64;
        let is_smooth = settings.antialias != Antialias::None;
        let is_exact = settings.filter == Filter::Linear && !is_smooth;
        let agrees = off <= limit_of(settings)
            && (!is_exact || difference.worst.0 <= 2 * TOLERANCE)
            && difference.stray.is_empty()
            && (is_smooth || difference.spill.is_empty())
            && difference.excluded() <= 0.25;
        if !agrees {
            let (stray, spill) = (difference.stray.len(), difference.spill.len());
            faults.push(format!(
                "{name} {} at {}, {settings:?}: {} of {} off, worst {:?}, {:.3} edge, {stray} stray {:?}, {spill} spilt",
                case["anim"], case["time"], difference.off, difference.inside, difference.worst,
                difference.excluded(), difference.stray.first()
            ));
        }
        count += 1;
        excluded = excluded.max(difference.excluded());
        if settings.filter == Filter::Linear && !is_smooth {
            worst = worst.max(difference.worst.0);
        }
    }
    (count, worst, excluded)
}

fn check_all_pictures(folder: &Path) {
    let (mut pictures, mut worst, mut excluded) = (0, 0, 0.0_f64);
    let mut faults = Vec::new();
    let only = std::env::var("PCHR_ONLY").unwrap_or_default();
    for path in goldens(folder).iter().filter(|path| path.to_string_lossy().contains(&only)) {
        let golden = Golden::load(path);
        let Some(context) = gpu_or_skip() else { return };
        let (count, here, edges) = check_pictures(&golden, context, &mut faults);
        pictures += count;
        worst = worst.max(here);
        excluded = excluded.max(edges);
    }
    say(&format!(
        "spine pictures, GPU and CPU: {pictures}, worst {worst}/255 inside (linear), at most {:.1} % edges",
        excluded * 100.0
    ));
    assert!(faults.is_empty(), "{} differ:\n{}", faults.len(), faults.join("\n"));
    assert!(pictures > 0);
}

#[test]
fn conformance_spine_gpu_draws_like_cpu() {
    if let Some(folder) = conformance("spine") {
        check_all_pictures(&folder.join("examples"));
    }
}

// ---- Draw calls

/// One, and one more wherever page, class of blending or clip span change: told by the pose alone.
fn expected_calls(model: &Model, pose: &Pose) -> usize {
    let (mut calls, mut before, mut clips, mut clip) = (0, None, 0, None);
    for &id in &pose.draw_order {
        let (slot, state) = (model.slot(id), &pose.slots[id.index()]);
        match state.attachment.map(|id| model.attachment(id)) {
            Some(Attachment::ClipMask(mask)) if clip.is_none() => {
                clips += 1;
                clip = Some((clips, mask.end));
                continue;
            }
            Some(attachment) if attachment.mesh().is_some() => {
                let mesh = attachment.mesh().expect("a mesh");
                if state.tint.light[3] * mesh.tint[3] > 0.0 {
                    let key = (mesh.page, BlendClass::from(slot.blend), clip.map(|(number, _)| number));
                    calls += usize::from(before != Some(key));
                    before = Some(key);
                }
            }
            _ => {}
        }
        if clip.is_some_and(|(_, end)| end == Some(id)) {
            clip = None;
        }
    }
    calls
}

fn renderer_for(context: &Context, model: &Model) -> Renderer {
    let depth_stencil = model.has_clip_masks().then_some(OffscreenTarget::STENCIL_FORMAT);
    let target = TargetFormat { color: OffscreenTarget::FORMAT, samples: 1, depth_stencil };
    Renderer::new(context.device(), context.queue(), model, target).expect("it fits")
}

#[test]
fn conformance_spineboy_walks_in_one_draw_call() {
    let Some(folder) = conformance("spine/examples/spineboy") else { return };
    let Some(context) = gpu_or_skip() else { return };
    let character = read_spine(&folder.join("spineboy-pro.json"), &mut Diagnostics::default());
    let model = character.model();
    let mut renderer = renderer_for(&context, model);
    let view = View::new(64, 64, vec2(-300.0, 600.0), 0.1);
    let (mut pose, mut drawn) = (Pose::default(), DrawList::default());
    for (name, most) in [("walk", 1), ("portal", 6), ("shoot", 2)] {
        let animation = model.find_animation(name);
        assert!(animation.is_some(), "{name}");
        for step in 0..20 {
            let position = Position::Seconds(f64::from(step) * 0.1);
            evaluate(&character, &Cue { animation, position, ..Cue::default() }, &mut pose);
            drawn.build(model, &pose, &view);
            renderer
                .prepare(context.device(), context.queue(), model, &drawn, &view, Filter::Linear)
                .expect("it fits");
            let masks =
                2 * drawn.commands.iter().filter(|command| matches!(command, Command::ClipBegin(_))).count();
            let expected = expected_calls(model, &pose);
            assert_eq!(renderer.draw_calls(), expected + masks, "{name} at step {step}");
            assert!(expected <= most, "{name}: {expected} calls");
            assert!(drawn.commands.len() > 15, "{name}: only {} commands", drawn.commands.len());
        }
    }
}

// ---- Memory

#[test]
fn nothing_is_allocated_for_the_second_picture() {
    for name in ["clipping", "meshes-skins", "slots-events"] {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/spine");
        let path = folder.join(name).join(format!("{name}.json"));
        let character = read_spine(&path, &mut Diagnostics::default());
        let model = character.model();
        let view = View::new(200, 200, vec2(-100.0, 100.0), 1.0);
        let cues: Vec<Cue> = model
            .animation_ids()
            .flat_map(|id| (0..10).map(move |step| (id, f64::from(step) * 0.17)))
            .map(|(id, at)| Cue { animation: Some(id), position: Position::Seconds(at), ..Cue::default() })
            .collect();
        let (mut pose, mut drawn, mut picture) = (Pose::for_model(model), DrawList::default(), Picture::default());
        let mut renderer = pchr::cpu::Renderer::new(model).with_threads(pchr::cpu::Threads::One);
        let mut show = || {
            for cue in &cues {
                evaluate(&character, cue, &mut pose);
                drawn.build(model, &pose, &view);
                renderer.render(model, &drawn, &view, Settings::default(), &mut picture);
            }
        };
        show();
        assert_eq!(allocations(show), 0, "{name}");
    }
}
