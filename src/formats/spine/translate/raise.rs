//! 3.8 → 4.0 → 4.1 → 4.2. The newer version can represent everything that the older one does.

use crate::formats::spine::curves::make_absolute;
use crate::formats::spine::schema::{
    Animation, AttachmentTimelines, DeformKeys, Entries, Keys, Property, Root, attachments,
};
use crate::math::angle::wrap_turn;

/// 3.8 → 4.0: curves state times and values instead of shares, and timelines have other names.
pub fn to_4_0(root: &mut Root<'_>) {
    root.restate_mixes(true);
    for (_, animation) in &mut root.animations.0 {
        raise_animation(animation);
    }
}

fn raise_animation(animation: &mut Animation<'_>) {
    for (_, timelines) in &mut animation.bones.0 {
        timelines.get_mut(Property::Rotate).into_iter().for_each(raise_rotation);
    }
    make_absolute(animation, |_| true);
    for (_, timelines) in &mut animation.slots.0 {
        for (old, new) in [(Property::Color, Property::Rgba), (Property::TwoColor, Property::Rgba2)] {
            let Some(old) = timelines.take(old) else { continue };
            let mut keys = timelines.take_or_new(new);
            keys.append(old);
            timelines.put(keys);
        }
    }
    for keys in animation.constraints.iter_mut().flat_map(|it| &mut it.timelines.list) {
        for at in 0..keys.len() {
            keys.set(at, &keys.get(at), true);
        }
    }
}

/// 3.8 turns the short way, 4.0 by the difference of the angles. Whole turns are added to them.
fn raise_rotation(keys: &mut Keys<'_>) {
    const TURN: f64 = 360.0;
    keys.sort();
    let mut before: Option<(f64, f64)> = None;
    for at in 0..keys.len() {
        let mut values = keys.get(at);
        let stated = f64::from(values[0]);
        let turns = before.map_or(0.0, |(before, turns)| {
            let turn = stated - before;
            turns + ((wrap_turn(turn) - turn) / TURN).round()
        });
        before = Some((stated, turns));
        values[0] = (stated + turns * TURN) as f32;
        keys.set(at, &values, true);
    }
}

/// 4.0 → 4.1: deformations are timelines of attachments.
pub fn to_4_1(root: &mut Root<'_>) {
    for attachment in attachments(root) {
        attachment.timelines = attachment.deform.take();
    }
    for (_, animation) in &mut root.animations.0 {
        let raise = |DeformKeys(keys)| AttachmentTimelines { steps: Vec::new(), list: vec![keys] };
        let skins = std::mem::take(&mut animation.deform).0.into_iter().map(|(skin, slots)| {
            let slots = slots.0.into_iter().map(|(slot, attachments)| {
                let attachments = attachments.0.into_iter().map(|(name, keys)| (name, raise(keys)));
                (slot, Entries(attachments.collect()))
            });
            (skin, Entries(slots.collect()))
        });
        animation.attachments = Entries(skins.collect());
    }
}

/// 4.1 → 4.2: what a bone inherits has another name.
pub fn to_4_2(root: &mut Root<'_>) {
    for bone in &mut root.bones {
        bone.inherit = bone.transform.take();
    }
}
