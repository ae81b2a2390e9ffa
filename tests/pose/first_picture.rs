//! The animation and the frame of a first picture.

use pchr::Character;
use pchr::limits::Limits;
use pchr::motion::{Overview, first_animation};

/// A square of 40 × 40 and a dot of 4 × 4 in slots of the same names, with `animations`.
fn character(animations: &str) -> Character {
    let json = format!(
        r#"{{"skeleton": {{"spine": "4.2.40", "fps": 10}}, "bones": [{{"name": "root"}}],
        "slots": [{{"name": "square", "bone": "root", "attachment": "square"}}, {{"name": "dot", "bone": "root", "attachment": "dot"}}],
        "skins": [{{"name": "default", "attachments": {{"square": {{"square": {{"width": 40, "height": 40}}}},
            "dot": {{"dot": {{"width": 4, "height": 4}}}}}}}}],
        "animations": {{{animations}}}}}"#
    );
    Character::from_bytes(json.into_bytes()).expect("a skeleton")
}

const HIDES: &str = r#"{"slots": {"square": {"attachment": [{"name": null}]}}}"#;
const TURNS: &str = r#"{"bones": {"root": {"rotate": [{}, {"time": 1, "value": 90}]}}}"#;

#[track_caller]
fn expect_animation(animations: &[(&str, &str)], expected: &str) {
    let entries: Vec<String> =
        animations.iter().map(|(name, content)| format!(r#""{name}": {content}"#)).collect();
    let character = character(&entries.join(","));
    let first = first_animation(&character, Limits::default().first_picture_work()).expect("an animation");
    assert_eq!(character.model().animation(first).name, expected);
}

#[test]
fn the_first_animation_is_idle_or_moves() {
    expect_animation(&[("hide", HIDES), ("turn", TURNS), ("hero/Idle", HIDES)], "hero/Idle");
    expect_animation(&[("hide", HIDES), ("idle-2", HIDES), ("turn", TURNS)], "turn");
    expect_animation(&[("hide", HIDES), ("show", "{}")], "hide");
    assert_eq!(first_animation(&character(""), u64::MAX), None);
    let still = character(&format!(r#""hide": {HIDES}, "turn": {TURNS}"#));
    let first = first_animation(&still, 0).map(|id| &*still.model().animation(id).name);
    assert_eq!(first, Some("hide"), "without work, nothing is known about motion");
}

#[test]
fn parts_of_the_skin_that_is_worn_count_as_motion() {
    let character = Character::from_bytes(
        br#"{"skeleton": {"spine": "4.2.40"}, "bones": [{"name": "root"}], "slots": [{"name": "s", "bone": "root"}],
        "skins": [{"name": "default"},
            {"name": "cat", "attachments": {"s": {"a": {"width": 4, "height": 4}, "b": {"width": 4, "height": 4}}}}],
        "animations": {"still": {}, "flip": {"slots": {"s": {"attachment": [{"name": "a"}, {"time": 0.5, "name": "b"},
            {"time": 1}]}}}, "turn": {"bones": {"root": {"rotate": [{}, {"time": 1, "value": 90}]}}}}}"#
            .to_vec(),
    )
    .expect("a skeleton");
    let first = first_animation(&character, Limits::default().first_picture_work()).expect("an animation");
    assert_eq!(character.model().animation(first).name, "flip");
}

/// Returns the frame of a still of an animation at 10 frames per second.
#[track_caller]
fn frame(animation: &str) -> u32 {
    let character = character(&format!(r#""a": {animation}"#));
    let id = character.model().default_animation();
    let overview = Overview::of(&character, &[None, id], &[], false, 1 << 28);
    assert_eq!(overview.first_frame(None), 0, "the rest pose");
    overview.first_frame(id)
}

#[test]
fn a_still_shows_a_tenth_of_the_largest_visible_area() {
    assert_eq!(frame(TURNS), 0);
    // A tenth of the area is 0.316 of the scale, which is 0.901 in the last frame.
    assert_eq!(frame(r#"{"bones": {"root": {"scale": [{"x": 0.01, "y": 0.01}, {"time": 1}]}}}"#), 3);
    assert_eq!(frame(r#"{"bones": {"root": {"scale": [{}, {"time": 1, "x": 0.01, "y": 0.01}]}}}"#), 0);
    // The dot alone is a hundredth.
    let appears =
        r#"{"slots": {"square": {"attachment": [{"name": null}, {"time": 0.5, "name": "square"}, {"time": 1}]}}}"#;
    assert_eq!(frame(appears), 5);
    // Alpha counts.
    let fades = r#"{"slots": {"square": {"rgba": [{"color": "ffffff00"}, {"time": 1, "color": "ffffffff"}]}}}"#;
    assert_eq!(frame(fades), 1);
    let gone = r#"{"bones": {"root": {"scale": [{"x": 0, "y": 0}, {"time": 1, "x": 0, "y": 0}]}}}"#;
    assert_eq!(frame(gone), 0);
}

#[test]
fn an_overview_without_work_has_the_first_frame() {
    let character = character(&format!(r#""a": {TURNS}, "b": {TURNS}"#));
    let animations: Vec<_> = character.model().animation_ids().map(Some).collect();
    for work in [0, 1] {
        let overview = Overview::of(&character, &animations, &[], true, work);
        assert_eq!(overview.extent().seen().size().x, 40.0);
        assert_eq!(animations.iter().map(|id| overview.first_frame(*id)).sum::<u32>(), 0);
    }
}
