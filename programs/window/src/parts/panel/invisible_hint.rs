//! Hint on an empty canvas why nothing is visible.

use egui::{Align2, FontId, Rect, Ui, vec2};

use crate::parts::panel::PartsPanel;
use crate::parts::panel::skins::listed;
use crate::widgets::read_aloud;
use crate::widgets::theme::Palette;
use pchr::export::Emptiness;

/// Shows the hint on the canvas: in the list of skins it would move the rows that it refers to.
pub fn show(ui: &Ui, rect: Rect, state: &mut PartsPanel<'_>) {
    if !state.content.is_some_and(|content| content.is_empty()) {
        return;
    }
    let text = match (listed(state).offered, state.playback.animator.skins().len()) {
        (0, _) => {
            let animator = &state.playback.animator;
            let why = Emptiness::of_pose(animator.character().model(), animator.pose(), &state.parts.hidden, None);
            format!("Nothing is visible: {why}.")
        }
        (_, 0) => "Nothing is visible without a skin. Put one on in the list.".to_owned(),
        (_, 1) => "Nothing is visible in this skin. Put on another one in the list.".to_owned(),
        _ => "Nothing is visible in these skins. Put on others in the list.".to_owned(),
    };
    let palette = Palette::of(ui.visuals());
    let wrap = (rect.width() - 48.0).max(40.0);
    let galley = ui.painter().layout(text.clone(), FontId::proportional(14.0), palette.text, wrap);
    let size = galley.size() + vec2(28.0, 16.0);
    // At the top, as IK targets and bone marks are in the middle.
    let place = Align2::CENTER_TOP.anchor_size(rect.center_top() + vec2(0.0, 14.0), size);
    ui.painter().rect_filled(place, 8.0, palette.panel);
    ui.painter().galley(place.center() - galley.size() * 0.5, galley, palette.text);
    read_aloud(ui, place, ui.scope_id().with("nothing is shown"), &text);
}
