//! What stays as it was when the shown file has changed and is read again.

use std::fs;
use std::path::PathBuf;

use crate::parts::tree::Item;
use crate::scene::selection::Selected;
use crate::timeline::TimelineView;
use egui::accesskit::Role;
use egui::{Key, Modifiers};
use egui_kittest::kittest::{NodeT, Queryable};

use crate::app::tests::harness::TestWindow;

const LAMP: &str = "paper-lamp.json";

fn lamp() -> TestWindow {
    TestWindow::open([1100.0, 800.0], &[LAMP])
}

fn file(it: &TestWindow) -> PathBuf {
    it.folder.path().join(LAMP)
}

/// Replaces a part of the file, and reads it again.
fn change(it: &mut TestWindow, from: &str, to: &str) {
    let text = fs::read_to_string(file(it)).unwrap();
    assert!(text.contains(from), "{from}");
    fs::write(file(it), text.replacen(from, to, 1)).unwrap();
    it.press(Modifiers::NONE, Key::F5);
}

/// Adds a bone before all others but the root, and a slot before all others, so that every index changes.
fn add_parts(it: &mut TestWindow) {
    let text: serde_json::Value = serde_json::from_str(&fs::read_to_string(file(it)).unwrap()).unwrap();
    let mut text = text;
    let new_bone = serde_json::json!({"name": "new", "parent": "root"});
    text["bones"].as_array_mut().unwrap().insert(1, new_bone);
    text["slots"].as_array_mut().unwrap().insert(0, serde_json::json!({"name": "new", "bone": "new"}));
    fs::write(file(it), text.to_string()).unwrap();
    it.press(Modifiers::NONE, Key::F5);
}

fn timeline(it: &mut TestWindow) -> &mut TimelineView {
    &mut it.harness.state_mut().state.timeline
}

fn visible(it: &TestWindow) -> (f64, f64) {
    let length = it.state().playback.animator.playback(0).length();
    it.state().timeline.zoom.visible(length)
}

/// Returns the labels of the rows of the dopesheet.
fn rows(it: &TestWindow) -> Vec<String> {
    let nodes = it.harness.root().children_recursive();
    let rows = nodes.filter(|node| node.accesskit_node().role() == Role::Row);
    rows.filter_map(|node| node.accesskit_node().label()).collect()
}

fn click(it: &mut TestWindow, role: Role, label: &str) {
    let place = it.harness.get_by_role_and_label(role, label).rect().center();
    it.click_at(place);
}

#[test]
fn the_zoom_of_the_timeline_stays() {
    let mut it = lamp();
    let length = it.state().playback.animator.playback(0).length();
    timeline(&mut it).zoom.magnify(4.0, 0.5, length);
    let before = visible(&it);
    change(&mut it, "\"time\"", "\"time\"");
    assert_eq!(visible(&it), before, "nothing has changed");
    assert!(!it.state().timeline.zoom.is_whole());
    // The animation becomes longer: the same frames are visible.
    change(&mut it, "\"time\": 2 }", "\"time\": 4 }");
    assert!(it.state().playback.animator.playback(0).length() > length * 1.5);
    let after = visible(&it);
    assert!((after.0 - before.0).abs() < 1e-6 && (after.1 - before.1).abs() < 1e-6, "{before:?} {after:?}");
    // It becomes shorter: as much as is left is visible, at its end.
    change(&mut it, "\"time\": 4 }", "\"time\": 1.1 }");
    let length = it.state().playback.animator.playback(0).length();
    let (start, end) = visible(&it);
    assert!(length < before.1 && (end - length).abs() < 1e-6, "{start} {end} {length}");
    assert!(((end - start) - (before.1 - before.0)).abs() < 1e-6, "{start} {end}");
    // Another animation starts with all of it.
    it.press(Modifiers::NONE, Key::PageDown);
    assert!(it.state().timeline.zoom.is_whole());
}

#[test]
fn expanded_rows_of_the_dopesheet_stay() {
    let mut it = lamp();
    it.press(Modifiers::NONE, Key::PageDown);
    it.press(Modifiers::NONE, Key::D);
    let name = rows(&it)[0].split(',').next().unwrap().replace("Bone ", "");
    click(&mut it, Role::Button, &format!("Unfold {name}"));
    let before = rows(&it);
    assert!(before.iter().any(|row| row.starts_with(&format!("Bone {name}: "))), "{before:?}");
    add_parts(&mut it);
    assert_eq!(rows(&it), before);
    // A row that has gone is forgotten.
    let text = fs::read_to_string(file(&it)).unwrap();
    fs::write(file(&it), text.replace(&format!("\"{name}\""), "\"other\"")).unwrap();
    it.press(Modifiers::NONE, Key::F5);
    assert!(it.state().timeline.expanded.is_empty() && rows(&it).iter().any(|row| row.contains("other")));
}

/// Returns the names of the rows of the tree, and whether they are unfolded.
fn tree(it: &TestWindow) -> Vec<(String, Option<bool>)> {
    let model = it.state().model().unwrap();
    let name = |item| match item {
        Item::Group(group) => group.label(it.state().playback.animator.character().motion()).to_owned(),
        Item::Part(part) => part.name(model).to_owned(),
    };
    let rows = it.state().parts.side.tree.rows().iter().map(|row| (name(row.item), row.is_open));
    rows.filter(|(name, _)| name != "new").collect()
}

#[test]
fn the_folding_of_the_tree_stays() {
    let mut it = lamp();
    click(&mut it, Role::Button, "TREE");
    // A bone, a slot of the same name as its bone, and a heading.
    for (row, place, key) in
        [("lower", 0, Key::ArrowLeft), ("base", 1, Key::ArrowRight), ("Skins", 0, Key::ArrowRight)]
    {
        it.harness.get_all_by_role_and_label(Role::Button, row).nth(place).expect("a row").focus();
        it.harness.run();
        it.press(Modifiers::NONE, key);
    }
    let before = tree(&it);
    let has = |name: &str, is_open| before.contains(&(name.to_owned(), Some(is_open)));
    assert!(has("lower", false) && has("Skins", true) && !has("base", false), "{before:?}");
    add_parts(&mut it);
    assert_eq!(tree(&it), before);
    // What is selected is not unfolded by that, even if a row above it is folded.
    let head = it.state().model().unwrap().find_slot("shade").map(Selected::Slot);
    it.harness.state_mut().state.parts.selected = head;
    it.harness.run();
    assert_ne!(tree(&it), before, "a new selection is revealed");
    it.harness.get_all_by_role_and_label(Role::Button, "lower").next().expect("a row").focus();
    it.harness.run();
    // From the slot to the bone, which is then folded.
    it.press(Modifiers::NONE, Key::ArrowLeft);
    it.press(Modifiers::NONE, Key::ArrowLeft);
    assert_eq!(tree(&it), before);
    change(&mut it, "\"spine\"", "\"spine\"");
    assert_eq!(tree(&it), before);
    assert!(it.state().parts.selected.is_some());
}

#[test]
fn a_file_that_cannot_be_read_again_changes_nothing() {
    let mut it = lamp();
    it.press(Modifiers::NONE, Key::D);
    let length = it.state().playback.animator.playback(0).length();
    timeline(&mut it).zoom.magnify(4.0, 0.5, length);
    let (before, text) = (visible(&it), fs::read_to_string(file(&it)).unwrap());
    let character = it.state().playback.animator.character().clone();
    fs::write(file(&it), "{").unwrap();
    it.press(Modifiers::NONE, Key::F5);
    assert!(it.state().current().unwrap().error().is_some());
    assert!(std::sync::Arc::ptr_eq(&character, it.state().playback.animator.character()));
    assert_eq!(visible(&it), before);
    fs::write(file(&it), text).unwrap();
    it.press(Modifiers::NONE, Key::F5);
    assert!(it.state().current().unwrap().error().is_none());
    assert_eq!(visible(&it), before);
}
