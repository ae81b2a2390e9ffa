//! Frames are on lines: numbers, keys, playhead and pointer. Curves, and what is visible of them.

use egui::accesskit::{Role, Toggled};
use egui::{Event, Key, Modifiers, Pos2, Rect, Shape, pos2, vec2};
use egui_kittest::kittest::{NodeT, Queryable};

use crate::app::tests::harness::TestWindow;

/// Margin of the time axis in the ruler, in points.
const MARGIN: f32 = 10.0;

/// Returns where a position in frames is on a ruler that shows the whole animation.
fn line(it: &TestWindow, position: f64) -> Pos2 {
    let ruler = it.harness.get_by_role_and_label(Role::Slider, "Time").rect();
    let length = it.state().playback.animator.playback(0).length();
    let track = ruler.left() + MARGIN..ruler.right() - MARGIN;
    pos2(track.start + (track.end - track.start) * (position / length) as f32, ruler.center().y)
}

fn position(it: &TestWindow) -> f64 {
    it.state().playback.animator.playback(0).position()
}

/// Returns the painted texts with their places.
fn texts(it: &TestWindow) -> Vec<(String, Rect)> {
    let shapes = it.harness.output().shapes.iter();
    let text = |shape: &Shape| match shape {
        Shape::Text(text) => Some((text.galley.text().to_owned(), text.visual_bounding_rect())),
        _ => None,
    };
    shapes.filter_map(|it| text(&it.shape)).collect()
}

/// Returns the painted polygons.
fn diamonds(it: &TestWindow) -> Vec<Rect> {
    let shapes = it.harness.output().shapes.iter();
    shapes.filter(|it| matches!(it.shape, Shape::Path(_))).map(|it| it.shape.visual_bounding_rect()).collect()
}

fn hold(it: &mut TestWindow, modifiers: Modifiers) {
    it.harness.event(Event::ModifiersChanged(modifiers));
    it.harness.run_steps(1);
}

#[test]
fn numbers_and_keys_are_on_the_lines_of_their_frames() {
    for file in ["paper-knight.pchr", "paper-lamp.json"] {
        let mut it = TestWindow::open([1100.0, 640.0], &[file]);
        it.harness.hover_at(pos2(600.0, 200.0));
        it.harness.run();
        let top = line(&it, 0.0).y - 40.0;
        let numbers: Vec<_> = texts(&it).into_iter().filter(|(_, place)| place.top() > top).collect();
        let mut count = 0;
        for frame in (0..it.state().playback.animator.playback(0).frame_count()).step_by(10) {
            let x = line(&it, frame.into()).x;
            let on_line =
                |(text, place): &&(String, Rect)| *text == frame.to_string() && (place.center().x - x).abs() < 1.5;
            count += usize::from(numbers.iter().any(|number| on_line(&number)));
        }
        assert!(count >= 1, "{file}: {numbers:?}");
        let keys: Vec<f64> = it.state().timeline.keys.shown().unwrap().all.iter().collect();
        let first = line(&it, keys[0]).x;
        let is_on_line = |place: &Rect| (place.center().x - first).abs() < 1.0 && place.top() > line(&it, 0.0).y;
        let mut bars = it.harness.output().shapes.iter().map(|it| it.shape.visual_bounding_rect());
        let is_in_bar = bars.any(|place| place.left() < first && first < place.left() + 6.0);
        assert!(diamonds(&it).iter().any(is_on_line) || is_in_bar, "{file}: no key at {first}");
    }
}

#[test]
fn the_playhead_snaps_to_frames_and_shift_frees_it() {
    let mut it = TestWindow::open([1100.0, 640.0], &["paper-lamp.json"]);
    for (pointed, frame) in [(10.4, 10.0), (10.6, 11.0)] {
        let at = line(&it, pointed);
        it.click_at(at);
        assert_eq!(position(&it), frame, "{pointed}");
    }
    hold(&mut it, Modifiers::SHIFT);
    let at = line(&it, 10.4);
    it.click_at(at);
    assert!((position(&it) - 10.4).abs() < 0.05, "{}", position(&it));
    // Without interpolation there is nothing between stored frames.
    let mut it = TestWindow::open([1100.0, 640.0], &["paper-knight.pchr"]);
    hold(&mut it, Modifiers::SHIFT);
    let at = line(&it, 3.4);
    it.click_at(at);
    assert_eq!(position(&it), 3.0);
}

#[test]
fn a_pause_is_at_the_frame_whose_number_is_shown() {
    let mut it = TestWindow::open([1100.0, 640.0], &["paper-lamp.json"]);
    it.key(Key::Space);
    it.app().advance(0.33);
    let (between, frame) = (position(&it), it.frame());
    assert_ne!(between, between.floor());
    it.key(Key::Space);
    assert_eq!((position(&it), it.frame()), (f64::from(frame), frame));
}

#[test]
fn curves_are_magnified_by_the_wheel_and_home_shows_all() {
    let mut it = TestWindow::open([1100.0, 800.0], &["paper-lamp.json"]);
    it.key(Key::PageDown);
    it.key(Key::C);
    let bone = it.state().timeline.keys.shown().unwrap().targets[0].target;
    it.state_mut().parts.selected = crate::timeline::selected_of(bone);
    it.harness.run();
    let name = it.selected().unwrap();
    let plots = it.harness.get_by_role_and_label(Role::Image, &format!("Curves of {name}")).rect();
    let before = it.frame();
    it.wheel(plots.center(), vec2(0.0, 200.0), Modifiers::NONE);
    assert!(!it.state().timeline.zoom.is_whole() && it.state().timeline.values.is_whole(), "time");
    it.key(Key::Home);
    assert!(it.state().timeline.shows_all() && it.frame() == before, "the pointer is over the curves");
    let labels = texts(&it);
    hold(&mut it, Modifiers::ALT);
    it.wheel(plots.center() + vec2(0.0, 8.0), vec2(0.0, 400.0), Modifiers::ALT);
    hold(&mut it, Modifiers::NONE);
    it.harness.run();
    assert!(it.state().timeline.zoom.is_whole() && !it.state().timeline.values.is_whole(), "values");
    assert_ne!(texts(&it), labels, "other values are labelled");
    it.click("Whole timeline");
    assert!(it.state().timeline.shows_all());
    it.harness.hover_at(pos2(600.0, 150.0));
    it.harness.run();
    it.state_mut().timeline.zoom.magnify(3.0, 0.5, 24.0);
    it.state_mut().playback.animator.seek(9.0);
    it.key(Key::Home);
    assert!(it.frame() == 0 && !it.state().timeline.zoom.is_whole(), "elsewhere, it goes to the first frame");
}

#[test]
fn normalised_curves_each_fill_the_plot() {
    let mut it = TestWindow::open([1100.0, 800.0], &["paper-lamp.json"]);
    it.key(Key::PageDown);
    it.key(Key::C);
    let base = it.state().model().unwrap().skeleton().find("base").unwrap();
    it.state_mut().parts.selected = Some(crate::scene::selection::Selected::Bone(base));
    it.harness.run();
    let plots = it.harness.get_by_role_and_label(Role::Image, "Curves of base").rect();
    let is_beside =
        |place: &Rect| place.right() < plots.left() + 8.0 && plots.y_range().contains(place.center().y);
    // Round numbers; the smallest and the largest value have decimals here.
    let has_axis = |it: &TestWindow| {
        texts(it).iter().any(|(text, place)| text.ends_with(" px") && !text.contains('.') && is_beside(place))
    };
    let is_on = |it: &TestWindow| {
        let switch = it.harness.get_by_role_and_label(Role::CheckBox, "Normalise");
        switch.accesskit_node().toggled() == Some(Toggled::True)
    };
    let shared = texts(&it);
    assert!(!is_on(&it) && has_axis(&it));
    it.click_role(Role::CheckBox, "Normalise");
    assert!(is_on(&it) && texts(&it) != shared);
    assert!(!has_axis(&it), "the curves share no values");
    it.press(Modifiers::SHIFT, Key::C);
    assert!(!is_on(&it));
}
