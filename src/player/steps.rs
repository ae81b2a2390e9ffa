//! Physics and smoothing of an [`Animator`]: steps of a fixed length, however long the frames are.

use super::animator::Animator;
use crate::character::Character;
use crate::motion::{Cue, Dynamics, StepClock};
use crate::pose::Pose;

/// Longer intervals in seconds count as a jump.
const MAX_PASSING_SECS: f64 = 5.0;

/// The steps that are due since the last pose.
#[derive(Debug, Clone)]
pub(super) struct Steps {
    pub dynamics: Dynamics,
    /// The time since the last jump.
    clock: StepClock,
    /// The cue at each step that has not been made yet, and the ids of its playbacks. Entries from `due_count` on
    /// are spare memory.
    due: Vec<(Cue, Vec<u64>)>,
    due_count: usize,
    /// Replay from the beginning of the animation.
    is_replay_due: bool,
}

impl Default for Steps {
    fn default() -> Self {
        Self {
            dynamics: Dynamics::default(),
            clock: StepClock::default(),
            due: Vec::new(),
            due_count: 0,
            is_replay_due: true,
        }
    }
}

impl Steps {
    /// Declares that the next pose is unrelated to the previous one.
    pub fn jump(&mut self) {
        self.due_count = 0;
        self.clock = StepClock::default();
        self.is_replay_due = true;
    }

    /// Lets time pass for `animator` step by step, and records the cue of each step.
    ///
    /// The seconds are rounded once to whole nanoseconds: sums of those do not depend on how a time is divided.
    pub fn pass(&mut self, animator: &mut Animator, dt_secs: f64) {
        if dt_secs > MAX_PASSING_SECS {
            animator.pass(dt_secs);
            return self.jump();
        }
        let mut nanos = (dt_secs * 1e9).round() as u64;
        loop {
            let left = self.clock.nanos_to_next_step();
            if nanos < left {
                animator.pass(nanos as f64 * 1e-9);
                self.clock.pass(nanos);
                return;
            }
            animator.pass(left as f64 * 1e-9);
            nanos -= left;
            self.clock.pass(left);
            // No one reads the skipped steps, so only the latest ones matter.
            if self.due_count as f64 * Dynamics::STEP_SECS > MAX_PASSING_SECS {
                self.jump();
            }
            let (cue, ids) = animator.write_cue();
            self.push(cue, ids);
        }
    }

    fn push(&mut self, cue: &Cue, ids: &[u64]) {
        match self.due.get_mut(self.due_count) {
            Some((due, due_ids)) => {
                due.set(cue);
                due_ids.clear();
                due_ids.extend_from_slice(ids);
            }
            None => self.due.push((cue.clone(), ids.to_vec())),
        }
        self.due_count += 1;
    }

    /// Makes the steps that are due and evaluates `cue`. The pose depends on the steps since the last jump, which
    /// itself shows the same as playing from the first frame would.
    pub fn evaluate(&mut self, character: &Character, cue: &Cue, ids: &[u64], pose: &mut Pose) {
        let due = &self.due[..std::mem::take(&mut self.due_count)];
        if std::mem::take(&mut self.is_replay_due) {
            return self.dynamics.replay(character, cue, pose);
        }
        for (cue, ids) in due {
            self.dynamics.step_with(character, cue, Some(ids), pose);
        }
        self.dynamics.hold_with(character, cue, Some(ids), pose);
    }
}
