//! Low and narrow windows: what does not fit is announced, or is in a menu.

use crate::scene::background::Background;
use crate::scene::camera::Camera;
use crate::timeline::Lower;
use crate::widgets::command::Command;
use egui::ThemePreference;
use egui::accesskit::Role;
use egui::{Key, Modifiers, vec2};
use egui_kittest::kittest::{NodeT, Queryable};
use pchr::draw::Overlay;

use crate::app::tests::harness::TestWindow;

const LAMP: &str = "paper-lamp.json";

fn notice(it: &mut TestWindow) -> Option<String> {
    it.harness.state_mut().state.notice.take().map(|notice| notice.text)
}

/// Returns true if rows of the dopesheet are shown.
fn has_rows(it: &TestWindow) -> bool {
    it.harness.root().children_recursive().any(|node| node.accesskit_node().role() == Role::Row)
}

fn click(it: &mut TestWindow, role: Role, label: &str) {
    let place = it.harness.get_by_role_and_label(role, label).rect().center();
    it.click_at(place);
}

#[test]
fn a_low_window_says_what_it_has_no_room_for() {
    let mut it = TestWindow::open([900.0, 300.0], &[LAMP]);
    for (key, what) in [(Key::D, "dopesheet"), (Key::C, "curves"), (Key::M, "tracks")] {
        it.press(Modifiers::NONE, key);
        assert_eq!(notice(&mut it), Some(format!("Make the window taller to see the {what}")));
    }
    it.press(Modifiers::NONE, Key::M);
    it.press(Modifiers::NONE, Key::C);
    assert_eq!(notice(&mut it), None, "closing needs no room");
    // The buttons say the same, where there is room for them.
    it.harness.set_size(vec2(900.0, 370.0));
    it.harness.run();
    click(&mut it, Role::Button, "Keys");
    assert!(it.says("Make the window taller to see the dopesheet"));
    it.save("low");
    notice(&mut it);
    // It is there once there is room.
    it.harness.set_size(vec2(900.0, 640.0));
    it.harness.run();
    assert!(has_rows(&it) && notice(&mut it).is_none());
    it.press(Modifiers::NONE, Key::C);
    it.press(Modifiers::NONE, Key::M);
    assert!(it.says("Select a bone to see its curves") && it.says("Default fade"));
    assert_eq!(notice(&mut it), None);
}

#[test]
fn what_was_open_before_is_not_announced() {
    let mut it = TestWindow::open_with([900.0, 300.0], &[LAMP], |options, folder| {
        let file = folder.join("settings.toml");
        std::fs::write(&file, "[panels]\nbelow_timeline = \"dopesheet\"\n").unwrap();
        options.settings = Some(file);
    });
    assert_eq!(it.state().timeline.lower, Some(Lower::Dopesheet));
    assert_eq!(notice(&mut it), None);
    // Without a file a larger window would not help.
    let mut it = TestWindow::open([900.0, 300.0], &[]);
    it.press(Modifiers::NONE, Key::D);
    assert_eq!(notice(&mut it), None);
}

#[test]
fn opening_a_panel_shows_hidden_panels() {
    for key in [Key::D, Key::M] {
        let mut it = TestWindow::open([900.0, 640.0], &[LAMP]);
        it.press(Modifiers::NONE, key);
        it.harness.state_mut().state.run(Command::Panels);
        it.harness.run();
        assert!(!has_rows(&it) && !it.says("Default fade"));
        it.press(Modifiers::NONE, key);
        assert!(has_rows(&it) || it.says("Default fade"), "{key:?}");
        it.press(Modifiers::NONE, key);
        assert!(!has_rows(&it) && !it.says("Default fade"), "{key:?}");
    }
    for command in [Command::AddTrack, Command::EventLog] {
        let mut it = TestWindow::open([900.0, 640.0], &[LAMP]);
        it.press(Modifiers::NONE, Key::H);
        assert!(!it.state().panels);
        it.harness.state_mut().state.run(command);
        it.harness.run();
        assert!(it.says("Default fade") && notice(&mut it).is_none(), "{command:?}");
    }
}

#[test]
fn a_narrow_window_has_a_menu_for_zoom_overlays_and_background() {
    for width in [280.0, 400.0] {
        let mut it = TestWindow::open([width, 560.0], &[LAMP]);
        click(&mut it, Role::Button, "View");
        it.save(&format!("view-zoom-{width}"));
        it.click_row("Actual size (100 %)");
        assert!(
            matches!(it.state().canvas.camera, Camera::Free { scale: 1.0, .. }),
            "{:?}",
            it.state().canvas.camera
        );
        click(&mut it, Role::Button, "View");
        click(&mut it, Role::Button, "Show");
        it.save(&format!("view-show-{width}"));
        click(&mut it, Role::CheckBox, "Bones");
        assert!(it.state().overlays.shown.contains(Overlay::Bones));
        it.harness.state_mut().state.interface.theme = ThemePreference::Light;
        click(&mut it, Role::Button, "Background");
        it.save(&format!("view-background-{width}"));
        click(&mut it, Role::RadioButton, "White");
        assert_eq!(it.state().overlays.background, Background::Color([255, 255, 255]));
        for node in it.harness.root().children_recursive() {
            let inner = node.accesskit_node();
            if matches!(inner.role(), Role::CheckBox | Role::RadioButton) {
                assert!(node.rect().right() <= width, "{:?}", inner.label());
            }
        }
    }
    let it = TestWindow::open([1000.0, 560.0], &[LAMP]);
    assert!(it.harness.query_by_role_and_label(Role::Button, "View").is_none());
}
