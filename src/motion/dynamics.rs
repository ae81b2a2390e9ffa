//! Physics and smoothing, which depend on earlier poses.
//!
//! Formats define them as steps of a 60th of a second. [`evaluate`](super::evaluate) ignores them; they are only
//! applied through [`Dynamics`]. For motion without either, the result is the same as that of `evaluate`.

use super::scratch::Scratch;
use super::skelform::{Carried, Following};
use super::{Cue, Motion, Position, evaluate_in};
use crate::character::Character;
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
/// dynamics.settle(character, cue, &mut pose);
/// // A 60th of a second later:
/// dynamics.step(character, cue, &mut pose);
/// # }
/// ```
#[derive(Debug, Clone)]
pub struct Dynamics {
    physics: bool,
    smoothing_frames: f64,
    /// Progress of [`Self::replay`], until anything else is evaluated.
    replayed: Option<Replayed>,
    carried: Carried,
    scratch: Scratch,
}

/// How far a cue was played.
#[derive(Debug, Clone)]
struct Replayed {
    /// The cue. Its position is ignored.
    cue: Cue,
    /// Steps from the first frame.
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
    /// Number of steps of [`Self::settle`]. Without them, a character would swing wildly from the state stored in
    /// its file.
    pub const SETTLE_STEPS: u32 = 30;
    /// Maximum time in seconds that is replayed.
    pub const MAX_REPLAY_SECS: f64 = 60.0;
    /// The same in steps.
    const MAX_REPLAY_STEPS: u64 = 60 * 60;

    /// Enables or disables physics. It is enabled by default.
    #[must_use]
    pub fn with_physics(mut self, physics: bool) -> Self {
        self.physics = physics;
        self
    }

    /// Sets the smoothing: for how many frames after each key a value changes towards it. 0 and non-finite values
    /// disable it.
    pub fn set_smoothing(&mut self, frames: f64) {
        self.replayed = None;
        self.smoothing_frames = if frames.is_finite() { frames.max(0.0) } else { 0.0 };
    }

    /// Resets the state: physics starts as stored in the file, values start at rest.
    pub fn reset(&mut self) {
        self.replayed = None;
        self.carried = Carried::default();
    }

    /// Advances by one step and evaluates `cue`.
    #[track_caller]
    pub fn step(&mut self, character: &Character, cue: &Cue, pose: &mut Pose) {
        self.replayed = None;
        self.follow(character, cue, true, pose);
    }

    /// Evaluates `cue` without advancing; physics stays as the last step left it.
    #[track_caller]
    pub fn hold(&mut self, character: &Character, cue: &Cue, pose: &mut Pose) {
        self.follow(character, cue, false, pose);
    }

    /// Resets the state and holds `cue` until physics has almost come to rest.
    #[track_caller]
    pub fn settle(&mut self, character: &Character, cue: &Cue, pose: &mut Pose) {
        self.reset();
        (0..Self::SETTLE_STEPS).for_each(|_| self.step(character, cue, pose));
    }

    /// Evaluates `cue` as if it had been played: resets the state, settles at the first frame and advances by a
    /// step every 60th of a second up to the position of the cue. The same cue therefore always looks the same. If
    /// the previous call had an earlier position of the same cue, its steps are not repeated. At most
    /// [`Self::MAX_REPLAY_SECS`] are played.
    ///
    /// If the position is a whole frame and the cue does not interpolate, every frame is held until the next, as
    /// in playback.
    #[track_caller]
    pub fn replay(&mut self, character: &Character, cue: &Cue, pose: &mut Pose) {
        if self.smoothing_frames == 0.0 && !(self.physics && super::has_physics(character)) {
            return evaluate_in(&mut self.scratch, character, cue, None, pose);
        }
        // Round up if it is within rounding errors of a whole step.
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
        // No other motion has state between poses.
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

/// Returns the time of a cue since its first frame in seconds; 0 without an animation, or if it is a still
/// picture.
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
