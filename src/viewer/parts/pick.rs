//! Selects what is drawn under the pointer.

use std::sync::Arc;

use crate::math::Vec2;
use crate::viewer::app::state::State;

impl State {
    /// Selects what [`Picking::pick`](crate::viewer::parts::picking::Picking::pick) finds at `at`, a point of the world, within
    /// `reach` pixels of it, or clears the selection.
    pub fn pick(&mut self, at: Vec2, reach: f32) {
        let mut picking = std::mem::take(&mut self.picking);
        let hidden = Arc::clone(&self.hidden);
        if let Some((model, pose)) = self.posed() {
            self.selected = picking.pick(model, pose, &hidden, at, reach);
        }
        self.picking = picking;
    }
}
