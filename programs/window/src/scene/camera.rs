//! The camera: the part of the world shown on the canvas.
//!
//! A zoom of 1 is one physical screen pixel per world pixel, regardless of the system's scaling, so that pixels
//! stay sharp.

use pchr::draw::View;
use pchr::math::{Rect, Vec2, vec2};

/// The camera's position and zoom.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Camera {
    /// Shows all of the content, whatever the size of the canvas.
    Fit,
    /// Shows a given point at the centre of the canvas.
    Free {
        /// The point in world pixels, y up.
        center: Vec2,
        /// Screen pixels per world pixel.
        scale: f32,
    },
}

impl Camera {
    /// The maximum zoom.
    pub const MAX_SCALE: f32 = 256.0;
    /// The minimum zoom.
    pub const MIN_SCALE: f32 = 1.0 / 256.0;

    /// The largest distance from the origin: farther out, single-precision numbers lose their resolution, and there would
    /// be no way back.
    const FAR: f32 = 1e7;

    /// Margin that [`Self::Fit`] leaves around the content, as a fraction of the canvas' smaller side.
    const MARGIN: f32 = 0.06;

    /// Zoom levels that the keys step through.
    const STEPS: [f32; 21] = [
        0.01, 0.02, 0.05, 0.1, 0.16, 0.25, 0.33, 0.5, 0.66, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0, 8.0, 12.0, 16.0, 32.0,
        64.0, 128.0,
    ];

    /// Returns the view for a canvas of `size` physical pixels; sides of 0 count as 1. Pixel art is enlarged by
    /// whole factors only, which keeps its pixels square and sharp.
    pub fn view(self, size: [u32; 2], content: Rect, pixel_art: bool) -> View {
        let [width, height] = size.map(|side| side.max(1));
        let (center, scale) = match self {
            Self::Fit => fit([width, height], content, pixel_art),
            Self::Free { center, scale } => (center, shown_scale(scale, pixel_art)),
        };
        // Aligning the corner to a whole pixel leaves pictures at 100 % untouched, and nothing shimmers while the
        // view is dragged.
        let half = vec2(width as f32, height as f32) * 0.5;
        let corner = (vec2(center.x, -center.y) * scale - half).round();
        View::new(width, height, vec2(corner.x, -corner.y) / scale, scale)
    }

    /// Moves the content by `delta` screen pixels, y down. `view` is the camera's current view.
    #[must_use]
    pub fn panned(self, view: &View, delta: Vec2) -> Self {
        let center = self.center(view) - vec2(delta.x, -delta.y) / view.scale();
        Self::free(center, view.scale())
    }

    /// Zooms by `factor` and keeps the content under `pixel` in place.
    #[must_use]
    pub fn zoomed(self, view: &View, factor: f32, pixel: Vec2, pixel_art: bool) -> Self {
        let before = match self {
            Self::Fit => view.scale(),
            Self::Free { scale, .. } => scale,
        };
        let scale = (before * factor).clamp(Self::MIN_SCALE, Self::MAX_SCALE);
        let shown = shown_scale(scale, pixel_art);
        let across = pixel - vec2(view.width() as f32, view.height() as f32) * 0.5;
        let up = vec2(across.x, -across.y);
        // Starts from the camera's own centre, which is not rounded, so that small steps do not accumulate drift.
        Self::free(self.center(view) + up / view.scale() - up / shown, scale)
    }

    /// Steps to the next zoom level around the centre.
    #[must_use]
    pub fn stepped(self, view: &View, larger: bool) -> Self {
        let scale = view.scale();
        let next = if larger {
            Self::STEPS.into_iter().find(|&step| step > scale * 1.01).unwrap_or(Self::MAX_SCALE)
        } else {
            Self::STEPS.into_iter().rfind(|&step| step < scale * 0.99).unwrap_or(Self::MIN_SCALE)
        };
        Self::free(self.center(view), next)
    }

    /// Zooms to `scale` screen pixels per world pixel around the centre.
    #[must_use]
    pub fn scaled(self, view: &View, scale: f32) -> Self {
        Self::free(self.center(view), scale)
    }

    /// Shows `area` on the canvas of `view`.
    #[must_use]
    pub fn around(view: &View, area: Rect, pixel_art: bool) -> Self {
        let (center, scale) = fit([view.width(), view.height()], area, pixel_art);
        Self::free(center, scale)
    }

    fn center(self, view: &View) -> Vec2 {
        match self {
            Self::Fit => view.world().center(),
            Self::Free { center, .. } => center,
        }
    }

    /// Returns true if the camera can show all of `area`. Beside a damaged character that is farther away, no other would be
    /// visible.
    pub fn reaches(area: Rect) -> bool {
        [area.min, area.max].into_iter().all(|it| it.is_finite() && it.abs().max_element() <= Self::FAR)
    }

    /// Limits the distance from the origin.
    fn free(center: Vec2, scale: f32) -> Self {
        let far = Vec2::splat(Self::FAR);
        let center = if center.is_finite() { center.clamp(-far, far) } else { Vec2::ZERO };
        Self::Free { center, scale }
    }
}

/// Rounds the zoom of pixel art: small steps of a wheel accumulate to the next whole factor.
fn shown_scale(scale: f32, pixel_art: bool) -> f32 {
    if pixel_art && scale >= 1.0 { scale.round() } else { scale }
}

fn fit(size: [u32; 2], content: Rect, pixel_art: bool) -> (Vec2, f32) {
    if content.is_empty() || !content.size().is_finite() {
        return (Vec2::ZERO, 1.0);
    }
    let size = vec2(size[0] as f32, size[1] as f32);
    let room = (size - size.min_element() * Camera::MARGIN * 2.0).max(Vec2::ONE);
    let scale = (room / content.size()).min_element().clamp(Camera::MIN_SCALE, Camera::MAX_SCALE);
    let scale = if pixel_art && scale >= 1.0 { scale.floor() } else { scale };
    (content.center(), scale)
}

#[cfg(test)]
mod tests {
    use super::*;

    const CONTENT: Rect = Rect { min: vec2(-50.0, 0.0), max: vec2(50.0, 300.0) };

    #[test]
    fn fit_shows_everything_with_a_margin() {
        for size in [[800, 600], [300, 900], [64, 64]] {
            let world = Camera::Fit.view(size, CONTENT, false).world();
            assert_eq!(world.union(CONTENT), world, "{size:?}");
        }
    }

    #[test]
    fn pixel_art_is_magnified_by_whole_factors() {
        let content = Rect { min: vec2(0.0, 0.0), max: vec2(16.0, 16.0) };
        assert_eq!(Camera::Fit.view([500, 500], content, true).scale(), 27.0);
        assert!(Camera::Fit.view([8, 8], content, true).scale() < 1.0);
        let (mut camera, pixel) = (Camera::Fit, vec2(20.0, 30.0));
        for _ in 0..20 {
            let view = camera.view([500, 500], content, true);
            assert_eq!(view.scale().fract(), 0.0);
            camera = camera.zoomed(&view, 1.03, pixel, true);
        }
        assert_eq!(camera.view([500, 500], content, true).scale(), 49.0);
    }

    #[test]
    fn zooming_keeps_the_point_under_the_pointer() {
        let (mut camera, size) = (Camera::Fit, [800, 600]);
        let pixel = vec2(123.0, 456.0);
        let under = camera.view(size, CONTENT, false).world_from_pixel(pixel);
        for step in 0..400 {
            let factor = if step % 40 < 20 { 1.07 } else { 0.94 };
            camera = camera.zoomed(&camera.view(size, CONTENT, false), factor, pixel, false);
            let moved = camera.view(size, CONTENT, false).pixel_from_world(under) - pixel;
            // The corner is rounded to a whole pixel before the first step and after the last.
            assert!(moved.abs().max_element() <= 1.01, "{moved} px at step {step}");
        }
    }

    #[test]
    fn at_actual_size_pixels_are_aligned() {
        let free = Camera::Free { center: vec2(0.3, 0.7), scale: 1.0 };
        let world = free.view([101, 100], CONTENT, false).world();
        assert_eq!((world.min.x.fract(), world.max.y.fract()), (0.0, 0.0));
    }

    #[test]
    fn dragging_moves_the_world_with_the_pointer() {
        let camera = Camera::Free { center: vec2(0.0, 0.0), scale: 2.0 };
        let moved = camera.panned(&camera.view([100, 100], CONTENT, false), vec2(10.0, 20.0));
        assert_eq!(moved, Camera::Free { center: vec2(-5.0, 10.0), scale: 2.0 });
    }

    #[test]
    fn zoom_stays_within_bounds() {
        let mut camera = Camera::Fit;
        for larger in [true, false] {
            for _ in 0..50 {
                camera = camera.stepped(&camera.view([80, 60], CONTENT, false), larger);
            }
            let expected = if larger { Camera::MAX_SCALE } else { Camera::MIN_SCALE };
            assert_eq!(camera.view([80, 60], CONTENT, false).scale(), expected);
        }
    }

    #[test]
    fn an_empty_character_is_viewed_from_the_origin() {
        let view = Camera::Fit.view([100, 100], Rect::NOTHING, false);
        assert_eq!((view.world().center(), view.scale()), (Vec2::ZERO, 1.0));
    }
}
