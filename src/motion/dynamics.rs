//! Physics and smoothing, which depend on earlier poses.
//!
//! SkelForm defines them as steps of a 60th of a second, Spine as steps of a rate that each constraint states.
//! [`evaluate`](super::evaluate) ignores them; they are only applied through [`Dynamics`]. For motion without either,
//! `evaluate` gives the same result.

use super::scratch::Scratch;
use super::skelform::{Carried, Following};
use super::spine::Swings;
use super::{Cue, Motion, Position, evaluate_in, finite};
use crate::character::Character;
use crate::math::DAffine2;
use crate::model::ConstraintId;
use crate::pose::Pose;

/// The state of physics and smoothing between steps, and their settings.
///
/// # Panics
///
/// Functions that take a cue panic if it contains an animation that the character does not have.
///
/// ```
/// # use pchr::{Character, motion::{Cue, Dynamics}, pose::Pose};
/// # fn show(character: &Character, cue: &Cue) {
/// let (mut dynamics, mut pose) = (Dynamics::default(), Pose::default());
/// dynamics.step(character, cue, &mut pose);
/// # }
/// ```
#[derive(Debug, Clone, Default)]
pub struct Dynamics {
    /// Physics is disabled.
    pub(super) is_stiff: bool,
    smoothing_frames: f64,
    /// Progress of [`Self::replay`], until anything else is evaluated.
    replayed: Option<Replayed>,
    /// Unused memory of a cue.
    spare: Cue,
    /// The time of a format with a fixed rate.
    clock: StepClock,
    carried: Carried,
    swings: Swings,
    scratch: Scratch,
    /// Of each character on a stage.
    cast: Vec<(Self, Pose)>,
}

/// How far a cue was played.
#[derive(Debug, Clone)]
struct Replayed {
    /// The cue. Its position is ignored.
    cue: Cue,
    /// The step that it started from.
    first: u64,
    /// Steps from the first frame.
    steps: u64,
    /// Each frame was held until the next.
    is_held: bool,
}

/// What happens to physics while a pose is evaluated.
#[derive(Debug)]
pub(crate) enum Swinging<'a, State: ?Sized> {
    /// It has no effect.
    Off,
    /// It stays as it was.
    Held(&'a State),
    /// Time passes.
    Moving(&'a mut State),
}

/// Time that passes before a pose.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Passing {
    pub nanos: u64,
    /// Another pose follows before anyone sees this one: only what it changes in the state matters.
    pub is_unseen: bool,
}

impl Dynamics {
    /// Seconds between two steps.
    pub const STEP_SECS: f64 = 1.0 / 60.0;
    /// The same in nanoseconds, rounded up: a constraint with the same rate makes one step in each.
    const STEP_NANOS: u64 = 16_666_667;
    /// A step whose pose nobody sees.
    const UNSEEN_STEP: Passing = Passing { nanos: Self::STEP_NANOS, is_unseen: true };
    /// Number of steps of `settle`. Without them, a character would swing wildly from the state stored in
    /// its file.
    pub const SETTLE_STEPS: u32 = 30;
    /// Maximum time in seconds that is replayed.
    pub const MAX_REPLAY_SECS: f64 = 60.0;
    /// The same in steps.
    const MAX_REPLAY_STEPS: u64 = 60 * 60;

    /// Returns the mix of inverse kinematics as the animations of the last pose have set it; `None` if the format has none.
    pub(crate) fn ik_mix(&self, constraint: ConstraintId) -> Option<f64> {
        self.scratch.ik_mix(constraint)
    }

    /// Enables or disables physics. It is enabled by default.
    #[must_use]
    pub fn with_physics(mut self, physics: bool) -> Self {
        self.is_stiff = !physics;
        self
    }

    /// Sets the smoothing: for how many frames after each key a value changes towards it. 0 and non-finite values
    /// disable it.
    pub fn set_smoothing(&mut self, frames: f64) {
        self.forget_replay();
        self.smoothing_frames = finite(frames).max(0.0);
    }

    /// Resets the state: physics starts as stored in the file, values start at rest.
    pub fn reset(&mut self) {
        self.forget_replay();
        self.clock = StepClock::default();
        self.carried.reset();
        self.swings.reset();
        self.scratch.spine.turning.reset();
    }

    /// Lets the next pose start from rest, and keeps the state of physics.
    pub(crate) fn reset_pose(&mut self) {
        self.scratch.spine.turning.has_frame = false;
    }

    /// Moves the state into the space in which the character stands now, so that it swings as if it had been moved from
    /// where it stood.
    pub(crate) fn carry(&mut self, now_from_before: DAffine2) {
        self.forget_replay();
        self.swings.carry(now_from_before);
        self.carried.carry(now_from_before);
    }

    /// Advances by one step and evaluates `cue`.
    #[track_caller]
    pub fn step(&mut self, character: &Character, cue: &Cue, pose: &mut Pose) {
        self.forget_replay();
        self.follow(character, cue, None, Some(Passing { nanos: Self::STEP_NANOS, is_unseen: false }), pose);
    }

    /// Like [`Self::step`], if another pose follows before anyone sees this one: `pose` stays incomplete. With `ids`, which
    /// identify the playbacks of the layers, the pose continues from the previous one, as in the players of the format.
    #[track_caller]
    pub(crate) fn step_unseen(&mut self, character: &Character, cue: &Cue, ids: Option<&[u64]>, pose: &mut Pose) {
        self.forget_replay();
        self.follow(character, cue, ids, Some(Self::UNSEEN_STEP), pose);
    }

    /// Lets `dt_secs` seconds pass, rounded to whole nanoseconds, makes the steps that are due, and evaluates `cue`.
    /// Negative and non-finite values count as 0.
    ///
    /// A Spine character follows the movement of its bones from update to update, so that other intervals give
    /// other poses; [`Self::step`] and [`Self::replay`] always use a 60th of a second.
    #[track_caller]
    pub fn update(&mut self, character: &Character, cue: &Cue, dt_secs: f64, pose: &mut Pose) {
        self.forget_replay();
        let nanos = (finite(dt_secs).max(0.0) * 1e9).round() as u64;
        if matches!(character.motion(), Motion::Spine(_)) {
            return self.follow(character, cue, None, Some(Passing { nanos, is_unseen: false }), pose);
        }
        // Steps that were skipped for long have no effect any more.
        let due = self.clock.pass(nanos).min(Self::MAX_REPLAY_STEPS);
        (0..due).for_each(|_| self.step_unseen(character, cue, None, pose));
        self.hold(character, cue, pose);
    }

    /// Evaluates `cue` without advancing; physics stays as the last step left it.
    #[track_caller]
    pub fn hold(&mut self, character: &Character, cue: &Cue, pose: &mut Pose) {
        self.hold_with(character, cue, None, pose);
    }

    /// Like [`Self::hold`], with `ids` as for [`Self::step_unseen`].
    #[track_caller]
    pub(crate) fn hold_with(&mut self, character: &Character, cue: &Cue, ids: Option<&[u64]>, pose: &mut Pose) {
        self.follow(character, cue, ids, None, pose);
    }

    /// Resets the state and holds `cue` until physics has almost come to rest. `pose` stays incomplete.
    #[track_caller]
    pub(crate) fn settle(&mut self, character: &Character, cue: &Cue, pose: &mut Pose) {
        self.reset();
        (0..Self::SETTLE_STEPS).for_each(|_| self.step_unseen(character, cue, None, pose));
    }

    /// Evaluates `cue` as if it had been played: resets the state, settles at the first frame and advances by a
    /// step every 60th of a second up to the position of the cue. The same cue therefore always looks the same. If
    /// the previous call had an earlier position of the same cue, its steps are not repeated.
    ///
    /// At most [`Self::MAX_REPLAY_SECS`] are played: later positions start from a multiple of half of that.
    ///
    /// If the position is a whole frame and the cue does not interpolate, every frame is held until the next, as
    /// in playback.
    #[track_caller]
    pub fn replay(&mut self, character: &Character, cue: &Cue, pose: &mut Pose) {
        if let Motion::Stage(stage) = character.motion() {
            return stage.replay(cue, &mut self.cast, pose);
        }
        let smooths = self.smoothing_frames != 0.0 && matches!(character.motion(), Motion::SkelForm(_));
        let swings = !self.is_stiff && super::has_physics(character);
        if !smooths && !swings {
            return evaluate_in(&mut self.scratch, character, cue, None, pose);
        }
        // Round up if it is within rounding errors of a whole step.
        let steps = steps_to(character, cue);
        let first = first_replayed(steps);
        let animation = cue.animation.map(|id| character.model().animation(id));
        // Keyed motion is never held: frames only count its time.
        let is_held = !cue.interpolate
            && matches!(cue.position, Position::Frame { fraction: 0.0, .. })
            && animation.is_some_and(|animation| !animation.is_keyed());
        let fps = animation.map(|animation| animation.fps()).filter(|fps| is_held && *fps > 0.0);
        let at_step = |step: u64| {
            let secs = step as f64 * Self::STEP_SECS;
            fps.map_or(Position::Seconds(secs), |fps| Position::frame((secs * fps + 1e-6).floor() as u32))
        };
        let continues = |before: &Replayed| {
            before.first == first
                && before.steps <= steps
                && before.is_held == is_held
                && before.cue.differs_in_position_only(cue)
                && self.is_of(character)
        };
        if !self.replayed.as_ref().is_some_and(continues) {
            self.forget_replay();
        }
        let (mut at, made) = match self.replayed.take() {
            Some(Replayed { cue, steps, .. }) => (cue, steps),
            None => {
                let mut at = std::mem::take(&mut self.spare);
                at.set(cue);
                at.position = at_step(first);
                self.settle(character, &at, pose);
                (at, first)
            }
        };
        for step in made + 1..=steps {
            at.position = at_step(step);
            self.step_unseen(character, &at, None, pose);
        }
        self.hold(character, cue, pose);
        self.replayed = Some(Replayed { cue: at, first, steps, is_held });
    }

    /// Forgets the progress of [`Self::replay`], and keeps its memory.
    fn forget_replay(&mut self) {
        if let Some(Replayed { cue, .. }) = self.replayed.take() {
            self.spare = cue;
        }
    }

    fn is_of(&self, character: &Character) -> bool {
        match character.motion() {
            Motion::SkelForm(skelform) => self.carried.is_of(skelform),
            Motion::Spine(spine) => self.swings.is_of(spine),
            Motion::Sampled(_) | Motion::Flipbook(_) | Motion::Animate(_) | Motion::Stage(_) => true,
        }
    }

    /// Returns the number of steps that [`Self::replay`] makes without earlier progress, to estimate its cost.
    pub fn replay_steps(character: &Character, cue: &Cue) -> u64 {
        if let Motion::Stage(stage) = character.motion() {
            return stage.replay_steps(cue);
        }
        let steps = steps_to(character, cue);
        u64::from(Self::SETTLE_STEPS) + steps - first_replayed(steps)
    }

    /// Returns the number of steps that [`Self::replay`] makes for all of `cues`, one after the other. Each pose continues from
    /// the one before, unless the replay of a long animation starts over.
    #[cfg(any(feature = "export", feature = "formats-all"))]
    pub(crate) fn steps_of_all(character: &Character, cues: impl Iterator<Item = Cue>) -> u64 {
        let mut before = 0;
        let of_each = cues.map(|cue| {
            let steps = Self::replay_steps(character, &cue);
            let made = std::mem::replace(&mut before, steps);
            if made <= steps { steps - made } else { steps }
        });
        of_each.fold(0, u64::saturating_add)
    }

    /// Returns the number of simulation steps needed to sample an animation.
    #[cfg(feature = "bake")]
    pub(crate) fn sampling_steps(character: &Character, id: crate::model::AnimationId, samples: u64) -> u64 {
        let seconds = character.model().animation(id).duration_secs().max(0.0);
        let steps = |seconds: f64| u64::from(Self::SETTLE_STEPS) + (seconds / Self::STEP_SECS) as u64;
        if seconds <= Self::MAX_REPLAY_SECS {
            return samples + steps(seconds);
        }
        // Consecutive samples share their steps, but start over for every half of the longest replay.
        let starts = (2.0 * seconds / Self::MAX_REPLAY_SECS) as u64 + 1;
        let shared =
            steps(seconds).saturating_mul(2).saturating_add(starts.saturating_mul(Self::SETTLE_STEPS.into()));
        shared.saturating_add(samples).min(samples.saturating_mul(steps(Self::MAX_REPLAY_SECS)))
    }

    /// Evaluates `cue` after some time, or without advancing.
    #[track_caller]
    fn follow(
        &mut self,
        character: &Character,
        cue: &Cue,
        ids: Option<&[u64]>,
        passed: Option<Passing>,
        pose: &mut Pose,
    ) {
        let model = character.model();
        cue.expect_of(model);
        self.scratch.slots_before.take_back(pose);
        match character.motion() {
            Motion::Sampled(_) | Motion::Flipbook(_) | Motion::Animate(_) | Motion::Stage(_) => {
                return evaluate_in(&mut self.scratch, character, cue, ids, pose);
            }
            Motion::Spine(spine) => {
                let swinging = match passed.filter(|_| !self.is_stiff) {
                    Some(passing) => {
                        self.swings.pass(spine, model, cue, passing);
                        Swinging::Moving(&mut self.swings)
                    }
                    None if !self.is_stiff && self.swings.is_of(spine) => Swinging::Held(&self.swings),
                    None => Swinging::Off,
                };
                spine.evaluate(model, cue, ids, swinging, &mut self.scratch.spine, pose);
            }
            Motion::SkelForm(skelform) => {
                let following = Following {
                    carried: &mut self.carried,
                    physics: !self.is_stiff,
                    smoothing: self.smoothing_frames,
                    is_step: passed.is_some(),
                };
                skelform.follow(model, cue, following, &mut self.scratch.skelform, pose);
            }
        }
        if passed.is_none_or(|passing| !passing.is_unseen) {
            self.scratch.finish(cue, model, pose);
        }
    }
}

/// Counts the steps in the time that passes. Steps are derived from the sum of whole nanoseconds, so that their number
/// does not depend on how a time is divided.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct StepClock {
    /// Nanoseconds since the last whole second.
    nanos: u64,
}

impl StepClock {
    const STEPS_PER_SEC: u64 = 60;
    const NANOS_PER_SEC: u64 = 1_000_000_000;

    /// Returns the nanoseconds until the next step, at least one.
    pub fn nanos_to_next_step(self) -> u64 {
        let next = self.nanos * Self::STEPS_PER_SEC / Self::NANOS_PER_SEC + 1;
        (next * Self::NANOS_PER_SEC).div_ceil(Self::STEPS_PER_SEC) - self.nanos
    }

    /// Lets time pass, and returns the number of steps in it.
    pub fn pass(&mut self, nanos: u64) -> u64 {
        let steps = |nanos: u64| nanos * Self::STEPS_PER_SEC / Self::NANOS_PER_SEC;
        let whole_secs = nanos / Self::NANOS_PER_SEC;
        let end = self.nanos + nanos % Self::NANOS_PER_SEC;
        let passed = whole_secs * Self::STEPS_PER_SEC + steps(end) - steps(self.nanos);
        self.nanos = end % Self::NANOS_PER_SEC;
        passed
    }
}

/// Returns the number of steps from the first frame to the position of a cue, rounded up if it is within rounding
/// errors of a whole step.
fn steps_to(character: &Character, cue: &Cue) -> u64 {
    // Far below the range, so that a few more steps do not exceed it.
    ((seconds(character, cue) / Dynamics::STEP_SECS + 1e-6).floor() as u64).min(u64::MAX / 2)
}

/// Returns the step from which a cue is replayed if its position is `steps` after the first frame. It is the same for
/// nearby positions, so that consecutive pictures of a long animation share their steps.
fn first_replayed(steps: u64) -> u64 {
    const HALF: u64 = Dynamics::MAX_REPLAY_STEPS / 2;
    if steps <= Dynamics::MAX_REPLAY_STEPS { 0 } else { (steps / HALF - 1) * HALF }
}

/// Returns the time of a cue since its first frame in seconds; 0 without an animation, or if it is a still
/// picture.
fn seconds(character: &Character, cue: &Cue) -> f64 {
    let Some(animation) = cue.animation.map(|id| character.model().animation(id)) else { return 0.0 };
    finite(cue.position.seconds(animation.fps())).max(0.0)
}
