//! The events that have just fired, at the bottom of the canvas.

use egui::{Align2, FontId, Rect, Stroke, StrokeKind, Ui, vec2};

use crate::playback::Playback;
use crate::widgets::theme::Palette;
use crate::widgets::{one_line, read_aloud};

/// Seconds for which an event is shown.
const SHOWN_SECS: f64 = 1.2;
const ROW: f32 = 26.0;
/// Size of the canvas in points below which they would cover the character: the log has them as well.
const LEAST: egui::Vec2 = vec2(420.0, 260.0);

/// Shows the fired events, newest at the bottom, and drops them when their time is up. In a small window, or if
/// `are_listed` elsewhere, they are not shown.
pub fn show(ui: &Ui, rect: Rect, playback: &mut Playback, are_listed: bool) {
    if are_listed || rect.width() < LEAST.x || rect.height() < LEAST.y {
        return playback.fired.clear();
    }
    let now = ui.input(|input| input.time);
    for event in &mut playback.fired {
        event.until.get_or_insert(now + SHOWN_SECS);
    }
    playback.fired.retain(|event| event.until.is_none_or(|until| now < until));
    let Some(next) = playback.fired.iter().filter_map(|event| event.until).reduce(f64::min) else { return };
    ui.ctx().request_repaint_after_secs((next - now) as f32);
    let palette = Palette::of(ui.visuals());
    for (row, event) in playback.fired.iter().rev().enumerate() {
        let text = format!("Event: {}", event.text);
        let width = (rect.width() - 60.0).max(40.0);
        let galley = one_line(ui, &text, FontId::proportional(12.5), palette.text, width);
        let size = vec2(galley.size().x + 20.0, ROW - 4.0);
        let bottom = rect.center_bottom() - vec2(0.0, 14.0 + row as f32 * ROW);
        let place = Align2::CENTER_BOTTOM.anchor_size(bottom, size);
        let stroke = Stroke::new(1.0, palette.accent);
        ui.painter().rect(place, 6.0, palette.panel, stroke, StrokeKind::Inside);
        ui.painter().galley(place.min + vec2(10.0, (size.y - galley.size().y) * 0.5), galley, palette.text);
        read_aloud(ui, place, ui.scope_id().with(("fired", row)), &text);
    }
}
