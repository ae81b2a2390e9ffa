//! The contents of the window, driven as users and screen readers would, without a window.

use std::fs;
use std::path::Path;

use crate::common::v1::{self as schema, write};
use crate::scene::background::Background;
use crate::scene::camera::Camera;
use crate::scene::{CpuSceneRenderer, Scene};
use crate::widgets::actions::{Dialog, Request};
use egui::accesskit::Role;
use egui::{Key, Modifiers, vec2};
use egui_kittest::kittest::Queryable;
use pchr::draw::Picture;
use pchr::player::LoopMode;

use crate::app::tests::harness::TestWindow;
use crate::app::tests::rigs::turning_square;

/// A rotating square with the animations `idle` (10 frames, loops) and `jump` (5 frames, plays once) at 10 fps.
fn character() -> Vec<u8> {
    turning_square([200, 80, 40], &[("bind", false, 1), ("idle", true, 10), ("jump", false, 5)])
}

fn hero() -> TestWindow {
    TestWindow::of([1000.0, 700.0], &[("hero.pchr", &character())], |_| {})
}

impl TestWindow {
    fn is_playing(&self) -> bool {
        self.harness.state().state.playback.animator.is_playing()
    }
}

#[test]
fn dragging_on_the_timeline_changes_the_frame_and_stops_time() {
    let mut it = hero();
    it.key(Key::Space);
    let timeline = it.harness.get_by_role_and_label(Role::Slider, "Time").rect();
    let at = |share: f32| timeline.left_center() + vec2(10.0 + (timeline.width() - 20.0) * share, 10.0);
    it.harness.drag_at(at(0.02));
    it.harness.run_steps(1);
    assert_eq!(it.frame(), 0);
    for (share, frame) in [(0.42, 4), (0.88, 9), (0.22, 2)] {
        it.harness.hover_at(at(share));
        it.harness.run_steps(1);
        it.harness.state_mut().advance(0.3);
        assert_eq!(it.frame(), frame, "at {share}");
    }
    it.harness.drop_at(at(0.22));
    it.harness.run_steps(2);
    assert!(it.is_playing());
    it.let_seconds_pass(0.3);
    assert_eq!(it.frame(), 5, "it continues from where it was dropped");
}

#[test]
fn a_screen_reader_moves_the_playhead() {
    let mut it = hero();
    it.harness.get_by_role_and_label(Role::Slider, "Time").set_value_accesskit(7.0);
    it.harness.run();
    assert_eq!(it.frame(), 7);
    it.harness.get_by_role_and_label(Role::Slider, "Time").increment_accesskit();
    it.harness.run();
    assert_eq!(it.frame(), 8);
}

#[test]
fn play_plays_and_pause_pauses() {
    let mut it = hero();
    it.let_seconds_pass(0.5);
    assert_eq!(it.frame(), 0);
    it.click("Play");
    it.let_seconds_pass(0.5);
    assert_eq!(it.frame(), 5);
    it.click("Pause");
    it.let_seconds_pass(0.5);
    assert_eq!(it.frame(), 5);
}

#[test]
fn buttons_and_keys_step_through_the_frames() {
    let mut it = hero();
    it.click("One frame forward");
    it.key(Key::Period);
    it.key(Key::ArrowRight);
    assert_eq!(it.frame(), 3);
    it.key(Key::Comma);
    assert_eq!(it.frame(), 2);
    it.key(Key::End);
    assert_eq!(it.frame(), 9);
    it.key(Key::ArrowRight);
    assert_eq!(it.frame(), 0, "a loop wraps around");
    it.press(Modifiers::SHIFT, Key::ArrowRight);
    assert_eq!(it.frame(), 0, "ten frames of ten");
    it.click("Last frame");
    it.key(Key::Home);
    assert_eq!(it.frame(), 0);
}

#[test]
fn an_animation_is_selected_by_click_and_by_key() {
    let mut it = hero();
    let shown = |it: &TestWindow| {
        let state = &it.harness.state().state;
        let id = state.playback.animator.playback(0).animation().unwrap();
        state.model().unwrap().animation(id).name.clone()
    };
    assert_eq!(shown(&it), "idle", "the bind pose is listed, but not the default");
    it.harness.get_by_label_contains("jump").click();
    it.harness.run();
    assert_eq!(shown(&it), "jump");
    it.key(Key::Num1);
    assert_eq!(shown(&it), "bind");
    it.key(Key::PageDown);
    assert_eq!(shown(&it), "idle");
    it.key(Key::PageUp);
    it.key(Key::PageUp);
    assert_eq!(shown(&it), "jump", "the list wraps around");
}

#[test]
fn the_loop_mode_cycles_through_its_choices() {
    let mut it = hero();
    let mode = |it: &TestWindow| it.harness.state().state.playback.animator.loop_mode();
    for expected in [LoopMode::Loop, LoopMode::Once, LoopMode::PingPong, LoopMode::Authored] {
        it.key(Key::L);
        assert_eq!(mode(&it), expected);
    }
    it.harness.get_by_value("Loop as authored").click();
    it.harness.run();
    it.click("Ping-pong");
    assert_eq!(mode(&it), LoopMode::PingPong);
}

#[test]
fn speed_and_interpolation_are_set() {
    let mut it = hero();
    it.key(Key::CloseBracket);
    assert_eq!(it.harness.state().state.playback.animator.speed(), 1.5);
    it.key(Key::OpenBracket);
    it.key(Key::OpenBracket);
    assert_eq!(it.harness.state().state.playback.animator.speed(), 0.75);
    it.click("Interpolate");
    assert!(it.harness.state().state.playback.animator.interpolates());
}

#[test]
fn an_empty_window_says_what_to_do() {
    let it = TestWindow::of([1000.0, 700.0], &[], |_| {});
    for text in ["Open a character", "Drop files here", "PCHR", "Ctrl+0"] {
        assert!(it.says(text), "{text}");
    }
    assert!(!it.says("Frame"));
}

#[test]
fn a_broken_file_shows_its_error_and_others_still_open() {
    let hero = character();
    let mut it = TestWindow::of([1000.0, 700.0], &[("cut.pchr", &hero[..200]), ("hero.pchr", &hero)], |_| {});
    assert!(it.says("cut.pchr cannot be opened"));
    assert!(it.says("byte"), "the error says where");
    it.click("hero.pchr");
    assert!(it.says("square") || it.says("idle"));
}

#[test]
fn a_file_that_breaks_is_shown_under_a_banner_until_it_is_readable() {
    let mut it = hero();
    it.harness.get_by_label_contains("jump").click();
    it.harness.run();
    it.key(Key::ArrowRight);
    it.key(Key::ArrowRight);
    it.press(Modifiers::COMMAND, Key::Num1);
    let camera = it.harness.state().state.canvas.camera;
    let path = it.path("hero.pchr");
    let good = fs::read(&path).unwrap();

    fs::write(&path, &good[..good.len() / 2]).unwrap();
    it.harness.state_mut().state.files_changed(&|changed: &Path| changed == path);
    it.harness.run();
    assert!(it.says("its last readable version is shown"));
    assert_eq!(it.frame(), 2);

    fs::remove_file(&path).unwrap();
    it.key(Key::F5);
    assert!(it.says("its last readable version is shown"));

    fs::write(&path, &good).unwrap();
    it.click("Try again");
    assert!(!it.says("its last readable version is shown"));
    let state = &it.harness.state().state;
    let id = state.playback.animator.playback(0).animation().unwrap();
    assert_eq!(state.model().unwrap().animation(id).name, "jump");
    assert_eq!((state.playback.animator.playback(0).frame(), state.canvas.camera), (2, camera));
}

#[test]
fn every_file_keeps_its_position() {
    let hero = character();
    let mut it = TestWindow::of([1000.0, 700.0], &[("a.pchr", &hero), ("b.pchr", &hero)], |_| {});
    it.key(Key::ArrowRight);
    it.press(Modifiers::COMMAND, Key::PageDown);
    assert_eq!((it.harness.state().state.current_index(), it.frame()), (1, 0));
    it.press(Modifiers::COMMAND, Key::PageDown);
    assert_eq!((it.harness.state().state.current_index(), it.frame()), (0, 1));
}

#[test]
fn help_lists_every_key_and_closes_again() {
    let mut it = hero();
    it.press(Modifiers::SHIFT, Key::Questionmark);
    for row in crate::palette::listing::rows() {
        assert!(it.says(row.label), "{}", row.label);
        assert!(it.says(&row.keys()), "{}", row.keys());
    }
    it.key(Key::Escape);
    assert!(!it.harness.state().state.help.is_open);
    it.key(Key::F1);
    it.click("Close help");
    assert!(!it.harness.state().state.help.is_open);
}

#[test]
fn h_hides_and_shows_everything_around_the_canvas() {
    let mut it = hero();
    let [width, height] = it.harness.state().state.canvas.size;
    it.key(Key::H);
    assert!(it.harness.query_by_label("Play").is_none());
    let [all, high] = it.harness.state().state.canvas.size;
    assert!(all > width + 150 && high > height + 100, "{all}×{high}");
    it.key(Key::H);
    assert!(it.harness.query_by_label("Play").is_some());
}

#[test]
fn the_wheel_zooms_and_keys_reset_the_zoom() {
    let mut it = hero();
    it.press(Modifiers::COMMAND, Key::Num1);
    let scale = |it: &mut TestWindow| it.harness.state_mut().state.view().unwrap().scale();
    assert_eq!(scale(&mut it), 1.0);
    it.press(Modifiers::COMMAND, Key::Plus);
    assert!(scale(&mut it) > 1.0);
    let canvas = it.harness.get_by_label_contains("hero.pchr, idle").rect();
    it.harness.hover_at(canvas.center());
    it.harness.event(egui::Event::MouseWheel {
        unit: egui::MouseWheelUnit::Point,
        delta: vec2(0.0, 400.0),
        phase: egui::TouchPhase::Move,
        source: egui::MouseWheelSource::Wheel,
        modifiers: Modifiers::NONE,
    });
    it.harness.run();
    assert!(scale(&mut it) > 4.0);
    it.press(Modifiers::COMMAND, Key::Num0);
    assert_eq!(it.harness.state().state.canvas.camera, Camera::Fit);
}

#[test]
fn dragging_the_canvas_moves_the_view() {
    let mut it = hero();
    let middle = it.harness.get_by_label_contains("hero.pchr, idle").rect().center();
    it.harness.drag_at(middle);
    it.harness.run_steps(1);
    it.harness.hover_at(middle + vec2(60.0, 0.0));
    it.harness.run_steps(1);
    it.harness.drop_at(middle + vec2(60.0, 0.0));
    it.harness.run();
    let Camera::Free { center, .. } = it.harness.state().state.canvas.camera else { panic!("it has not moved") };
    assert!(center.x < 0.0, "the world moved right, so the centre is further left");
}

#[test]
fn a_screenshot_is_written_to_its_folder_and_never_overwrites_one() {
    let mut it = hero();
    it.key(Key::S);
    it.key(Key::F12);
    let first = it.path("screenshots/hero-idle-0000.png");
    assert!(it.says("hero-idle-0000-2.png"), "the notice names the file");
    let beside = fs::read_dir(it.folder.path()).unwrap().count();
    assert_eq!(beside, 2, "only the character and the folder of screenshots");
    let bytes = fs::read(&first).unwrap();
    let decoder = png::Decoder::new(std::io::Cursor::new(&bytes));
    let mut reader = decoder.read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut pixels).unwrap();
    assert_eq!([info.width, info.height], it.harness.state().state.canvas.size);
    let middle = ((info.height / 2 * info.width + info.width / 2) * 4) as usize;
    assert_eq!(pixels[middle..middle + 4], [200, 80, 40, 255]);
    assert_eq!(pixels[..4], [0, 0, 0, 0], "transparent where the canvas shows squares");
}

#[test]
fn the_notice_of_a_screenshot_shows_its_folder() {
    let mut it = hero();
    it.key(Key::S);
    it.click("Show in folder");
    let folder = it.path("screenshots");
    assert_eq!(std::mem::take(&mut it.state_mut().requests), [Request::OpenFolder(folder)]);
    it.state_mut().notify("something else");
    it.harness.run();
    assert!(it.harness.query_by_label("Show in folder").is_none());
}

#[test]
fn a_folder_that_cannot_be_made_is_an_error() {
    let mut it = hero();
    let file = it.path("hero.pchr");
    it.state_mut().screenshots = Some(file.join("below"));
    it.key(Key::S);
    assert!(it.says("Cannot save the screenshot in ") && it.says("hero.pchr"));
    assert!(it.harness.query_by_label("Show in folder").is_none());
}

#[test]
fn a_key_held_down_triggers_once_or_repeats() {
    let mut it = hero();
    for _ in 0..3 {
        for key in [Key::Space, Key::ArrowUp, Key::S, Key::ArrowRight] {
            it.harness.key_down(key);
            it.harness.run_steps(1);
        }
    }
    assert!(!it.is_playing(), "a step pauses");
    assert_eq!(it.frame(), 3);
    assert!(!it.says("-2.png") && !it.path("screenshots/hero-idle-0001.png").exists());
    it.harness.key_up(Key::S);
    it.key(Key::S);
    assert!(it.path("screenshots/hero-idle-0003.png").exists());
}

#[test]
fn time_continues_if_the_timeline_is_hidden_while_it_is_dragged() {
    let mut it = hero();
    it.key(Key::Space);
    it.harness.drag_at(it.harness.get_by_role_and_label(Role::Slider, "Time").rect().center());
    it.harness.run_steps(1);
    assert!(it.harness.state().state.playback.scrubbing);
    it.key(Key::H);
    assert!(!it.harness.state().state.playback.scrubbing && it.harness.state().is_moving());
}

#[test]
fn a_changed_file_in_the_background_is_reloaded_when_it_is_shown() {
    let hero = character();
    let mut it = TestWindow::of([1000.0, 700.0], &[("a.pchr", &hero), ("b.pchr", &hero)], |_| {});
    it.press(Modifiers::COMMAND, Key::PageDown);
    let path = it.path("a.pchr");
    fs::write(&path, b"PCHR").unwrap();
    it.harness.state_mut().state.files_changed(&|changed: &Path| changed == path);
    it.harness.run();
    assert!(it.harness.state().state.documents()[0].error().is_none());
    it.press(Modifiers::COMMAND, Key::PageDown);
    assert!(it.says("its last readable version is shown"));
}

#[test]
fn the_background_is_in_the_screenshot() {
    let mut it = hero();
    it.harness.state_mut().state.overlays.background = Background::Color([1, 2, 3]);
    let scene = it.harness.state_mut().scene().unwrap();
    let picture = crate::scene::picture(&scene);
    assert_eq!(picture.pixel(0, 0), [1, 2, 3, 255]);
}

#[test]
fn a_missing_animation_is_reported() {
    let it = TestWindow::of([1000.0, 700.0], &[("hero.pchr", &character())], |options| {
        options.subject.animations = vec!["fly".to_owned()];
    });
    assert!(it.says("hero.pchr has no animation “fly”"));
    let it = TestWindow::of([1000.0, 700.0], &[("hero.pchr", &character())], |options| {
        options.subject.animations = vec!["#2".to_owned()];
    });
    assert!(it.says("hero.pchr, jump"));
}

#[test]
fn the_window_starts_where_the_command_line_says() {
    let open = |frames: Option<&str>, time| {
        TestWindow::of([1000.0, 700.0], &[("hero.pchr", &character())], |options| {
            options.subject.frames = frames.map(|text| text.parse().unwrap());
            options.subject.time = time;
        })
    };
    let it = open(Some("-1"), None);
    let state = &it.harness.state().state;
    let count =
        state.model().unwrap().animation(state.playback.animator.playback(0).animation().unwrap()).frame_count();
    assert!(!state.playback.animator.is_playing());
    assert_eq!(state.playback.animator.playback(0).frame(), count - 1);
    let it = open(None, Some(1e-3));
    let animator = &it.harness.state().state.playback.animator;
    assert!(!animator.is_playing() && animator.interpolates() && animator.playback(0).position() > 0.0);
    assert!(open(Some("9999"), None).says("has no frame 9999"));
}

#[test]
fn keys_for_the_window_are_passed_on() {
    let mut it = hero();
    it.press(Modifiers::COMMAND, Key::O);
    it.key(Key::F11);
    it.press(Modifiers::COMMAND, Key::Q);
    let requests = &it.harness.state().state.requests;
    assert_eq!(requests, &[Request::Dialog(Dialog::Open), Request::FullScreen, Request::Quit]);
}

#[test]
fn typing_a_number_is_not_a_command() {
    let mut it = hero();
    it.harness.get_by_label("Frame").click();
    it.harness.run();
    it.harness.get_by_role_and_label(Role::SpinButton, "Frame").click();
    it.harness.run();
    it.harness.key_press_modifiers(Modifiers::NONE, Key::Num3);
    it.harness.run();
    let state = &it.harness.state().state;
    let shown =
        state.playback.animator.playback(0).animation().map(|id| &state.model().unwrap().animation(id).name);
    assert_eq!(shown.map(String::as_str), Some("idle"));
}

#[test]
fn every_size_of_window_lays_out() {
    for size in [[1.0, 1.0], [40.0, 30.0], [240.0, 160.0], [420.0, 300.0], [640.0, 900.0], [3000.0, 200.0]] {
        let mut it = TestWindow::of(size, &[("hero.pchr", &character())], |_| {});
        it.key(Key::F1);
        it.key(Key::F1);
        it.key(Key::H);
        assert!(it.harness.state_mut().scene().is_some());
        let _ = TestWindow::of(size, &[], |_| {});
        let _ = TestWindow::of(size, &[("broken.pchr", b"PCHR")], |_| {});
    }
}

#[test]
fn the_longest_possible_animation_has_a_readable_timeline() {
    let frames = vec![vec![schema::BoneTransform::default()]; 65_535];
    let file = schema::File {
        fps: 60,
        bones: vec![schema::Bone { name: "root".to_owned(), parent: -1, offset: 0 }],
        animations: vec![schema::Animation::new("long", true, &frames)],
        ..schema::File::default()
    };
    let mut it = TestWindow::of([1000.0, 700.0], &[("long.pchr", &write(&file).unwrap())], |_| {});
    it.key(Key::End);
    assert_eq!(it.frame(), 65_534);
    it.key(Key::ArrowLeft);
    assert_eq!(it.frame(), 65_533);
}

#[test]
fn a_key_changes_the_picture_once() {
    let mut it = hero();
    let before = it.harness.state_mut().scene().unwrap();
    it.harness.key_press(Key::B);
    let mut pictures = vec![before];
    for _ in 0..10 {
        it.harness.step();
        let scene = it.harness.state_mut().scene().unwrap();
        if pictures.last() != Some(&scene) {
            pictures.push(scene);
        }
    }
    assert_eq!(pictures.len(), 2, "without and with bones: {pictures:#?}");
}

#[test]
fn a_picture_that_takes_too_long_is_skipped_with_a_message() {
    let mut it = hero();
    assert!(it.harness.query_by_label_contains("would take too long").is_none());
    let mut renderer = CpuSceneRenderer::default();
    let scene = it.harness.state_mut().scene().unwrap();
    let is_blank = |picture: &Picture| picture.pixels().iter().all(|byte| *byte == 0);
    assert!(!is_blank(renderer.render(&scene).0) && !renderer.is_too_heavy());
    let scene = Scene { work: 1000, ..scene };
    assert!(is_blank(renderer.render(&scene).0) && renderer.is_too_heavy());
    // The event loop reports this to the app.
    it.harness.state_mut().state.canvas.is_too_heavy = true;
    it.harness.run();
    it.harness.get_by_label_contains("would take too long");
    it.harness.get_by_label_contains("--limit work=VALUE");
}
