//! From joints to the pose: matrices, what slots show, and the draw order.

use super::joint::Joint;
use super::{NUMBERS_A_VISUAL, Rig, SWITCHES_A_VISUAL, Scratch, direction, turned, unit};
use crate::math::{Affine2, DVec2};
use crate::model::{AttachmentId, SkinId, SlotId, Tint};
use crate::pose::{DeformSpan, Pose, SlotPose};

/// Of a slot, what the model does not have.
#[derive(Debug, Clone, Default)]
pub(crate) struct Slot {
    pub bone: u32,
    /// Which visual it shows.
    pub visual: u32,
    /// Where what it can show begins, of all that slots can show.
    pub first_shown: u32,
    /// Moves, turns and scales what is shown.
    pub pivot: Option<Pivot>,
}

/// About what a picture turns, other than its middle.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Pivot {
    /// Moves it, in sizes of the picture.
    pub position: DVec2,
    /// Radians.
    pub rotation: f64,
    pub scale: DVec2,
}

/// A helper bone of the model: how the vertices of one slot follow something.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Entry {
    pub slot: u32,
    pub kind: EntryKind,
    /// The other way: a negative weight becomes a positive one.
    pub is_negative: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum EntryKind {
    /// A bone, with the pivot of the slot.
    Bone(u32),
    /// A bone of a path: across the direction in which it goes from the bone before to the bone after.
    Path { bone: u32, before: u32, after: u32 },
}

impl Rig {
    /// What everything that slots can show is in these skins.
    pub(super) fn resolve(&self, skins: &[SkinId], shown: &mut Vec<Option<AttachmentId>>) {
        shown.clear();
        shown.resize(self.shown_count, None);
        for skin in self.default_skins.iter().chain(skins).filter_map(|id| self.skins.get(id.index())) {
            for &(index, attachment) in skin {
                shown[index as usize] = Some(attachment);
            }
        }
    }

    /// Writes the pose.
    pub(super) fn show(&self, scratch: &mut Scratch, pose: &mut Pose) {
        self.show_slots(scratch, pose);
        let Scratch { joints, offsets, .. } = scratch;
        pose.world_from_bone.clear();
        pose.world_from_bone.extend(joints.iter().map(Joint::world_from_bone));
        pose.world_from_bone.extend(self.entries.iter().map(|entry| {
            let affine = self.entry(entry, joints, offsets[entry.slot as usize]);
            // As much to the other side of the origin.
            let sign = if entry.is_negative { -1.0 } else { 1.0 };
            Affine2 { matrix2: affine.matrix2 * sign, translation: affine.translation * sign }
        }));
        pose.inactive_bones.clear();
    }

    fn entry(&self, entry: &Entry, joints: &[Joint], offset: DVec2) -> Affine2 {
        match entry.kind {
            EntryKind::Bone(bone) => {
                let joint = joints[bone as usize];
                let (mut cos_sin, mut scale) = (joint.cos_sin, joint.scale);
                if let Some(pivot) = self.slots[entry.slot as usize].pivot {
                    scale *= pivot.scale;
                    if pivot.rotation != 0.0 {
                        cos_sin = direction(joint.rotation + pivot.rotation);
                    }
                }
                Joint::affine(joint.position + offset, cos_sin, scale)
            }
            EntryKind::Path { bone, before, after } => {
                let [bone, before, after] = [bone, before, after].map(|bone| joints[bone as usize].position);
                let across = unit((bone - before).perp()) + unit((after - bone).perp());
                let cos_sin = if across == DVec2::ZERO { DVec2::X } else { unit(across) };
                Joint::affine(bone + offset, cos_sin, DVec2::ONE)
            }
        }
    }

    fn show_slots(&self, scratch: &mut Scratch, pose: &mut Pose) {
        let Scratch { shown, numbers, switches, joints, hidden, offsets, order_keys: keys, .. } = scratch;
        hidden.clear();
        for (bone, &is_hidden) in self.bones.iter().zip(&switches[..]) {
            let is_below = bone.parent.is_some_and(|parent| hidden[parent as usize]);
            hidden.push(is_hidden != 0 || is_below);
        }
        let (visuals, _) = switches[self.visual_switches()..].as_chunks::<SWITCHES_A_VISUAL>();
        let (tints, _) = numbers[self.visual_numbers()..].as_chunks::<NUMBERS_A_VISUAL>();
        pose.slots.clear();
        offsets.clear();
        for slot in &self.slots {
            let [texture, _] = visuals[slot.visual as usize];
            let texture = usize::try_from(texture).ok();
            let attachment = texture.and_then(|texture| shown[slot.first_shown as usize + texture]);
            let size = attachment.map_or(DVec2::ZERO, |id| self.sizes[id.index()]);
            offsets.push(match slot.pivot {
                Some(pivot) => {
                    let joint = &joints[slot.bone as usize];
                    turned(size * pivot.position, joint.cos_sin) * joint.scale
                }
                None => DVec2::ZERO,
            });
            // Curves may lead beyond the colours that they join.
            let light = tints[slot.visual as usize].map(|channel| channel.clamp(0.0, 1.0) as f32);
            pose.slots.push(SlotPose { attachment, tint: Tint { light, dark: None }, deform: DeformSpan::NONE });
        }

        if keys.len() != self.slots.len() {
            keys.clear();
            keys.extend(0..self.slots.len() as u64);
        }
        // A key is the order above the slot. They begin as the last pose left them: mostly sorted already.
        for key in keys.iter_mut() {
            let slot = &self.slots[(*key & SLOT) as usize];
            let [_, order] = visuals[slot.visual as usize];
            *key = ((i64::from(order) - i64::from(i32::MIN)) as u64) << 32 | (*key & SLOT);
        }
        // Unstable sorting allocates nothing; no two keys are equal.
        keys.sort_unstable();
        pose.draw_order.clear();
        let slots = keys.iter().map(|&key| (key & SLOT) as usize);
        let is_shown = |slot: &usize| !hidden[self.slots[*slot].bone as usize];
        pose.draw_order.extend(slots.filter(is_shown).map(SlotId::new));
    }
}

/// The part of a key that is the slot.
const SLOT: u64 = u32::MAX as u64;
