//! The bar of an animation on its track, to scale: its length, how it fades in, and the playhead.

use egui::{Painter, Rect, Shape, Stroke, pos2};

use crate::player::Playback;
use crate::viewer::theme::Palette;

/// Width of the playhead in points.
const PLAYHEAD: f32 = 2.0;

/// Paints the bar of `playback` into `lane`, which `longest` seconds fill.
pub fn paint(painter: &Painter, lane: Rect, playback: &Playback, longest: f64, palette: &Palette) {
    let duration = playback.duration_secs();
    if playback.animation().is_none() || !(duration > 0.0 && longest >= duration) {
        return;
    }
    let x_of = |secs: f64| lane.left() + lane.width() * (secs / longest).clamp(0.0, 1.0) as f32;
    let whole = lane.with_max_x(x_of(duration));
    painter.rect_filled(whole, 5.0, palette.line.gamma_multiply(0.35));
    let progress = (playback.position() / playback.length().max(f64::MIN_POSITIVE)).clamp(0.0, 1.0);
    let now = x_of(progress * duration);
    painter.rect_filled(whole.with_max_x(now), 5.0, palette.accent_faint);
    let fade = playback.fade_secs();
    if playback.mix() < 1.0 && fade > 0.0 {
        // The weight rises over the fade, and is filled as far as it has come.
        let ramp = |share: f64| {
            let share = share.clamp(0.0, 1.0);
            let top = lane.bottom() - lane.height() * share as f32;
            (x_of(fade * share), top)
        };
        let ((end, top), (x, y)) = (ramp(1.0), ramp(playback.mix()));
        let from = pos2(lane.left(), lane.bottom());
        let done = vec![from, pos2(x, y), pos2(x, lane.bottom())];
        painter.add(Shape::convex_polygon(done, palette.accent.gamma_multiply(0.35), Stroke::NONE));
        painter.line_segment([from, pos2(end, top)], Stroke::new(1.0, palette.accent));
    }
    painter.vline(now.min(lane.right() - 1.0), lane.y_range(), Stroke::new(PLAYHEAD, palette.accent));
}
