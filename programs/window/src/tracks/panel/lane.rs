//! What plays on a track, with the progress of its playback and of its fade, and its queue. Animations are dropped on
//! it or chosen from menus.

use egui::accesskit::Role;
use egui::{
    Align2, DragAndDrop, FontId, Popup, PopupCloseBehavior, Rect, Response, RichText, Sense, Stroke, StrokeKind,
    TextWrapMode, Ui, Vec2, WidgetInfo, WidgetText, vec2,
};

use super::{TrackInput, animation_list, bar, seconds};
use crate::tracks::saved::animation_name;
use crate::widgets::dragged::Dragged;
use crate::widgets::icon::{self, Icon};
use crate::widgets::name;
use crate::widgets::theme::Palette;
use pchr::Animator;
use pchr::player::Playback;

/// Height of a row of the strip in points.
pub const HEIGHT: f32 = 28.0;
/// Share of the width that the animation takes; the queue takes the rest.
const SHARE: f32 = 0.6;
const TEXT: f32 = 13.0;

/// Shows the animation and the queue of a track, `width` points wide. An animation of `longest` seconds fills its part.
pub fn show(
    ui: &mut Ui,
    animator: &mut Animator,
    track: usize,
    width: f32,
    longest: f64,
    input: &mut Option<TrackInput>,
) {
    let gap = ui.spacing().item_spacing.x;
    let first = ((width - gap) * SHARE).floor();
    let playing = playing(ui, animator, track, vec2(first, HEIGHT), longest);
    let room = animation_list::room(ui, playing.rect);
    Popup::menu(&playing).show(|ui| {
        ui.weak("Play now");
        if let Some(id) = animation_list::show(ui, animator.model(), "play", room) {
            *input = Some(TrackInput::Play(track, id));
        }
    });
    let queue = queue(ui, animator, track, vec2(width - gap - first, HEIGHT));
    Popup::menu(&queue).close_behavior(PopupCloseBehavior::CloseOnClickOutside).show(|ui| {
        queue_menu(ui, animator, track, room, input);
    });
    drop_target(ui, &playing, "Play now", |id| *input = Some(TrackInput::Play(track, id)));
    drop_target(ui, &queue, "Queue", |id| *input = Some(TrackInput::Queue(track, id)));
}

/// Marks `place` while an animation is dragged, and calls `dropped` if it is dropped there.
fn drop_target(ui: &Ui, place: &Response, text: &str, dropped: impl FnOnce(pchr::model::AnimationId)) {
    if DragAndDrop::has_payload_of_type::<Dragged>(ui.ctx()) {
        let palette = Palette::of(ui.visuals());
        let is_over = place.dnd_hover_payload::<Dragged>().is_some();
        let (fill, line) =
            if is_over { (palette.accent_faint, palette.accent) } else { (palette.sunken, palette.line) };
        ui.painter().rect(place.rect, 6.0, fill, Stroke::new(1.5, line), StrokeKind::Inside);
        text_in(ui, place.rect, text, if is_over { palette.accent } else { palette.text_weak });
    }
    if let Some(dragged) = place.dnd_release_payload::<Dragged>() {
        dropped(dragged.0);
    }
}

/// Paints `text`, truncated, into `rect`.
fn text_in(ui: &Ui, rect: Rect, text: &str, color: egui::Color32) {
    let text = RichText::new(text).size(TEXT).color(color);
    let font = FontId::proportional(TEXT);
    let inner = rect.shrink2(vec2(8.0, 0.0));
    let galley =
        WidgetText::from(text).into_galley(ui, Some(TextWrapMode::Truncate), inner.width().max(0.0), font);
    let at = Align2::LEFT_CENTER.align_size_within_rect(galley.size(), inner).min;
    ui.painter().with_clip_rect(rect.intersect(ui.clip_rect())).galley(at, galley, color);
}

/// Shows what plays, as a button that opens the list of animations.
fn playing(ui: &mut Ui, animator: &Animator, track: usize, size: Vec2, longest: f64) -> Response {
    let playback = animator.playback(track);
    let text = text_of(animator, playback);
    let color = |palette: &Palette| if playback.animation().is_some() { palette.text } else { palette.text_weak };
    let button = framed(ui, size, &format!("Track {track}: {text}"), |ui, rect, line, palette| {
        ui.painter().rect(rect, 6.0, palette.sunken, line, StrokeKind::Inside);
        bar::paint(ui.painter(), rect.shrink(1.0), playback, longest, palette);
        text_in(ui, rect, &text, color(palette));
    });
    button.on_hover_text("Drop an animation here, or click to choose one, to play it now")
}

/// Adds a button that `paint` paints, with the stroke of its frame. Screen readers read `label`.
fn framed(ui: &mut Ui, size: Vec2, label: &str, paint: impl FnOnce(&Ui, Rect, Stroke, &Palette)) -> Response {
    let (rect, response) = ui.allocate_exact_size(size, Sense::click());
    response.widget_info(|| WidgetInfo::labeled(Role::Button, ui.is_enabled(), label));
    if ui.is_rect_visible(rect) {
        let palette = Palette::of(ui.visuals());
        let is_pointed = response.hovered() || response.has_focus();
        paint(ui, rect, Stroke::new(1.0, if is_pointed { palette.text_weak } else { palette.line }), palette);
    }
    response
}

/// Returns what a track plays, its time, and its fade while there is one.
fn text_of(animator: &Animator, playback: &Playback) -> String {
    let Some(name) = animation_name(animator.model(), playback) else { return "nothing".to_owned() };
    let secs = format!("{:.2} / {:.2} s", playback.seconds(), playback.duration_secs());
    match playback.mix() {
        mix if mix < 1.0 => format!("{name}   {secs}   fade {:.0} %", mix * 100.0),
        _ => format!("{name}   {secs}"),
    }
}

/// Shows the queue, as a button that opens its menu.
fn queue(ui: &mut Ui, animator: &Animator, track: usize, size: Vec2) -> Response {
    const NAMED: usize = 5;
    let names = animator.queued(track).take(NAMED).filter_map(|queued| animation_name(animator.model(), queued));
    let names = names.collect::<Vec<_>>().join(", ");
    let text = match animator.queued(track).len() {
        0 => "Queue…".to_owned(),
        count if count > NAMED => format!("Next: {names}, …"),
        _ => format!("Next: {names}"),
    };
    let label = match animator.queued(track).len() {
        0 => format!("Queue of track {track}: empty"),
        _ => format!("Queue of track {track}: {names}"),
    };
    let button = framed(ui, size, &label, |ui, rect, line, palette| {
        ui.painter().rect(rect, 6.0, palette.panel, line, StrokeKind::Inside);
        text_in(ui, rect, &text, palette.text);
    });
    button.on_hover_text("Drop an animation here, or click to choose one, to play it next")
}

/// Shows the entries of the queue and the list of animations to add.
fn queue_menu(ui: &mut Ui, animator: &mut Animator, track: usize, room: f32, input: &mut Option<TrackInput>) {
    let mut removed = None;
    let count = animator.queued(track).len();
    for index in 0..count {
        let Some(queued) = animator.queued(track).nth(index) else { break };
        let (title, mut fade) = (animation_name(animator.model(), queued).unwrap_or_default(), queued.fade_secs());
        ui.horizontal(|ui| {
            let field = ui.add(seconds(&mut fade, "Fade "));
            name(ui, &field, &format!("Fade of {title}"));
            if field.changed()
                && let Some(queued) = animator.queued_mut(track, index)
            {
                queued.set_fade(fade);
            }
            let label = format!("Remove {title} from the queue");
            if icon::button(ui, Icon::Close, &label, &label, vec2(24.0, 24.0)).clicked() {
                removed = Some(index);
            }
            ui.add(egui::Label::new(&title).truncate());
        });
    }
    if let Some(index) = removed {
        animator.remove_queued(track, index);
    }
    if count > 0 {
        ui.separator();
    }
    ui.weak("Play next");
    let room = room - count as f32 * HEIGHT;
    if let Some(id) = animation_list::show(ui, animator.model(), "queue", room) {
        *input = Some(TrackInput::Queue(track, id));
    }
}
