//! Keyboard focus: the ring around the focused widget, and arrow keys for custom widgets.

use egui::{EventFilter, Id, Key, LayerId, Modifiers, Response, Stroke, StrokeKind, Ui, Vec2, vec2};

use super::theme::Palette;

/// Distance of the ring from the widget, and its width, in points.
const OFFSET: f32 = 1.0;
const WIDTH: f32 = 2.0;
/// Frames needed to scroll a widget into view: one to request it, one to scroll, one to lay it out.
const SCROLLS: u32 = 3;

/// Draws the focus ring above everything else in the widget's layer. Call it after all widgets.
pub fn paint(ui: &Ui) {
    let focused = ui.memory(|memory| memory.focused());
    let place = Id::unique("shown focus");
    let Some(widget) = focused.and_then(|id| ui.ctx().read_response(id)) else {
        ui.data_mut(|data| data.remove::<(Id, u32)>(place));
        return;
    };
    let (before, frames) = ui.data(|data| data.get_temp(place)).unwrap_or((Id::NULL, 0));
    let frames = if before == widget.id { frames } else { SCROLLS };
    if frames > 0 {
        // egui does not request the frames needed to scroll it into view.
        ui.ctx().request_repaint();
    }
    ui.data_mut(|data| data.insert_temp::<(Id, u32)>(place, (widget.id, frames.saturating_sub(1))));
    // egui lays out a new dialog once before it shows it.
    let is_shown = widget.layer_id == LayerId::background()
        || ui.memory(|memory| memory.areas().visible_last_frame(&widget.layer_id));
    if !is_shown {
        return;
    }
    let clip = widget.interact_rect.expand(OFFSET + WIDTH);
    let painter = ui.ctx().layer_painter(widget.layer_id).with_clip_rect(clip);
    let stroke = Stroke::new(WIDTH, Palette::of(ui.visuals()).accent);
    painter.rect_stroke(widget.rect.expand(OFFSET), 4.0, stroke, StrokeKind::Outside);
}

/// Returns how often each arrow key was pressed while the widget has the focus: x to the right, y down. Arrow keys
/// then no longer move the focus, but Tab still does.
pub fn arrows(ui: &Ui, response: &Response) -> Vec2 {
    if !response.has_focus() {
        return Vec2::ZERO;
    }
    let filter = EventFilter { horizontal_arrows: true, vertical_arrows: true, ..EventFilter::default() };
    ui.memory_mut(|memory| memory.set_focus_lock_filter(response.id, filter));
    ui.input_mut(|input| {
        let mut count = |key| input.count_and_consume_key(Modifiers::NONE, key) as f32;
        let x = count(Key::ArrowRight) - count(Key::ArrowLeft);
        vec2(x, count(Key::ArrowDown) - count(Key::ArrowUp))
    })
}

fn home_and_end() -> Id {
    Id::unique("takes Home and End")
}

/// Leaves Home and End to the focused widget `response` as long as it has the focus. They are commands otherwise.
pub fn take_home_and_end(ui: &Ui, response: &Response) {
    ui.data_mut(|data| data.insert_temp(home_and_end(), response.id));
}

/// Returns true if the focused widget handles Home and End.
pub fn takes_home_and_end(ctx: &egui::Context) -> bool {
    let taker: Option<Id> = ctx.data(|data| data.get_temp(home_and_end()));
    taker.is_some() && ctx.memory(|memory| memory.focused()) == taker
}

#[cfg(test)]
mod tests {
    use egui::{Context, RawInput, Shape, TextEdit};

    use super::*;
    use crate::widgets::modal;

    #[test]
    fn a_new_dialog_and_its_ring_appear_together() {
        let ctx = Context::default();
        let mut text = String::new();
        let mut rings = || {
            let mut output = ctx.run_ui(RawInput::default(), |ui| {
                modal::show(ui, "dialog", |ui| ui.add(TextEdit::singleline(&mut text)).request_focus());
                paint(ui);
            });
            output.textures_delta.clear();
            let is_ring = |shape: &Shape| matches!(shape, Shape::Rect(rect) if rect.stroke.width == WIDTH);
            output.shapes.iter().filter(|clipped| is_ring(&clipped.shape)).count()
        };
        assert_eq!([rings(), rings(), rings()], [0, 1, 1]);
    }
}
