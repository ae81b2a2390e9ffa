//! Bone names beside their joints on the canvas.

use egui::{Align2, Color32, FontId, Rect, Ui, pos2, vec2};

use crate::draw::Overlay;
use crate::error::escaped;
use crate::viewer::state::State;
use crate::viewer::theme::Palette;

/// Maximum number of names shown at once.
const MAX_NAMES: usize = 500;
const SIZE: f32 = 11.5;
/// Offset of a name from its joint, in points.
const OFFSET: egui::Vec2 = vec2(6.0, -7.0);

/// Paints the names of authored bones whose joints are on the canvas.
pub fn paint(ui: &Ui, rect: Rect, state: &mut State) {
    if !state.overlays.contains(Overlay::Names) {
        return;
    }
    let (Some(view), points) = (state.view(), ui.pixels_per_point()) else { return };
    let Some((model, pose)) = state.posed() else { return };
    let painter = ui.painter().with_clip_rect(rect);
    let palette = Palette::of(ui.visuals());
    let skeleton = model.skeleton();
    let joints = skeleton.bone_ids().zip(skeleton.authored_bones().iter().zip(&pose.world_from_bone));
    let there = joints.filter(|(id, _)| pose.inactive_bones.binary_search(id).is_err());
    let placed = there.map(|(_, (bone, world_from_bone))| {
        let pixel = view.pixel_from_world(world_from_bone.translation) / points;
        (bone, pos2(rect.min.x + pixel.x, rect.min.y + pixel.y))
    });
    for (bone, at) in placed.filter(|(_, at)| rect.contains(*at)).take(MAX_NAMES) {
        let text = painter.layout_no_wrap(escaped(&bone.name), FontId::proportional(SIZE), Color32::WHITE);
        let place = Align2::LEFT_CENTER.anchor_size(at + OFFSET, text.size());
        painter.rect_filled(place.expand2(vec2(2.0, 0.0)), 3.0, palette.panel.gamma_multiply(0.8));
        painter.galley_with_override_text_color(place.min, text, palette.text);
    }
}
