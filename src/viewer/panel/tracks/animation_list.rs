//! A list of all animations in a menu.

use egui::{Button, Ui, vec2};

use crate::error::escaped;
use crate::model::{AnimationId, Model};
use crate::viewer::panel::rows::Rows;

/// Row height in points.
const ROW: f32 = 24.0;
const MAX_ROWS: usize = 10;
const WIDTH: f32 = 180.0;

/// Shows the list. Returns the animation that was clicked.
pub fn show(ui: &mut Ui, model: &Model, salt: &str) -> Option<AnimationId> {
    let rows = Rows { count: model.animations().len(), height: ROW };
    let mut picked = None;
    ui.set_width(WIDTH);
    if rows.count == 0 {
        ui.weak("No animations");
    }
    rows.show(ui, salt, rows.height_of(rows.count.min(MAX_ROWS)), None, |ui, place| {
        let id = model.animation_ids().nth(place)?;
        let name = &model.animation(id).name;
        let name = if name.is_empty() { "(no name)".to_owned() } else { escaped(name) };
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
