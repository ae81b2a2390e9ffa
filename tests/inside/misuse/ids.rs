//! Ids of another model, and arbitrary track numbers.

use pchr::Animator;
use pchr::model::{AnimationId, SkinId};
use pchr::motion::{
    BoneOverride, Cue, Direction, Dynamics, Evaluator, Fade, Layer, Mix, Position, Span, evaluate, for_each_event,
};
use pchr::player::EventKind;
use pchr::pose::Pose;

use super::{foreign, of_every_motion, panics, small};
use crate::common::memory::peak;

#[test]
fn missing_parts_of_a_model_are_reported() {
    let (character, ids) = (small(), foreign());
    let model = character.model();
    panics("animation 39 does not exist, the model has 2", || model.animation(ids.animation));
    panics("attachment 39 does not exist, the model has 1", || model.attachment(ids.attachment));
    panics("slot 39 does not exist, the model has 1", || model.slot(ids.slot));
    panics("skin 39 does not exist, the model has 0", || model.skin(ids.skin));
    panics("event 39 does not exist, the model has 0", || model.event(ids.event));
    assert!(model.skeleton().bones().get(ids.bone.index()).is_none());
}

/// Cues that refer to an animation of another character, in each possible place.
fn foreign_cues(own: Option<AnimationId>) -> Vec<Cue> {
    let animation = foreign().animation;
    let mut cues = vec![
        Cue { animation: Some(animation), ..Cue::default() },
        Cue { layers: vec![Layer::new(animation, Position::frame(0))], ..Cue::default() },
    ];
    if let Some(own) = own {
        let layer = Layer { mix: Mix::Fade, ..Layer::new(own, Position::frame(0)) };
        let fade = Fade { share: 0.5, ..Fade::default() };
        let over = Layer { mix: Mix::Fade, fade, ..Layer::new(animation, Position::frame(0)) };
        let under = Layer { mix: Mix::Fade, ..Layer::new(animation, Position::frame(0)) };
        cues.push(Cue { layers: vec![layer, over], ..Cue::default() });
        cues.push(Cue { animation: Some(own), layers: vec![under], ..Cue::default() });
    }
    cues
}

#[test]
fn a_cue_with_an_animation_of_another_character_panics_with_every_motion() {
    const MESSAGE: &str = "animation 39 does not exist";
    for (name, character) in of_every_motion() {
        for cue in foreign_cues(character.model().default_animation()) {
            let mut pose = Pose::default();
            panics(MESSAGE, || evaluate(&character, &cue, &mut pose));
            let mut dynamics = Dynamics::default();
            dynamics.set_smoothing(3.0);
            panics(MESSAGE, || dynamics.step(&character, &cue, &mut pose));
            panics(MESSAGE, || dynamics.hold(&character, &cue, &mut pose));
            panics(MESSAGE, || dynamics.settle(&character, &cue, &mut pose));
            panics(MESSAGE, || dynamics.replay(&character, &cue, &mut pose));
            let mut evaluators = [Evaluator::default(), Evaluator::with_dynamics(Some(dynamics))];
            for evaluator in &mut evaluators {
                panics(MESSAGE, || evaluator.evaluate(&character, &cue, &mut pose));
            }
            // Nothing is left of the failed evaluation.
            evaluators[0].evaluate(&character, &Cue::default(), &mut pose);
            let mut fresh = Pose::default();
            evaluate(&character, &Cue::default(), &mut fresh);
            assert_eq!(pose, fresh, "{name}");
        }
        let span = Span { from: -1.0, to: 1.0, looping: false };
        panics(MESSAGE, || for_each_event(&character, foreign().animation, span, |_| {}));
    }
}

#[test]
fn an_animator_reports_missing_animations() {
    let (mut animator, animation) = (Animator::new(small()), foreign().animation);
    for error in [animator.play(animation).err(), animator.queue_on(3, animation, 0.0).err()] {
        let message = error.expect("it does not exist").to_string();
        assert!(message.starts_with("the character has no animation `#39`"), "{message}");
    }
    panics("animation 39 does not exist", || animator.show(Some(animation)));
}

#[test]
fn track_numbers_are_arbitrary_and_sparse() {
    let mut animator = Animator::new(small());
    let [bind, wave] = [0, 1].map(|at| animator.model().animation_ids().nth(at).unwrap());
    let numbers = [usize::MAX, 7, 1 << 40, usize::MAX - 1, u32::MAX as usize, 0];
    animator.set_fade_secs(0.25);
    let ((), taken) = peak(|| {
        for number in numbers {
            animator.play_on(number, wave).expect("an animation");
            animator.queue_on(number, bind, 0.5).expect("an animation");
        }
        animator.fade_out(usize::MAX - 2, 1.0);
    });
    assert!(taken < 1 << 16, "{taken} bytes");
    let events = animator.update(0.1);
    let begun: Vec<usize> =
        events.filter(|event| event.kind == EventKind::Start).map(|event| event.track).collect();
    assert!(
        begun.iter().copied().eq(numbers.into_iter().chain([usize::MAX - 2])),
        "{begun:?}: the numbers of their tracks"
    );
    let layers = |animator: &Animator| animator.cue().layers.iter().map(|layer| layer.track).collect::<Vec<_>>();
    // Layers are numbered in track order, from below.
    assert_eq!(layers(&animator), [0, 2, 3, 4, 5, 6, 7]);
    for number in [usize::MAX, usize::MAX - 1, 1 << 40] {
        animator.fade_out(number, 0.0);
    }
    for _ in 0..20 {
        animator.update(0.1);
    }
    assert!(layers(&animator).len() >= 3);
    // Numbers that fit are kept.
    animator.stop();
    for number in [9, u32::MAX as usize, 2] {
        animator.play_on(number, wave).expect("an animation");
    }
    animator.refresh();
    assert_eq!(layers(&animator), [2, 9, u32::MAX]);
}

#[test]
fn skins_and_bones_of_another_character_are_ignored() {
    let ids = foreign();
    let skins: Vec<SkinId> = vec![ids.skin; 3];
    for (name, character) in of_every_motion() {
        if character.model().skeleton().bones().len() > ids.bone.index() {
            continue;
        }
        let animation = character.model().default_animation();
        let plain = Cue { animation, position: Position::Seconds(0.1), ..Cue::default() };
        let overrides = vec![BoneOverride::at(ids.bone, pchr::math::vec2(5.0, 5.0))];
        let odd = Cue { skins: skins.clone(), bones: overrides, ..plain.clone() };
        let (mut expected, mut found) = (Pose::default(), Pose::default());
        evaluate(&character, &plain, &mut expected);
        evaluate(&character, &odd, &mut found);
        assert_eq!(found, expected, "{name}");
    }
}

#[test]
fn layers_of_any_track_and_direction_are_evaluated() {
    for (_, character) in of_every_motion() {
        let Some(own) = character.model().default_animation() else { continue };
        for mix in [Mix::Setup, Mix::First, Mix::Replace, Mix::Add, Mix::Fade] {
            for direction in [Direction::In, Direction::Out] {
                let layer = Layer { mix, direction, ..Layer::new(own, Position::Seconds(0.2)) };
                // Not in track order.
                let layers = [u32::MAX, 0, 5, 0].map(|track| Layer { track, ..layer }).to_vec();
                evaluate(&character, &Cue { layers, ..Cue::default() }, &mut Pose::default());
            }
        }
    }
}
