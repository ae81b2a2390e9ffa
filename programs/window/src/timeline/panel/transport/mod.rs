//! The playback controls below the timeline.

pub mod arrangement;
pub mod forces;
pub mod loop_mode;

use egui::{Align, DragValue, Id, Label, Layout, Rect, Response, RichText, Sense, Ui, UiBuilder, Vec2, vec2};

use crate::timeline::Lower;
use crate::timeline::panel::TimelinePanel;
use crate::widgets::actions::Actions;
use crate::widgets::command::Command;
use crate::widgets::icon::{self, Icon};
use crate::widgets::{name, percent};
use arrangement::{Arrangement, GAP, ROW, Widths};
use pchr::Animator;

/// Size of the icon buttons for options.
const TOGGLE: Vec2 = vec2(34.0, 26.0);
/// Gap between the frame and the time in points.
const TIME_GAP: f32 = 10.0;
/// Height in points of the other bars of the window: the top bar, and the timeline with its margins.
const OTHER_BARS: f32 = 130.0;
/// Window width in points below which the buttons are closer together.
const NARROW: f32 = 440.0;

/// Shows the controls.
pub fn show(ui: &mut Ui, panel: &mut TimelinePanel<'_>) {
    let TimelinePanel { playback, timeline, shows_tracks, actions, .. } = panel;
    let physics = playback.has_physics().then(|| playback.plays_physics());
    let (lower, shows_tracks) = (timeline.lower, *shows_tracks);
    let mut bar = Bar { animator: &mut playback.animator, physics, lower, shows_tracks, actions };
    // Assume the widths of the last time; they do not depend on the arrangement.
    let id = Id::unique("transport widths");
    let before: Widths = ui.data(|data| data.get_temp(id)).unwrap_or_default();
    let available = ui.available_width();
    // The picture keeps half of the window.
    let height = 0.5 * ui.ctx().content_rect().height() - OTHER_BARS;
    let arrangement = before.arrangement(available, height);
    let mut widths = before;
    match arrangement {
        Arrangement::Row { has_word } => bar.row(ui, &mut widths, has_word),
        Arrangement::TwoRows { has_word } => bar.two_rows(ui, &mut widths, has_word),
        Arrangement::Wrapped => bar.wrapped(ui, &mut widths),
        Arrangement::Low { has_readout } => bar.low(ui, &mut widths, has_readout),
    }
    if widths != before {
        ui.data_mut(|data| data.insert_temp(id, widths));
        // It was laid out with the old widths.
        ui.ctx().request_discard("the transport bar was measured");
    }
}

/// Shows the button that plays and pauses, `diameter` points wide.
pub fn play(ui: &mut Ui, animator: &Animator, diameter: f32, actions: &mut Actions) -> Response {
    let (play, name) = if animator.is_playing() { (Icon::Pause, "Pause") } else { (Icon::Play, "Play") };
    let button = icon::round_button(ui, play, name, &Command::PlayPause.tooltip(), diameter);
    if button.clicked() {
        actions.push(Command::PlayPause);
    }
    button
}

/// The controls below the timeline.
struct Bar<'a> {
    animator: &'a mut Animator,
    physics: Option<bool>,
    lower: Option<Lower>,
    shows_tracks: bool,
    actions: &'a mut Actions,
}

impl Bar<'_> {
    fn row(&mut self, ui: &mut Ui, widths: &mut Widths, has_word: bool) {
        let before = *widths;
        let row = allocate_row(ui, ROW);
        let readout = before.readout + if has_word { before.word } else { 0.0 };
        let views = row.right() - before.views;
        let playback = views - GAP - before.playback;
        let (first, last) = (row.left() + readout + GAP, playback - GAP - before.buttons);
        let middle = (row.center().x - 0.5 * before.buttons).min(last).max(first);
        self.readout(&mut part(ui, row, row.left()), widths, has_word);
        self.buttons(&mut part(ui, row, middle), widths);
        self.playback(&mut part(ui, row, playback), widths);
        self.views(&mut part(ui, row, views), widths);
    }

    fn two_rows(&mut self, ui: &mut Ui, widths: &mut Widths, has_word: bool) {
        let before = *widths;
        let row = allocate_row(ui, ROW);
        self.buttons(&mut part(ui, row, row.left()), widths);
        self.views(&mut part(ui, row, row.right() - before.views), widths);
        let row = allocate_row(ui, TOGGLE.y);
        self.readout(&mut part(ui, row, row.left()), widths, has_word);
        self.playback(&mut part(ui, row, row.right() - before.playback), widths);
    }

    fn wrapped(&mut self, ui: &mut Ui, widths: &mut Widths) {
        let row = allocate_row(ui, ROW);
        self.buttons(&mut part(ui, row, row.left()), widths);
        ui.horizontal_wrapped(|ui| {
            self.readout(ui, widths, true);
            self.playback(ui, widths);
            self.views(ui, widths);
        });
    }

    fn low(&mut self, ui: &mut Ui, widths: &mut Widths, has_readout: bool) {
        let row = allocate_row(ui, ROW);
        let readout = if has_readout { widths.readout + GAP } else { 0.0 };
        let middle = row.center().x - 0.5 * widths.buttons;
        if has_readout {
            self.readout(&mut part(ui, row, row.left()), widths, false);
        }
        self.buttons(&mut part(ui, row, middle.max(row.left() + readout)), widths);
    }

    fn readout(&mut self, ui: &mut Ui, widths: &mut Widths, has_word: bool) {
        readout(ui, self.animator, widths, has_word);
    }

    fn buttons(&mut self, ui: &mut Ui, widths: &mut Widths) {
        widths.buttons = buttons(ui, self.animator, self.actions);
    }

    fn playback(&mut self, ui: &mut Ui, widths: &mut Widths) {
        let (mode, speed) = (loop_mode::show(ui, self.animator), speed(ui, self.animator));
        let physics = physics(ui, self.physics, self.actions);
        let forces = physics.is_some().then(|| forces::show(ui, self.animator));
        let shown = [Some(mode), Some(speed), physics, forces, interpolation(ui, self.animator)];
        widths.playback = width_in_a_row(ui, &shown.into_iter().flatten().collect::<Vec<_>>());
    }

    fn views(&mut self, ui: &mut Ui, widths: &mut Widths) {
        let Self { lower, shows_tracks, actions, .. } = self;
        if is_narrow(ui) {
            ui.spacing_mut().item_spacing.x = 2.0;
            ui.spacing_mut().button_padding.x = 7.0;
        }
        let [keys, curves] = [Lower::Dopesheet, Lower::Curves].map(|it| toggle(ui, it, *lower, actions));
        let tracks = actions.on_click(ui.selectable_label(*shows_tracks, "Tracks"), Command::Tracks);
        widths.views = width_in_a_row(ui, &[keys, curves, tracks]);
    }
}

/// Allocates a row as wide as the bar.
fn allocate_row(ui: &mut Ui, height: f32) -> Rect {
    ui.allocate_exact_size(vec2(ui.available_width(), height), Sense::hover()).0
}

/// Returns a part of `row` that begins at `left`.
fn part(ui: &mut Ui, row: Rect, left: f32) -> Ui {
    let layout = Layout::left_to_right(Align::Center);
    ui.new_child(UiBuilder::new().max_rect(row.with_min_x(left)).layout(layout))
}

fn is_narrow(ui: &Ui) -> bool {
    ui.ctx().content_rect().width() < NARROW
}

/// Returns the width of these widgets in one row.
fn width_in_a_row(ui: &Ui, shown: &[Response]) -> f32 {
    let gaps = shown.len().saturating_sub(1) as f32 * ui.spacing().item_spacing.x;
    shown.iter().map(|response| response.rect.width()).sum::<f32>() + gaps
}

fn buttons(ui: &mut Ui, animator: &Animator, actions: &mut Actions) -> f32 {
    let (width, gap) = if is_narrow(ui) { (34.0, 4.0) } else { (38.0, 6.0) };
    ui.spacing_mut().item_spacing.x = gap;
    let sign = |ui: &mut Ui, sign, command: Command, actions: &mut Actions| {
        icon::command(ui, sign, command.label(), command, vec2(width, 32.0), actions)
    };
    let first = sign(ui, Icon::First, Command::First, actions);
    let back = sign(ui, Icon::StepBack, Command::StepBack, actions);
    let play = play(ui, animator, 38.0, actions);
    let forward = sign(ui, Icon::StepForward, Command::StepForward, actions);
    let last = sign(ui, Icon::Last, Command::Last, actions);
    width_in_a_row(ui, &[first, back, forward, last, play])
}

/// Shows the frame and the time, with the word “Frame” before them if `has_word`.
fn readout(ui: &mut Ui, animator: &mut Animator, widths: &mut Widths, has_word: bool) {
    let last = animator.playback(0).frame_count().saturating_sub(1);
    let text = |ui: &mut Ui, text: RichText| ui.add(Label::new(text).extend());
    let word = has_word.then(|| text(ui, RichText::new("Frame").weak()));
    let mut frame = animator.playback(0).frame();
    let field = ui.add(DragValue::new(&mut frame).range(0..=last).speed(0.1));
    let field = match word {
        Some(word) => {
            widths.word = word.rect.width() + ui.spacing().item_spacing.x;
            field.labelled_by(word.id)
        }
        None => {
            name(ui, &field, "Frame");
            field.on_hover_text("Frame")
        }
    };
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
    let seconds = text(ui, RichText::new(seconds));
    widths.readout = TIME_GAP + width_in_a_row(ui, &[field, count, seconds]);
}

fn speed(ui: &mut Ui, animator: &mut Animator) -> Response {
    let mut speed = animator.speed() * 100.0;
    // The command line allows higher speeds.
    let field = percent(&mut speed, -1000.0..=1000.0, "Speed ").clamp_existing_to_range(false);
    let tooltip = format!("{}, {}", Command::Slower.tooltip(), Command::Faster.tooltip());
    let field = ui.add(field).on_hover_text(tooltip);
    if field.changed() {
        animator.set_speed(speed / 100.0);
    }
    field
}

/// Shows the button that opens or closes the dopesheet or the curves.
fn toggle(ui: &mut Ui, lower: Lower, shown: Option<Lower>, actions: &mut Actions) -> Response {
    let (name, command) = match lower {
        Lower::Dopesheet => ("Keys", Command::Dopesheet),
        Lower::Curves => ("Curves", Command::Curves),
    };
    actions.on_click(ui.selectable_label(shown == Some(lower), name), command)
}

/// Adds the switch of an option with its icon and name. The tooltip names its state, what it does, and its key.
fn option(
    ui: &mut Ui,
    (icon, name): (Icon, &str),
    [title, about]: [&str; 2],
    command: Command,
    is_on: bool,
) -> Response {
    let state = if is_on { "on" } else { "off" };
    let tooltip = format!("{title}: {state}\n{about}  ({})", command.keys());
    icon::toggle(ui, icon, name, &tooltip, is_on, TOGGLE)
}

fn interpolation(ui: &mut Ui, animator: &mut Animator) -> Option<Response> {
    // Keyed animations are always blended.
    if animator.playback(0).is_keyed() {
        return None;
    }
    let is_on = animator.interpolates();
    let about = ["Interpolation", "Blends neighbouring frames instead of holding each one"];
    let toggle = option(ui, (Icon::Interpolate, "Interpolate"), about, Command::Interpolate, is_on);
    if toggle.clicked() {
        animator.set_interpolate(!is_on);
    }
    Some(toggle)
}

/// Shows the switch for physics if the character has physics.
fn physics(ui: &mut Ui, physics: Option<bool>, actions: &mut Actions) -> Option<Response> {
    let is_on = physics?;
    let about = ["Physics", "Simulates the physics that the file defines"];
    let toggle = option(ui, (Icon::Physics, "Physics"), about, Command::Physics, is_on);
    if toggle.clicked() {
        actions.push(Command::Physics);
    }
    Some(toggle)
}
