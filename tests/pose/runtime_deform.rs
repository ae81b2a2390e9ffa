//! Which keys deform an attachment that a game shows.

use pchr::diagnostics::Diagnostics;
use pchr::formats::{Input, NO_SIDECARS, ReadOptions};
use pchr::math::{Vec2, vec2};
use pchr::motion::{Cue, Lifetime, Position, SlotOverride, evaluate};
use pchr::pose::{Pose, for_each_deformed_vertex};
use pchr::{Animator, Character};

use crate::common::memory::allocations;
use crate::common::ours;
use crate::common::random::Random;

const MESH: &str = r#""type":"mesh","uvs":[0,1,1,1,0,0],"triangles":[0,1,2],"hull":3,"vertices":[0,0,10,0,0,10]"#;

/// Returns a character whose slot `hand` has the meshes `a`, `b` and a linked mesh of `b`, and shows `rest`. Its keys move the
/// first corner of `a` up and that of `b` to the right; `swap` also keys what is shown.
fn hand(rest: &str) -> Animator {
    let keys = r#""attachments":{"default":{
        "hand":{"a":{"deform":[{},{"time":1,"vertices":[0,8]}]},"b":{"deform":[{},{"time":1,"vertices":[6,0]}]}},
        "foot":{"c":{"deform":[{},{"time":1,"vertices":[4,4]}]}}}}"#;
    let text = format!(
        r#"{{"skeleton":{{"spine":"4.2.40"}},"bones":[{{"name":"root"}}],
        "slots":[{{"name":"hand","bone":"root","attachment":"{rest}"}},{{"name":"foot","bone":"root","attachment":"c"}}],
        "skins":[{{"name":"default","attachments":{{
            "hand":{{"a":{{{MESH}}},"b":{{{MESH}}},"linked":{{"type":"linkedmesh","parent":"b"}}}},
            "foot":{{"c":{{{MESH}}}}}}}}}],
        "animations":{{"play":{{{keys}}},
            "swap":{{"slots":{{"hand":{{"attachment":[{{"name":"a"}},{{"time":0.5,"name":"b"}}]}}}},{keys}}}}}}}"#
    );
    let input = Input { bytes: text.into_bytes().into(), sidecars: NO_SIDECARS };
    let character = pchr::formats::from_input(&input, &ReadOptions::default(), &mut Diagnostics::default());
    Animator::new(character.expect("a hand"))
}

/// Returns the name of what the hand shows, and the place of its first corner.
fn corner(animator: &Animator) -> (String, Vec2) {
    let (model, pose) = (animator.model(), animator.pose());
    let state = &pose.slots[0];
    let shown = model.attachment(state.attachment.expect("something is shown"));
    let mut corners = Vec::new();
    let mesh = shown.mesh().expect("a mesh");
    for_each_deformed_vertex(&mesh.vertices, pose.deform_of(state), animator.palette(), |corner, _| {
        corners.push(corner);
    });
    (shown.name().to_owned(), corners[0])
}

#[test]
fn a_shown_attachment_is_deformed_by_its_own_keys_as_if_the_slot_showed_it_by_itself() {
    for (name, expected) in [("a", vec2(0.0, 4.0)), ("b", vec2(3.0, 0.0)), ("linked", vec2(3.0, 0.0))] {
        let (mut changed, mut own) = (hand("a"), hand(name));
        changed.set_attachment("hand", Some(name)).expect("an attachment");
        for animator in [&mut changed, &mut own] {
            animator.play("play").expect("an animation");
            animator.update(0.25);
            animator.update(0.25);
            assert_eq!(corner(animator), (name.to_owned(), expected));
        }
        assert_eq!(changed.pose(), own.pose(), "{name}");
    }
}

#[test]
fn keys_of_another_slot_do_not_deform_an_attachment() {
    let mut animator = hand("a");
    let [hand, foot] = ["hand", "foot"].map(|name| animator.model().find_slot(name).expect("a slot"));
    let c = animator.attachment("foot", "c").expect("an attachment");
    animator.override_slot(SlotOverride::showing(hand, c));
    animator.play("play").expect("an animation");
    animator.update(0.5);
    assert_eq!(corner(&animator), ("c".to_owned(), Vec2::ZERO));
    let state = &animator.pose().slots[foot.index()];
    assert_eq!(animator.pose().deform_of(state)[0], vec2(2.0, 2.0), "the slot of the keys shows it as well");
}

#[test]
fn a_released_slot_shows_what_animations_have_set_meanwhile() {
    let mut changed = hand("a");
    let mut own = hand("a");
    for animator in [&mut changed, &mut own] {
        animator.set_fade_secs(0.25);
        animator.play("play").expect("an animation");
        animator.update(0.125);
        animator.play("swap").expect("an animation");
    }
    changed.set_attachment("hand", Some("a")).expect("an attachment");
    for _ in 0..6 {
        changed.update(0.125);
        own.update(0.125);
    }
    // The keys of `swap` show `b` since half a second, but the caller has chosen `a`, which is deformed.
    assert_eq!(corner(&changed), ("a".to_owned(), vec2(0.0, 6.0)));
    assert_eq!(corner(&own), ("b".to_owned(), vec2(4.5, 0.0)));
    changed.release_slot("hand").expect("a slot");
    changed.update(0.125);
    own.update(0.125);
    assert_eq!(corner(&changed), ("b".to_owned(), vec2(5.25, 0.0)));
    assert_eq!(changed.pose(), own.pose());
}

#[test]
fn choices_for_one_frame_leave_no_trace_and_allocate_nothing() {
    let (mut changed, mut own) = (hand("a"), hand("a"));
    let slot = changed.model().find_slot("hand").expect("a slot");
    let shown = ["a", "b", "linked"].map(|name| Some(changed.attachment("hand", name).expect("an attachment")));
    for animator in [&mut changed, &mut own] {
        animator.set_fade_secs(0.25);
        animator.play("swap").expect("an animation");
        for _ in 0..9 {
            animator.queue("play").expect("an animation");
            animator.queue("swap").expect("an animation");
        }
        animator.update(0.0);
    }
    let mut frame = |index: usize| {
        let attachment = [None, shown[0], shown[1], shown[2]][index % 4];
        let lifetime = Lifetime::ThisFrame;
        changed.override_slot(SlotOverride { attachment: Some(attachment), lifetime, ..SlotOverride::new(slot) });
        changed.update(1.0 / 60.0);
        assert_eq!(changed.pose().slots[0].attachment, attachment);
        changed.update(1.0 / 60.0);
        own.update(1.0 / 60.0);
        own.update(1.0 / 60.0);
        assert_eq!(changed.pose().slots[0].attachment, own.pose().slots[0].attachment, "{index}");
    };
    (0..40).for_each(&mut frame);
    assert_eq!(allocations(|| (40..200).for_each(&mut frame)), 0);
}

/// Returns characters with deformations, paths, sequences and clip masks.
fn fixtures() -> Vec<Character> {
    let names = ["spine/own/meshes-skins", "spine/own/path-chain", "spine/own/interplay", "spine/own/clipping"];
    let later = ["spine4/4.1/sequences", "spine4/4.2/meshes-skins", "spine4/4.2/fuzz-002"];
    let open = |path: &str| {
        let name = path.rsplit('/').next().expect("a name");
        Character::open(ours(&format!("{path}/{name}.json"))).expect("a character")
    };
    names.into_iter().chain(later).map(open).collect()
}

#[test]
fn what_a_slot_shows_anyway_changes_nothing() {
    let mut deformed = 0;
    for character in fixtures() {
        let model = character.model();
        for (animation, skin) in model.animation_ids().flat_map(|id| model.skin_ids().map(move |skin| (id, skin)))
        {
            for position in [0.0, 0.3, 0.9].map(Position::Seconds) {
                let plain = Cue { animation: Some(animation), position, skins: vec![skin], ..Cue::default() };
                let (mut expected, mut found) = (Pose::default(), Pose::default());
                evaluate(&character, &plain, &mut expected);
                let shown = |slot: pchr::model::SlotId| {
                    let shown = expected.slots[slot.index()].attachment.map(|id| model.authored_attachment(id));
                    SlotOverride { attachment: Some(shown), ..SlotOverride::new(slot) }
                };
                let slots = model.slot_ids().map(shown).collect();
                evaluate(&character, &Cue { slots, ..plain }, &mut found);
                assert_eq!(found, expected);
                deformed += expected.slots.iter().filter(|slot| slot.deform.count > 0).count();
            }
        }
    }
    assert!(deformed > 50, "{deformed} deformed slots");
}

#[test]
fn any_attachment_can_be_shown_anywhere_and_leaves_no_trace() {
    for character in fixtures() {
        let model = character.model().clone();
        let mut random = Random(3);
        let mut animator = Animator::new(character);
        animator.set_fade_secs(0.2);
        let animations: Vec<_> = model.animation_ids().collect();
        let (slots, attachments): (Vec<_>, Vec<_>) =
            (model.slot_ids().collect(), model.attachment_ids().collect());
        for frame in 0..300 {
            if frame % 7 == 0 {
                let animation = animations[random.below(animations.len())];
                animator.play_on(random.below(2), animation).expect("an animation");
            }
            let slot = slots[random.below(slots.len())];
            let lifetime = [Lifetime::UntilKeyed, Lifetime::Always, Lifetime::ThisFrame][random.below(3)];
            let shown = SlotOverride::showing(slot, attachments[random.below(attachments.len())]);
            animator.override_slot(SlotOverride { lifetime, ..shown });
            if frame % 50 == 49 {
                animator.release_slots();
            }
            animator.update(0.05);
            assert!(animator.pose().world_from_bone.iter().all(|bone| bone.is_finite()), "{frame}");
        }
        animator.release_slots();
        animator.show(Some(animations[0]));
        animator.refresh();
        let mut fresh = Animator::new(animator.character().clone());
        fresh.show(Some(animations[0]));
        fresh.refresh();
        assert_eq!(animator.pose(), fresh.pose());
    }
}
