//! What is around the picture: guides and a picture behind the character, the background menu, the picture in the
//! clipboard, and pasted paths.

use std::fs;
use std::path::Path;

use egui::accesskit::Role;
use egui::epaint::Shape;
use egui::{Color32, Event, Key, Modifiers, OutputCommand, TextureId, vec2};
use egui_kittest::kittest::{NodeT, Queryable};
use pchr::formats::image::encode_png;
use pchr::limits::Limits;
use pchr::math;
use pchr::viewer::Background;
use pchr::viewer::scene;
use pchr::viewer::state::{Request, State};
use pchr::viewer::underlay::Underlay;
use pchr::viewer::view::Camera;

use crate::desk::Desk;

pub const SIZE: [f32; 2] = [1000.0, 700.0];

pub fn state(it: &mut Desk) -> &mut State {
    &mut it.harness.state_mut().state
}

pub fn press(it: &mut Desk, modifiers: Modifiers, key: Key) {
    it.harness.key_press_modifiers(modifiers, key);
    it.harness.run();
}

pub fn says(it: &Desk, text: &str) -> bool {
    it.harness.root().children_recursive().any(|node| {
        let node = node.accesskit_node();
        [node.label(), node.value()].into_iter().flatten().any(|found| found.contains(text))
    })
}

/// Saves a screenshot into the folder named by `PCHR_SHOW`, for inspection.
pub fn save(it: &mut Desk, name: &str) {
    let Ok(folder) = std::env::var("PCHR_SHOW") else { return };
    let picture = it.harness.render().expect("it renders");
    let pixels = encode_png(picture.width(), picture.height(), picture.as_raw()).unwrap();
    fs::write(Path::new(&folder).join(format!("{name}.png")), pixels).unwrap();
}

/// Returns the thin vertical lines of the last frame, as distance from the left edge of the canvas.
fn columns(it: &mut Desk) -> Vec<f32> {
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
fn rows(it: &mut Desk, is_wanted: impl Fn(f32) -> bool) -> usize {
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
    let mut it = Desk::open(SIZE, &["paper-knight.pchr"]);
    assert_eq!(columns(&mut it), [0.0; 0]);
    press(&mut it, Modifiers::NONE, Key::G);
    for scale in [0.01, 0.3, 1.0, 7.0, 200.0] {
        state(&mut it).camera = Camera::Free { center: math::vec2(3.0, 5.0), scale };
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
    save(&mut it, "grid");
    press(&mut it, Modifiers::NONE, Key::G);
    assert_eq!(columns(&mut it), [0.0; 0]);
}

#[test]
fn the_ground_line_and_the_origin_are_where_the_world_has_them() {
    let mut it = Desk::open(SIZE, &["paper-knight.pchr"]);
    press(&mut it, Modifiers::SHIFT, Key::G);
    assert!(state(&mut it).guides.ground && !state(&mut it).guides.grid);
    let view = state(&mut it).view().unwrap();
    let expected = view.pixel_from_world(math::Vec2::ZERO);
    let canvas = it.harness.get_by_role(Role::Image).rect();
    let is_ground = |y: f32| (y - canvas.top() - expected.y).abs() <= 1.0;
    assert!(rows(&mut it, is_ground) > 0 && rows(&mut it, |y| !is_ground(y)) == 0);
    // Above the canvas, it is not drawn.
    state(&mut it).camera = Camera::Free { center: math::vec2(0.0, -5000.0), scale: 1.0 };
    it.harness.run();
    assert_eq!(rows(&mut it, |_| true), 0);
    state(&mut it).camera = Camera::Fit;
    state(&mut it).run(pchr::viewer::command::Command::Origin);
    it.harness.run();
    let crosses = it.harness.output().shapes.iter().filter(|shape| match &shape.shape {
        Shape::Circle(circle) => (circle.center - canvas.min - vec2(expected.x, expected.y)).length() < 1.5,
        _ => false,
    });
    assert!(crosses.count() > 0, "the cross is at the origin");
    save(&mut it, "ground");
}

#[test]
fn the_menu_of_the_background_shows_everything_behind_the_character() {
    let mut it = Desk::open(SIZE, &["paper-knight.pchr"]);
    it.harness.get_by_role_and_label(Role::Button, "Background").click();
    it.harness.run();
    for (name, expected) in [
        ("Black", Background::Color([0, 0, 0])),
        ("Green", Background::Color([0, 177, 64])),
        ("Transparent", Background::Checker),
    ] {
        it.harness.get_by_role_and_label(Role::RadioButton, name).click();
        it.harness.run();
        assert_eq!(state(&mut it).background, expected);
    }
    it.harness.get_by_role_and_label(Role::CheckBox, "Grid").click();
    it.harness.run();
    it.harness.get_by_role_and_label(Role::CheckBox, "Ground line (y = 0)").click();
    it.harness.get_by_role_and_label(Role::CheckBox, "Origin").click();
    it.harness.run();
    let guides = state(&mut it).guides;
    assert!(guides.grid && guides.coordinates && guides.ground && guides.origin);
    save(&mut it, "menu-dark");
    it.harness.get_by_role_and_label(Role::CheckBox, "Coordinates").click();
    it.harness.run();
    assert!(!state(&mut it).guides.coordinates);
    it.harness.get_by_role_and_label(Role::Button, "Choose…").click();
    it.harness.run();
    assert_eq!(state(&mut it).requests, [Request::UnderlayDialog]);
}

fn picture(it: &Desk, size: [u32; 2], pixel: [u8; 4]) -> pchr::error::Result<Underlay> {
    let path = it.folder.path().join("behind.png");
    let pixels = pixel.repeat(size[0] as usize * size[1] as usize);
    fs::write(&path, encode_png(size[0], size[1], &pixels).unwrap()).unwrap();
    Underlay::read(&path, &Limits::default())
}

/// Returns the rectangle and the colour of the picture behind the character.
fn behind(it: &Desk) -> Option<(egui::Rect, Color32)> {
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
    let mut it = Desk::open(SIZE, &["paper-knight.pchr"]);
    assert_eq!(behind(&it), None);
    let read = picture(&it, [300, 200], [255, 0, 0, 255]);
    state(&mut it).lay_under(read);
    it.harness.run();
    assert!(says(&it, "behind.png is shown behind the character"));
    let scale = state(&mut it).view().unwrap().scale();
    let center = state(&mut it).content().unwrap().center().round();
    let (rect, color) = behind(&it).expect("the picture");
    assert!((rect.size() - vec2(300.0, 200.0) * scale).length() < 1.0, "{rect}");
    assert_eq!(state(&mut it).underlay.as_ref().unwrap().placement.center, center);
    assert!((i32::from(color.a()) - 128).abs() <= 1, "half transparent: {color:?}");
    save(&mut it, "behind");

    // Screenshots do not contain it.
    let scene = state(&mut it).scene().unwrap();
    let expected = scene::picture(&scene, Background::Checker).pixel(1, 1);
    assert_eq!(state(&mut it).screenshot().unwrap().pixel(1, 1), expected);

    it.harness.get_by_role_and_label(Role::Button, "Background").click();
    it.harness.run();
    let opacity = it.harness.get_by_role_and_label(Role::Slider, "Opacity").rect();
    it.harness.drag_at(opacity.left_center() + vec2(4.0, 0.0));
    it.harness.run_steps(1);
    it.harness.drop_at(opacity.left_center() + vec2(4.0, 0.0));
    it.harness.run();
    assert!(state(&mut it).underlay.as_ref().unwrap().opacity < 0.1);
    for (label, index, text) in [("Scale", 0, "200"), ("Centre", 0, "12"), ("Centre", 1, "34")] {
        it.harness.get_all_by_role_and_label(Role::SpinButton, label).nth(index).unwrap().click();
        it.harness.run();
        press(&mut it, Modifiers::COMMAND, Key::A);
        it.harness.event(Event::Text(text.to_owned()));
        press(&mut it, Modifiers::NONE, Key::Enter);
    }
    let placement = state(&mut it).underlay.as_ref().unwrap().placement;
    assert_eq!((placement.scale, placement.center), (2.0, math::vec2(12.0, 34.0)));
    save(&mut it, "behind-menu");
    it.harness.get_by_role_and_label(Role::Button, "Reset").click();
    it.harness.run();
    let placement = state(&mut it).underlay.as_ref().unwrap().placement;
    assert_eq!((placement.scale, placement.center), (1.0, center));
    it.harness.get_by_role_and_label(Role::Button, "Remove").click();
    it.harness.run();
    assert_eq!(behind(&it), None);
    assert!(says(&it, "Removed behind.png"));
}

#[test]
fn a_broken_or_huge_picture_behind_is_refused_with_the_reason() {
    let mut it = Desk::open(SIZE, &["paper-knight.pchr"]);
    let path = it.folder.path().join("broken.png");
    fs::write(&path, b"\x89PNG\r\n\x1a\n....").unwrap();
    state(&mut it).lay_under(Underlay::read(&path, &Limits::default()));
    it.harness.run();
    assert!(says(&it, "Cannot show the picture") && says(&it, "broken.png"));
    let mut limits = Limits::default();
    limits.pixels = 1000;
    let path = it.folder.path().join("behind.png");
    drop(picture(&it, [300, 200], [255, 0, 0, 255]));
    state(&mut it).lay_under(Underlay::read(&path, &limits));
    it.harness.run();
    assert!(says(&it, "Cannot show the picture") && says(&it, "limit"));
    let gone = Underlay::read(&it.folder.path().join("gone.png"), &Limits::default());
    state(&mut it).lay_under(gone);
    it.harness.run();
    assert!(says(&it, "gone.png") && behind(&it).is_none());
    // Larger than a texture can be here: it is reduced.
    let read = picture(&it, [5000, 10], [0, 255, 0, 255]);
    state(&mut it).lay_under(read);
    it.harness.run();
    assert!(behind(&it).is_some());
}

// ---- Clipboard

#[test]
fn ctrl_c_copies_the_picture_unless_text_is_selected_or_edited() {
    let mut it = Desk::open(SIZE, &["paper-knight.pchr"]);
    it.harness.event(Event::Copy);
    it.harness.run();
    assert_eq!(std::mem::take(&mut state(&mut it).requests), [Request::CopyPicture]);

    // The picture is that of a screenshot, with straight alpha.
    state(&mut it).background = Background::Color([1, 2, 3]);
    let picture = state(&mut it).screenshot().unwrap();
    assert_eq!(
        (picture.pixel(0, 0), [picture.width(), picture.height()]),
        ([1, 2, 3, 255], state(&mut it).canvas)
    );

    // Selected text is copied instead.
    state(&mut it).notify_error("A text to select");
    it.harness.run_steps(2);
    let text = it.harness.get_by_role_and_label(Role::Label, "A text to select").rect().shrink(1.0);
    it.harness.drag_at(text.left_top());
    it.harness.run_steps(1);
    it.harness.hover_at(text.right_bottom());
    it.harness.run_steps(1);
    it.harness.drop_at(text.right_bottom());
    it.harness.run_steps(2);
    it.harness.event(Event::Copy);
    it.harness.run_steps(1);
    let commands = &it.harness.output().platform_output.commands;
    assert!(commands.contains(&OutputCommand::CopyText("A text to select".to_owned())), "{commands:?}");
    assert_eq!(state(&mut it).requests, []);

    // In a dialog nothing is copied.
    press(&mut it, Modifiers::COMMAND, Key::E);
    it.harness.event(Event::Copy);
    it.harness.run_steps(2);
    assert_eq!(state(&mut it).requests, []);
}

#[test]
fn without_a_character_there_is_no_picture_to_copy() {
    let mut it = Desk::open(SIZE, &[]);
    it.harness.event(Event::Copy);
    it.harness.run();
    assert!(state(&mut it).requests.is_empty() && says(&it, "There is no picture to copy"));
}

#[test]
fn the_menu_copies_and_pastes() {
    let mut it = Desk::open(SIZE, &["paper-knight.pchr"]);
    for (label, request) in [("Copy picture", Request::CopyPicture), ("Open path from clipboard", Request::Paste)]
    {
        it.harness.get_by_role_and_label(Role::Button, "Menu").click();
        it.harness.run();
        it.harness.get_by_label("File").click();
        it.harness.run();
        it.harness.get_by_label_contains(label).click();
        it.harness.run();
        assert_eq!(std::mem::take(&mut state(&mut it).requests), [request], "{label}");
    }
}

#[test]
fn pasted_paths_open() {
    let mut it = Desk::open(SIZE, &[]);
    let folder = it.folder.path().to_owned();
    fs::rename(folder.join("paper-knight.pchr"), folder.join("a knight.pchr")).unwrap();
    let knight = folder.join("a knight.pchr");
    let lamp = folder.join("paper-lamp.json");
    let url = format!("file://{}", knight.display()).replace(' ', "%20");
    it.harness.event(Event::Paste(format!("  \"{}\"  \n{url}\n\n'{}'\n", knight.display(), lamp.display())));
    it.harness.run();
    let names: Vec<String> = state(&mut it).documents().iter().map(|document| document.name()).collect();
    assert_eq!(names, ["a knight.pchr", "paper-lamp.json"]);
    assert_eq!(state(&mut it).current_index(), 0);
    assert!(state(&mut it).loaded().is_some());
}

#[test]
fn pasted_text_without_a_path_only_shows_a_notice() {
    let mut it = Desk::open(SIZE, &["paper-lamp.json"]);
    for (text, expected) in [
        ("hello\tthere", "File not found: “hello"),
        ("one\ntwo", "None of the pasted lines is the path of an existing file"),
        (" \n \n", "There is no path in the clipboard"),
        ("/nonexistent/hero.pchr", "File not found: “/nonexistent/hero.pchr”"),
    ] {
        it.harness.event(Event::Paste(text.to_owned()));
        it.harness.run();
        assert!(says(&it, expected), "{text}");
        assert_eq!(state(&mut it).documents().len(), 1);
    }
    let long = "x".repeat(100_000);
    it.harness.event(Event::Paste(long));
    it.harness.run();
    assert!(state(&mut it).notice.as_ref().unwrap().text.len() < 200);
    let knight = it.folder.path().join("paper-knight.pchr");
    it.harness.event(Event::Paste(format!("{}\nnothing\n", knight.display())));
    it.harness.run();
    assert!(state(&mut it).documents().len() == 2 && says(&it, "1 pasted line is not the path of a file"));
}

#[test]
fn fields_keep_what_is_pasted_into_them() {
    let mut it = Desk::open(SIZE, &["paper-lamp.json"]);
    press(&mut it, Modifiers::COMMAND, Key::E);
    let knight = it.folder.path().join("paper-knight.pchr");
    it.harness.event(Event::Paste(knight.display().to_string()));
    it.harness.run_steps(3);
    assert_eq!(state(&mut it).documents().len(), 1, "the dialog is open");
}
