//! A fitted view that keeps its scale and its place in the window while panels open and close around the canvas.

use pchr::draw::View;
use pchr::math::{Rect, Vec2, vec2};

/// What surrounds the canvas.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Surroundings {
    /// Size of the window in physical pixels.
    pub window: [u32; 2],
    /// Panels that are open, one bit each.
    pub panels: u8,
    /// The canvas is divided between two characters.
    pub is_halved: bool,
}

/// A view that was fitted to the content.
#[derive(Debug, Clone, Copy)]
pub struct Fitted {
    /// The view.
    pub view: View,
    /// What it was fitted to.
    pub content: Rect,
    /// Position of the canvas in the window, in physical pixels.
    pub corner: [i32; 2],
    /// What surrounded the canvas.
    pub around: Surroundings,
}

impl Fitted {
    /// Returns true if only the open panels have changed since.
    pub fn is_held(&self, around: Surroundings, content: Rect) -> bool {
        let fixed = |around: Surroundings| (around.window, around.is_halved);
        self.content == content && fixed(self.around) == fixed(around) && self.around.panels != around.panels
    }

    /// Returns the view for a canvas of `size` at `corner`. The content stays where it is in the window, and moves only
    /// as far as it would be cut off; the ground is more important than what is above.
    pub fn seen_from(&self, corner: [i32; 2], size: [u32; 2], content: Rect) -> View {
        let [width, height] = size.map(|side| side.max(1));
        let moved = vec2((corner[0] - self.corner[0]) as f32, (corner[1] - self.corner[1]) as f32);
        let ends = [content.min, content.max].map(|end| self.view.pixel_from_world(end) - moved);
        let (left, right) = (ends[0].x, ends[1].x);
        let (top, bottom) = (ends[1].y, ends[0].y);
        let (width_f, height_f) = (width as f32, height as f32);
        let across = match right - left <= width_f {
            true => inside(left, right, width_f),
            false => (width_f - left - right) * 0.5,
        };
        let down = match bottom - top <= height_f {
            true => inside(top, bottom, height_f),
            false => height_f - bottom,
        };
        // Whole pixels keep pictures at 100 % sharp.
        let offset: Vec2 = moved - vec2(across, down).round();
        View::new(width, height, self.view.world_from_pixel(offset), self.view.scale())
    }
}

/// Returns how far a range must move to lie within 0 to `size`.
fn inside(from: f32, to: f32, size: f32) -> f32 {
    if from < 0.0 { -from } else { (size - to).min(0.0) }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CONTENT: Rect = Rect { min: Vec2::new(-50.0, 0.0), max: Vec2::new(50.0, 100.0) };

    fn fitted(view: View) -> Fitted {
        Fitted { view, content: CONTENT, corner: [0, 40], around: Surroundings::default() }
    }

    #[test]
    fn the_content_stays_in_its_place_in_the_window() {
        // The ground is at the pixel (200, 190) of the canvas.
        let view = View::new(400, 300, vec2(-200.0, 190.0), 1.0);
        let seen = fitted(view).seen_from([30, 40], [370, 200], CONTENT);
        assert_eq!((seen.width(), seen.height(), seen.scale()), (370, 200, 1.0));
        assert_eq!(seen.pixel_from_world(Vec2::ZERO), vec2(170.0, 190.0));
    }

    #[test]
    fn what_would_be_cut_off_moves_into_the_canvas() {
        let view = View::new(400, 300, vec2(-200.0, 190.0), 1.0);
        let seen = fitted(view).seen_from([0, 40], [400, 150], CONTENT);
        assert_eq!(seen.pixel_from_world(Vec2::ZERO), vec2(200.0, 150.0));
        let seen = fitted(view).seen_from([0, 40], [400, 60], CONTENT);
        assert_eq!(seen.pixel_from_world(Vec2::ZERO), vec2(200.0, 60.0), "the ground stays visible");
        let seen = fitted(view).seen_from([180, 40], [220, 300], CONTENT);
        assert_eq!(seen.pixel_from_world(Vec2::ZERO), vec2(50.0, 190.0));
        let seen = fitted(view).seen_from([180, 40], [60, 300], CONTENT);
        assert_eq!(seen.pixel_from_world(Vec2::ZERO), vec2(30.0, 190.0), "it is centred");
    }
}
