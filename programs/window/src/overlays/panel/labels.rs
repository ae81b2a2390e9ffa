//! The labels of overlays on the canvas, such as bone names, in the font of the window.

use std::sync::Arc;

use egui::{Align2, Color32, FontId, Painter, Rect, Ui, Vec2, pos2, vec2};

use super::OverlayPanel;
use crate::scene::skinned::Skinned;
use crate::widgets::theme::Palette;
use pchr::draw::{Overlay, OverlayLabel, overlay_labels};
use pchr::error::escaped;

const SIZE: f32 = 11.5;
/// Space beside the text in points.
const MARGIN: Vec2 = vec2(2.0, 0.0);
/// Additional distance in points of a label that is to the right of its point.
const BESIDE_HANDLE: f32 = 6.0;
/// The number of places that are tried for a label, one below the other.
const LINES: usize = 3;
/// Longest part of a name that is shown, in characters.
const MOST: usize = 60;

/// Paints the labels on the canvas at `rect`.
pub fn paint(ui: &Ui, rect: Rect, state: &mut OverlayPanel<'_>) {
    let overlays = {
        let (model, scale) = (state.playback.model(), state.canvas.pixels_per_point);
        state.overlays.of_selection(model, state.parts.selected, scale)
    };
    if !overlays.iter().any(Overlay::has_labels) {
        return;
    }
    let (Some(view), points) = (state.view, ui.pixels_per_point()) else { return };
    let hidden = Arc::clone(&state.parts.hidden);
    let Some(Skinned { model, pose, matrices }) = state.playback.skinned(&mut state.canvas.skinned, &hidden)
    else {
        return;
    };
    let painter = ui.painter().with_clip_rect(rect.intersect(ui.clip_rect()));
    let colors = Palette::of(ui.visuals());
    let mut taken = Vec::new();
    overlay_labels(model, pose, matrices, &view, overlays, &mut |label| {
        paint_one(&painter, colors, rect, points, label, &mut taken);
    });
}

/// Paints a label on the canvas where it belongs or, if it would cover an earlier one there, below that. If there is no
/// room there either, it is left out, as both would be illegible.
fn paint_one(
    painter: &Painter,
    colors: &Palette,
    rect: Rect,
    points: f32,
    label: OverlayLabel<'_>,
    taken: &mut Vec<Rect>,
) {
    let start: String = label.text.chars().take(MOST).collect();
    let more = if start.len() < label.text.len() { "…" } else { "" };
    let text = format!("{}{more}", escaped(&start));
    let galley = painter.layout_no_wrap(text, FontId::proportional(SIZE), Color32::WHITE);
    let at = pos2(rect.min.x + label.at.x / points, rect.min.y + label.at.y / points);
    let corner = at - vec2(label.anchor.x * galley.size().x, label.anchor.y * galley.size().y);
    // Names of bones are beside the handles of IK targets.
    let corner = if label.anchor.x == 0.0 { corner + vec2(BESIDE_HANDLE, 0.0) } else { corner };
    let mut place = Align2::LEFT_TOP.anchor_size(corner, galley.size());
    if rect.contains(at) {
        place = place.translate(vec2((rect.right() - MARGIN.x - place.right()).min(0.0), 0.0));
    }
    let plate_at = |line: usize| place.expand2(MARGIN).translate(vec2(0.0, line as f32 * place.height()));
    // Lines of text may touch.
    let is_free = |plate: &Rect| !taken.iter().any(|other| other.shrink(1.0).intersects(*plate));
    let Some(plate) = (0..LINES).map(plate_at).find(is_free) else { return };
    let place = plate.shrink2(MARGIN);
    taken.push(plate);
    painter.rect_filled(plate, 3.0, colors.panel.gamma_multiply(0.8));
    painter.galley_with_override_text_color(place.min, galley, colors.text);
}
