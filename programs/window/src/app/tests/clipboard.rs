//! The picture in the clipboard, and pasted paths.

use std::fs;

use crate::scene::background::Background;
use crate::widgets::actions::Request;
use egui::accesskit::Role;
use egui::{Event, Key, Modifiers, OutputCommand};
use egui_kittest::kittest::Queryable;

use crate::app::tests::harness::TestWindow;

const SIZE: [f32; 2] = [1000.0, 700.0];

#[test]
fn ctrl_c_copies_the_picture_unless_text_is_selected_or_edited() {
    let mut it = TestWindow::open(SIZE, &["paper-knight.pchr"]);
    it.harness.event(Event::Copy);
    it.harness.run();
    assert_eq!(std::mem::take(&mut it.state_mut().requests), [Request::CopyPicture]);

    // The picture is the same as a screenshot, with straight alpha.
    it.state_mut().overlays.background = Background::Color([1, 2, 3]);
    let picture = it.state_mut().screenshot().unwrap();
    assert_eq!(
        (picture.pixel(0, 0), [picture.width(), picture.height()]),
        ([1, 2, 3, 255], it.state_mut().canvas.size)
    );

    // Selected text is copied instead.
    it.state_mut().notify_error("A text to select");
    it.harness.run_steps(2);
    let text = it.harness.get_by_role_and_label(Role::Label, "A text to select").rect().shrink(1.0);
    it.harness.drag_at(text.left_top());
    it.harness.run_steps(1);
    it.harness.hover_at(text.right_bottom());
    it.harness.run_steps(1);
    it.harness.drop_at(text.right_bottom());
    it.harness.run_steps(2);
    it.harness.event(Event::Copy);
    it.harness.run_steps(1);
    let commands = &it.harness.output().platform_output.commands;
    assert!(commands.contains(&OutputCommand::CopyText("A text to select".to_owned())), "{commands:?}");
    assert_eq!(it.state_mut().requests, []);

    // In a dialog nothing is copied.
    it.press(Modifiers::COMMAND, Key::E);
    it.harness.event(Event::Copy);
    it.harness.run_steps(2);
    assert_eq!(it.state_mut().requests, []);
}

#[test]
fn without_a_character_there_is_no_picture_to_copy() {
    let mut it = TestWindow::open(SIZE, &[]);
    it.harness.event(Event::Copy);
    it.harness.run();
    assert!(it.state_mut().requests.is_empty() && it.says("There is no picture to copy"));
}

#[test]
fn the_menu_copies_and_pastes() {
    let mut it = TestWindow::open(SIZE, &["paper-knight.pchr"]);
    for (label, request) in [("Copy picture", Request::CopyPicture), ("Open path from clipboard", Request::Paste)]
    {
        it.harness.get_by_role_and_label(Role::Button, "Menu").click();
        it.harness.run();
        it.harness.get_by_label("Edit").click();
        it.harness.run();
        it.harness.get_by_label_contains(label).click();
        it.harness.run();
        assert_eq!(std::mem::take(&mut it.state_mut().requests), [request], "{label}");
    }
}

#[test]
fn pasted_paths_open() {
    let mut it = TestWindow::open(SIZE, &[]);
    let folder = it.folder.path().to_owned();
    fs::rename(folder.join("paper-knight.pchr"), folder.join("a knight.pchr")).unwrap();
    let knight = folder.join("a knight.pchr");
    let lamp = folder.join("paper-lamp.json");
    let url = format!("file://{}", knight.display()).replace(' ', "%20");
    it.harness.event(Event::Paste(format!("  \"{}\"  \n{url}\n\n'{}'\n", knight.display(), lamp.display())));
    it.harness.run();
    let names: Vec<String> = it.state_mut().documents().iter().map(|document| document.name()).collect();
    assert_eq!(names, ["a knight.pchr", "paper-lamp.json"]);
    assert_eq!(it.state_mut().current_index(), 0);
    assert!(it.state_mut().loaded().is_some());
}

#[test]
fn pasted_text_without_a_path_only_shows_a_notice() {
    let mut it = TestWindow::open(SIZE, &["paper-lamp.json"]);
    for (text, expected) in [
        ("hello\tthere", "File not found: “hello"),
        ("one\ntwo", "None of the pasted lines is the path of an existing file"),
        (" \n \n", "There is no path in the clipboard"),
        ("/nonexistent/hero.pchr", "File not found: “/nonexistent/hero.pchr”"),
    ] {
        it.harness.event(Event::Paste(text.to_owned()));
        it.harness.run();
        assert!(it.says(expected), "{text}");
        assert_eq!(it.state_mut().documents().len(), 1);
    }
    let long = "x".repeat(100_000);
    it.harness.event(Event::Paste(long));
    it.harness.run();
    assert!(it.state_mut().notice.as_ref().unwrap().text.len() < 200);
    let knight = it.folder.path().join("paper-knight.pchr");
    it.harness.event(Event::Paste(format!("{}\nnothing\n", knight.display())));
    it.harness.run();
    assert!(it.state_mut().documents().len() == 2 && it.says("1 pasted line is not the path of a file"));
}

#[test]
fn fields_keep_what_is_pasted_into_them() {
    let mut it = TestWindow::open(SIZE, &["paper-lamp.json"]);
    it.press(Modifiers::COMMAND, Key::E);
    let knight = it.folder.path().join("paper-knight.pchr");
    it.harness.event(Event::Paste(knight.display().to_string()));
    it.harness.run_steps(3);
    assert_eq!(it.state_mut().documents().len(), 1, "the dialog is open");
}
