//! Hidden parts of files with equal names, of patterns, and of attachments that are shown alone.

use std::fs;
use std::sync::Arc;

use crate::scene::selection::Selected;
use egui::accesskit::Role;
use egui::{Key, Modifiers};
use egui_kittest::kittest::{NodeT, Queryable};
use pchr::pose::Pose;
use serde_json::{Value, json};

use crate::app::tests::harness::TestWindow;

const LAMP: &str = "paper-lamp.json";

fn lamp(hide: &[&str], solo: &[&str]) -> TestWindow {
    let patterns = |texts: &[&str]| texts.iter().map(|text| text.parse().expect("a pattern")).collect();
    TestWindow::open_with([1100.0, 800.0], &[LAMP], |options, _| {
        options.subject.hidden_meshes = patterns(hide);
        options.subject.meshes = patterns(solo);
    })
}

/// Changes the file, and reads it again.
fn change(it: &mut TestWindow, change: impl FnOnce(&mut Value)) {
    let path = it.folder.path().join(LAMP);
    let mut file: Value = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
    change(&mut file);
    fs::write(&path, file.to_string()).unwrap();
    it.press(Modifiers::NONE, Key::F5);
    assert_eq!(it.state().current().unwrap().error(), None);
}

/// Adds a slot that shows a bar, as the last one.
fn add_slot(file: &mut Value, name: &str) {
    file["slots"].as_array_mut().unwrap().push(json!({"name": name, "bone": "base", "attachment": "bar"}));
    file["skins"][0]["attachments"][name] = json!({"bar": {"width": 66, "height": 10}});
}

/// Returns the names of the slots that are drawn.
fn drawn(it: &mut TestWindow) -> Vec<String> {
    let state = &mut it.harness.state_mut().state;
    let hidden = Arc::clone(&state.parts.hidden);
    let (model, pose) = state.posed().unwrap();
    let mut pose: Pose = pose.clone();
    hidden.apply(model, &mut pose);
    let slots = pose.slots.iter().zip(model.slots());
    let has_mesh = |id: &pchr::model::AttachmentId| model.attachment(*id).mesh().is_some();
    slots
        .filter(|(slot, _)| slot.attachment.as_ref().is_some_and(has_mesh))
        .map(|(_, slot)| slot.name.to_string())
        .collect()
}

/// Selects an attachment named `bar` in a slot.
fn select_bar(it: &mut TestWindow, slot: usize) {
    let state = &mut it.harness.state_mut().state;
    let model = state.model().unwrap();
    let slot = model.slot_ids().nth(slot).unwrap();
    let bar = model.slot(slot).attachment.unwrap();
    assert_eq!(model.attachment(bar).name(), "bar");
    state.parts.selected = Some(Selected::Attachment(slot, bar));
    it.harness.run();
}

/// Returns whether the eye of a row of the tree is open. The first row of this name counts.
fn is_shown(it: &mut TestWindow, part: Selected) -> bool {
    it.harness.state_mut().state.parts.is_part_shown(part).unwrap()
}

#[test]
fn attachments_of_the_same_name_are_hidden_one_by_one() {
    let mut it = lamp(&[], &[]);
    let all = drawn(&mut it);
    select_bar(&mut it, 2);
    it.press(Modifiers::SHIFT, Key::H);
    let without: Vec<String> = all.iter().filter(|name| *name != "upper").cloned().collect();
    assert_eq!(drawn(&mut it), without);
    change(&mut it, |_| {});
    assert_eq!(drawn(&mut it), without, "the other bar stays");
    it.press(Modifiers::SHIFT, Key::A);
    select_bar(&mut it, 2);
    it.press(Modifiers::SHIFT, Key::S);
    assert_eq!(drawn(&mut it), ["upper"]);
    change(&mut it, |_| {});
    assert_eq!(drawn(&mut it), ["upper"]);
}

#[test]
fn slots_of_the_same_name_are_hidden_one_by_one() {
    let mut it = lamp(&[], &[]);
    // The reader joins nothing by itself: the second slot gets its own entry.
    change(&mut it, |file| {
        file["slots"][2]["name"] = json!("lower");
        file["skins"][0]["attachments"].as_object_mut().unwrap().remove("upper");
    });
    let slots: Vec<_> = it.state().model().unwrap().slot_ids().collect();
    let names: Vec<String> =
        it.state().model().unwrap().slots().iter().map(|slot| slot.name.to_string()).collect();
    assert_eq!((&*names[0], &*names[2]), ("lower", "lower"));
    it.harness.state_mut().state.parts.selected = Some(Selected::Slot(slots[2]));
    it.press(Modifiers::SHIFT, Key::H);
    let hidden = |it: &TestWindow| [0, 2].map(|slot| it.state().parts.hidden.is_hidden(slots[slot]));
    assert_eq!(hidden(&it), [false, true]);
    change(&mut it, |_| {});
    assert_eq!(hidden(&it), [false, true]);
}

#[test]
fn patterns_of_the_command_line_apply_to_new_meshes() {
    let mut it = lamp(&["arm-*", "upper"], &[]);
    assert!(it.state().notice.as_ref().is_some_and(|notice| notice.is_error), "one pattern matches nothing");
    assert!(!drawn(&mut it).contains(&"upper".to_owned()), "the other one does");
    change(&mut it, |file| {
        add_slot(file, "arm-left");
        add_slot(file, "leg");
    });
    let shown = drawn(&mut it);
    assert!(shown.contains(&"leg".to_owned()), "{shown:?}");
    assert!(!shown.iter().any(|name| name == "arm-left" || name == "upper"), "{shown:?}");
    // What the user shows and hides stays so, and the patterns go on.
    let slot = |it: &TestWindow, name: &str| Selected::Slot(it.state().model().unwrap().find_slot(name).unwrap());
    for name in ["arm-left", "leg"] {
        it.harness.state_mut().state.parts.selected = Some(slot(&it, name));
        it.press(Modifiers::SHIFT, Key::H);
    }
    change(&mut it, |file| add_slot(file, "arm-right"));
    let shown = drawn(&mut it);
    assert!(shown.contains(&"arm-left".to_owned()), "{shown:?}");
    assert!(!shown.iter().any(|name| ["arm-right", "leg", "upper"].contains(&&**name)), "{shown:?}");
    // "Show all" ends the patterns too.
    it.press(Modifiers::SHIFT, Key::A);
    change(&mut it, |file| add_slot(file, "arm-back"));
    let shown = drawn(&mut it);
    assert!(
        ["arm-back", "arm-right", "upper"].iter().all(|name| shown.contains(&(*name).to_owned())),
        "{shown:?}"
    );
}

#[test]
fn solo_patterns_apply_to_new_meshes_until_something_else_is_solo() {
    let mut it = lamp(&[], &["b*[be]"]);
    assert_eq!(drawn(&mut it), ["base", "bulb"]);
    change(&mut it, |file| add_slot(file, "bike"));
    assert_eq!(drawn(&mut it), ["base", "bulb", "bike"]);
    it.harness.state_mut().state.parts.selected =
        it.state().model().unwrap().find_slot("shade").map(Selected::Slot);
    it.press(Modifiers::SHIFT, Key::S);
    change(&mut it, |file| add_slot(file, "blade"));
    assert_eq!(drawn(&mut it), ["shade"]);
}

#[test]
fn slot_and_bones_of_a_solo_attachment_look_shown() {
    let mut it = lamp(&[], &[]);
    let place = it.harness.get_by_role_and_label(Role::Button, "TREE").rect().center();
    it.click_at(place);
    select_bar(&mut it, 2);
    it.press(Modifiers::SHIFT, Key::S);
    assert_eq!(drawn(&mut it), ["upper"]);
    it.save("solo-tree");
    let slots: Vec<_> = it.state().model().unwrap().slot_ids().collect();
    let model = it.state().model().unwrap();
    let bone = |name: &str| {
        let mut bones = model.skeleton().bone_ids().zip(model.skeleton().bones());
        Selected::Bone(bones.find(|(_, bone)| &*bone.name == name).unwrap().0)
    };
    let (above, beside) = (["root", "base", "lower", "upper"].map(bone), bone("head"));
    for part in above {
        assert!(is_shown(&mut it, part), "{part:?}");
    }
    assert!(is_shown(&mut it, Selected::Slot(slots[2])));
    assert!(!is_shown(&mut it, Selected::Slot(slots[0])) && !is_shown(&mut it, beside));
    let labels: Vec<String> =
        it.harness.root().children_recursive().filter_map(|node| node.accesskit_node().label()).collect();
    assert!(labels.iter().any(|label| label == "Hide upper") && labels.iter().any(|label| label == "Show head"));
    // Hiding the slot and showing it again leaves the attachment alone.
    it.harness.state_mut().state.parts.selected = Some(Selected::Slot(slots[2]));
    it.press(Modifiers::SHIFT, Key::H);
    assert!(drawn(&mut it).is_empty() && !is_shown(&mut it, Selected::Slot(slots[2])));
    it.press(Modifiers::SHIFT, Key::H);
    assert_eq!(drawn(&mut it), ["upper"]);
    assert!(!it.state().parts.hidden.is_solo(slots[2]));
}

#[test]
fn the_eye_of_a_slot_shows_what_a_pattern_has_hidden_in_it() {
    // In this format a slot and its mesh have the same name, so that a pattern hides both.
    let mut it = TestWindow::open_with([1000.0, 800.0], &["paper-knight.pchr"], |options, _| {
        options.subject.hidden_meshes = vec!["cape".parse().unwrap()];
    });
    let cape = || "cape".to_owned();
    assert!(!drawn(&mut it).contains(&cape()));
    it.state_mut().parts.selected = it.state().model().unwrap().find_slot("cape").map(Selected::Slot);
    for is_drawn in [true, false, true] {
        it.press(Modifiers::SHIFT, Key::H);
        assert_eq!(drawn(&mut it).contains(&cape()), is_drawn);
    }
}

#[test]
fn a_slot_of_which_nothing_is_shown_looks_hidden_and_is_shown_by_its_eye() {
    let mut it = TestWindow::open([1000.0, 800.0], &["paper-lamp.json"]);
    let slot = it.state().model().unwrap().find_slot("base").unwrap();
    let of_slot = it.state_mut().posed().unwrap().1.slots[slot.index()].attachment.unwrap();
    it.state_mut().toggle_shown(Selected::Attachment(slot, of_slot));
    it.harness.run();
    assert_eq!(it.state_mut().parts.is_part_shown(Selected::Slot(slot)), Some(false));
    it.state_mut().toggle_shown(Selected::Slot(slot));
    it.harness.run();
    assert!(drawn(&mut it).contains(&"base".to_owned()));
}
