//! Compares the GPU's and the CPU's pictures of SkelForm characters: five per sample and golden, and the bone
//! overlay.

use crate::common::gpu::gpu_or_skip;
use crate::common::pictures::{Pair, SIZE, agrees, around, settings_of};
use crate::common::skelform_golden::{Golden, goldens, read_skelform};
use crate::common::{ours, say};
use pchr::draw::{Antialias, Command, DrawList, Filter, Overlay, View};
use pchr::math::vec2;
use pchr::motion::{Cue, evaluate};
use pchr::pose::Pose;

/// The results of comparisons.
#[derive(Default)]
struct VisibleAnimations {
    goldens: usize,
    pictures: usize,
    /// Maximum difference of 255 in the interior, without antialiasing and with linear filtering.
    worst: u8,
    excluded: f64,
    faults: Vec<String>,
}

fn check(golden: &Golden, pair: &mut Pair, seen: &mut VisibleAnimations) {
    let model = golden.character.model();
    let mut drawn = DrawList::default();
    for (round, (what, pose)) in golden.poses().into_iter().enumerate() {
        drawn.build(model, &pose, &View::new(8, 8, vec2(0.0, 0.0), 1.0));
        let view = View::fit(SIZE, SIZE, around(model, &pose, &drawn));
        drawn.build(model, &pose, &view);
        let settings = settings_of(round + seen.goldens);
        let name = format!("{}-{round}", golden.name.trim_end_matches(".json.gz"));
        let difference = pair.compare(&name, model, &drawn, view, settings);
        if !agrees(&difference, settings) {
            seen.faults.push(format!(
                "{name} at {what}, {settings:?}: {} of {} off, worst {:?}, {:.3} edge, {} stray {:?}, {} spilt",
                difference.off,
                difference.inside,
                difference.worst,
                difference.excluded(),
                difference.stray.len(),
                difference.stray.first(),
                difference.spill.len()
            ));
        }
        seen.pictures += 1;
        seen.excluded = seen.excluded.max(difference.excluded());
        if settings.filter == Filter::Linear && settings.antialias == Antialias::None {
            seen.worst = seen.worst.max(difference.worst.0);
        }
    }
    seen.goldens += 1;
}

#[test]
fn conformance_skelform_gpu_draws_like_cpu() {
    let mut seen = VisibleAnimations::default();
    for kind in ["ref-nophys", "ref-phys"] {
        for path in goldens(kind) {
            let golden = Golden::load(&path);
            let Some(context) = gpu_or_skip() else { return };
            let mut pair = Pair::new(context, golden.character.model());
            check(&golden, &mut pair, &mut seen);
        }
    }
    say(&format!(
        "skelform pictures, GPU and CPU: {} of {} goldens, worst {}/255 inside (linear), at most {:.1} % edges",
        seen.pictures,
        seen.goldens,
        seen.worst,
        seen.excluded * 100.0
    ));
    assert!(seen.faults.is_empty(), "{} differ:\n{}", seen.faults.len(), seen.faults.join("\n"));
    assert!(seen.goldens > 0, "no goldens found");
}

#[test]
fn the_bone_overlay_shows_authored_bones_only() {
    let bytes = std::fs::read(ours("skelform/samples/synth-mesh.skf")).expect("a fixture");
    let character = read_skelform(&bytes);
    let model = character.model();
    let (mut pose, mut drawn) = (Pose::default(), DrawList::default());
    evaluate(&character, &Cue::default(), &mut pose);
    drawn.build(model, &pose, &View::new(8, 8, vec2(0.0, 0.0), 1.0));
    let view = View::fit(SIZE, SIZE, around(model, &pose, &drawn));
    drawn.build(model, &pose, &view);
    let plain = drawn.commands.len();
    drawn.add_overlays(model, &pose, &view, Overlay::Bones.into());
    let [Command::Overlay(range)] = &drawn.commands[plain..] else { panic!("{:?}", drawn.commands.last()) };
    let marks = &drawn.overlay[range.start as usize..range.end as usize];
    let authored = model.skeleton().authored_bones();
    assert!(authored.len() < model.skeleton().bones().len(), "the model has helper bones");
    // Something is drawn around every joint, and nothing is far from every joint and bone.
    let joints: Vec<_> = pose.world_from_bone[..authored.len()].iter().map(|bone| bone.translation).collect();
    let dots = marks.chunks_exact(3).filter(|corners| corners[0].color == [255; 4]).count();
    assert_eq!(dots, 6 * authored.len(), "six triangles per joint");
    for joint in &joints {
        assert!(marks.iter().any(|corner| corner.position.distance(*joint) * view.scale() < 5.0), "{joint}");
    }
    let low = joints.iter().copied().reduce(|a, b| a.min(b)).expect("joints") - 8.0 / view.scale();
    let high = joints.iter().copied().reduce(|a, b| a.max(b)).expect("joints") + 8.0 / view.scale();
    let is_near =
        |corner: &pchr::draw::OverlayVertex| corner.position.cmpge(low).all() && corner.position.cmple(high).all();
    assert!(marks.iter().all(is_near));
    // Both renderers draw the overlay alike.
    let Some(context) = gpu_or_skip() else { return };
    let mut pair = Pair::new(context, model);
    let settings = pchr::draw::Settings { filter: Filter::Linear, antialias: Antialias::None };
    pair.compare("bones", model, &drawn, view, settings);
    let [cpu, gpu] = pair.pictures();
    let off = cpu.pixels().iter().zip(gpu.pixels()).filter(|(a, b)| a.abs_diff(**b) > 3).count();
    assert!((off as f64) < 0.005 * cpu.pixels().len() as f64, "{off} channels are off");
    let mut bare = DrawList::default();
    bare.build(model, &pose, &view);
    let before = cpu.clone();
    pair.compare("no-bones", model, &bare, view, settings);
    assert_ne!(pair.pictures()[0].pixels(), before.pixels());
}
