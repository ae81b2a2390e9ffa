//! The pages of a sprite sheet in the window: the current frame is highlighted, a click goes to another one, and
//! each page is uploaded once.

use std::fs;

use egui::accesskit::Role;
use egui::{Key, Pos2, Rect, vec2};
use egui_kittest::kittest::Queryable;
use pchr::formats::image::encode_png;

use crate::app::tests::harness::TestWindow;

/// Frames of 4 × 4 pixels on a page of 8 × 8: red, green, blue, and white, which belongs to no tag. `there` shows
/// the first two forwards, `back` the first three backwards.
const SHEET: &str = r#"{"frames": [
    {"filename": "red", "frame": {"x": 0, "y": 0, "w": 4, "h": 4}, "duration": 50},
    {"filename": "green", "frame": {"x": 4, "y": 0, "w": 4, "h": 4}, "duration": 50},
    {"filename": "blue", "frame": {"x": 0, "y": 4, "w": 4, "h": 4}, "duration": 50},
    {"filename": "white", "frame": {"x": 4, "y": 4, "w": 4, "h": 4}, "duration": 50}],
    "meta": {"image": "s.png", "frameTags": [
    {"name": "there", "from": 0, "to": 1}, {"name": "back", "from": 0, "to": 2, "direction": "reverse"}]}}"#;

const COLORS: [[u8; 4]; 4] = [[255, 0, 0, 255], [0, 255, 0, 255], [0, 0, 255, 255], [255, 255, 255, 255]];

/// Returns a page of four squares.
fn page() -> Vec<u8> {
    let color = |index: u32| COLORS[(index % 8 / 4 + 2 * (index / 8 / 4)) as usize];
    let pixels: Vec<u8> = (0..64).flat_map(color).collect();
    encode_png(8, 8, &pixels).expect("a picture")
}

/// Opens a window on the first of `files`.
fn open(size: [f32; 2], files: &[(&str, &[u8])]) -> TestWindow {
    TestWindow::of(size, files, |options| options.subject.files.truncate(1))
}

fn sheet() -> TestWindow {
    open([1100.0, 800.0], &[("s.json", SHEET.as_bytes()), ("s.png", &page())])
}

/// Opens two pages with two frames each, as two files that refer to each other.
fn two_pages() -> TestWindow {
    let text = |page: usize| {
        let frame = |index: usize| {
            let (name, x) = (2 * page + index, 4 * index);
            format!(r#"{{"filename": "{name}", "frame": {{"x": {x}, "y": {}, "w": 4, "h": 4}}}}"#, 4 * page)
        };
        let (name, other) = (["s.png", "t.png"][page], ["t.json", "s.json"][page]);
        let more = if page == 0 { r#", "frameTags": [{"name": "all", "from": 0, "to": 3}]"# } else { "" };
        let frames = [frame(0), frame(1)].join(", ");
        format!(
            r#"{{"frames": [{frames}], "meta": {{"image": "{name}", "related_multi_packs": ["{other}"]{more}}}}}"#
        )
    };
    let (first, second, page) = (text(0), text(1), page());
    let files: [(&str, &[u8]); 4] =
        [("s.json", first.as_bytes()), ("t.json", second.as_bytes()), ("s.png", &page), ("t.png", &page)];
    open([1100.0, 800.0], &files)
}

impl TestWindow {
    /// Returns the rectangle of the page: it fills the panel's width or height and is enlarged by a whole factor.
    fn page_rect(&self, name: &str) -> Rect {
        let room = self.harness.get_by_role_and_label(Role::Image, name).rect();
        let scale = (room.width() / 8.0).min(room.height() / 8.0).floor();
        let left = (room.center().x - 4.0 * scale).round();
        Rect::from_min_size(Pos2::new(left, room.top().round()), vec2(8.0, 8.0) * scale)
    }

    fn point(&self, name: &str, x: f32, y: f32) -> Pos2 {
        let rect = self.page_rect(name);
        rect.min + vec2(x, y) * (rect.width() / 8.0)
    }

    fn click_page(&mut self, name: &str, x: f32, y: f32) {
        let pos = self.point(name, x, y);
        self.harness.drag_at(pos);
        // Press and release at once: a button held for long does not count as a click.
        self.harness.run_steps(1);
        self.harness.drop_at(pos);
        self.harness.run();
    }

    fn shown_frame(&self) -> (usize, u32) {
        let playback = self.harness.state().state.playback.animator.playback(0);
        (playback.animation().expect("an animation").index(), playback.frame())
    }

    fn is_there(&self, name: &str) -> bool {
        self.harness.query_by_role_and_label(Role::Image, name).is_some()
    }

    /// Returns the number of egui's page textures, and the number uploaded in the last frame.
    fn textures(&self) -> (usize, usize) {
        let manager = self.harness.ctx.tex_manager();
        let manager = manager.read();
        let is_page =
            |id: &egui::TextureId| manager.meta(*id).is_some_and(|meta| meta.name.starts_with("sheet page"));
        let changes = &self.harness.output().textures_delta;
        let held = manager.allocated().filter(|(id, _)| is_page(id)).count();
        (held, changes.set.iter().filter(|(id, _)| is_page(id)).count())
    }
}

const PAGE: &str = "Sheet, page 1 of 1";

#[test]
fn the_current_frame_is_named_and_highlighted() {
    let mut it = sheet();
    assert!(it.says("1 of 4: 4 × 4 px at 0, 0"));
    it.save("sheet-first");
    let around = |it: &mut TestWindow, x: f32, y: f32| {
        let pos = it.point(PAGE, x, y);
        let picture = it.harness.render().expect("it renders");
        *picture.get_pixel(pos.x as u32, pos.y as u32)
    };
    // Nearest sampling: the colour extends up to the edge of its frame, and the page is shown as it is.
    for (x, y, color) in [(0.3, 0.3, 0), (3.8, 3.6, 0), (4.3, 0.3, 1), (0.3, 4.3, 2), (7.8, 7.8, 3)] {
        assert_eq!(around(&mut it, x, y).0, COLORS[color], "at {x},{y}");
    }
    // The marker follows the current frame; to the left of green is either red or the marker.
    let beside_green = |it: &mut TestWindow| {
        let rect = it.page_rect(PAGE);
        let middle = rect.min + vec2(0.5, 0.25) * rect.size();
        let picture = it.harness.render().expect("it renders");
        *picture.get_pixel(middle.x as u32 - 1, middle.y as u32)
    };
    it.harness.state_mut().state.playback.animator.seek(1.0);
    it.harness.run();
    assert!(it.says("2 of 4: 4 × 4 px at 4, 0"));
    it.save("sheet-second");
    let [_, _, blue, _] = beside_green(&mut it).0;
    assert!(blue > 150, "the marker is beside green, in the accent colour");
    it.harness.state_mut().state.playback.animator.seek(0.0);
    it.harness.run();
    assert_eq!(beside_green(&mut it).0, COLORS[0], "the marker has moved");
}

#[test]
fn a_click_goes_to_a_frame() {
    let mut it = sheet();
    it.harness.state_mut().state.playback.animator.set_playing(true);
    it.click_page(PAGE, 6.0, 2.0);
    assert_eq!(it.shown_frame(), (0, 1), "in the current animation");
    assert!(!it.harness.state().state.playback.animator.is_playing());
    // Only the other animation shows blue, as its first frame.
    it.click_page(PAGE, 2.0, 6.0);
    assert_eq!(it.shown_frame(), (1, 0));
    it.click_page(PAGE, 1.0, 1.0);
    assert_eq!(it.shown_frame(), (1, 2), "its last frame is red");
    it.click_page(PAGE, 6.0, 6.0);
    assert_eq!(it.shown_frame(), (1, 2));
    assert!(it.says("No animation shows this frame"));
    // Outside of the page there is no frame.
    it.click_page(PAGE, 1.0, 9.0);
    assert_eq!(it.shown_frame(), (1, 2));
}

#[test]
fn a_page_becomes_a_texture_once() {
    let mut it = sheet();
    assert_eq!(it.textures().0, 1);
    it.harness.state_mut().state.playback.animator.set_playing(true);
    let mut seen = std::collections::BTreeSet::new();
    for _ in 0..30 {
        it.harness.state_mut().advance(0.017);
        it.harness.run_steps(1);
        seen.insert(it.shown_frame().1);
        assert_eq!(it.textures(), (1, 0), "nothing is uploaded during playback");
    }
    assert_eq!(seen.len(), 2, "it played");
    // Textures are released while the panel is hidden.
    it.key(Key::A);
    it.harness.state_mut().state.playback.animator.set_playing(false);
    it.harness.run();
    assert_eq!(it.textures().0, 0);
}

#[test]
fn arrow_keys_go_from_frame_to_frame_of_a_page_with_the_focus() {
    let mut it = sheet();
    it.harness.get_by_role_and_label(Role::Image, PAGE).focus();
    it.harness.run();
    let mut shown = vec![it.shown_frame()];
    for key in [Key::ArrowRight, Key::ArrowDown, Key::ArrowRight, Key::ArrowLeft, Key::ArrowUp, Key::ArrowLeft] {
        it.key(key);
        shown.push(it.shown_frame());
    }
    // No animation has the white frame; `there` has red and green, `back` has blue, green and red.
    assert_eq!(shown, [(0, 0), (0, 1), (1, 0), (1, 0), (1, 1), (1, 2), (1, 2)]);
}

#[test]
fn the_panel_is_shown_and_hidden() {
    let mut it = sheet();
    assert!(it.is_there(PAGE));
    it.key(Key::A);
    assert!(!it.is_there(PAGE));
    it.key(Key::A);
    assert!(it.is_there(PAGE));
    it.harness.get_by_label("Hide the sheet").click();
    it.harness.run();
    assert!(!it.is_there(PAGE));
    it.key(Key::A);
    it.key(Key::H);
    assert!(!it.is_there(PAGE), "hidden with the other panels");
    let narrow = open([700.0, 600.0], &[("s.json", SHEET.as_bytes()), ("s.png", &page())]);
    assert!(!narrow.is_there(PAGE), "the window is too narrow");
    let knight = fs::read(crate::common::root().join("assets/paper-knight.pchr")).unwrap();
    let mut knight = open([1100.0, 800.0], &[("knight.pchr", &knight)]);
    assert!(!knight.says("Sheet, page"));
    knight.key(Key::A);
    assert!(knight.says("Only sprite sheets have pages to show"));
    // Without its picture the sheet has no page.
    assert!(!open([1100.0, 800.0], &[("s.json", SHEET.as_bytes())]).says("Sheet, page"));
}

#[test]
fn the_page_follows_the_frame_and_the_user() {
    const PAGES: [&str; 2] = ["Sheet, page 1 of 2", "Sheet, page 2 of 2"];
    let mut it = two_pages();
    assert!(it.is_there(PAGES[0]));
    it.save("sheet-two");
    it.harness.state_mut().state.playback.animator.seek(2.0);
    it.harness.run();
    assert!(it.is_there(PAGES[1]), "the page follows the frame");
    it.harness.get_by_role_and_label(Role::ComboBox, "Page").click();
    it.harness.run();
    it.harness.get_by_label("1 of 2: s.png").click();
    it.harness.run();
    assert!(it.is_there(PAGES[0]), "the user has chosen another page");
    it.harness.state_mut().state.playback.animator.seek(3.0);
    it.harness.run();
    assert!(it.is_there(PAGES[0]), "it stays as long as the frames stay on their page");
    assert_eq!(it.textures().0, 2, "both textures are kept");
    it.click_page(PAGES[0], 6.0, 2.0);
    assert_eq!(it.shown_frame(), (0, 1));
    it.harness.state_mut().state.playback.animator.seek(3.0);
    it.harness.run();
    assert!(it.is_there(PAGES[1]));
    it.click_page(PAGES[1], 2.0, 6.0);
    assert_eq!(it.shown_frame(), (0, 2));
}
