//! The bar of an animation on its track, to scale: its length, how it fades in, and the playhead.

use egui::{Painter, Rangef, Rect, Shape, Stroke, Vec2, pos2, vec2};

use crate::widgets::theme::Palette;
use pchr::player::Playback;

/// Size of the playhead in points.
const PLAYHEAD: Vec2 = vec2(2.0, 7.0);

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
        let from = pos2(lane.left(), lane.bottom());
        for (share, strength) in [(1.0, 0.2), (playback.mix(), 0.3)] {
            let (x, y) = ramp(share);
            let area = vec![from, pos2(x, y), pos2(x, lane.bottom())];
            painter.add(Shape::convex_polygon(area, palette.accent.gamma_multiply(strength), Stroke::NONE));
        }
    }
    // Below the text, which it would cross out.
    let bottom = Rangef::new(lane.bottom() - PLAYHEAD.y, lane.bottom());
    painter.vline(now.min(lane.right() - 1.0), bottom, Stroke::new(PLAYHEAD.x, palette.accent));
}
