//! On the canvas: why it is empty, where skins are all that is missing.

use egui::accesskit::Role;
use egui::{Align2, FontId, Rect, Sense, Ui, WidgetInfo, vec2};

use super::skins::offered;
use crate::viewer::state::State;
use crate::viewer::theme::Palette;

/// Shows the hint. In the list of skins it would move what it is about.
pub fn show(ui: &Ui, rect: Rect, state: &mut State) {
    if !state.content().is_some_and(|content| content.is_empty()) {
        return;
    }
    let has_skins = state.loaded().is_some_and(|loaded| !offered(&loaded.character).is_empty());
    if !has_skins {
        return;
    }
    let text = match state.animator.skins().len() {
        0 => "Nothing is shown without a skin: put one on in the list.",
        1 => "Nothing is shown in this skin: put on another one in the list.",
        _ => "Nothing is shown in these skins: put on others in the list.",
    };
    let palette = Palette::of(ui.visuals());
    let wrap = (rect.width() - 48.0).max(40.0);
    let galley = ui.painter().layout(text.to_owned(), FontId::proportional(14.0), palette.text, wrap);
    let size = galley.size() + vec2(28.0, 16.0);
    // Not in the middle, where targets and marks of bones are.
    let place = Align2::CENTER_TOP.anchor_size(rect.center_top() + vec2(0.0, 14.0), size);
    ui.painter().rect_filled(place, 8.0, palette.panel);
    ui.painter().galley(place.center() - galley.size() * 0.5, galley, palette.text);
    let response = ui.interact(place, ui.scope_id().with("nothing is shown"), Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, text));
}
