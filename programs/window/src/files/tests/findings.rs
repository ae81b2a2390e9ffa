//! The list of findings about the shown file.

use std::fs;
use std::path::Path;

use egui::accesskit::Role;
use egui::{Key, Modifiers};
use egui_kittest::kittest::{NodeT, Queryable};

use crate::WindowOptions;
use crate::app::tests::harness::TestWindow;
use crate::app::tests::rigs::wardrobe;
use crate::compare::tests::Square;
use crate::scene::camera::Camera;

impl TestWindow {
    /// Returns the listed findings, top to bottom.
    fn findings(&self) -> Vec<String> {
        let nodes = self.harness.root().children_recursive().map(|node| node.accesskit_node());
        let buttons = nodes.filter(|node| node.role() == Role::Button).filter_map(|node| node.label());
        let kinds = ["error: ", "warning: ", "note: "];
        buttons.filter(|label| kinds.iter().any(|kind| label.starts_with(kind))).collect()
    }
}

#[test]
fn findings_are_listed_the_worst_first_and_a_click_goes_there() {
    let walk = Square { bones: 2, ..Square::default() };
    let mut it = TestWindow::of([1200.0, 800.0], &[("walk.pchr", &walk.bytes())], |_| {});
    assert!(it.findings().is_empty());
    it.press(Modifiers::SHIFT, Key::F);
    let found = it.findings();
    assert!(it.says(&format!("FINDINGS ({})", found.len())), "{found:?}");
    let jump =
        found.iter().find(|label| label.contains("animations[0].frames[9]")).expect("the loop jumps").clone();
    assert!(
        jump.starts_with("warning: ") && found.last().is_some_and(|last| last.starts_with("note: ")),
        "{found:?}"
    );
    assert_eq!(it.state().canvas.camera, Camera::Fit);
    it.click(&jump);
    assert_eq!((it.selected().as_deref(), it.frame()), (Some("root"), 9));
    assert_ne!(it.state().canvas.camera, Camera::Fit, "the view moves there");
    let unused = found.iter().find(|label| label.contains("extra 2")).expect("it moves nothing").clone();
    it.click(&unused);
    assert_eq!(it.selected().as_deref(), Some("extra 2"));
    it.click("Hide the list of findings");
    assert!(it.findings().is_empty());
}

#[test]
fn the_findings_of_a_broken_file_are_listed_and_follow_the_file() {
    let broken = r#"{"version": 1, "fps": 24, "images": [], "bones": [{"name": "root", "parent": 7}], "meshes": [],
        "animations": []}"#;
    let mut it = TestWindow::of([1200.0, 800.0], &[("odd.json", broken.as_bytes())], |_| {});
    it.press(Modifiers::SHIFT, Key::F);
    let found = it.findings();
    assert!(
        found.iter().any(|label| label.starts_with("error: ") && label.contains("/bones/0/parent")),
        "{found:?}"
    );
    it.click(&found[0]);
    assert_eq!(it.state().parts.selected, None);
    std::fs::write(it.path("odd.json"), broken.replace("7}", "-1}")).unwrap();
    it.key(Key::F5);
    assert!(it.findings().iter().all(|label| !label.starts_with("error: ")), "{:?}", it.findings());
}

#[test]
fn parts_are_found_by_name_and_by_number() {
    let dressed = wardrobe(&[("girl", 12)]);
    let torn = dressed.replacen(
        r#""slot05", "bone": "root", "attachment": "part""#,
        r#""slot05", "bone": "root", "attachment": "torso""#,
        1,
    );
    assert_ne!(torn, dressed);
    let mut it = TestWindow::of([1200.0, 1000.0], &[("girl.json", torn.as_bytes())], |_| {});
    it.press(Modifiers::SHIFT, Key::F);
    let label = it.findings().into_iter().find(|label| label.contains("/slots/5/attachment")).expect("no torso");
    it.click(&label);
    assert_eq!(it.selected().as_deref(), Some("slot05"));
    let label = it.findings().into_iter().find(|label| label.contains("/skins/1/attachments/slot00/part"));
    it.click(&label.expect("no atlas"));
    assert_eq!(it.selected().as_deref(), Some("part"));
}

/// Opens a window on our own characters and `torn.json`, the lamp with an error in a timeline.
fn with_torn_lamp(files: &[&str], change: impl FnOnce(&mut WindowOptions, &Path)) -> TestWindow {
    let mut it = TestWindow::open_with([1200.0, 900.0], &[], |options, folder| {
        fs::write(folder.join("torn.json"), crate::common::torn_lamp()).unwrap();
        fs::copy(folder.join("paper-lamp.atlas"), folder.join("torn.atlas")).unwrap();
        options.subject.files.extend(files.iter().map(|file| folder.join(file)));
        change(options, folder);
    });
    it.harness.run();
    it
}

const LEFT_OUT: &str = "A part of an animation has an error and is left out.";

#[test]
fn a_timeline_with_an_error_is_left_out_and_a_banner_leads_to_it() {
    let mut it = with_torn_lamp(&["torn.json"], |_, _| {});
    assert!(it.state().playback.has_character && it.says(LEFT_OUT) && it.says("did you mean `base`?"));
    it.click_button("Show findings");
    let found = it.findings();
    assert!(found[0].starts_with("error: ") && found[0].contains("/animations/hop/bones/basis"), "{found:?}");
    let buttons = it.harness.query_all_by_role_and_label(Role::Button, "Show findings").count();
    assert_eq!(buttons, 0, "the list is open");
    // The command line that the export dialog copies draws the same.
    it.state_mut().open_export();
    let export = it.state().export.as_ref().expect("a dialog");
    assert!(export.command_line().ends_with(" --keep-going"), "{}", export.command_line());
    it.state_mut().close_export();
    fs::copy(it.path("paper-lamp.json"), it.path("torn.json")).unwrap();
    it.key(Key::F5);
    assert!(!it.says(LEFT_OUT) && it.findings().iter().all(|label| !label.starts_with("error: ")));
    it.state_mut().open_export();
    let export = it.state().export.as_ref().expect("a dialog");
    assert!(!export.command_line().contains("--keep-going"), "{}", export.command_line());
}

#[test]
fn a_file_that_cannot_be_opened_or_read_again_has_a_button_for_its_findings() {
    let mut it = with_torn_lamp(&["broken.json"], |_, folder| {
        fs::write(
            folder.join("broken.json"),
            crate::common::torn_lamp().replace("\"parent\": \"base\"", "\"parent\": \"x\""),
        )
        .unwrap();
    });
    assert!(it.says("broken.json cannot be opened"));
    it.click_button("Show findings");
    assert!(it.findings()[0].starts_with("error: "), "{:?}", it.findings());
    let mut it = with_torn_lamp(&["paper-lamp.json"], |_, _| {});
    assert!(it.state().files.facts().errors.is_empty() && !it.says("Show findings"));
    fs::write(it.path("paper-lamp.json"), "{\"skeleton\": {\"spine\": \"3.8.99\"}, \"bones\": 1}").unwrap();
    it.key(Key::F5);
    assert!(it.says("its last readable version is shown"));
    it.click_button("Show findings");
    assert!(it.findings()[0].starts_with("error: "), "{:?}", it.findings());
}

#[test]
fn a_missing_atlas_has_a_button_for_the_findings() {
    let mut it = with_torn_lamp(&["alone/lamp.json"], |_, folder| {
        fs::create_dir(folder.join("alone")).unwrap();
        fs::rename(folder.join("paper-lamp.json"), folder.join("alone/lamp.json")).unwrap();
        for atlas in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            if atlas.extension().is_some_and(|extension| extension == "atlas") {
                fs::remove_file(atlas).unwrap();
            }
        }
    });
    assert!(it.says("The atlas of this character was not found."));
    it.click_button("Show findings");
    assert!(it.findings()[0].starts_with("error: "), "{:?}", it.findings());
}

#[test]
fn the_second_file_of_a_comparison_and_a_tile_lead_to_their_findings() {
    let mut it = with_torn_lamp(&["paper-lamp.json", "torn.json"], |_, _| {});
    it.state_mut().compare_with(1);
    it.harness.run();
    assert!(it.says(&format!("torn.json: {LEFT_OUT}")));
    it.click_button("Show findings");
    assert_eq!(it.state().title(), "torn.json – pchr");
    assert!(it.state().compare.second.is_none() && it.findings()[0].contains("basis"));

    let mut it = with_torn_lamp(&[""], |_, _| {});
    it.harness.run();
    assert!(it.says("torn.json, Spine") && it.says(", 1 error"), "the tile counts it");
    it.click_button("Show findings of torn.json");
    assert_eq!(it.state().title(), "torn.json – pchr");
    assert!(it.findings()[0].contains("basis"), "{:?}", it.findings());
}
