//! Stepping what depends on what was shown before, while a [`Player`] plays.

use super::Player;
use crate::character::Character;
use crate::motion::{Cue, Dynamics, Position};
use crate::pose::Pose;

/// More seconds at once are a jump, not playing.
const MAX_PASSING_SECS: f64 = 5.0;

/// The steps that are due since the last pose.
#[derive(Debug, Clone)]
pub(super) struct Steps {
    pub dynamics: Dynamics,
    /// Seconds since the last step.
    since: f64,
    /// Where the player was at each step that was not made yet.
    due: Vec<Position>,
    /// Everything begins anew.
    is_replay_due: bool,
    /// What a step is made of.
    at: Cue,
}

impl Steps {
    pub fn new(dynamics: Dynamics) -> Self {
        Self { dynamics, since: 0.0, due: Vec::new(), is_replay_due: true, at: Cue::default() }
    }

    /// The player is somewhere else.
    pub fn jump(&mut self) {
        self.due.clear();
        self.since = 0.0;
        self.is_replay_due = true;
    }
}

impl Player {
    /// Shows physics and smoothing as well, where the character has them; `None` shows neither, which is how a player
    /// begins.
    pub fn set_dynamics(&mut self, dynamics: Option<Dynamics>) {
        self.steps = dynamics.map(Steps::new);
    }

    /// True when [`Self::evaluate`] shows physics and smoothing.
    pub fn has_dynamics(&self) -> bool {
        self.steps.is_some()
    }

    /// Begins anew with what depends on what was shown before, as after a jump: what is shown has been changed by more
    /// than time.
    pub fn restart_dynamics(&mut self) {
        if let Some(steps) = &mut self.steps {
            steps.jump();
        }
    }

    /// Writes what `character` looks like at `cue`, which is [`Self::cue`] with whatever the caller adds to it.
    ///
    /// With [dynamics](Self::set_dynamics) every step since the last call is made, 60 a second of the time that went by.
    /// After a jump, as by [`Self::seek`] or [`Self::show`], everything begins anew and is played up to the position, so
    /// that a position looks the same however the player got there.
    ///
    /// # Panics
    ///
    /// If `cue` names an animation that `character` does not have.
    #[track_caller]
    pub fn evaluate(&mut self, character: &Character, cue: &Cue, pose: &mut Pose) {
        let Some(steps) = &mut self.steps else {
            return self.evaluator.evaluate(character, cue, pose);
        };
        if std::mem::take(&mut steps.is_replay_due) {
            steps.due.clear();
            return steps.dynamics.replay(character, cue, pose);
        }
        if !steps.due.is_empty() {
            steps.at.set(cue);
        }
        for position in steps.due.drain(..) {
            steps.at.position = position;
            steps.dynamics.step(character, &steps.at, pose);
        }
        steps.dynamics.hold(character, cue, pose);
    }

    /// Lets time pass step by step, and keeps where the steps are.
    pub(super) fn pass_in_steps(&mut self, mut dt_secs: f64) {
        let Some(mut steps) = self.steps.take() else { return self.pass(dt_secs) };
        if dt_secs > MAX_PASSING_SECS {
            self.pass(dt_secs);
            steps.jump();
            dt_secs = 0.0;
        }
        while dt_secs > 0.0 {
            let left = Dynamics::STEP_SECS - steps.since;
            if dt_secs < left {
                self.pass(dt_secs);
                steps.since += dt_secs;
                break;
            }
            self.pass(left);
            dt_secs -= left;
            steps.since = 0.0;
            // Nobody looks: what comes later is all that counts.
            if steps.due.len() as f64 * Dynamics::STEP_SECS > MAX_PASSING_SECS {
                steps.jump();
            }
            steps.due.push(self.cue().position);
        }
        self.steps = Some(steps);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Animation, ModelBuilder, Timing};

    #[test]
    fn steps_come_sixty_a_second_whatever_the_pictures_do() {
        let mut builder = ModelBuilder::default();
        let timing = Timing::Frames { count: 60, fps: 60.0 };
        let animation = Animation { looping: true, timing, ..Animation::default() };
        let id = builder.animation(animation);
        let model = builder.build();
        for rate in [24.0, 60.0, 144.0] {
            let mut player = Player::default();
            player.show(&model, Some(id));
            player.set_dynamics(Some(Dynamics::default()));
            (0..(rate * 1.5) as usize).for_each(|_| player.advance(1.0 / rate));
            let steps = player.steps.as_ref().map_or(0, |steps| steps.due.len());
            assert!((89..=90).contains(&steps), "{steps} steps at {rate} Hz");
            player.seek(3.0);
            let steps = player.steps.as_ref().expect("they are on");
            assert!(steps.due.is_empty() && steps.is_replay_due);
        }
    }
}
