//! One track of the strip: its number, what it plays, and its settings; in a narrow window, these are in a menu.

use egui::{Align, Button, ComboBox, Label, Layout, Popup, PopupCloseBehavior, Response, RichText, Ui, vec2};

use super::{TrackInput, lane, seconds};
use crate::playback::playhead::loop_title;
use crate::tracks::change_track;
use crate::widgets::icon::{self, Icon};
use crate::widgets::{name, percent};
use pchr::Animator;
use pchr::player::{LoopMode, PlaySettings, Playback, Thresholds};

/// Widths in points.
const NUMBER: f32 = 52.0;
const FADE: f32 = 88.0;
const WEIGHT: f32 = 104.0;
const SPEED: f32 = 100.0;
const LOOP: f32 = 150.0;
const ADDITIVE: f32 = 76.0;
const CLEAR: f32 = 58.0;
const REMOVE: f32 = 26.0;
const MORE: f32 = 26.0;
const MENU: f32 = 76.0;
const MIN_LANE: f32 = 220.0;
/// Width below which the menu of settings has an icon.
const NARROW: f32 = 440.0;
/// Width of the menu of settings in points.
const MENU_WIDTH: f32 = 170.0;

/// Shows the track. Animations as long as `longest`, in seconds, fill their lane.
pub fn show(
    ui: &mut Ui,
    animator: &mut Animator,
    track: usize,
    mixes: bool,
    longest: f64,
    input: &mut Option<TrackInput>,
) {
    ui.spacing_mut().item_spacing.x = 6.0;
    let gap = ui.spacing().item_spacing.x;
    let settings_width = FADE + WEIGHT + SPEED + LOOP + ADDITIVE + MORE + CLEAR + REMOVE + 8.0 * gap;
    let lane_width = ui.available_width() - NUMBER - gap - settings_width;
    ui.horizontal(|ui| {
        number(ui, track);
        if lane_width >= MIN_LANE {
            lane::show(ui, animator, track, lane_width - gap, longest, input);
            settings(ui, animator, track, mixes, true);
            let label = format!("More settings of track {track}");
            let button = icon::button(ui, Icon::Menu, &label, &label, vec2(MORE, REMOVE));
            popup(&button, |ui| more(ui, animator, track, mixes, input));
            clear(ui, animator, track, input);
        } else {
            let is_narrow = ui.available_width() < NARROW;
            let menu_width = if is_narrow { REMOVE } else { MENU };
            let width = (ui.available_width() - menu_width - REMOVE - 2.0 * gap).max(1.0);
            lane::show(ui, animator, track, width, longest, input);
            menu(ui, animator, track, mixes, is_narrow, input);
        }
        if track != 0 {
            remove(ui, track, input);
        }
    });
}

/// Shows a button that opens a menu of the settings.
fn menu(
    ui: &mut Ui,
    animator: &mut Animator,
    track: usize,
    mixes: bool,
    is_narrow: bool,
    input: &mut Option<TrackInput>,
) {
    let label = format!("Settings of track {track}");
    let button = if is_narrow {
        icon::button(ui, Icon::Menu, &label, &label, vec2(REMOVE, REMOVE))
    } else {
        let button = ui.add_sized(vec2(MENU, lane::HEIGHT), Button::new("Settings"));
        name(ui, &button, &label);
        button
    };
    popup(&button, |ui| {
        settings(ui, animator, track, mixes, false);
        ui.separator();
        ui.add_enabled_ui(animator.playback(track).animation().is_some(), |ui| {
            let mut mode = animator.playback(track).loop_mode();
            for choice in LoopMode::ALL {
                if ui.selectable_value(&mut mode, choice, loop_title(choice)).clicked() {
                    change_track(animator, track, |playback| _ = playback.set_loop_mode(mode));
                }
            }
        });
        ui.separator();
        more(ui, animator, track, mixes, input);
        clear(ui, animator, track, input);
    });
}

/// Shows the contents of a menu below its button while it is open.
fn popup(button: &Response, contents: impl FnOnce(&mut Ui)) {
    let popup = Popup::menu(button).close_behavior(PopupCloseBehavior::CloseOnClickOutside);
    popup.show(|ui| {
        ui.set_width(MENU_WIDTH);
        contents(ui);
    });
}

/// Shows the settings that are needed less often.
fn more(ui: &mut Ui, animator: &mut Animator, track: usize, mixes: bool, input: &mut Option<TrackInput>) {
    let playback = animator.playback(track);
    let is_playing = playback.animation().is_some();
    let before = playback.settings();
    let mut settings = before.clone();
    ui.add_enabled_ui(is_playing && mixes, |ui| {
        ui.checkbox(&mut settings.holds_previous, "Hold previous")
            .on_hover_text("The animation before it keeps its strength while this one fades in");
        ui.checkbox(&mut settings.turns_short_way, "Shortest turns")
            .on_hover_text("Mixed rotations take the shortest way in each pose");
        let Thresholds { attachments, draw_order, events } = &mut settings.thresholds;
        for (label, share) in
            [("Attachments until ", attachments), ("Draw order until ", draw_order), ("Events until ", events)]
        {
            let mut whole = *share * 100.0;
            let field = ui.add(percent(&mut whole, 0.0..=100.0, label));
            if field.on_hover_text("Keeps these until the next animation has replaced this one so far").changed() {
                *share = whole / 100.0;
            }
        }
    });
    ui.add_enabled_ui(is_playing, |ui| {
        ui.checkbox(&mut settings.is_reversed, "Reversed").on_hover_text("Play from its end to its start");
        let mut ends = settings.end_secs.is_some();
        ui.checkbox(&mut ends, "Ends by itself").on_hover_text("The track is idle afterwards");
        // By default with the present loop.
        let left = playback.duration_secs() - playback.seconds();
        settings.end_secs = ends.then(|| settings.end_secs.unwrap_or(playback.played_secs() + left));
        if let Some(secs) = &mut settings.end_secs {
            ui.add(seconds(secs, "After "));
        }
        if ui.button("Stop").on_hover_text("Stop the track at once; what it has set stays").clicked() {
            *input = Some(TrackInput::Stop(track));
        }
    });
    if settings.end_secs != before.end_secs {
        animator.playback_mut(track).into_iter().for_each(|playback| _ = playback.set_end(settings.end_secs));
    } else if settings != before {
        let PlaySettings { thresholds, holds_previous, turns_short_way, is_reversed, .. } = settings;
        change_track(animator, track, |playback| {
            playback.set_thresholds(thresholds).set_hold_previous(holds_previous);
            playback.set_turns_short_way(turns_short_way).set_reversed(is_reversed);
        });
    }
}

fn number(ui: &mut Ui, track: usize) {
    let label = Label::new(RichText::new(format!("Track {track}"))).truncate();
    ui.add_sized(vec2(NUMBER, lane::HEIGHT), label);
}

/// Shows the settings in a row, or in a menu, which has the loop mode elsewhere.
fn settings(ui: &mut Ui, animator: &mut Animator, track: usize, mixes: bool, is_row: bool) {
    let is_playing = animator.playback(track).animation().is_some();
    ui.add_enabled(is_playing && mixes, |ui: &mut Ui| fade(ui, animator, track));
    ui.add_enabled(is_playing && mixes, |ui: &mut Ui| weight(ui, animator, track));
    ui.add_enabled(is_playing, |ui: &mut Ui| speed(ui, animator, track));
    if is_row {
        ui.add_enabled(is_playing, |ui: &mut Ui| {
            let layout = Layout::left_to_right(Align::Center);
            let size = vec2(LOOP, lane::HEIGHT);
            ui.allocate_ui_with_layout(size, layout, |ui| loop_mode(ui, animator, track)).inner
        });
    }
    ui.add_enabled(is_playing && mixes, |ui: &mut Ui| additive(ui, animator, track));
}

fn clear(ui: &mut Ui, animator: &Animator, track: usize, input: &mut Option<TrackInput>) {
    let is_playing = animator.playback(track).animation().is_some();
    let button = Button::new("Clear").min_size(vec2(CLEAR, lane::HEIGHT));
    let clear = ui.add_enabled(is_playing, button);
    name(ui, &clear, &format!("Clear track {track}"));
    if clear.on_hover_text("Fade the track out over the default fade, and clear its queue").clicked() {
        *input = Some(TrackInput::Clear(track));
    }
}

fn remove(ui: &mut Ui, track: usize, input: &mut Option<TrackInput>) {
    let label = format!("Remove track {track}");
    if icon::button(ui, Icon::Bin, &label, "Remove the track at once", vec2(REMOVE, REMOVE)).clicked() {
        *input = Some(TrackInput::Remove(track));
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
    let mut weight = animator.playback(track).weight() * 100.0;
    let field = ui.add_sized(vec2(WEIGHT, lane::HEIGHT), percent(&mut weight, 0.0..=100.0, "Weight "));
    name(ui, &field, &format!("Weight of track {track}"));
    if field.changed() {
        change_track(animator, track, |playback| _ = playback.set_weight(weight / 100.0));
    }
    field.on_hover_text("How far the track replaces what is below it")
}

fn speed(ui: &mut Ui, animator: &mut Animator, track: usize) -> Response {
    let mut speed = animator.playback(track).speed() * 100.0;
    let field = ui.add_sized(vec2(SPEED, lane::HEIGHT), percent(&mut speed, -1000.0..=1000.0, "Speed "));
    name(ui, &field, &format!("Speed of track {track}"));
    if field.changed() {
        change_track(animator, track, |playback| _ = playback.set_speed(speed / 100.0));
    }
    field.on_hover_text("Multiplied by the speed of the window; negative plays backwards")
}

fn loop_mode(ui: &mut Ui, animator: &mut Animator, track: usize) -> Response {
    let before = animator.playback(track).loop_mode();
    let mut mode = before;
    let combo = ComboBox::from_id_salt("loop mode").selected_text(loop_title(mode)).width(LOOP);
    let combo = combo.show_ui(ui, |ui| {
        for choice in LoopMode::ALL {
            ui.selectable_value(&mut mode, choice, loop_title(choice));
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
    let button = ui.add_sized(vec2(ADDITIVE, lane::HEIGHT), Button::selectable(is_additive, "Additive"));
    name(ui, &button, &format!("Additive track {track}"));
    if button.clicked() {
        change_track(animator, track, |playback: &mut Playback| _ = playback.set_additive(!is_additive));
    }
    button.on_hover_text("Add to what is below instead of replacing it")
}
