//! Where the parts of dialogs, of the empty window, of the inspector and of the bar of a comparison are.

use crate::compare::Arrangement;
use crate::scene::selection::Selected;
use crate::widgets::command::Command;
use egui::accesskit::Role;
use egui::{Key, Modifiers, Rect, Vec2, pos2, vec2};
use egui_kittest::kittest::{NodeT, Queryable};
use pchr::export::Size;

use crate::app::tests::harness::TestWindow;
use crate::export::tests::dialog_harness::Dialog;

const SIZES: [[f32; 2]; 4] = [[400.0, 600.0], [800.0, 600.0], [1600.0, 900.0], [360.0, 420.0]];

impl TestWindow {
    fn place_of(&self, role: Role, label: &str) -> Rect {
        self.harness.get_by_role_and_label(role, label).rect()
    }
}

fn window(size: [f32; 2]) -> Rect {
    Rect::from_min_size(pos2(0.0, 0.0), size.into())
}

// ---- Export dialog

#[test]
fn head_and_foot_of_the_export_dialog_stand_still_while_the_choices_scroll() {
    for size in SIZES {
        let mut it = Dialog::open(size);
        it.settle();
        let parts = |it: &Dialog| {
            [
                it.place_of(Role::Button, "Close export"),
                it.place_of(Role::TextInput, "Save as"),
                it.place_of(Role::Button, "Choose…"),
                it.place_of(Role::Button, "Copy"),
                it.place_of(Role::Button, "Close"),
                it.place_of(Role::Button, "Export"),
            ]
        };
        let before = parts(&it);
        for part in before {
            assert!(window(size).contains_rect(part), "{size:?}: {part}");
        }
        let list = it.place_of(Role::ComboBox, "Format");
        let above_foot = pos2(before[1].center().x, before[3].top() - 30.0);
        it.wheel(above_foot, vec2(0.0, -400.0), Modifiers::NONE);
        it.harness.run();
        assert_eq!(parts(&it), before, "{size:?}");
        if size[1] < 700.0 {
            assert!(
                it.place_of(Role::ComboBox, "Format").top() < list.top() - 20.0,
                "{size:?}: the choices scroll"
            );
        }
    }
}

#[test]
fn the_export_dialog_has_one_right_edge() {
    for size in SIZES {
        let mut it = Dialog::open(size);
        it.settle();
        let right = it.place_of(Role::Button, "Export").right();
        for (role, name) in [
            (Role::ComboBox, "Format"),
            (Role::ComboBox, "Frames"),
            (Role::Button, "Choose…"),
            (Role::Button, "Copy"),
            (Role::Button, "Close export"),
        ] {
            let place = it.place_of(role, name);
            assert!((place.right() - right).abs() < 0.6, "{size:?}, {name}: {place} and {right}");
        }
        // In low windows it is folded.
        if it.harness.query_by_role_and_label(Role::Image, "Preview").is_none() {
            it.harness.get_by_label("Preview").click();
            it.harness.run();
        }
        let preview = it.place_of(Role::Image, "Preview");
        let list = it.place_of(Role::ComboBox, "Format");
        if size[0] >= 760.0 {
            assert!(preview.right() < list.left(), "{size:?}: beside each other");
        } else {
            assert!((preview.right() - right).abs() < 0.6, "{size:?}: {preview} and {right}");
        }
    }
}

#[test]
fn a_second_click_on_export_does_not_cancel() {
    let mut it = Dialog::new();
    it.set(|export| export.options.look.size = Size::Exact(2500, 2500));
    let [export, close] = ["Export", "Close"].map(|name| it.place_of(Role::Button, name));
    it.tap(export.center());
    assert!(it.export().is_running());
    assert_eq!(it.place_of(Role::Button, "Cancel"), close, "it is where Close was");
    it.tap(export.center());
    assert!(it.export().is_running());
    it.wait("the first picture", |export| match &export.phase {
        crate::export::Phase::Running(job) => job.progress().0 > 0,
        phase => panic!("{phase:?}"),
    });
    assert!(it.says(" %"), "the progress is a percentage");
    it.click_button("Cancel");
    it.ended();
}

#[test]
fn the_result_of_an_export_is_shown_in_full_with_its_size() {
    let mut it = Dialog::open([800.0, 600.0]);
    it.set(|export| export.options.look.size = Size::Exact(60, 60));
    it.settle();
    let before = it.place_of(Role::Button, "Export");
    it.write();
    let bytes = it.files()["my knight-walk.gif"].len();
    assert!(bytes > 10_000);
    let size = format!("{:.1} KiB", bytes as f64 / 1024.0);
    let text = format!("my knight-walk.gif ({size})");
    let label = it.harness.get_by_label_contains(&text).rect();
    assert!(label.height() < 60.0, "three lines at most");
    assert_eq!(it.place_of(Role::Button, "Export"), before, "it stays in place");
}

// ---- Help, palette and empty window

#[test]
fn a_large_window_shows_all_keys_at_once() {
    let mut it = TestWindow::open([1600.0, 1080.0], &["paper-lamp.json"]);
    it.key(Key::F1);
    let nodes = it.harness.root().children_recursive().filter(|node| {
        let node = node.accesskit_node();
        let text = node.value().or_else(|| node.label());
        node.role() == Role::Label && text.is_some_and(|text| text.contains(": "))
    });
    let lines: Vec<Rect> = nodes.map(|node| node.rect()).collect();
    assert!(lines.len() >= crate::palette::listing::rows().len(), "{}", lines.len());
    let field = it.harness.get_by(|node| node.role() == Role::TextInput && node.is_focused()).rect();
    let list = Rect::from_x_y_ranges(field.x_range(), field.bottom()..=1050.0);
    for line in &lines {
        assert!(list.contains_rect(line.shrink(0.5)), "{line} in {list}");
    }
    let mut lefts: Vec<i32> = lines.iter().map(|line| line.left().round() as i32).collect();
    lefts.sort_unstable();
    lefts.dedup();
    assert_eq!(lefts.len(), 3, "three columns: {lefts:?}");
}

#[test]
fn rows_of_the_palette_are_as_wide_as_its_field_and_half_a_row_peeps_out() {
    for size in [[400.0, 600.0], [1600.0, 900.0]] {
        let mut it = TestWindow::open(size, &["paper-lamp.json"]);
        it.press(Modifiers::COMMAND, Key::K);
        let field = it.harness.get_by(|node| node.role() == Role::TextInput && node.is_focused()).rect();
        let is_row = |role| matches!(role, Role::MenuItem | Role::MenuItemCheckBox);
        let rows: Vec<Rect> = it.harness.get_all_by(|node| is_row(node.role())).map(|node| node.rect()).collect();
        assert!(rows.len() > 5);
        for row in &rows {
            assert!(
                (row.left() - field.left()).abs() < 1.1 && (row.right() - field.right()).abs() < 1.1,
                "{row} {field}"
            );
        }
    }
}

#[test]
fn nothing_of_the_empty_window_is_cut() {
    for size in [[400.0, 600.0], [800.0, 600.0], [800.0, 480.0], [400.0, 300.0], [1600.0, 900.0]] {
        for files in [0, 2, 12] {
            let mut it = TestWindow::open(size, &[]);
            let folder = it.folder.path().to_owned();
            let recent = (0..files).map(|index| folder.join(format!("character {index}.pchr")));
            it.state_mut().files.recent.restore(recent);
            it.harness.run();
            let nodes = it.harness.root().children_recursive().filter(|node| {
                let role = node.accesskit_node().role();
                matches!(role, Role::Label | Role::Button)
            });
            let room = window(size).with_min_y(0.0).expand(0.5);
            let mut count = 0;
            for node in nodes {
                assert!(room.contains_rect(node.rect()), "{size:?}, {files}: {:?}", node.rect());
                count += 1;
            }
            assert!(count >= 5);
            assert_eq!(it.says("character 0.pchr"), files > 0, "{size:?}");
            if size[1] >= 600.0 {
                assert!(
                    it.says("Drag pan the view") && it.says("← → step through the frames"),
                    "{size:?}, {files}"
                );
            }
        }
    }
}

// ---- Inspector

fn inspected(size: [f32; 2]) -> TestWindow {
    let mut it = TestWindow::open(size, &["paper-lamp.json"]);
    let state = it.state_mut();
    state.parts.selected = state.model().unwrap().skeleton().find("upper").map(Selected::Bone);
    it.harness.run();
    it
}

#[test]
fn in_a_low_canvas_the_inspector_shows_its_title_until_it_is_unfolded() {
    let mut it = inspected([800.0, 600.0]);
    assert!(it.says("Inherits"), "there is room");
    it.state_mut().run(Command::Curves);
    it.harness.run();
    assert!(!it.says("Inherits") && !it.says("Local"));
    let [_, height] = it.state().canvas.size;
    assert!(height < 250);
    it.click("Show the details");
    assert!(it.says("Local"));
    it.click("Hide the details");
    assert!(!it.says("Local"));
    it.state_mut().run(Command::Curves);
    it.harness.run();
    assert!(it.says("Local"), "the choice for a high canvas is another one");
}

#[test]
fn the_transform_comes_first_in_a_narrow_window() {
    let it = inspected([400.0, 600.0]);
    let place = |name: &str| it.harness.get_all_by_label(name).next().expect("a line").rect();
    assert!(place("Local").top() < place("Chain").top());
    let rotation = place("Rotation");
    let [_, height] = it.state().canvas.size;
    assert!(rotation.bottom() < 44.0 + height as f32, "position and rotation are in view: {rotation}");
}

// ---- Comparison

fn compared(size: [f32; 2]) -> TestWindow {
    let mut it = TestWindow::open(size, &["paper-lamp.json", "paper-knight.pchr"]);
    it.state_mut().compare_with(1);
    it.harness.run();
    it
}

#[test]
fn groups_of_the_comparison_stay_together_and_close_is_at_the_right() {
    for width in (240..=1600).step_by(68) {
        let it = compared([width as f32, 700.0]);
        let place = |name: &str| it.place_of(Role::Button, name);
        for [first, second] in [["By time", "By frame"], ["List", "Swap"]] {
            assert!((place(first).top() - place(second).top()).abs() < 1.0, "{width}: {first}");
        }
        let close = place("End comparison");
        assert!((close.center().y - place("Side by side").center().y).abs() < 2.0, "{width}: {close}");
        assert!(close.right() > width as f32 - 20.0, "{width}: {close}");
    }
}

#[test]
fn the_difference_is_in_the_first_line_of_the_bar() {
    let mut it = compared([1000.0, 700.0]);
    let before = it.state().canvas.size;
    it.click_button(Arrangement::Difference.label());
    for _ in 0..2000 {
        if it.says(" % differ (max ") {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(5));
        it.harness.run_steps(1);
    }
    assert!(it.says(" % differ (max "));
    it.save("difference-bar");
    let [_, height] = it.state().canvas.size;
    assert_eq!(height, before[1], "the picture does not jump");
}

#[test]
fn files_to_compare_with_say_their_folder() {
    let mut it = TestWindow::open([1000.0, 700.0], &["paper-lamp.json", "paper-knight.pchr"]);
    let folder = it.folder.path().file_name().unwrap().to_string_lossy().into_owned();
    it.press(Modifiers::COMMAND, Key::D);
    let row = it.harness.get_all_by_role_and_label(Role::Button, "paper-knight.pchr").last().unwrap().rect();
    it.harness.hover_at(row.center());
    it.let_seconds_pass(1.0);
    assert!(it.says(&folder));
    it.click_at(row.center());
    assert!(it.state().compare.second.is_some());
    assert_ne!(row.size(), Vec2::ZERO);
}
