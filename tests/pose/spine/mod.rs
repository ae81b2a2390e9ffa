//! Spine behaviour that no golden covers, and files that are rejected.

mod constraints;
mod playing;
mod reading;
mod versions;

use std::path::PathBuf;

use crate::common::ours;
use crate::common::random::Random;
use crate::common::spine_golden::read_spine;
use pchr::Character;
use pchr::diagnostics::Diagnostics;
use pchr::formats::{Input, NO_SIDECARS, ReadOptions};
use pchr::model::{AnimationId, SkinId};
use pchr::motion::{Cue, Direction, Fade, Layer, Mix, Position, evaluate};
use pchr::pose::Pose;

pub fn folder() -> PathBuf {
    ours("spine/own")
}

pub fn fixture(name: &str) -> Character {
    read_spine(&folder().join(name).join(format!("{name}.json")), &mut Diagnostics::default())
}

/// Returns cues of random animations and skins at random times, some with a second animation.
pub fn cues(character: &Character, random: &mut Random, count: usize) -> Vec<Cue> {
    let model = character.model();
    let animations: Vec<AnimationId> = model.animation_ids().collect();
    let skins: Vec<SkinId> = model.skins().iter().filter_map(|skin| model.find_skin(&skin.name)).collect();
    let mut cue = || {
        let animation = animations[random.below(animations.len())];
        let seconds = f64::from(random.between(-0.5, 3.0)) * model.animation(animation).duration_secs();
        let layer = Layer {
            animation: Some(animations[random.below(animations.len())]),
            position: Position::Seconds(f64::from(random.between(0.0, 3.0))),
            hold: random.below(2) == 0,
            alpha: random.between(0.0, 1.0).into(),
            mix: [Mix::Setup, Mix::First, Mix::Replace, Mix::Add][random.below(4)],
            direction: [Direction::In, Direction::Out][random.below(2)],
            track: 0,
            fade: Fade::default(),
        };
        Cue {
            animation: (random.below(8) > 0).then_some(animation),
            position: Position::Seconds(seconds),
            hold: random.below(2) == 0,
            skins: skins.iter().copied().filter(|_| random.below(2) == 0).collect(),
            layers: if random.below(2) == 0 { vec![layer] } else { Vec::new() },
            ..Cue::default()
        }
    };
    (0..count).map(|_| cue()).collect()
}

pub fn pose_at(character: &Character, animation: &str, position: Position, hold: bool) -> Pose {
    let animation = character.model().find_animation(animation);
    assert!(animation.is_some());
    let mut pose = Pose::default();
    evaluate(character, &Cue { animation, position, hold, ..Cue::default() }, &mut pose);
    pose
}

pub fn read(json: &str) -> Result<(Character, Diagnostics), pchr::Error> {
    let mut diagnostics = Diagnostics::default();
    let input = Input { bytes: json.as_bytes().to_vec().into(), sidecars: NO_SIDECARS };
    pchr::formats::spine::read_character(&input, &ReadOptions::default(), &mut diagnostics)
        .map(|read| (read, diagnostics))
}

/// Returns a skeleton with two bones, a slot, and `parts`.
pub fn with(parts: &str) -> String {
    let bones = r#"[{"name":"root"},{"name":"arm","parent":"root","length":10}]"#;
    format!(
        r#"{{"skeleton":{{"spine":"3.8.99"}},"bones":{bones},"slots":[{{"name":"s","bone":"arm","attachment":"a"}}]{parts}}}"#
    )
}

/// Returns a skeleton with one attachment in the default skin.
pub fn with_attachment(attachment: &str) -> String {
    with(&format!(r#","skins":[{{"name":"default","attachments":{{"s":{{"a":{attachment}}}}}}}]"#))
}
