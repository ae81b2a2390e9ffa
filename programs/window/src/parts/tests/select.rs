//! Selecting parts of the character, and what the window shows about them.

use std::fs;

use crate::scene::selection::Selected;
use egui::{Key, Modifiers};
use egui_kittest::kittest::Queryable;

use crate::app::tests::harness::TestWindow;

#[test]
fn a_click_on_a_slot_selects_it_and_escape_clears_the_selection() {
    let mut it = TestWindow::open([1000.0, 800.0], &["paper-lamp.json"]);
    it.click_part("SLOTS");
    it.harness.get_by_label("shade").click();
    it.harness.run();
    assert_eq!(it.selected().as_deref(), Some("shade"));
    assert!(matches!(it.harness.state().state.parts.selected, Some(Selected::Slot(_))));
    assert!(it.says("shade"));
    it.save("inspect-slots");
    it.press(Modifiers::NONE, Key::Escape);
    it.press(Modifiers::NONE, Key::Escape);
    assert_eq!(it.selected(), None, "the first press releases the focus, the second clears the selection");
}

#[test]
fn the_selection_is_kept_by_name_when_the_file_is_read_again() {
    let mut it = TestWindow::open([1000.0, 800.0], &["paper-lamp.json", "paper-knight.pchr"]);
    it.click_part("SLOTS");
    it.harness.get_by_label("shade").click();
    it.harness.run();
    let before = it.harness.state().state.parts.selected;
    // Another bone and another slot come first.
    let path = it.folder.path().join("paper-lamp.json");
    let text = fs::read_to_string(&path).unwrap();
    let slots = text.find("\"slots\"").and_then(|at| text[at..].find('[').map(|open| at + open + 1)).unwrap();
    fs::write(&path, format!("{}{{\"name\":\"new\",\"bone\":\"root\"}},{}", &text[..slots], &text[slots..]))
        .unwrap();
    it.press(Modifiers::NONE, Key::F5);
    assert_eq!(it.selected().as_deref(), Some("shade"));
    assert_ne!(it.harness.state().state.parts.selected, before, "it has another index now");

    it.press(Modifiers::COMMAND, Key::PageDown);
    assert_eq!(it.selected(), None, "another file is shown");
    it.press(Modifiers::COMMAND, Key::PageUp);
    assert_eq!(it.selected().as_deref(), Some("shade"), "every file keeps its own");

    fs::write(&path, text.replace("\"shade\"", "\"cover\"")).unwrap();
    it.press(Modifiers::NONE, Key::F5);
    assert_eq!(it.selected(), None, "it no longer exists");
}
