//! What characters on the stage go on with when another file is shown, compared or saved.

use egui::Key;

use super::lineup::squares;
use super::{Square, TestWindow};
use crate::app::tests::harness::{folder_of, paused};
use crate::compare::member::Member;
use pchr::Animator;
use pchr::export::{AttachmentSpec, BoneChange, BoneSpec, StagedCharacter, TrackSpec};
use pchr::formats::image::encode_png;
use pchr::math::vec2;
use pchr::player::LoopMode;

const SIZE: [f32; 2] = [1000.0, 600.0];

impl TestWindow {
    fn companion(&mut self, place: usize) -> &mut Member {
        &mut self.state_mut().lineup.members[place]
    }

    fn shown_animator(&mut self) -> &mut Animator {
        &mut self.state_mut().playback.animator
    }

    /// Shows the file at `index` of the list.
    fn show_file(&mut self, index: usize) {
        self.state_mut().select(index);
        self.harness.run();
    }
}

/// Returns the name of the animation on a track.
fn played(animator: &Animator, track: usize) -> Option<&str> {
    let id = animator.playback(track).animation()?;
    Some(&animator.model().animation(id).name)
}

#[test]
fn swapping_compared_files_keeps_playback_and_camera_on_a_stage_too() {
    let mut it = squares(10.0);
    it.key(Key::J);
    it.start();
    it.shown_animator().set_speed(2.0);
    it.shown_animator().seek(3.0);
    it.state_mut().hold_view();
    let camera = it.state().canvas.camera;
    it.state_mut().swap_sides();
    it.harness.run();
    assert_eq!(it.state().current().expect("a file").name(), "b.pchr");
    let animator = it.shown_animator();
    assert_eq!((animator.speed(), animator.playback(0).position()), (2.0, 3.0));
    assert_eq!(it.state().canvas.camera, camera);
    // The other one goes on on the stage as it was compared.
    it.state_mut().compare.second = None;
    it.harness.run();
    assert_eq!(it.companion(0).playback.animator.playback(0).position(), 3.0);
}

#[test]
fn controls_that_were_changed_before_a_click_hold_for_the_companion_that_it_shows() {
    let mut it = squares(10.0);
    it.key(Key::J);
    let animator = it.shown_animator();
    animator.set_playing(true);
    animator.set_speed(2.0);
    animator.set_interpolate(true);
    animator.set_fade_secs(0.25);
    animator.set_loop_mode(LoopMode::PingPong);
    it.state_mut().select(2);
    let animator = it.shown_animator();
    assert!(animator.is_playing() && animator.interpolates());
    assert_eq!((animator.speed(), animator.fade_secs()), (2.0, 0.25));
    assert_eq!(animator.loop_mode(), LoopMode::PingPong);
}

/// Plays `run` on track 1, from half a second on.
fn runs_later() -> TrackSpec {
    TrackSpec { at_secs: 0.5, ..TrackSpec::new(1, "run".to_owned()) }
}

#[test]
fn tracks_begin_later_when_another_character_is_shown() {
    for is_shown_again in [false, true] {
        let mut it = squares(10.0);
        it.key(Key::J);
        it.state_mut().playback.later = vec![runs_later()];
        it.key(Key::Space);
        it.let_seconds_pass(0.2);
        it.show_file(1);
        if is_shown_again {
            it.let_seconds_pass(0.1);
            it.show_file(0);
            it.let_seconds_pass(0.4);
            assert_eq!(played(it.shown_animator(), 1), Some("run"));
        } else {
            it.let_seconds_pass(0.5);
            assert_eq!(played(&it.companion(0).playback.animator, 1), Some("run"));
            assert_eq!(played(it.shown_animator(), 1), None, "it has no such track");
        }
    }
}

#[test]
fn tracks_of_a_companion_in_a_scene_begin_later() {
    let mut it = squares(10.0);
    it.state_mut().toggle_lineup();
    it.companion(2).spec = StagedCharacter { tracks: vec![runs_later()], ..StagedCharacter::default() };
    it.harness.run();
    it.key(Key::Space);
    it.let_seconds_pass(0.4);
    assert_eq!(played(&it.companion(2).playback.animator, 1), None);
    it.let_seconds_pass(0.2);
    assert_eq!(played(&it.companion(2).playback.animator, 1), Some("run"));
}

#[test]
fn in_and_out_points_hold_while_their_file_is_shown() {
    let mut it = squares(10.0);
    it.key(Key::J);
    it.state_mut().playback.set_range(Some(2..=4));
    it.show_file(1);
    assert_eq!(it.companion(0).playback.range(), None, "no control shows them");
    it.show_file(0);
    assert_eq!(it.state().playback.range(), Some(2..=4));
}

#[test]
fn companions_loop_as_the_shown_character() {
    let mut it = squares(10.0);
    it.key(Key::J);
    for mode in [LoopMode::PingPong, LoopMode::Authored] {
        it.shown_animator().set_loop_mode(mode);
        it.harness.run();
        let modes = [1, 2].map(|place| it.companion(place).playback.animator.playback(0).loop_mode());
        assert_eq!(modes, [mode; 2]);
    }
}

#[test]
fn other_tracks_of_a_companion_play_on_if_it_is_saved_without_its_first_animation() {
    let mut it = squares(0.0);
    it.key(Key::J);
    let companion = it.companion(2);
    companion.spec.start = 0.3;
    let animator = &mut companion.playback.animator;
    animator.show(animator.model().find_animation("run"));
    animator.play_on(1, "stroll").unwrap().seek(5.0);
    it.rewrite("c.pchr", &Square { animations: &[("stroll", 10)], ..Square::default() }.bytes());
    let animator = &it.companion(2).playback.animator;
    assert_eq!([0, 1].map(|track| played(animator, track)), [Some("stroll"); 2]);
    assert_eq!([0, 1].map(|track| animator.playback(track).position()), [0.0, 5.0]);
}

#[test]
fn a_saved_companion_keeps_moved_bones_by_name() {
    let bytes = |frames| Square { bones: 2, animations: &[("walk", frames)], ..Square::default() }.bytes();
    let mut it = TestWindow::of(SIZE, &[("a.pchr", &bytes(10)), ("b.pchr", &bytes(10))], |_| {});
    it.state_mut().toggle_lineup();
    let turned = |bone: &str, degrees| BoneSpec { bone: bone.to_owned(), change: BoneChange::Degrees(degrees) };
    it.companion(1).spec.bones = vec![turned("extra 1", 30.0), turned("extra 2", 60.0)];
    it.harness.run();
    let moved = |it: &mut TestWindow| -> Vec<String> {
        let animator = &it.companion(1).playback.animator;
        let bones = animator.model().skeleton().bones();
        animator.bone_overrides().iter().map(|put| bones[put.bone.index()].name.to_string()).collect()
    };
    assert_eq!(moved(&mut it), ["extra 1", "extra 2"]);
    it.companion(1).playback.animator.release_bone("extra 1").unwrap();
    it.rewrite("b.pchr", &bytes(5));
    assert_eq!(moved(&mut it), ["extra 2"]);
    it.companion(1).playback.animator.release_bones();
    it.companion(1).playback.animator.move_bone("extra 1", vec2(3.0, 4.0)).unwrap();
    it.rewrite("b.pchr", &bytes(6));
    assert_eq!(moved(&mut it), ["extra 1"]);
}

/// A Spine skeleton with a box that has pictures `a` and `b` in a skin.
fn boxed(skin: &str) -> Vec<u8> {
    let text = format!(
        r#"{{"skeleton": {{"spine": "4.2.00"}}, "bones": [{{"name": "root"}}],
        "slots": [{{"name": "box", "bone": "root", "attachment": "a"}}],
        "skins": [{{"name": "default"}}, {{"name": "{skin}", "attachments": {{"box": {{
        "a": {{"width": 100, "height": 100}}, "b": {{"path": "a", "width": 50, "height": 50}}}}}}}}]}}"#
    );
    text.into_bytes()
}

/// Opens a square and a box in a red skin.
fn square_and_box() -> TestWindow {
    let atlas = b"b.png\nsize: 1, 1\nfilter: Linear, Linear\na\nbounds: 0, 0, 1, 1\n";
    let png = encode_png(1, 1, &[9, 9, 9, 255]).expect("a PNG");
    let (square, boxed) = (Square::default().bytes(), boxed("red"));
    let files: [(&str, &[u8]); 4] = [("a.pchr", &square), ("b.json", &boxed), ("b.atlas", atlas), ("b.png", &png)];
    let folder = folder_of(&files);
    let mut options = paused();
    options.subject.files = ["a.pchr", "b.json"].map(|name| folder.path().join(name)).into();
    TestWindow::new(SIZE, folder, &options)
}

#[test]
fn a_saved_companion_keeps_chosen_attachments_by_name() {
    let mut it = square_and_box();
    it.state_mut().toggle_lineup();
    it.companion(1).spec.attachments =
        vec![AttachmentSpec { slot: "box".to_owned(), attachment: Some("b".to_owned()) }];
    it.harness.run();
    let chosen = |it: &mut TestWindow| -> Vec<Option<String>> {
        let animator = &it.companion(1).playback.animator;
        let name = |id| animator.model().attachment(id).name().to_owned();
        animator.slot_overrides().iter().map(|put| put.attachment.expect("it is chosen").map(name)).collect()
    };
    assert_eq!(chosen(&mut it), [Some("b".to_owned())]);
    it.companion(1).playback.animator.set_attachment("box", None).unwrap();
    it.rewrite("b.json", &boxed("red"));
    assert_eq!(chosen(&mut it), [None::<String>]);
    it.companion(1).playback.animator.release_slots();
    it.rewrite("b.json", &boxed("red"));
    assert!(chosen(&mut it).is_empty());
}

/// Returns the names of the skins of the companion.
fn worn(it: &mut TestWindow) -> Vec<String> {
    let animator = &it.companion(1).playback.animator;
    animator.skins().iter().map(|&id| animator.model().skin(id).name.to_string()).collect()
}

#[test]
fn a_companion_that_is_saved_without_its_skins_puts_on_others() {
    for is_chosen_by_user in [false, true] {
        let mut it = square_and_box();
        it.state_mut().toggle_lineup();
        it.companion(1).spec.skins = vec!["red".to_owned()];
        it.harness.run();
        if is_chosen_by_user {
            it.show_file(1);
            it.show_file(0);
        }
        assert_eq!(worn(&mut it), ["red"]);
        it.rewrite("b.json", &boxed("green"));
        assert_eq!(worn(&mut it), ["green"]);
    }
}

#[test]
fn a_scene_states_skins_by_index_and_none_too() {
    for (stated, expected) in [("#1", &["red"][..]), ("none", &[][..])] {
        let mut it = square_and_box();
        it.state_mut().toggle_lineup();
        it.companion(1).spec.skins = vec![stated.to_owned()];
        it.harness.run();
        assert_eq!(worn(&mut it), expected, "{stated}");
    }
}

#[test]
fn a_pause_between_frames_is_not_resumed_in_another_file() {
    let mut it = squares(10.0);
    it.key(Key::J);
    it.key(Key::Space);
    it.let_seconds_pass(0.25);
    it.key(Key::Space);
    assert!(it.state().playback.paused.is_some());
    it.show_file(1);
    it.shown_animator().seek(2.0);
    it.key(Key::Space);
    assert_eq!(it.shown_animator().playback(0).position(), 2.0);
}
