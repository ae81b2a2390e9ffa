//! The meter of how far a bone slides on the ground.

use egui::accesskit::Role;
use egui::{Color32, Shape};

use crate::app::tests::harness::TestWindow;
use crate::compare::tests::Square;
use crate::scene::selection::Selected;
use crate::widgets::command::Command;

/// Returns how many segments of the trace on the ground are painted.
fn segments(it: &TestWindow) -> usize {
    let on_ground = |shape: &Shape| match shape {
        Shape::LineSegment { stroke, .. } => stroke.color == Color32::from_rgb(0xff, 0x9a, 0x3c),
        _ => false,
    };
    it.harness.output().shapes.iter().filter(|it| on_ground(&it.shape)).count()
}

#[test]
fn the_way_of_the_selected_bone_on_the_ground_is_measured() {
    let mut it = TestWindow::of([1000.0, 800.0], &[("walk.pchr", &Square::default().bytes())], |_| {});
    it.state_mut().run(Command::FootSlide);
    it.harness.run();
    assert!(it.says("Select a bone, such as a foot, to see how far it slides") && segments(&it) == 0);
    let root = it.state().model().unwrap().skeleton().find("root").unwrap();
    it.state_mut().parts.selected = Some(Selected::Bone(root));
    it.harness.run();
    assert!(it.says("root: 90.0 px in 9 steps on the ground, +10.0 px each, up to 0.0 px off"));
    assert_eq!(segments(&it), 9);
    it.save("foot-slide");
    it.click_button("Show");
    it.click_role(Role::CheckBox, "Foot slide of the selected bone");
    assert!(!it.says("steps on the ground") && segments(&it) == 0);
}
