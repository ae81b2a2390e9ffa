//! The zoom menu, and the icons for looping, interpolation and physics.

use crate::scene::camera::Camera;
use egui::ThemePreference;
use egui::accesskit::{Role, Toggled};
use egui::{Key, Modifiers};
use egui_kittest::kittest::{NodeT, Queryable};
use pchr::player::LoopMode;

use crate::app::tests::harness::TestWindow;

fn value(it: &TestWindow, name: &str) -> String {
    it.harness.get_by_role_and_label(Role::Button, name).accesskit_node().value().unwrap_or_default()
}

#[test]
fn one_menu_shows_and_changes_the_zoom() {
    let mut it = TestWindow::open([1100.0, 700.0], &["paper-knight.pchr"]);
    for (entry, shown) in
        [("Actual size (100 %)", "100 %"), ("Double size (200 %)", "200 %"), ("Half size (50 %)", "50 %")]
    {
        it.click_role(Role::Button, "Zoom");
        it.click_row(entry);
        assert_eq!(value(&it, "Zoom"), shown);
    }
    it.click_role(Role::Button, "Zoom");
    it.click_row("Zoom in");
    assert_eq!(value(&it, "Zoom"), "66 %");
    it.click_role(Role::Button, "Zoom");
    it.click_row("Zoom out");
    assert_eq!(value(&it, "Zoom"), "50 %");
    it.click_role(Role::Button, "Zoom");
    let is_on = |it: &TestWindow, name: &str| {
        let row = it.harness.get_by_role_and_label(Role::MenuItemCheckBox, name);
        row.accesskit_node().toggled() == Some(Toggled::True)
    };
    assert!(is_on(&it, "Half size (50 %)") && !is_on(&it, "Fit to window"));
    it.save("zoom-menu");
    it.click_row("Fit to window");
    assert_eq!(it.state().canvas.camera, Camera::Fit);
    it.click_role(Role::Button, "Zoom");
    assert!(is_on(&it, "Fit to window"));
}

#[test]
fn the_zoom_button_keeps_its_place_and_works_by_keyboard() {
    let mut it = TestWindow::open([1100.0, 700.0], &["paper-knight.pchr"]);
    let before = it.harness.get_by_role_and_label(Role::Button, "Zoom").rect();
    for _ in 0..30 {
        it.press(Modifiers::COMMAND, Key::Plus);
    }
    assert_eq!(value(&it, "Zoom"), "25600 %");
    assert_eq!(it.harness.get_by_role_and_label(Role::Button, "Zoom").rect(), before);
    it.harness.get_by_role_and_label(Role::Button, "Zoom").focus();
    it.harness.run();
    it.press(Modifiers::NONE, Key::Enter);
    assert!(it.harness.query_by_role_and_label(Role::MenuItemCheckBox, "Fit to window").is_some());
}

#[test]
fn icons_show_which_loop_mode_is_on_and_choose_another() {
    let mut it = TestWindow::open([1100.0, 700.0], &["paper-knight.pchr"]);
    for (name, mode) in
        [("Loop", LoopMode::Loop), ("Play once", LoopMode::Once), ("Ping-pong", LoopMode::PingPong)]
    {
        it.click_role(Role::Button, "Loop mode");
        it.click_row(name);
        assert_eq!(it.state().playback.animator.loop_mode(), mode);
        assert_eq!(value(&it, "Loop mode"), name);
        it.save(&format!("loop-{mode:?}"));
    }
    it.press(Modifiers::NONE, Key::L);
    assert_eq!(value(&it, "Loop mode"), "Loop as authored");
}

#[test]
fn icons_show_their_name_under_the_pointer_and_whether_they_are_on() {
    let mut it = TestWindow::open([1100.0, 700.0], &["paper-knight.pchr"]);
    let toggle = it.harness.get_by_role_and_label(Role::CheckBox, "Interpolate");
    assert_eq!(toggle.accesskit_node().toggled(), Some(Toggled::False));
    let place = toggle.rect().center();
    it.click_at(place);
    let toggle = it.harness.get_by_role_and_label(Role::CheckBox, "Interpolate");
    assert_eq!(toggle.accesskit_node().toggled(), Some(Toggled::True));
    assert!(it.state().playback.animator.interpolates());
    it.harness.hover_at(place + egui::vec2(1.0, 0.0));
    it.harness.run_steps(8);
    assert!(it.says("Interpolation: on"));
    it.save("transport-tooltip");
}

#[test]
fn the_bars_look_alike_in_both_themes() {
    for theme in [ThemePreference::Light, ThemePreference::Dark] {
        for size in [[400.0, 500.0], [800.0, 500.0], [1600.0, 500.0]] {
            let mut it = TestWindow::open(size, &["paper-knight.pchr"]);
            it.harness.state_mut().state.interface.theme = theme;
            it.press(Modifiers::NONE, Key::T);
            it.save(&format!("bars-{theme:?}-{}", size[0]));
            let toggle = it.harness.get_by_role_and_label(Role::CheckBox, "Interpolate").rect();
            assert!(toggle.right() <= size[0] && toggle.bottom() <= size[1], "{size:?}: {toggle}");
        }
    }
}
