//! The animation to show first.

use super::{Cue, Evaluator, PoseWork, Position, initial_skins};
use crate::character::Character;
use crate::model::{AnimationId, SkinId};
use crate::pose::Pose;

/// Maximum number of animations that are tried.
const MOST: usize = 32;

/// Number of later frames that are compared with the first.
const LOOKS: u32 = 4;

/// Returns the animation to show if the user has not chosen any: the one that the file states; else the first called `idle`, in any case and in any folder of
/// names; else the first in which anything moves; else
/// [`Model::default_animation`](crate::model::Model::default_animation).
///
/// Looks for motion in a few frames of up to 32 animations, as long as the [`work`](crate::limits::Limits::work) allows.
pub fn first_animation(character: &Character, work: u64) -> Option<AnimationId> {
    let skins = initial_skins(character);
    let (pose_work, mut left) = (PoseWork::new(character, &skins), work);
    let model = character.model();
    let is_idle = |id: &AnimationId| {
        let name = &model.animation(*id).name;
        name.rsplit('/').next().is_some_and(|name| name.eq_ignore_ascii_case("idle"))
    };
    let affordable = |id: &AnimationId| {
        let needed = pose_work.of(character, Some(*id)).saturating_mul(u64::from(LOOKS) + 1);
        left.checked_sub(needed).map(|rest| left = rest).is_some()
    };
    let moving = || model.motions().take(MOST).take_while(affordable).find(|id| moves(character, *id, &skins));
    model
        .stated_first_animation()
        .or_else(|| model.motions().find(is_idle))
        .or_else(moving)
        .or_else(|| model.default_animation())
}

/// Returns true if any of a few frames differs from the first.
fn moves(character: &Character, animation: AnimationId, skins: &[SkinId]) -> bool {
    let count = character.model().animation(animation).frame_count();
    let mut evaluator = Evaluator::default();
    let mut at = |frame: u32| {
        let mut pose = Pose::for_model(character.model());
        let (animation, position) = (Some(animation), Position::frame(frame));
        let cue = Cue { animation, position, skins: skins.to_vec(), ..Cue::default() };
        evaluator.evaluate(character, &cue, &mut pose);
        pose
    };
    let first = at(0);
    (1..=LOOKS).map(|look| (u64::from(count) * u64::from(look) / u64::from(LOOKS + 1)) as u32).any(|frame| {
        let later = at(frame);
        later.world_from_bone != first.world_from_bone
            || later.slots != first.slots
            || later.deform != first.deform
            || later.draw_order != first.draw_order
    })
}
