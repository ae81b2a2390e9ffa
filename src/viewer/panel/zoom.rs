//! The zoom menu of the top bar: one button that shows the zoom.

use egui::accesskit::Role;
use egui::{Align2, FontId, Popup, Sense, TextStyle, Ui, WidgetInfo, pos2, vec2};

use super::menu;
use crate::viewer::command::Command;
use crate::viewer::state::State;
use crate::viewer::theme::Palette;

const COMMANDS: [Command; 6] = [
    Command::ZoomFit,
    Command::ZoomActual,
    Command::ZoomDouble,
    Command::ZoomHalf,
    Command::ZoomIn,
    Command::ZoomOut,
];

/// Size of the button and width of its arrow in points: the bar stays as it is while the zoom changes.
const SIZE: egui::Vec2 = vec2(84.0, 28.0);
const ARROW: f32 = 12.0;

/// Shows the button, and its menu while it is open.
pub fn show(ui: &mut Ui, state: &mut State, commands: &mut Vec<Command>) {
    let percent = state.view().map_or(100.0, |view| view.scale() * 100.0);
    let text = if percent < 10.0 { format!("{percent:.1} %") } else { format!("{percent:.0} %") };
    let (rect, button) = ui.allocate_exact_size(SIZE, Sense::click());
    button.widget_info(|| {
        let info = WidgetInfo::labeled(Role::Button, ui.is_enabled(), "Zoom");
        WidgetInfo { current_text_value: Some(text.clone()), ..info }
    });
    if ui.is_rect_visible(rect) {
        let visuals = ui.style().interact(&button);
        ui.painter().rect_filled(rect, visuals.corner_radius, visuals.weak_bg_fill);
        let font: FontId = TextStyle::Button.resolve(ui.style());
        let middle = rect.center().y;
        let right = rect.right() - 10.0 - ARROW - 6.0;
        ui.painter().text(pos2(right, middle), Align2::RIGHT_CENTER, &text, font, Palette::of(ui.visuals()).text);
        let arrow = egui::Rect::from_center_size(pos2(rect.right() - 10.0 - 0.5 * ARROW, middle), vec2(8.0, 5.0));
        let points = vec![arrow.left_top(), arrow.right_top(), arrow.center_bottom()];
        ui.painter().add(egui::Shape::convex_polygon(points, visuals.fg_stroke.color, egui::Stroke::NONE));
    }
    Popup::menu(&button).show(|ui| menu::entries(ui, state, &COMMANDS, commands));
    button.on_hover_text("Zoom: screen pixels per character pixel");
}
