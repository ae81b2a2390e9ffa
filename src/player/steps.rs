//! Physics and smoothing of an [`Animator`]: steps of a fixed length, however long the frames are.

use super::animator::Animator;
use crate::character::Character;
use crate::math::{Affine2, Mat2};
use crate::motion::{Cue, Dynamics, StepClock};
use crate::pose::Pose;

/// Longer intervals in seconds count as a jump.
const MAX_PASSING_SECS: f64 = 5.0;

/// The steps that are due since the last pose.
#[derive(Debug, Clone, Default)]
pub(super) struct Steps {
    pub dynamics: Dynamics,
    /// The time since the last jump.
    clock: StepClock,
    /// The steps that have not been made yet. Entries from `due_count` on are spare memory.
    due: Vec<Due>,
    due_count: usize,
    /// The next pose continues the last one. Otherwise the animation is replayed from its beginning.
    continues: bool,
    /// Where the character stood at the end of the last update, and at the last step; `None` after a jump.
    stood: Option<[Affine2; 2]>,
    /// How the caller has moved the character otherwise since the last step: maps the space of then to the space of now.
    moved: Affine2,
}

/// A step that has not been made yet.
#[derive(Debug, Clone, Default)]
struct Due {
    cue: Cue,
    /// The ids of the playbacks of the cue.
    ids: Vec<u64>,
    /// The space of the character from its space at the previous step.
    now_from_before: Affine2,
}

impl Steps {
    /// Declares that the next pose is unrelated to the previous one.
    pub fn jump(&mut self) {
        self.due_count = 0;
        self.clock = StepClock::default();
        self.continues = false;
        self.forget_place();
    }

    /// Declares that the character has been put where it stands without moving there.
    pub fn forget_place(&mut self) {
        self.stood = None;
        self.moved = Affine2::IDENTITY;
    }

    /// Declares that the character has moved while its placement stayed.
    pub fn carry(&mut self, now_from_before: Affine2) {
        self.moved = now_from_before * self.moved;
    }

    /// Lets time pass for `animator` step by step, and records the cue of each step.
    ///
    /// The seconds are rounded once to whole nanoseconds: sums of those do not depend on how a time is divided.
    pub fn pass(&mut self, animator: &mut Animator, dt_secs: f64) {
        if dt_secs > MAX_PASSING_SECS {
            animator.pass(dt_secs);
            return self.jump();
        }
        let whole = (dt_secs * 1e9).round() as u64;
        let mut nanos = whole;
        let here = animator.placement();
        let [from, mut at_step] = self.stood.unwrap_or([here; 2]);
        loop {
            let left = self.clock.nanos_to_next_step();
            if nanos < left {
                animator.pass(nanos as f64 * 1e-9);
                self.clock.pass(nanos);
                self.stood = Some([here, at_step]);
                return;
            }
            animator.pass(left as f64 * 1e-9);
            nanos -= left;
            self.clock.pass(left);
            // No one reads the skipped steps, so only the latest ones matter.
            if self.due_count as f64 * Dynamics::STEP_SECS > MAX_PASSING_SECS {
                self.jump();
            }
            let mut now_from_before = std::mem::replace(&mut self.moved, Affine2::IDENTITY);
            if here != at_step {
                // The way is spread over the steps of the update.
                let share = (whole - nanos) as f64 / whole as f64;
                let place = from.translation.lerp(here.translation, share as f32);
                let there = Affine2 { translation: place, ..here };
                now_from_before = movement(at_step, there) * now_from_before;
                at_step = there;
            }
            let (cue, ids) = animator.write_cue();
            self.push(cue, ids, now_from_before);
        }
    }

    fn push(&mut self, cue: &Cue, ids: &[u64], now_from_before: Affine2) {
        if self.due.len() == self.due_count {
            self.due.push(Due::default());
        }
        let due = &mut self.due[self.due_count];
        due.cue.set(cue);
        ids.clone_into(&mut due.ids);
        due.now_from_before = now_from_before;
        self.due_count += 1;
    }

    /// Makes the steps that are due and evaluates `cue`. The pose depends on the steps since the last jump, which
    /// itself shows the same as playing from the first frame would.
    pub fn evaluate(&mut self, character: &Character, cue: &Cue, ids: &[u64], pose: &mut Pose) {
        let due = &self.due[..std::mem::take(&mut self.due_count)];
        if !std::mem::replace(&mut self.continues, true) {
            return self.dynamics.replay(character, cue, pose);
        }
        for Due { cue, ids, now_from_before } in due {
            if *now_from_before != Affine2::IDENTITY {
                self.dynamics.carry(now_from_before.as_daffine2());
            }
            self.dynamics.step_unseen(character, cue, Some(ids), pose);
        }
        self.dynamics.hold_with(character, cue, Some(ids), pose);
    }
}

/// Returns the movement of a character from one place to another: the space in which it stands now from the earlier one. A
/// change of scale and a flip are no movement; the identity for a flat place.
fn movement(from: Affine2, to: Affine2) -> Affine2 {
    let to_inverse = to.matrix2.inverse();
    let translation = to_inverse * (from.translation - to.translation);
    if !translation.is_finite() {
        return Affine2::IDENTITY;
    }
    let turn = to_inverse * from.matrix2;
    let is_turned = turn.determinant() > 0.0 && (turn.transpose() * turn).abs_diff_eq(Mat2::IDENTITY, 1e-4);
    Affine2 { matrix2: if is_turned { turn } else { Mat2::IDENTITY }, translation }
}
