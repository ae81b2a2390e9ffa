//! One track of the strip: its number, what it plays, and its settings.

use egui::{Align, Button, ComboBox, DragValue, Label, Layout, Response, RichText, Ui, vec2};

use super::{Action, lane, name, seconds};
use crate::player::{Animator, LoopMode, Playback};
use crate::viewer::icon::{self, Icon};
use crate::viewer::mixer::change_track;

/// Widths in points.
const NUMBER: f32 = 52.0;
const FADE: f32 = 88.0;
const WEIGHT: f32 = 104.0;
const SPEED: f32 = 100.0;
const LOOP: f32 = 116.0;
const ADD: f32 = 44.0;
const BUTTON: f32 = 26.0;
const MIN_LANE: f32 = 220.0;

/// Shows the track, in two lines if there is not enough room.
pub fn show(ui: &mut Ui, animator: &mut Animator, track: usize, mixes: bool, action: &mut Option<Action>) {
    ui.spacing_mut().item_spacing.x = 6.0;
    let gap = ui.spacing().item_spacing.x;
    let settings_width = FADE + WEIGHT + SPEED + LOOP + ADD + 2.0 * BUTTON + 7.0 * gap;
    let lane_width = ui.available_width() - NUMBER - gap - settings_width;
    if lane_width >= MIN_LANE {
        ui.horizontal(|ui| {
            number(ui, track);
            lane::show(ui, animator, track, lane_width - gap, action);
            settings(ui, animator, track, mixes, action);
        });
    } else {
        ui.horizontal(|ui| {
            number(ui, track);
            let width = ui.available_width();
            lane::show(ui, animator, track, width, action);
        });
        ui.horizontal_wrapped(|ui| settings(ui, animator, track, mixes, action));
        ui.add_space(4.0);
    }
}

fn number(ui: &mut Ui, track: usize) {
    let label = Label::new(RichText::new(format!("Track {track}"))).truncate();
    ui.add_sized(vec2(NUMBER, lane::HEIGHT), label);
}

fn settings(ui: &mut Ui, animator: &mut Animator, track: usize, mixes: bool, action: &mut Option<Action>) {
    let is_playing = animator.playback(track).animation().is_some();
    // Not in a scope: only single widgets wrap.
    ui.add_enabled(is_playing && mixes, |ui: &mut Ui| fade(ui, animator, track));
    ui.add_enabled(is_playing && mixes, |ui: &mut Ui| weight(ui, animator, track));
    ui.add_enabled(is_playing, |ui: &mut Ui| speed(ui, animator, track));
    ui.add_enabled(is_playing, |ui: &mut Ui| {
        let layout = Layout::left_to_right(Align::Center);
        let size = vec2(LOOP, lane::HEIGHT);
        ui.allocate_ui_with_layout(size, layout, |ui| loop_mode(ui, animator, track)).inner
    });
    ui.add_enabled(is_playing && mixes, |ui: &mut Ui| additive(ui, animator, track));
    let label = format!("Clear track {track}");
    let tooltip = "Fade the track out over the default fade, and clear its queue";
    let size = vec2(BUTTON, BUTTON);
    let clear = ui.add_enabled(is_playing, |ui: &mut Ui| icon::button(ui, Icon::Minus, &label, tooltip, size));
    if clear.clicked() {
        *action = Some(Action::Clear(track));
    }
    if track != 0 {
        let label = format!("Remove track {track}");
        if icon::button(ui, Icon::Close, &label, "Remove the track at once", size).clicked() {
            *action = Some(Action::Remove(track));
        }
    }
}

fn fade(ui: &mut Ui, animator: &mut Animator, track: usize) -> Response {
    let mut secs = animator.playback(track).fade_secs();
    let field = ui.add_sized(vec2(FADE, lane::HEIGHT), seconds(&mut secs, "Fade "));
    name(ui, &field, &format!("Fade of track {track}"));
    if field.changed()
        && let Some(playback) = animator.playback_mut(track)
    {
        playback.set_fade(secs);
    }
    field.on_hover_text("How long this animation takes to replace the one before it")
}

fn weight(ui: &mut Ui, animator: &mut Animator, track: usize) -> Response {
    let mut percent = animator.playback(track).weight() * 100.0;
    let field = DragValue::new(&mut percent).range(0.0..=100.0).speed(1.0).max_decimals(0);
    let field = ui.add_sized(vec2(WEIGHT, lane::HEIGHT), field.prefix("Weight ").suffix(" %"));
    name(ui, &field, &format!("Weight of track {track}"));
    if field.changed() {
        change_track(animator, track, |playback| _ = playback.set_weight(percent / 100.0));
    }
    field.on_hover_text("How far the track replaces what is below it")
}

fn speed(ui: &mut Ui, animator: &mut Animator, track: usize) -> Response {
    let mut percent = animator.playback(track).speed() * 100.0;
    let field = DragValue::new(&mut percent).range(-1000.0..=1000.0).speed(1.0).max_decimals(0);
    let field = ui.add_sized(vec2(SPEED, lane::HEIGHT), field.prefix("Speed ").suffix(" %"));
    name(ui, &field, &format!("Speed of track {track}"));
    if field.changed() {
        change_track(animator, track, |playback| _ = playback.set_speed(percent / 100.0));
    }
    field.on_hover_text("Multiplied by the speed of the window; negative plays backwards")
}

fn loop_mode(ui: &mut Ui, animator: &mut Animator, track: usize) -> Response {
    let title = |mode| match mode {
        LoopMode::Authored => "As authored",
        LoopMode::Loop => "Loop",
        LoopMode::Once => "Play once",
        LoopMode::PingPong => "Ping-pong",
    };
    let before = animator.playback(track).loop_mode();
    let mut mode = before;
    let combo = ComboBox::from_id_salt("loop mode").selected_text(title(mode)).width(LOOP);
    let combo = combo.show_ui(ui, |ui| {
        for choice in LoopMode::ALL {
            ui.selectable_value(&mut mode, choice, title(choice));
        }
    });
    name(ui, &combo.response, &format!("Loop mode of track {track}"));
    if mode != before {
        change_track(animator, track, |playback| _ = playback.set_loop_mode(mode));
    }
    combo.response
}

fn additive(ui: &mut Ui, animator: &mut Animator, track: usize) -> Response {
    let is_additive = animator.playback(track).is_additive();
    let button = ui.add_sized(vec2(ADD, lane::HEIGHT), Button::selectable(is_additive, "Add"));
    name(ui, &button, &format!("Add track {track} to those below"));
    if button.clicked() {
        change_track(animator, track, |playback: &mut Playback| _ = playback.set_additive(!is_additive));
    }
    button.on_hover_text("Add to what is below instead of replacing it")
}
