//! What swings: whether it is shown.

use super::state::State;
use crate::motion::{Dynamics, has_physics};

impl State {
    /// Whether something of what is shown can swing.
    pub fn has_physics(&self) -> bool {
        self.loaded().is_some_and(|loaded| has_physics(&loaded.character))
    }

    /// Shows what swings, or not.
    pub fn toggle_physics(&mut self) {
        if self.loaded().is_some() && !self.has_physics() {
            return self.tell("Nothing in this file swings");
        }
        self.physics = !self.physics;
        self.follow_physics();
    }

    /// Has the player make steps where they change anything.
    pub(super) fn follow_physics(&mut self) {
        let is_wanted = self.physics && self.has_physics();
        if is_wanted != self.player.has_dynamics() {
            self.player.set_dynamics(is_wanted.then(Dynamics::default));
        }
    }

    /// Who asked for something that is not there is told so.
    pub(super) fn tell_missing_physics(&mut self) {
        let is_missing = self.physics && self.loaded().is_some() && !self.has_physics();
        if let (true, Some(document), None) = (is_missing, self.current(), &self.notice) {
            self.tell(format!("Nothing in {} swings, so physics changes nothing", document.name()));
        }
    }
}
