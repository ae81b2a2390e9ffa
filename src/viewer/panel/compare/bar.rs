//! The bar above the canvas while two characters are compared.

use egui::{Button, ComboBox, Frame, Label, Margin, Panel, RichText, Ui, vec2};

use super::{difference, names, short};
use crate::error::escaped;
use crate::viewer::command::Command;
use crate::viewer::compare::alignment::Ends;
use crate::viewer::compare::{Align, Arrangement};
use crate::viewer::icon::{self, Icon};
use crate::viewer::state::State;
use crate::viewer::theme::Palette;

/// Space between groups of buttons in points.
const GROUP_GAP: f32 = 10.0;

/// Shows the bar if two characters are compared.
pub fn show(ui: &mut Ui, state: &mut State, commands: &mut Vec<Command>) {
    let Some(names) = names(state).map(|names| names.map(|name| short(&name))) else { return };
    let frame = Frame::new().fill(Palette::of(ui.visuals()).panel).inner_margin(Margin::symmetric(8, 4));
    Panel::top("compare").resizable(false).show_separator_line(false).frame(frame).show(ui, |ui| {
        ui.spacing_mut().item_spacing = vec2(4.0, 4.0);
        ui.horizontal_wrapped(|ui| {
            for arrangement in Arrangement::ALL {
                let is_on = state.compare.arrangement == arrangement;
                if ui.add(Button::selectable(is_on, arrangement.label())).clicked() {
                    state.compare.arrangement = arrangement;
                }
            }
            ui.add_space(GROUP_GAP);
            for align in Align::ALL {
                let is_on = state.compare.align == align;
                let tooltip = match align {
                    Align::Time => "Show both at the same time in seconds",
                    Align::Frame => "Show both at the same frame number",
                };
                if ui.add(Button::selectable(is_on, align.label())).on_hover_text(tooltip).clicked() {
                    state.compare.align = align;
                }
            }
            ui.add_space(GROUP_GAP);
            let list = &mut state.compare.findings.is_shown;
            ui.toggle_value(list, "List").on_hover_text("List what differs, as pchr diff does");
            if ui.button("Swap").on_hover_text("Exchange the two files").clicked() {
                state.swap_sides();
            }
            let tooltip = format!("{}, Escape", Command::Compare.tooltip());
            if icon::button(ui, Icon::Close, "End comparison", &tooltip, vec2(26.0, 26.0)).clicked() {
                commands.push(Command::Compare);
            }
        });
        let height = std::mem::take(&mut ui.spacing_mut().interact_size.y);
        // Without a message, this row has no height.
        ui.horizontal_wrapped(|ui| {
            ui.spacing_mut().interact_size.y = height;
            status(ui, state, &names);
        });
    });
}

/// Shows what the user has to know about the second character.
fn status(ui: &mut Ui, state: &mut State, names: &[String; 2]) {
    let palette = Palette::of(ui.visuals());
    let Some(second) = state.second() else { return };
    if state.is_reading_second() {
        line(ui, RichText::new(format!("Loading {}…", names[1])).weak());
    }
    if let Some(error) = second.error() {
        let text = match second.loaded() {
            Some(_) => format!("{} cannot be read; its last readable version is shown", names[1]),
            None => format!("{} cannot be opened", names[1]),
        };
        line(ui, RichText::new(text).color(palette.error)).on_hover_text(error);
    }
    if let Some(text) = difference::summary(state) {
        line(ui, RichText::new(text).strong());
    }
    if let Some((_, None)) = state.compared_animations() {
        choose_animation(ui, state, &names[1]);
    }
    if let Some(ends) = state.ends_first() {
        line(ui, RichText::new(ends_text(ends, state.compare.align, names)).weak());
    }
}

fn line(ui: &mut Ui, text: RichText) -> egui::Response {
    ui.add(Label::new(text).selectable(true))
}

fn ends_text(ends: Ends, align: Align, names: &[String; 2]) -> String {
    let name = &names[usize::from(ends.is_second)];
    let Ends { shorter, longer, .. } = ends;
    match align {
        Align::Time => format!("{name} ends first: {shorter:.2} s instead of {longer:.2} s"),
        Align::Frame => format!("{name} ends first: {shorter} frames instead of {longer}"),
    }
}

/// Lets the user choose what the second character shows if it lacks the animation.
fn choose_animation(ui: &mut Ui, state: &mut State, name: &str) {
    let Some((animation, _)) = state.compared_animations() else { return };
    let Some(pairs) = state.counterparts() else { return };
    let wanted = pairs.first.animation(animation).name.clone();
    let text = format!("{name} has no animation “{}”", short(&escaped(&wanted)));
    line(ui, RichText::new(text).color(Palette::of(ui.visuals()).warning));
    let mut chosen = None;
    let combo = ComboBox::from_id_salt("counterpart").selected_text("Show another…").truncate();
    let combo = combo.width(140.0).show_ui(ui, |ui| {
        for animation in pairs.second.animations() {
            if ui.selectable_label(false, short(&escaped(&animation.name))).clicked() {
                chosen = Some(animation.name.clone());
            }
        }
    });
    combo.response.on_hover_text(format!("The animation of {name} to show instead"));
    if let (Some(chosen), Some(second)) = (chosen, &mut state.compare.second) {
        second.chosen.insert(wanted, chosen);
    }
}
