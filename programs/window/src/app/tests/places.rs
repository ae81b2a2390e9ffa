//! Where things are in a window of usual size: enough rows of the lists, the button that exports, and one place for notices.

use std::fmt::Write;

use egui::Rect;
use egui_kittest::kittest::NodeT;

use crate::app::tests::harness::TestWindow;
use crate::scene::camera::Camera;
use crate::widgets::command::Command;

const SIZE: [f32; 2] = [1280.0, 720.0];

/// Returns a skeleton with this many animations and slots.
fn rig(animations: u32, slots: u32) -> String {
    let (mut listed, mut moved) = (String::new(), String::new());
    for slot in 0..slots {
        write!(listed, r#"{}{{"name": "slot {slot:02}", "bone": "root"}}"#, if slot > 0 { "," } else { "" })
            .unwrap();
    }
    for animation in 0..animations {
        let comma = if animation > 0 { "," } else { "" };
        let keys = r#"{"bones": {"root": {"rotate": [{"angle": 0}, {"time": 1, "angle": 30}]}}}"#;
        write!(moved, r#"{comma}"motion {animation:02}": {keys}"#).unwrap();
    }
    format!(
        r#"{{"skeleton": {{"spine": "3.8.99"}}, "bones": [{{"name": "root", "length": 90}}], "slots": [{listed}],
        "skins": [{{"name": "default"}}], "animations": {{{moved}}}}}"#
    )
}

/// Returns the number of rows in view whose names begin so.
fn rows_in_view(it: &TestWindow, start: &str) -> usize {
    let window = Rect::from_min_size(egui::Pos2::ZERO, SIZE.into());
    let rows = it.harness.root().children_recursive().filter(|node| {
        let inner = node.accesskit_node();
        inner.role() == egui::accesskit::Role::Button
            && inner.label().is_some_and(|label| label.starts_with(start))
            && window.contains_rect(node.rect())
    });
    rows.count()
}

#[test]
fn ten_animations_and_ten_slots_are_in_view_even_with_tracks_and_curves() {
    let rig = rig(11, 52);
    let mut it = TestWindow::of(SIZE, &[("rig.json", rig.as_bytes())], |_| {});
    for commands in [&[][..], &[Command::Tracks, Command::Curves]] {
        commands.iter().for_each(|command| it.state_mut().run(*command));
        it.harness.run();
        let (animations, slots) = (rows_in_view(&it, "motion "), rows_in_view(&it, "slot "));
        assert!(animations >= 10 && slots >= 10, "{animations} animations and {slots} slots, {commands:?}");
    }
    it.save("places");
}

#[test]
fn export_is_a_button_and_its_formats_find_it() {
    let mut it = TestWindow::open(SIZE, &["paper-knight.pchr"]);
    it.click_button("Export…");
    assert!(it.state().export.is_some());
    it.state_mut().close_export();
    it.harness.run();
    for format in ["gif", "png", "webp", "apng", "sheet", "mp4", "webm", "mov", "raw"] {
        it.state_mut().toggle_palette();
        it.harness.run();
        it.type_text(format);
        let palette = it.state().palette.as_ref().expect("it is open");
        let found = (0..3).filter_map(|place| palette.entry(place)).any(|(_, name)| name == "Export…");
        assert!(found, "{format}");
        it.state_mut().toggle_palette();
    }
}

#[test]
fn the_view_is_fitted_to_what_the_dopesheet_leaves_and_back() {
    let mut it = TestWindow::open(SIZE, &["paper-knight.pchr"]);
    let shown = |it: &mut TestWindow| {
        it.harness.run();
        let (content, view) = (it.state_mut().content().unwrap(), it.state_mut().view().unwrap());
        assert_eq!(it.state().canvas.camera, Camera::Fit);
        assert_eq!(view.world().union(content), view.world(), "all of it is in view");
        view
    };
    let before = shown(&mut it);
    it.state_mut().run(Command::Dopesheet);
    let below = shown(&mut it);
    assert!(below.scale() < 0.9 * before.scale(), "{} and {}", before.scale(), below.scale());
    it.state_mut().run(Command::Dopesheet);
    assert_eq!(shown(&mut it), before);
}
