//! Tells the user why something that was just opened cannot be seen: the window is too low.

use super::state::State;
use crate::timeline::Lower;

/// Open panels, whether they fit into the window or not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Open {
    lower: Option<Lower>,
    tracks: bool,
}

/// Open panels that fit into the window.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Fitting {
    /// The dopesheet or the curves.
    pub lower: bool,
    /// The strip of tracks.
    pub tracks: bool,
}

impl Open {
    /// Returns the open panels.
    pub fn of(state: &State) -> Self {
        Self { lower: state.timeline.lower, tracks: state.mixer.is_shown }
    }

    /// Follows the state after a frame in which `fitting` was laid out. Returns the panel that was opened since the last
    /// frame and does not fit.
    pub fn follow(&mut self, state: &State, fitting: Fitting) -> Option<&'static str> {
        let before = std::mem::replace(self, Self::of(state));
        if *self == before || state.loaded().is_none() {
            return None;
        }
        match self.lower.filter(|lower| before.lower != Some(*lower) && !fitting.lower) {
            Some(Lower::Dopesheet) => Some("dopesheet"),
            Some(Lower::Curves) => Some("curves"),
            None if self.tracks && !before.tracks && !fitting.tracks => Some("tracks"),
            None => None,
        }
    }
}
