//! The list of differences.

use std::time::Duration;

use crate::compare::findings::place_of;
use crate::scene::selection::Selected;
use egui::accesskit::Role;
use egui::{Key, Modifiers, Rect, pos2, vec2};
use egui_kittest::kittest::{NodeT, Queryable};
use pchr::Character;
use pchr::diff::{Kind, Options, Side, compare};

use super::{Square, TestWindow};

impl TestWindow {
    /// Shows the list and waits until the differences are found.
    fn list(&mut self) {
        self.click("List");
        self.wait_for_findings();
    }

    fn wait_for_findings(&mut self) {
        for _ in 0..2000 {
            self.harness.run_steps(1);
            if self.app().state.compare.findings.answer().is_some() {
                self.harness.run();
                return;
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        panic!("the differences are never found");
    }

    /// Returns the names of the rows.
    fn finding_rows(&self) -> Vec<String> {
        let nodes = self.harness.query_all_by(|node| {
            let label = node.label().unwrap_or_default();
            node.role() == Role::Button && [": ~ ", ": + ", ": - "].iter().any(|mark| label.contains(mark))
        });
        nodes.filter_map(|node| node.accesskit_node().label()).collect()
    }

    fn click_finding(&mut self, part: &str) {
        let row = self.finding_rows().into_iter().find(|row| row.contains(part)).expect("the row is listed");
        self.click(&row);
    }
}

/// Differs in the pixels of the image, in the motion, and in an animation and a bone that only one of them has.
fn different() -> [Vec<u8>; 2] {
    let a = Square { animations: &[("walk", 10), ("idle", 3)], ..Square::default() };
    let b = Square {
        color: [40, 160, 80],
        step: 12.0,
        animations: &[("walk", 10), ("run", 4)],
        bones: 1,
        ..Square::default()
    };
    [a.bytes(), b.bytes()]
}

#[test]
fn the_list_contains_what_the_comparison_of_files_finds() {
    let [a, b] = different();
    let mut it = TestWindow::compared([1000.0, 700.0], &a, &b);
    it.list();
    let characters = [a, b].map(|bytes| Character::from_bytes(bytes).unwrap());
    let [a, b] =
        [("a.pchr", &characters[0]), ("b.pchr", &characters[1])].map(|(file, character)| Side { character, file });
    let mut lines = compare(a, b, &Options::default()).unwrap().lines();
    lines.sort_by_key(|line| place_of(line.kind));
    assert_eq!(lines.last().map(|line| line.kind), Some(Kind::Image), "after bones and animations");
    assert!(lines.len() >= 5, "{lines:#?}");
    let rows = it.finding_rows();
    assert_eq!(rows.len(), lines.len(), "{rows:#?}");
    for (row, line) in rows.iter().zip(&lines) {
        assert!(row.starts_with(line.kind.plural()), "{row}");
        assert!(row.contains(&format!("{} {}", line.found_in.mark(), line.name)), "{row}");
        assert!(row.contains(&line.detail), "{row}");
    }
    assert!(it.says(&format!("DIFFERENCES ({})", lines.len())));
    it.save_themes("list");
}

#[test]
fn a_click_on_a_pose_goes_to_its_frame_and_selects_the_bone() {
    let [a, b] = different();
    let mut it = TestWindow::compared([1000.0, 700.0], &a, &b);
    it.press(Modifiers::NONE, Key::PageDown);
    it.app().state.playback.animator.set_playing(true);
    it.list();
    it.click_finding("bones: up to 18 units");
    let state = &it.app().state;
    let animation = state.playback.animator.playback(0).animation().unwrap();
    assert_eq!(state.model().unwrap().animation(animation).name, "walk");
    assert_eq!(state.playback.animator.playback(0).frame(), 9, "where the distance is largest");
    assert!(!state.playback.animator.is_playing());
    let root = state.model().unwrap().skeleton().find("root").unwrap();
    assert_eq!(state.parts.selected, Some(Selected::Bone(root)));
    it.click_finding("vertices: up to 18 units");
    assert!(matches!(it.app().state.parts.selected, Some(Selected::Attachment(..))));
    it.click_finding("~ page");
    assert!(
        matches!(it.app().state.parts.selected, Some(Selected::Attachment(..))),
        "a mesh that shows the image"
    );
    it.click_finding("- idle");
    let state = &it.app().state;
    let animation = state.playback.animator.playback(0).animation().unwrap();
    assert_eq!(state.model().unwrap().animation(animation).name, "idle");
}

#[test]
fn items_of_the_second_file_are_selected_after_swapping() {
    let [a, b] = different();
    let mut it = TestWindow::compared([1000.0, 700.0], &a, &b);
    it.list();
    it.click_finding("+ extra 1");
    assert!(it.app().state.parts.selected.is_none());
    assert!(it.says("Only b.pchr has “extra 1”; swap the files to select it"));
    it.click_button("Swap");
    it.wait_for_findings();
    it.click_finding("- extra 1");
    let state = &it.app().state;
    let extra = state.model().unwrap().skeleton().find("extra 1").unwrap();
    assert_eq!(state.parts.selected, Some(Selected::Bone(extra)));
}

#[test]
fn enter_chooses_the_focused_row() {
    let [a, b] = different();
    let mut it = TestWindow::compared([1000.0, 700.0], &a, &b);
    it.list();
    let row = it.finding_rows().into_iter().find(|row| row.contains("bones: up to")).unwrap();
    it.harness.get_by_role_and_label(Role::Button, &row).focus();
    it.harness.run();
    it.press(Modifiers::NONE, Key::Enter);
    assert!(matches!(it.app().state.parts.selected, Some(Selected::Bone(_))));
    assert_eq!(it.app().state.playback.animator.playback(0).frame(), 9);
}

#[test]
fn the_filter_finds_text_anywhere_in_a_line() {
    let [a, b] = different();
    let mut it = TestWindow::compared([1000.0, 700.0], &a, &b);
    it.list();
    let all = it.finding_rows().len();
    it.harness.get_by_role_and_label(Role::TextInput, "Filter differences").focus();
    it.harness.run();
    it.harness.get_by_role_and_label(Role::TextInput, "Filter differences").type_text("VERTICES");
    it.harness.run();
    let rows = it.finding_rows();
    assert!(!rows.is_empty() && rows.len() < all, "{rows:#?}");
    assert!(rows.iter().all(|row| row.contains("vertices")), "{rows:#?}");
    it.harness.get_by_role_and_label(Role::TextInput, "Filter differences").type_text("xyz");
    it.harness.run();
    assert!(it.says("No difference contains this text"));
}

#[test]
fn the_list_is_of_the_files_as_they_are_now() {
    let [a, b] = different();
    let mut it = TestWindow::compared([1000.0, 700.0], &a, &b);
    it.list();
    assert!(!it.finding_rows().is_empty());
    it.rewrite("b.pchr", &a);
    it.wait_for_findings();
    assert!(it.finding_rows().is_empty());
    assert!(it.says("No differences"));
    it.click_button("Hide the list of differences");
    assert!(!it.says("No differences"));
}

#[test]
fn only_the_visible_rows_of_a_long_list_are_laid_out() {
    let many = Square { bones: 3000, ..Square::default() };
    let mut it = TestWindow::compared([1000.0, 700.0], &Square::default().bytes(), &many.bytes());
    it.list();
    assert!(it.says("DIFFERENCES (3000)"));
    let rows = it.finding_rows().len();
    assert!((5..40).contains(&rows), "{rows}");
}

#[test]
fn in_a_narrow_window_the_list_is_below_the_canvas() {
    let [a, b] = different();
    let mut it = TestWindow::compared([240.0, 700.0], &a, &b);
    it.list();
    let window = Rect::from_min_size(pos2(0.0, 0.0), vec2(240.0, 700.0));
    let close = it.harness.get_by_role_and_label(Role::Button, "Hide the list of differences").rect();
    assert!(window.contains_rect(close) && close.top() > it.canvas().bottom(), "{close} {}", it.canvas());
    assert!(!it.finding_rows().is_empty() && it.canvas().height() > 60.0);
    it.save_themes("list");
}

#[test]
fn the_command_line_starts_a_comparison() {
    let [a, b] = different();
    let mut it =
        TestWindow::of([900.0, 600.0], &[("a.pchr", &a), ("b.pchr", &b)], |options| options.compare = true);
    assert_eq!(it.app().state.second().unwrap().name(), "b.pchr");
    assert_eq!(it.app().state.current().unwrap().name(), "a.pchr");
    assert!(it.app().state.scenes().iter().all(Option::is_some));
}
