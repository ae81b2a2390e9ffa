//! The parts of the canvas that show the characters of a comparison. Points, aligned to physical pixels.

use egui::{Pos2, Rect, vec2};

use super::{Arrangement, Compare};

/// Distance between the panes side by side, in points.
const GAP: f32 = 4.0;

/// Where the characters are shown. Both pictures have the same size.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Panes {
    /// The pictures of both characters.
    pub pictures: [Rect; 2],
    /// The visible part of each; nothing of the second if there is none.
    pub visible: [Rect; 2],
}

impl Panes {
    /// Divides the canvas `whole`, whose corners are aligned to pixels. An earlier version is left of the later one.
    pub fn new(compare: &Compare, whole: Rect, pixels_per_point: f32) -> Self {
        let mut panes = Self::in_order(compare, whole, pixels_per_point);
        let is_divided = matches!(compare.shown(), Some(Arrangement::SideBySide | Arrangement::Swipe));
        if is_divided && compare.is_review() {
            panes.pictures.reverse();
            panes.visible.reverse();
        }
        panes
    }

    fn in_order(compare: &Compare, whole: Rect, pixels_per_point: f32) -> Self {
        let pixels = |points: f32| (points * pixels_per_point).round() / pixels_per_point;
        match compare.shown() {
            Some(Arrangement::Onion) => Self { pictures: [whole; 2], visible: [whole; 2] },
            Some(Arrangement::Blink) if compare.sees_second => {
                Self { pictures: [whole; 2], visible: [Rect::NOTHING, whole] }
            }
            None | Some(Arrangement::Difference | Arrangement::Blink) => {
                Self { pictures: [whole; 2], visible: [whole, Rect::NOTHING] }
            }
            Some(Arrangement::SideBySide) => {
                let width = ((whole.width() - GAP) * 0.5 * pixels_per_point).floor().max(1.0) / pixels_per_point;
                let size = vec2(width, whole.height());
                let right = Rect::from_min_size(egui::pos2(whole.right() - width, whole.top()), size);
                let panes = [Rect::from_min_size(whole.min, size), right];
                Self { pictures: panes, visible: panes }
            }
            Some(Arrangement::Swipe) => {
                let divider = whole.left() + pixels(whole.width() * compare.divider);
                let (left, right) = whole.split_left_right_at_x(divider);
                Self { pictures: [whole; 2], visible: [left, right] }
            }
        }
    }

    /// Moves a point of the second picture to the same point of the first.
    pub fn in_first(&self, point: Pos2) -> Pos2 {
        let [first, second] = self.pictures;
        if second.contains(point) && !first.contains(point) { point + (first.min - second.min) } else { point }
    }
}
