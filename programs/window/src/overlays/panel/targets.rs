//! Rings on the canvas for IK targets. Dragging one moves the bones that reach for it. They cover the picture, so they only
//! appear near the pointer, while Ctrl is held, or if they are switched on.

use egui::accesskit::Role;
use egui::{Color32, CursorIcon, Id, Painter, Pos2, Rect, Sense, Stroke, Ui, WidgetInfo, vec2};

use super::{OverlayPanel, on_canvas};
use crate::overlays::targets::Target;
use crate::widgets::command::Command;
use crate::widgets::focus;
use pchr::math::{self, Vec2};

/// Radius of a handle, and the radius in which it can be grabbed, in points.
const RADIUS: f32 = 7.0;
const REACH: f32 = 12.0;
/// A ring appears while the pointer is in a square around it with half this side, in points.
const NEAR: f32 = 40.0;
/// Colour of a handle in both themes: light on a dark rim, as it lies over a picture.
const ACCENT: Color32 = Color32::from_rgb(0x6c, 0xb6, 0xff);
/// Points per press of an arrow key.
const STEP: f32 = 4.0;

/// Lets the user drag the handles on the canvas at `rect`. Returns the pointer position while it is on a handle,
/// which hides it from the canvas below.
pub fn drag(ui: &mut Ui, rect: Rect, state: &mut OverlayPanel<'_>) -> Option<Pos2> {
    let view = state.view?;
    let points = ui.pixels_per_point();
    let placing = state.playback.placing;
    let world = |at: Pos2| {
        let pixel = (at - rect.min) * points;
        placing.inside(view.world_from_pixel(math::vec2(pixel.x, pixel.y)))
    };
    let mut pointer = None;
    let mut is_held = false;
    for target in state.overlays.targets.active(state.playback) {
        let middle = on_canvas(&view, rect, points, target.position * placing.scales);
        if !target.is_held && !rect.contains(middle) {
            continue;
        }
        if !state.overlays.targets.are_shown {
            // The window lays out a frame when the pointer enters or leaves it.
            ui.interact(around(middle).intersect(rect), id_of(&target).with("near"), Sense::hover());
        }
        let place = Rect::from_center_size(middle, vec2(2.0 * REACH, 2.0 * REACH)).intersect(rect);
        let response = ui.interact(place, id_of(&target), Sense::drag());
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
                placing.inside(
                    view.world_from_pixel(view.pixel_from_world(target.position * placing.scales) + arrows),
                ),
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

/// Paints the rings over the character.
pub fn paint(ui: &Ui, rect: Rect, state: &mut OverlayPanel<'_>) {
    let Some(view) = state.view else { return };
    let points = ui.pixels_per_point();
    let painter = ui.painter().with_clip_rect(rect);
    let (pointer, is_revealed) = ui.input(|input| (input.pointer.hover_pos(), input.modifiers.command));
    let all = state.overlays.targets.are_shown || is_revealed;
    for target in state.overlays.targets.active(state.playback) {
        let middle = on_canvas(&view, rect, points, target.position * state.playback.placing.scales);
        let is_near = || pointer.is_some_and(|pointer| around(middle).contains(pointer));
        let has_focus = || ui.memory(|memory| memory.has_focus(id_of(&target)));
        if all || target.is_put || target.is_held || is_near() || has_focus() {
            paint_one(&painter, middle, &target);
        }
    }
}

fn id_of(target: &Target) -> Id {
    Id::unique(("target", target.bone.index()))
}

/// Returns the square in which the pointer makes the ring at `middle` appear.
fn around(middle: Pos2) -> Rect {
    Rect::from_center_size(middle, vec2(2.0 * NEAR, 2.0 * NEAR))
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
