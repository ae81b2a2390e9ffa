//! Which keys deform an attachment that a game shows.

use pchr::Animator;
use pchr::diagnostics::Diagnostics;
use pchr::formats::{Input, NO_SIDECARS, ReadOptions};
use pchr::math::{Vec2, vec2};
use pchr::motion::{Lifetime, SlotOverride};
use pchr::pose::for_each_deformed_vertex;

use crate::common::memory::allocations;

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
    let character =
        pchr::formats::spine::read_character(&input, &ReadOptions::default(), &mut Diagnostics::default());
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
