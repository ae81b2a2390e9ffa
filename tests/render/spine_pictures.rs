//! Compares the GPU's and the CPU's pictures of Spine characters, and checks draw calls and allocations.

use std::path::PathBuf;

use crate::common::gpu::gpu_or_skip;
use crate::common::memory::allocations;
use crate::common::pictures::{Pair, SIZE, agrees, around, settings_of};
use crate::common::spine_golden::{Golden, goldens, list, read_spine};
use crate::common::{conformance, ours, say};
use pchr::diagnostics::Diagnostics;
use pchr::draw::{Antialias, BlendClass, Command, DrawList, Filter, Picture, Settings, View};
use pchr::gpu::{Context, OffscreenTarget, Renderer, TargetFormat};
use pchr::math::vec2;
use pchr::model::{Attachment, Model};
use pchr::motion::{Cue, Evaluator, Position, evaluate};
use pchr::pose::Pose;
use serde_json::Value;

// ---- Pictures

/// Returns five of the cases, and up to five of those that clip.
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
        // Outlines of meshes without a picture; the comparison does not know their edges.
        drawn.commands.retain(|command| !matches!(command, Command::Overlay(_)));
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
        if !agrees(&difference, settings) {
            let (stray, spill) = (difference.stray.len(), difference.spill.len());
            faults.push(format!(
                "{name} {} at {}, {settings:?}: {} of {} off, worst {:?}, {:.3} edge, {stray} stray {:?}, {spill} spilt",
                case["anim"], case["time"], difference.off, difference.inside, difference.worst,
                difference.excluded(), difference.stray.first()
            ));
        }
        count += 1;
        excluded = excluded.max(difference.excluded());
        if settings.filter == Filter::Linear && settings.antialias == Antialias::None {
            worst = worst.max(difference.worst.0);
        }
    }
    (count, worst, excluded)
}

/// The goldens of skeletons with pictures: the examples of 3.8, those characters that only 4.x has, and a few of the
/// project's own rigs; and that of inverse and convex clip masks.
fn with_pictures() -> Vec<(PathBuf, PathBuf)> {
    let parts = [
        "spine/examples",
        "spine4/examples/4.1/chibi-stickers",
        "spine4/examples/4.2/celestial-circus",
        "spine4/examples/4.2/cloud-pot",
        "spine4/4.1/sequences",
        "spine4/4.2/atlas-forms",
        "spine-next/4.3/clipping-inverse",
    ];
    let mut found: Vec<_> =
        parts.into_iter().filter(|part| conformance(part).is_some()).flat_map(goldens).collect();
    // Binary skeletons show the same.
    found.retain(|(_, skeleton)| skeleton.extension().is_some_and(|extension| extension == "json"));
    found
}

#[test]
fn conformance_spine_gpu_draws_like_cpu() {
    let (mut pictures, mut worst, mut excluded) = (0, 0, 0.0_f64);
    let mut faults = Vec::new();
    let paths = with_pictures();
    if paths.is_empty() {
        return;
    }
    for (path, skeleton) in &paths {
        let golden = Golden::load(path, skeleton);
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

// ---- Draw calls

/// Computes the expected draw calls from the pose: one, plus one for every change of page, blend class or clip
/// mask.
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
                .prepare(context.device(), context.queue(), model, &drawn, view, Filter::Linear)
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
fn drawing_the_second_picture_allocates_nothing() {
    for name in ["clipping", "meshes-skins", "slots-events"] {
        let path = ours(&format!("spine/own/{name}/{name}.json"));
        let character = read_spine(&path, &mut Diagnostics::default());
        let model = character.model();
        let view = View::new(200, 200, vec2(-100.0, 100.0), 1.0);
        let cues: Vec<Cue> = model
            .animation_ids()
            .flat_map(|id| (0..10).map(move |step| (id, f64::from(step) * 0.17)))
            .map(|(id, at)| Cue { animation: Some(id), position: Position::Seconds(at), ..Cue::default() })
            .collect();
        let (mut pose, mut drawn, mut picture) = (Pose::for_model(model), DrawList::default(), Picture::default());
        let mut evaluator = Evaluator::default();
        let mut renderer = pchr::cpu::Renderer::new(model).with_threads(pchr::cpu::Threads::One);
        let mut show = || {
            for cue in &cues {
                evaluator.evaluate(&character, cue, &mut pose);
                drawn.build(model, &pose, &view);
                renderer.render(model, &drawn, &view, Settings::default(), &mut picture);
            }
        };
        show();
        assert_eq!(allocations(show), 0, "{name}");
    }
}
