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
    /// Returns the view for a canvas at `corner`; `None` if the window, its division or the canvas itself was resized. After a
    /// change of the open panels, it is `refitted` if the content no longer fits at the same scale.
    pub fn held(&self, around: Surroundings, corner: [i32; 2], refitted: View) -> Option<View> {
        let fixed = |around: Surroundings| (around.window, around.is_halved);
        let size = |view: View| [view.width(), view.height()];
        if fixed(self.around) != fixed(around) {
            return None;
        }
        if self.around.panels != around.panels {
            return Some(self.seen_from(corner, size(refitted)).unwrap_or(refitted));
        }
        (size(self.view) == size(refitted)).then_some(self.view)
    }

    /// Returns the view of the same scale for a canvas of `size` at `corner`; `None` if the content does not fit into
    /// it. The content stays where it is in the window, and moves only as far as it would be cut off.
    fn seen_from(&self, corner: [i32; 2], [width, height]: [u32; 2]) -> Option<View> {
        let moved = vec2((corner[0] - self.corner[0]) as f32, (corner[1] - self.corner[1]) as f32);
        let [lower_left, upper_right] =
            [self.content.min, self.content.max].map(|end| self.view.pixel_from_world(end) - moved);
        let across = inside(lower_left.x, upper_right.x, width as f32)?;
        let down = inside(upper_right.y, lower_left.y, height as f32)?;
        // Whole pixels keep pictures at 100 % sharp.
        let offset: Vec2 = moved - vec2(across, down).floor();
        Some(View::new(width, height, self.view.world_from_pixel(offset), self.view.scale()))
    }
}

/// A fitted view that grows.
#[derive(Debug)]
pub struct Growth {
    from: View,
    /// When it began, in seconds.
    begin: Option<f64>,
    /// How far it is, from 0 to 1.
    progress: f32,
}

impl Growth {
    const SECS: f64 = 0.3;

    /// Returns the growth as it is at `now`, in seconds; `None` at its end. It begins with the first call.
    pub fn advanced(mut self, now: f64) -> Option<Self> {
        let begin = *self.begin.get_or_insert(now);
        self.progress = ((now - begin) / Self::SECS) as f32;
        (self.progress < 1.0).then_some(self)
    }

    /// Returns the view on the way to `target`.
    pub fn view(&self, target: &View) -> View {
        let eased = self.progress * self.progress * (3.0 - 2.0 * self.progress);
        let (from, to) = (self.from.world(), target.world());
        let between = Rect { min: from.min.lerp(to.min, eased), max: from.max.lerp(to.max, eased) };
        View::fit(target.width(), target.height(), between)
    }
}

impl From<View> for Growth {
    fn from(from: View) -> Self {
        Self { from, begin: None, progress: 0.0 }
    }
}

/// Returns how far a range must move to lie within 0 to `size`; `None` if it is longer.
fn inside(from: f32, to: f32, size: f32) -> Option<f32> {
    (to - from <= size).then(|| if from < 0.0 { -from } else { (size - to).min(0.0) })
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
        let seen = fitted(view).seen_from([30, 40], [370, 200]).expect("it fits");
        assert_eq!((seen.width(), seen.height(), seen.scale()), (370, 200, 1.0));
        assert_eq!(seen.pixel_from_world(Vec2::ZERO), vec2(170.0, 190.0));
    }

    #[test]
    fn what_would_be_cut_off_moves_into_the_canvas_or_is_fitted_again() {
        let view = View::new(400, 300, vec2(-200.0, 190.0), 1.0);
        let ground =
            |corner, size| fitted(view).seen_from(corner, size).map(|seen| seen.pixel_from_world(Vec2::ZERO));
        assert_eq!(ground([0, 40], [400, 150]), Some(vec2(200.0, 150.0)));
        assert_eq!(ground([180, 40], [220, 300]), Some(vec2(50.0, 190.0)));
        assert_eq!(ground([0, 40], [400, 60]), None);
        assert_eq!(ground([180, 40], [60, 300]), None);
        let (around, refitted) =
            (Surroundings { panels: 1, ..Surroundings::default() }, View::fit(400, 60, CONTENT));
        assert_eq!(fitted(view).held(around, [0, 40], refitted), Some(refitted));
    }

    #[test]
    fn growth_ends_at_the_target() {
        let (from, to) =
            (View::new(400, 300, vec2(-200.0, 190.0), 1.0), View::new(400, 300, vec2(-300.0, 300.0), 0.5));
        let growth = Growth::from(from).advanced(7.0).expect("it begins");
        assert_eq!(growth.view(&to), from);
        let growth = growth.advanced(7.0 + Growth::SECS / 2.0).expect("it goes on");
        assert_eq!(growth.view(&to).world().min, (from.world().min + to.world().min) * 0.5);
        assert!(growth.advanced(8.0).is_none());
    }
}
