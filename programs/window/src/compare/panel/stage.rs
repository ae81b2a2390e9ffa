//! The second character on the canvas, the divider, and the names of the files.

use egui::accesskit::{Action, Role};
use egui::{
    Color32, CursorIcon, Id, Label, Rect, RichText, Sense, Stroke, StrokeKind, TextureId, Ui, WidgetInfo, pos2,
    vec2,
};

use super::{ComparePanel, difference, names};
use crate::compare::Arrangement;
use crate::compare::panes::Panes;
use crate::widgets::WHOLE;
use crate::widgets::focus;
use crate::widgets::theme::Palette;

/// Width in points in which the divider can be grabbed.
const GRIP: f32 = 14.0;
/// Part of the canvas by which an arrow key moves the divider.
const STEP: f32 = 0.02;

/// Shows the part of the comparison that is on the canvas `whole`. `texture` holds the picture of the second
/// character.
pub fn show(ui: &mut Ui, state: &mut ComparePanel<'_>, panes: &Panes, whole: Rect, texture: TextureId) {
    difference::show(ui, state, whole);
    match state.compare.shown() {
        Some(Arrangement::SideBySide | Arrangement::Swipe | Arrangement::Blink | Arrangement::Onion) => {
            second(ui, panes, texture, state.compare.tint());
            labels(ui, state, panes, whole);
        }
        Some(Arrangement::Difference) | None => {}
    }
}

/// Shows the picture of the second character.
fn second(ui: &Ui, panes: &Panes, texture: TextureId, tint: Color32) {
    let [_, picture] = panes.pictures;
    let [_, visible] = panes.visible;
    ui.painter().with_clip_rect(visible.intersect(ui.clip_rect())).image(texture, picture, WHOLE, tint);
}

/// Shows the names of the files and what separates their pictures.
fn labels(ui: &mut Ui, state: &mut ComparePanel<'_>, panes: &Panes, whole: Rect) {
    let Some(names) = names(state) else { return };
    match state.compare.shown() {
        Some(Arrangement::SideBySide) => {
            let palette = Palette::of(ui.visuals());
            // Both are as wide.
            separate(ui, whole.center().x, whole, palette.text);
            panes.pictures.into_iter().zip(names).for_each(|(pane, name)| label(ui, pane, name));
        }
        Some(Arrangement::Swipe) => {
            divider(ui, state, whole);
            panes.visible.into_iter().zip(names).for_each(|(pane, name)| label(ui, pane, name));
        }
        Some(Arrangement::Blink) => {
            let [first, second] = names;
            label(ui, whole, if state.compare.sees_second { second } else { first });
        }
        Some(Arrangement::Onion) => label(ui, whole, format!("{} and {}", names[0], names[1])),
        Some(Arrangement::Difference) | None => {}
    }
}

/// Draws the line between the pictures at `x`: one dark and one bright colour, so that it is seen on any picture.
fn separate(ui: &Ui, x: f32, whole: Rect, color: Color32) {
    let palette = Palette::of(ui.visuals());
    ui.painter().vline(x, whole.y_range(), Stroke::new(4.0, palette.panel));
    ui.painter().vline(x, whole.y_range(), Stroke::new(2.0, color));
}

/// Shows a name at the lower edge of a pane, if there is room.
fn label(ui: &mut Ui, pane: Rect, name: String) {
    const HEIGHT: f32 = 22.0;
    const MIN_WIDTH: f32 = 40.0;
    let palette = Palette::of(ui.visuals());
    let text = RichText::new(name).small();
    let room = pane.width() - 24.0;
    let galley = egui::WidgetText::from(text.clone()).into_galley(
        ui,
        Some(egui::TextWrapMode::Truncate),
        (room - 16.0).max(1.0),
        egui::TextStyle::Small,
    );
    let size = vec2(galley.size().x + 16.0, HEIGHT);
    if room < MIN_WIDTH || pane.height() < 3.0 * HEIGHT {
        return;
    }
    let corner = pos2(pane.center().x - 0.5 * size.x, pane.bottom() - HEIGHT - 10.0);
    let rect = Rect::from_min_size(corner, size);
    let line = Stroke::new(1.0, palette.line);
    ui.painter().rect(rect, 6.0, palette.panel, line, StrokeKind::Inside);
    ui.put(rect.shrink2(vec2(8.0, 0.0)), Label::new(text.color(palette.text)).truncate().selectable(false));
}

/// Lets the user move the divider, with the mouse or the arrow keys.
fn divider(ui: &mut Ui, state: &mut ComparePanel<'_>, whole: Rect) {
    let x = |share: f32| whole.left() + whole.width() * share;
    let at = x(state.compare.divider);
    let grip = Rect::from_center_size(pos2(at, whole.center().y), vec2(GRIP, whole.height())).intersect(whole);
    let response = ui.interact(grip, Id::unique("divider"), Sense::click_and_drag());
    if response.hovered() || response.dragged() {
        ui.set_cursor_icon(CursorIcon::ResizeHorizontal);
    }
    let mut share = state.compare.divider;
    if let Some(pointer) = response.interact_pointer_pos().filter(|_| response.dragged()) {
        share = (pointer.x - whole.left()) / whole.width().max(1.0);
    }
    let arrows = focus::arrows(ui, &response);
    share = (share + (arrows.x + arrows.y) * STEP).clamp(0.0, 1.0);
    response.widget_info(|| WidgetInfo::slider(true, f64::from(share * 100.0).round(), "Divider"));
    ui.ctx().accesskit_node_builder(response.id, |node| {
        node.set_role(Role::Slider);
        node.set_min_numeric_value(0.0);
        node.set_max_numeric_value(100.0);
        node.set_numeric_value_step(f64::from(STEP) * 100.0);
        node.add_action(Action::Increment);
        node.add_action(Action::Decrement);
    });
    let requested = |action| ui.input(|input| input.num_accesskit_action_requests(response.id, action)) as f32;
    share += (requested(Action::Increment) - requested(Action::Decrement)) * STEP;
    share = share.clamp(0.0, 1.0);
    if share != state.compare.divider {
        state.compare.divider = share;
        // The pictures are already placed.
        ui.ctx().request_discard("the divider has moved");
    }
    let palette = Palette::of(ui.visuals());
    let is_active = response.hovered() || response.dragged() || response.has_focus();
    let color = if is_active { palette.accent } else { palette.text };
    separate(ui, at, whole, color);
    ui.painter().circle(pos2(at, whole.center().y), 7.0, palette.panel, Stroke::new(2.0, color));
}
