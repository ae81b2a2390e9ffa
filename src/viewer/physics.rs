//! Whether physics is shown.

use super::state::State;
use crate::motion::has_physics;

impl State {
    /// Whether something of what is shown can swing.
    pub fn has_physics(&self) -> bool {
        self.loaded().is_some_and(|loaded| has_physics(&loaded.character))
    }

    /// Shows what swings, or not.
    pub fn toggle_physics(&mut self) {
        if self.loaded().is_some() && !self.has_physics() {
            return self.notify("Nothing in this file swings");
        }
        self.physics = !self.physics;
        self.follow_physics();
    }

    /// Applies the choice to the animator.
    pub(super) fn follow_physics(&mut self) {
        self.animator.set_physics(self.physics);
    }

    /// Who asked for something that is not there is told so.
    pub(super) fn tell_missing_physics(&mut self) {
        let is_missing = self.physics && self.loaded().is_some() && !self.has_physics();
        if let (true, Some(document), None) = (is_missing, self.current(), &self.notice) {
            self.notify(format!("Nothing in {} swings, so physics changes nothing", document.name()));
        }
    }
}
