//! Handles on the canvas for IK targets. Dragging one moves the bones that reach for it.

use egui::accesskit::Role;
use egui::{Color32, CursorIcon, Id, Painter, Pos2, Rect, Sense, Stroke, Ui, WidgetInfo, pos2, vec2};

use super::OverlayPanel;
use crate::draw::View;
use crate::math::{self, Vec2};
use crate::viewer::overlays::targets::Target;
use crate::viewer::widgets::command::Command;
use crate::viewer::widgets::focus;

/// Radius of a handle, and the radius in which it can be grabbed, in points.
const RADIUS: f32 = 7.0;
const REACH: f32 = 12.0;
/// Colour of a handle in both themes: light on a dark rim, as it lies over a picture.
const ACCENT: Color32 = Color32::from_rgb(0x6c, 0xb6, 0xff);
/// Points per press of an arrow key.
const STEP: f32 = 4.0;

/// Lets the user drag the handles on the canvas at `rect`. Returns the pointer position while it is on a handle,
/// which hides it from the canvas below.
pub fn drag(ui: &mut Ui, rect: Rect, state: &mut OverlayPanel<'_>) -> Option<Pos2> {
    let view = state.view?;
    let points = ui.pixels_per_point();
    let world = |at: Pos2| {
        let pixel = (at - rect.min) * points;
        view.world_from_pixel(math::vec2(pixel.x, pixel.y))
    };
    let mut pointer = None;
    let mut is_held = false;
    for target in state.overlays.targets.shown(state.playback) {
        let middle = on_canvas(&view, rect, points, target.position);
        if !target.is_held && !rect.contains(middle) {
            continue;
        }
        let place = Rect::from_center_size(middle, vec2(2.0 * REACH, 2.0 * REACH)).intersect(rect);
        let response = ui.interact(place, Id::unique(("target", target.bone.index())), Sense::drag());
        response.widget_info(|| WidgetInfo::labeled(Role::Button, true, &*target.label));
        let at = response.interact_pointer_pos().map(world);
        if let (true, Some(at)) = (response.drag_started(), at) {
            state.overlays.targets.grab(&target, at);
        }
        if let (true, Some(at)) = (response.dragged(), at) {
            state.overlays.targets.drag(state.playback, &target, at);
            is_held = true;
        }
        let arrows = focus::arrows(ui, &response) * STEP * points;
        let arrows = math::vec2(arrows.x, arrows.y);
        if arrows != Vec2::ZERO {
            state.overlays.targets.grab(&target, target.position);
            state.overlays.targets.drag(
                state.playback,
                &target,
                view.world_from_pixel(view.pixel_from_world(target.position) + arrows),
            );
        }
        if response.hovered() || response.dragged() {
            pointer = response.hover_pos().or(pointer);
            ui.set_cursor_icon(if response.dragged() { CursorIcon::Grabbing } else { CursorIcon::Grab });
        }
        if !response.dragged() {
            response.on_hover_ui(|ui| {
                let keys = Command::PutBack.keys();
                let help = format!("Drag it or use the arrow keys; {keys} resets all targets");
                ui.set_max_width(ui.spacing().tooltip_width);
                ui.label(format!("{}\n{help}", target.label));
            });
        }
    }
    if !is_held {
        state.overlays.targets.release();
    }
    pointer
}

/// Paints the handles over the character.
pub fn paint(ui: &Ui, rect: Rect, state: &mut OverlayPanel<'_>) {
    let Some(view) = state.view else { return };
    let points = ui.pixels_per_point();
    let painter = ui.painter().with_clip_rect(rect);
    for target in state.overlays.targets.shown(state.playback) {
        paint_one(&painter, on_canvas(&view, rect, points, target.position), &target);
    }
}

/// Paints a ring with a cross, light on dark so that it is visible on any picture; filled if the target was moved.
fn paint_one(painter: &Painter, middle: Pos2, target: &Target) {
    let radius = if target.is_held { RADIUS + 1.5 } else { RADIUS };
    let fill = if target.is_put { ACCENT } else { Color32::from_black_alpha(90) };
    painter.circle(middle, radius, fill, Stroke::new(4.0, Color32::from_black_alpha(170)));
    painter.circle_stroke(middle, radius, Stroke::new(2.0, ACCENT));
    let cross = if target.is_put { Color32::WHITE } else { ACCENT };
    for along in [vec2(1.0, 0.0), vec2(0.0, 1.0)] {
        let half = along * (radius - 3.5);
        painter.line_segment([middle - half, middle + half], Stroke::new(1.5, cross));
    }
}

fn on_canvas(view: &View, rect: Rect, points: f32, world: Vec2) -> Pos2 {
    let pixel = view.pixel_from_world(world);
    pos2(rect.min.x + pixel.x / points, rect.min.y + pixel.y / points)
}
