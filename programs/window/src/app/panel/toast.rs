//! A short notice at the bottom of the canvas about the last action.

use std::path::Path;

use egui::{Align2, Button, Label, Rect, RichText, Stroke, StrokeKind, TextStyle, Ui, UiBuilder, Vec2, vec2};

use crate::app::state::Notice;
use crate::widgets::actions::{Actions, Request};
use crate::widgets::theme::Palette;

/// Seconds for which a notice is shown; errors are shown longer.
const SHOWN_SECS: f64 = 4.0;
const ERROR_SHOWN_SECS: f64 = 9.0;
/// Margin around the text in points.
const MARGIN: Vec2 = vec2(14.0, 9.0);

/// Width of the button that shows the folder of a file, with the space before it, in points.
const BUTTON: f32 = 124.0;

/// Shows the notice, and drops it when its time is up. Returns the part of the canvas that it leaves for others.
pub fn show(ui: &mut Ui, rect: Rect, shown: &mut Option<Notice>, actions: &mut Actions) -> Rect {
    let now = ui.input(|input| input.time);
    let Some(notice) = shown else { return rect };
    let stays = if notice.is_error { ERROR_SHOWN_SECS } else { SHOWN_SECS };
    let mut until = *notice.until.get_or_insert(now + stays);
    let palette = Palette::of(ui.visuals());
    let color = if notice.is_error { palette.error } else { palette.text };
    let button = if notice.file.is_some() { BUTTON } else { 0.0 };
    let wrap = (rect.width() - 60.0 - button).max(40.0);
    let text = ui.painter().layout(notice.text.clone(), TextStyle::Body.resolve(ui.style()), color, wrap);
    let size = text.size() + MARGIN * 2.0 + vec2(button, 0.0);
    let place = Align2::CENTER_BOTTOM.anchor_size(rect.center_bottom() - vec2(0.0, 16.0), size);
    // Keep it while the user reads it or selects text.
    if ui.rect_contains_pointer(place) {
        until = until.max(now + SHOWN_SECS);
        notice.until = Some(until);
    }
    if now >= until {
        *shown = None;
        return rect;
    }
    ui.ctx().request_repaint_after_secs((until - now) as f32);
    let stroke = Stroke::new(1.0, palette.line);
    ui.painter().rect(place, 8.0, palette.panel, stroke, StrokeKind::Inside);
    let (text, file) = place.shrink2(MARGIN).split_left_right_at_x(place.right() - MARGIN.x - button);
    let label = Label::new(RichText::new(&notice.text).color(color)).wrap().selectable(true);
    ui.new_child(UiBuilder::new().id_salt("notice").max_rect(text)).add(label);
    let free = rect.with_max_y(place.top());
    let Some(folder) = notice.file.as_deref().and_then(Path::parent) else { return free };
    let place = file.with_min_x(file.left() + 8.0).expand2(vec2(0.0, 3.0));
    if ui.put(place, Button::new("Show in folder")).clicked() {
        actions.push(Request::OpenFolder(folder.to_owned()));
    }
    free
}
