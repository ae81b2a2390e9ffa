//! Motion that is pictures one after the other, each shown for its time: sprite sheets.
//!
//! One bone that never moves, one slot on it, an attachment for each picture of a list. An animation is a part of
//! that list in an order; how long each picture is shown is told by [`Animation::times`].
//!
//! [`Animation::times`]: crate::model::Animation::times

use super::Cue;
use super::sampled::put_root;
use crate::model::{AttachmentId, Model, SlotId, Strip};
use crate::pose::{DeformSpan, Pose, SlotPose};

/// The pictures of a character and which of them its animations show.
#[derive(Debug, Clone)]
pub struct Flipbook {
    pictures: Box<[AttachmentId]>,
    animations: Box<[Strip]>,
}

impl Flipbook {
    /// Every animation of the model shows a part of `pictures`, which are attachments of the model; it has one bone
    /// and one slot.
    pub(crate) fn new(pictures: Vec<AttachmentId>, animations: Vec<Strip>) -> Self {
        Self { pictures: pictures.into(), animations: animations.into() }
    }

    /// Which pictures an animation of the model shows, by its place in the list.
    pub fn strip(&self, animation: usize) -> Option<Strip> {
        self.animations.get(animation).copied()
    }

    pub(super) fn evaluate(&self, model: &Model, cue: &Cue, pose: &mut Pose) {
        let shown = cue.instant(model).and_then(|(id, instant)| {
            let strip = self.animations.get(id.index())?;
            Some(strip.entry(instant.frame.into()))
        });
        // Nothing is shown at rest but the first picture.
        let attachment = self.pictures.get(shown.unwrap_or(0)).copied();
        pose.world_from_bone.clear();
        pose.world_from_bone.push(put_root(&cue.overrides));
        pose.deform.clear();
        pose.inactive_bones.clear();
        pose.slots.clear();
        pose.draw_order.clear();
        for (index, slot) in model.slots().iter().enumerate().take(1) {
            pose.slots.push(SlotPose { attachment, tint: slot.tint, deform: DeformSpan::NONE });
            pose.draw_order.push(SlotId::new(index));
        }
    }
}
