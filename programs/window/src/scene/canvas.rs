//! The canvas: how the character is looked at, and how it is drawn.

use super::camera::Camera;
use super::fitted::{Fitted, Surroundings};
use super::loaded::Loaded;
use super::skinned::SkinnedBuffers;
use pchr::draw::{Antialias, Filter, View};
use pchr::math::Rect;

/// How the character is looked at, and how it is drawn.
#[derive(Debug)]
pub struct Canvas {
    /// The visible part of the world.
    pub camera: Camera,
    /// The view is fitted to the shown animation, not to all of them.
    pub fits_animation: bool,
    /// The view that was fitted last.
    fitted: Option<Fitted>,
    /// Size of the canvas in physical pixels, as last laid out.
    pub size: [u32; 2],
    /// Position of the canvas in the window, in physical pixels, as last laid out.
    pub corner: [i32; 2],
    /// What surrounds the canvas.
    pub around: Surroundings,
    /// Pixels of the canvas per point.
    pub pixels_per_point: f32,
    /// Sampling of textures.
    pub filter: Filter,
    /// Antialiasing; `None`: chosen by the zoom.
    pub antialias: Option<Antialias>,
    /// Drawing is slow on this machine: do no more than necessary during motion.
    pub is_slow: bool,
    /// The character is not drawn because that would take too long.
    pub is_too_heavy: bool,
    /// Buffers for what is painted over the character.
    pub skinned: SkinnedBuffers,
}

impl Canvas {
    /// Returns a canvas that fits the character, with these settings.
    pub fn new(filter: Filter, antialias: Option<Antialias>) -> Self {
        Self {
            camera: Camera::Fit,
            fits_animation: false,
            fitted: None,
            size: [1, 1],
            corner: [0, 0],
            around: Surroundings::default(),
            pixels_per_point: 1.0,
            filter,
            antialias,
            is_slow: false,
            is_too_heavy: false,
            skinned: SkinnedBuffers::default(),
        }
    }

    /// Fits the view again, to the size that the canvas has now.
    pub fn fit(&mut self) {
        self.camera = Camera::Fit;
        self.fitted = None;
    }

    /// Returns the view. A fitted one stays in its place while panels are opened and closed around the canvas.
    pub fn view(&mut self, content: Rect, pixel_art: bool) -> View {
        if let Some(fitted) = self.fitted.filter(|fitted| fitted.is_held(self.around, content))
            && self.camera == Camera::Fit
        {
            return fitted.seen_from(self.corner, self.size, content);
        }
        let view = self.camera.view(self.size, content, pixel_art);
        let is_fitted = self.camera == Camera::Fit;
        self.fitted = is_fitted.then_some(Fitted { view, content, corner: self.corner, around: self.around });
        view
    }

    /// Returns true if the character is shown at this scale.
    pub fn is_zoomed_to(&self, wanted: f32) -> bool {
        matches!(self.camera, Camera::Free { scale, .. } if scale == wanted)
    }
}

/// Returns the colours of both squares of the checkerboard behind `loaded` in a dark or a light window, chosen for
/// contrast.
pub fn squares(loaded: Option<&Loaded>, is_dark: bool) -> [[u8; 3]; 2] {
    use super::checkerboard::Squares;
    let tones = loaded.and_then(Loaded::tones);
    tones.map_or(Squares::default_for(is_dark), |tones| tones.squares(is_dark)).colors(is_dark)
}
