//! The checkerboard behind a character, and colours in its place.

use std::path::PathBuf;

use crate::common::conformance_files;
use crate::scene::background::Background;
use crate::scene::checkerboard::{Squares, USUAL_LOW};
use egui::accesskit::Role;
use egui::{Key, vec2};
use egui_kittest::kittest::Queryable;

use crate::app::tests::harness::TestWindow;
use crate::app::tests::rigs::square;

/// Opens a window on a file that is not in a folder of its own.
fn on(size: [f32; 2], path: PathBuf) -> TestWindow {
    TestWindow::of(size, &[], |options| options.subject.files.push(path))
}

/// Returns the two colours of the checkerboard on the canvas.
fn squares(it: &mut TestWindow, is_dark: bool) -> [[u8; 3]; 2] {
    it.app().state.squares(is_dark).colors(is_dark)
}

#[expect(clippy::disallowed_methods, reason = "a contrast needs few digits")]
fn luminance(color: [u8; 3]) -> f64 {
    let [r, g, b] = color.map(|channel| {
        let c = f64::from(channel) / 255.0;
        if c <= 0.04045 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) }
    });
    0.2126 * r + 0.7152 * g + 0.0722 * b
}

#[test]
fn the_checkerboard_contrasts_with_dark_and_light_art() {
    for is_dark in [false, true] {
        for color in [[38, 40, 48], [20, 20, 24], [60, 62, 70], [128, 128, 128], [245, 245, 245], [200, 80, 40]] {
            let mut it = TestWindow::of([1000.0, 700.0], &[("square.pchr", &square(color))], |_| {});
            let squares = squares(&mut it, is_dark);
            for behind in squares {
                let (a, b) = (luminance(color) + 0.05, luminance(behind) + 0.05);
                let contrast = a.max(b) / a.min(b);
                assert!(contrast > 1.45, "{color:?} over {behind:?}: {contrast:.2}");
            }
        }
    }
    // Art with enough contrast keeps the default checkerboard.
    let mut it = TestWindow::of([1000.0, 700.0], &[("square.pchr", &square([200, 80, 40]))], |_| {});
    assert_eq!(squares(&mut it, true), [[0x2a, 0x2d, 0x34], [0x30, 0x34, 0x3c]]);
}

#[test]
fn our_own_characters_contrast_with_the_checkerboard() {
    for name in ["paper-knight.pchr", "paper-lamp.json"] {
        let path = crate::common::root().join("assets").join(name);
        let mut it = on([1000.0, 700.0], path);
        for is_dark in [true, false] {
            let (usual, chosen) = (Squares::default_for(is_dark), it.app().state.squares(is_dark));
            let tones = it.app().state.loaded().unwrap().tones().cloned().unwrap();
            let [before, after] =
                [usual, chosen].map(|squares| tones.contrast(squares.colors(is_dark), USUAL_LOW));
            println!("{name}, dark {is_dark}: {before:.2} over {usual:?}, {after:.2} over {chosen:?}");
            assert!(after >= 1.5 && after >= before, "{name}: {after}");
        }
    }
}

#[test]
fn conformance_characters_have_the_best_contrast() {
    let characters = conformance_files("spine/examples", "-pro.json");
    if characters.is_empty() {
        return;
    }
    let mut count = 0;
    for path in characters {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let mut it = on([1000.0, 700.0], path);
        for is_dark in [true, false] {
            let (usual, chosen) = (Squares::default_for(is_dark), it.app().state.squares(is_dark));
            let tones = it.app().state.loaded().unwrap().tones().cloned().unwrap();
            let [before, after] =
                [usual, chosen].map(|squares| tones.contrast(squares.colors(is_dark), USUAL_LOW));
            println!("{name}, dark {is_dark}: {before:.2} over {usual:?}, {after:.2} over {chosen:?}");
            assert!(after >= before.min(1.5), "{name}: {after}");
        }
        if name.starts_with("mix-and-match") {
            assert_eq!(it.worn(), ["full-skins/girl"]);
        }
        count += 1;
    }
    assert!(count >= 7, "{count}");
}

#[test]
fn the_checkerboard_does_not_follow_the_animation() {
    let mut it = TestWindow::of([1000.0, 700.0], &[("square.pchr", &square([38, 40, 48]))], |_| {});
    let before = squares(&mut it, true);
    assert_ne!(before, [[0x2a, 0x2d, 0x34], [0x30, 0x34, 0x3c]]);
    for _ in 0..12 {
        it.harness.key_press(Key::ArrowRight);
        it.harness.run();
        assert_eq!(squares(&mut it, true), before);
    }
}

#[test]
fn a_custom_colour_is_picked_and_kept() {
    let mut it = TestWindow::of([1000.0, 700.0], &[("square.pchr", &square([200, 80, 40]))], |_| {});
    let custom = it.app().state.overlays.custom_color;
    it.click("Background");
    it.click("Custom colour");
    assert_eq!(it.app().state.overlays.background, Background::Color(custom));
    let before = it.harness.get_by_role_and_label(Role::Slider, "Red").rect();
    it.harness.drag_at(before.left_center() + vec2(2.0, 0.0));
    it.harness.run_steps(1);
    it.harness.drop_at(before.left_center() + vec2(2.0, 0.0));
    it.harness.run();
    let picked = it.app().state.overlays.custom_color;
    assert!(picked[0] < custom[0] && picked[1..] == custom[1..], "{picked:?}");
    assert_eq!(it.app().state.overlays.background, Background::Color(picked));
    // It remains available after another background was selected.
    for (choice, background) in
        [("Transparent", Background::Checker), ("Custom colour", Background::Color(picked))]
    {
        it.click(choice);
        assert_eq!(it.app().state.overlays.background, background);
    }
    it.harness.key_press(Key::Escape);
    it.harness.run();
    assert!(it.harness.query_by_role_and_label(Role::Slider, "Red").is_none());
    let mut it = TestWindow::of([1000.0, 700.0], &[("square.pchr", &square([200, 80, 40]))], |options| {
        options.look.background = pchr::export::Background::Color([1, 2, 3, 255]);
    });
    assert_eq!(it.app().state.overlays.custom_color, [1, 2, 3], "the colour of the command line is offered");
}

#[test]
fn the_checkerboard_stays_while_a_picture_is_replaced() {
    let mut it = TestWindow::open([1000.0, 700.0], &["paper-lamp.json", "paper-lamp.atlas", "paper-lamp.png"]);
    let contrast = |it: &TestWindow| {
        let tones = it.state().loaded().unwrap().tones().cloned().unwrap();
        tones.contrast(Squares::Dark.colors(true), USUAL_LOW)
    };
    let before = contrast(&it);
    std::fs::remove_file(it.path("paper-lamp.png")).unwrap();
    it.key(Key::F5);
    it.harness.run();
    assert!(it.state().loaded().unwrap().diagnostics.missing_image().is_some());
    assert_eq!(contrast(&it), before);
}
