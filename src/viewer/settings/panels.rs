//! The panels around the canvas.

use serde::{Deserialize, Serialize};

use crate::viewer::state::State;

/// Which panels are shown.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct PanelSettings {
    /// The lists and controls around the canvas are shown.
    pub shown: bool,
    /// The pages of sprite sheets are shown.
    pub sheet: bool,
}

impl Default for PanelSettings {
    fn default() -> Self {
        Self { shown: true, sheet: true }
    }
}

impl PanelSettings {
    pub(super) fn of(state: &State) -> Self {
        Self { shown: state.panels, sheet: state.sheet.is_shown }
    }

    pub(super) fn apply(&self, state: &mut State) {
        state.panels = self.shown;
        state.sheet.is_shown = self.sheet;
    }
}
