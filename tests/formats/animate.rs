//! What Adobe Animate's texture atlases show.

use crate::quirks::animate::{fixtures, masked};
use pchr::formats::Files;
use pchr::motion::{Cue, Position, evaluate};
use pchr::pose::Pose;

/// Returns the names of the sprites that each frame of the animations shows.
fn shown(animation: String) -> Vec<(String, Vec<Vec<String>>)> {
    let fixture = fixtures().into_iter().find(|fixture| fixture.path().ends_with("plain/Animation.json"));
    let mut files = Files::new(fixture.expect("an atlas").files);
    files.insert("Animation.json", animation.into_bytes());
    let character = files.open("Animation.json").expect("it opens");
    let model = character.model();
    let frame = |name: &str, frame: u32| {
        let id = model.find_animation(name).expect("the animation");
        let seconds = model.animations()[id.index()].seconds_at(f64::from(frame) + 0.5);
        let cue = Cue { animation: Some(id), position: Position::Seconds(seconds), ..Cue::default() };
        let mut pose = Pose::default();
        evaluate(&character, &cue, &mut pose);
        let shown = pose.draw_order.iter().filter_map(|id| pose.slots[id.index()].attachment);
        shown.map(|shown| model.attachment(shown).name().to_owned()).collect::<Vec<_>>()
    };
    let frames = |name: &str, count: u32| (0..count).map(|at| frame(name, at)).collect();
    model.animations().iter().map(|it| (it.name.clone(), frames(&it.name, it.frame_count()))).collect()
}

#[test]
fn a_symbol_that_only_a_mask_shows_is_an_animation_of_its_own() {
    let expected = [("main", [&["mask", "0000"][..]].to_vec()), ("arm", [&["0000"][..], &["0001"]].to_vec())];
    let found = shown(masked());
    assert_eq!(found.len(), expected.len());
    for ((name, frames), (expected_name, expected)) in found.iter().zip(&expected) {
        assert_eq!((&**name, frames.len()), (*expected_name, expected.len()));
        assert!(frames.iter().zip(expected).all(|(found, expected)| found == expected), "{name}: {frames:?}");
    }
}
