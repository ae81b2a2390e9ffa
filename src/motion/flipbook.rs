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
    is_timed: bool,
}

impl Flipbook {
    /// Every animation of the model shows a part of `pictures`, which are attachments of the model; it has one bone
    /// and one slot.
    pub(crate) fn new(pictures: Vec<AttachmentId>, animations: Vec<Strip>, is_timed: bool) -> Self {
        Self { pictures: pictures.into(), animations: animations.into(), is_timed }
    }

    /// The pictures, of which every animation shows a part; one may be there more than once.
    pub fn pictures(&self) -> &[AttachmentId] {
        &self.pictures
    }

    /// Whether the file says of every picture how long it is shown. Where it does not a rate may be chosen.
    pub fn is_timed(&self) -> bool {
        self.is_timed
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
