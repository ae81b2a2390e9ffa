//! Modal dialogs. While one is open, nothing below it reacts to input.

use egui::{Frame, Id, Modal, ModalResponse, Order, Popup, Ui};

use super::tooltips;

/// Shows a dialog with `content`. `name` is its id. The caller handles Escape and clicks outside.
pub fn show<R>(ui: &Ui, name: &'static str, content: impl FnOnce(&mut Ui) -> R) -> ModalResponse<R> {
    show_with(ui, name, 20, content)
}

/// Like [`show`], with a margin of `margin` points.
pub fn show_with<R>(
    ui: &Ui,
    name: &'static str,
    margin: i8,
    content: impl FnOnce(&mut Ui) -> R,
) -> ModalResponse<R> {
    let id = Id::unique(name);
    // egui places dialogs in the order of popups. Areas of that order that are raised in the same frame keep their
    // relative order, so a list opened by a press and a release within one frame would open behind the dialog.
    let area = Modal::default_area(id).order(Order::Middle);
    if !ui.memory(|memory| memory.areas().visible_last_frame(&area.layer())) {
        // A menu, a list or a tooltip opened before the dialog would stay above it.
        Popup::close_all(ui.ctx());
        if ui.input(|input| input.pointer.has_pointer()) {
            tooltips::wait_for_move(ui.ctx());
        }
    }
    let frame = Frame::popup(ui.style()).inner_margin(margin).corner_radius(12);
    Modal::new(id).area(area).frame(frame).show(ui.ctx(), content)
}
