//! The picture of the differences.

use crate::compare::Arrangement;
use crate::scene::CpuSceneRenderer;
use egui::{Key, Modifiers};
use pchr::export::{Alpha, Surface};
use pchr::golden;

use super::{Square, TestWindow};

#[test]
fn the_difference_is_that_of_two_cpu_pictures() {
    let shifted = Square { step: 11.0, ..Square::default() };
    let mut it = TestWindow::compared([700.0, 500.0], &Square::default().bytes(), &shifted.bytes());
    it.app().state.playback.animator.seek(5.0);
    it.show_differences();
    let [first, second] = it.app().state.scenes().map(|scene| {
        let (mut stage, scene) = (CpuSceneRenderer::default(), scene.unwrap());
        let mut picture = stage.render(&scene).0.clone();
        Surface::default().finish(&mut picture);
        picture
    });
    assert_eq!([first.width(), first.height()], it.app().state.canvas.size);
    let expected = golden::difference(&first, &second, 0, Alpha::Straight).unwrap();
    assert!(expected.pixels > 0 && expected.pixels < u64::from(first.width()) * u64::from(first.height()) / 2);
    let found = it.app().state.differences().unwrap().clone();
    assert_eq!(found.found, expected);
    assert_eq!(found.map.as_deref(), golden::heat_map(&first, &second, 0, Alpha::Straight).as_ref());
    let pixels = f64::from(first.width() * first.height());
    let percent = expected.pixels as f64 / pixels * 100.0;
    let text = format!("{percent:.1} % differ (max {})", expected.worst);
    assert!(it.says(&text), "{text}");
    let canvas = it.canvas();
    let painting = it.painted();
    let (_, count) = painting.middle_of([0xdc, 0x26, 0x26], canvas).expect("large differences are red");
    assert!(count > 100, "{count}");
    it.save_themes("difference");
}

#[test]
fn identical_files_have_no_difference() {
    let bytes = std::fs::read(format!("{}/../../assets/paper-knight.pchr", env!("CARGO_MANIFEST_DIR"))).unwrap();
    let mut it = TestWindow::compared([700.0, 500.0], &bytes, &bytes);
    it.app().state.playback.animator.seek(7.4);
    it.show_differences();
    assert!(it.says("No difference"));
    it.save_themes("same");
}

#[test]
fn the_difference_is_only_computed_again_if_a_scene_changes() {
    let mut it = TestWindow::squares([700.0, 500.0]);
    it.show_differences();
    let first = it.app().state.differences().unwrap().scenes.clone();
    it.harness.run_steps(5);
    assert!(!it.app().state.compare.are_differences_pending());
    assert!(std::sync::Arc::ptr_eq(&first, &it.app().state.differences().unwrap().scenes));
    it.app().state.playback.animator.seek(4.0);
    it.harness.run_steps(1);
    it.wait_for_differences();
    let second = it.app().state.differences().unwrap().scenes.clone();
    assert_ne!(first[0].cue, second[0].cue);
    it.press(Modifiers::COMMAND, Key::Plus);
    it.wait_for_differences();
    assert_ne!(it.app().state.differences().unwrap().scenes[0].view, second[0].view);
}

#[test]
fn differences_follow_the_playback() {
    let mut it = TestWindow::squares([400.0, 300.0]);
    it.show_differences();
    it.app().state.playback.animator.set_playing(true);
    let mut frames = std::collections::BTreeSet::new();
    for _ in 0..120 {
        it.app().advance(1.0 / 60.0);
        it.harness.run_steps(1);
        let shown = it.app().state.differences().unwrap().scenes[0].cue.position;
        frames.insert(format!("{shown:?}"));
        assert!(!it.says("Comparing…"), "the numbers of the last picture stay");
        std::thread::sleep(std::time::Duration::from_millis(2));
    }
    assert!(frames.len() > 3, "{frames:?}");
}

#[test]
fn nothing_is_drawn_for_the_canvas_while_it_shows_differences() {
    let mut it = TestWindow::squares([700.0, 500.0]);
    assert!(it.app().scenes().iter().all(Option::is_some));
    it.show_differences();
    assert!(it.app().scenes().iter().all(Option::is_none));
    it.click_button(Arrangement::SideBySide.label());
    assert!(it.app().scenes().iter().all(Option::is_some));
    it.press(Modifiers::NONE, Key::Escape);
    let [first, second] = it.app().state.scenes();
    assert!(first.is_some() && second.is_none(), "without a comparison there is one scene");
}

#[test]
fn a_picture_that_would_take_too_long_is_not_drawn() {
    let files: [(&str, &[u8]); 2] =
        [("a.pchr", &Square::default().bytes()), ("b.pchr", &Square::default().bytes())];
    let mut it = TestWindow::of([700.0, 500.0], &files, |options| options.read.limits.work = 1000);
    it.start();
    it.show_differences();
    assert!(it.says("Drawing this frame would take too long"));
}
