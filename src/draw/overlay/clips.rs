//! The overlay of clipping polygons, with the slots that they clip.

use super::marker::VERMILION;
use super::pen::rimmed;
use super::scratch::{LabelScratch, MarkScratch};
use super::{OverlayLabel, Shown};
use crate::draw::OverlayVertex;
use crate::math::{Vec2, vec2};
use crate::model::{Attachment, ClipMask, SlotId};
use crate::pose::mask_corners;

/// Width in picture pixels.
const WIDTH: f32 = 1.5;

/// Appends the outline of each clipping polygon.
pub fn append(shown: &Shown<'_>, scratch: &mut MarkScratch, out: &mut Vec<OverlayVertex>) {
    for_each(shown, &mut scratch.points, |_, _, corners| {
        rimmed(shown, VERMILION, out, |pen| pen.lines(corners, true, WIDTH))
    });
}

/// Calls `visit` with the names of each clipping polygon's slot and of the last slot that it clips, above its
/// middle.
pub fn label(shown: &Shown<'_>, scratch: &mut LabelScratch, visit: &mut dyn FnMut(OverlayLabel<'_>)) {
    let LabelScratch { text, points } = scratch;
    let Shown { model, view, .. } = *shown;
    for_each(shown, points, |slot, mask, corners| {
        let pixels = corners.iter().map(|corner| view.pixel_from_world(*corner));
        let (min, max) = pixels.fold((Vec2::MAX, Vec2::MIN), |(min, max), at| (min.min(at), max.max(at)));
        let end = mask.end.map_or("the front", |end| &model.slot(end).name);
        text.clear();
        text.extend([&model.slot(slot).name, ": up to ", end]);
        // Labels of polygons that extend beyond the picture stay in it.
        let size = vec2(view.width() as f32, view.height() as f32);
        let (min, max) = (min.clamp(Vec2::ZERO, size), max.clamp(Vec2::ZERO, size));
        visit(OverlayLabel { text, at: (min + max) * 0.5, anchor: vec2(0.5, 0.5) });
    });
}

fn for_each(shown: &Shown<'_>, corners: &mut Vec<Vec2>, mut visit: impl FnMut(SlotId, &ClipMask, &[Vec2])) {
    for (slot, attachment, deform) in shown.attachments() {
        let Attachment::ClipMask(mask) = attachment else { continue };
        mask_corners(mask, deform, shown.palette, corners);
        if !corners.is_empty() {
            visit(slot, mask, corners);
        }
    }
}
