//! The mark that says whether a loop closes.

use egui::accesskit::Role;
use egui_kittest::kittest::Queryable;

use crate::app::tests::harness::TestWindow;
use crate::compare::tests::Square;

#[test]
fn the_end_of_the_ruler_says_whether_the_loop_closes() {
    let mut it = TestWindow::open([1000.0, 640.0], &["paper-lamp.json"]);
    assert!(it.says("Loop seam: closed"));
    it.state_mut().set_range(Some(0..=11));
    it.harness.run();
    assert!(!it.says("Loop seam: closed") && it.says("Loop seam: "), "the range ends elsewhere");
    // Nine steps back, each as large as the others.
    let mut it = TestWindow::of([1000.0, 640.0], &[("walk.pchr", &Square::default().bytes())], |_| {});
    let seam = it.harness.get_by_role_and_label(Role::Button, "Loop seam: “root” is off by 90.0 px");
    let ruler = it.harness.get_by_role_and_label(Role::Slider, "Time").rect();
    assert!((seam.rect().center().x - ruler.right()).abs() < 10.0, "{:?} {ruler:?}", seam.rect());
    it.click("Loop seam: “root” is off by 90.0 px");
    assert_eq!(it.selected().as_deref(), Some("root"));
}
