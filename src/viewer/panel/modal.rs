//! A dialog above the window. While it is open nothing below it reacts.

use egui::{Frame, Id, Modal, ModalResponse, Order, Popup, Ui};

/// Shows the dialog called `name` with `content`. Its Escape key and clicks beside it are left to the caller.
pub fn show<R>(ui: &Ui, name: &'static str, content: impl FnOnce(&mut Ui) -> R) -> ModalResponse<R> {
    let id = Id::unique(name);
    // egui's own order for dialogs is that of popups. There the areas that ask for the top in one frame keep the order
    // they had: a list that is opened by a press and a release within one frame would open behind the dialog.
    let area = Modal::default_area(id).order(Order::Middle);
    if !ui.memory(|memory| memory.areas().visible_last_frame(&area.layer())) {
        // A menu or list that was open before the dialog would stay above it.
        Popup::close_all(ui.ctx());
    }
    let frame = Frame::popup(ui.style()).inner_margin(20).corner_radius(12);
    Modal::new(id).area(area).frame(frame).show(ui.ctx(), content)
}
