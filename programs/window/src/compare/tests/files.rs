//! Choosing the second file, and files that change, break or are closed.

use std::fs;

use crate::widgets::actions::{Dialog, Request};
use egui::accesskit::Role;
use egui::{Key, Modifiers, PointerButton};
use egui_kittest::kittest::Queryable;

use super::{Square, TestWindow};

const GREEN: [u8; 3] = [40, 160, 80];

#[test]
fn the_second_file_is_chosen_among_the_open_ones() {
    let square = Square::default().bytes();
    let mut it =
        TestWindow::of([900.0, 600.0], &[("a.pchr", &square), ("b.pchr", &square), ("c.pchr", &square)], |_| {});
    it.press(Modifiers::COMMAND, Key::D);
    assert!(it.says("Compare with"));
    it.save_themes("choose");
    let rows = it.harness.query_all_by(|node| {
        node.role() == Role::Button && node.label().is_some_and(|label| label.ends_with(".pchr"))
    });
    // Three in the list of files, and the two others in the dialog.
    assert_eq!(rows.count(), 5);
    it.press(Modifiers::NONE, Key::Escape);
    assert!(!it.app().state.compare.is_choosing && it.app().state.compare.second.is_none());
    it.press(Modifiers::COMMAND, Key::D);
    let chosen = it.harness.get_all_by_role_and_label(Role::Button, "c.pchr").last().unwrap();
    chosen.click();
    it.harness.run();
    assert_eq!(it.app().state.second().unwrap().name(), "c.pchr");
    assert!(!it.says("Another file…"));
}

#[test]
fn the_second_file_is_chosen_in_the_dialog_of_the_system() {
    let square = Square::default().bytes();
    let mut it = TestWindow::of([900.0, 600.0], &[("a.pchr", &square)], |_| {});
    fs::write(it.folder.path().join("b.pchr"), &square).unwrap();
    it.press(Modifiers::COMMAND, Key::D);
    assert_eq!(it.app().state.requests, [Request::Dialog(Dialog::Compare)]);
    it.app().state.requests.clear();
    let path = it.folder.path().join("b.pchr");
    it.app().state.compare_with_file(path.clone());
    it.harness.run();
    assert_eq!(it.app().state.second().unwrap().path(), path);
    assert_eq!(it.app().state.current().unwrap().name(), "a.pchr", "the first stays");
    assert_eq!(it.app().state.documents().len(), 2);
    it.press(Modifiers::NONE, Key::Escape);
    it.press(Modifiers::COMMAND, Key::D);
    it.click_button("Another file…");
    assert_eq!(it.app().state.requests, [Request::Dialog(Dialog::Compare)]);
    assert!(!it.app().state.compare.is_choosing);
    let first = it.folder.path().join("a.pchr");
    it.app().state.compare_with_file(first);
    it.harness.run();
    assert!(it.app().state.compare.second.is_none() && it.says("choose another one"));
}

#[test]
fn the_list_of_files_starts_a_comparison() {
    let square = Square::default().bytes();
    let mut it = TestWindow::of([900.0, 600.0], &[("a.pchr", &square), ("b.pchr", &square)], |_| {});
    let row = it.harness.get_by_role_and_label(Role::Button, "b.pchr").rect().center();
    it.click_with(row, PointerButton::Secondary);
    it.click_button("Compare with this");
    assert_eq!(it.app().state.second().unwrap().name(), "b.pchr");
    assert_eq!(it.app().state.current().unwrap().name(), "a.pchr");
}

#[test]
fn escape_the_key_and_the_button_end_the_comparison() {
    let mut it = TestWindow::squares([900.0, 600.0]);
    it.press(Modifiers::NONE, Key::Escape);
    assert!(it.app().state.compare.second.is_none());
    it.start();
    it.press(Modifiers::COMMAND, Key::D);
    assert!(it.app().state.compare.second.is_none());
    it.start();
    it.click_button("End comparison");
    assert!(it.app().state.compare.second.is_none());
    assert!(!it.says("Side by side"));
}

#[test]
fn closing_either_file_ends_the_comparison() {
    let mut it = TestWindow::squares([900.0, 600.0]);
    it.press(Modifiers::COMMAND, Key::W);
    assert!(it.app().state.compare.second.is_none());
    assert_eq!(it.app().state.current().unwrap().name(), "b.pchr");
    let mut it = TestWindow::squares([900.0, 600.0]);
    it.click_button("Swap");
    it.press(Modifiers::COMMAND, Key::W);
    assert!(it.app().state.compare.second.is_none());
    assert_eq!(it.app().state.current().unwrap().name(), "a.pchr");
}

#[test]
fn selecting_the_second_file_swaps_and_a_third_one_replaces_the_first() {
    let square = Square::default().bytes();
    let mut it =
        TestWindow::of([900.0, 600.0], &[("a.pchr", &square), ("b.pchr", &square), ("c.pchr", &square)], |_| {});
    it.start();
    it.press(Modifiers::COMMAND, Key::PageDown);
    let names = |it: &mut TestWindow| {
        let state = &it.app().state;
        [state.current().unwrap().name(), state.second().unwrap().name()]
    };
    assert_eq!(names(&mut it), ["b.pchr", "a.pchr"]);
    it.press(Modifiers::COMMAND, Key::PageDown);
    assert_eq!(names(&mut it), ["c.pchr", "a.pchr"]);
}

#[test]
fn both_sides_follow_their_files() {
    let mut it = TestWindow::squares([900.0, 600.0]);
    let canvas = it.canvas();
    let blue = Square { color: [30, 60, 220], ..Square::default() }.bytes();
    it.rewrite("b.pchr", &blue);
    let (left, right) = canvas.split_left_right_at_x(canvas.center().x);
    assert!(it.painted().middle_of([30, 60, 220], right).is_some(), "the second was read again");
    let white = Square { color: [250, 250, 250], ..Square::default() }.bytes();
    it.rewrite("a.pchr", &white);
    assert!(it.painted().middle_of([250, 250, 250], left).is_some(), "the first was read again");
    assert!(it.app().state.second().is_some(), "the comparison goes on");
}

#[test]
fn a_broken_second_file_keeps_its_last_picture() {
    let mut it = TestWindow::squares([900.0, 600.0]);
    it.rewrite("b.pchr", b"PCHR\x01");
    assert!(it.says("b.pchr cannot be read; its last readable version is shown"));
    let canvas = it.canvas();
    assert!(it.painted().middle_of(GREEN, canvas).is_some());
    it.save_themes("broken");
    it.rewrite("b.pchr", &Square::default().bytes());
    assert!(!it.says("cannot be read"));
}

#[test]
fn a_second_file_that_cannot_be_opened_is_named() {
    let square = Square::default().bytes();
    let mut it = TestWindow::compared([900.0, 600.0], &square, b"PCHR\x01");
    assert!(it.says("b.pchr cannot be opened"));
    it.save_themes("unreadable");
    it.click_button("Difference");
    assert!(!it.says("Comparing…"));
    it.rewrite("b.pchr", &square);
    it.wait_for_differences();
    assert!(it.says("No difference"));
}
