//! The picture behind the character in the window, as a background of files.

use super::Export;
use crate::overlays::underlay::Underlay;
use pchr::export::{Background, BackgroundFit, BackgroundPicture, Look};

/// The options for the picture behind the character, at the place where the window shows it.
#[derive(Debug, Clone)]
pub struct ShownUnderlay {
    background: Background,
    fit: BackgroundFit,
    opacity: f32,
}

impl ShownUnderlay {
    /// Returns the options for this picture.
    pub fn of(underlay: &Underlay) -> Self {
        Self {
            background: Background::Picture(BackgroundPicture::new(&underlay.path)),
            fit: BackgroundFit::Rect(underlay.world()),
            opacity: underlay.opacity,
        }
    }
}

impl Export {
    /// Returns the picture that can be chosen as a background, if there is one.
    pub fn background_picture(&self) -> Option<Background> {
        self.underlay.as_ref().map(|underlay| underlay.background.clone())
    }

    /// Places a picture in the background as the window shows it, and removes one that the window does not show.
    pub fn place_background(&mut self) {
        let Look { background, background_fit, background_opacity, .. } = &mut self.options.look;
        if background.file().is_none() {
            return;
        }
        match self.underlay.as_ref().filter(|underlay| underlay.background == *background) {
            Some(underlay) => (*background_fit, *background_opacity) = (underlay.fit, underlay.opacity),
            None => *background = Background::Transparent,
        }
    }
}
