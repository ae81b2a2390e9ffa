//! Selecting what is drawn under the pointer.

use crate::scene::selection::Selected;
use pchr::draw::{Hidden, Hit, pick};
use pchr::math::Vec2;
use pchr::model::Model;
use pchr::pose::{Pose, SkinMatrix, palette};

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

    /// Returns the topmost region or mesh that is drawn at `at`, a point of the world, and not hidden, or else a bounding
    /// box there. If the last picked point is within `reach` pixels of the world, returns the next one below, after the
    /// last one the first.
    pub fn pick(&mut self, model: &Model, pose: &Pose, hidden: &Hidden, at: Vec2, reach: f32) -> Option<Selected> {
        self.pose.clone_from(pose);
        hidden.apply(model, &mut self.pose);
        palette(model, &self.pose, &mut self.palette);
        pick(model, &self.pose, &self.palette, at, MIN_ALPHA, &mut self.hits);
        // Bounding boxes are invisible, and often cover everything.
        self.hits.sort_by_key(|hit| hit.surface.is_none());
        let before = self.point.filter(|(before, _)| before.distance(at) <= reach);
        let shown = before.and_then(|(_, before)| self.hits.iter().position(|hit| hit.slot == before.slot));
        let next = shown.map_or(0, |shown| shown + 1);
        let hit = self.hits.get(next).or(self.hits.first()).copied();
        // From the first of the same place on, so that small movements do not add up.
        let place = before.map_or(at, |(before, _)| before);
        self.point = hit.map(|hit| (place, hit));
        hit.map(|hit| selectable(model, hit))
    }

    /// Returns true if something visible is drawn at `at`, a point of the world.
    pub fn sees(&mut self, model: &Model, pose: &Pose, hidden: &Hidden, at: Vec2) -> bool {
        self.pick(model, pose, hidden, at, 0.0);
        self.point.is_some_and(|(_, hit)| hit.surface.is_some())
    }

    /// Forgets the picked point, once another character is shown.
    pub fn forget(&mut self) {
        self.point = None;
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
