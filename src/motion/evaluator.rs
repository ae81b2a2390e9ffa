//! Posing again and again in the same memory.

use super::scratch::Scratch;
use super::{Cue, Dynamics, evaluate_in};
use crate::character::Character;
use crate::pose::Pose;

/// Poses characters and keeps the working memory for the next pose: once it has posed a character, posing it again
/// allocates nothing.
///
/// Evaluating is pure: the same cue gives the same pose, whatever was posed before. Use one evaluator per character; with
/// several in turn it prepares their skins again each time.
///
/// ```
/// # use pchr::{Character, motion::{Cue, Evaluator, Position}, pose::Pose};
/// # let character = Character::from_bytes(std::fs::read("assets/paper-knight.pchr")?)?;
/// let (mut evaluator, mut pose) = (Evaluator::default(), Pose::default());
/// let mut cue = Cue { animation: character.model().find_animation("walk"), ..Cue::default() };
/// for frame in 0..24 {
///     cue.position = Position::frame(frame);
///     evaluator.evaluate(&character, &cue, &mut pose);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct Evaluator {
    scratch: Scratch,
    dynamics: Option<Dynamics>,
}

impl Evaluator {
    /// An evaluator that also shows physics and smoothing, as [`Dynamics::replay`] does, where there are `dynamics`.
    pub fn with_dynamics(dynamics: Option<Dynamics>) -> Self {
        Self { scratch: Scratch::default(), dynamics }
    }

    /// Writes what `character` looks like at `cue`.
    ///
    /// # Panics
    ///
    /// If `cue` names an animation that `character` does not have.
    #[track_caller]
    pub fn evaluate(&mut self, character: &Character, cue: &Cue, pose: &mut Pose) {
        match &mut self.dynamics {
            Some(dynamics) => dynamics.replay(character, cue, pose),
            None => evaluate_in(&mut self.scratch, character, cue, None, pose),
        }
    }

    /// Writes what `character` looks like at `cue` after what was written before, as players of its format show it. `ids`
    /// tell the playbacks of the layers from each other.
    #[track_caller]
    pub(crate) fn continue_with(&mut self, character: &Character, cue: &Cue, ids: &[u64], pose: &mut Pose) {
        evaluate_in(&mut self.scratch, character, cue, Some(ids), pose);
    }

    /// Forgets what was written before.
    pub(crate) fn reset(&mut self) {
        self.scratch.spine.turning.reset();
    }
}
