//! The playback controls below the timeline.

use egui::accesskit::Role;
use egui::{
    Align, DragValue, Id, Label, Layout, Popup, Rect, Response, RichText, Sense, Ui, UiBuilder, Vec2, WidgetInfo,
    vec2,
};

use super::command_row::CommandRow;
use crate::player::{Animator, LoopMode};
use crate::viewer::command::Command;
use crate::viewer::icon::{self, Icon};
use crate::viewer::state::State;
use crate::viewer::timeline::Lower;

const ROW: f32 = 40.0;
/// Size of the icon buttons for options.
const TOGGLE: Vec2 = vec2(34.0, 28.0);
/// Minimum gap between the parts of a row, in points.
const GAP: f32 = 16.0;
/// Gap between the frame and the time, in points.
const TIME_GAP: f32 = 10.0;

/// Widths of the parts of the bar in points, each laid out in one row.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
struct Widths {
    readout: f32,
    buttons: f32,
    options: f32,
}

/// An arrangement of the parts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Arrangement {
    /// One row, with the buttons in the middle of the window if there is room.
    Row,
    /// The options below the other parts.
    TwoRows,
    /// Only the buttons stay together; everything else wraps below them.
    Wrapped,
}

impl Widths {
    fn arrangement(self, available: f32) -> Arrangement {
        let Self { readout, buttons, options } = self;
        match available {
            _ if available >= readout + buttons + options + 2.0 * GAP => Arrangement::Row,
            _ if available >= buttons + GAP + readout => Arrangement::TwoRows,
            _ => Arrangement::Wrapped,
        }
    }
}

/// Shows the controls.
pub fn show(ui: &mut Ui, state: &mut State, commands: &mut Vec<Command>) {
    let swings = state.has_physics().then(|| state.plays_physics());
    let (lower, shows_tracks) = (state.timeline.lower, state.mixer.is_shown);
    let mut bar = Bar { animator: &mut state.animator, swings, lower, shows_tracks, commands };
    // Assume the widths of the last time; they do not depend on the arrangement.
    let id = Id::unique("transport widths");
    let before: Widths = ui.data(|data| data.get_temp(id)).unwrap_or_default();
    let available = ui.available_width();
    let arrangement = before.arrangement(available);
    let widths = match arrangement {
        Arrangement::Row => bar.row(ui, before),
        Arrangement::TwoRows | Arrangement::Wrapped => bar.rows(ui, arrangement),
    };
    if widths != before {
        ui.data_mut(|data| data.insert_temp(id, widths));
        // This row was laid out with the old widths.
        if arrangement == Arrangement::Row || widths.arrangement(available) != arrangement {
            ui.ctx().request_discard("the transport bar was measured");
        }
    }
}

/// The controls below the timeline.
struct Bar<'a> {
    animator: &'a mut Animator,
    swings: Option<bool>,
    lower: Option<Lower>,
    shows_tracks: bool,
    commands: &'a mut Vec<Command>,
}

impl Bar<'_> {
    fn row(&mut self, ui: &mut Ui, widths: Widths) -> Widths {
        let (row, _) = ui.allocate_exact_size(vec2(ui.available_width(), ROW), egui::Sense::hover());
        let first = row.left() + widths.readout + GAP;
        let last = row.right() - widths.options - GAP - widths.buttons;
        let middle = (row.center().x - 0.5 * widths.buttons).min(last).max(first);
        let mut part = |rect: Rect, layout: Layout| ui.new_child(UiBuilder::new().max_rect(rect).layout(layout));
        let left_to_right = Layout::left_to_right(Align::Center);
        let mut left = part(row, left_to_right);
        let mut center = part(row.with_min_x(middle), left_to_right);
        let mut right = part(row, Layout::right_to_left(Align::Center));
        Widths {
            readout: readout(&mut left, self.animator),
            buttons: buttons(&mut center, self.animator, self.commands),
            options: self.options(&mut right, true),
        }
    }

    fn rows(&mut self, ui: &mut Ui, arrangement: Arrangement) -> Widths {
        let mut widths = Widths::default();
        ui.horizontal(|ui| {
            ui.set_height(ROW);
            widths.buttons = ui.scope(|ui| buttons(ui, self.animator, self.commands)).inner;
            if arrangement == Arrangement::TwoRows {
                ui.add_space(GAP - ui.spacing().item_spacing.x);
                widths.readout = readout(ui, self.animator);
            }
        });
        ui.horizontal_wrapped(|ui| {
            if arrangement == Arrangement::Wrapped {
                widths.readout = readout(ui, self.animator);
            }
            widths.options = self.options(ui, false);
        });
        widths
    }

    fn options(&mut self, ui: &mut Ui, is_reversed: bool) -> f32 {
        let Self { animator, swings, lower, shows_tracks, commands } = self;
        let shown = if is_reversed {
            let tracks = tracks(ui, *shows_tracks, commands);
            let [curves, keys] = [Lower::Curves, Lower::Dopesheet].map(|it| toggle(ui, it, *lower, commands));
            let (blends, swings) = (interpolation(ui, animator), physics(ui, *swings, commands));
            let (speed, mode) = (speed(ui, animator), loop_mode(ui, animator));
            [Some(tracks), Some(curves), Some(keys), blends, swings, Some(speed), Some(mode)]
        } else {
            let (mode, speed) = (loop_mode(ui, animator), speed(ui, animator));
            let (swings, blends) = (physics(ui, *swings, commands), interpolation(ui, animator));
            let [keys, curves] = [Lower::Dopesheet, Lower::Curves].map(|it| toggle(ui, it, *lower, commands));
            let tracks = tracks(ui, *shows_tracks, commands);
            [Some(mode), Some(speed), swings, blends, Some(keys), Some(curves), Some(tracks)]
        };
        width_in_a_row(ui, &shown.into_iter().flatten().collect::<Vec<_>>())
    }
}

/// Returns the width of these widgets in one row.
fn width_in_a_row(ui: &Ui, shown: &[Response]) -> f32 {
    let gaps = shown.len().saturating_sub(1) as f32 * ui.spacing().item_spacing.x;
    shown.iter().map(|response| response.rect.width()).sum::<f32>() + gaps
}

fn buttons(ui: &mut Ui, animator: &Animator, commands: &mut Vec<Command>) -> f32 {
    ui.spacing_mut().item_spacing.x = 6.0;
    let mut shown = Vec::new();
    let mut sign = |ui: &mut Ui, sign, command: Command| {
        let button = icon::button(ui, sign, command.label(), &command.tooltip(), vec2(38.0, 32.0));
        if button.clicked() {
            commands.push(command);
        }
        shown.push(button);
    };
    sign(ui, Icon::First, Command::First);
    sign(ui, Icon::StepBack, Command::StepBack);
    let (play, name) = if animator.is_playing() { (Icon::Pause, "Pause") } else { (Icon::Play, "Play") };
    let tooltip = Command::PlayPause.tooltip();
    let play = icon::round_button(ui, play, name, &tooltip, 38.0);
    sign(ui, Icon::StepForward, Command::StepForward);
    sign(ui, Icon::Last, Command::Last);
    if play.clicked() {
        commands.push(Command::PlayPause);
    }
    shown.push(play);
    width_in_a_row(ui, &shown)
}

fn readout(ui: &mut Ui, animator: &mut Animator) -> f32 {
    let last = animator.playback(0).frame_count().saturating_sub(1);
    let text = |ui: &mut Ui, text: RichText| ui.add(Label::new(text).extend());
    let name = text(ui, RichText::new("Frame").weak());
    let mut frame = animator.playback(0).frame();
    let field = ui.add(DragValue::new(&mut frame).range(0..=last).speed(0.1)).labelled_by(name.id);
    if field.changed() {
        animator.seek(frame.into());
    }
    let count = text(ui, RichText::new(format!("/ {last}")).weak());
    ui.add_space(TIME_GAP);
    let playback = animator.playback(0);
    let seconds = match playback.is_keyed() {
        true => format!("{:.2} / {:.2} s", playback.seconds(), playback.duration_secs()),
        false => format!("{:.2} s", playback.seconds()),
    };
    let seconds = text(ui, RichText::new(seconds).monospace());
    TIME_GAP + width_in_a_row(ui, &[name, field, count, seconds])
}

fn loop_mode(ui: &mut Ui, animator: &mut Animator) -> Response {
    let mode = animator.loop_mode();
    let (icon, name) = loop_face(mode);
    let (rect, button) = ui.allocate_exact_size(TOGGLE, Sense::click());
    button.widget_info(|| {
        let info = WidgetInfo::labeled(Role::Button, ui.is_enabled(), "Loop mode");
        WidgetInfo { current_text_value: Some(name.to_owned()), ..info }
    });
    let visuals = ui.style().interact(&button);
    ui.painter().rect_filled(rect, visuals.corner_radius, visuals.weak_bg_fill);
    icon::paint(ui.painter(), icon, rect.center(), visuals.fg_stroke.color);
    Popup::menu(&button).show(|ui| {
        ui.set_width(170.0);
        ui.spacing_mut().item_spacing.y = 1.0;
        for choice in LoopMode::ALL {
            let row = CommandRow {
                name: loop_face(choice).1,
                is_on: Some(choice == mode),
                kind: "",
                unavailable: None,
                caps: &[],
                is_selected: false,
            };
            if row.show(ui, Sense::click()).clicked() {
                animator.set_loop_mode(choice);
                ui.close();
            }
        }
    });
    button.on_hover_text(format!("{name}\n{}", Command::LoopMode.tooltip()))
}

/// Returns the icon and the name of a loop mode.
fn loop_face(mode: LoopMode) -> (Icon, &'static str) {
    match mode {
        LoopMode::Authored => (Icon::LoopAuthored, "Loop as authored"),
        LoopMode::Loop => (Icon::Loop, "Loop"),
        LoopMode::Once => (Icon::Once, "Play once"),
        LoopMode::PingPong => (Icon::PingPong, "Ping-pong"),
    }
}

fn speed(ui: &mut Ui, animator: &mut Animator) -> Response {
    let mut percent = animator.speed() * 100.0;
    let field = DragValue::new(&mut percent)
        .range(-1000.0..=1000.0)
        // The command line allows higher speeds.
        .clamp_existing_to_range(false)
        .speed(1.0)
        .max_decimals(0)
        .prefix("Speed ")
        .suffix(" %");
    let tooltip = format!("{}, {}", Command::Slower.tooltip(), Command::Faster.tooltip());
    let field = ui.add(field).on_hover_text(tooltip);
    if field.changed() {
        animator.set_speed(percent / 100.0);
    }
    field
}

/// Shows the button that opens or closes the dopesheet or the curves.
fn toggle(ui: &mut Ui, lower: Lower, shown: Option<Lower>, commands: &mut Vec<Command>) -> Response {
    let (name, command) = match lower {
        Lower::Dopesheet => ("Keys", Command::Dopesheet),
        Lower::Curves => ("Curves", Command::Curves),
    };
    let button = ui.selectable_label(shown == Some(lower), name).on_hover_text(command.tooltip());
    if button.clicked() {
        commands.push(command);
    }
    button
}

fn interpolation(ui: &mut Ui, animator: &mut Animator) -> Option<Response> {
    // Keyed animations are always blended.
    if animator.playback(0).is_keyed() {
        return None;
    }
    let is_on = animator.interpolates();
    let state = if is_on { "on" } else { "off" };
    let tooltip = format!(
        "Interpolation: {state}\nBlends neighbouring frames instead of holding each one  ({})",
        Command::Interpolate.keys()
    );
    let toggle = icon::toggle(ui, Icon::Interpolate, "Interpolate", &tooltip, is_on, TOGGLE);
    if toggle.clicked() {
        animator.set_interpolate(!is_on);
    }
    Some(toggle)
}

/// Shows the switch for physics if the character has physics.
fn physics(ui: &mut Ui, swings: Option<bool>, commands: &mut Vec<Command>) -> Option<Response> {
    let is_on = swings?;
    let state = if is_on { "on" } else { "off" };
    let tooltip =
        format!("Physics: {state}\nSimulates the physics that the file defines  ({})", Command::Physics.keys());
    let toggle = icon::toggle(ui, Icon::Physics, "Physics", &tooltip, is_on, TOGGLE);
    if toggle.clicked() {
        commands.push(Command::Physics);
    }
    Some(toggle)
}

/// Shows the toggle of the strip of tracks.
fn tracks(ui: &mut Ui, is_shown: bool, commands: &mut Vec<Command>) -> Response {
    let toggle = ui.selectable_label(is_shown, "Tracks").on_hover_text(Command::Tracks.tooltip());
    if toggle.clicked() {
        commands.push(Command::Tracks);
    }
    toggle
}
