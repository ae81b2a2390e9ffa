//! The upper edge of the dopesheet and the curves, which can be dragged.

use egui::{CursorIcon, Rect, Sense, Stroke, Ui};

use crate::timeline::StripHeight;
use crate::widgets::theme::Palette;

/// Height in points of the margin above the contents, which can be dragged.
const EDGE: f32 = 8.0;

/// Lets the pointer drag the edge.
pub fn show(ui: &Ui, height: &mut StripHeight) {
    let contents = ui.max_rect();
    let edge = Rect::from_x_y_ranges(contents.x_range(), contents.top() - EDGE..=contents.top() - 1.0);
    let response = ui.interact(edge, ui.scope_id().with("edge"), Sense::DRAG);
    let began = ui.input(|input| input.pointer.press_origin());
    match (began, response.interact_pointer_pos().filter(|_| response.dragged())) {
        (Some(began), Some(pointer)) => height.drag_by(began.y - pointer.y),
        _ => height.release(),
    }
    if response.hovered() || response.dragged() {
        let line = Stroke::new(2.0, Palette::of(ui.visuals()).accent);
        ui.painter().hline(edge.x_range(), edge.top() + 1.0, line);
    }
    response.on_hover_and_drag_cursor(CursorIcon::ResizeVertical);
}
