//! Everything that takes a model together with something made from a model, called with those of two models.
//!
//! Whatever the models have in common, it works, or panics with a message that names the mistake, at the line of the
//! caller.

use std::cell::RefCell;
use std::panic::{self, AssertUnwindSafe, catch_unwind};
use std::sync::Once;

use pchr::Character;
use pchr::cpu::{Renderer, Threads};
use pchr::draw::{
    Antialias, Batches, DrawList, Filter, Hidden, Onion, Overlay, Overlays, Picture, PictureWork, Settings,
    UnskinnedBatches, View, blended_slots, overlay_labels, pick,
};
use pchr::math::vec2;
use pchr::model::BoneId;
use pchr::motion::{
    BoneOverride, Cue, Dynamics, Evaluator, PoseWork, Position, bone_curve, bone_length, evaluate, inheritance,
    keys, loop_gap,
};
use pchr::pose::{
    Pose, SkinMatrix, bounding_box, bounding_box_at, bounds, bounds_work, deformed_world_position,
    for_each_deformed_vertex, mesh_at, palette, point, slot_bounds,
};

use super::{bones, large, of_every_motion, small};
use crate::common::{read, tiny};

/// Where the last panic of this thread was, and its message.
type Panicked = Option<(String, String)>;

thread_local! {
    static LAST: RefCell<Panicked> = const { RefCell::new(None) };
    static IS_WATCHED: RefCell<bool> = const { RefCell::new(false) };
}

/// Calls `misuse` and returns where and why it panicked.
fn panicked(misuse: impl FnOnce()) -> Panicked {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let usual = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if !IS_WATCHED.with_borrow(|watched| *watched) {
                return usual(info);
            }
            let payload = info.payload();
            let text = payload.downcast_ref::<String>().cloned();
            let text = text.or_else(|| payload.downcast_ref::<&str>().map(|text| (*text).to_owned()));
            let place = info.location().map(|place| format!("{}:{}", place.file(), place.line()));
            LAST.set(Some((place.unwrap_or_default(), text.unwrap_or_default())));
        }));
    });
    LAST.set(None);
    IS_WATCHED.set(true);
    let result = catch_unwind(AssertUnwindSafe(misuse));
    IS_WATCHED.set(false);
    result.err().and_then(|_| LAST.take())
}

/// What a program makes from a character.
struct Made {
    name: &'static str,
    character: Character,
    pose: Pose,
    palette: Vec<SkinMatrix>,
    list: DrawList,
    renderer: Renderer,
    hidden: Hidden,
}

/// All overlays, with the weights of `bone`.
fn overlays(bone: Option<BoneId>) -> Overlays {
    let mut overlays: Overlays = Overlay::ALL.into_iter().collect();
    overlays.bone = bone;
    overlays
}

fn view() -> View {
    // Small, so that mipmaps are used.
    View::new(24, 24, vec2(-50.0, 50.0), 0.2)
}

impl Made {
    fn new(name: &'static str, character: Character) -> Self {
        let model = character.model();
        let (mut pose, mut matrices, mut list) = (Pose::default(), Vec::new(), DrawList::default());
        let animation = model.animation_ids().last();
        let cue = Cue { animation, position: Position::Seconds(0.1), ..Cue::default() };
        evaluate(&character, &cue, &mut pose);
        palette(model, &pose, &mut matrices);
        list.build(model, &pose, &view());
        list.add_overlays(model, &pose, &view(), overlays(model.skeleton().bone_ids().last()));
        let renderer = Renderer::new(model).with_threads(Threads::One);
        let hidden = Hidden::by_name(model, |name| name.len() % 2 == 0, None);
        Self { name, pose, palette: matrices, list, renderer, hidden, character }
    }
}

/// Characters of every motion, and such that agree in some of the numbers that could be compared.
fn all() -> Vec<Made> {
    let mut files = tiny();
    files.meshes = (0..3).map(|_| files.meshes[0].clone()).collect();
    let more_meshes = read(&files);
    let mut files = tiny();
    files.images[0] = crate::common::white("atlas", 2, 1);
    let other_page = read(&files);
    let mut all = vec![
        Made::new("more meshes", more_meshes),
        Made::new("other page", other_page),
        Made::new("large", large()),
        Made::new("bones", bones(2)),
        Made::new("empty", bones(0)),
        Made::new("small", small()),
    ];
    all.extend(of_every_motion().into_iter().map(|(name, character)| Made::new(name, character)));
    all
}

/// Calls everything with the model of `a` and what was made from `b`.
fn for_each_mix(a: &Made, b: &Made, call: &mut dyn FnMut(&'static str, &mut dyn FnMut())) {
    let (model, view) = (a.character.model(), view());
    let shown = overlays(b.character.model().skeleton().bone_ids().last());
    call("evaluate", &mut || {
        let of_b = b.character.model();
        let cue = Cue {
            animation: of_b.animation_ids().last(),
            skins: of_b.skin_ids().collect(),
            bones: of_b.skeleton().bone_ids().map(BoneOverride::new).collect(),
            ..Cue::default()
        };
        evaluate(&a.character, &cue, &mut b.pose.clone());
    });
    call("Evaluator", &mut || {
        let mut evaluator = Evaluator::with_dynamics(Some(Dynamics::default()));
        for made in [b, a, b] {
            evaluator.evaluate(&made.character, &Cue::default(), &mut Pose::default());
        }
    });
    call("Dynamics", &mut || {
        let mut dynamics = Dynamics::default();
        for made in [b, a, b] {
            dynamics.step(&made.character, &Cue::default(), &mut Pose::default());
            dynamics.update(&made.character, &Cue::default(), 0.1, &mut Pose::default());
        }
    });
    call("PoseWork", &mut || {
        let skins: Vec<_> = b.character.model().skin_ids().collect();
        PoseWork::new(&a.character, &skins).of(&a.character, b.character.model().animation_ids().last());
    });
    if let Some(animation) = b.character.model().animation_ids().last() {
        call("keys", &mut || _ = keys(&a.character, animation));
        call("loop_gap", &mut || _ = loop_gap(&a.character, animation, &[]));
        if let Some(bone) = b.character.model().skeleton().bone_ids().last() {
            call("bone_curve", &mut || _ = bone_curve(&a.character, animation, &[], bone, [0.0, 0.1]));
        }
    }
    if let Some(bone) = b.character.model().skeleton().bone_ids().last() {
        call("bone_length", &mut || _ = bone_length(&a.character, bone));
        call("inheritance", &mut || _ = inheritance(&a.character, bone));
        call("parent_from_bone", &mut || _ = b.pose.parent_from_bone(model, bone));
        call("authored_bone", &mut || _ = model.skeleton().authored_bone(bone));
    }
    call("palette", &mut || palette(model, &b.pose, &mut Vec::new()));
    call("visible_attachments", &mut || _ = b.pose.visible_attachments(model).count());
    call("blended_slots", &mut || _ = blended_slots(model, &b.pose).count());
    call("bounds_work", &mut || _ = bounds_work(model, &b.pose));
    for (pose, palette) in [(&b.pose, &b.palette), (&a.pose, &b.palette), (&b.pose, &a.palette)] {
        call("bounds", &mut || _ = bounds(model, pose, palette));
        call("mesh_at", &mut || _ = mesh_at(model, pose, palette, vec2(1.0, 1.0)));
        call("bounding_box_at", &mut || _ = bounding_box_at(model, pose, palette, vec2(1.0, 1.0)));
        call("pick", &mut || pick(model, pose, palette, vec2(1.0, 1.0), 2.0, &mut Vec::new()));
        call("overlay_labels", &mut || overlay_labels(model, pose, palette, &view, shown, &mut |_| {}));
        if let Some(slot) = b.character.model().slot_ids().last() {
            call("is_slot_active", &mut || _ = pose.is_slot_active(model, slot));
            call("point", &mut || _ = point(model, pose, slot, palette));
            call("slot_bounds", &mut || _ = slot_bounds(model, pose, slot, palette));
            call("bounding_box", &mut || _ = bounding_box(model, pose, slot, palette, &mut Vec::new()));
            if let Some(attachment) = b.character.model().attachment_ids().last() {
                call("Hidden::hides", &mut || _ = a.hidden.hides(model, slot, attachment));
            }
        }
    }
    for mesh in model.attachments().iter().filter_map(|attachment| attachment.mesh()) {
        call("deformed_world_position", &mut || _ = deformed_world_position(&mesh.vertices, 0, &[], &b.palette));
        call("deformed_world_position", &mut || {
            _ = deformed_world_position(&mesh.vertices, 0, &b.pose.deform, &b.palette);
        });
        call("for_each_deformed_vertex", &mut || {
            for_each_deformed_vertex(&mesh.vertices, &b.pose.deform, &b.palette, |_, _| {});
        });
    }
    call("Hidden::apply", &mut || b.hidden.apply(model, &mut a.pose.clone()));
    call("Hidden::apply to another pose", &mut || a.hidden.apply(model, &mut b.pose.clone()));
    call("DrawList::build", &mut || b.list.clone().build(model, &b.pose, &view));
    call("DrawList::add_overlays", &mut || a.list.clone().add_overlays(model, &b.pose, &view, shown));
    call("DrawList::add_overlays to another list", &mut || {
        b.list.clone().add_overlays(model, &a.pose, &view, shown);
    });
    call("DrawList::add_overlay_marks", &mut || {
        a.list.clone().add_overlay_marks(model, &b.pose, &view, shown);
    });
    call("DrawList::add_ghost", &mut || a.list.clone().add_ghost(model, &b.pose, &view, Onion::default(), 1));
    call("DrawList::counts", &mut || _ = b.list.counts(model));
    call("PictureWork", &mut || _ = PictureWork::default().of(&b.list, model, &view, 0));
    call("Batches", &mut || Batches::default().build(model, &b.list));
    call("UnskinnedBatches", &mut || UnskinnedBatches::default().build(model, &b.list));
    call("Renderer::with_mipmaps", &mut || _ = b.renderer.clone().with_mipmaps(model));
    call("Renderer::expect_of", &mut || b.renderer.expect_of(model));
    for antialias in [Antialias::None, Antialias::Msaa4] {
        let settings = Settings { antialias, filter: Filter::Auto };
        for (renderer, list) in [(&b.renderer, &a.list), (&a.renderer, &b.list), (&b.renderer, &b.list)] {
            call("Renderer::render", &mut || {
                renderer.clone().render(model, list, &view, settings, &mut Picture::default());
            });
        }
    }
}

#[test]
fn what_belongs_to_another_model_works_or_is_named() {
    let all = all();
    let (mut calls, mut named, mut faults) = (0, 0, Vec::new());
    for a in &all {
        for b in &all {
            for_each_mix(a, b, &mut |function, misuse| {
                calls += 1;
                let Some((place, message)) = panicked(misuse) else { return };
                named += 1;
                let is_named =
                    ["another model", "another pose", "another character", "does not exist", "lies outside"];
                if !is_named.iter().any(|words| message.contains(words)) || !place.contains("tests/inside") {
                    faults.push(format!("{function}, model {}, rest {}: {place}: {message}", a.name, b.name));
                }
            });
        }
    }
    faults.sort();
    faults.dedup();
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
    assert!(calls > 5_000 && named > 1_000, "{named} of {calls} calls panic");
}
