//! Side by side and with a divider.

use crate::compare::Arrangement;
use egui::accesskit::Role;
use egui::{Event, Key, Modifiers, MouseWheelUnit, Rect, TouchPhase, pos2, vec2};
use egui_kittest::kittest::{NodeT, Queryable};

use super::{Square, TestWindow};

const RED: [u8; 3] = [200, 80, 40];
const GREEN: [u8; 3] = [40, 160, 80];

#[test]
fn both_characters_are_shown_side_by_side_with_their_names() {
    let mut it = TestWindow::squares([900.0, 600.0]);
    assert_eq!(it.app().state.compare.shown(), Some(Arrangement::SideBySide));
    for name in ["a.pchr", "b.pchr"] {
        let labels = it.harness.query_all_by(|node| {
            node.role() == Role::Label && node.value().or(node.label()).as_deref() == Some(name)
        });
        assert!(labels.count() >= 1, "{name} is named on the canvas");
    }
    let canvas = it.canvas();
    let (left, right) = canvas.split_left_right_at_x(canvas.center().x);
    let painting = it.painted();
    let (first, _) = painting.middle_of(RED, left).expect("the first is on the left");
    let (second, _) = painting.middle_of(GREEN, right).expect("the second is on the right");
    assert_eq!(painting.middle_of(RED, right), None);
    assert_eq!(painting.middle_of(GREEN, left), None);
    assert!((first - left.left() - (second - right.left())).abs() <= 2.0, "{first} {second} in {left} {right}");
    it.save_themes("side");
}

#[test]
fn panning_and_zooming_on_either_side_move_both() {
    let mut it = TestWindow::squares([900.0, 600.0]);
    let canvas = it.canvas();
    let (left, right) = canvas.split_left_right_at_x(canvas.center().x);
    let from = right.center() + vec2(30.0, 150.0);
    it.drag(from, from + vec2(40.0, -25.0));
    let places = |it: &mut TestWindow| {
        let painting = it.painted();
        let (first, many) = painting.middle_of(RED, left).expect("the first is visible");
        let (second, as_many) = painting.middle_of(GREEN, right).expect("the second is visible");
        assert!(many.abs_diff(as_many) <= many / 50, "equally large: {many} {as_many}");
        assert!((first - left.left() - (second - right.left())).abs() <= 2.0, "{first} {second}");
    };
    places(&mut it);
    let view = it.app().state.view().unwrap();
    for side in [left, right] {
        let at = side.center() + vec2(20.0, 10.0);
        let in_pane = at - side.min;
        let under = |it: &mut TestWindow| {
            let view = it.app().state.view().unwrap();
            view.world_from_pixel(pchr::math::vec2(in_pane.x, in_pane.y))
        };
        let before = under(&mut it);
        it.harness.hover_at(at);
        it.harness.event(Event::MouseWheel {
            unit: MouseWheelUnit::Point,
            delta: vec2(0.0, 180.0),
            phase: TouchPhase::Move,
            source: egui::MouseWheelSource::Wheel,
            modifiers: Modifiers::NONE,
        });
        it.harness.run_steps(30);
        let moved = under(&mut it).distance(before) * view.scale();
        assert!(moved < 4.0, "zooming keeps the point under the pointer: {moved} pixels");
    }
    places(&mut it);
    assert!(it.app().state.view().unwrap().scale() > view.scale() * 1.9);
}

#[test]
fn the_divider_is_dragged_with_the_mouse() {
    let mut it = TestWindow::squares([900.0, 600.0]);
    it.click_button(Arrangement::Swipe.label());
    let canvas = it.canvas();
    let divider = it.harness.get_by_role_and_label(Role::Slider, "Divider").rect().center();
    assert!((divider.x - canvas.center().x).abs() < 1.0);
    let camera = it.app().state.canvas.camera;
    for share in [0.25, 0.8, 0.45] {
        let from = it.harness.get_by_role_and_label(Role::Slider, "Divider").rect().center();
        let to = pos2(canvas.left() + canvas.width() * share, from.y + 30.0);
        it.drag(from, to);
        let at = it.harness.get_by_role_and_label(Role::Slider, "Divider").rect().center();
        assert!((at.x - to.x).abs() < 1.5, "{at} is not {to}");
        let painting = it.painted();
        let (left, right) = canvas.split_left_right_at_x(at.x);
        assert_eq!(painting.middle_of(RED, right), None, "at {share}");
        assert_eq!(painting.middle_of(GREEN, left), None, "at {share}");
    }
    assert_eq!(it.app().state.canvas.camera, camera, "dragging the divider does not pan");
    let painting = it.painted();
    assert!(painting.middle_of(RED, canvas).is_some() && painting.middle_of(GREEN, canvas).is_some());
    it.save_themes("swipe");
    let from = it.harness.get_by_role_and_label(Role::Slider, "Divider").rect().center();
    it.drag(from, pos2(5000.0, from.y));
    assert_eq!(it.app().state.compare.divider, 1.0, "it stays on the canvas");
}

#[test]
fn the_divider_is_moved_with_arrow_keys() {
    let mut it = TestWindow::squares([900.0, 600.0]);
    it.click_button(Arrangement::Swipe.label());
    it.harness.get_by_role_and_label(Role::Slider, "Divider").focus();
    it.harness.run();
    it.press(Modifiers::NONE, Key::ArrowRight);
    it.press(Modifiers::NONE, Key::ArrowRight);
    let moved = it.app().state.compare.divider;
    assert!(moved > 0.5, "{moved}");
    assert_eq!(it.app().state.playback.animator.playback(0).frame(), 0, "the arrow keys belong to the divider");
    it.press(Modifiers::NONE, Key::ArrowLeft);
    assert!(it.app().state.compare.divider < moved);
    assert!(it.harness.get_by_role_and_label(Role::Slider, "Divider").is_focused());
    for _ in 0..60 {
        it.press(Modifiers::NONE, Key::ArrowLeft);
    }
    assert_eq!(it.app().state.compare.divider, 0.0);
}

#[test]
fn fitting_shows_both_characters() {
    let far = Square { step: 100.0, ..Square::default() };
    let mut it = TestWindow::compared([900.0, 600.0], &Square::default().bytes(), &far.bytes());
    let world = it.app().state.view().unwrap().world();
    assert!(world.max.x > 900.0, "the second one moves up to 900: {world:?}");
    it.press(Modifiers::NONE, Key::Escape);
    assert!(it.app().state.view().unwrap().world().max.x < 500.0);
}

#[test]
fn the_bar_fits_windows_of_every_width() {
    for width in (240..=900).step_by(60) {
        let longer = Square { animations: &[("walk", 25)], ..Square::default() };
        let mut it = TestWindow::compared([width as f32, 640.0], &Square::default().bytes(), &longer.bytes());
        for arrangement in [Arrangement::Swipe, Arrangement::SideBySide] {
            it.click_button(arrangement.label());
            let window = Rect::from_min_size(pos2(0.0, 0.0), vec2(width as f32, 640.0));
            let names = Arrangement::ALL.map(Arrangement::label).into_iter();
            let names: Vec<&str> =
                names.chain(["By time", "By frame", "List", "Swap", "End comparison"]).collect();
            let rects: Vec<Rect> =
                names.iter().map(|name| it.harness.get_by_role_and_label(Role::Button, name).rect()).collect();
            let canvas = it.canvas();
            for (index, rect) in rects.iter().enumerate() {
                assert!(window.contains_rect(*rect), "{} at {width}: {rect}", names[index]);
                assert!(!rect.shrink(0.5).intersects(canvas), "{} covers the canvas", names[index]);
                for (other, covers) in rects.iter().enumerate().skip(index + 1) {
                    assert!(!rect.intersect(*covers).is_positive(), "{} and {}", names[index], names[other]);
                }
            }
            assert!(canvas.height() > 100.0, "{width}: {canvas}");
        }
        it.save_themes("bar");
    }
}

#[test]
fn tab_reaches_the_bar_and_the_divider() {
    let mut it = TestWindow::squares([900.0, 600.0]);
    it.click_button(Arrangement::Swipe.label());
    let mut reached = std::collections::BTreeSet::new();
    for _ in 0..60 {
        it.press(Modifiers::NONE, Key::Tab);
        let focused = it.harness.query_all_by(|node| node.is_focused()).next();
        reached.extend(focused.and_then(|node| node.accesskit_node().label()));
    }
    for name in ["Side by side", "Difference", "By time", "By frame", "List", "Swap", "End comparison", "Divider"]
    {
        assert!(reached.contains(name), "{name} is not among {reached:?}");
    }
}
