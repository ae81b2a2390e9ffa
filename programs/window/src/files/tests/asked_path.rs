//! What replaces the file dialog where there is none, and the sign while files are dragged over the window.

use egui::{HoveredFile, Key};

use crate::app::tests::harness::TestWindow;
use crate::widgets::actions::{Dialog, Request};

fn name(it: &TestWindow) -> Option<String> {
    it.state().current().map(|document| document.name())
}

#[test]
fn a_field_asks_for_the_path_where_no_file_dialog_exists() {
    let mut it = TestWindow::open([900.0, 600.0], &["paper-knight.pchr"]);
    it.state_mut().ask_for_path(Dialog::Open);
    it.harness.run();
    assert!(it.says("No file dialog is available"));
    let path = it.path("paper-lamp.json").display().to_string();
    it.type_text(&path);
    it.key(Key::Enter);
    assert_eq!(name(&it).as_deref(), Some("paper-lamp.json"));
    assert!(!it.says("No file dialog is available"));

    it.state_mut().ask_for_path(Dialog::Compare);
    it.harness.run();
    it.type_text(&it.path("paper-lamp-4.2.json").display().to_string());
    it.click_button("Open file");
    assert!(it.state().second().is_some_and(|second| second.name() == "paper-lamp-4.2.json"));

    it.state_mut().ask_for_path(Dialog::Underlay);
    it.harness.run();
    it.type_text(&it.path("paper-lamp.png").display().to_string());
    it.key(Key::Enter);
    let request = Request::ReadUnderlay { file: it.path("paper-lamp.png"), is_background: false };
    assert!(it.state().requests.contains(&request), "the window reads it");

    it.state_mut().ask_for_path(Dialog::Open);
    it.harness.run();
    it.type_text("/nowhere/at all");
    it.key(Key::Enter);
    assert!(it.says("File not found"), "a wrong path is said");
    it.state_mut().ask_for_path(Dialog::Open);
    it.harness.run();
    it.key(Key::Escape);
    assert_eq!(it.state().files.prompt, None);
    // The export dialog has a field of its own.
    it.state_mut().ask_for_path(Dialog::Save);
    assert_eq!(it.state().files.prompt, None);
}

#[test]
fn a_typed_folder_of_screenshots_is_the_same_wherever_the_program_is_started() {
    let mut it = TestWindow::open([900.0, 600.0], &["paper-knight.pchr"]);
    it.state_mut().ask_for_path(Dialog::Screenshots);
    it.harness.run();
    it.type_text("shots");
    it.key(Key::Enter);
    let folder = std::env::current_dir().unwrap().join("shots");
    assert_eq!(it.state().screenshots.as_ref(), Some(&folder));
    assert_eq!(it.state().settings().screenshots.folder(), Some(folder), "it is kept");
}

#[test]
fn files_dragged_over_the_window_are_counted_on_a_sign() {
    for files in [&["paper-knight.pchr"][..], &[]] {
        let mut it = TestWindow::open([900.0, 600.0], files);
        assert!(!it.says("Drop to open"));
        it.harness.input_mut().hovered_files = vec![HoveredFile::default(), HoveredFile::default()];
        it.harness.run_steps(1);
        assert!(it.says("Drop to open 2 files"));
        it.save(&format!("drop-{}", files.len()));
        it.harness.input_mut().hovered_files.clear();
        it.harness.run_steps(1);
        assert!(!it.says("Drop to open"));
    }
}
