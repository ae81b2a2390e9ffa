//! What characters on the stage go on with when another file is shown, compared or saved.

use egui::{Key, Modifiers};

use super::lineup::squares;
use super::{Square, TestWindow};
use crate::app::tests::harness::{folder_of, paused};
use crate::compare::lineup::Member;
use pchr::Animator;
use pchr::export::{AttachmentSpec, BoneChange, BoneSpec, StagedCharacter, TrackSpec};
use pchr::formats::image::encode_png;
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
