//! How much work a pose is, counted before it is done. `docs/limits.md` lists what counts how much.

use super::Motion;
use crate::character::Character;
use crate::model::{AnimationId, SkinId};

/// A bone in a stored frame.
const STORED_BONE: u64 = 16;
/// What does not depend on the size of the character.
const POSE: u64 = 100;
/// A slot that is set to what it shows.
const SLOT: u64 = 8;

/// The units of work that [`evaluate`](super::evaluate) takes for one pose: see [`Limits::work`](crate::limits::Limits::work).
///
/// It is counted from what the file holds, and never less than what the pose takes.
#[derive(Debug, Clone, Copy)]
pub struct PoseWork {
    /// Without any animation.
    rest: u64,
}

impl PoseWork {
    /// Of `character` in `skins`. Plans once which bones and constraints act in them.
    pub fn new(character: &Character, skins: &[SkinId]) -> Self {
        let model = character.model();
        let bones = match character.motion() {
            Motion::Sampled(_) => model.skeleton().bones().len() as u64 * STORED_BONE,
            Motion::Flipbook(_) => 0,
            Motion::Spine(spine) => spine.rest_work(model, skins),
            Motion::SkelForm(skelform) => skelform.rest_work(),
        };
        Self { rest: POSE + bones + model.slots().len() as u64 * SLOT }
    }

    /// Of a pose in `animation`; `None` is the rest pose.
    pub fn of(&self, character: &Character, animation: Option<AnimationId>) -> u64 {
        let keys = animation.map_or(0, |id| match character.motion() {
            Motion::Sampled(_) | Motion::Flipbook(_) => 0,
            Motion::Spine(spine) => spine.keys_work(id),
            Motion::SkelForm(skelform) => skelform.keys_work(id),
        });
        self.rest + keys
    }
}
