//! The canvas: the character, its background, and mouse input.

use std::sync::Arc;

use egui::accesskit::Role;
use egui::{Color32, Id, Mesh, Pos2, Rect, Response, Sense, Shape, TextureId, Ui, WidgetInfo, pos2, vec2};

use super::{invisible_hint, toast};
use crate::error::escaped;
use crate::math;
use crate::viewer::app::state::State;
use crate::viewer::compare::Arrangement;
use crate::viewer::compare::panel;
use crate::viewer::compare::panes::Panes;
use crate::viewer::files::document::Loaded;
use crate::viewer::files::panel::{banner, loading, welcome};
use crate::viewer::overlays::panel::{guides, labels, statistics, targets, underlay};
use crate::viewer::parts::panel::{inspector, selection};
use crate::viewer::playback::panel::{auto_skin, fired_events};
use crate::viewer::scene::background::Background;
use crate::viewer::widgets::command::Command;
use crate::viewer::widgets::theme::Palette;

/// Size of a background square in points.
const SQUARE: f32 = 12.0;

/// Shows the canvas and returns its widget id. `textures` hold the pictures of the character and of the one that it
/// is compared with, or will before this frame is painted.
pub fn show(ui: &mut Ui, state: &mut State, textures: [TextureId; 2], commands: &mut Vec<Command>) -> Id {
    let points = ui.pixels_per_point();
    let whole = whole_pixels(ui.available_rect_before_wrap(), points);
    let panes = Panes::new(&state.compare, whole, points);
    // While two characters are compared, everything about the first one stays within its part.
    let rect = panes.pictures[0];
    state.pixels_per_point = points;
    state.canvas = [rect.width(), rect.height()].map(|side| (side * points).round().max(1.0) as u32);
    // Not focusable: for every mouse action here there is a command with a key.
    let response = ui.allocate_rect(whole, Sense::CLICK | Sense::DRAG);
    let name = describe(state);
    response.widget_info(|| WidgetInfo::labeled(Role::Image, true, &name));
    paint_background(ui, state, whole);
    if state.loaded().is_some() {
        let clip = ui.clip_rect();
        ui.set_clip_rect(clip.intersect(panes.visible[0]));
        let shows_differences = state.compare.shown() == Some(Arrangement::Difference);
        if !shows_differences {
            let both = panes.pictures.into_iter().zip(panes.visible);
            for (picture, visible) in both.filter(|(_, visible)| visible.is_positive()) {
                ui.set_clip_rect(clip.intersect(visible));
                underlay::paint(ui, picture, state);
                guides::paint(ui, picture, state);
            }
            ui.set_clip_rect(clip.intersect(panes.visible[0]));
        }
        let on_handle = if shows_differences { None } else { targets::drag(ui, rect, state) };
        follow_mouse(ui, &response, on_handle, &panes, state);
        pick(ui, &response, &panes, state);
        if !shows_differences {
            let picture = Rect::from_min_max(pos2(0.0, 0.0), pos2(1.0, 1.0));
            ui.painter().image(textures[0], rect, picture, Color32::WHITE);
            invisible_hint::show(ui, rect, state);
            labels::paint(ui, rect, state);
            selection::paint(ui, rect, state);
            targets::paint(ui, rect, state);
        }
        ui.set_clip_rect(clip);
        panel::show(ui, state, &panes, whole, textures[1]);
        // The outline would be ahead of a picture that is still being computed.
        if shows_differences && !state.are_differences_pending() {
            selection::paint(ui, rect, state);
        }
    } else {
        welcome::show(ui, whole, state, commands);
    }
    let free = inspector::show(ui, whole, state);
    statistics::show(ui, free, state);
    banner::show(ui, free, state, commands);
    auto_skin::show(ui, free, state);
    fired_events::show(ui, free, state);
    let free = loading::show(ui, free, state, commands);
    toast::show(ui, free, state);
    welcome::drop_hint(ui, whole);
    response.id
}

fn describe(state: &State) -> String {
    let Some(document) = state.current() else { return "Empty canvas".to_owned() };
    match (state.model(), state.animator.playback(0).animation()) {
        (Some(model), Some(id)) => format!("{}, {}", document.name(), escaped(&model.animation(id).name)),
        _ => document.name(),
    }
}

/// Aligns the corners to physical pixels, so that texture pixels map to screen pixels.
fn whole_pixels(rect: Rect, points: f32) -> Rect {
    let round = |value: f32| (value * points).round() / points;
    Rect::from_min_max(pos2(round(rect.min.x), round(rect.min.y)), pos2(round(rect.max.x), round(rect.max.y)))
}

/// Moves the camera. `on_handle` is the pointer position while a handle on the canvas captures it.
fn follow_mouse(ui: &Ui, response: &Response, on_handle: Option<Pos2>, panes: &Panes, state: &mut State) {
    let points = ui.pixels_per_point();
    if response.dragged() {
        let delta = response.drag_delta() * points;
        state.look(|camera, view| camera.panned(view, math::vec2(delta.x, delta.y)));
        ui.ctx().set_cursor_icon(egui::CursorIcon::Grabbing);
    }
    let Some(pointer) = response.hover_pos().or(on_handle) else { return };
    let (wheel, pinch) = ui.input(|input| (input.smooth_scroll_delta().y, input.zoom_delta()));
    // A notch of a wheel is 40 to 50 points, which zooms by about a fifth.
    let factor = (wheel / 180.0).exp2() * pinch;
    if factor != 1.0 {
        let at = (panes.in_first(pointer) - panes.pictures[0].min) * points;
        let pixel_art = state.loaded().is_some_and(Loaded::is_pixel_art);
        state.look(|camera, view| camera.zoomed(view, factor, math::vec2(at.x, at.y), pixel_art));
    }
}

/// Selects what a click hits.
fn pick(ui: &Ui, response: &Response, panes: &Panes, state: &mut State) {
    /// Clicks within this distance in points count as clicks on the same place.
    const SAME_PLACE: f32 = 4.0;
    let (Some(pointer), true) = (response.interact_pointer_pos(), response.clicked()) else { return };
    let Some(view) = state.view() else { return };
    let points = ui.pixels_per_point();
    let at = (panes.in_first(pointer) - panes.pictures[0].min) * points;
    state.pick(view.world_from_pixel(math::vec2(at.x, at.y)), SAME_PLACE * points / view.scale());
}

fn paint_background(ui: &Ui, state: &State, rect: Rect) {
    match state.background {
        _ if state.loaded().is_none() => {
            ui.painter().rect_filled(rect, 0.0, Palette::of(ui.visuals()).sunken);
        }
        Background::Color([r, g, b]) => {
            ui.painter().rect_filled(rect, 0.0, Color32::from_rgb(r, g, b));
        }
        Background::Checker => {
            let checker = checker(ui, state);
            ui.painter().rect_filled(rect, 0.0, checker[0]);
            ui.painter().with_clip_rect(rect).add(Shape::Mesh(kept_squares(ui, rect, checker[1])));
        }
    }
}

/// Returns the colours of both squares.
pub fn checker(ui: &Ui, state: &State) -> [Color32; 2] {
    let is_dark = ui.visuals().dark_mode;
    let [one, other] = state.squares(is_dark).colors(is_dark).map(|[r, g, b]| Color32::from_rgb(r, g, b));
    // Squares and grid lines would be a plaid.
    [one, if state.guides.grid { one.lerp_to_gamma(other, 0.4) } else { other }]
}

/// Returns the canvas squares, cached until they change.
fn kept_squares(ui: &Ui, rect: Rect, color: Color32) -> Arc<Mesh> {
    type Kept = (Rect, Color32, Arc<Mesh>);
    let place = Id::unique("squares of the canvas");
    if let Some((of, in_color, mesh)) = ui.data(|data| data.get_temp::<Kept>(place))
        && (of, in_color) == (rect, color)
    {
        return mesh;
    }
    let mesh = Arc::new(squares(rect, color));
    ui.data_mut(|data| data.insert_temp::<Kept>(place, (rect, color, Arc::clone(&mesh))));
    mesh
}

/// Returns a mesh of every other square.
pub fn squares(rect: Rect, color: Color32) -> Mesh {
    let mut mesh = Mesh::default();
    let (columns, rows) = ((rect.width() / SQUARE).ceil() as u32, (rect.height() / SQUARE).ceil() as u32);
    for row in 0..rows {
        for column in (row % 2..columns).step_by(2) {
            let min = rect.min + vec2(column as f32, row as f32) * SQUARE;
            mesh.add_colored_rect(Rect::from_min_size(min, vec2(SQUARE, SQUARE)), color);
        }
    }
    mesh
}
