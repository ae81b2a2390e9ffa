//! What is around the character: the picture behind it, and its picture for the clipboard.

use super::underlay::{Placement, Underlay};
use crate::draw::Picture;
use crate::error::Result;
use crate::viewer::app::screenshot;
use crate::viewer::app::state::State;
use crate::viewer::scene;

impl State {
    /// Shows a picture that was read behind the character, or says why it could not be read.
    pub fn lay_under(&mut self, read: Result<Underlay>) {
        match read {
            Ok(underlay) => {
                let placement = Placement::amid(self.content());
                self.notify(format!("{} is shown behind the character", underlay.name));
                self.underlay = Some(Underlay { placement, ..underlay });
            }
            Err(error) => self.notify_error(format!("Cannot show the picture: {error}")),
        }
    }

    /// Returns the picture of the canvas with straight alpha, as it is saved and copied; `None` if there is no
    /// character.
    pub fn screenshot(&mut self) -> Option<Picture> {
        let scene = self.scene()?;
        Some(screenshot::straight(scene::picture(&scene, self.background)))
    }
}
