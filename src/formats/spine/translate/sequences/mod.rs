//! Sequences, which versions before 4.1 do not have: each picture becomes an attachment, and the timelines that choose
//! the picture become attachment keys.
//!
//! The pictures that a slot shows stay the same at every time of an animation and in every skin, up to the rounding of
//! times to 32 bits. Played past its end, an animation keeps its last picture, whereas a sequence goes on.

mod course;
mod duration;
mod group;
mod items;
mod plan;
mod room;
#[cfg(test)]
mod tests;

use std::borrow::Cow;

use crate::formats::Loss;
use crate::formats::spine::build::{Numbered, picture_name};
use crate::formats::spine::schema::{self, AttachmentKey, Number, SlotTimelines, Text};
pub use duration::duration;
use plan::Keyed;

/// Replaces sequences by attachments of one picture each, and their timelines by attachment keys.
pub fn unroll(root: &mut schema::Root<'_>, losses: &mut Vec<Loss>) {
    let plan = plan::plan(root, losses);
    for (_, attachments) in root.skins.list.iter_mut().flat_map(|skin| &mut skin.attachments.0) {
        attachments.0.iter_mut().for_each(|(key, json)| rest(key, json));
    }
    for new in plan.made.attachments {
        let (_, attachments) = &mut root.skins.list[new.skin].attachments.0[new.entry];
        attachments.0.push((new.key, new.attachment));
    }
    for ((_, animation), keyed) in root.animations.0.iter_mut().zip(plan.animations) {
        apply(animation, &root.slots, keyed);
    }
}

/// Leaves an attachment its picture at rest.
fn rest(key: &Text<'_>, json: &mut schema::Attachment<'_>) {
    if let Some(numbered) = Numbered::of(json) {
        let path = numbered.name(picture_name(key.as_str(), json), numbered.rest);
        json.path = Some(Text(Cow::Owned(path)));
    }
    json.sequence = None;
}

/// Replaces the timelines of an animation.
fn apply<'a>(animation: &mut schema::Animation<'a>, slots: &[schema::Slot<'a>], keyed: Keyed<'a>) {
    for ([skin, slot, at], key) in keyed.repeats {
        let attachments = &mut animation.attachments.0[skin].1.0[slot].1.0;
        let list = attachments[at].1.list.clone();
        attachments.push((key, schema::AttachmentTimelines { steps: Vec::new(), list }));
    }
    for (_, slots) in &mut animation.attachments.0 {
        for (_, attachments) in &mut slots.0 {
            attachments.0.retain(|(_, timelines)| timelines.steps.is_empty() || !timelines.list.is_empty());
            attachments.0.iter_mut().for_each(|(_, timelines)| timelines.steps.clear());
        }
        slots.0.retain(|(_, attachments)| !attachments.0.is_empty());
    }
    animation.attachments.0.retain(|(_, slots)| !slots.0.is_empty());
    for (slot, keys) in keyed.slots {
        if !keys.is_empty() {
            *attachment_keys(animation, &slot) = keys;
        }
    }
    // The last key of a sequence may have been the end of the animation.
    if let Some(slot) = keyed.longest.filter(|_| duration(animation) < keyed.duration) {
        let setup = slots.iter().rfind(|it| it.name.as_str() == slot).and_then(|slot| slot.attachment.clone());
        let keys = attachment_keys(animation, &slot);
        let last = keys.iter().max_by(|a, b| a.time.0.total_cmp(&b.time.0));
        let name = last.map_or(setup, |key| key.name.clone());
        keys.push(AttachmentKey { time: Number(keyed.duration), name });
    }
}

/// The attachment timeline of a slot that counts: the last one.
fn attachment_keys<'k, 'a>(
    animation: &'k mut schema::Animation<'a>,
    slot: &str,
) -> &'k mut Vec<AttachmentKey<'a>> {
    let slots = &mut animation.slots.0;
    let counts =
        |(name, timelines): &(Text<'a>, SlotTimelines<'a>)| name.as_str() == slot && !timelines.steps.is_empty();
    let at = slots.iter().rposition(counts).or_else(|| slots.iter().rposition(|(name, _)| name.as_str() == slot));
    let at = at.unwrap_or_else(|| {
        slots.push((Text(Cow::Owned(slot.to_owned())), SlotTimelines::default()));
        slots.len() - 1
    });
    &mut slots[at].1.steps
}
