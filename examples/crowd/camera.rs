//! The camera of the window: zoomed with the wheel, moved by dragging.

use pchr::draw::View;
use pchr::math::Vec2;

const STEP: f32 = 1.2;
const SMALLEST: f32 = 0.5;
const LARGEST: f32 = 500.0;

/// Changes a view of the whole crowd.
pub struct Camera {
    zoom: f32,
    /// How far the middle was moved, in the world.
    moved: Vec2,
    /// The pixel that the mouse points at.
    pointer: Vec2,
    pub is_dragging: bool,
}

impl Default for Camera {
    fn default() -> Self {
        Self { zoom: 1.0, moved: Vec2::ZERO, pointer: Vec2::ZERO, is_dragging: false }
    }
}

impl Camera {
    pub fn view(&self, fit: View) -> View {
        let center = fit.world().center() + self.moved;
        View::centered(fit.width(), fit.height(), center, fit.scale() * self.zoom)
    }

    /// Shows the whole crowd again.
    pub fn reset(&mut self) {
        (self.zoom, self.moved) = (1.0, Vec2::ZERO);
    }

    /// Moves the mouse.
    pub fn point(&mut self, fit: View, pixel: Vec2) {
        if self.is_dragging {
            let view = self.view(fit);
            self.moved += view.world_from_pixel(self.pointer) - view.world_from_pixel(pixel);
        }
        self.pointer = pixel;
    }

    /// Zooms by a number of steps. What the mouse points at stays there.
    pub fn zoom(&mut self, fit: View, steps: f32) {
        let before = self.view(fit).world_from_pixel(self.pointer);
        let (factor, count) = (if steps < 0.0 { 1.0 / STEP } else { STEP }, steps.abs());
        // Part of a step counts in proportion.
        for step in 0..count.ceil().min(20.0) as u32 {
            self.zoom *= 1.0 + (factor - 1.0) * (count - step as f32).min(1.0);
        }
        self.zoom = self.zoom.clamp(SMALLEST, LARGEST);
        self.moved += before - self.view(fit).world_from_pixel(self.pointer);
    }
}
