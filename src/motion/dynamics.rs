//! What depends on what was shown before: physics and smoothing.
//!
//! Some formats have them, by definition step after step, 60 a second. Evaluating alone knows neither and is what
//! everything uses that nobody asked for them. Motion without either is evaluated as always.

use super::{Cue, Motion, Position, evaluate};
use crate::character::Character;
use crate::pose::Pose;

/// What is carried from one step to the next, and what of it is wanted.
///
/// ```
/// # use pchr::{Character, motion::{Cue, Dynamics}, pose::Pose};
/// # fn show(character: &Character, cue: &Cue) {
/// let (mut dynamics, mut pose) = (Dynamics::default(), Pose::default());
/// dynamics.settle(character, cue, &mut pose);
/// // A 60th of a second later:
/// dynamics.step(character, cue, &mut pose);
/// # }
/// ```
#[derive(Debug, Clone)]
pub struct Dynamics {
    physics: bool,
    smoothing_frames: f64,
    #[cfg(feature = "formats-all")]
    carried: super::skelform::Carried,
}

impl Default for Dynamics {
    fn default() -> Self {
        Self {
            physics: true,
            smoothing_frames: 0.0,
            #[cfg(feature = "formats-all")]
            carried: Default::default(),
        }
    }
}

impl Dynamics {
    /// Seconds between two steps.
    pub const STEP_SECS: f64 = 1.0 / 60.0;
    /// How many steps [`Self::settle`] makes: a character that begins where its file was saved swings wildly.
    pub const SETTLE_STEPS: u32 = 30;
    /// More seconds than these are not gone through again.
    pub const MAX_REPLAY_SECS: f64 = 60.0;

    /// Whether bones swing; they do unless they are told not to.
    #[must_use]
    pub fn with_physics(mut self, physics: bool) -> Self {
        self.physics = physics;
        self
    }

    /// For how many frames after each key a value is still on its way; 0 and what is no number is at once.
    pub fn set_smoothing(&mut self, frames: f64) {
        self.smoothing_frames = if frames.is_finite() { frames.max(0.0) } else { 0.0 };
    }

    /// Forgets what was shown before: physics begins as the file has it, values begin at rest.
    pub fn reset(&mut self) {
        #[cfg(feature = "formats-all")]
        {
            self.carried = Default::default();
        }
    }

    /// One step later: writes what `character` looks like at `cue`.
    pub fn step(&mut self, character: &Character, cue: &Cue, pose: &mut Pose) {
        self.follow(character, cue, true, pose);
    }

    /// In the same step: writes what `character` looks like at `cue`, with what swings as the last step left it.
    pub fn hold(&mut self, character: &Character, cue: &Cue, pose: &mut Pose) {
        self.follow(character, cue, false, pose);
    }

    /// Begins anew, and stands at `cue` until what swings has come to rest, nearly.
    pub fn settle(&mut self, character: &Character, cue: &Cue, pose: &mut Pose) {
        self.reset();
        (0..Self::SETTLE_STEPS).for_each(|_| self.step(character, cue, pose));
    }

    /// Begins anew: settles at the first frame of `cue` and plays up to its position, so that the same cue looks the
    /// same whatever was shown before. At most [`Self::MAX_REPLAY_SECS`] are played.
    pub fn replay(&mut self, character: &Character, cue: &Cue, pose: &mut Pose) {
        let animation = cue.animation.map(|id| character.model().animation(id));
        let seconds = match (cue.position, animation) {
            (_, None) => 0.0,
            (Position::Frame { frame, fraction }, Some(animation)) if animation.fps > 0.0 => {
                (f64::from(frame) + f64::from(fraction)) / animation.fps
            }
            (Position::Frame { .. }, Some(_)) => 0.0,
            (Position::Seconds(seconds), Some(_)) => seconds,
        };
        let seconds = if seconds.is_finite() { seconds.max(0.0) } else { 0.0 };
        let begin = (seconds - Self::MAX_REPLAY_SECS).max(0.0);
        let mut at = Cue { position: Position::Seconds(begin), ..cue.clone() };
        self.settle(character, &at, pose);
        // The last step is the cue itself, exactly.
        let steps = ((seconds - begin) / Self::STEP_SECS - 1e-6).ceil().max(0.0) as u32;
        for left in (0..steps).rev() {
            if left == 0 {
                self.step(character, cue, pose);
            } else {
                at.position = Position::Seconds(seconds - f64::from(left) * Self::STEP_SECS);
                self.step(character, &at, pose);
            }
        }
    }

    #[cfg(feature = "formats-all")]
    fn follow(&mut self, character: &Character, cue: &Cue, is_step: bool, pose: &mut Pose) {
        use super::skelform::Following;
        match character.motion() {
            Motion::SkelForm(skelform) => {
                let following = Following { physics: self.physics, smoothing: self.smoothing_frames, is_step };
                skelform.follow(character.model(), cue, following, &mut self.carried, pose);
            }
            Motion::Sampled(_) | Motion::Flipbook(_) | Motion::Spine(_) => evaluate(character, cue, pose),
        }
    }

    #[cfg(not(feature = "formats-all"))]
    fn follow(&mut self, character: &Character, cue: &Cue, is_step: bool, pose: &mut Pose) {
        let (Motion::Sampled(_), _) = (character.motion(), is_step);
        evaluate(character, cue, pose);
    }
}
