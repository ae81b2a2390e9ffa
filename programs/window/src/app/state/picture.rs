//! The picture behind the character, screenshots, and the picture for the clipboard.

use super::State;
use crate::app::screenshot;
use crate::overlays::underlay::{Placement, Underlay};
use crate::scene;
use pchr::Result;
use pchr::draw::Picture;

impl State {
    /// Shows a picture that was read behind the character, or says why it could not be read.
    pub fn lay_under(&mut self, read: Result<Underlay>) {
        match read {
            Ok(underlay) => {
                let placement = Placement::amid(self.content());
                self.notify(format!("{} is shown behind the character", underlay.name));
                self.overlays.underlay = Some(Underlay { placement, ..underlay });
            }
            Err(error) => self.notify_error(format!("Cannot show the picture: {error}")),
        }
    }

    /// Returns the picture of the canvas with straight alpha, as it is saved and copied; `None` if there is no
    /// character.
    pub fn screenshot(&mut self) -> Option<Picture> {
        let scene = self.scene()?;
        let scene = self.staged_scene(&scene).unwrap_or(scene);
        Some(screenshot::straight(scene::picture(&scene)))
    }

    /// Saves the canvas in the folder of screenshots.
    pub fn save_screenshot(&mut self) {
        let Some(scene) = self.scene() else {
            self.notify_error("There is nothing to take a screenshot of");
            return;
        };
        let Some(document) = self.current() else { return };
        let name =
            document.path().file_stem().map_or_else(|| document.name(), |stem| stem.to_string_lossy().into());
        let playback = self.playback.animator.playback(0);
        let animation = playback.animation();
        let animation = animation.map_or("bind pose", |id| &scene.character.model().animation(id).name);
        let stem = screenshot::stem(&[&name, animation, &format!("{:04}", playback.frame())]);
        let Some(folder) = self.screenshots.clone().or_else(screenshot::pictures_folder) else {
            return self
                .notify_error("There is no folder of pictures: choose a folder for screenshots in the menu");
        };
        let scene = self.staged_scene(&scene).unwrap_or(scene);
        match screenshot::save(scene::picture(&scene), &folder, &stem) {
            Ok(path) => self.notify_file(path),
            Err(error) => {
                self.notify_error(format!("Cannot save the screenshot in {}: {error}", folder.display()));
            }
        }
    }
}
