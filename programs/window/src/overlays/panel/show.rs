//! The menu of overlays: a toggle for each, and the frames of the onion skin.

use egui::{DragValue, Popup, PopupCloseBehavior, Ui};

use super::OverlayPanel;
use crate::base::name::capitalized;
use crate::widgets::command::Command;
use crate::widgets::drop_down::{self, DropDown};
use crate::widgets::switch;
use pchr::draw::{Onion, Overlay};

/// Width of the menu in points.
const WIDTH: f32 = 244.0;

/// The overlays in the order of the menu, in groups.
const GROUPS: [&[Overlay]; 4] = [
    &[Overlay::Bones, Overlay::Names, Overlay::Ik, Overlay::Weights],
    &[Overlay::Wire, Overlay::Hulls, Overlay::Bounds, Overlay::Order, Overlay::Overdraw],
    &[Overlay::Boxes, Overlay::Points, Overlay::Paths, Overlay::Clips],
    &[Overlay::Onion],
];

/// Every overlay is in the menu.
const _: () = {
    let (mut group, mut count) = (0, 0);
    while group < GROUPS.len() {
        count += GROUPS[group].len();
        group += 1;
    }
    assert!(count == Overlay::ALL.len());
};

/// Shows the button that opens the menu. It is highlighted while an overlay is shown.
pub fn button(ui: &mut Ui, state: &mut OverlayPanel<'_>) {
    let is_any_shown = state.overlays.shown.iter().next().is_some();
    let (button, _) = DropDown { text: "Show", is_on: is_any_shown, ..DropDown::default() }.show(ui);
    let button = button.on_hover_text("Overlays over the character");
    Popup::menu(&button).close_behavior(PopupCloseBehavior::CloseOnClickOutside).show(|ui| {
        drop_down::contents(ui, WIDTH, drop_down::BESIDE_MENU, |ui| menu(ui, state));
    });
}

/// Shows the contents of the menu.
pub fn menu(ui: &mut Ui, state: &mut OverlayPanel<'_>) {
    for (index, group) in GROUPS.into_iter().enumerate() {
        if index > 0 {
            ui.separator();
        }
        for &overlay in group {
            let is_shown = state.overlays.shown.contains(overlay);
            let command = Command::Show(overlay);
            switch::show(ui, is_shown, &name(command), command, state.actions).on_hover_text(tooltip(overlay));
            if overlay == Overlay::Ik {
                let are_shown = state.overlays.targets.are_shown;
                let rings = switch::show(ui, are_shown, "IK rings", Command::Targets, state.actions);
                rings.on_hover_text(
                    "The targets of IK constraints, always instead of near the pointer or with Ctrl",
                );
            }
        }
    }
    onion(ui, state);
    ui.separator();
    let (is_shown, command) = (state.overlays.slide.is_shown, Command::FootSlide);
    let slide = switch::show(ui, is_shown, "Foot slide of the selected bone", command, state.actions);
    slide.on_hover_text("The trace of its tip, and how far it moves along the ground while it touches it");
}

/// Shows the numbers of ghosts before and after.
fn onion(ui: &mut Ui, state: &mut OverlayPanel<'_>) {
    let Onion { before, after } = &mut state.overlays.shown.onion;
    ui.horizontal(|ui| {
        for (name, count) in [("Before", before), ("After", after)] {
            let label = ui.label(name);
            ui.add(DragValue::new(count).range(0..=Onion::MOST)).labelled_by(label.id);
        }
    });
}

/// Returns the name of an overlay in the menu, such as `Bones` for the command `Show bones`.
fn name(command: Command) -> String {
    capitalized(command.label().trim_start_matches("Show "))
}

fn tooltip(overlay: Overlay) -> &'static str {
    if overlay == Overlay::Weights {
        "How much the selected bone moves each point"
    } else if overlay == Overlay::Onion {
        "Earlier frames in orange and later ones in blue"
    } else {
        overlay.about()
    }
}
