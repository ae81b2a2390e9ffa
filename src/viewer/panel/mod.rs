//! The parts of the window. Each shows a part of the [`State`](super::state::State). Simple changes are made
//! directly; others are issued as a [`Command`](super::command::Command).

pub mod animations;
pub mod auto_skin;
pub mod background;
pub mod banner;
pub mod canvas;
mod check_box;
mod command_row;
pub mod compare;
mod drop_down;
pub mod empty;
pub mod events;
pub mod export;
pub mod files;
pub mod guides;
pub mod help;
pub mod info;
pub mod inspector;
pub mod lists;
pub mod loading;
mod menu;
mod modal;
mod nothing;
pub mod overlay_labels;
mod page_image;
pub mod palette;
pub mod problems;
mod row;
mod rows;
mod search_field;
pub mod selection;
pub mod sheet;
pub mod show;
pub mod skins;
pub mod slots;
pub mod statistics;
mod switch;
pub mod targets;
pub mod timeline;
pub mod toast;
pub mod top;
pub mod tracks;
pub mod transport;
pub mod tree;
pub mod underlay;
mod view;
mod zoom;

use egui::{Atom, Button, IdSalt, Response, RichText, Ui, collapsing_header};

/// Adds the heading of a list.
fn heading(ui: &mut Ui, text: impl Into<String>) {
    ui.add_space(2.0);
    ui.label(RichText::new(text.into().to_uppercase()).small().weak().strong());
}

/// Adds the heading of a collapsible list.
fn section(ui: &mut Ui, text: &str, is_open: bool) -> Response {
    let text = RichText::new(text.to_uppercase()).small().weak().strong();
    ui.scope(|ui| {
        ui.spacing_mut().interact_size.y = 20.0;
        ui.spacing_mut().button_padding = egui::vec2(2.0, 2.0);
        ui.spacing_mut().icon_spacing = 4.0;
        let triangle = IdSalt::new("triangle");
        let contents = (Atom::custom(triangle, egui::vec2(12.0, 12.0)), text);
        let button = Button::new(contents).frame_when_inactive(false).atom_ui(ui);
        if let Some(rect) = button.rect(triangle) {
            let openness = if is_open { 1.0 } else { 0.0 };
            collapsing_header::paint_default_icon(ui, openness, &button.response.clone().with_new_rect(rect));
        }
        button.response
    })
    .inner
}
