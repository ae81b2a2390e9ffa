//! The stage: the ground and the size of the character stay, and a file opens with an animation that moves.

use egui::{Event, Key, Modifiers};

use super::harness::TestWindow;
use super::rigs::turning_square;
use crate::common::conformance_files;
use crate::widgets::command::Command;
use pchr::draw::{Filter, View};
use pchr::math::Vec2;
use pchr::pose::{self, Extent};

/// Returns the scale, and where the ground is in the window, in physical pixels from its upper-left corner.
fn ground(it: &mut TestWindow) -> (f32, Vec2) {
    let view: View = it.state_mut().view().expect("a character");
    let corner = it.state().canvas.corner;
    let ground = view.pixel_from_world(Vec2::ZERO) + Vec2::new(corner[0] as f32, corner[1] as f32);
    (view.scale(), ground.round())
}

fn fit(it: &mut TestWindow) {
    it.app().state.run(Command::ZoomFit);
    it.harness.run();
}

fn shown(it: &TestWindow) -> String {
    let animation = it.state().playback.animator.playback(0).animation().expect("an animation");
    it.state().model().expect("a character").animation(animation).name.to_string()
}

#[test]
fn ground_and_size_stay_when_another_animation_is_shown() {
    let mut it = TestWindow::open([1000.0, 700.0], &["paper-lamp.json"]);
    fit(&mut it);
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

/// A box with animations that leave it in place, move it a little, and move it far away.
const TRAVELLER: &str = r#"{"skeleton": {"spine": "3.8.99"}, "bones": [{"name": "root"}],
    "slots": [{"name": "box", "bone": "root", "attachment": "box"}],
    "skins": [{"name": "default", "attachments": {"box": {"box": {"width": 100, "height": 100}}}}],
    "animations": {
        "idle": {"bones": {"root": {"scale": [{}, {"time": 1, "x": 1.1}]}}},
        "near": {"bones": {"root": {"translate": [{}, {"time": 1, "y": 3}]}}},
        "far": {"bones": {"root": {"translate": [{}, {"time": 1, "x": 900}]}}}}}"#;

fn traveller() -> TestWindow {
    TestWindow::of([1000.0, 700.0], &[("traveller.json", TRAVELLER.as_bytes())], |_| {})
}

#[test]
fn the_first_animation_fills_the_canvas() {
    let mut it = traveller();
    assert_eq!(shown(&it), "idle");
    let view = it.state_mut().view().expect("a character");
    assert!(view.scale() * 100.0 > 0.8 * view.height() as f32, "{view:?}");
    assert_eq!(view.world().center().round(), Vec2::ZERO);
}

#[test]
fn the_stage_grows_once_and_gently_when_an_animation_leaves_it() {
    let mut it = traveller();
    let before = ground(&mut it);
    it.key(Key::PageDown);
    assert_eq!((shown(&it).as_str(), ground(&mut it)), ("near", before), "it fits into the view");
    it.harness.key_press(Key::PageDown);
    let mut scales = Vec::new();
    for _ in 0..60 {
        it.harness.input_mut().time = Some(it.harness.ctx.input(|input| input.time) + 1.0 / 60.0);
        it.harness.run_steps(1);
        scales.push(ground(&mut it).0);
    }
    let after = ground(&mut it);
    assert!(scales.is_sorted_by(|a, b| a >= b) && after.0 < 0.5 * before.0, "{scales:?}");
    assert!(scales.iter().filter(|scale| (after.0..before.0).contains(*scale)).count() > 2, "{scales:?}");
    let content = it.state_mut().content().expect("a character");
    let world = it.state_mut().view().expect("a character").world();
    assert_eq!(world.union(content), world);
    for _ in 0..3 {
        it.key(Key::PageUp);
        assert_eq!(ground(&mut it), after);
    }
}

#[test]
fn panels_do_not_move_a_view_that_shows_more_than_it_was_fitted_to() {
    let mut it = traveller();
    let before = ground(&mut it);
    it.key(Key::PageDown);
    it.key(Key::M);
    it.harness.run_steps(3);
    it.key(Key::M);
    it.harness.run_steps(3);
    assert_eq!(ground(&mut it), before);
}

#[test]
fn fitting_again_shows_all_animations() {
    let mut it = traveller();
    let first = ground(&mut it);
    it.app().state.run(Command::ZoomIn);
    fit(&mut it);
    assert_eq!(ground(&mut it), first);
    fit(&mut it);
    assert!(ground(&mut it).0 < 0.5 * first.0);
    fit(&mut it);
    assert_eq!(ground(&mut it), first);
}

#[test]
fn the_view_is_fitted_to_what_the_same_frame_makes_of_the_canvas() {
    let mut it = traveller();
    let key = |key, modifiers| Event::Key { key, physical_key: None, pressed: true, repeat: false, modifiers };
    // The harness would give each of them a frame of its own.
    let events = [key(Key::H, Modifiers::NONE), key(Key::Num0, Modifiers::COMMAND)];
    it.harness.input_mut().events.extend(events);
    it.harness.run();
    let in_one_frame = ground(&mut it);
    let mut it = traveller();
    it.key(Key::H);
    it.press(Modifiers::COMMAND, Key::Num0);
    assert_eq!(in_one_frame, ground(&mut it));
}

#[test]
fn the_stage_stays_when_the_file_changes_and_when_another_one_is_shown() {
    let mut it = traveller();
    it.key(Key::PageDown);
    it.key(Key::PageDown);
    it.key(Key::PageDown);
    let (before, path) = (ground(&mut it), it.path("traveller.json"));
    assert_eq!(shown(&it), "idle");
    std::fs::write(&path, TRAVELLER.replace("\"width\": 100", "\"width\": 90")).expect("a writable file");
    it.app().state.reload();
    it.harness.run();
    assert_eq!(ground(&mut it), before);
    let other = it.path("other.json");
    std::fs::write(&other, TRAVELLER.replace("100", "700")).expect("a writable file");
    it.app().state.open(vec![other]);
    it.harness.run();
    assert_ne!(ground(&mut it), before);
    it.app().state.select(0);
    it.harness.run();
    assert_eq!(ground(&mut it), before);
}

#[test]
fn the_size_stays_when_panels_open_and_close() {
    let mut it = TestWindow::open([1000.0, 700.0], &["paper-knight.pchr"]);
    let (before, content) = (ground(&mut it), it.state_mut().content().expect("a character"));
    let mut kept = Vec::new();
    for key in [Key::D, Key::M, Key::H, Key::A] {
        it.key(key);
        it.harness.run_steps(3);
        let size = Vec2::from(it.state().canvas.size.map(|side| side as f32));
        let has_room = (content.size() * before.0).cmple(size).all();
        assert_eq!(ground(&mut it).0 == before.0, has_room, "{key:?}");
        kept.push(has_room);
        let view = it.state_mut().view().expect("a character");
        assert_eq!(view.world().union(content), view.world(), "{key:?}: all is visible");
        it.key(key);
        it.harness.run_steps(3);
        assert_eq!(ground(&mut it), before, "{key:?}");
    }
    assert!(kept.contains(&true) && kept.contains(&false), "{kept:?}");
    it.key(Key::D);
    fit(&mut it);
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

/// Returns the larger share of the width and the height of the canvas that the figure covers in the shown animation.
fn share(it: &mut TestWindow) -> f32 {
    const MOMENTS: u8 = 9;
    let (mut palette, mut extent) = (Vec::new(), Extent::default());
    for moment in 0..MOMENTS {
        let animator = &mut it.state_mut().playback.animator;
        animator.seek(animator.playback(0).length() * f64::from(moment) / f64::from(MOMENTS));
        it.harness.run_steps(1);
        let (model, pose) = it.state_mut().playback.posed().expect("a character");
        pose::palette(model, pose, &mut palette);
        extent.add(model, pose, &palette);
    }
    let view = it.state_mut().view().expect("a view");
    let size = extent.seen().size() * view.scale() / Vec2::new(view.width() as f32, view.height() as f32);
    size.max_element()
}

#[test]
fn conformance_characters_fill_the_canvas() {
    let parts = ["spine/examples", "spine4/examples", "spine-next/3.6-examples", "spine-next/3.7-examples"];
    let characters: Vec<_> = parts.iter().flat_map(|part| conformance_files(part, "-pro.json")).collect();
    let mut small = Vec::new();
    for path in &characters {
        let mut it = TestWindow::of([1280.0, 720.0], &[], |options| options.subject.files.push(path.clone()));
        let share = share(&mut it);
        println!("{}: {share:.2}", path.display());
        if share < 0.6 {
            small.push(path);
        }
    }
    assert!(small.len() * 10 <= characters.len(), "{small:?} of {}", characters.len());
}
