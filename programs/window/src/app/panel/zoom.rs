//! The zoom menu of the top bar: one button that shows the zoom.

use egui::{Popup, Ui};

use crate::app::state::State;
use crate::palette::panel::menu;
use crate::widgets::actions::Actions;
use crate::widgets::command::Command;
use crate::widgets::drop_down::DropDown;
use pchr::draw::View;

const COMMANDS: [Command; 8] = [
    Command::ZoomFit,
    Command::FitAnimation,
    Command::ZoomActual,
    Command::ZoomDouble,
    Command::ZoomHalf,
    Command::ZoomIn,
    Command::ZoomOut,
    Command::Sampling,
];

/// Width of the button in points: the bar stays as it is while the zoom changes.
const WIDTH: f32 = 98.0;

/// Shows the contents of the menu.
pub fn entries(ui: &mut Ui, state: &State, actions: &mut Actions) {
    menu::entries(ui, &|command| state.status(command), &COMMANDS, actions, &mut |_, _, _| {});
}

/// Shows the button, and its menu while it is open.
pub fn show(ui: &mut Ui, state: &State, view: Option<View>, actions: &mut Actions) {
    let percent = view.map_or(100.0, |view| view.scale() * 100.0);
    let text = if percent < 10.0 { format!("{percent:.1} %") } else { format!("{percent:.0} %") };
    let (button, _) =
        DropDown { text: &text, name: Some("Zoom"), min_width: WIDTH, ..DropDown::default() }.show(ui);
    Popup::menu(&button).show(|ui| entries(ui, state, actions));
    button.on_hover_text("Zoom: screen pixels per character pixel");
}
