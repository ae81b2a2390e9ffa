//! What depends on what was shown before: physics and smoothing.
//!
//! Some formats have them, by definition step after step, 60 a second. Evaluating alone knows neither and is what
//! everything uses that nobody asked for them. Motion without either is evaluated as always.

use super::scratch::Scratch;
use super::skelform::{Carried, Following};
use super::{Cue, Motion, Position, evaluate_in};
use crate::character::Character;
use crate::pose::Pose;

/// What is carried from one step to the next, and what of it is wanted.
///
/// # Panics
///
/// Everything that takes a cue panics where it names an animation that the character does not have.
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
    /// What [`Self::replay`] has shown, as long as nothing else was.
    replayed: Option<Replayed>,
    carried: Carried,
    scratch: Scratch,
}

/// How far a cue was played.
#[derive(Debug, Clone)]
struct Replayed {
    /// Its position does not count.
    cue: Cue,
    /// From the first frame on.
    steps: u64,
    /// Each frame was held until the next.
    is_held: bool,
}

impl Default for Dynamics {
    fn default() -> Self {
        Self {
            physics: true,
            smoothing_frames: 0.0,
            replayed: None,
            carried: Carried::default(),
            scratch: Scratch::default(),
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
    /// As many steps.
    const MAX_REPLAY_STEPS: u64 = 60 * 60;

    /// Whether bones swing; they do unless they are told not to.
    #[must_use]
    pub fn with_physics(mut self, physics: bool) -> Self {
        self.physics = physics;
        self
    }

    /// For how many frames after each key a value is still on its way; 0 and what is no number is at once.
    pub fn set_smoothing(&mut self, frames: f64) {
        self.replayed = None;
        self.smoothing_frames = if frames.is_finite() { frames.max(0.0) } else { 0.0 };
    }

    /// Forgets what was shown before: physics begins as the file has it, values begin at rest.
    pub fn reset(&mut self) {
        self.replayed = None;
        self.carried = Carried::default();
    }

    /// One step later: writes what `character` looks like at `cue`.
    #[track_caller]
    pub fn step(&mut self, character: &Character, cue: &Cue, pose: &mut Pose) {
        self.replayed = None;
        self.follow(character, cue, true, pose);
    }

    /// In the same step: writes what `character` looks like at `cue`, with what swings as the last step left it.
    #[track_caller]
    pub fn hold(&mut self, character: &Character, cue: &Cue, pose: &mut Pose) {
        self.follow(character, cue, false, pose);
    }

    /// Begins anew, and stands at `cue` until what swings has come to rest, nearly.
    #[track_caller]
    pub fn settle(&mut self, character: &Character, cue: &Cue, pose: &mut Pose) {
        self.reset();
        (0..Self::SETTLE_STEPS).for_each(|_| self.step(character, cue, pose));
    }

    /// What `cue` looks like when it is played: begins anew, settles at its first frame and makes a step every 60th of
    /// a second up to its position. So the same cue looks the same whatever was shown before; where that was an earlier
    /// position of the same, no step is made twice. At most [`Self::MAX_REPLAY_SECS`] are played.
    ///
    /// Where the cue is a whole frame and does not interpolate, every frame is held until the next, as it is played.
    #[track_caller]
    pub fn replay(&mut self, character: &Character, cue: &Cue, pose: &mut Pose) {
        if self.smoothing_frames == 0.0 && !(self.physics && super::has_physics(character)) {
            return evaluate_in(&mut self.scratch, character, cue, None, pose);
        }
        // What is as good as a step is one.
        let steps = (seconds(character, cue) / Self::STEP_SECS + 1e-6).floor() as u64;
        let first = steps.saturating_sub(Self::MAX_REPLAY_STEPS);
        let is_held = !cue.interpolate && matches!(cue.position, Position::Frame { fraction: 0.0, .. });
        let fps =
            cue.animation.map(|id| character.model().animation(id).fps()).filter(|fps| is_held && *fps > 0.0);
        let at_step = |step: u64| {
            let secs = step as f64 * Self::STEP_SECS;
            fps.map_or(Position::Seconds(secs), |fps| Position::frame((secs * fps + 1e-6).floor() as u32))
        };
        let before = self.replayed.take().filter(|_| first == 0 && self.is_of(character));
        let before = before.filter(|before| {
            before.steps <= steps && before.is_held == is_held && before.cue.differs_in_position_only(cue)
        });
        let (mut at, made) = match before {
            Some(Replayed { cue, steps, .. }) => (cue, steps),
            None => {
                let at = Cue { position: at_step(first), ..cue.clone() };
                self.settle(character, &at, pose);
                (at, first)
            }
        };
        for step in made + 1..=steps {
            at.position = at_step(step);
            self.follow(character, &at, true, pose);
        }
        self.hold(character, cue, pose);
        self.replayed = Some(Replayed { cue: at, steps, is_held });
    }

    fn is_of(&self, character: &Character) -> bool {
        // Nothing else carries anything from pose to pose.
        let Motion::SkelForm(skelform) = character.motion() else { return true };
        self.carried.is_of(skelform)
    }

    #[track_caller]
    fn follow(&mut self, character: &Character, cue: &Cue, is_step: bool, pose: &mut Pose) {
        cue.expect_of(character.model());
        let Motion::SkelForm(skelform) = character.motion() else {
            return evaluate_in(&mut self.scratch, character, cue, None, pose);
        };
        let following = Following {
            carried: &mut self.carried,
            physics: self.physics,
            smoothing: self.smoothing_frames,
            is_step,
        };
        skelform.follow(character.model(), cue, following, &mut self.scratch.skelform, pose);
    }
}

/// How long after its first frame a cue is; without an animation, or where that stands still, not at all.
fn seconds(character: &Character, cue: &Cue) -> f64 {
    let Some(animation) = cue.animation.map(|id| character.model().animation(id)) else { return 0.0 };
    let seconds = match cue.position {
        Position::Frame { frame, fraction } if animation.fps() > 0.0 => {
            (f64::from(frame) + f64::from(fraction)) / animation.fps()
        }
        Position::Frame { .. } => 0.0,
        Position::Seconds(seconds) => seconds,
    };
    if seconds.is_finite() { seconds.max(0.0) } else { 0.0 }
}
