//! What overlays mark: a pose with its matrices, in a view.

use super::Overlays;
use crate::draw::{SpriteColor, View};
use crate::math::Vec2;
use crate::model::{Attachment, Mesh, Model, SkinNVertices, SlotId};
use crate::pose::{Pose, SkinMatrix, for_each_deformed_vertex, for_each_listed_vertex};

/// A pose with its matrices, in a view.
#[derive(Clone, Copy)]
pub struct Shown<'a> {
    pub model: &'a Model,
    pub pose: &'a Pose,
    /// The palette of `pose`.
    pub palette: &'a [SkinMatrix],
    pub view: &'a View,
    pub overlays: Overlays,
}

/// A visible region or mesh.
#[derive(Clone, Copy)]
pub struct ShownMesh<'a> {
    pub slot: SlotId,
    /// Position of the slot in the draw order, 0 at the back.
    pub place: usize,
    pub mesh: &'a Mesh,
    deform: &'a [Vec2],
}

impl<'a> Shown<'a> {
    /// Returns the attachments of active slots, back to front, with the deform offsets of each.
    pub fn attachments(self) -> impl Iterator<Item = (SlotId, &'a Attachment, &'a [Vec2])> {
        let Self { model, pose, .. } = self;
        let active = pose.draw_order.iter().copied().filter(move |slot| pose.is_slot_active(model, *slot));
        active.filter_map(move |id| {
            let slot = pose.slot(id);
            Some((id, model.attachment(slot.attachment?), pose.deform_of(slot)))
        })
    }

    /// Returns the regions and meshes that are not fully transparent, back to front.
    pub fn meshes(self) -> impl DoubleEndedIterator<Item = ShownMesh<'a>> {
        let Self { model, pose, .. } = self;
        pose.draw_order.iter().copied().enumerate().filter_map(move |(place, id)| {
            let slot = pose.slot(id);
            let mesh = model.attachment(slot.attachment?).mesh()?;
            let is_visible = SpriteColor::new(&slot.tint, mesh.tint, model.slot(id).blend).is_some();
            let is_shown = is_visible && model.is_drawn(mesh) && pose.is_slot_active(model, id);
            is_shown.then(|| ShownMesh { slot: id, place, mesh, deform: pose.deform_of(slot) })
        })
    }

    /// Writes the positions of a mesh's vertices into `out`.
    pub fn positions(self, mesh: &ShownMesh<'_>, out: &mut Vec<Vec2>) {
        out.clear();
        for_each_deformed_vertex(&mesh.mesh.vertices, mesh.deform, self.palette, |at, _uv| out.push(at));
    }

    /// Writes the positions of listed vertices into `out`.
    pub fn listed_positions(self, vertices: &SkinNVertices, deform: &[Vec2], out: &mut Vec<Vec2>) {
        out.clear();
        for_each_listed_vertex(vertices, deform, self.palette, |at, _uv| out.push(at));
    }

    /// Returns the world pixels of a pixel of lines and dots, which is a picture pixel unless they are scaled.
    pub fn pixel(self) -> f32 {
        self.overlays.scale / self.view.scale()
    }

    /// Returns the picture pixels of a dot of text and of legends, which grow with the picture.
    pub fn dot(self) -> u32 {
        /// Shorter side of the picture for each pixel of a dot.
        const SIDE: u32 = 512;
        (self.view.width().min(self.view.height()) / SIDE).max(1)
    }
}
