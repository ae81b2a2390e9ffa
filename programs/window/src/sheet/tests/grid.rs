//! The choice of a grid for a picture without a description, driven as a user would.

use egui::Key;
use egui::accesskit::Role;
use egui_kittest::kittest::{NodeT, Queryable};

use crate::app::tests::harness::TestWindow;
use crate::widgets::command::Command;
use pchr::formats::Grid;
use pchr::formats::image::encode_png;

const SIZE: [f32; 2] = [900.0, 700.0];

/// A strip of four frames of 16 × 16 pixels, each of another colour and with a transparent border.
fn strip() -> Vec<u8> {
    let pixel = |at: usize| {
        let (x, y) = (at % 64, at / 64);
        let is_full = (2..13).contains(&(x % 16)) && (3..14).contains(&y);
        if is_full { [60 * (x / 16) as u8, 200, 90, 255] } else { [0; 4] }
    };
    let pixels: Vec<u8> = (0..64 * 16).flat_map(pixel).collect();
    encode_png(64, 16, &pixels).unwrap()
}

impl TestWindow {
    /// Returns the number in a field.
    fn number(&self, name: &str) -> String {
        let field = self.harness.get_by_role_and_label(Role::SpinButton, name);
        field
            .accesskit_node()
            .value()
            .or_else(|| field.accesskit_node().numeric_value().map(|it| it.to_string()))
            .unwrap()
    }

    /// Types a number into a field.
    fn enter(&mut self, name: &str, text: &str) {
        self.harness.get_by_role_and_label(Role::SpinButton, name).focus();
        self.harness.run();
        self.press(egui::Modifiers::COMMAND, Key::A);
        self.type_text(text);
        self.key(Key::Tab);
    }

    fn frame_count(&self) -> Option<u32> {
        let playback = self.state().playback.animator.playback(0);
        self.state().playback.has_character.then(|| playback.frame_count())
    }
}

#[test]
fn a_picture_without_a_description_is_cut_as_guessed() {
    let mut it = TestWindow::of(SIZE, &[("walk.png", &strip())], |_| {});
    assert!(it.says("64 × 16 pixels") && !it.says("cannot be opened"));
    assert_eq!(
        (it.number("Frame width"), it.number("Columns"), it.number("Frames")),
        ("16".into(), "4".into(), "4".into())
    );
    let field = it.harness.get_by_role_and_label(Role::SpinButton, "Frame width").rect();
    assert!(field.left() < 150.0, "nothing is beside it, for there is nothing to list yet: {field}");
    it.key(Key::Enter);
    assert!(it.harness.query_by_role(Role::TextInput).is_some(), "the filter of the lists");
    assert_eq!(it.frame_count(), Some(4));
    assert!(!it.says("Frame width"));
    it.press(egui::Modifiers::COMMAND, Key::E);
    let export = it.state().export.as_ref().expect("the dialog");
    assert!(export.options.command_line().contains("--grid 16x16"), "{}", export.options.command_line());
}

#[test]
fn the_numbers_scroll_in_a_low_window() {
    let mut it = TestWindow::of([640.0, 360.0], &[("walk.png", &strip())], |_| {});
    for name in ["Play", "Preview"] {
        it.harness.get_by_label(name).scroll_to_me();
        it.harness.run_steps(4);
        let place = it.harness.get_by_label(name).rect();
        assert!(place.bottom() <= 360.0, "{name}: {place}");
    }
}

#[test]
fn the_frames_play_in_the_choice_as_they_do_after_it() {
    let mut it = TestWindow::of(SIZE, &[("walk.png", &strip())], |_| {});
    assert!(it.says("4 frames at 10 per second") && it.harness.query_by_label("Preview").is_some());
    it.save("grid");
    assert!(it.harness.get_by_label("Whole picture").accesskit_node().is_disabled());
    it.click("Zoom in");
    let picture = it.harness.get_by_label("Whole picture");
    assert!(!picture.accesskit_node().is_disabled());
    it.click("Whole picture");
    assert!(it.harness.get_by_label("Whole picture").accesskit_node().is_disabled());
    it.click_button("Play");
    let playback = it.state().playback.animator.playback(0);
    assert_eq!(playback.duration_secs(), 0.4, "10 per second");
}

#[test]
fn the_numbers_depend_on_each_other() {
    let mut it = TestWindow::of(SIZE, &[("walk.png", &strip())], |_| {});
    it.enter("Columns", "8");
    assert_eq!((it.number("Frame width"), it.number("Frames")), ("8".into(), "8".into()));
    it.enter("Frame width", "20");
    assert_eq!((it.number("Columns"), it.number("Frames")), ("3".into(), "3".into()));
    it.enter("Margin", "2");
    it.enter("Frame height", "14");
    it.enter("Spacing", "1");
    it.enter("Frames", "2");
    it.click_button("Play");
    let grid = Grid { width: 20, height: 14, count: Some(2), margin: 2, spacing: 1 };
    assert_eq!((it.state().current().unwrap().reading.grid, it.frame_count()), (Some(grid), Some(2)));
}

#[test]
fn a_picture_that_was_cut_can_be_cut_again() {
    let mut it = TestWindow::of(SIZE, &[("walk_8x8.png", &strip())], |_| {});
    assert!(it.state().unavailable(Command::CutAgain).is_some());
    it.key(Key::Enter);
    assert_eq!(it.frame_count(), Some(16), "the name states the size");
    it.state_mut().run(Command::CutAgain);
    it.harness.run();
    assert_eq!((it.frame_count(), it.number("Frame width")), (None, "8".to_owned()));
    it.enter("Frame width", "16");
    it.enter("Frame height", "16");
    it.click_button("Play");
    assert_eq!(it.frame_count(), Some(4));
}

#[test]
fn a_picture_that_was_cut_stays_cut_on_the_stage() {
    let mut it = TestWindow::of(SIZE, &[("walk.png", &strip())], |_| {});
    it.key(Key::Enter);
    let knight = it.path("knight.pchr");
    std::fs::copy(crate::common::root().join("assets/paper-knight.pchr"), &knight).unwrap();
    it.state_mut().open(vec![knight]);
    it.key(Key::J);
    it.state_mut().files_changed(&|file| file.ends_with("walk.png"));
    it.harness.run();
    let walk = &it.state().files.documents[0];
    assert!(it.state().has_companions() && !walk.is_expired(), "it was read again");
    assert_eq!(walk.error(), None);
}

#[test]
fn a_damaged_picture_has_an_error() {
    let mut bytes = strip();
    bytes.truncate(60);
    let it = TestWindow::of(SIZE, &[("walk.png", &bytes)], |_| {});
    assert!(it.says("walk.png") && !it.says("Frame width"));
}

#[test]
fn escape_leads_out_of_what_the_choice_does_not_concern() {
    let square = crate::app::tests::rigs::square([200, 80, 40]);
    let mut it = TestWindow::of(SIZE, &[("walk.png", &strip()), ("square.pchr", &square)], |_| {});
    it.state_mut().compare_with(1);
    it.harness.run();
    // The first takes the focus from *Play*.
    it.key(Key::Escape);
    it.key(Key::Escape);
    assert!(it.state().compare.second.is_none());
    // After a number, Enter plays, as it does at first.
    it.enter("Frame width", "32");
    it.harness.get_by_role_and_label(Role::SpinButton, "Frames").focus();
    it.harness.run();
    it.key(Key::Enter);
    it.key(Key::Enter);
    assert_eq!(it.frame_count(), Some(2));
}
