//! A list of all animations in a menu.

use egui::{Button, Rect, Ui, vec2};

use crate::base::name::shown;
use crate::widgets::rows::Rows;
use pchr::model::{AnimationId, Model};

/// Row height in points.
const ROW: f32 = 24.0;
const WIDTH: f32 = 180.0;
/// Height in points of the rest of the menu, and the minimum height of the list.
const REST: f32 = 56.0;
const MIN_HEIGHT: f32 = 60.0;

/// Returns the height of the list in a menu of the button at `button`: above or below it, where there is more room.
pub fn room(ui: &Ui, button: Rect) -> f32 {
    let window = ui.ctx().content_rect();
    (button.top() - window.top()).max(window.bottom() - button.bottom()) - REST
}

/// Shows the list, at most `room` points high. Returns the animation that was clicked.
pub fn show(ui: &mut Ui, model: &Model, salt: &str, room: f32) -> Option<AnimationId> {
    let rows = Rows { count: model.animations().len(), height: ROW };
    let mut picked = None;
    ui.set_width(WIDTH);
    if rows.count == 0 {
        ui.weak("No animations");
    }
    rows.show(ui, salt, rows.total().min(room.max(MIN_HEIGHT)), None, |ui, place| {
        let id = model.animation_ids().nth(place)?;
        let name = shown(&model.animation(id).name);
        let button = Button::new(&name).frame_when_inactive(false).truncate();
        let response = ui.add(button.min_size(vec2(ui.available_width(), ROW)));
        if response.clicked() {
            picked = Some(id);
            ui.close();
        }
        Some(response)
    });
    picked
}
