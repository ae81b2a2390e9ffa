//! A window that is too low has no room for all panels that are open. Finds the panel that was just opened and is
//! hidden, for a message to the user.

use super::state::State;
use crate::timeline::Lower;

/// The panels below the canvas that were open in the last frame, whether there was room for them or not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OpenPanels {
    lower: Option<Lower>,
    tracks: bool,
}

/// Which of the open panels had room in a frame.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct VisiblePanels {
    /// The dopesheet or the curves.
    pub lower: bool,
    /// The strip of tracks.
    pub tracks: bool,
}

impl OpenPanels {
    /// Returns the open panels.
    pub fn of(state: &State) -> Self {
        Self { lower: state.timeline.lower, tracks: state.mixer.is_shown }
    }

    /// Returns the name of a panel that was opened since the last frame and is not among the `visible` ones of this
    /// frame.
    pub fn opened_without_room(&mut self, state: &State, visible: VisiblePanels) -> Option<&'static str> {
        let before = std::mem::replace(self, Self::of(state));
        if *self == before || state.loaded().is_none() {
            return None;
        }
        match self.lower.filter(|lower| before.lower != Some(*lower) && !visible.lower) {
            Some(Lower::Dopesheet) => Some("dopesheet"),
            Some(Lower::Curves) => Some("curves"),
            None if self.tracks && !before.tracks && !visible.tracks => Some("tracks"),
            None => None,
        }
    }
}
