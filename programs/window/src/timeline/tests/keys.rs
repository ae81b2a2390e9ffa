//! The timeline: keys, curves, in and out points, and how well a loop closes.

use egui::ThemePreference;
use egui::accesskit::Role;
use egui::{Event, Key, Modifiers, Rect, pos2, vec2};
use egui_kittest::kittest::{NodeT, Queryable};
use pchr::player::LoopMode;

use crate::app::tests::harness::TestWindow;

impl TestWindow {
    pub fn ruler(&self) -> Rect {
        self.harness.get_by_role_and_label(Role::Slider, "Time").rect()
    }

    /// Returns the labels of the rows of the dopesheet.
    fn rows(&self) -> Vec<String> {
        let rows =
            self.harness.root().children_recursive().filter(|node| node.accesskit_node().role() == Role::Row);
        rows.filter_map(|node| node.accesskit_node().label()).collect()
    }

    pub fn row(&self, part: &str) -> Rect {
        let found = self.harness.root().children_recursive().find(|node| {
            let node = node.accesskit_node();
            node.role() == Role::Row && node.label().is_some_and(|label| label.contains(part))
        });
        found.unwrap_or_else(|| panic!("no row {part} in {:?}", self.rows())).rect()
    }

    /// Returns where a position in frames is on the ruler, whose axis begins at `left`.
    pub fn x_of(&self, left: f32, position: f64) -> f32 {
        let length = self.state().playback.animator.playback(0).length();
        let track = left..self.ruler().right() - 10.0;
        track.start + (track.end - track.start) * (position / length) as f32
    }
}

// ---- Dopesheet

#[test]
fn the_dopesheet_opens_and_closes_by_key_and_button() {
    let mut it = TestWindow::open([1000.0, 640.0], &["paper-lamp.json"]);
    assert!(it.rows().is_empty());
    it.key(Key::D);
    assert!(it.rows().iter().any(|row| row.starts_with("Bone ")), "{:?}", it.rows());
    it.key(Key::D);
    assert!(it.rows().is_empty());
    it.click_part("Keys");
    assert!(!it.rows().is_empty());
    it.click_part("Curves");
    assert!(it.rows().is_empty() && it.says("Select a bone"));
}

#[test]
fn a_row_lists_its_channels_when_it_is_unfolded() {
    let mut it = TestWindow::open([1000.0, 640.0], &["paper-lamp.json"]);
    it.key(Key::D);
    let name = it.rows()[0].split(',').next().unwrap().replace("Bone ", "");
    let before = it.rows().len();
    it.harness.get_by_role_and_label(Role::Button, &format!("Unfold {name}")).click();
    it.harness.run();
    assert!(it.rows().len() > before);
    assert!(it.rows().iter().any(|row| row.starts_with(&format!("Bone {name}: "))), "{:?}", it.rows());
    it.harness.get_by_role_and_label(Role::Button, &format!("Fold {name}")).click();
    it.harness.run();
    assert_eq!(it.rows().len(), before);
}

#[test]
fn the_filter_hides_other_rows() {
    let mut it = TestWindow::open([1000.0, 640.0], &["paper-lamp.json"]);
    it.key(Key::PageDown);
    it.key(Key::D);
    let before = it.rows();
    let name = before[0].split(',').next().unwrap().replace("Bone ", "");
    it.harness.get_by_role_and_label(Role::TextInput, "Filter rows").click();
    it.harness.run();
    it.harness.event(Event::Text(name.to_uppercase()));
    it.harness.run();
    let rows = it.rows();
    assert!(!rows.is_empty() && rows.len() < before.len(), "{rows:?}");
    assert!(rows.iter().all(|row| row.contains(&name)), "{rows:?}");
    it.harness.event(Event::Text("-that-nothing-is-called".into()));
    it.harness.run();
    assert!(it.rows().is_empty() && it.says("No row matches the filter"));
}

#[test]
fn a_click_on_a_key_selects_its_target_and_goes_to_its_time() {
    let mut it = TestWindow::open([1000.0, 640.0], &["paper-lamp.json"]);
    it.state_mut().playback.animator.set_playing(false);
    it.key(Key::D);
    let keyed = it.state().timeline.keys.shown().unwrap();
    let target = &keyed.targets[0];
    let (name, position) = (target.name.clone(), target.times.iter().nth(1).unwrap());
    let row = it.row(&format!("Bone {name},"));
    let left = it.ruler().left() + 10.0;
    let x = it.x_of(left, position);
    it.click_at(pos2(x + 3.0, row.center().y));
    assert_eq!(it.selected(), Some(name));
    assert!(
        (it.state().playback.animator.playback(0).position() - position).abs() < 1e-3,
        "a click near a key is on it"
    );
}

#[test]
fn keys_are_reached_with_the_keyboard() {
    let mut it = TestWindow::open([1000.0, 640.0], &["paper-lamp.json"]);
    let ctrl = Modifiers { ctrl: true, command: true, ..Modifiers::NONE };
    let position = |it: &TestWindow| it.state().playback.animator.playback(0).position();
    it.press(ctrl, Key::ArrowRight);
    let all: Vec<f64> = it.state().timeline.keys.shown().unwrap().all.iter().collect();
    assert!((position(&it) - all[1]).abs() < 1e-3);
    it.press(ctrl, Key::ArrowRight);
    assert!((position(&it) - all[2]).abs() < 1e-3, "{} {all:?}", position(&it));
    it.press(ctrl, Key::ArrowLeft);
    assert!((position(&it) - all[1]).abs() < 1e-3);
    // Of the selected bone alone, and between rows.
    it.key(Key::Home);
    it.key(Key::D);
    let row = it.row("Bone");
    it.click_at(row.left_center() + vec2(40.0, 0.0));
    let times: Vec<f64> = it.state().timeline.keys.shown().unwrap().targets[0].times.iter().collect();
    it.key(Key::ArrowRight);
    assert!((position(&it) - times[1]).abs() < 1e-3, "{} {times:?}", position(&it));
    it.key(Key::ArrowLeft);
    assert!((position(&it) - times[0]).abs() < 1e-3);
}

#[test]
fn the_arrow_keys_move_between_rows() {
    let mut it = TestWindow::open([1000.0, 800.0], &["paper-lamp.json"]);
    it.key(Key::PageDown);
    it.key(Key::D);
    let row = it.row("Bone");
    it.click_at(row.left_center() + vec2(40.0, 0.0));
    it.key(Key::ArrowDown);
    let focused = it.harness.ctx.memory(|memory| memory.focused()).and_then(|id| it.harness.ctx.read_response(id));
    let focused = focused.expect("a row has the focus").rect;
    assert!(focused.top() > row.center().y && focused.top() < row.bottom() + 10.0, "{row} {focused}");
}

#[test]
fn ctrl_and_the_wheel_magnify_ruler_and_rows_alike() {
    let mut it = TestWindow::open([1000.0, 640.0], &["paper-lamp.json"]);
    it.key(Key::D);
    let ctrl = Modifiers { ctrl: true, command: true, ..Modifiers::NONE };
    let row = it.row("Bone");
    it.wheel(row.center() + vec2(100.0, 0.0), vec2(0.0, 200.0), ctrl);
    assert!(!it.state().timeline.zoom.is_whole());
    let length = it.state().playback.animator.playback(0).length();
    let (start, end) = it.state().timeline.zoom.visible(length);
    let left = it.ruler().left() + 10.0;
    let right = it.ruler().right() - 10.0;
    // The same place of ruler and row is the same time.
    for share in [0.2, 0.8] {
        let x = left + (right - left) * share;
        let expected = start + (end - start) * f64::from(share);
        it.click_at(pos2(x, it.ruler().top() + 30.0));
        let by_ruler = it.state().playback.animator.playback(0).position();
        assert!((by_ruler - expected).abs() < 0.51, "{by_ruler} {expected}");
    }
    it.wheel(row.center() + vec2(100.0, 0.0), vec2(-150.0, 0.0), Modifiers::NONE);
    assert!(it.state().timeline.zoom.visible(length).0 > start, "a horizontal wheel pans");
    it.click("Whole timeline");
    assert!(it.state().timeline.zoom.is_whole());
}

#[test]
fn sheets_and_stored_frames_have_rows_too() {
    let mut it = TestWindow::open([1000.0, 640.0], &["paper-knight.pchr"]);
    it.key(Key::D);
    assert!(it.rows().iter().any(|row| row.starts_with("Bone ")), "{:?}", it.rows());
}

// ---- Curves

#[test]
fn curves_of_the_selected_bone_can_be_toggled() {
    let mut it = TestWindow::open([1000.0, 640.0], &["paper-lamp.json"]);
    it.key(Key::C);
    assert!(it.says("Select a bone to see its curves"));
    let bone = it.state().timeline.keys.shown().unwrap().targets[0].target;
    it.state_mut().parts.selected = crate::timeline::selected_of(bone);
    it.harness.run();
    let name = it.selected().unwrap();
    let plot = it.harness.get_by_role_and_label(Role::Image, &format!("Curves of {name}")).rect();
    assert!(it.state().timeline.curve.points().unwrap().len() > 60);
    let toggle = it.harness.get_by_role_and_label(Role::CheckBox, "Rotation");
    assert_eq!(toggle.accesskit_node().toggled(), Some(egui::accesskit::Toggled::True));
    toggle.click();
    it.harness.run();
    let toggle = it.harness.get_by_role_and_label(Role::CheckBox, "Rotation");
    assert_eq!(toggle.accesskit_node().toggled(), Some(egui::accesskit::Toggled::False));
    it.harness.hover_at(plot.center() + vec2(40.0, 0.0));
    it.harness.run_steps(20);
    assert!(it.says("Scale X: "), "the values are shown under the pointer");
    assert!(!it.says("Rotation: "), "hidden curves are left out");
    it.click_at(plot.center() + vec2(60.0, 0.0));
    assert!(it.state().playback.animator.playback(0).position() > 0.0, "a click seeks");
}

// ---- In and out points

#[test]
fn i_and_o_set_a_range_that_loops() {
    let mut it = TestWindow::open([1000.0, 640.0], &["paper-knight.pchr"]);
    it.state_mut().playback.animator.set_loop_mode(LoopMode::Loop);
    it.state_mut().playback.animator.seek(3.0);
    it.key(Key::I);
    it.state_mut().playback.animator.seek(6.0);
    it.key(Key::O);
    assert_eq!(it.state().range(), Some(3..=6));
    assert!(it.says("In point: frame 3") && it.says("Out point: frame 6"));
    it.state_mut().playback.animator.seek(3.0);
    it.state_mut().playback.animator.set_playing(true);
    for _ in 0..200 {
        it.state_mut().advance(0.03);
        assert!((3..=6).contains(&it.frame()), "{}", it.frame());
    }
    it.state_mut().playback.animator.set_playing(false);
    // The playhead can still leave it.
    it.key(Key::Home);
    assert_eq!(it.frame(), 0);
    it.press(Modifiers::SHIFT, Key::I);
    assert_eq!(it.state().range(), None);
}

#[test]
fn handles_of_the_range_can_be_dragged() {
    let mut it = TestWindow::open([1000.0, 640.0], &["paper-knight.pchr"]);
    it.state_mut().set_range(Some(3..=6));
    it.harness.run();
    let (left, y) = (it.ruler().left() + 10.0, it.ruler().top() + 16.0);
    let before = it.frame();
    it.drag(pos2(it.x_of(left, 3.0), y), pos2(it.x_of(left, 1.0), y));
    assert_eq!(it.state().range(), Some(1..=6));
    it.drag(pos2(it.x_of(left, 7.0), y), pos2(it.x_of(left, 10.0), y));
    assert_eq!(it.state().range(), Some(1..=9));
    it.drag(pos2(it.x_of(left, 10.0), y), pos2(it.x_of(left, 0.0), y));
    assert_eq!(it.state().range(), Some(1..=1), "a handle stops at the other one");
    assert_eq!(it.frame(), before, "dragging a handle does not seek");
}

#[test]
fn the_range_is_kept_on_reload_and_reset_with_the_animation() {
    let mut it = TestWindow::open([1000.0, 640.0], &["paper-knight.pchr"]);
    it.state_mut().set_range(Some(2..=5));
    it.state_mut().playback.animator.seek(4.0);
    it.key(Key::F5);
    assert_eq!((it.state().range(), it.frame()), (Some(2..=5), 4));
    it.key(Key::PageDown);
    assert_eq!(it.state().range(), None);
}

#[test]
fn the_export_dialog_starts_with_the_range() {
    let mut it = TestWindow::open([1100.0, 800.0], &["paper-knight.pchr"]);
    it.state_mut().set_range(Some(2..=5));
    it.press(Modifiers { ctrl: true, command: true, ..Modifiers::NONE }, Key::E);
    let command = it.state().export.as_ref().unwrap().command_line();
    assert!(command.contains("-f '2..=5'"), "{command}");
}

// ---- First and last instant

#[test]
fn the_distance_between_first_and_last_is_shown_and_selects_the_bone() {
    let mut it = TestWindow::open([1000.0, 640.0], &["paper-lamp.json", "paper-knight.pchr"]);
    it.key(Key::D);
    assert!(it.says("First ↔ last frame: 0.0 px"));
    it.click_part("First ↔ last frame: ");
    assert!(it.selected().is_some());
    it.state_mut().select(1);
    it.harness.run();
    assert!(it.says("First ↔ last frame: ") && !it.says("First ↔ last frame: 0.0 px"));
}

// ---- Hover plate, sizes

#[test]
fn the_timeline_fits_at_every_size() {
    for (width, height, scale) in
        [(240.0, 560.0, 1.0), (400.0, 560.0, 2.0), (800.0, 560.0, 1.0), (1600.0, 700.0, 1.0)]
    {
        for dark in [true, false] {
            let mut it = TestWindow::open([width, height], &["paper-lamp.json"]);
            it.key(Key::PageDown);
            it.harness.set_pixels_per_point(scale);
            it.state_mut().interface.theme = if dark { ThemePreference::Dark } else { ThemePreference::Light };
            it.state_mut().set_range(Some(6..=20));
            let theme = if dark { "dark" } else { "light" };
            for (key, name) in [(Key::D, "dopesheet"), (Key::C, "curves")] {
                it.key(key);
                let bone = it.state().timeline.keys.shown().unwrap().targets[0].target;
                it.state_mut().parts.selected = crate::timeline::selected_of(bone);
                it.harness.hover_at(pos2(it.ruler().right() - 12.0, it.ruler().top() + 30.0));
                it.harness.run();
                let ruler = it.ruler();
                assert!(ruler.left() >= 0.0 && ruler.right() <= width, "{width}: {ruler}");
                it.save(&format!("{name}-{theme}-{width}"));
            }
            let canvas = it.state().canvas.size;
            assert!(canvas[1] as f32 / scale >= 90.0, "{width} x {height}: the canvas has {canvas:?}");
        }
    }
}
