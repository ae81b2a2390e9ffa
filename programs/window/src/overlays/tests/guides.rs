//! Guides and a picture behind the character, and the menu of the background.

use std::fs;

use crate::overlays::underlay::Underlay;
use crate::scene;
use crate::scene::background::Background;
use crate::scene::camera::Camera;
use crate::widgets::actions::{Dialog, Request};
use egui::accesskit::Role;
use egui::epaint::Shape;
use egui::{Color32, Event, Key, Modifiers, TextureId, vec2};
use egui_kittest::kittest::Queryable;
use pchr::export::BackgroundPicture;
use pchr::formats::image::encode_png;
use pchr::limits::Limits;
use pchr::math;

use crate::app::tests::harness::TestWindow;

const SIZE: [f32; 2] = [1000.0, 700.0];

/// Returns the thin vertical lines of the last frame, as distance from the left edge of the canvas.
fn columns(it: &mut TestWindow) -> Vec<f32> {
    let canvas = it.harness.get_by_role(Role::Image).rect();
    let lines = it.harness.output().shapes.iter().filter_map(|shape| match &shape.shape {
        Shape::LineSegment { points: [a, b], .. } => {
            let is_column = a.x == b.x && (b.y - a.y).abs() >= canvas.height() - 1.0;
            (is_column && a.x > canvas.left() + 1.0).then_some(a.x - canvas.left())
        }
        _ => None,
    });
    lines.collect()
}

/// Returns the number of lines across the whole canvas at a wanted height.
fn rows(it: &mut TestWindow, is_wanted: impl Fn(f32) -> bool) -> usize {
    let canvas = it.harness.get_by_role(Role::Image).rect();
    let lines = it.harness.output().shapes.iter().filter(|shape| match &shape.shape {
        Shape::LineSegment { points: [a, b], .. } => {
            let is_on_canvas =
                (shape.clip_rect.min - canvas.min).length() + (shape.clip_rect.max - canvas.max).length() < 2.0;
            is_on_canvas && a.y == b.y && (b.x - a.x).abs() >= canvas.width() - 1.0 && is_wanted(a.y)
        }
        _ => false,
    });
    lines.count()
}

#[test]
fn the_grid_follows_the_zoom() {
    let mut it = TestWindow::open(SIZE, &["paper-knight.pchr"]);
    assert_eq!(columns(&mut it), [0.0; 0]);
    it.press(Modifiers::NONE, Key::G);
    for scale in [0.01, 0.3, 1.0, 7.0, 200.0] {
        it.state_mut().canvas.camera = Camera::Free { center: math::vec2(3.0, 5.0), scale };
        it.harness.run();
        let columns = columns(&mut it);
        let gap = columns[1] - columns[0];
        assert!((14.0..=36.0).contains(&gap), "{gap} points between lines at {scale}");
        // 1, 2 or 5 times a power of ten.
        let mut spacing = gap / scale;
        while spacing >= 9.5 {
            spacing /= 10.0;
        }
        while spacing < 0.95 {
            spacing *= 10.0;
        }
        let off = [1.0, 2.0, 5.0].map(|round| (spacing / round - 1.0_f32).abs()).into_iter().fold(1.0, f32::min);
        // Lines are moved to whole pixels.
        assert!(off < 0.08, "a spacing of {spacing} at {scale}");
    }
    it.save("grid");
    it.press(Modifiers::NONE, Key::G);
    assert_eq!(columns(&mut it), [0.0; 0]);
}

#[test]
fn the_ground_line_and_the_origin_are_where_the_world_has_them() {
    let mut it = TestWindow::open(SIZE, &["paper-knight.pchr"]);
    it.press(Modifiers::SHIFT, Key::G);
    assert!(it.state_mut().overlays.guides.ground && !it.state_mut().overlays.guides.grid);
    let view = it.state_mut().view().unwrap();
    let expected = view.pixel_from_world(math::Vec2::ZERO);
    let canvas = it.harness.get_by_role(Role::Image).rect();
    let is_ground = |y: f32| (y - canvas.top() - expected.y).abs() <= 1.0;
    assert!(rows(&mut it, is_ground) > 0 && rows(&mut it, |y| !is_ground(y)) == 0);
    // Above the canvas, it is not drawn.
    it.state_mut().canvas.camera = Camera::Free { center: math::vec2(0.0, -5000.0), scale: 1.0 };
    it.harness.run();
    assert_eq!(rows(&mut it, |_| true), 0);
    it.state_mut().canvas.camera = Camera::Fit;
    it.state_mut().run(crate::widgets::command::Command::Origin);
    it.harness.run();
    let crosses = it.harness.output().shapes.iter().filter(|shape| match &shape.shape {
        Shape::Circle(circle) => (circle.center - canvas.min - vec2(expected.x, expected.y)).length() < 1.5,
        _ => false,
    });
    assert!(crosses.count() > 0, "the cross is at the origin");
    it.save("ground");
}

#[test]
fn the_menu_of_the_background_shows_everything_behind_the_character() {
    let mut it = TestWindow::open(SIZE, &["paper-knight.pchr"]);
    it.harness.get_by_role_and_label(Role::Button, "Background").click();
    it.harness.run();
    for (name, expected) in [
        ("Black", Background::Color([0, 0, 0])),
        ("Green", Background::Color([0, 177, 64])),
        ("Transparent", Background::Checker),
    ] {
        it.harness.get_by_role_and_label(Role::RadioButton, name).click();
        it.harness.run();
        assert_eq!(it.state_mut().overlays.background, expected);
    }
    it.harness.get_by_role_and_label(Role::CheckBox, "Grid").click();
    it.harness.run();
    it.harness.get_by_role_and_label(Role::CheckBox, "Ground line (y = 0)").click();
    it.harness.get_by_role_and_label(Role::CheckBox, "Origin").click();
    it.harness.run();
    let guides = it.state_mut().overlays.guides;
    assert!(guides.grid && guides.coordinates && guides.ground && guides.origin);
    it.save("menu-dark");
    it.harness.get_by_role_and_label(Role::CheckBox, "Coordinates").click();
    it.harness.run();
    assert!(!it.state_mut().overlays.guides.coordinates);
    it.harness.get_by_role_and_label(Role::Button, "Choose…").click();
    it.harness.run();
    assert_eq!(it.state_mut().requests, [Request::Dialog(Dialog::Underlay)]);
}

fn picture(it: &TestWindow, size: [u32; 2], pixel: [u8; 4]) -> pchr::Result<Underlay> {
    let path = it.folder.path().join("behind.png");
    let pixels = pixel.repeat(size[0] as usize * size[1] as usize);
    fs::write(&path, encode_png(size[0], size[1], &pixels).unwrap()).unwrap();
    Underlay::read(&path, false, &Limits::default())
}

/// Returns the rectangle and the colour of the picture behind the character.
fn behind(it: &TestWindow) -> Option<(egui::Rect, Color32)> {
    it.harness.output().shapes.iter().find_map(|shape| match &shape.shape {
        Shape::Mesh(mesh) if matches!(mesh.texture_id, TextureId::Managed(id) if id > 0) => {
            Some((mesh.calc_bounds(), mesh.vertices[0].color))
        }
        Shape::Rect(rect)
            if rect.brush.is_some() && matches!(rect.fill_texture_id(), TextureId::Managed(id) if id > 0) =>
        {
            Some((rect.rect, rect.fill))
        }
        _ => None,
    })
}

#[test]
fn a_picture_behind_is_placed_changed_reset_and_removed() {
    let mut it = TestWindow::open(SIZE, &["paper-knight.pchr"]);
    assert_eq!(behind(&it), None);
    let read = picture(&it, [300, 200], [255, 0, 0, 255]);
    it.state_mut().lay_under(read);
    it.harness.run();
    assert!(it.says("behind.png is shown behind the character"));
    let scale = it.state_mut().view().unwrap().scale();
    let center = it.state_mut().content().unwrap().center().round();
    let (rect, color) = behind(&it).expect("the picture");
    assert!((rect.size() - vec2(300.0, 200.0) * scale).length() < 1.0, "{rect}");
    assert_eq!(it.state_mut().overlays.underlay.as_ref().unwrap().placement.center, center);
    assert!((i32::from(color.a()) - 128).abs() <= 1, "half transparent: {color:?}");
    it.save("behind");

    // Screenshots do not contain it.
    let scene = it.state_mut().scene().unwrap();
    let expected = scene::picture(&scene).pixel(1, 1);
    assert_eq!(it.state_mut().screenshot().unwrap().pixel(1, 1), expected);

    it.harness.get_by_role_and_label(Role::Button, "Background").click();
    it.harness.run();
    let opacity = it.harness.get_by_role_and_label(Role::Slider, "Opacity").rect();
    it.harness.drag_at(opacity.left_center() + vec2(4.0, 0.0));
    it.harness.run_steps(1);
    it.harness.drop_at(opacity.left_center() + vec2(4.0, 0.0));
    it.harness.run();
    assert!(it.state_mut().overlays.underlay.as_ref().unwrap().opacity < 0.1);
    for (label, index, text) in [("Scale", 0, "200"), ("Centre", 0, "12"), ("Centre", 1, "34")] {
        it.harness.get_all_by_role_and_label(Role::SpinButton, label).nth(index).unwrap().click();
        it.harness.run();
        it.press(Modifiers::COMMAND, Key::A);
        it.harness.event(Event::Text(text.to_owned()));
        it.press(Modifiers::NONE, Key::Enter);
    }
    let placement = it.state_mut().overlays.underlay.as_ref().unwrap().placement;
    assert_eq!((placement.scale, placement.center), (2.0, math::vec2(12.0, 34.0)));
    it.save("behind-menu");
    it.harness.get_by_role_and_label(Role::Button, "Reset").click();
    it.harness.run();
    let placement = it.state_mut().overlays.underlay.as_ref().unwrap().placement;
    assert_eq!((placement.scale, placement.center), (1.0, center));
    it.harness.get_by_role_and_label(Role::Button, "Remove").click();
    it.harness.run();
    assert_eq!(behind(&it), None);
    assert!(it.says("Removed behind.png"));
}

#[test]
fn a_picture_on_the_command_line_is_shown_opaque() {
    let mut it = TestWindow::of(SIZE, &[], |options| {
        options.subject.files.push(crate::common::root().join("assets/paper-knight.pchr"));
        options.look.background = pchr::export::Background::Picture(BackgroundPicture::new("room.png"));
    });
    let request = Request::ReadUnderlay { file: "room.png".into(), is_background: true };
    assert_eq!(it.state_mut().requests, [request]);
    let path = it.folder.path().join("room.png");
    fs::write(&path, encode_png(1, 1, &[9; 4]).unwrap()).unwrap();
    assert_eq!(Underlay::read(&path, true, &Limits::default()).unwrap().opacity, 1.0);
}

#[test]
fn a_broken_or_huge_picture_behind_is_refused_with_the_reason() {
    let mut it = TestWindow::open(SIZE, &["paper-knight.pchr"]);
    let path = it.folder.path().join("broken.png");
    fs::write(&path, b"\x89PNG\r\n\x1a\n....").unwrap();
    it.state_mut().lay_under(Underlay::read(&path, false, &Limits::default()));
    it.harness.run();
    assert!(it.says("Cannot show the picture") && it.says("broken.png"));
    let mut limits = Limits::default();
    limits.pixels = 1000;
    let path = it.folder.path().join("behind.png");
    drop(picture(&it, [300, 200], [255, 0, 0, 255]));
    it.state_mut().lay_under(Underlay::read(&path, false, &limits));
    it.harness.run();
    assert!(it.says("Cannot show the picture") && it.says("limit"));
    let gone = Underlay::read(&it.folder.path().join("gone.png"), false, &Limits::default());
    it.state_mut().lay_under(gone);
    it.harness.run();
    assert!(it.says("gone.png") && behind(&it).is_none());
    // Larger than a texture can be here: it is reduced.
    let read = picture(&it, [5000, 10], [0, 255, 0, 255]);
    it.state_mut().lay_under(read);
    it.harness.run();
    assert!(behind(&it).is_some());
}
