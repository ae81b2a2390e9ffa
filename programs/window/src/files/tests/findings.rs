//! The list of findings about the shown file.

use egui::accesskit::Role;
use egui::{Key, Modifiers};
use egui_kittest::kittest::NodeT;

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
