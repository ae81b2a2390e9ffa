//! The ghosts of the onion skin on the canvas: with physics where the character has it.

use std::sync::Arc;

use crate::base::memo::Shared;
use crate::scene::{Poser, Scene};
use pchr::Character;
use pchr::draw::{Onion, Overlay, Overlays, Settings, View};
use pchr::math::vec2;
use pchr::motion::{Cue, Dynamics, Evaluator, Layer, Position};
use pchr::pose::{Pose, palette};

/// A tail that lags behind for a second, and for ten.
const TAIL: &str = r#"{
    "skeleton": {"spine": "4.2.43", "fps": 10},
    "bones": [{"name": "root"}, {"name": "tail", "parent": "root", "x": 10, "length": 30}],
    "physics": [{"name": "swing", "bone": "tail", "rotate": 1, "inertia": 0.5, "damping": 0.85, "strength": 60}],
    "animations": {
        "short": {"bones": {"root": {"translate": [{}, {"time": 0.5, "y": 90}, {"time": 1}]}}},
        "long": {"bones": {"root": {"translate": [{}, {"time": 0.5, "y": 90}, {"time": 10}]}}}
    }
}"#;

fn scene(animation: &str) -> Scene {
    let character = Arc::new(Character::from_bytes(TAIL.as_bytes().to_vec()).expect("a valid character"));
    let mut overlays = Overlays::from(Overlay::Onion);
    overlays.onion = Onion { before: 2, after: 2 };
    let animation = character.model().find_animation(animation);
    let cue = Cue { animation, position: Position::Seconds(0.45), hold: true, ..Cue::default() };
    let mut pose = Pose::default();
    Evaluator::with_dynamics(Some(Dynamics::default())).evaluate(&character, &cue, &mut pose);
    Scene {
        character: Shared::of(&character),
        cue,
        pose: Some(Arc::new(pose)),
        hidden: Arc::default(),
        placing: Default::default(),
        overlays,
        view: View::new(40, 40, vec2(-20.0, 20.0), 1.0),
        settings: Settings::default(),
        behind: None,
        work: u64::MAX,
        is_brief: false,
    }
}

/// Returns true if the ghosts of `scene` are posed with physics, false if they are posed without.
fn swings(poser: &mut Poser, scene: &Scene) -> bool {
    let model = scene.character.model();
    let list = poser.draw_list(scene);
    let expected = [true, false].map(|physics| {
        let posed = |steps: i32| {
            let (mut cue, mut pose, mut matrices) = (Cue::default(), Pose::default(), Vec::new());
            assert!(scene.cue.stepped(model, steps, &mut cue));
            let mut evaluator = Evaluator::with_dynamics(physics.then(Dynamics::default));
            evaluator.evaluate(&scene.character, &cue, &mut pose);
            palette(model, &pose, &mut matrices);
            matrices
        };
        scene.overlays.onion.steps().map(posed).collect::<Vec<_>>()
    });
    assert_ne!(expected[0], expected[1]);
    let found: Vec<_> = list.ghosts.lists().iter().map(|ghost| ghost.palette.clone()).collect();
    assert_eq!(found.len(), 4);
    assert!(expected.contains(&found));
    found == expected[0]
}

#[test]
fn ghosts_swing_as_in_files() {
    let mut poser = Poser::default();
    let mut scene = scene("short");
    assert!(swings(&mut poser, &scene));
    // Whatever was shown before: further on, and back.
    for secs in [0.5, 0.75, 0.3] {
        scene.cue.position = Position::Seconds(secs);
        assert!(swings(&mut poser, &scene), "{secs}");
    }
    // Physics is switched off.
    scene.pose = None;
    assert!(!swings(&mut poser, &scene));
}

#[test]
fn ghosts_that_would_take_too_long_do_not_swing() {
    let mut poser = Poser::default();
    assert!(!swings(&mut poser, &scene("long")), "four ghosts of ten seconds");
    // Mixed animations have no common first frame.
    let mut mixed = scene("short");
    let layer = mixed.cue.animation.map(|animation| Layer {
        hold: true,
        alpha: 0.5,
        ..Layer::new(animation, mixed.cue.position)
    });
    mixed.cue.layers.extend(layer);
    assert!(!swings(&mut poser, &mixed));
}
