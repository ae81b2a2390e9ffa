//! Characters on the stage for the keyboard and screen readers: each has the focus in its turn, and arrow keys move it.

use egui::accesskit::Role;
use egui::{Id, Rect, Sense, Ui, WidgetInfo};

use crate::app::state::State;
use crate::base::name;
use crate::overlays::panel::on_canvas;
use crate::widgets::focus;
use pchr::math;

/// Points per press of an arrow key.
const STEP: f32 = 4.0;

/// Adds the characters on the canvas at `rect`.
pub fn show(ui: &Ui, rect: Rect, state: &mut State) {
    let Some(view) = state.view() else { return };
    let points = ui.pixels_per_point();
    for (path, area) in state.areas_on_stage() {
        let corners = [area.min, area.max].map(|corner| on_canvas(&view, rect, points, corner));
        let place = Rect::from_two_pos(corners[0], corners[1]).intersect(rect);
        if !place.is_positive() {
            continue;
        }
        let id = Id::unique(("on the stage", &path));
        let character = ui.interact(place, id, Sense::focusable_noninteractive());
        let label = format!("{} on the stage, arrow keys move it", name::file(&path));
        character.widget_info(|| WidgetInfo::labeled(Role::Button, true, &label));
        let arrows = focus::arrows(ui, &character) * STEP * points / view.scale();
        if arrows != egui::Vec2::ZERO {
            state.hold_view();
            state.move_on_stage(&path, math::vec2(arrows.x, -arrows.y));
        }
    }
}
