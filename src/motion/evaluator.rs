//! Evaluates one pose after another and reuses the working memory.

use super::scratch::Scratch;
use super::{Chains, Cue, Dynamics, evaluate_in};
use crate::character::Character;
use crate::model::ConstraintId;
use crate::pose::Pose;

/// Evaluates poses and reuses its working memory: after the first pose of a character, further poses allocate
/// nothing.
///
/// Evaluation is pure: the same cue gives the same pose, whatever was evaluated before. Use one evaluator per
/// character: switching between characters resolves their skins again each time.
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
    dynamics: Option<Box<Dynamics>>,
}

impl Evaluator {
    /// Creates an evaluator that also applies physics and smoothing like [`Dynamics::replay`], if `dynamics` are
    /// given.
    pub fn with_dynamics(dynamics: Option<Dynamics>) -> Self {
        Self { scratch: Scratch::default(), dynamics: dynamics.map(Box::new) }
    }

    /// Evaluates `character` at `cue` into `pose`.
    ///
    /// # Panics
    ///
    /// Panics if `cue` contains an animation that `character` does not have.
    #[track_caller]
    pub fn evaluate(&mut self, character: &Character, cue: &Cue, pose: &mut Pose) {
        match &mut self.dynamics {
            Some(dynamics) => dynamics.replay(character, cue, pose),
            None => evaluate_in(&mut self.scratch, character, cue, None, pose),
        }
    }

    /// Evaluates `cue` as the continuation of the previous pose, as the players of the format do. `ids` identify
    /// the playbacks of the layers. `chains` keeps the decisions about the layers from pose to pose.
    #[track_caller]
    pub(crate) fn continue_with(
        &mut self,
        character: &Character,
        cue: &Cue,
        ids: &[u64],
        chains: &mut Chains,
        pose: &mut Pose,
    ) {
        std::mem::swap(chains, &mut self.scratch.spine.chains);
        evaluate_in(&mut self.scratch, character, cue, Some(ids), pose);
        std::mem::swap(chains, &mut self.scratch.spine.chains);
    }

    /// Returns the mix of inverse kinematics as the animations of the last pose have set it; `None` if the format has none.
    pub(crate) fn ik_mix(&self, constraint: ConstraintId) -> Option<f64> {
        self.scratch.ik_mix(constraint)
    }

    /// Lets the next pose start from rest, and keeps what is remembered about rotations.
    pub(crate) fn reset_pose(&mut self) {
        self.scratch.spine.turning.has_frame = false;
    }

    /// Forgets the previous pose.
    pub(crate) fn reset(&mut self) {
        self.scratch.slots_before.clear();
        self.scratch.spine.turning.reset();
    }
}
