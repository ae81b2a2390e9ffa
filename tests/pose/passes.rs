//! Events of long updates: the same ones, in the same order, as those of many short updates.

use std::ops::RangeInclusive;

use pchr::Animator;
use pchr::Character;
use pchr::player::{EventKind, LoopMode};

/// Times that binary fractions represent exactly.
const STEP: f64 = 1.0 / 64.0;

/// A second with events at both ends, in the middle, and two at once.
const CHARACTER: &str = r#"{
    "skeleton": {"spine": "4.2.43", "fps": 16},
    "bones": [{"name": "root"}],
    "events": {"a": {}, "b": {}, "c": {}, "d": {}, "e": {}, "f": {}, "g": {}},
    "animations": {"go": {
        "bones": {"root": {"translate": [{}, {"time": 1, "x": 10}]}},
        "events": [
            {"name": "a"}, {"time": 0.1875, "name": "b"}, {"time": 0.5, "name": "c"}, {"time": 0.5, "name": "d"},
            {"time": 0.625, "name": "e"}, {"time": 0.75, "name": "f"}, {"time": 1, "name": "g"}
        ]
    }}
}"#;

fn animator(character: &Character, mode: LoopMode, range: Option<RangeInclusive<u32>>) -> Animator {
    let mut animator = Animator::new(character.clone());
    let start = range.as_ref().map_or(0, |range| *range.start());
    animator.play("go").expect("the animation").set_loop_mode(mode).set_range(range).seek(start.into());
    animator
}

/// Lets `steps` steps pass in one update. Returns the names of the events.
fn fired(animator: &mut Animator, steps: u32) -> Vec<String> {
    let events = animator.update(f64::from(steps) * STEP);
    let names = events.filter_map(|event| match event.kind {
        EventKind::Fired(fired) => Some(fired.name.to_owned()),
        _ => None,
    });
    names.collect()
}

/// Returns the events of single steps, each once.
fn fired_in_steps(animator: &mut Animator, steps: u32) -> Vec<String> {
    let mut found = Vec::new();
    for name in (0..steps).flat_map(|_| fired(animator, 1)) {
        if !found.contains(&name) {
            found.push(name);
        }
    }
    found
}

#[test]
fn a_long_update_fires_what_short_ones_fire_in_their_order() {
    let character = Character::from_bytes(CHARACTER.as_bytes().to_vec()).expect("a valid character");
    for mode in [LoopMode::Loop, LoopMode::Once, LoopMode::PingPong] {
        for range in [None, Some(3..=10), Some(8..=16), Some(0..=8)] {
            if mode == LoopMode::Loop && range.is_none() {
                // Spine decides which events a whole loop fires; this depends on the version.
                continue;
            }
            for long in [1, 3, 17, 40, 63, 64, 65, 90, 127, 128, 129, 150, 200, 300, 1000] {
                let [mut at_once, mut in_steps] = [(), ()].map(|()| animator(&character, mode, range.clone()));
                assert_eq!(fired(&mut at_once, 0), fired(&mut in_steps, 0));
                // From different places of the cycle.
                for steps in [5, long, 29, long, 50, long] {
                    let expected = fired_in_steps(&mut in_steps, steps);
                    assert_eq!(fired(&mut at_once, steps), expected, "{mode:?}, {range:?}, {steps} steps");
                }
            }
        }
    }
}

#[test]
fn ping_pong_fires_every_event_of_a_whole_cycle() {
    let character = Character::from_bytes(CHARACTER.as_bytes().to_vec()).expect("a valid character");
    let mut animator = animator(&character, LoopMode::PingPong, None);
    assert_eq!(fired(&mut animator, 36).concat(), "abcd");
    assert_eq!(fired(&mut animator, 128).concat(), "efgabcd", "a whole cycle");
    assert_eq!(fired(&mut animator, 64 + 128).concat(), "efgabcd", "two, up to the way back");
    // However long an update is, it ends.
    assert_eq!(animator.update(1e300).filter(|event| matches!(event.kind, EventKind::Fired(_))).count(), 7);
}
