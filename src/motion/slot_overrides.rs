//! Slots changed by the caller, after animations and constraints.

use crate::model::{AttachmentId, Model, SlotId, Tint};
use crate::pose::{DeformSpan, Pose, SlotPose};

/// A slot changed by the caller: another weapon, a flash of colour, a hidden part.
///
/// Values replace those of the animations in every frame, `None` keeps them. Several overrides of the same slot are
/// applied in order. Non-finite tints, and slots and attachments that the character does not have, are ignored.
///
/// ```
/// # use pchr::{Character, motion::{Cue, SlotOverride, evaluate}, pose::Pose};
/// # let lamp = Character::open("assets/paper-lamp.json")?;
/// let bulb = lamp.model().find_slot("bulb").expect("the lamp has a bulb");
/// let cue = Cue { slots: vec![SlotOverride::empty(bulb)], ..Cue::default() };
/// let mut pose = Pose::default();
/// evaluate(&lamp, &cue, &mut pose);
/// assert_eq!(pose.slots[bulb.index()].attachment, None);
/// # Ok::<(), pchr::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SlotOverride {
    /// The slot.
    pub slot: SlotId,
    /// What the slot shows; `Some(None)` is nothing. An attachment that the slot does not show by itself is not
    /// deformed.
    pub attachment: Option<Option<AttachmentId>>,
    /// The tint of the slot, 0 to 1.
    pub tint: Option<Tint>,
}

impl SlotOverride {
    /// Creates an override that changes nothing yet.
    pub fn new(slot: SlotId) -> Self {
        Self { slot, attachment: None, tint: None }
    }

    /// Creates an override that empties a slot.
    pub fn empty(slot: SlotId) -> Self {
        Self { attachment: Some(None), ..Self::new(slot) }
    }

    /// Creates an override that shows an attachment.
    pub fn showing(slot: SlotId, attachment: AttachmentId) -> Self {
        Self { attachment: Some(Some(attachment)), ..Self::new(slot) }
    }

    /// Creates an override that tints a slot.
    pub fn tinted(slot: SlotId, tint: Tint) -> Self {
        Self { tint: Some(tint), ..Self::new(slot) }
    }
}

/// The slots that were changed in a pose, as they were before.
pub(super) type Before = Vec<(SlotId, SlotPose)>;

/// Takes back the changes of an earlier call of [`apply`], for an evaluation that continues from `pose`.
pub(super) fn take_back(before: &mut Before, pose: &mut Pose) {
    // The first one of a slot is the oldest.
    for (slot, state) in before.drain(..).rev() {
        if let Some(changed) = pose.slots.get_mut(slot.index()) {
            *changed = state;
        }
    }
}

/// Applies the overrides to a pose.
pub(super) fn apply(overrides: &[SlotOverride], model: &Model, pose: &mut Pose, before: &mut Before) {
    before.clear();
    for change in overrides {
        let Some(slot) = pose.slots.get_mut(change.slot.index()) else { continue };
        before.push((change.slot, *slot));
        let is_known = |id: &AttachmentId| id.index() < model.attachments().len();
        if let Some(attachment) = change.attachment.filter(|shown| shown.as_ref().is_none_or(is_known))
            && attachment != slot.attachment
        {
            slot.attachment = attachment;
            slot.deform = DeformSpan::NONE;
        }
        let is_finite =
            |tint: &Tint| tint.light.iter().chain(tint.dark.iter().flatten()).all(|part| part.is_finite());
        slot.tint = change.tint.filter(is_finite).unwrap_or(slot.tint);
    }
}
