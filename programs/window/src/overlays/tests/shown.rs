//! The *Show* menu, the keys of overlays, and what they draw on the canvas.

use crate::scene::CpuSceneRenderer;
use crate::scene::selection::Selected;
use crate::widgets::command::Command;
use egui::accesskit::{Role, Toggled};
use egui::{Key, Modifiers};
use egui_kittest::kittest::{NodeT, Queryable};
use pchr::draw::{Onion, Overlay, Picture};

use crate::app::tests::harness::TestWindow;

fn open(size: [f32; 2]) -> TestWindow {
    TestWindow::open(size, &["paper-knight.pchr"])
}

fn picture(it: &mut TestWindow) -> Picture {
    let state = &mut it.harness.state_mut().state;
    state.canvas.size = [90, 120];
    CpuSceneRenderer::default().render(&state.scene().expect("a character")).0.clone()
}

fn is_on(it: &TestWindow, label: &str) -> bool {
    let node = it.harness.get_by_role_and_label(Role::CheckBox, label);
    node.accesskit_node().toggled() == Some(Toggled::True)
}

#[test]
fn keys_toggle_the_wireframe_and_the_onion_skin() {
    let mut it = open([900.0, 600.0]);
    let plain = picture(&mut it);
    for (key, overlay) in [(Key::W, Overlay::Wire), (Key::U, Overlay::Onion)] {
        it.press(Modifiers::NONE, key);
        assert!(it.harness.state().state.overlays.shown.contains(overlay));
        assert!(picture(&mut it) != plain, "{overlay:?}");
        it.press(Modifiers::NONE, key);
        assert!(picture(&mut it) == plain, "{overlay:?}");
    }
}

#[test]
fn the_menu_shows_which_overlays_are_on() {
    let mut it = open([1000.0, 700.0]);
    it.harness.get_by_role_and_label(Role::Button, "Show").click();
    it.harness.run();
    for (label, overlay) in [
        ("Bones", Overlay::Bones),
        ("Wireframe", Overlay::Wire),
        ("Outlines", Overlay::Hulls),
        ("Bounds", Overlay::Bounds),
        ("Draw order", Overlay::Order),
        ("Overdraw", Overlay::Overdraw),
        ("Bounding boxes", Overlay::Boxes),
        ("Onion skin", Overlay::Onion),
    ] {
        assert!(!is_on(&it, label), "{label}");
        it.harness.get_by_role_and_label(Role::CheckBox, label).click();
        it.harness.run();
        assert!(is_on(&it, label), "{label}: the menu stays open");
        assert!(it.harness.state().state.overlays.shown.contains(overlay), "{label}");
    }
    it.save("overlays-menu");
}

#[test]
fn the_onion_skin_has_numbers_of_frames() {
    let mut it = open([1000.0, 700.0]);
    it.press(Modifiers::NONE, Key::U);
    let two = picture(&mut it);
    it.harness.get_by_role_and_label(Role::Button, "Show").click();
    it.harness.run();
    let field = it.harness.get_by_role_and_label(Role::SpinButton, "Before");
    field.focus();
    it.harness.run();
    it.harness.get_by_role_and_label(Role::SpinButton, "Before").type_text("3");
    it.press(Modifiers::NONE, Key::Enter);
    assert_eq!(it.harness.state().state.overlays.shown.onion, Onion { before: 3, after: 2 });
    assert!(picture(&mut it) != two);
}

#[test]
fn weights_follow_the_selected_bone() {
    let mut it = open([900.0, 600.0]);
    let plain = picture(&mut it);
    let state = &mut it.harness.state_mut().state;
    state.run(Command::Show(Overlay::Weights));
    assert!(state.notice.as_ref().is_some_and(|notice| notice.text.contains("Select a bone")));
    assert!(picture(&mut it) == plain, "nothing is selected");
    let mut select = |name: &str| {
        let state = &mut it.harness.state_mut().state;
        state.parts.selected = state.model().and_then(|model| model.skeleton().find(name)).map(Selected::Bone);
        picture(&mut it)
    };
    let (chest, cape) = (select("chest"), select("cape_middle"));
    assert!(chest != plain && cape != plain && chest != cape);
}

#[test]
fn options_of_the_command_line_set_overlays() {
    let mut it = TestWindow::open_with([900.0, 600.0], &["paper-knight.pchr"], |options, _| {
        options.look.show = ["weights=chest", "onion=1/0"].map(|text| text.parse().unwrap()).to_vec();
    });
    let state = &it.harness.state().state;
    assert_eq!(state.overlays.shown.onion, Onion { before: 1, after: 0 });
    assert_eq!(it.selected().as_deref(), Some("chest"));
    it.save("overlays-weights");
    let it = TestWindow::open_with([900.0, 600.0], &["paper-knight.pchr"], |options, _| {
        options.look.show = vec!["weights=cheast".parse().unwrap()];
    });
    let notice = it.harness.state().state.notice.clone().expect("a notice");
    assert!(notice.is_error && notice.text.contains("did you mean `chest`"), "{}", notice.text);
}

#[test]
fn the_menu_button_disappears_where_it_does_not_fit() {
    for (width, is_there) in [(1000.0, true), (300.0, false)] {
        let it = open([width, 400.0]);
        assert_eq!(it.harness.query_by_role_and_label(Role::Button, "Show").is_some(), is_there, "{width}");
    }
}
