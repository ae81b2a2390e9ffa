//! The face of the export dialog: columns, groups, and what it offers when files were written.

use std::fs;
use std::time::Duration;

use crate::export::Phase;
use crate::widgets::actions::Request;
use egui::ThemePreference;
use egui::accesskit::Role;
use egui::{Key, Modifiers};
use egui_kittest::kittest::{NodeT, Queryable};

use crate::app::tests::harness::TestWindow;

fn dialog(size: [f32; 2]) -> TestWindow {
    let mut it = TestWindow::open(size, &["paper-knight.pchr"]);
    it.press(Modifiers::COMMAND, Key::E);
    settle(&mut it);
    it
}

/// Waits until the preview is drawn, and the export has ended.
fn settle(it: &mut TestWindow) {
    for _ in 0..2000 {
        let export = it.state().export.as_ref().expect("the dialog is open");
        if !export.previewer.is_busy() && !matches!(export.phase, Phase::Running(_)) {
            break;
        }
        std::thread::sleep(Duration::from_millis(5));
        it.harness.run_steps(1);
    }
    it.harness.run();
}

/// Returns the edges of the controls of this role in the dialog.
fn edges(it: &TestWindow, role: Role) -> Vec<(f32, f32)> {
    let nodes = it.harness.root().children_recursive();
    // Those of the window itself are left of the dialog or above it.
    let label = it.harness.get_by_role_and_label(Role::ComboBox, "Format").rect();
    let found = nodes.filter(|node| node.accesskit_node().role() == role).map(|node| node.rect());
    found
        .filter(|rect| rect.left() >= label.left() - 2.0 && rect.top() > 60.0)
        .map(|r| (r.left(), r.right()))
        .collect()
}

#[test]
fn fields_have_one_left_edge_and_lists_one_right_edge() {
    for size in [[1100.0, 900.0], [420.0, 900.0]] {
        let it = dialog(size);
        let lists = edges(&it, Role::ComboBox);
        assert!(lists.len() >= 4, "{lists:?}");
        let (left, right) = lists[0];
        for list in &lists {
            assert!((list.0 - left).abs() < 0.6 && (list.1 - right).abs() < 0.6, "{size:?}: {lists:?}");
        }
        let scale = it.harness.get_by_role_and_label(Role::SpinButton, "Scale").rect();
        assert!((scale.left() - left).abs() < 0.6, "{size:?}: {scale} and {left}");
    }
}

#[test]
fn choices_are_grouped_under_headings() {
    let it = dialog([1100.0, 900.0]);
    for heading in ["FILE", "CONTENT", "DIMENSIONS", "LOOK", "PLAYBACK"] {
        assert!(it.says(heading), "{heading}");
    }
}

#[test]
fn nothing_moves_while_a_number_or_a_path_is_typed() {
    let mut it = dialog([1100.0, 900.0]);
    let places = |it: &TestWindow| {
        let at = |role, name| it.harness.get_by_role_and_label(role, name).rect();
        [
            at(Role::ComboBox, "Size"),
            at(Role::ComboBox, "Area"),
            at(Role::SpinButton, "Padding"),
            at(Role::Button, "Choose…"),
            at(Role::Button, "Export"),
            at(Role::Button, "Close"),
        ]
    };
    let before = places(&it);
    it.harness.get_by_role_and_label(Role::SpinButton, "Padding").focus();
    it.harness.run();
    for digit in ["1", "2", "3", "4"] {
        it.type_text(digit);
        assert_eq!(places(&it), before, "{digit}");
    }
    it.harness.get_by_role_and_label(Role::TextInput, "Save as").focus();
    it.harness.run();
    it.type_text("a very long name that goes on and on and on and on and on and on and on and on and on");
    assert_eq!(places(&it), before);
}

#[test]
fn the_folder_of_the_written_files_can_be_opened() {
    let mut it = dialog([1100.0, 900.0]);
    let folder = it.folder.path().join("out");
    fs::create_dir(&folder).unwrap();
    assert!(it.harness.query_by_role_and_label(Role::Button, "Open folder").is_none());
    let export = it.harness.state_mut().state.export.as_mut().expect("the dialog is open");
    export.options.look.size = pchr::export::Size::Width(16);
    export.path = folder.join("knight.gif").to_string_lossy().into_owned();
    export.typed_path();
    it.harness.run();
    let before = it.harness.get_by_role_and_label(Role::Button, "Export").rect();
    it.click_role(Role::Button, "Export");
    settle(&mut it);
    assert!(folder.join("knight.gif").exists(), "{:?}", it.state().export.as_ref().unwrap().phase);
    it.save("export-done");
    assert_eq!(it.harness.get_by_role_and_label(Role::Button, "Export").rect(), before, "it stays in place");
    it.harness.state_mut().state.requests.clear();
    it.click_role(Role::Button, "Open folder");
    assert!(matches!(&it.state().requests[..], [Request::OpenFolder(_)]));
    assert_eq!(it.state().export.as_ref().and_then(|export| export.folder()), Some(folder));
}

#[test]
fn the_dialog_fits_every_width_in_both_themes() {
    for theme in [ThemePreference::Light, ThemePreference::Dark] {
        for size in [[400.0, 600.0], [800.0, 700.0], [1600.0, 900.0]] {
            let mut it = TestWindow::open(size, &["paper-knight.pchr"]);
            it.harness.state_mut().state.interface.theme = theme;
            it.press(Modifiers::COMMAND, Key::E);
            settle(&mut it);
            let list = it.harness.get_by_role_and_label(Role::ComboBox, "Format").rect();
            assert!(list.left() >= 0.0 && list.right() <= size[0], "{size:?}: {list}");
            it.save(&format!("export-{theme:?}-{}", size[0]));
        }
    }
}
