//! A check box that runs a command, with its key at the right.

use egui::{Align, Layout, Response, Sense, Ui};

use super::actions::Actions;
use super::check_box;
use super::command::Command;
use super::keycap;

/// Adds the check box.
pub fn show(ui: &mut Ui, mut is_on: bool, label: &str, command: Command, actions: &mut Actions) -> Response {
    ui.horizontal(|ui| {
        let toggle = check_box::show(ui, &mut is_on, label);
        if toggle.clicked() {
            actions.push(command);
        }
        let first: Vec<_> = command.caps().into_iter().take(1).collect();
        if !first.is_empty() {
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                let caps = keycap::layout(ui, &first);
                let (rect, _) = ui.allocate_exact_size(caps.size, Sense::hover());
                caps.paint(ui, rect.left_center());
            });
        }
        toggle
    })
    .inner
}
