//! The parts of the window. Each shows a piece of the [`State`](super::state::State), changes it
//! where that is all there is to it, and otherwise asks for a [`Command`](super::command::Command).

pub mod animations;
pub mod banner;
pub mod bone_names;
pub mod canvas;
pub mod empty;
pub mod export;
pub mod files;
pub mod help;
pub mod info;
mod modal;
pub mod problems;
pub mod sheet;
pub mod skins;
pub mod slots;
pub mod targets;
pub mod timeline;
pub mod toast;
pub mod told;
pub mod top;
pub mod transport;

use egui::{RichText, Ui};

/// The heading of a list.
fn heading(ui: &mut Ui, text: impl Into<String>) {
    ui.add_space(2.0);
    ui.label(RichText::new(text.into().to_uppercase()).small().weak().strong());
}
