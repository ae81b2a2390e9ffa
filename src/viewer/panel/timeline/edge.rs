//! The upper edge of the dopesheet and the curves, which can be dragged.

use egui::{CursorIcon, Rect, Sense, Stroke, Ui};

use crate::viewer::theme::Palette;
use crate::viewer::timeline::StripHeight;

/// Height in points of what can be dragged: the margin above the contents.
const EDGE: f32 = 8.0;

/// Lets the pointer drag the edge.
pub fn show(ui: &Ui, height: &mut StripHeight, bottom: f32) {
    let contents = ui.max_rect();
    let edge = Rect::from_x_y_ranges(contents.x_range(), contents.top() - EDGE..=contents.top() - 1.0);
    let response = ui.interact(edge, ui.scope_id().with("edge"), Sense::DRAG);
    if response.dragged()
        && let Some(pointer) = response.interact_pointer_pos()
    {
        height.drag_to(bottom - pointer.y);
    }
    if response.hovered() || response.dragged() {
        let line = Stroke::new(2.0, Palette::of(ui.visuals()).accent);
        ui.painter().hline(edge.x_range(), edge.top() + 1.0, line);
    }
    response.on_hover_and_drag_cursor(CursorIcon::ResizeVertical);
}
