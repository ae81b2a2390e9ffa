//! Motion of sprite sheets: a sequence of pictures, each shown for its duration.
//!
//! One static bone with one slot, or one for each layer, and an attachment for each picture of a list. An animation is a range of that
//! list with a direction; [`Animation::times`] are the durations of its pictures. The pictures of an animation may have
//! a place of their own, to which the bone moves them.
//!
//! [`Animation::times`]: crate::model::Animation::times

use super::Cue;
use super::sampled::put_root;
use crate::math::{Affine2, Vec2};
use crate::model::{AttachmentId, Model, SlotId, Strip};
use crate::pose::{DeformSpan, Pose, SlotPose};

/// The pictures of a character and the ranges that its animations show.
#[derive(Debug, Clone)]
pub struct Flipbook {
    pictures: Box<[AttachmentId]>,
    animations: Box<[Strip]>,
    is_timed: bool,
    /// The place of the pictures of each animation; empty if all are at the origin.
    corners: Box<[Vec2]>,
    /// For each of the pictures: what the slots above the first one show with it.
    above: Box<[Option<AttachmentId>]>,
}

impl Flipbook {
    /// Creates the motion. Every animation of the model shows a part of `pictures`, which are attachments of the
    /// model. The model has one bone, and one slot unless pictures have [layers](Self::with_layers_above).
    #[cfg(feature = "sheet")]
    pub(crate) fn new(pictures: Vec<AttachmentId>, animations: Vec<Strip>, is_timed: bool) -> Self {
        Self {
            pictures: pictures.into(),
            animations: animations.into(),
            is_timed,
            corners: Box::default(),
            above: Box::default(),
        }
    }

    /// Shows more pictures above each one: as many for each as there are slots above the first.
    #[cfg(feature = "sheet")]
    pub(crate) fn with_layers_above(self, above: Vec<Option<AttachmentId>>) -> Self {
        Self { above: above.into(), ..self }
    }

    /// Moves the pictures of each animation to its place, y up; an empty list moves none.
    #[cfg(feature = "sheet")]
    pub(crate) fn with_corners(self, corners: Vec<Vec2>) -> Self {
        Self { corners: corners.into(), ..self }
    }

    /// Returns the pictures of all animations, of several layers the lowest. A picture may occur more than once.
    pub fn pictures(&self) -> &[AttachmentId] {
        &self.pictures
    }

    /// Returns the pictures of an entry of [`Self::pictures`] in all slots, back to front.
    pub fn layers_of(&self, entry: usize) -> impl Iterator<Item = Option<AttachmentId>> {
        let above = self.slot_count() - 1;
        let above = self.above.get(entry * above..(entry + 1) * above).unwrap_or_default();
        self.pictures.get(entry).map(|picture| Some(*picture)).into_iter().chain(above.iter().copied())
    }

    /// Returns the number of slots.
    pub(super) fn slot_count(&self) -> usize {
        1 + self.above.len() / self.pictures.len().max(1)
    }

    /// Returns the number of attachments that the model needs.
    pub(super) fn attachment_count(&self) -> usize {
        let all = self.pictures.iter().chain(self.above.iter().flatten());
        all.map(|picture| picture.index() + 1).max().unwrap_or(0)
    }

    /// Returns the number of animations.
    pub(super) fn animation_count(&self) -> usize {
        self.animations.len()
    }

    /// Returns true if the file declares the duration of every picture. Otherwise, the rate can be chosen.
    pub(crate) fn is_timed(&self) -> bool {
        self.is_timed
    }

    /// Returns the pictures that the animation with this index shows.
    pub fn strip(&self, animation: usize) -> Option<Strip> {
        self.animations.get(animation).copied()
    }

    pub(super) fn evaluate(&self, model: &Model, cue: &Cue, pose: &mut Pose) {
        let shown = cue.instant(model).and_then(|(id, instant)| {
            let strip = self.animations.get(id.index())?;
            Some(strip.entry(instant.frame.into()))
        });
        // The rest pose shows the first picture.
        pose.world_from_bone.clear();
        let corner = cue.animation.and_then(|id| self.corners.get(id.index())).copied().unwrap_or_default();
        pose.world_from_bone.push(put_root(&cue.bones) * Affine2::from_translation(corner));
        pose.deform.clear();
        pose.inactive_bones.clear();
        pose.slots.clear();
        pose.draw_order.clear();
        let shown = self.layers_of(shown.unwrap_or(0)).chain(std::iter::repeat(None));
        for ((index, slot), attachment) in model.slots().iter().enumerate().zip(shown).take(self.slot_count()) {
            pose.slots.push(SlotPose { attachment, tint: slot.tint, deform: DeformSpan::NONE });
            pose.draw_order.push(SlotId::new(index));
        }
    }
}
