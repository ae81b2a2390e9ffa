//! The mark at the end of the ruler that says whether a loop closes without a jump.

use egui::accesskit::Role;
use egui::{Rect, Response, Sense, Stroke, Ui, WidgetInfo, pos2, vec2};

use super::TimelinePanel;
use crate::scene::selection::Selected;
use crate::widgets::theme::Palette;

/// Distance of the mark to the end of the cells, its radius, and the width that can be clicked, in points.
const BESIDE: f32 = 9.0;
const RADIUS: f32 = 4.0;
const WIDTH: f32 = 14.0;

/// Shows the mark beside the `cells` of the ruler: a ring if the loop closes, a triangle if something jumps. A click
/// selects the bone that jumps furthest.
pub fn show(ui: &Ui, state: &mut TimelinePanel<'_>, cells: Rect, ruler: &Response) {
    let Some(gap) = state.timeline.gap.text(&state.playback.animator, state.waker) else { return };
    let Some(seam) = &gap.seam else { return };
    let center = pos2(cells.right() + BESIDE, cells.center().y);
    let place = Rect::from_center_size(center, vec2(WIDTH, cells.height()));
    let response = ui.interact(place, ruler.id.with("seam"), Sense::click());
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, &seam.text));
    let palette = Palette::of(ui.visuals());
    let painter = ui.painter();
    if seam.is_closed {
        painter.circle_stroke(center, RADIUS - 0.5, Stroke::new(1.5, palette.text_weak));
    } else {
        let corner = |x: f32, y: f32| center + vec2(x, y) * RADIUS;
        let points = vec![corner(0.0, -1.2), corner(1.2, 1.0), corner(-1.2, 1.0)];
        painter.add(egui::Shape::convex_polygon(points, palette.warning, Stroke::NONE));
    }
    let bone = gap.bone;
    let tooltip = |ui: &mut Ui| {
        ui.set_max_width(ui.spacing().tooltip_width);
        ui.label(format!("{}\n{}\n{}", seam.text, gap.text, gap.tooltip));
    };
    if response.on_hover_ui(tooltip).clicked() {
        state.parts.selected = Some(Selected::Bone(bone));
    }
}
