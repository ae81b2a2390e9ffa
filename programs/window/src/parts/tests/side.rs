//! The side panel: sections, filter, tree, and hiding.

use crate::scene::selection::Selected;
use egui::accesskit::Role;
use egui::{Event, Key, Modifiers, PointerButton};
use egui_kittest::kittest::{NodeT, Queryable};

use crate::app::tests::harness::TestWindow;

impl TestWindow {
    fn has(&self, label: &str) -> bool {
        self.harness.query_all_by_label(label).next().is_some()
    }

    /// Clicks a control with the mouse and these modifiers.
    fn mouse(&mut self, label: &str, modifiers: Modifiers) {
        let pos = self.harness.get_by_label(label).rect().center();
        self.harness.hover_at(pos);
        for pressed in [true, false] {
            let button = PointerButton::Primary;
            self.harness.event_modifiers(Event::PointerButton { pos, button, pressed, modifiers }, modifiers);
        }
        self.harness.run();
    }

    /// Returns the label of what has the keyboard focus.
    fn focused(&self) -> Option<String> {
        let mut nodes = self.harness.root().children_recursive();
        nodes.find(|node| node.accesskit_node().is_focused()).and_then(|node| node.accesskit_node().label())
    }

    /// Returns the names of the slots that are drawn.
    fn drawn(&mut self) -> Vec<String> {
        let scene = self.harness.state_mut().scene().unwrap();
        let model = scene.character.model();
        let mut pose = self.harness.state_mut().state.posed().unwrap().1.clone();
        scene.hidden.apply(model, &mut pose);
        let mesh = |slot: &&pchr::model::SlotId| {
            pose.slots[slot.index()].attachment.is_some_and(|shown| model.attachment(shown).mesh().is_some())
        };
        pose.draw_order.iter().filter(mesh).map(|slot| model.slot(*slot).name.to_string()).collect()
    }
}

#[test]
fn sections_fold_and_unfold() {
    let mut it = TestWindow::open([1100.0, 800.0], &["paper-lamp.json", "paper-knight.pchr"]);
    assert!(it.has("hop 0.90 s") && it.has("paper-knight.pchr"));
    for (header, row) in [("ANIMATIONS (2)", "hop 0.90 s"), ("FILES (2)", "paper-knight.pchr"), ("SKIN", "blue")] {
        it.click(header);
        assert!(!it.has(row), "{header} is folded");
        it.click(header);
        assert!(it.has(row), "{header} is unfolded");
    }
    it.click("CHARACTER");
    assert!(!it.says("Vertices"));
    for section in ["SLOTS (7)", "TREE"] {
        it.click(section);
    }
    it.press(Modifiers::COMMAND, Key::PageDown);
    assert!(!it.says("Vertices"), "sections stay folded when another file is shown");
    it.save("side-knight");
}

#[test]
fn rows_are_22_points_high() {
    let mut it = TestWindow::open([1100.0, 800.0], &["paper-lamp.json", "paper-knight.pchr"]);
    it.click("SLOTS (7)");
    it.click("TREE");
    for row in ["hop 0.90 s", "blue", "paper-knight.pchr", "shade", "Bones"] {
        let rect = it.harness.get_all_by_label(row).next().expect(row).rect();
        assert_eq!(rect.height(), 22.0, "{row}");
    }
    it.save("side-lamp");
}

#[test]
fn the_filter_finds_parts_of_names_in_all_lists() {
    let mut it = TestWindow::open([1100.0, 800.0], &["paper-lamp.json"]);
    it.press(Modifiers::COMMAND, Key::F);
    it.type_text("UPP");
    assert!(it.has("upper"), "the tree shows matches");
    assert!(it.has("lower"), "and what is above them");
    assert!(!it.has("hold") && !it.has("hop 0.90 s"));
    assert!(it.says("2 matches"), "a bone and its slot");
    it.save("side-filter");
    it.click("Clear the filter");
    assert!(it.has("hop 0.90 s") && !it.says("matches"));
    it.press(Modifiers::COMMAND, Key::F);
    it.type_text("ho");
    assert!(it.has("hop 0.90 s") && it.has("hold") && !it.has("idle 2.00 s"));
}

#[test]
fn the_keyboard_moves_through_the_tree() {
    let mut it = TestWindow::open([1100.0, 800.0], &["paper-lamp.json"]);
    it.click("TREE");
    it.harness.get_by_role_and_label(Role::Button, "Bones").focus();
    it.harness.run();
    let mut go = |key, expected: &str| {
        it.press(Modifiers::NONE, key);
        assert_eq!(it.focused().as_deref(), Some(expected), "{key:?}");
    };
    go(Key::ArrowDown, "root");
    go(Key::ArrowDown, "base");
    go(Key::ArrowUp, "root");
    go(Key::ArrowLeft, "root");
    go(Key::ArrowDown, "Skins");
    go(Key::ArrowUp, "root");
    go(Key::ArrowRight, "root");
    go(Key::ArrowRight, "base");
    go(Key::ArrowLeft, "base");
    go(Key::ArrowLeft, "root");
    go(Key::End, "Events");
    go(Key::Home, "Bones");
    go(Key::End, "Events");
    go(Key::ArrowRight, "Events");
    go(Key::ArrowRight, "jump");
    go(Key::Enter, "jump");
    assert!(matches!(it.harness.state().state.parts.selected, Some(Selected::Event(_))));
    for text in ["Integer", "Float", "String"] {
        assert!(it.says(text), "{text}");
    }
    assert_eq!(
        it.harness.state().state.playback.animator.playback(0).frame(),
        0,
        "Home and End have not moved the playhead"
    );
}

#[test]
fn a_selection_on_the_canvas_is_revealed_in_the_tree() {
    let mut it = TestWindow::open([1100.0, 800.0], &["paper-lamp.json"]);
    it.click("TREE");
    it.harness.get_by_label("root").focus();
    it.harness.run();
    it.press(Modifiers::NONE, Key::ArrowLeft);
    assert!(!it.has("upper"), "folded");
    let state = &mut it.harness.state_mut().state;
    let shade = state.model().unwrap().find_slot("shade").unwrap();
    let skins = state.model().unwrap().skins();
    let entry = skins.iter().flat_map(|skin| &skin.entries).find(|entry| entry.slot == shade).unwrap().attachment;
    state.parts.selected = Some(Selected::Attachment(shade, entry));
    it.harness.run();
    let rows: Vec<_> = it.harness.get_all_by_role_and_label(Role::Button, "shade").map(|row| row.rect()).collect();
    assert!(rows.len() >= 2, "the slot and its attachments: {rows:?}");
    it.save("side-revealed");
}

#[test]
fn constraints_and_skins_are_inspected() {
    let mut it = TestWindow::open([1100.0, 1400.0], &["paper-lamp.json"]);
    it.click("TREE");
    for (group, row, texts) in [
        ("Constraints", "arm", &["IK constraint", "Target", "mix", "softness", "hold"][..]),
        ("Skins", "default", &["Attachments", "Contents", "bulb"]),
    ] {
        it.harness.get_by_role_and_label(Role::Button, group).click();
        it.harness.run();
        it.harness.get_all_by_label(row).next().expect(row).click();
        it.harness.run();
        assert!(it.selected().as_deref() == Some(row), "{row}");
        for text in texts {
            assert!(it.says(text), "{row}: {text}");
        }
        it.save(&format!("side-{row}"));
    }
}

#[test]
fn sliders_and_properties_are_inspected() {
    let mut it = TestWindow::open([1100.0, 1400.0], &["paper-lamp-4.3.json"]);
    it.click("TREE");
    it.harness.get_by_role_and_label(Role::Button, "Constraints").click();
    it.harness.run();
    for (row, texts) in [
        (
            "tilt",
            [
                "Transform constraint",
                "additive",
                "y to rotate, 0 + (y - 66) * 1.1, from 0 to 40",
                "as number 4 of 6",
            ],
        ),
        ("lure", ["Slider", "animation", "0 + (y - 66) * 0.027777778 s, local", "as number 6 of 6"]),
    ] {
        it.harness.get_all_by_label(row).next().expect(row).click();
        it.harness.run();
        for text in texts {
            assert!(it.says(text), "{row}: {text}");
        }
        it.save(&format!("side-{row}"));
    }
}

#[test]
fn eyes_hide_and_alt_click_shows_alone() {
    let mut it = TestWindow::open([1100.0, 800.0], &["paper-lamp.json"]);
    let all = it.drawn();
    it.click("SLOTS (7)");
    it.mouse("Hide shade", Modifiers::NONE);
    assert!(all.contains(&"shade".to_owned()) && !it.drawn().contains(&"shade".to_owned()));
    assert!(it.has("Show shade") && it.says("1 part is hidden"));
    it.save("side-hidden");
    it.mouse("Show shade", Modifiers::NONE);
    assert_eq!(it.drawn(), all);
    it.mouse("Hide shade", Modifiers::ALT);
    assert_eq!(it.drawn(), ["shade"]);
    assert!(it.says("1 part is shown alone"));
    it.click("Show all");
    assert_eq!(it.drawn(), all);
    assert!(!it.says("Show all"));
}

#[test]
fn an_eye_of_a_bone_hides_all_slots_below_it() {
    let mut it = TestWindow::open([1100.0, 800.0], &["paper-lamp.json"]);
    it.click("TREE");
    let eye = |it: &TestWindow, verb: &str| {
        let label = format!("{verb} lower");
        let mut eyes = it.harness.get_all_by_label(&label);
        eyes.find(|eye| eye.rect().is_positive()).expect("an eye").rect().center()
    };
    let at = eye(&it, "Hide");
    it.harness.drag_at(at);
    it.harness.drop_at(at);
    it.harness.run();
    assert_eq!(it.drawn(), ["base"], "the arm and the head are below it");
    let at = eye(&it, "Show");
    it.harness.drag_at(at);
    it.harness.drop_at(at);
    it.harness.run();
    assert!(it.drawn().len() > 3);
}

#[test]
fn keys_hide_solo_and_show_all() {
    let mut it = TestWindow::open([1100.0, 800.0], &["paper-lamp.json"]);
    let all = it.drawn();
    it.press(Modifiers::SHIFT, Key::H);
    assert_eq!(it.drawn(), all, "nothing is selected");
    let state = &mut it.harness.state_mut().state;
    state.parts.selected = state.model().unwrap().find_slot("base").map(Selected::Slot);
    it.press(Modifiers::SHIFT, Key::H);
    assert!(!it.drawn().contains(&"base".to_owned()));
    it.press(Modifiers::SHIFT, Key::S);
    assert_eq!(it.drawn(), ["base"]);
    it.press(Modifiers::SHIFT, Key::S);
    it.press(Modifiers::SHIFT, Key::H);
    it.press(Modifiers::SHIFT, Key::A);
    assert_eq!(it.drawn(), all);
}

#[test]
fn what_is_hidden_is_not_picked() {
    let mut it = TestWindow::open([1100.0, 800.0], &["paper-lamp.json"]);
    let state = &mut it.harness.state_mut().state;
    let (model, pose) = state.posed().unwrap();
    let base = model.skeleton().find("base").unwrap();
    let at = pose.world_from_bone[base.index()].translation + pchr::math::vec2(0.0, 4.0);
    state.pick(at, 0.0);
    let picked = state.parts.selected.expect("something is drawn there");
    state.toggle_shown(picked);
    state.pick(at + pchr::math::vec2(0.5, 0.0), 0.0);
    assert_ne!(state.parts.selected, Some(picked));
}

#[test]
fn skins_are_grouped_and_groups_fold() {
    let mut it = TestWindow::open_with([1100.0, 800.0], &["many.json"], |_, folder| {
        let text = std::fs::read_to_string(folder.join("paper-lamp.json")).unwrap();
        let mut json: serde_json::Value = serde_json::from_str(&text).unwrap();
        let skins = json["skins"].as_array_mut().unwrap();
        for name in ["hats/red", "hats/green", "shoes/plain"] {
            let mut skin = skins[1].clone();
            skin["name"] = name.into();
            skins.push(skin);
        }
        std::fs::write(folder.join("many.json"), json.to_string()).unwrap();
        std::fs::copy(folder.join("paper-lamp.atlas"), folder.join("many.atlas")).unwrap();
    });
    assert!(it.has("hats") && !it.has("shoes"), "a group of one needs no row");
    assert!(it.has("hats/red") && it.has("shoes/plain"));
    it.save("side-skins");
    it.click("hats");
    assert!(!it.has("hats/red") && it.has("shoes/plain"));
    it.click("hats");
    it.click("hats/green");
    let state = &it.harness.state().state;
    let worn: Vec<_> =
        state.playback.animator.skins().iter().map(|id| &*state.model().unwrap().skin(*id).name).collect();
    assert_eq!(worn, ["hats/green"]);
}

#[test]
fn ten_thousand_bones_lay_out_only_the_visible_rows() {
    use crate::common::v1::{self as schema, write};
    let mut it = TestWindow::open_with([1100.0, 800.0], &["many.pchr"], |_, folder| {
        // One chain, as deep as can be.
        let bone = |index: i16| schema::Bone { name: format!("bone {index}"), parent: index - 1, offset: 0 };
        let file = schema::File { fps: 10, bones: (0..10_000).map(bone).collect(), ..schema::File::default() };
        std::fs::write(folder.join("many.pchr"), write(&file).unwrap()).unwrap();
    });
    it.click("TREE");
    let rows = |it: &TestWindow| {
        let labels = it.harness.root().children_recursive();
        labels.filter(|node| node.accesskit_node().label().is_some_and(|text| text.starts_with("bone "))).count()
    };
    assert!((5..60).contains(&rows(&it)), "{} rows", rows(&it));
    let state = &mut it.harness.state_mut().state;
    state.parts.selected = state.model().unwrap().skeleton().find("bone 9000").map(Selected::Bone);
    it.harness.run();
    assert!(it.has("bone 9000") && rows(&it) < 200);
    it.save("side-deep");
}
