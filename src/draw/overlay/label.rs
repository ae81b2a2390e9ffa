//! Labels of overlays: short texts beside marks. A picture shows them in our bitmap font, a window in its own.

use super::scratch::{LabelScratch, LayoutScratch};
use super::{OverlayScratch, Shown};
use crate::draw::text::{self, ADVANCE, HEIGHT, Label, columns, shorten_into};
use crate::draw::{OverlayVertex, Overlays, View};
use crate::math::{Vec2, vec2};
use crate::model::Model;
use crate::pose::{Pose, SkinMatrix};

/// Premultiplied RGBA. The outline keeps labels legible on any picture.
const COLOR: [u8; 4] = [255; 4];
const OUTLINE: [u8; 4] = [12, 14, 20, 255];

/// The most labels in a picture; more are illegible anyway.
const MOST: usize = 500;
/// The most columns of a label.
const MAX_COLUMNS: usize = 40;

/// A label of an overlay.
#[derive(Debug, Clone, Copy)]
pub struct OverlayLabel<'a> {
    /// The text, as in the file.
    pub text: &'a str,
    /// Where it is, in pixels of the picture, y down.
    pub at: Vec2,
    /// The point of the text that lies there, as a part of its width and height: 0 is the left or upper edge, 1 the
    /// right or lower one.
    pub anchor: Vec2,
}

/// Calls `visit` with each label of `overlays` in the picture, the most important first; at most 500. `pose` is the one
/// that `palette` was computed from.
///
/// # Panics
///
/// If `pose` belongs to another model, or `palette` to another pose.
#[track_caller]
pub fn overlay_labels(
    model: &Model,
    pose: &Pose,
    palette: &[SkinMatrix],
    view: &View,
    overlays: Overlays,
    visit: &mut dyn FnMut(OverlayLabel<'_>),
) {
    overlays.expect_palette(model, pose, palette);
    let mut count = 0;
    let scratch = &mut LabelScratch::default();
    for_each_label(&Shown { model, pose, palette, view, overlays }, scratch, &mut |label| {
        if count < MOST {
            count += 1;
            visit(label);
        }
    });
}

/// Calls `visit` for each label inside the picture.
fn for_each_label(shown: &Shown<'_>, scratch: &mut LabelScratch, visit: &mut dyn FnMut(OverlayLabel<'_>)) {
    let size = vec2(shown.view.width() as f32, shown.view.height() as f32);
    for overlay in shown.overlays.iter() {
        let Some(labels) = overlay.row().labels else { continue };
        labels(shown, scratch, &mut |label| {
            if label.at.cmpge(Vec2::ZERO).all() && label.at.cmple(size).all() {
                visit(label);
            }
        });
    }
}

/// Appends the labels in our font. They are moved into the picture; one that would cover an earlier one is omitted, as
/// both would be illegible.
pub fn append_labels(shown: &Shown<'_>, scratch: &mut OverlayScratch, out: &mut Vec<OverlayVertex>) {
    let OverlayScratch { labels, layout: LayoutScratch { taken, text }, dots, .. } = scratch;
    let view = shown.view;
    let dot = shown.dot();
    taken.clear();
    for_each_label(shown, labels, &mut |label| {
        if taken.len() == MOST {
            return;
        }
        shorten_into(label.text, MAX_COLUMNS, text);
        let size = [columns(text) as i32 * ADVANCE as i32 * dot as i32, HEIGHT as i32 * dot as i32];
        let offset = [label.anchor.x * size[0] as f32, label.anchor.y * size[1] as f32].map(|side| side as i32);
        // A label of a mark near an edge stays in the picture.
        let inside = |at: i32, size: i32, side: u32| {
            at.min((side as i32).saturating_sub(size + dot as i32)).max(dot as i32)
        };
        let corner = [
            inside(label.at.x as i32 - offset[0], size[0], view.width()),
            inside(label.at.y as i32 - offset[1], size[1], view.height()),
        ];
        let area = [corner[0], corner[1], corner[0] + size[0], corner[1] + size[1]];
        if !taken.iter().any(|other| overlap(area, *other)) {
            taken.push(area);
            text::append(&Label { text, corner, dot, color: COLOR, outline: Some(OUTLINE) }, view, dots, out);
        }
    });
}

/// Returns true if two areas, from their upper-left to their lower-right corner, overlap.
fn overlap(a: [i32; 4], b: [i32; 4]) -> bool {
    (0..2).all(|axis| a[axis] < b[axis + 2] && b[axis] < a[axis + 2])
}
