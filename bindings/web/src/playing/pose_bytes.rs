//! Poses as bytes, little-endian, so that one module evaluates a character and another draws it.

use pchr::math::{Affine2, Vec2, vec2};
use pchr::model::Tint;
use pchr::pose::{DeformSpan, Pose, SlotPose};

use super::characters::Ids;

/// Appends `pose` to `out`.
pub fn write(pose: &Pose, out: &mut Vec<u8>) {
    let Pose { world_from_bone, slots, draw_order, deform, inactive_bones } = pose;
    let counts = [world_from_bone.len(), slots.len(), draw_order.len(), deform.len(), inactive_bones.len()];
    let mut whole = |number: usize| out.extend_from_slice(&(number as u32).to_le_bytes());
    counts.into_iter().for_each(&mut whole);
    draw_order.iter().for_each(|slot| whole(slot.index()));
    inactive_bones.iter().for_each(|bone| whole(bone.index()));
    for slot in slots {
        whole(slot.attachment.map_or(0, |attachment| attachment.index() + 1));
        whole(slot.deform.first as usize);
        whole(slot.deform.count as usize);
        whole(slot.tint.dark.is_some().into());
    }
    let mut float = |number: f32| out.extend_from_slice(&number.to_le_bytes());
    for slot in slots {
        slot.tint.light.into_iter().chain(slot.tint.dark.unwrap_or_default()).for_each(&mut float);
    }
    world_from_bone.iter().flat_map(Affine2::to_cols_array).for_each(&mut float);
    deform.iter().flat_map(Vec2::to_array).for_each(float);
}

/// Reads what [`write`] wrote into `pose`; `None` if it does not fit the character.
pub fn read(bytes: &[u8], ids: &Ids, pose: &mut Pose) -> Option<()> {
    let (words, rest) = bytes.as_chunks::<4>();
    let mut words = words.iter().copied();
    let [bones, slots, order, deform, inactive] = [(); 5].map(|()| words.next().map(u32::from_le_bytes));
    let (bones, slots, deform) = (bones? as usize, slots? as usize, deform? as usize);
    if !rest.is_empty() || bones != ids.bones.len() || slots != ids.slots.len() {
        return None;
    }
    let mut whole = || Some(u32::from_le_bytes(words.next()?) as usize);
    pose.draw_order.clear();
    for _ in 0..order? {
        pose.draw_order.push(*ids.slots.get(whole()?)?);
    }
    pose.inactive_bones.clear();
    for _ in 0..inactive? {
        pose.inactive_bones.push(*ids.bones.get(whole()?)?);
    }
    pose.slots.clear();
    for _ in 0..slots {
        let attachment = match whole()? {
            0 => None,
            number => Some(*ids.attachments.get(number - 1)?),
        };
        let deform = DeformSpan { first: whole()? as u32, count: whole()? as u32 };
        let dark = (whole()? != 0).then_some([0.0; 3]);
        pose.slots.push(SlotPose { attachment, tint: Tint { light: [1.0; 4], dark }, deform });
    }
    let mut float = || Some(f32::from_le_bytes(words.next()?));
    for slot in &mut pose.slots {
        slot.tint.light = [float()?, float()?, float()?, float()?];
        let dark = [float()?, float()?, float()?];
        slot.tint.dark = slot.tint.dark.map(|_| dark);
    }
    pose.world_from_bone.clear();
    for _ in 0..bones {
        let columns = [float()?, float()?, float()?, float()?, float()?, float()?];
        pose.world_from_bone.push(Affine2::from_cols_array(&columns));
    }
    pose.deform.clear();
    for _ in 0..deform {
        pose.deform.push(vec2(float()?, float()?));
    }
    Some(())
}
