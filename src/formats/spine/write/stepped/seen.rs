//! Bones, slots and attachments that the frames show.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use super::keys::Local;
use crate::character::Character;
use crate::error::{Place, Result};
use crate::formats::stored::TRANSFORM_WORK;
use crate::limits::Budget;
use crate::math::{Affine2, DAffine2};
use crate::model::{AnimationId, Attachment, AttachmentId, Model, SlotId, Tint};
use crate::motion::{Cue, Evaluator, PoseWork, Position};
use crate::pose::Pose;

/// Everything that the rest pose and the animations show.
#[derive(Default)]
pub struct Seen {
    /// Where each bone is first, relative to its parent; `None` for bones that are never active.
    pub bones: Vec<Option<Local>>,
    /// By slot of the model.
    pub slots: Vec<Slot>,
    /// The slot that is farthest back.
    first: Option<SlotId>,
    /// What each slot shows, by its index in [`Slot::shown`].
    known: HashMap<(SlotId, Shown), usize>,
}

/// A slot that is shown at some time.
#[derive(Default, Clone)]
pub struct Slot {
    pub shown: Vec<Shown>,
    /// What it shows in the rest pose.
    pub rest: Option<usize>,
    /// Its first tint.
    pub color: Option<Tint>,
    pub is_dark: bool,
    is_known: bool,
    /// The slot in front of it.
    next: Option<SlotId>,
}

/// An attachment; of a mask, one of its shapes.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Shown {
    pub attachment: AttachmentId,
    /// The bones of a mask's outlines that are shown.
    pub bones: Vec<u32>,
}

impl Seen {
    /// Evaluates the rest pose and all frames of `animations`.
    pub fn of(character: &Character, animations: &[AnimationId], budget: &mut Budget<'_>) -> Result<Self> {
        let model = character.model();
        let bones = vec![None; model.skeleton().authored_bones().len()];
        let mut seen = Self { bones, slots: vec![Slot::default(); model.slots().len()], ..Self::default() };
        let (mut evaluator, mut pose) = (Evaluator::default(), Pose::for_model(model));
        evaluator.evaluate(character, &Cue::default(), &mut pose);
        seen.add(model, &pose, budget)?;
        for &slot in &pose.draw_order {
            let rest = Shown::of(model, &pose, slot).and_then(|shown| seen.index(slot, shown));
            seen.slots[slot.index()].rest = rest;
        }
        for &id in animations {
            for_each_frame(character, id, budget, |_, pose, budget| seen.add(model, pose, budget))?;
        }
        Ok(seen)
    }

    fn add(&mut self, model: &Model, pose: &Pose, budget: &mut Budget<'_>) -> Result<()> {
        for (bone, known) in self.bones.iter_mut().enumerate().filter(|(_, known)| known.is_none()) {
            *known = local(model, pose, bone);
        }
        let mut before: Option<SlotId> = None;
        for &id in &pose.draw_order {
            if !self.slots[id.index()].is_known {
                let next = match before {
                    Some(before) => &mut self.slots[before.index()].next,
                    None => &mut self.first,
                };
                let next = next.replace(id);
                let slot = &mut self.slots[id.index()];
                (slot.is_known, slot.next) = (true, next);
            }
            before = Some(id);
            let Some(shown) = Shown::of(model, pose, id) else { continue };
            let slot = &mut self.slots[id.index()];
            let tint = pose.slots[id.index()].tint;
            slot.color = slot.color.or(Some(tint));
            slot.is_dark |= tint.dark.is_some();
            if let Entry::Vacant(entry) = self.known.entry((id, shown)) {
                let shown = entry.key().1.clone();
                budget.charge_memory(
                    1 + shown.bones.len() as u64,
                    size_of::<(SlotId, Shown)>(),
                    Place::default,
                )?;
                entry.insert(slot.shown.len());
                slot.shown.push(shown);
            }
        }
        Ok(())
    }

    /// Returns the index in [`Slot::shown`] of what a slot shows.
    pub fn index(&self, slot: SlotId, shown: Shown) -> Option<usize> {
        self.known.get(&(slot, shown)).copied()
    }

    /// Returns all slots in the draw order of the rest pose. Others are where they are drawn first.
    pub fn order(&self) -> Vec<SlotId> {
        std::iter::successors(self.first, |slot| self.slots[slot.index()].next).collect()
    }
}

impl Shown {
    /// Returns what a drawn slot shows.
    pub fn of(model: &Model, pose: &Pose, slot: SlotId) -> Option<Self> {
        let attachment = pose.slots[slot.index()].attachment?;
        let mut bones = Vec::new();
        match model.attachment(attachment) {
            Attachment::Region(mesh) | Attachment::Mesh(mesh) => {
                if mesh.indices.is_empty() {
                    return None;
                }
            }
            Attachment::ClipMask(mask) => {
                bones.extend(mask.polygon.vertices.influences().iter().map(|corner| corner.bone));
                bones.dedup();
                bones.sort_unstable();
                bones.dedup();
                bones.retain(|bone| pose.world_from_bone[*bone as usize] != Affine2::ZERO);
            }
            Attachment::Path(_) | Attachment::Point(_) | Attachment::Bounds(_) => {}
        }
        Some(Self { attachment, bones })
    }
}

/// Returns the transform of an active bone, relative to its parent.
pub fn local(model: &Model, pose: &Pose, bone: usize) -> Option<Local> {
    let is_inactive = |bone: usize| pose.inactive_bones.binary_search_by_key(&bone, |id| id.index()).is_ok();
    if is_inactive(bone) {
        return None;
    }
    let world = |bone: usize| pose.world_from_bone[bone].as_daffine2();
    let parent = model.skeleton().bones()[bone].parent.map(|parent| world(parent.index()));
    Local::of(&(parent.unwrap_or(DAffine2::IDENTITY).inverse() * world(bone)))
}

/// Evaluates all frames of an animation.
pub fn for_each_frame(
    character: &Character,
    id: AnimationId,
    budget: &mut Budget<'_>,
    mut visit: impl FnMut(u32, &Pose, &mut Budget<'_>) -> Result<()>,
) -> Result<()> {
    let model = character.model();
    let (frames, place) = (model.animation(id).frame_count(), || Place::inside("animations"));
    budget.charge_work(frames.into(), PoseWork::new(character, &[]).of(character, Some(id)), place)?;
    let masks = model.attachments().iter().filter_map(Attachment::clip_mask);
    let corners = masks.map(|mask| mask.polygon.vertices.influences().len());
    let parts = model.skeleton().bones().len() + corners.sum::<usize>();
    budget.charge_work(frames.into(), parts as u64 * TRANSFORM_WORK, place)?;
    let (mut evaluator, mut pose) = (Evaluator::default(), Pose::for_model(model));
    for frame in 0..frames {
        let position = Position::frame(frame);
        evaluator.evaluate(character, &Cue { animation: Some(id), position, ..Cue::default() }, &mut pose);
        visit(frame, &pose, budget)?;
    }
    Ok(())
}
