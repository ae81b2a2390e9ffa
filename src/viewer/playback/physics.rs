//! The physics setting.

use super::physics_choice::choice;
use crate::motion::{has_physics, plays_physics};
use crate::viewer::app::state::State;

impl State {
    /// Returns true if the shown character has physics.
    pub fn has_physics(&self) -> bool {
        self.loaded().is_some_and(|loaded| has_physics(&loaded.character))
    }

    /// Returns true if the shown character has physics and it is simulated: as chosen, or by default for its format.
    pub fn plays_physics(&self) -> bool {
        self.loaded().is_some_and(|loaded| plays_physics(&loaded.character, self.physics))
    }

    /// Enables or disables physics.
    pub fn toggle_physics(&mut self) {
        let Some(loaded) = self.loaded() else { return };
        if !self.has_physics() {
            return self.notify("This file has no physics");
        }
        self.physics = choice(&loaded.character, !self.plays_physics());
        self.apply_physics();
    }

    /// Applies the setting to the animator.
    pub fn apply_physics(&mut self) {
        self.animator.set_physics(self.plays_physics());
    }

    /// Tells the user if physics was requested but the file has none.
    pub fn notify_missing_physics(&mut self) {
        let is_missing = self.physics == Some(true) && self.loaded().is_some() && !self.has_physics();
        if let (true, Some(document), None) = (is_missing, self.current(), &self.notice) {
            self.notify(format!("{} has no physics", document.name()));
        }
    }
}
