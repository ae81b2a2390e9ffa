//! The canvas: the character, its background, and mouse input.

use egui::accesskit::Role;
use egui::{Color32, Id, Pos2, Rect, Response, Sense, Shape, Ui, WidgetInfo, pos2};

use super::{stage, toast};
use crate::app::paint::texture_of;
use crate::app::state::State;
use crate::compare::panes::Panes;
use crate::compare::{self, Arrangement};
use crate::files::document::Document;
use crate::files::gallery;
use crate::files::panel::{banner, loading, welcome};
use crate::overlays::panel as overlays;
use crate::overlays::panel::{guides, labels, slide, statistics, targets, underlay};
use crate::parts::panel::{inspector, invisible_hint, selection};
use crate::playback::panel::{auto_skin, fired_events};
use crate::scene::background::Background;
use crate::scene::canvas::squares;
use crate::scene::loaded::Loaded;
use crate::sheet;
use crate::widgets::WHOLE;
use crate::widgets::actions::Actions;
use crate::widgets::checkerboard;
use crate::widgets::theme::Palette;
use crate::widgets::wheel_factor;
use pchr::error::escaped;
use pchr::math;

/// Shows the canvas and returns its widget id.
pub fn show(ui: &mut Ui, state: &mut State, actions: &mut Actions) -> Id {
    let points = ui.pixels_per_point();
    let whole = whole_pixels(ui.available_rect_before_wrap(), points);
    let panes = Panes::new(&state.compare, whole, points);
    // While two characters are compared, everything about the first one stays within its part.
    let rect = panes.pictures[0];
    state.canvas.pixels_per_point = points;
    state.canvas.size = [rect.width(), rect.height()].map(|side| (side * points).round().max(1.0) as u32);
    state.canvas.advance(ui.input(|input| input.time));
    state.canvas.corner = [rect.left(), rect.top()].map(|side| (side * points).round() as i32);
    state.fit_if_requested();
    // Not focusable: for every mouse action here there is a command with a key.
    let response = ui.allocate_rect(whole, Sense::CLICK | Sense::DRAG);
    let name = describe(state);
    response.widget_info(|| WidgetInfo::labeled(Role::Image, true, &name));
    let is_dark = ui.visuals().dark_mode;
    paint_background(ui, state, whole);
    if state.playback.has_character {
        let clip = ui.clip_rect();
        ui.set_clip_rect(clip.intersect(panes.visible[0]));
        let shows_differences = state.compare.shown() == Some(Arrangement::Difference);
        let mut on_handle = None;
        if !shows_differences {
            let mut over = state.overlay_panel(is_dark, actions);
            let both = panes.pictures.into_iter().zip(panes.visible);
            for (picture, visible) in both.filter(|(_, visible)| visible.is_positive()) {
                ui.set_clip_rect(clip.intersect(visible));
                underlay::paint(ui, picture, &over);
                guides::paint(ui, picture, &over);
            }
            ui.set_clip_rect(clip.intersect(panes.visible[0]));
            on_handle = targets::drag(ui, rect, &mut over);
        }
        follow_mouse(ui, &response, on_handle, &panes, state);
        stage::show(ui, rect, state);
        pick(ui, &response, &panes, state);
        if !shows_differences {
            for place in state.pictures_on_stage() {
                let tint = if place == 0 { state.compare.tint() } else { Color32::WHITE };
                ui.painter().image(texture_of(place), rect, WHOLE, tint);
            }
            invisible_hint::show(ui, rect, &mut state.parts_panel(actions));
            labels::paint(ui, rect, &mut state.overlay_panel(is_dark, actions));
            selection::paint(ui, rect, &mut state.parts_panel(actions));
            slide::paint(ui, rect, &mut state.overlay_panel(is_dark, actions));
            targets::paint(ui, rect, &mut state.overlay_panel(is_dark, actions));
        }
        ui.set_clip_rect(clip);
        state.request_differences();
        compare::panel::show(ui, &mut state.compare_panel(actions), &panes, whole, texture_of(1));
        // The outline would be ahead of a picture that is still being computed.
        if shows_differences && !state.compare.are_differences_pending() {
            selection::paint(ui, rect, &mut state.parts_panel(actions));
        }
    } else if state.current().is_some_and(Document::lacks_grid) {
        sheet::grid::panel::show(ui, whole, &state.files, &mut state.sheet.grid, actions);
    } else if state.files.shows_gallery() {
        gallery::panel::show(ui, whole, &mut state.files.gallery, actions);
    } else {
        welcome::show(ui, whole, &mut state.files, actions);
    }
    let free = inspector::show(ui, whole, &mut state.parts_panel(actions));
    statistics::show(ui, free, &state.overlays.statistics);
    banner::show(ui, free, &state.files, state.canvas.is_too_heavy, actions);
    let are_listed = state.panels && state.mixer.is_shown && state.mixer.log.is_shown;
    // Above each other, at the bottom.
    let free = loading::show(ui, free, &mut state.files, actions);
    let free = toast::show(ui, free, &mut state.notice, actions);
    let free = auto_skin::show(ui, free, &mut state.playback, actions);
    fired_events::show(ui, free, &mut state.playback, are_listed);
    welcome::drop_hint(ui, whole);
    if state.canvas.is_growing() {
        ui.request_repaint();
    }
    response.id
}

fn describe(state: &State) -> String {
    let Some(document) = state.current() else {
        return if state.files.shows_gallery() { "Gallery" } else { "Empty canvas" }.to_owned();
    };
    match (state.model(), state.playback.animator.playback(0).animation()) {
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
    if response.drag_started()
        && ui.input(|input| input.modifiers.shift)
        && let Some((at, _)) = under_pointer(ui, response, panes, state)
    {
        state.begin_move(at);
    }
    if response.drag_started()
        && let Some((at, _)) = under_pointer(ui, response, panes, state)
    {
        state.playback.is_shaken = state.is_shown_at(at);
    }
    if response.drag_stopped() {
        state.lineup.dragged = None;
        state.playback.is_shaken = false;
    }
    if response.dragged() {
        let delta = response.drag_delta() * points;
        let scale = state.view().map_or(1.0, |view| view.scale());
        let moved = math::vec2(delta.x, -delta.y) / scale;
        state.playback.shake(moved);
        if state.move_dragged(moved) {
            ui.ctx().set_cursor_icon(egui::CursorIcon::Move);
            return;
        }
        state.look(|camera, view| camera.panned(view, math::vec2(delta.x, delta.y)));
        ui.ctx().set_cursor_icon(egui::CursorIcon::Grabbing);
    }
    let Some(pointer) = response.hover_pos().or(on_handle) else { return };
    let (wheel, pinch) = ui.input(|input| (input.smooth_scroll_delta().y, input.zoom_delta()));
    let factor = wheel_factor(wheel) * pinch;
    if factor != 1.0 {
        let at = (panes.in_first(pointer) - panes.pictures[0].min) * points;
        let pixel_art = state.loaded().is_some_and(Loaded::is_pixel_art);
        state.look(|camera, view| camera.zoomed(view, factor, math::vec2(at.x, at.y), pixel_art));
    }
}

/// Lets a click select what it hits.
fn pick(ui: &Ui, response: &Response, panes: &Panes, state: &mut State) {
    if !response.clicked() {
        return;
    }
    let Some((at, reach)) = under_pointer(ui, response, panes, state) else { return };
    state.click(at, reach);
}

/// Returns the point in the world at which the pointer interacts, and the reach of clicks on the same place.
fn under_pointer(ui: &Ui, response: &Response, panes: &Panes, state: &mut State) -> Option<(math::Vec2, f32)> {
    /// Clicks within this distance in points count as clicks on the same place.
    const SAME_PLACE: f32 = 4.0;
    let pointer = response.interact_pointer_pos()?;
    let view = state.view()?;
    let points = ui.pixels_per_point();
    let at = (panes.in_first(pointer) - panes.pictures[0].min) * points;
    Some((view.world_from_pixel(math::vec2(at.x, at.y)), SAME_PLACE * points / view.scale()))
}

fn paint_background(ui: &Ui, state: &State, rect: Rect) {
    match state.overlays.background {
        _ if !state.playback.has_character => {
            ui.painter().rect_filled(rect, 0.0, Palette::of(ui.visuals()).sunken);
        }
        Background::Color([r, g, b]) => {
            ui.painter().rect_filled(rect, 0.0, Color32::from_rgb(r, g, b));
        }
        Background::Checker => {
            let checker = checker(ui, state);
            ui.painter().rect_filled(rect, 0.0, checker[0]);
            ui.painter().with_clip_rect(rect).add(Shape::Mesh(checkerboard::of_canvas(ui, rect, checker[1])));
        }
    }
}

/// Returns the colours of both squares behind the character.
pub fn checker(ui: &Ui, state: &State) -> [Color32; 2] {
    let squares = squares(state.files.loaded(), ui.visuals().dark_mode);
    overlays::checker(squares, state.overlays.guides.grid)
}
