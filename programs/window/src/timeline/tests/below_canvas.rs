//! The bottom of the window: what the dopesheet, the curves, the tracks and the playback controls show, and how much
//! room they take.

use crate::scene::selection::Selected;
use egui::accesskit::Role;
use egui::{Event, Key, Modifiers, PointerButton, Rect, Shape, pos2, vec2};
use egui_kittest::kittest::Queryable;
use pchr::player::LoopMode;

use crate::app::tests::harness::TestWindow;
use crate::compare::tests::Square;

const CTRL: Modifiers = Modifiers { ctrl: true, command: true, ..Modifiers::NONE };

impl TestWindow {
    fn show_animation(&mut self, name: &str) {
        let animation = self.state().model().unwrap().find_animation(name).unwrap();
        self.state_mut().show_animation(animation);
        self.harness.run();
    }

    pub fn select_bone(&mut self, name: &str) {
        let bone = self.state().model().unwrap().skeleton().find(name).unwrap();
        self.state_mut().parts.selected = Some(Selected::Bone(bone));
        self.harness.run();
    }

    fn rect_of(&self, role: Role, label: &str) -> Rect {
        self.harness.get_by_role_and_label(role, label).rect()
    }

    fn button_that_starts(&self, start: &str) -> Rect {
        let starts = |label: String| label.starts_with(start);
        self.harness.get_by(|node| node.role() == Role::Button && node.label().is_some_and(starts)).rect()
    }

    /// Returns the painted shapes with what is visible of them.
    fn shapes(&self) -> Vec<(Shape, Rect)> {
        let shapes = self.harness.output().shapes.iter();
        shapes.map(|it| (it.shape.clone(), it.shape.visual_bounding_rect().intersect(it.clip_rect))).collect()
    }
}

fn lamp(size: [f32; 2]) -> TestWindow {
    TestWindow::open(size, &["paper-lamp.json"])
}

// ---- Dopesheet

#[test]
fn the_triangle_of_a_selected_row_is_above_its_highlight() {
    let mut it = lamp([1000.0, 640.0]);
    it.key(Key::D);
    let fold = it.rect_of(Role::Button, "Unfold hold");
    it.click_at(fold.right_center() + vec2(30.0, 0.0));
    assert_eq!(it.selected().as_deref(), Some("hold"));
    it.harness.hover_at(pos2(500.0, 200.0));
    it.harness.run();
    let shapes = it.shapes();
    let is_highlight = |(shape, rect): &(Shape, Rect)| {
        matches!(shape, Shape::Rect(_))
            && rect.height() > 20.0
            && rect.height() < 24.0
            && rect.contains(fold.center())
    };
    let highlight = shapes.iter().rposition(is_highlight).expect("the row is highlighted");
    let is_triangle = |(shape, rect): &(Shape, Rect)| {
        matches!(shape, Shape::Path(_)) && rect.is_positive() && fold.contains_rect(*rect)
    };
    let triangle = shapes.iter().rposition(is_triangle).expect("the row has a triangle");
    assert!(triangle > highlight, "{triangle} {highlight}");
    it.click_at(fold.center());
    assert!(it.says("Fold hold"), "the triangle is not the row");
    it.save("strip-selected-row");
}

#[test]
fn keys_are_only_painted_along_the_axis() {
    let mut it = lamp([1000.0, 640.0]);
    it.show_animation("hop");
    it.key(Key::D);
    let ruler = it.rect_of(Role::Slider, "Time");
    it.wheel(ruler.center(), vec2(0.0, 300.0), CTRL);
    assert!(!it.state().timeline.zoom.is_whole());
    it.save("strip-magnified");
    let lists = it.state().parts.side.width;
    for (shape, visible) in it.shapes() {
        let is_beside = visible.is_positive()
            && (lists..ruler.left()).contains(&visible.left())
            && ruler.y_range().contains(visible.center().y);
        assert!(!(is_beside && matches!(shape, Shape::Path(_))), "{visible}");
    }
}

#[test]
fn the_dopesheet_is_as_high_as_its_rows() {
    let mut it = lamp([1000.0, 800.0]);
    it.key(Key::D);
    let one_row = it.state().canvas.size[1];
    it.show_animation("hop");
    let three_rows = it.state().canvas.size[1];
    assert!(one_row > three_rows, "{one_row} {three_rows}");
    for target in ["base", "hold"] {
        it.click(&format!("Unfold {target}"));
    }
    let unfolded = it.state().canvas.size[1];
    assert!(three_rows > unfolded, "{three_rows} {unfolded}");
    it.key(Key::PageUp);
    assert_eq!(it.state().canvas.size[1], one_row);
    // The curves keep their height.
    it.key(Key::C);
    let curves = it.state().canvas.size[1];
    assert!(curves < one_row);
    // The edge can be dragged.
    let top = it.rect_of(Role::CheckBox, "Rotation").top();
    it.select_bone("hold");
    it.drag(pos2(500.0, top - 4.0), pos2(500.0, top - 104.0));
    let after = it.state().canvas.size[1];
    assert!(after + 90 < curves && curves < after + 115, "{curves} {after}");
}

// ---- Curves

#[test]
fn a_click_beside_the_axis_does_not_seek() {
    let mut it = lamp([1000.0, 640.0]);
    it.show_animation("hop");
    it.select_bone("base");
    it.key(Key::C);
    it.state_mut().playback.animator.seek(5.0);
    it.harness.run();
    let plots = it.rect_of(Role::Image, "Curves of base");
    let ruler = it.rect_of(Role::Slider, "Time");
    for y in [plots.center().y, ruler.center().y] {
        it.click_at(pos2(ruler.left() - 30.0, y));
        assert_eq!(it.frame(), 5);
    }
    it.click_at(pos2(ruler.left() + 11.0, plots.center().y));
    assert_eq!(it.frame(), 0, "on the axis, it does");
}

#[test]
fn curves_say_whose_they_are_and_whether_the_bone_has_keys() {
    let mut it = lamp([1000.0, 640.0]);
    it.key(Key::C);
    for (bone, label) in [
        ("hold", "Curves of hold"),
        ("upper", "Curves of upper, no keys"),
        ("root", "Curves of root, not animated"),
    ] {
        it.select_bone(bone);
        let found = it.harness.query_by_role_and_label(Role::Image, label);
        assert!(found.is_some(), "{label}");
        let names = it.state().parts.side.width + 220.0;
        let named = it.shapes().into_iter().any(|(shape, visible)| match shape {
            Shape::Text(text) => text.galley.text() == bone && visible.is_positive() && visible.right() < names,
            _ => false,
        });
        assert!(named, "{bone}");
    }
}

#[test]
fn the_smallest_and_the_largest_value_are_labelled() {
    let mut it = lamp([1000.0, 640.0]);
    it.show_animation("hop");
    it.select_bone("base");
    it.key(Key::C);
    let values = it.state().timeline.curve.points().unwrap().iter().map(|point| point.translation.y);
    let largest = values.fold(f32::MIN, f32::max);
    let label = format!("{largest:.1} px");
    let texts: Vec<String> = it
        .shapes()
        .into_iter()
        .filter_map(|(shape, _)| match shape {
            Shape::Text(text) => Some(text.galley.text().to_owned()),
            _ => None,
        })
        .collect();
    assert!(largest > 10.0 && texts.contains(&label), "{label}: {texts:?}");
    let points = it.state().timeline.curve.points().unwrap();
    assert!(points.len() as f64 >= it.state().playback.animator.playback(0).length(), "a point for each frame");
    it.save("strip-curves");
}

#[test]
fn the_distance_is_that_of_the_in_and_out_points() {
    let mut it = lamp([1000.0, 640.0]);
    it.key(Key::D);
    assert!(it.says("First ↔ last frame: 0.0 px"));
    it.state_mut().set_range(Some(0..=11));
    it.harness.run();
    assert!(it.says("Frame 0 ↔ 11: ") && !it.says("Frame 0 ↔ 11: 0.0 px"));
}

// ---- Tracks

#[test]
fn the_event_log_does_not_grow_with_its_events() {
    for size in [[1200.0, 900.0], [700.0, 900.0]] {
        let mut it = lamp(size);
        it.key(Key::M);
        it.show_animation("hop");
        it.click("Events");
        let before = (it.rect_of(Role::Button, "Add track"), it.state().canvas.size);
        it.key(Key::Space);
        (0..200).for_each(|_| it.harness.state_mut().advance(0.1));
        it.key(Key::Space);
        assert!(it.state().mixer.log.len() > 20);
        assert_eq!((it.rect_of(Role::Button, "Add track"), it.state().canvas.size), before, "{size:?}");
        assert!(it.state().canvas.size[1] > 400, "{:?}", it.state().canvas.size);
        it.save(&format!("strip-events-{}", size[0]));
    }
}

#[test]
fn dropping_on_a_track_keeps_the_view() {
    let mut it = lamp([1200.0, 800.0]);
    it.state_mut().canvas.fits_animation = true;
    it.key(Key::M);
    let before = (it.state_mut().view().unwrap(), it.state_mut().content().unwrap());
    let (row, lane) = (it.button_that_starts("hop"), it.button_that_starts("Track 0"));
    it.harness.hover_at(row.center());
    it.harness.run_steps(1);
    it.harness.drag_at(row.center());
    it.harness.run_steps(1);
    it.harness.hover_at(row.center() + vec2(0.0, 20.0));
    it.harness.run_steps(1);
    it.harness.hover_at(lane.center());
    it.harness.run_steps(2);
    it.harness.drop_at(lane.center());
    it.harness.run_steps(3);
    assert!(it.says("Track 0: hop"));
    assert_eq!((it.state_mut().view().unwrap(), it.state_mut().content().unwrap()), before);
    it.press(CTRL, Key::Num0);
    assert_ne!(it.state_mut().content().unwrap(), before.1, "on demand it fits");
}

/// Returns the lamp with `count` more animations that have no keys.
fn with_animations(count: usize) -> TestWindow {
    let json = include_str!("../../../../../assets/paper-lamp.json");
    let mut json: serde_json::Value = serde_json::from_str(json).unwrap();
    let animations = json["animations"].as_object_mut().unwrap();
    animations.extend((0..count).map(|at| (format!("still {at:02}"), serde_json::json!({}))));
    let json = json.to_string();
    let (atlas, page) = (
        include_bytes!("../../../../../assets/paper-lamp.atlas"),
        include_bytes!("../../../../../assets/paper-lamp.png"),
    );
    let folder = crate::app::tests::harness::folder_of(&[
        ("paper-lamp.json", json.as_bytes()),
        ("paper-lamp.atlas", atlas),
        ("paper-lamp.png", page),
    ]);
    let mut options = crate::app::tests::harness::paused();
    options.subject.files.push(folder.path().join("paper-lamp.json"));
    TestWindow::new([1200.0, 800.0], folder, &options)
}

#[test]
fn the_menu_of_a_track_uses_the_room_above_it() {
    let mut it = with_animations(30);
    it.key(Key::M);
    let lane = it.button_that_starts("Track 0").center();
    it.click_at(lane);
    let listed =
        (0..30).filter(|at| it.harness.query_by_role_and_label(Role::Button, &format!("still {at:02}")).is_some());
    assert!(listed.count() >= 18);
    it.save("strip-menu");
}

#[test]
fn an_animation_of_one_frame_is_a_pose() {
    let mut it = with_animations(1);
    assert!(it.says("still 00 pose"));
    it.show_animation("still 00");
    assert_eq!(it.state().playback.animator.playback(0).frame_count(), 1);
    it.save("strip-pose");
}

#[test]
fn a_narrow_window_has_the_settings_of_a_track_in_a_menu() {
    let mut it = lamp([420.0, 700.0]);
    it.key(Key::M);
    it.click("Settings of track 0");
    it.harness.get_by_label("Speed of track 0").set_value_accesskit(150.0);
    it.harness.run();
    it.click("Additive track 0");
    it.click("Ping-pong");
    it.save("strip-settings");
    let playback = it.state().playback.animator.playback(0);
    assert_eq!((playback.speed(), playback.is_additive(), playback.loop_mode()), (1.5, true, LoopMode::PingPong));
    it.click("Clear track 0");
    it.key(Key::Escape);
    it.key(Key::Space);
    (0..4).for_each(|_| it.harness.state_mut().advance(0.1));
    it.harness.run_steps(2);
    assert!(it.says("Track 0: nothing"));
}

#[test]
fn the_button_that_hides_the_tracks_is_in_the_corner() {
    for width in [240.0, 400.0, 800.0, 1600.0] {
        let mut it = lamp([width, 700.0]);
        it.key(Key::M);
        let (hide, first) = (it.rect_of(Role::Button, "Hide tracks"), it.rect_of(Role::Button, "Add track"));
        assert!(width - hide.right() < 20.0, "{width}: {hide}");
        assert!((hide.center().y - first.center().y).abs() < 3.0, "{hide} {first}");
        it.save(&format!("strip-tracks-{width}"));
    }
}

// ---- Playback controls

#[test]
fn the_controls_take_as_few_rows_as_possible() {
    for (width, rows) in [(1600.0, 1), (800.0, 1), (600.0, 2), (400.0, 2)] {
        let mut it = lamp([width, 700.0]);
        let middle = |it: &TestWindow, role, label: &str| it.rect_of(role, label).center().y;
        let play = middle(&it, Role::Button, "Play");
        for view in ["Keys", "Curves", "Tracks"] {
            let y = it.harness.get_by_label(view).rect().center().y;
            assert!((y - play).abs() < 2.0, "{width}: {view} is not beside Play");
        }
        let speed = it.harness.get_by_label("Loop mode").rect().center().y;
        assert_eq!((speed - play).abs() < 2.0, rows == 1, "{width}");
        it.save(&format!("strip-transport-{width}"));
    }
}

#[test]
fn the_time_does_not_change_its_width() {
    let mut it = lamp([800.0, 600.0]);
    let width = |it: &TestWindow| {
        let found =
            it.harness.get_by(|node| node.label().or(node.value()).is_some_and(|text| text.contains(" / 2.00 s")));
        found.rect().width()
    };
    let before = width(&it);
    for frame in [9.0, 27.0, 47.0] {
        it.state_mut().playback.animator.seek(frame);
        it.harness.run();
        assert!((width(&it) - before).abs() < 0.1, "{frame}");
    }
}

#[test]
fn a_low_window_keeps_half_for_the_picture() {
    for size in [[300.0, 300.0], [240.0, 200.0], [240.0, 420.0], [400.0, 400.0], [400.0, 345.0], [1600.0, 300.0]] {
        // The harness leaves a margin.
        let mut it = lamp(size.map(|side| side + 16.0));
        it.save(&format!("strip-low-{}x{}", size[0], size[1]));
        let (time, play) = (it.rect_of(Role::Slider, "Time"), it.rect_of(Role::Button, "Play"));
        let window = Rect::from_min_size(pos2(8.0, 8.0), size.into());
        assert!(window.contains_rect(time) && window.contains_rect(play), "{size:?}: {time} {play}");
        let canvas = it.state().canvas.size[1] as f32;
        assert!(2.0 * canvas >= size[1], "{size:?}: {canvas}");
        it.click_at(play.center());
        assert!(it.state().playback.animator.is_playing());
        it.key(Key::Space);
        let at = pos2(time.right() - 14.0, time.bottom() - 8.0);
        for pressed in [true, false] {
            let (button, modifiers) = (PointerButton::Primary, Modifiers::NONE);
            it.harness.event(Event::PointerMoved(at));
            it.harness.event(Event::PointerButton { pos: at, button, pressed, modifiers });
            it.harness.run();
        }
        assert!(it.frame() > 40, "{size:?}: {}", it.frame());
    }
}

#[test]
fn without_an_animation_the_strip_says_so() {
    let still = Square { animations: &[], ..Square::default() };
    let mut it = TestWindow::of([1000.0, 640.0], &[("still.pchr", &still.bytes())], |_| {});
    it.select_bone("root");
    for key in [Key::D, Key::C] {
        it.key(key);
        assert!(it.says("No animation is shown"), "{key:?}");
    }
}

#[test]
fn the_size_follows_the_animation_while_the_view_is_held() {
    let mut it = lamp([1200.0, 800.0]);
    it.state_mut().canvas.fits_animation = true;
    it.key(Key::M);
    let (size, view) = (it.state_mut().own_content(), it.state_mut().content());
    it.show_animation("hop");
    it.harness.run();
    assert_ne!(it.state_mut().own_content(), size);
    assert_eq!(it.state_mut().content(), view);
}

#[test]
fn a_press_on_the_edge_of_the_strip_changes_nothing_and_a_drag_follows_the_pointer() {
    let mut it = lamp([1000.0, 800.0]);
    it.show_animation("hop");
    it.key(Key::D);
    let top = |it: &TestWindow| it.state().canvas.size[1] as f32;
    let before = top(&it);
    let edge = it.harness.get_by_role_and_label(Role::TextInput, "Filter rows").rect().top() - 5.0;
    it.click_at(pos2(500.0, edge));
    assert_eq!(top(&it), before);
    it.drag(pos2(500.0, edge), pos2(500.0, edge + 10.0));
    assert!((top(&it) - before - 10.0).abs() <= 1.0, "{} and {before}", top(&it));
}
