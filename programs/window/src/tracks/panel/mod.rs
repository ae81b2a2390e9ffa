//! The strip of tracks: what plays on each track, its queue and its settings, and beside or below it the event log.

pub mod animation_list;
pub mod bar;
pub mod events;
pub mod lane;
pub mod row;

use egui::{
    Align, DragAndDrop, DragValue, FontId, Id, LayerId, Layout, Order, Rect, RichText, ScrollArea, Stroke,
    StrokeKind, Ui, UiBuilder, pos2, vec2,
};

use super::Mixer;
use super::saved::SavedTracks;
use crate::base::name::short;
use crate::parts::Parts;
use crate::playback::Playback;
use crate::widgets::actions::Actions;
use crate::widgets::command::Command;
use crate::widgets::dragged::Dragged;
use crate::widgets::icon::{self, Icon};
use crate::widgets::name;
use crate::widgets::theme::Palette;
use pchr::model::AnimationId;
use pchr::motion::mixes_animations;

/// Width from which the event log is beside the tracks instead of below them, in points.
const MIN_WIDTH_FOR_COLUMNS: f32 = 1000.0;
const LOG_WIDTH: f32 = 330.0;
/// Minimum height of the event log in points: its heading and five rows.
const LOG_HEIGHT: f32 = 152.0;
/// Size in points of the button that hides the strip.
const CLOSE: f32 = 26.0;
/// Share of the window's height that the strip may take.
const MAX_SHARE: f32 = 0.35;

/// What the strip shows and changes.
#[derive(Debug)]
pub struct TracksPanel<'a> {
    /// The shown character.
    pub playback: &'a mut Playback,
    /// The selected part.
    pub parts: &'a mut Parts,
    /// The strip.
    pub mixer: &'a mut Mixer,
    /// What the user asks for.
    pub actions: &'a mut Actions,
}

/// What the user has done to a track.
pub enum TrackInput {
    Play(usize, AnimationId),
    Queue(usize, AnimationId),
    Clear(usize),
    Stop(usize),
    Remove(usize),
}

/// Shows the strip.
pub fn show(ui: &mut Ui, state: &mut TracksPanel<'_>) {
    let room = (ui.ctx().content_rect().height() * MAX_SHARE).max(64.0);
    let columns = state.mixer.log.is_shown && ui.available_width() >= MIN_WIDTH_FOR_COLUMNS;
    paint_dragged(ui, state);
    let area = |salt: &str| {
        let area = ScrollArea::vertical().id_salt(salt).max_height(room).min_scrolled_height(room);
        area.auto_shrink([false, true])
    };
    if !columns {
        area("strip").show(ui, |ui| {
            header(ui, state);
            rows(ui, state);
            if state.mixer.log.is_shown {
                ui.vertical(|ui| events::show(ui, state, LOG_HEIGHT.min(room)));
            }
        });
        return;
    }
    header(ui, state);
    ui.horizontal_top(|ui| {
        let width = ui.available_width() - LOG_WIDTH - ui.spacing().item_spacing.x;
        let tracks = ui.allocate_ui_with_layout(vec2(width, 0.0), Layout::top_down(Align::Min), |ui| {
            ui.set_width(width);
            area("tracks").show(ui, |ui| rows(ui, state));
        });
        // The log is as high as the tracks: it scrolls, so that the strip keeps its height while events are fired.
        let height = tracks.response.rect.height().max(LOG_HEIGHT).min(room);
        ui.vertical(|ui| events::show(ui, state, height));
    });
}

/// Shows the name of the dragged animation at the pointer.
fn paint_dragged(ui: &Ui, state: &TracksPanel<'_>) {
    let Some(dragged) = DragAndDrop::payload::<Dragged>(ui.ctx()) else { return };
    let animation = state.playback.animator.model().animations().get(dragged.0.index());
    let (Some(animation), Some(pointer)) = (animation, ui.ctx().pointer_interact_pos()) else { return };
    let palette = Palette::of(ui.visuals());
    let painter = ui.ctx().layer_painter(LayerId::new(Order::Tooltip, Id::unique("dragged animation")));
    let name = short(&animation.name, 40);
    let text = painter.layout_no_wrap(name, FontId::proportional(13.0), palette.text);
    let plate = Rect::from_min_size(pointer + vec2(14.0, 10.0), text.size() + vec2(16.0, 8.0));
    painter.rect(plate, 5.0, palette.panel, Stroke::new(1.0, palette.accent), StrokeKind::Inside);
    painter.galley(plate.min + vec2(8.0, 4.0), text, palette.text);
}

fn header(ui: &mut Ui, state: &mut TracksPanel<'_>) {
    let all = ui.available_rect_before_wrap();
    ui.horizontal_wrapped(|ui| {
        ui.set_max_width(all.width() - CLOSE - ui.spacing().item_spacing.x);
        ui.label(RichText::new("TRACKS").small().weak().strong());
        if ui.button("Add track").on_hover_text("Add a track above the others").clicked() {
            state.actions.push(Command::AddTrack);
        }
        let mut fade = state.playback.animator.fade_secs();
        let tooltip = "Fade time of animations added from now on, and of cleared tracks";
        let field = ui.add(seconds(&mut fade, "Default fade ")).on_hover_text(tooltip);
        name(ui, &field, "Default fade");
        if field.changed() {
            state.playback.animator.set_fade_secs(fade);
        }
        let tooltip = "Copy the Rust code that plays these tracks on an Animator";
        if ui.button("Copy as code").on_hover_text(tooltip).clicked() {
            let animator = &state.playback.animator;
            ui.ctx().copy_text(SavedTracks::of(animator).to_code(animator.loop_mode()));
            state.actions.notify("Copied the tracks as Rust code");
        }
        let label = match state.mixer.log.len() {
            0 => "Events".to_owned(),
            count => format!("Events ({count})"),
        };
        let toggle = ui.selectable_label(state.mixer.log.is_shown, label);
        state.actions.on_click(toggle, Command::EventLog);
        if !mixes_animations(state.playback.animator.character()) {
            let text =
                "This file’s animations cannot be mixed: the highest track is shown, and fades switch at once.";
            ui.add(egui::Label::new(RichText::new(text).small().weak()).wrap());
        }
    });
    let corner = Rect::from_min_size(pos2(all.right() - CLOSE, all.top()), vec2(CLOSE, CLOSE));
    let mut corner = ui.new_child(UiBuilder::new().max_rect(corner));
    icon::command(&mut corner, Icon::Close, "Hide tracks", Command::Tracks, vec2(CLOSE, CLOSE), state.actions);
}

fn rows(ui: &mut Ui, state: &mut TracksPanel<'_>) {
    let tracks = state.mixer.tracks(&state.playback.animator);
    let mixes = mixes_animations(state.playback.animator.character());
    let durations = tracks.iter().map(|track| state.playback.animator.playback(*track).duration_secs());
    let longest = durations.fold(0.0, f64::max);
    let mut input = None;
    for track in tracks {
        ui.push_id(track, |ui| row::show(ui, &mut state.playback.animator, track, mixes, longest, &mut input));
    }
    let animator = &mut state.playback.animator;
    match input {
        Some(TrackInput::Play(track, animation)) => state.mixer.play(animator, track, animation),
        Some(TrackInput::Queue(track, animation)) => state.mixer.queue(animator, track, animation),
        Some(TrackInput::Clear(track)) => state.mixer.clear(animator, track),
        Some(TrackInput::Stop(track)) => animator.stop_track(track),
        Some(TrackInput::Remove(track)) => state.mixer.remove(animator, track),
        None => {}
    }
}

/// Returns a field for a fade in seconds.
fn seconds<'a>(secs: &'a mut f64, prefix: &'a str) -> DragValue<'a> {
    DragValue::new(secs)
        .range(0.0..=60.0)
        .clamp_existing_to_range(false)
        .speed(0.01)
        .fixed_decimals(2)
        .prefix(prefix)
        .suffix(" s")
}
