//! The time axis, which the ruler, the dopesheet and the curves share.

use egui::{Rangef, Rect, Ui};

use crate::timeline::Zoom;
use crate::widgets::wheel_factor;
use pchr::Animator;

/// Horizontal margin of the time axis in points; on the right also the width of a scroll bar.
pub const MARGIN: f32 = 10.0;
/// Says why there is nothing along the axis.
pub const NOTHING_PLAYS: &str = "No animation is shown";

/// Frames laid out along a line.
///
/// A position is a time in frames, possibly between two of them. An `x` is a place on the screen in points.
#[derive(Debug, Clone, Copy)]
pub struct Axis {
    /// Extent in points.
    pub track: Rangef,
    /// Number of frames.
    pub frames: u32,
    /// Length in frames, possibly fractional.
    pub length: f64,
    /// Keys are between frames, not in them.
    pub is_keyed: bool,
    /// The visible part in frames.
    start: f64,
    end: f64,
}

impl Axis {
    /// Lays out the visible part of what is played within `track`.
    pub fn new(track: Rangef, animator: &Animator, zoom: Zoom) -> Self {
        let playback = animator.playback(0);
        Self::of(track, playback.frame_count(), playback.length(), playback.is_keyed(), zoom)
    }

    /// Lays out an animation of `frames` frames.
    pub fn of(track: Rangef, frames: u32, length: f64, is_keyed: bool, zoom: Zoom) -> Self {
        // A still picture is shown as one cell.
        let (start, end) = zoom.visible(if length > 0.0 { length } else { 1.0 });
        Self { track, frames, length, is_keyed, start, end }
    }

    /// Returns the width of a frame in points.
    pub fn frame_width(&self) -> f32 {
        (f64::from(self.width()) / (self.end - self.start)) as f32
    }

    fn width(&self) -> f32 {
        self.track.span().max(0.0)
    }

    /// Returns the visible part in frames.
    pub fn visible(&self) -> (f64, f64) {
        (self.start, self.end)
    }

    /// Returns the place of a position.
    pub fn x_of(&self, position: f64) -> f32 {
        let whole = if self.length > 0.0 { self.length } else { 1.0 };
        let share = (position.min(whole) - self.start) / (self.end - self.start);
        self.track.min + (f64::from(self.width()) * share) as f32
    }

    /// Returns the position at `x`, which may be outside the animation.
    pub fn unclamped_position_at(&self, x: f32) -> f64 {
        let share = f64::from((x - self.track.min) / self.width().max(1.0));
        self.start + share * (self.end - self.start)
    }

    /// Returns the position at `x`, or the closest visible one in the animation.
    pub fn position_at(&self, x: f32) -> f64 {
        self.unclamped_position_at(x).clamp(self.start, self.end).min(self.length)
    }

    /// Returns the part of `area` that belongs to the axis, with its margins.
    pub fn part_of(&self, area: Rect) -> Rect {
        Rect::from_x_y_ranges(self.track.min - MARGIN..=area.right(), area.y_range())
    }

    /// Returns the frame whose line is closest to `x`.
    pub fn nearest_frame_at(&self, x: f32) -> u32 {
        (self.position_at(x).round() as u32).min(self.frames.saturating_sub(1))
    }

    /// Returns the position to seek to for a click at `x`: a frame, or any position if it `is_free` and frames are blended.
    pub fn seek_position_at(&self, x: f32, animator: &Animator, is_free: bool) -> f64 {
        let is_exact = is_free && (animator.interpolates() || self.is_keyed);
        if is_exact { self.position_at(x) } else { self.nearest_frame_at(x).into() }
    }
}

/// Returns true while the pointer may go between frames.
pub fn is_free(ui: &Ui) -> bool {
    ui.input(|input| input.modifiers.shift)
}

/// Magnifies with the wheel and Ctrl, or with the wheel alone if it does not scroll, and pans with a horizontal wheel or
/// Shift, while the pointer is over the timeline.
pub fn follow_wheel(ui: &Ui, axis: &Axis, zoom: &mut Zoom, scrolls: bool) {
    let Some(pointer) = ui.input(|input| input.pointer.hover_pos()) else { return };
    let (zoomed, turned, is_value) =
        ui.input(|input| (input.zoom_delta(), input.smooth_scroll_delta(), input.modifiers.alt));
    let factor = if scrolls || is_value { zoomed } else { zoomed * wheel_factor(turned.y) };
    let scroll = turned.x;
    let width = axis.track.span().max(1.0);
    if factor != 1.0 {
        zoom.magnify(factor.into(), f64::from((pointer.x - axis.track.min) / width).clamp(0.0, 1.0), axis.length);
    }
    if scroll != 0.0 {
        zoom.pan(f64::from(-scroll / width));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pixel_of_the_ruler_is_a_frame_that_exists() {
        for frames in [1, 2, 24, 65_535] {
            let axis = Axis::of(Rangef::new(10.0, 710.0), frames, frames.into(), false, Zoom::default());
            assert_eq!((axis.nearest_frame_at(-50.0), axis.nearest_frame_at(900.0)), (0, frames - 1));
            for frame in [0, frames / 2, frames - 1] {
                for beside in [-0.4, 0.0, 0.4] {
                    assert_eq!(axis.nearest_frame_at(axis.x_of(f64::from(frame) + beside)), frame, "{frames}");
                }
            }
        }
    }

    #[test]
    fn a_magnified_ruler_shows_a_part_of_the_frames() {
        let mut zoom = Zoom::default();
        zoom.magnify(4.0, 0.5, 100.0);
        let axis = Axis::of(Rangef::new(0.0, 100.0), 100, 100.0, false, zoom);
        assert_eq!(
            (axis.nearest_frame_at(-5.0), axis.nearest_frame_at(50.0), axis.nearest_frame_at(500.0)),
            (38, 50, 63)
        );
        assert_eq!((axis.frame_width(), axis.x_of(50.0)), (4.0, 50.0));
    }
}
