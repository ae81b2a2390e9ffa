//! Selecting what is drawn under the pointer.

use std::sync::Arc;

use super::selection::Selected;
use super::state::State;
use crate::draw::{Hit, pick};
use crate::math::Vec2;
use crate::model::Model;
use crate::pose::{Pose, SkinMatrix, palette};

/// Pixels with less coverage count as empty.
const MIN_ALPHA: f32 = 0.04;

/// The last point picked on the canvas. Reuses its memory.
#[derive(Debug, Default)]
pub struct Picking {
    /// The point, and the part of the character there that was selected.
    point: Option<(Vec2, Hit)>,
    hits: Vec<Hit>,
    pose: Pose,
    palette: Vec<SkinMatrix>,
}

impl Picking {
    /// Returns the point on the character at which `selected` was picked.
    pub fn hit(&self, model: &Model, selected: Option<Selected>) -> Option<Hit> {
        let (_, hit) = self.point?;
        (selected == Some(selectable(model, hit))).then_some(hit)
    }
}

impl State {
    /// Selects the topmost region or mesh that is drawn at `at`, a point of the world, and not hidden, or else a bounding box there. If
    /// the last picked point is within `reach` pixels of the world, the next one below is selected, after the last one
    /// the first. Without anything there, the selection is cleared.
    pub fn pick(&mut self, at: Vec2, reach: f32) {
        let mut picking = std::mem::take(&mut self.picking);
        let hidden = Arc::clone(&self.hidden);
        if let Some((model, pose)) = self.posed() {
            picking.pose.clone_from(pose);
            hidden.apply(model, &mut picking.pose);
            let pose = &picking.pose;
            palette(model, pose, &mut picking.palette);
            pick(model, pose, &picking.palette, at, MIN_ALPHA, &mut picking.hits);
            // Bounding boxes are invisible, and often cover everything.
            picking.hits.sort_by_key(|hit| hit.surface.is_none());
            let before = picking.point.filter(|(before, _)| before.distance(at) <= reach);
            let shown = before.and_then(|(_, before)| picking.hits.iter().position(|hit| hit.slot == before.slot));
            let next = shown.map_or(0, |shown| shown + 1);
            let hit = picking.hits.get(next).or(picking.hits.first()).copied();
            // From the first of the same place on, so that small movements do not add up.
            let place = before.map_or(at, |(before, _)| before);
            picking.point = hit.map(|hit| (place, hit));
            let selected = hit.map(|hit| selectable(model, hit));
            self.selected = selected;
        }
        self.picking = picking;
    }

    /// Forgets the picked point, once another character is shown.
    pub(super) fn forget_picked(&mut self) {
        self.picking.point = None;
    }
}

/// Returns what a click on `hit` selects. Without skins, a slot has a single attachment of the same name, or the
/// pictures of an animation.
fn selectable(model: &Model, hit: Hit) -> Selected {
    match model.skins() {
        [] => Selected::Slot(hit.slot),
        _ => Selected::Attachment(hit.slot, model.authored_attachment(hit.attachment)),
    }
}
