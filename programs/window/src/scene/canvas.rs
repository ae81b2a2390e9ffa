//! The canvas: how the character is looked at, and how it is drawn.

use super::camera::Camera;
use super::fitted::{Fitted, Growth, Surroundings};
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
    /// The view is to be fitted as soon as the canvas is laid out: the command before may have changed its size.
    pub is_fit_requested: bool,
    /// The view that was fitted last.
    pub fitted: Option<Fitted>,
    /// The fitted view grows to show more.
    growth: Option<Growth>,
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
            is_fit_requested: false,
            fitted: None,
            growth: None,
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
        (self.fitted, self.growth) = (None, None);
    }

    /// Returns the view. A fitted one stays in its place while panels are opened and closed around the canvas, and as
    /// long as it shows all of `content`; then it grows.
    pub fn view(&mut self, content: Rect, pixel_art: bool) -> View {
        if self.camera != Camera::Fit {
            (self.fitted, self.growth) = (None, None);
            return self.camera.view(self.size, content, pixel_art);
        }
        let view = self.fitted_view(content, pixel_art);
        self.growth.as_ref().map_or(view, |growth| growth.view(&view))
    }

    fn fitted_view(&mut self, content: Rect, pixel_art: bool) -> View {
        let refitted = self.camera.view(self.size, content, pixel_art);
        let hold = |fitted: Fitted| Some((fitted, fitted.held(self.around, self.corner, refitted)?));
        let held = self.fitted.and_then(hold);
        if let Some((fitted, view)) = held {
            let shows = |view: View| view.world().union(content) == view.world();
            if content == fitted.content || !self.fits_animation && shows(view) {
                // Otherwise it would be cut off as soon as the panels are as before.
                let is_outgrown = content != fitted.content && !shows(fitted.view);
                self.fitted = Some(match is_outgrown {
                    true => Fitted { view, content, corner: self.corner, around: self.around },
                    false => Fitted { content, ..fitted },
                });
                return view;
            }
            let shown = self.growth.as_ref().map_or(view, |growth| growth.view(&view));
            self.growth = (!self.fits_animation && Camera::reaches(content)).then(|| Growth::from(shown));
        }
        self.fitted = Some(Fitted { view: refitted, content, corner: self.corner, around: self.around });
        refitted
    }

    /// Goes on with the growth of the view. Call it once per frame with the time in seconds.
    pub fn advance(&mut self, now: f64) {
        self.growth = self.growth.take().and_then(|growth| growth.advanced(now));
    }

    /// Returns true until the view has grown.
    pub fn is_growing(&self) -> bool {
        self.growth.is_some()
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
