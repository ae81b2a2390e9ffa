//! The trace of a bone's tip on the canvas, heavy where it is on the ground, and how far it slides there.

use egui::{Align2, Color32, FontId, Rect, Shape, Stroke, Ui, vec2};

use super::{OverlayPanel, on_canvas};
use crate::base::name::short;
use crate::widgets::read_aloud;
use crate::widgets::theme::Palette;

/// Colours in both themes, as they lie over a picture: of the trace, of its part on the ground, and of their rim.
const TRACE: Color32 = Color32::from_rgb(0x56, 0xb4, 0xe9);
const ON_GROUND: Color32 = Color32::from_rgb(0xff, 0x9a, 0x3c);
const RIM: Color32 = Color32::from_black_alpha(170);
/// Longer names are cut.
const MAX_NAME: usize = 40;

/// Paints the trace of the selected bone over the canvas at `rect`.
pub fn paint(ui: &Ui, rect: Rect, state: &mut OverlayPanel<'_>) {
    if !state.overlays.slide.is_shown {
        return;
    }
    let bone = state.playback.model().and_then(|model| state.parts.selected.and_then(|part| part.bone(model)));
    let (Some(bone), Some(view)) = (bone, state.view) else { return };
    let Some(slide) = state.overlays.slide.measure(&state.playback.animator, bone, state.waker) else { return };
    let points = ui.pixels_per_point();
    let scales = state.playback.placing.scales;
    let place = |tip| on_canvas(&view, rect, points, tip * scales);
    let painter = ui.painter().with_clip_rect(rect.intersect(ui.clip_rect()));
    let all: Vec<_> = slide.tips.iter().map(|tip| place(*tip)).collect();
    painter.add(Shape::line(all.clone(), Stroke::new(3.5, RIM)));
    painter.add(Shape::line(all, Stroke::new(1.5, TRACE)));
    let mut lowest: Option<egui::Pos2> = None;
    for pair in slide.tips.windows(2) {
        if pair.iter().all(|tip| slide.is_on_ground(*tip)) {
            painter.line_segment([place(pair[0]), place(pair[1])], Stroke::new(4.0, ON_GROUND));
        }
    }
    for tip in slide.tips.iter().filter(|tip| slide.is_on_ground(**tip)) {
        let at = place(*tip);
        painter.circle(at, 3.0, ON_GROUND, Stroke::new(1.0, RIM));
        lowest = Some(lowest.map_or(at, |lowest| if at.y > lowest.y { at } else { lowest }));
    }
    let bones = state.playback.animator.model().skeleton().bones();
    let name = bones.get(bone.index()).map(|bone| short(&bone.name, MAX_NAME)).unwrap_or_default();
    let text = format!("{name}: {}", slide.text);
    let palette = Palette::of(ui.visuals());
    let galley = painter.layout_no_wrap(text.clone(), FontId::proportional(11.5), palette.text);
    let below = lowest.unwrap_or(rect.center()) + vec2(0.0, 10.0);
    let plate = Align2::CENTER_TOP.anchor_size(below, galley.size() + vec2(8.0, 4.0));
    // Within the canvas.
    let room = rect.shrink(4.0);
    let left = plate.left().min(room.right() - plate.width()).max(room.left());
    let top = plate.top().min(room.bottom() - plate.height()).max(room.top());
    let plate = Rect::from_min_size(egui::pos2(left, top), plate.size());
    painter.rect_filled(plate, 3.0, palette.panel.gamma_multiply(0.9));
    painter.galley(plate.min + vec2(4.0, 2.0), galley, palette.text);
    read_aloud(ui, plate, ui.scope_id().with("foot slide"), &text);
}
