//! Joints → pose: matrices, attachments of slots, and the draw order.

use super::joint::Joint;
use super::{NUMBERS_A_VISUAL, Rig, SWITCHES_A_VISUAL, Scratch, direction, turned, unit};
use crate::math::{Affine2, DVec2};
use crate::model::{AttachmentId, SkinId, SlotId, Tint};
use crate::motion::sampled::sort_slots;
use crate::pose::{DeformSpan, Pose, SlotPose};

/// The properties of a slot that the model does not have.
#[derive(Debug, Clone, Default)]
pub(crate) struct Slot {
    pub bone: u32,
    /// Index of the visual that it shows.
    pub visual: u32,
    /// Index of its first displayable item among the items of all slots.
    pub first_shown: u32,
    /// Moves, rotates and scales the attachment.
    pub pivot: Option<Pivot>,
}

/// The pivot of a picture, if it is not its centre.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Pivot {
    /// Offset in picture sizes.
    pub position: DVec2,
    /// Rotation in radians.
    pub rotation: f64,
    pub scale: DVec2,
}

/// A helper bone of the model, which moves the vertices of one slot.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Entry {
    pub slot: u32,
    pub kind: EntryKind,
    /// Negates the matrix, because negative weights are stored as positive ones.
    pub is_negative: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum EntryKind {
    /// Follows a bone, with the pivot of the slot.
    Bone(u32),
    /// Follows a bone of a path, oriented across the direction from the previous bone to the next.
    Path { bone: u32, before: u32, after: u32 },
}

impl Rig {
    /// Resolves the attachments of all displayable items in these skins.
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
            // Negating the matrix has the effect of a negative weight.
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
            // Curves may exceed the colours of their keys.
            let light = tints[slot.visual as usize].map(|channel| channel.clamp(0.0, 1.0) as f32);
            pose.slots.push(SlotPose { attachment, tint: Tint { light, dark: None }, deform: DeformSpan::NONE });
        }

        let sorted = sort_slots(keys, self.slots.len(), |slot| {
            let [_, order] = visuals[self.slots[slot].visual as usize];
            order
        });
        pose.draw_order.clear();
        let shown = sorted.filter(|&(_, slot)| !hidden[self.slots[slot].bone as usize]);
        pose.draw_order.extend(shown.map(|(_, slot)| SlotId::new(slot)));
    }
}
