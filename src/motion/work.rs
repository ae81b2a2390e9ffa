//! The cost of a pose, estimated before it is evaluated. `docs/limits.md` lists the units.

use super::{Cue, Motion};
use crate::character::Character;
use crate::model::{AnimationId, SkinId};

/// Units of work for a bone in a stored frame, counted from bones × frames.
const STORED_BONE: u64 = 16;
/// Units of work for a pose, counted from evaluated poses.
const POSE: u64 = 100;
/// Units of work for a layer or a node of a timeline, counted from all that a frame may show.
const NODE: u64 = 64;
/// Units of work for a slot, counted from slots.
const SLOT: u64 = 8;

/// The units of work that [`evaluate`](super::evaluate) takes for one pose; see
/// [`Limits::work`](crate::limits::Limits::work).
///
/// It is an upper bound, computed from the contents of the file.
#[derive(Debug, Clone, Copy)]
pub struct PoseWork {
    /// Work without any animation.
    rest: u64,
}

impl PoseWork {
    /// Computes the work for `character` in `skins`. The active bones and constraints are determined once.
    pub fn new(character: &Character, skins: &[SkinId]) -> Self {
        let model = character.model();
        let bones = match character.motion() {
            Motion::Sampled(_) => model.skeleton().bones().len() as u64 * STORED_BONE,
            Motion::Flipbook(_) => 0,
            Motion::Spine(spine) => spine.rest_work(model, skins),
            Motion::SkelForm(skelform) => skelform.rest_work(),
            Motion::Animate(animate) => animate.rest_work() * NODE,
            Motion::Stage(stage) => stage.rest_work(),
        };
        Self { rest: POSE + bones + model.slots().len() as u64 * SLOT }
    }

    /// Returns the work of the pose that `cue` describes, with all of its layers.
    pub fn of_cue(&self, character: &Character, cue: &Cue) -> u64 {
        let keys = cue.animations().map(|id| self.of(character, Some(id)) - self.rest);
        let of_cast = if let Motion::Stage(stage) = character.motion() { stage.keys_work(cue) } else { 0 };
        keys.fold(self.rest.saturating_add(of_cast), u64::saturating_add)
    }

    /// Returns the work of a pose in `animation`; `None` is the rest pose.
    pub fn of(&self, character: &Character, animation: Option<AnimationId>) -> u64 {
        let keys = animation.map_or(0, |id| match character.motion() {
            // Of a stage, they are those of its characters.
            Motion::Sampled(_) | Motion::Flipbook(_) | Motion::Stage(_) => 0,
            Motion::Animate(animate) => animate.keys_work(id),
            Motion::Spine(spine) => spine.keys_work(id),
            Motion::SkelForm(skelform) => skelform.keys_work(id),
        });
        self.rest + keys
    }
}
