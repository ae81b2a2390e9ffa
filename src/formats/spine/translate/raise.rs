//! 3.8 → 4.0 → 4.1 → 4.2. The newer version can represent everything that the older one does.

use super::keys::{Curved, sort};
use super::{attachments, channels};
use crate::formats::spine::schema::{
    Animation, AttachmentTimelines, BoneKey, ColorKey, Curve, DeformKey, Entries, IkKey, Number, PathKey, Root,
    SlotTimelines, TransformKey,
};
use crate::math::angle::wrap_turn;

/// 3.8 → 4.0: curves state times and values instead of shares, and timelines have other names.
pub fn to_4_0(root: &mut Root<'_>) {
    for it in &mut root.transform {
        let [rotate, x, _, scale, _, shear] = it.mixes().map(Some);
        (it.mix_rotate, it.mix_x, it.mix_scale_x, it.mix_shear_y) = (rotate, x, scale, shear);
        (it.rotate_mix, it.translate_mix, it.scale_mix, it.shear_mix) = (None, None, None, None);
    }
    for path in &mut root.path {
        let [rotate, x, _] = path.mixes().map(Some);
        (path.mix_rotate, path.mix_x) = (rotate, x);
        (path.rotate_mix, path.translate_mix) = (None, None);
    }
    for (_, animation) in &mut root.animations.0 {
        raise_animation(animation);
    }
}

fn raise_animation(animation: &mut Animation<'_>) {
    for (_, timelines) in &mut animation.bones.0 {
        raise_rotation(&mut timelines.rotate);
        let pair = |default| move |key: &BoneKey| [key.x, key.y].map(|value| value.map_or(default, |it| it.0));
        absolute(&mut timelines.translate, pair(0.0));
        absolute(&mut timelines.scale, pair(1.0));
        absolute(&mut timelines.shear, pair(0.0));
    }
    for (_, timelines) in &mut animation.slots.0 {
        raise_colors(timelines);
    }
    for (_, keys) in &mut animation.ik.0 {
        absolute(keys, |key: &IkKey| [key.mix.0, key.softness.0]);
    }
    for (_, keys) in &mut animation.transform.0 {
        absolute(keys, |key: &TransformKey| key.mixes().map(|mix| mix.0));
        for key in keys {
            let [rotate, x, _, scale, _, shear] = key.mixes().map(Some);
            (key.mix_rotate, key.mix_x, key.mix_scale_x, key.mix_shear_y) = (rotate, x, scale, shear);
            (key.rotate_mix, key.translate_mix, key.scale_mix, key.shear_mix) = (None, None, None, None);
        }
    }
    for (_, timelines) in &mut animation.path.0 {
        absolute(&mut timelines.position, |key: &PathKey| [key.position.0]);
        absolute(&mut timelines.spacing, |key: &PathKey| [key.spacing.0]);
        absolute(&mut timelines.mix, |key: &PathKey| key.mixes().map(|mix| mix.0));
        for key in timelines.position.iter_mut() {
            key.value = Some(std::mem::take(&mut key.position));
        }
        for key in timelines.spacing.iter_mut() {
            key.value = Some(std::mem::take(&mut key.spacing));
        }
        for key in timelines.mix.iter_mut() {
            let [rotate, x, _] = key.mixes().map(Some);
            (key.mix_rotate, key.mix_x) = (rotate, x);
            (key.rotate_mix, key.translate_mix) = (None, None);
        }
    }
    let deforms = animation.deform.0.iter_mut().flat_map(|(_, slots)| &mut slots.0);
    for (_, keys) in deforms.flat_map(|(_, attachments)| &mut attachments.0) {
        raise_deform(keys);
    }
}

/// Replaces shares by times and values: four numbers for each of the values.
fn absolute<K: Curved, const N: usize>(keys: &mut [K], values: impl Fn(&K) -> [f32; N]) {
    sort(keys);
    for at in 1..keys.len() {
        let [from, to] = [at - 1, at].map(|at| (keys[at].time(), values(&keys[at])));
        let key = &mut keys[at - 1];
        let curve = key.take_curve().map(|curve| of_shares(&curve, from, to));
        key.set_curve(curve);
    }
}

fn of_shares<const N: usize>(curve: &Curve, from: (f32, [f32; N]), to: (f32, [f32; N])) -> Curve {
    let &[x1, y1, x2, y2] = curve.handles() else { return curve.clone() };
    let at = |from: f32, to: f32, share: f32| {
        (f64::from(from) + (f64::from(to) - f64::from(from)) * f64::from(share)) as f32
    };
    let handles = from.1.into_iter().zip(to.1).flat_map(|(start, end)| {
        [at(from.0, to.0, x1), at(start, end, y1), at(from.0, to.0, x2), at(start, end, y2)]
    });
    Curve::of_handles(&handles.collect::<Vec<f32>>())
}

/// 3.8 turns the short way, 4.0 by the difference of the angles. Whole turns are added to them.
fn raise_rotation(keys: &mut [BoneKey]) {
    const TURN: f64 = 360.0;
    sort(keys);
    let mut before: Option<(f64, f64)> = None;
    for key in keys.iter_mut() {
        let stated = f64::from(key.angle.take().or(key.value).unwrap_or_default().0);
        let turns = before.map_or(0.0, |(before, turns)| {
            let turn = stated - before;
            turns + ((wrap_turn(turn) - turn) / TURN).round()
        });
        before = Some((stated, turns));
        key.value = Some(Number((stated + turns * TURN) as f32));
    }
    absolute(keys, |key| [key.value.unwrap_or_default().0]);
}

fn raise_colors(timelines: &mut SlotTimelines<'_>) {
    absolute(&mut timelines.color, |key: &ColorKey<'_>| channels(key.color.as_ref()));
    timelines.rgba.append(&mut timelines.color);
    absolute(&mut timelines.two_color, |key: &ColorKey<'_>| {
        let ([r, g, b, a], [r2, g2, b2, _]) = (channels(key.light.as_ref()), channels(key.dark.as_ref()));
        [r, g, b, a, r2, g2, b2]
    });
    timelines.rgba2.append(&mut timelines.two_color);
}

/// The value of a deformation is the share of the next key.
fn raise_deform(keys: &mut [DeformKey]) {
    sort(keys);
    for at in 1..keys.len() {
        let [from, to] = [at - 1, at].map(|at| keys[at].time.0);
        let key = &mut keys[at - 1];
        let curve = key.take_curve().map(|curve| of_shares(&curve, (from, [0.0]), (to, [1.0])));
        key.set_curve(curve);
    }
}

/// 4.0 → 4.1: deformations are timelines of attachments.
pub fn to_4_1(root: &mut Root<'_>) {
    for attachment in attachments(root) {
        attachment.timelines = attachment.deform.take();
    }
    for (_, animation) in &mut root.animations.0 {
        let raise = |deform| AttachmentTimelines { deform, ..AttachmentTimelines::default() };
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
