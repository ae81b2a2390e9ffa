//! Below the canvas: the timeline, and what plays it.

use egui::{Align, ComboBox, DragValue, Layout, Rect, RichText, Ui, UiBuilder, vec2};

use super::timeline;
use crate::player::{LoopMode, Player};
use crate::viewer::command::Command;
use crate::viewer::icon::{self, Icon};
use crate::viewer::state::State;

const ROW: f32 = 40.0;
/// Below this the row is put together differently.
const NARROW: f32 = 700.0;

/// Shows the timeline and the controls.
pub fn show(ui: &mut Ui, state: &mut State, commands: &mut Vec<Command>) {
    state.scrubbing = timeline::show(ui, &mut state.player, &state.marks);
    let swings = state.has_physics().then_some(state.physics);
    if ui.available_width() >= NARROW {
        wide(ui, &mut state.player, swings, commands);
    } else {
        narrow(ui, &mut state.player, swings, commands);
    }
}

/// Buttons in the middle of the window, whatever is left and right of them.
fn wide(ui: &mut Ui, player: &mut Player, swings: Option<bool>, commands: &mut Vec<Command>) {
    let (row, _) = ui.allocate_exact_size(vec2(ui.available_width(), ROW), egui::Sense::hover());
    let mut part = |rect: Rect, layout: Layout, add: &mut dyn FnMut(&mut Ui)| {
        let mut child = ui.new_child(UiBuilder::new().max_rect(rect).layout(layout));
        add(&mut child);
    };
    let middle = Rect::from_center_size(row.center(), vec2(232.0, ROW));
    part(row.with_max_x(middle.left()), Layout::left_to_right(Align::Center), &mut |ui| readout(ui, player));
    part(middle, Layout::left_to_right(Align::Center), &mut |ui| buttons(ui, player, commands));
    part(row.with_min_x(middle.right()), Layout::right_to_left(Align::Center), &mut |ui| {
        interpolation(ui, player);
        physics(ui, swings, commands);
        speed(ui, player);
        loop_mode(ui, player);
    });
}

fn narrow(ui: &mut Ui, player: &mut Player, swings: Option<bool>, commands: &mut Vec<Command>) {
    ui.horizontal(|ui| {
        ui.set_height(ROW);
        buttons(ui, player, commands);
        if ui.available_width() > 180.0 {
            readout(ui, player);
        }
    });
    ui.horizontal_wrapped(|ui| {
        loop_mode(ui, player);
        speed(ui, player);
        physics(ui, swings, commands);
        interpolation(ui, player);
    });
}

fn buttons(ui: &mut Ui, player: &Player, commands: &mut Vec<Command>) {
    ui.spacing_mut().item_spacing.x = 6.0;
    let mut sign = |ui: &mut Ui, sign, command: Command| {
        if icon::button(ui, sign, command.label(), &command.tooltip(), vec2(38.0, 32.0)).clicked() {
            commands.push(command);
        }
    };
    sign(ui, Icon::First, Command::First);
    sign(ui, Icon::StepBack, Command::StepBack);
    let (play, name) = if player.is_playing() { (Icon::Pause, "Pause") } else { (Icon::Play, "Play") };
    let tooltip = Command::PlayPause.tooltip();
    let was_clicked = icon::round_button(ui, play, name, &tooltip, 38.0).clicked();
    sign(ui, Icon::StepForward, Command::StepForward);
    sign(ui, Icon::Last, Command::Last);
    if was_clicked {
        commands.push(Command::PlayPause);
    }
}

fn readout(ui: &mut Ui, player: &mut Player) {
    let last = player.frame_count().saturating_sub(1);
    let label = ui.label(RichText::new("Frame").weak());
    let mut frame = player.frame();
    let field = ui.add(DragValue::new(&mut frame).range(0..=last).speed(0.1)).labelled_by(label.id);
    if field.changed() {
        player.seek(frame.into());
    }
    ui.label(RichText::new(format!("/ {last}")).weak());
    ui.add_space(10.0);
    let seconds = match player.length_secs() {
        Some(length) => format!("{:.2} / {length:.2} s", player.seconds()),
        None => format!("{:.2} s", player.seconds()),
    };
    ui.label(RichText::new(seconds).monospace());
}

fn loop_mode(ui: &mut Ui, player: &mut Player) {
    let name = |mode| match mode {
        LoopMode::Authored => "Loop as authored",
        LoopMode::Loop => "Loop",
        LoopMode::Once => "Play once",
        LoopMode::PingPong => "Ping-pong",
    };
    let mut mode = player.loop_mode();
    let combo = ComboBox::from_id_salt("loop mode").selected_text(name(mode)).width(132.0).show_ui(ui, |ui| {
        for choice in LoopMode::ALL {
            ui.selectable_value(&mut mode, choice, name(choice));
        }
    });
    combo.response.on_hover_text(Command::LoopMode.tooltip());
    if mode != player.loop_mode() {
        player.set_loop_mode(mode);
    }
}

fn speed(ui: &mut Ui, player: &mut Player) {
    let mut percent = player.speed() * 100.0;
    let field = DragValue::new(&mut percent)
        .range(-1000.0..=1000.0)
        // The command line may ask for more.
        .clamp_existing_to_range(false)
        .speed(1.0)
        .max_decimals(0)
        .prefix("Speed ")
        .suffix(" %");
    let tooltip = format!("{}, {}", Command::Slower.tooltip(), Command::Faster.tooltip());
    if ui.add(field).on_hover_text(tooltip).changed() {
        player.set_speed(percent / 100.0);
    }
}

fn interpolation(ui: &mut Ui, player: &mut Player) {
    // Between keys there is always something.
    if player.is_keyed() {
        return;
    }
    let mut interpolate = player.interpolates();
    let tooltip = format!("Blend neighbouring frames instead of holding each  ({})", Command::Interpolate.keys());
    if ui.checkbox(&mut interpolate, "Interpolate").on_hover_text(tooltip).changed() {
        player.set_interpolate(interpolate);
    }
}

/// Where something swings: whether it does.
fn physics(ui: &mut Ui, swings: Option<bool>, commands: &mut Vec<Command>) {
    let Some(mut swings) = swings else { return };
    let tooltip = format!("Let swing what the file says swings  ({})", Command::Physics.keys());
    if ui.checkbox(&mut swings, "Physics").on_hover_text(tooltip).changed() {
        commands.push(Command::Physics);
    }
}
