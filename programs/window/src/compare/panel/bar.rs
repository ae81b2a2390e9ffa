//! The bar above the canvas while two characters are compared.

use egui::{
    Button, Color32, ComboBox, Frame, Label, Margin, Panel, Rect, RichText, TextStyle, Ui, UiBuilder, vec2,
};

use super::{ComparePanel, difference, names, short};
use crate::compare::alignment::Ends;
use crate::compare::{Align, Arrangement};
use crate::files::document::Document;
use crate::files::panel::problems::left_out;
use crate::widgets::actions::{Action, Actions};
use crate::widgets::command::Command;
use crate::widgets::icon::{self, Icon};
use crate::widgets::theme::Palette;
use pchr::error::escaped;

/// Space between groups of buttons in points.
const GROUP_GAP: f32 = 10.0;
/// Size of the button that ends the comparison, and minimum width of the text about the difference, in points.
const CLOSE: f32 = 26.0;
const SUMMARY: f32 = 180.0;
/// The alignments with their labels and tooltips.
const ALIGNS: [(Align, &str, &str); 2] = [
    (Align::Time, "By time", "Show both at the same time in seconds"),
    (Align::Frame, "By frame", "Show both at the same frame number"),
];

/// Shows the bar if two characters are compared.
pub fn show(ui: &mut Ui, state: &mut ComparePanel<'_>) {
    let Some(names) = names(state).map(|names| names.map(|name| short(&name))) else { return };
    let frame = Frame::new().fill(Palette::of(ui.visuals()).panel).inner_margin(Margin::symmetric(8, 4));
    Panel::top("compare").resizable(false).show_separator_line(false).frame(frame).show(ui, |ui| {
        ui.spacing_mut().item_spacing = vec2(4.0, 4.0);
        let first_line = Rect::from_min_size(ui.cursor().min, vec2(ui.available_width(), CLOSE));
        ui.scope(|ui| {
            ui.set_max_width((ui.available_width() - CLOSE - GROUP_GAP).max(1.0));
            ui.horizontal_wrapped(|ui| buttons(ui, state));
        });
        let place = first_line.with_min_x(first_line.right() - CLOSE);
        let tooltip = format!("{}, Escape", Command::Compare.tooltip());
        let mut close = ui.new_child(UiBuilder::new().id_salt("close").max_rect(place));
        if icon::button(&mut close, Icon::Close, "End comparison", &tooltip, vec2(CLOSE, CLOSE)).clicked() {
            state.actions.push(Command::Compare);
        }
        let height = std::mem::take(&mut ui.spacing_mut().interact_size.y);
        // Without a message, this row has no height.
        ui.horizontal_wrapped(|ui| {
            ui.spacing_mut().interact_size.y = height;
            status(ui, state, &names);
        });
    });
}

/// Shows the buttons, and how much differs. Groups of buttons stay together.
fn buttons(ui: &mut Ui, state: &mut ComparePanel<'_>) {
    for arrangement in Arrangement::ALL {
        let is_on = state.compare.arrangement == arrangement;
        let button = ui.add(Button::selectable(is_on, arrangement.label()));
        let button = match arrangement {
            Arrangement::Blink => button.on_hover_text(Command::Blink.tooltip()),
            Arrangement::SideBySide | Arrangement::Swipe | Arrangement::Onion | Arrangement::Difference => button,
        };
        if button.clicked() {
            match arrangement {
                Arrangement::Blink => state.compare.blink(),
                other => state.compare.arrangement = other,
            }
        }
    }
    begin_group(ui, ALIGNS.map(|(_, label, _)| button_width(ui, label)).iter().sum());
    for (align, label, tooltip) in ALIGNS {
        let is_on = state.compare.align == align;
        if ui.add(Button::selectable(is_on, label)).on_hover_text(tooltip).clicked() {
            state.compare.align = align;
        }
    }
    let is_review = state.compare.is_review();
    let labels: &[&str] = if is_review { &["List"] } else { &["List", "Swap"] };
    begin_group(ui, labels.iter().map(|label| button_width(ui, label)).sum());
    let list = &mut state.compare.findings.is_shown;
    ui.toggle_value(list, "List").on_hover_text("List what differs, as pchr diff does");
    if !is_review && ui.button("Swap").on_hover_text("Exchange the two files").clicked() {
        state.actions.push(Action::SwapSides);
    }
    let Some([short, long]) = difference::summary(state) else {
        // In wide windows, its room is always taken, so that the bar keeps its height.
        if ui.max_rect().width() > 3.0 * SUMMARY {
            begin_group(ui, SUMMARY);
            ui.allocate_space(vec2(1.0, ui.text_style_height(&TextStyle::Body)));
        }
        return;
    };
    begin_group(ui, button_width(ui, &short).max(SUMMARY));
    line(ui, RichText::new(short).strong()).on_hover_text(long);
}

/// Starts a group of this width: on a new line, unless it fits on this one.
fn begin_group(ui: &mut Ui, width: f32) {
    if ui.available_size_before_wrap().x < GROUP_GAP + width {
        ui.end_row();
    } else {
        ui.add_space(GROUP_GAP);
    }
}

/// Returns the width of a button with this label, with the space after it.
fn button_width(ui: &Ui, label: &str) -> f32 {
    let font = TextStyle::Button.resolve(ui.style());
    let text = ui.painter().layout_no_wrap(label.to_owned(), font, Color32::WHITE);
    text.size().x + 2.0 * ui.spacing().button_padding.x + ui.spacing().item_spacing.x
}

/// Shows what the user has to know about the second character.
fn status(ui: &mut Ui, state: &mut ComparePanel<'_>, names: &[String; 2]) {
    let palette = Palette::of(ui.visuals());
    let Some(second) = state.compare.second_file(state.files) else { return };
    if state.compare.is_reading_second() {
        line(ui, RichText::new(format!("Loading {}…", names[1])).weak());
    }
    if let Some(error) = second.error() {
        let text = match second.loaded() {
            Some(_) => format!("{} cannot be read; its last readable version is shown", names[1]),
            None => format!("{} cannot be opened", names[1]),
        };
        line(ui, RichText::new(text).color(palette.error)).on_hover_text(error);
        findings_button(ui, second, state.actions);
    } else if second.errors_left_out() > 0 {
        let text = format!("{}: {}", names[1], left_out(second.errors_left_out()));
        line(ui, RichText::new(text).color(palette.error));
        findings_button(ui, second, state.actions);
    }
    if let Some((_, None)) = state.compare.animations(state.files, state.playback) {
        choose_animation(ui, state, &names[1]);
    }
    if let Some(ends) = state.compare.ends_first(state.files, state.playback) {
        line(ui, RichText::new(ends_text(ends, state.compare.align, names)).weak());
    }
}

/// Shows a button that ends the comparison and lists the findings about the second file: the list is about the shown one.
fn findings_button(ui: &mut Ui, second: &Document, actions: &mut Actions) {
    let button = ui.button("Show findings").on_hover_text("Shows this file alone, and what is wrong with it");
    if button.clicked() {
        actions.push(Action::ShowFindings(second.path().to_owned()));
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
fn choose_animation(ui: &mut Ui, state: &mut ComparePanel<'_>, name: &str) {
    let Some((animation, _)) = state.compare.animations(state.files, state.playback) else { return };
    let Some(pairs) = state.compare.counterparts(state.files) else { return };
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
