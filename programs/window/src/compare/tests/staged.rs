//! Size, direction, order and tint of the characters on a stage: drawn, changed and saved.

use egui::{Key, Rect};

use super::{Square, TestWindow};
use crate::scene::background::Background;
use pchr::export::StagedCharacter;
use pchr::math::{Vec2, vec2};

const SIZE: [f32; 2] = [1000.0, 600.0];
const BEHIND: [u8; 3] = [90, 90, 90];
const RED: [u8; 3] = [200, 80, 40];
const GREEN: [u8; 3] = [40, 160, 80];

/// Opens a red, a green and a blue square on one stage; each is beside its origin.
fn stage() -> TestWindow {
    let bytes = |color| Square { color, step: 30.0, ..Square::default() }.bytes();
    let files = [("a.pchr", bytes(RED)), ("b.pchr", bytes(GREEN)), ("c.pchr", bytes([40, 80, 200]))];
    let mut it = TestWindow::of(SIZE, &files.each_ref().map(|(name, bytes)| (*name, &bytes[..])), |_| {});
    it.state_mut().overlays.background = Background::Color(BEHIND);
    it.state_mut().playback.animator.seek(2.0);
    it.key(Key::J);
    it
}

/// Changes what is stated of the characters and where they are.
fn restage(it: &mut TestWindow, changes: [(Vec2, StagedCharacter); 3]) {
    let specs = it.state_mut().staged().expect("a stage").specs;
    let changed = specs.into_iter().zip(changes).map(|(spec, (position, changed))| StagedCharacter {
        file: spec.file,
        animation: spec.animation,
        position: Some(position),
        ..changed
    });
    let changed: Vec<_> = changed.collect();
    it.state_mut().stage(&changed);
    it.harness.run();
}

fn overlapping() -> [(Vec2, StagedCharacter); 3] {
    let plain = StagedCharacter::default;
    [
        (vec2(0.0, 0.0), StagedCharacter { scale: 1.5, flip_x: true, order: 1, ..plain() }),
        (vec2(-60.0, 50.0), StagedCharacter { scale: 0.5, tint: [255, 128, 255, 160], order: 2, ..plain() }),
        (vec2(20.0, -30.0), StagedCharacter { scale: 2.0, flip_y: true, ..plain() }),
    ]
}

/// Returns the share of the pixels of the canvas that differ by more than rounding from the picture that is saved.
fn difference(it: &mut TestWindow) -> f32 {
    let painting = it.painted();
    let saved = it.state_mut().screenshot().expect("a picture");
    let [left, top] = it.state().canvas.corner.map(|side| side as usize);
    let width = saved.width() as usize;
    let is_other = |(index, pixel): &(usize, &[u8])| {
        let shown = painting.at(left + index % width, top + index / width);
        shown.iter().zip(*pixel).any(|(a, b)| a.abs_diff(*b) > 4)
    };
    let count = saved.pixels().chunks(4).enumerate().filter(is_other).count();
    count as f32 / (width * saved.height() as usize) as f32
}

#[test]
fn the_canvas_shows_what_is_saved() {
    let mut it = stage();
    assert!(difference(&mut it) < 0.002, "{}", difference(&mut it));
    let plain = it.painted();
    restage(&mut it, overlapping());
    assert!(it.painted().middle_of(GREEN, Rect::EVERYTHING).is_none(), "it is tinted");
    assert!(plain.middle_of(GREEN, Rect::EVERYTHING).is_some());
    for shown in 0..3 {
        it.state_mut().select(shown);
        it.harness.run();
        assert!(difference(&mut it) < 0.002, "{shown}: {}", difference(&mut it));
    }
    // The view is fitted to what is drawn.
    let area = it.state_mut().content().expect("a character");
    let view = it.state_mut().view().expect("a view").world();
    assert_eq!(view.union(area), view);
}

#[test]
fn clicks_hit_what_is_drawn() {
    let mut it = stage();
    restage(&mut it, overlapping());
    let click = |it: &mut TestWindow, at: Vec2| {
        let view = it.state_mut().view().expect("a view");
        let corner = it.canvas().min;
        let origin = it.state().lineup.place(&it.path("a.pchr"));
        let pixel = view.pixel_from_world(at - origin);
        it.click_at(corner + egui::vec2(pixel.x, pixel.y));
    };
    // The red one is mirrored: in its frame it stands left of its origin, from x = -165 to -15.
    click(&mut it, vec2(-150.0, -60.0));
    assert!(it.state().parts.selected.is_some());
    it.key(Key::Escape);
    click(&mut it, vec2(30.0, 60.0));
    assert!(it.state().parts.selected.is_none());
}
