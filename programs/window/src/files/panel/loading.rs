//! A card on the canvas while a file is loaded: its name, what is being done, and a button to cancel.

use egui::{
    Align, Align2, Button, Label, Layout, ProgressBar, Rect, RichText, Stroke, StrokeKind, Ui, UiBuilder, vec2,
};

use crate::files::Files;
use crate::files::loading::job::Step;
use crate::widgets::actions::Actions;
use crate::widgets::command::Command;
use crate::widgets::theme::Palette;

/// Seconds before it appears, so that small files do not make it flash.
const DELAY_SECS: f64 = 0.3;
/// Seconds between two looks at the progress.
const PAUSE_SECS: f32 = 0.1;
/// Size in points, its margin to the edges of the canvas, and its padding.
const SIZE: egui::Vec2 = vec2(380.0, 76.0);
const MARGIN: f32 = 12.0;
const PADDING: f32 = 14.0;
/// Width of the button.
const BUTTON: f32 = 76.0;
/// Height of the bar.
const BAR: f32 = 4.0;

/// Shows the card, and returns the part of the canvas that it leaves for notices.
pub fn show(ui: &mut Ui, rect: Rect, files: &mut Files, actions: &mut Actions) -> Rect {
    let Some((name, step)) = files.loading_status() else { return rect };
    let now = ui.input(|input| input.time);
    let from = *files.loading.shown_from.get_or_insert(now + DELAY_SECS);
    if now < from {
        ui.ctx().request_repaint_after_secs((from - now) as f32);
        return rect;
    }
    ui.ctx().request_repaint_after_secs(PAUSE_SECS);
    let size = vec2(SIZE.x.min(rect.width() - 2.0 * MARGIN), SIZE.y);
    if size.x < BUTTON + 2.0 * PADDING {
        return rect;
    }
    // In the middle of an empty canvas, but not over a picture.
    let place = match files.loaded() {
        Some(_) => Align2::CENTER_BOTTOM.anchor_size(rect.center_bottom() - vec2(0.0, MARGIN), size),
        None => Align2::CENTER_CENTER.anchor_size(rect.center(), size),
    };
    let palette = Palette::of(ui.visuals());
    ui.painter().rect(place, 10.0, palette.panel, Stroke::new(1.0, palette.line), StrokeKind::Inside);
    let inside = place.shrink2(vec2(PADDING, 10.0));
    let text_width = (inside.width() - BUTTON - PADDING).max(1.0);
    let text = Rect::from_min_size(inside.min, vec2(text_width, inside.height()));
    describe(ui, text, &name, step);
    let button = Align2::RIGHT_CENTER.anchor_size(inside.right_center(), vec2(BUTTON, 32.0));
    let builder = UiBuilder::new().id_salt("cancel loading").max_rect(button);
    let cancel = ui.new_child(builder).add_sized(button.size(), Button::new("Cancel"));
    if cancel.on_hover_text("Keep what is shown (Esc)").clicked() {
        actions.push(Command::PutBack);
    }
    match files.loaded() {
        Some(_) => rect.with_max_y(place.top()),
        None => rect,
    }
}

fn describe(ui: &mut Ui, rect: Rect, name: &str, step: Step) {
    let builder = UiBuilder::new().id_salt("loading").max_rect(rect).layout(Layout::top_down(Align::Min));
    let mut ui = ui.new_child(builder);
    ui.spacing_mut().item_spacing.y = 4.0;
    ui.add(Label::new(RichText::new(format!("Loading {name}")).strong()).truncate()).on_hover_text(name);
    let share = step.share();
    // Rounded down: it is not done before it is gone.
    let text = format!("{} %  ·  {}", (share * 100.0) as u32, step.text());
    ui.add(Label::new(RichText::new(text).small().weak()).truncate());
    ui.add_space(2.0);
    let accent = Palette::of(ui.visuals()).accent;
    let bar = ProgressBar::new(share).desired_width(rect.width()).desired_height(BAR).corner_radius(2);
    ui.add(bar.fill(accent));
}
