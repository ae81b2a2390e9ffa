//! At the bottom of the canvas, for a moment: what was just done.

use egui::{Align2, FontId, Rect, Stroke, StrokeKind, Ui, vec2};

use crate::viewer::state::State;
use crate::viewer::theme::Palette;

/// Seconds that a notice stays; what went wrong stays longer.
const STAYS: f64 = 4.0;
const ERROR_STAYS: f64 = 9.0;

/// Shows the notice, and forgets it when its time is up.
pub fn show(ui: &Ui, rect: Rect, state: &mut State) {
    let now = ui.input(|input| input.time);
    let Some(notice) = &mut state.notice else { return };
    let stays = if notice.is_error { ERROR_STAYS } else { STAYS };
    let until = *notice.until.get_or_insert(now + stays);
    if now >= until {
        state.notice = None;
        return;
    }
    ui.ctx().request_repaint_after_secs((until - now) as f32);
    let palette = Palette::of(ui.visuals());
    let color = if notice.is_error { palette.error } else { palette.text };
    let wrap = (rect.width() - 60.0).max(40.0);
    let text = ui.painter().layout(notice.text.clone(), FontId::proportional(13.5), color, wrap);
    let size = text.size() + vec2(28.0, 18.0);
    let place = Align2::CENTER_BOTTOM.anchor_size(rect.center_bottom() - vec2(0.0, 16.0), size);
    let stroke = Stroke::new(1.0, palette.line);
    ui.painter().rect(place, 8.0, palette.panel, stroke, StrokeKind::Inside);
    ui.painter().galley(place.min + vec2(14.0, 9.0), text, color);
    let response = ui.interact(place, ui.scope_id().with("notice"), egui::Sense::hover());
    let text = notice.text.clone();
    response.widget_info(|| egui::WidgetInfo::labeled(egui::accesskit::Role::Label, true, &text));
}
