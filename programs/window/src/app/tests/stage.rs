//! The stage: the ground and the size of the character stay, and a file opens with an animation that moves.

use egui::Key;

use super::harness::TestWindow;
use super::rigs::turning_square;
use crate::widgets::command::Command;
use pchr::draw::{Filter, View};
use pchr::math::Vec2;

/// Returns the scale, and where the ground is in the window, in physical pixels from its upper-left corner.
fn ground(it: &mut TestWindow) -> (f32, Vec2) {
    let view: View = it.state_mut().view().expect("a character");
    let corner = it.state().canvas.corner;
    let ground = view.pixel_from_world(Vec2::ZERO) + Vec2::new(corner[0] as f32, corner[1] as f32);
    (view.scale(), ground.round())
}

fn shown(it: &TestWindow) -> String {
    let animation = it.state().playback.animator.playback(0).animation().expect("an animation");
    it.state().model().expect("a character").animation(animation).name.to_string()
}

#[test]
fn ground_and_size_stay_when_another_animation_is_shown() {
    let mut it = TestWindow::open([1000.0, 700.0], &["paper-lamp.json"]);
    let (before, first) = (ground(&mut it), shown(&it));
    it.key(Key::PageDown);
    assert_ne!(shown(&it), first);
    assert_eq!(ground(&mut it), before);
    // Fitted to the animation only, they do not.
    it.app().state.run(Command::FitAnimation);
    it.harness.run();
    let fitted = ground(&mut it);
    it.key(Key::PageDown);
    assert_ne!(ground(&mut it), fitted);
}

#[test]
fn the_size_stays_when_panels_open_and_close() {
    let mut it = TestWindow::open([1000.0, 700.0], &["paper-knight.pchr"]);
    let (before, content) = (ground(&mut it), it.state_mut().content().expect("a character"));
    for key in [Key::D, Key::M, Key::H, Key::A] {
        it.key(key);
        it.harness.run_steps(3);
        assert_eq!(ground(&mut it).0, before.0, "{key:?}");
        let view = it.state_mut().view().expect("a character");
        assert!(view.pixel_from_world(content.min).y <= view.height() as f32, "{key:?}: the feet are visible");
        it.key(key);
        it.harness.run_steps(3);
        assert_eq!(ground(&mut it), before, "{key:?}");
    }
    it.key(Key::D);
    it.app().state.run(Command::ZoomFit);
    it.harness.run_steps(3);
    let view = it.state_mut().view().expect("a character");
    assert!(view.scale() < before.0, "{} is not less than {}", view.scale(), before.0);
    assert_eq!(view.world().union(content), view.world(), "on demand it fits");
}

#[test]
fn a_window_of_another_size_fits_the_view_again() {
    let mut it = TestWindow::open([1000.0, 700.0], &["paper-lamp.json"]);
    let before = ground(&mut it).0;
    it.key(Key::D);
    it.harness.set_size(egui::vec2(1000.0, 1000.0));
    it.harness.run_steps(3);
    let view = it.state_mut().view().expect("a character");
    let content = it.state_mut().content().expect("a character");
    assert_ne!(view.scale(), before);
    assert_eq!(view.world().union(content), view.world());
}

#[test]
fn a_file_opens_with_what_was_shown_last_or_idle_or_what_moves() {
    // `still` has one frame only.
    let moving = turning_square([255, 0, 0], &[("still", false, 1), ("turn", false, 9)]);
    let idle = turning_square([255, 0, 0], &[("turn", false, 9), ("poses/Idle", false, 9)]);
    let files: [(&str, &[u8]); 2] = [("moving.pchr", &moving), ("idle.pchr", &idle)];
    let folder = super::harness::folder_of(&files);
    let settings = folder.path().join("settings.toml");
    let open = |name: &str| {
        let mut options = super::harness::paused();
        options.subject.files = vec![folder.path().join(name)];
        options.settings = Some(settings.clone());
        let app = crate::app::App::new(&options);
        TestWindow::show([800.0, 600.0], tempfile::tempdir().expect("a folder"), app)
    };
    assert_eq!(shown(&open("moving.pchr")), "turn");
    assert_eq!(shown(&open("idle.pchr")), "poses/Idle");
    let mut it = open("idle.pchr");
    it.key(Key::PageUp);
    assert_eq!(shown(&it), "turn");
    assert_eq!(it.app().save_settings(), None);
    assert_eq!(shown(&open("idle.pchr")), "turn", "as it was left");
}

#[test]
fn sampling_goes_round() {
    let mut it = TestWindow::open([800.0, 600.0], &["paper-lamp.json"]);
    let mut seen = Vec::new();
    for _ in 0..3 {
        it.key(Key::F);
        seen.push(it.state().canvas.filter);
    }
    assert_eq!(seen, [Filter::Nearest, Filter::Linear, Filter::Auto]);
}
