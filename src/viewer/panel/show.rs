//! The menu of overlays: a toggle for each, and the frames of the onion skin.

use egui::{Button, DragValue, Popup, PopupCloseBehavior, RichText, Ui};

use crate::draw::{Onion, Overlay};
use crate::viewer::command::Command;
use crate::viewer::state::State;

/// The overlays in the order of the menu, in groups.
const GROUPS: [&[Overlay]; 4] = [
    &[Overlay::Bones, Overlay::Names, Overlay::Ik, Overlay::Weights],
    &[Overlay::Wire, Overlay::Hulls, Overlay::Bounds, Overlay::Order, Overlay::Overdraw],
    &[Overlay::Boxes, Overlay::Points, Overlay::Paths, Overlay::Clips],
    &[Overlay::Onion],
];

/// Shows the button that opens the menu. It is highlighted while an overlay is shown.
pub fn button(ui: &mut Ui, state: &mut State, commands: &mut Vec<Command>) {
    let is_any_shown = state.overlays.iter().next().is_some();
    let button = ui.add(Button::selectable(is_any_shown, "Show")).on_hover_text("Overlays over the character");
    Popup::menu(&button).close_behavior(PopupCloseBehavior::CloseOnClickOutside).show(|ui| {
        ui.set_width(230.0);
        for (index, group) in GROUPS.into_iter().enumerate() {
            if index > 0 {
                ui.separator();
            }
            group.iter().for_each(|overlay| toggle(ui, state, *overlay, commands));
        }
        onion(ui, state);
    });
}

fn toggle(ui: &mut Ui, state: &State, overlay: Overlay, commands: &mut Vec<Command>) {
    let command = Command::Show(overlay);
    ui.horizontal(|ui| {
        let mut is_shown = state.overlays.contains(overlay);
        let toggle = ui.checkbox(&mut is_shown, name(overlay)).on_hover_text(tooltip(overlay));
        if toggle.clicked() {
            commands.push(command);
        }
        let keys = command.keys();
        if !keys.is_empty() {
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                ui.add(egui::Label::new(RichText::new(keys).weak()).selectable(false));
            });
        }
    });
}

/// Shows the numbers of ghosts before and after.
fn onion(ui: &mut Ui, state: &mut State) {
    let Onion { before, after } = &mut state.overlays.onion;
    ui.horizontal(|ui| {
        for (name, count) in [("Before", before), ("After", after)] {
            let label = ui.label(name);
            ui.add(DragValue::new(count).range(0..=Onion::MOST)).labelled_by(label.id);
        }
    });
}

fn name(overlay: Overlay) -> &'static str {
    match overlay {
        Overlay::Overdraw => "Overdraw",
        Overlay::Onion => "Onion skin",
        Overlay::Weights => "Weights of the selected bone",
        Overlay::Wire => "Wireframe",
        Overlay::Hulls => "Outlines",
        Overlay::Bounds => "Bounds",
        Overlay::Boxes => "Bounding boxes",
        Overlay::Clips => "Clipping polygons",
        Overlay::Paths => "Paths",
        Overlay::Ik => "IK constraints",
        Overlay::Bones => "Bones",
        Overlay::Points => "Points",
        Overlay::Names => "Bone names",
        Overlay::Order => "Draw order",
    }
}

fn tooltip(overlay: Overlay) -> &'static str {
    match overlay {
        Overlay::Weights => "How much the selected bone moves each point",
        Overlay::Onion => "Earlier frames in orange and later ones in blue",
        overlay => overlay.about(),
    }
}
