//! Poses at random cues, loops, events, skins and deformations.

use super::{cues, fixture, pose_at, read, with_attachment};
use crate::common::memory::allocations;
use crate::common::random::Random;
use pchr::Character;
use pchr::math::Vec2;
use pchr::model::{Attachment, SkinId, Vertices};
use pchr::motion::{Cue, Evaluator, Layer, Mix, Position, Span, evaluate, for_each_event};
use pchr::pose::Pose;

#[test]
fn a_pose_depends_on_its_cue_alone() {
    let characters = ["meshes-skins", "interplay", "slots-events", "path-chain", "fuzz-03"].map(fixture);
    let mut random = Random(7);
    let (mut evaluator, mut used) = (Evaluator::default(), Pose::default());
    let mut count = 0;
    for round in 0..30 {
        let character = &characters[round % characters.len()];
        for cue in cues(character, &mut random, 5) {
            let mut fresh = Pose::default();
            evaluate(character, &cue, &mut fresh);
            // Independent of what it evaluated before.
            evaluator.evaluate(character, &cue, &mut used);
            assert!(fresh == used, "{cue:?}");
            count += usize::from(!fresh.world_from_bone.is_empty());
        }
    }
    assert_eq!(count, 150);
}

#[test]
fn nothing_is_allocated_after_the_first_pose() {
    for name in ["meshes-skins", "interplay", "slots-events", "path-chain", "ik", "transform-constraints"] {
        let character = fixture(name);
        let (mut evaluator, mut pose) = (Evaluator::default(), Pose::for_model(character.model()));
        let cues = cues(&character, &mut Random(3), 40);
        let mut show = || cues.iter().for_each(|cue| evaluator.evaluate(&character, cue, &mut pose));
        show();
        assert_eq!(allocations(show), 0, "{name}");
    }
}

#[test]
fn the_end_of_a_loop_is_its_beginning() {
    let character = fixture("fuzz-00");
    let duration = character.model().animation(character.model().find_animation("a0").unwrap()).duration_secs();
    let at = |seconds, hold| pose_at(&character, "a0", Position::Seconds(seconds), hold);
    let first = at(0.0, true);
    for loops in [1.0, 2.0, -1.0, -3.0] {
        assert!(at(duration * loops, false) == first, "after {loops}");
    }
    let last = at(duration, true);
    assert!(last != first);
    assert!(at(duration * 2.0, true) == last && at(duration + 1e-3, true) == last);
    assert!(at(-1.0, true) == first && at(f64::NAN, false) == first);
    // Frames are counted from the start, thirty per second.
    assert!(pose_at(&character, "a0", Position::frame(15), false) == at(0.5, false));
}

#[test]
fn events_of_a_loop_fire_once_per_iteration() {
    let character = fixture("slots-events");
    let animation = character.model().find_animation("events").unwrap();
    let fired = |from, to, looping| {
        let mut times = Vec::new();
        for_each_event(&character, animation, Span { from, to, looping }, |fired| times.push(fired.time));
        times
    };
    let whole = [0.0, 0.25, 0.25, 0.6667, 1.1, 1.1, 1.9];
    assert_eq!(fired(-1.0, 2.0, false), whole);
    assert_eq!(fired(0.0, 2.0, false), whole[1..], "events at the start of the span are excluded");
    assert_eq!(fired(1.0, 2.5, true), [1.1, 1.1, 1.9, 0.0, 0.25, 0.25]);
    assert_eq!(fired(0.25, 0.25, true), [0.0; 0]);
    // Whole iterations, of two seconds, are left out.
    assert_eq!(fired(0.5, 7.3, true), [0.6667, 1.1, 1.1]);
    assert_eq!(fired(1.8, 4.8, true), [1.9, 0.0, 0.25, 0.25, 0.6667]);
    assert_eq!(fired(-1.0, 2.1, true), whole[..1]);
    assert_eq!(fired(-1.0, 1.0, true), whole[..4]);
}

#[test]
fn skins_are_worn_together() {
    let character = fixture("meshes-skins");
    let model = character.model();
    let all: Vec<SkinId> = model.skins().iter().filter_map(|skin| model.find_skin(&skin.name)).collect();
    let shown = |skins: &[SkinId]| {
        let mut pose = Pose::default();
        evaluate(&character, &Cue { skins: skins.to_vec(), ..Cue::default() }, &mut pose);
        pose.slots.iter().map(|slot| slot.attachment).collect::<Vec<_>>()
    };
    let [_, a, b] = all[..] else { panic!("{all:?}") };
    let (with_a, with_b, with_both) = (shown(&[a]), shown(&[b]), shown(&[a, b]));
    let plain = shown(&[]);
    assert!(with_a != plain && with_b != plain && with_a != with_b);
    for (slot, both) in with_both.iter().enumerate() {
        let expected = if with_b[slot] == plain[slot] { with_a[slot] } else { with_b[slot] };
        assert_eq!(*both, expected, "slot {slot}");
    }
}

/// Meshes of two slots: `m`, two that are linked to it, and `z`, which is not.
fn linked(version: &str, animations: &str) -> Character {
    let mesh = r#""uvs":[0,0,1,0,1,1],"triangles":[0,1,2],"vertices":[0,0,9,0,9,9]"#;
    let source = if version >= "4.3" { "source" } else { "parent" };
    let link = |slot: &str| format!(r#"{{"type":"linkedmesh","{source}":"m"{slot}}}"#);
    let other =
        if version >= "4.3" { format!(r#","t":{{"l":{}}}"#, link(r#","slot":"s""#)) } else { String::new() };
    let attachments = format!(
        r#"{{"s":{{"m":{{"type":"mesh",{mesh}}},"n":{},"z":{{"type":"mesh",{mesh}}}}}{other}}}"#,
        link("")
    );
    let skins = match version < "3.8" {
        true => format!(r#"{{"default":{attachments}}}"#),
        false => format!(r#"[{{"name":"default","attachments":{attachments}}}]"#),
    };
    let json = format!(
        r#"{{"skeleton":{{"spine":"{version}"}},"bones":[{{"name":"root"}},{{"name":"side"}}],"slots":[
        {{"name":"s","bone":"root","attachment":"m"}},{{"name":"t","bone":"side","attachment":"l"}}],
        "skins":{skins},"animations":{animations}}}"#
    );
    read(&json).expect("it is valid").0
}

/// In 4.3, keys deform a mesh and the meshes of other slots that are linked to it, on the bones of these slots.
#[test]
fn linked_meshes_of_other_slots_are_deformed() {
    let keys = r#"{"walk":{"attachments":{"default":{"s":{"m":{"deform":[{"vertices":[0,60,0,60,0,60]}]}}}}}}"#;
    let character = linked("4.3.00", keys);
    let cue = Cue { animation: character.model().find_animation("walk"), ..Cue::default() };
    let mut pose = Pose::default();
    evaluate(&character, &cue, &mut pose);
    for (slot, bone) in pose.slots.iter().zip(0..) {
        assert_eq!(pose.deform_of(slot), [Vec2::new(0.0, 60.0); 3]);
        let shown = character.model().attachment(slot.attachment.expect("an attachment"));
        let Attachment::Mesh(mesh) = shown else { panic!("{shown:?}") };
        let Vertices::SkinN(vertices) = &mesh.vertices else { panic!("{mesh:?}") };
        assert!(vertices.influences().iter().all(|influence| influence.bone == bone), "{vertices:?}");
    }
}

/// Since 4.0, a deformation stays if a mesh is replaced by one that shares its timelines.
#[test]
fn shared_deformations_stay() {
    let keys = r#"{"bend":{"deform":{"default":{"s":{"m":[{"vertices":[0,60,0,60,0,60]}]}}}},
        "link":{"slots":{"s":{"attachment":[{"name":"n"}]}}},"other":{"slots":{"s":{"attachment":[{"name":"z"}]}}}}"#;
    for (version, kept) in [("3.7.94", 0), ("3.8.99", 0), ("4.0.64", 3)] {
        let character = linked(version, keys);
        let find = |name| character.model().find_animation(name).expect("an animation");
        for (name, count) in [("link", kept), ("other", 0)] {
            let layer = |name, mix| Layer { mix, ..Layer::new(find(name), Position::Seconds(0.0)) };
            let layers = vec![layer("bend", Mix::Setup), layer(name, Mix::Replace)];
            let mut pose = Pose::default();
            evaluate(&character, &Cue { layers, ..Cue::default() }, &mut pose);
            assert_eq!(pose.deform_of(&pose.slots[0]).len(), count, "{version} {name}");
        }
    }
}

#[test]
fn negative_weights_count() {
    let attachment = r#"{"type":"mesh","uvs":[0,0,1,0,1,1],"triangles":[0,1,2],
        "vertices":[2,0,10,0,1.5,1,0,0,-0.5, 1,0,0,0,1, 1,0,5,5,1]}"#;
    let json = with_attachment(attachment).replace(r#""length":10"#, r#""length":10,"x":4,"rotation":90"#);
    let (character, diagnostics) = read(&json).expect("it is valid");
    assert!(diagnostics.warnings().all(|fault| fault.code != "negative-weight"), "{diagnostics:?}");
    let (mut pose, mut matrices) = (Pose::default(), Vec::new());
    evaluate(&character, &Cue::default(), &mut pose);
    pchr::pose::palette(character.model(), &pose, &mut matrices);
    let mesh = character.model().attachments()[0].mesh().expect("a mesh");
    let first = pchr::pose::deformed_world_position(&mesh.vertices, 0, &[], &matrices).expect("a vertex");
    // 1.5 · (10, 0) - 0.5 · (4, 0)
    assert!(first.distance(pchr::math::vec2(13.0, 0.0)) < 1e-5, "{first}");
    // Farther out than either bone alone would place it, but within the bounds.
    let bounds = pchr::pose::bounds(character.model(), &pose, &matrices);
    assert!((bounds.max.x - 13.0).abs() < 1e-5, "{bounds:?}");
}
