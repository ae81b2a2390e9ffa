//! Slots changed by the caller, after animations and constraints. Spine's evaluation knows the attachments earlier, because
//! keys deform what a slot shows.

use super::Lifetime;
use crate::model::{AttachmentId, Model, SlotId, Tint};
use crate::pose::{DeformSpan, Pose, SlotPose};

/// A slot changed by the caller: another weapon, a flash of colour, a hidden part, a hand in front of the shield.
///
/// Values replace the animated ones, `None` keeps them. Several overrides of the same slot are
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
    /// What the slot shows; `Some(None)` is nothing. Keys that deform an attachment or change its picture apply if they are
    /// keys of this slot and attachment, as if the slot showed it by itself: one of another slot is not deformed.
    pub attachment: Option<Option<AttachmentId>>,
    /// The tint of the slot, 0 to 1.
    pub tint: Option<Tint>,
    /// The place of the slot in the draw order.
    pub order: Option<DrawPlace>,
    /// How long an animator keeps it.
    pub lifetime: Lifetime,
}

/// A place in the draw order. A slot that is not drawn is no place; the order then stays.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum DrawPlace {
    /// Behind everything.
    Back,
    /// In front of everything.
    Front,
    /// Directly behind another slot.
    Behind(SlotId),
    /// Directly in front of another slot.
    InFrontOf(SlotId),
}

impl SlotOverride {
    /// Creates an override that changes nothing yet.
    pub fn new(slot: SlotId) -> Self {
        Self { slot, attachment: None, tint: None, order: None, lifetime: Lifetime::default() }
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

/// The values of a pose that overrides have replaced.
#[derive(Debug, Clone, Default)]
pub(super) struct Before {
    slots: Vec<(SlotId, SlotPose)>,
    /// Empty if it was not changed.
    order: Vec<SlotId>,
}

impl Before {
    /// Forgets the changes.
    pub fn clear(&mut self) {
        self.slots.clear();
        self.order.clear();
    }

    /// Takes back the changes of an earlier call of [`apply`], for an evaluation that continues from `pose`.
    pub fn take_back(&mut self, pose: &mut Pose) {
        // The first one of a slot is the oldest.
        for (slot, state) in self.slots.drain(..).rev() {
            if let Some(changed) = pose.slots.get_mut(slot.index()) {
                *changed = state;
            }
        }
        if !self.order.is_empty() {
            pose.draw_order.clone_from(&self.order);
            self.order.clear();
        }
    }
}

/// Applies the overrides to a pose.
pub(super) fn apply(overrides: &[SlotOverride], model: &Model, pose: &mut Pose, before: &mut Before) {
    before.clear();
    for change in overrides {
        let Some(slot) = pose.slots.get_mut(change.slot.index()) else { continue };
        before.slots.push((change.slot, *slot));
        let is_known = |id: &AttachmentId| id.index() < model.attachments().len();
        // It may show a picture of the attachment.
        let shows =
            |id| slot.attachment == id || slot.attachment.map(|shown| model.authored_attachment(shown)) == id;
        if let Some(attachment) = change.attachment.filter(|shown| shown.as_ref().is_none_or(is_known))
            && !shows(attachment)
        {
            slot.attachment = attachment;
            slot.deform = DeformSpan::NONE;
        }
        slot.tint = change.tint.filter(Tint::has_only_numbers).unwrap_or(slot.tint);
        if let Some(place) = change.order {
            if before.order.is_empty() {
                before.order.clone_from(&pose.draw_order);
            }
            reorder(change.slot, place, &mut pose.draw_order);
        }
    }
}

/// Moves a slot to another place, if both are drawn.
fn reorder(slot: SlotId, place: DrawPlace, order: &mut Vec<SlotId>) {
    let find = |order: &[SlotId], slot| order.iter().position(|other| *other == slot);
    let Some(from) = find(order, slot) else { return };
    order.remove(from);
    let to = match place {
        DrawPlace::Back => Some(0),
        DrawPlace::Front => Some(order.len()),
        DrawPlace::Behind(other) => find(order, other),
        DrawPlace::InFrontOf(other) => find(order, other).map(|at| at + 1),
    };
    order.insert(to.unwrap_or(from), slot);
}
