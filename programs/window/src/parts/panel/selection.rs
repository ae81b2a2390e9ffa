//! The selection on the canvas: the outline of a region or mesh, bones, and the picked point.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use egui::{Color32, Id, Painter, Pos2, Rect, Stroke, Ui, pos2};

use super::PartsPanel;
use crate::base::memo::ByAddress;
use crate::scene::selection::Selected;
use crate::scene::skinned::Skinned;
use crate::widgets::kept::{self, kept};
use pchr::Character;
use pchr::draw::{Hidden, View};
use pchr::math::{Vec2, vec2};
use pchr::model::{Attachment, AttachmentId, BoneId, ConstraintTarget, Model, SlotId};
use pchr::motion::{bone_length, symbol_of};
use pchr::pose::{Pose, SkinMatrix, bounding_box, deformed_world_position};

/// Light on dark, so that the marks are visible on any picture.
const COLOR: Color32 = Color32::from_rgb(0xff, 0xb8, 0x2e);
const RIM: Color32 = Color32::from_black_alpha(190);
/// Line widths in points.
const LINE: f32 = 1.5;
const RIM_LINE: f32 = 3.5;
/// Radius of a joint in points.
const JOINT: f32 = 3.5;
/// At most this many bones of a constraint, or sprites of a symbol, are marked.
const MAX_BONES: usize = 200;

/// The selection whose outlines are known, and the outline of each attachment that it has shown.
pub type Known = (ByAddress<Character>, Selected);
pub type Outlines = Arc<Mutex<HashMap<AttachmentId, Box<[[u16; 2]]>>>>;

/// Returns where they are kept.
pub fn known_at() -> Id {
    Id::unique("outline of the selection")
}

/// Paints the selection over the canvas at `rect`.
pub fn paint(ui: &Ui, rect: Rect, state: &mut PartsPanel<'_>) {
    let (Some(selected), Some(view)) = (state.parts.selected, state.view) else {
        return kept::forget::<Known, Outlines>(ui, known_at());
    };
    let Some(character) = state.playback.character().map(Arc::clone) else { return };
    let hit = state.parts.picking.hit(character.model(), state.parts.selected);
    let children = state.canvas.skinned.first_children(&character);
    let painter = ui.painter().with_clip_rect(rect);
    let outlines = kept(ui, known_at(), (ByAddress::of(&character), selected), Outlines::default);
    let canvas = Canvas { painter, rect, view, points: ui.pixels_per_point(), outlines };
    let skinned = state.playback.skinned(&mut state.canvas.skinned, &Hidden::default());
    let Some(Skinned { model, pose, matrices }) = skinned else { return };
    match selected {
        Selected::Bone(bone) => {
            if symbol_of(&character, bone).is_some() {
                for slot in
                    slots_below(model, bone).filter(|slot| pose.is_slot_active(model, *slot)).take(MAX_BONES)
                {
                    let shown = pose.slots.get(slot.index()).and_then(|slot| slot.attachment);
                    shown.into_iter().for_each(|shown| canvas.outline(model, pose, (slot, shown), matrices));
                }
            }
            canvas.bones(&character, pose, &children, std::iter::once(bone));
        }
        Selected::Slot(slot) | Selected::Attachment(slot, _) => {
            let shown = pose.slots.get(slot.index()).filter(|_| pose.is_slot_active(model, slot));
            let shown = shown.and_then(|slot| slot.attachment).filter(|shown| {
                let is_other = |of| model.authored_attachment(*shown) != of;
                !matches!(selected, Selected::Attachment(_, of) if is_other(of))
            });
            let Some(shown) = shown else { return };
            canvas.outline(model, pose, (slot, shown), matrices);
            if let Some(surface) =
                hit.and_then(|hit| hit.surface).filter(|_| hit.map(|hit| hit.slot) == Some(slot))
                && let Some(mesh) = model.attachment(shown).mesh()
            {
                let deform = pose.deform_of(&pose.slots[slot.index()]);
                let corner = |index| deformed_world_position(&mesh.vertices, index, deform, matrices);
                let corners = surface.triangle.into_iter().zip(surface.barycentric);
                let at: Option<Vec2> =
                    corners.map(|(index, share)| corner(index).map(|corner| corner * share)).sum();
                at.into_iter().for_each(|at| canvas.dot(at, JOINT));
            }
        }
        Selected::Constraint(id) => {
            let Some(constraint) = model.constraints().get(id.index()) else { return };
            let target = match constraint.target {
                Some(ConstraintTarget::Bone(bone)) => Some(bone),
                Some(ConstraintTarget::Slot(slot)) => model.slot(slot).bone,
                None => None,
            };
            let bones = constraint.bones.iter().copied().chain(target).take(MAX_BONES);
            canvas.bones(&character, pose, &children, bones);
        }
        Selected::Skin(_) | Selected::Event(_) => {}
    }
}

struct Canvas {
    painter: Painter,
    rect: Rect,
    view: View,
    points: f32,
    outlines: Outlines,
}

impl Canvas {
    /// Returns the place on the screen; `None` if it is too far away to draw lines to.
    fn at(&self, world: Vec2) -> Option<Pos2> {
        const FAR: f32 = 1e6;
        let pixel = self.view.pixel_from_world(world) / self.points;
        (pixel.abs().max_element() < FAR).then(|| pos2(self.rect.min.x + pixel.x, self.rect.min.y + pixel.y))
    }

    fn lines(&self, lines: impl Iterator<Item = [Vec2; 2]> + Clone) {
        for (width, color) in [(RIM_LINE, RIM), (LINE, COLOR)] {
            for [from, to] in lines.clone() {
                if let (Some(from), Some(to)) = (self.at(from), self.at(to)) {
                    self.painter.line_segment([from, to], Stroke::new(width, color));
                }
            }
        }
    }

    fn dot(&self, at: Vec2, radius: f32) {
        if let Some(at) = self.at(at) {
            self.painter.circle(at, radius, COLOR, Stroke::new(1.0, RIM));
        }
    }

    /// Outlines the region, mesh or polygon that a slot shows.
    fn outline(&self, model: &Model, pose: &Pose, (slot, shown): (SlotId, AttachmentId), matrices: &[SkinMatrix]) {
        let deform = pose.deform_of(&pose.slots[slot.index()]);
        match model.attachment(shown) {
            Attachment::Region(mesh) | Attachment::Mesh(mesh) => {
                let corner = |index| deformed_world_position(&mesh.vertices, index, deform, matrices);
                let mut outlines = self.outlines.lock().unwrap_or_else(PoisonError::into_inner);
                let edges = outlines.entry(shown).or_insert_with(|| mesh.indices.boundary().into());
                let lines = edges.iter().filter_map(|&[a, b]| Some([corner(a)?, corner(b)?]));
                self.lines(lines);
            }
            Attachment::Bounds(_) => {
                let mut corners = Vec::new();
                bounding_box(model, pose, slot, matrices, &mut corners);
                let others = corners.iter().skip(1).chain(corners.first());
                self.lines(corners.iter().zip(others).map(|(&from, &to)| [from, to]));
            }
            Attachment::ClipMask(_) | Attachment::Path(_) | Attachment::Point(_) => {}
        }
    }

    /// Marks bones from their joint to their tip, or to their first child if the format has no lengths.
    fn bones(
        &self,
        character: &Character,
        pose: &Pose,
        first_children: &[Option<BoneId>],
        bones: impl Iterator<Item = BoneId> + Clone,
    ) {
        let first_child = |bone: BoneId| {
            let child = first_children.get(bone.index()).copied().flatten()?;
            pose.world_from_bone.get(child.index()).map(|world_from_child| world_from_child.translation)
        };
        let ends = bones.filter_map(|bone| {
            let world_from_bone = pose.world_from_bone.get(bone.index())?;
            let joint = world_from_bone.translation;
            let length = bone_length(character, bone).filter(|length| *length > 0.0);
            let tip = match length {
                Some(length) => Some(world_from_bone.transform_point2(vec2(length, 0.0))),
                None => first_child(bone),
            };
            Some([joint, tip.unwrap_or(joint)])
        });
        self.lines(ends.clone());
        ends.for_each(|[joint, _]| self.dot(joint, JOINT + 1.0));
    }
}

/// Returns the slots on a bone and below it.
fn slots_below(model: &Model, bone: BoneId) -> impl Iterator<Item = SlotId> {
    let mut is_below = vec![false; model.skeleton().bones().len()];
    // Parents come first.
    for (id, it) in model.skeleton().bone_ids().zip(model.skeleton().bones()) {
        is_below[id.index()] = id == bone || it.parent.is_some_and(|parent| is_below[parent.index()]);
    }
    let slots = model.slot_ids().zip(model.slots());
    slots.filter(move |(_, slot)| slot.bone.is_some_and(|bone| is_below[bone.index()])).map(|(id, _)| id)
}
