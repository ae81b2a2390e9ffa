//! 3.8 → 4.0 → 4.1 → 4.2. The newer version can represent everything that the older one does.

use super::keys::{Curved, sort};
use super::{attachments, channels};
use crate::formats::spine::schema::{
    Animation, AttachmentTimelines, BoneKey, ColorKey, Curve, DeformKey, Entries, IkKey, Number, PathKey, Root,
    TransformKey, ValueKey,
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
    }
    make_absolute(animation, |_| true);
    for (_, timelines) in &mut animation.slots.0 {
        timelines.rgba.append(&mut timelines.color);
        timelines.rgba2.append(&mut timelines.two_color);
    }
    for key in animation.transform.0.iter_mut().flat_map(|(_, keys)| keys) {
        let [rotate, x, _, scale, _, shear] = key.mixes().map(Some);
        (key.mix_rotate, key.mix_x, key.mix_scale_x, key.mix_shear_y) = (rotate, x, scale, shear);
        (key.rotate_mix, key.translate_mix, key.scale_mix, key.shear_mix) = (None, None, None, None);
    }
    for (_, timelines) in &mut animation.path.0 {
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
}

/// Replaces curves in the form of 3.8, which no program of 4.0 or later plays, in a document of such a version.
pub fn mend_curves(root: &mut Root<'_>) {
    if root.version.is_four() {
        for (_, animation) in &mut root.animations.0 {
            make_absolute(animation, |curve| matches!(curve, Curve::First(_)));
        }
    }
}

/// Replaces curves that state shares by times and values, in timelines of any version.
fn make_absolute(animation: &mut Animation<'_>, is_share: fn(&Curve) -> bool) {
    let or = |value: Option<Number>, default| value.map_or(default, |it: Number| it.0);
    for (_, it) in &mut animation.bones.0 {
        let pair = |default| move |key: &BoneKey| [or(key.x, default), or(key.y, default)];
        let single = |default| move |key: &BoneKey| [or(key.value, default)];
        absolute(&mut it.rotate, is_share, single(0.0));
        absolute(&mut it.translate, is_share, pair(0.0));
        absolute(&mut it.scale, is_share, pair(1.0));
        absolute(&mut it.shear, is_share, pair(0.0));
        for keys in [&mut it.translatex, &mut it.translatey, &mut it.shearx, &mut it.sheary] {
            absolute(keys, is_share, single(0.0));
        }
        for keys in [&mut it.scalex, &mut it.scaley] {
            absolute(keys, is_share, single(1.0));
        }
    }
    for (_, it) in &mut animation.slots.0 {
        let both = |key: &ColorKey<'_>| [channels(key.light.as_ref()), channels(key.dark.as_ref())];
        for keys in [&mut it.color, &mut it.rgba] {
            absolute(keys, is_share, |key: &ColorKey<'_>| channels(key.color.as_ref()));
        }
        for keys in [&mut it.two_color, &mut it.rgba2] {
            absolute(keys, is_share, |key: &ColorKey<'_>| {
                let [[r, g, b, a], [r2, g2, b2, _]] = both(key);
                [r, g, b, a, r2, g2, b2]
            });
        }
        absolute(&mut it.rgb, is_share, |key: &ColorKey<'_>| {
            let [r, g, b, _] = channels(key.color.as_ref());
            [r, g, b]
        });
        absolute(&mut it.rgb2, is_share, |key: &ColorKey<'_>| {
            let [[r, g, b, _], [r2, g2, b2, _]] = both(key);
            [r, g, b, r2, g2, b2]
        });
        absolute(&mut it.alpha, is_share, |key: &ValueKey| [or(key.value, 0.0)]);
    }
    for (_, keys) in &mut animation.ik.0 {
        absolute(keys, is_share, |key: &IkKey| [key.mix.0, key.softness.0]);
    }
    for (_, keys) in &mut animation.transform.0 {
        absolute(keys, is_share, |key: &TransformKey| key.mixes().map(|mix| mix.0));
    }
    for (_, it) in &mut animation.path.0 {
        absolute(&mut it.position, is_share, |key: &PathKey| [key.value.unwrap_or(key.position).0]);
        absolute(&mut it.spacing, is_share, |key: &PathKey| [key.value.unwrap_or(key.spacing).0]);
        absolute(&mut it.mix, is_share, |key: &PathKey| key.mixes().map(|mix| mix.0));
    }
    let slots = animation.deform.0.iter_mut().flat_map(|(_, slots)| &mut slots.0);
    let deforms = slots.flat_map(|(_, attachments)| &mut attachments.0).map(|(_, keys)| keys);
    let slots = animation.attachments.0.iter_mut().flat_map(|(_, slots)| &mut slots.0);
    let newer = slots.flat_map(|(_, attachments)| &mut attachments.0).map(|(_, it)| &mut it.deform);
    for keys in deforms.chain(newer) {
        absolute_deform(keys, is_share);
    }
}

/// Replaces shares by times and values: four numbers for each of the values.
fn absolute<K: Curved, const N: usize>(
    keys: &mut [K],
    is_share: fn(&Curve) -> bool,
    values: impl Fn(&K) -> [f32; N],
) {
    absolute_between(keys, is_share, |from, to| [values(from), values(to)]);
}

/// The value of a deformation is the share of the next key.
fn absolute_deform(keys: &mut [DeformKey], is_share: fn(&Curve) -> bool) {
    absolute_between(keys, is_share, |_, _| [[0.0], [1.0]]);
}

fn absolute_between<K: Curved, const N: usize>(
    keys: &mut [K],
    is_share: fn(&Curve) -> bool,
    values: impl Fn(&K, &K) -> [[f32; N]; 2],
) {
    if !keys.iter().any(|key| key.curve().is_some_and(is_share)) {
        return;
    }
    sort(keys);
    for at in 1..keys.len() {
        if !keys[at - 1].curve().is_some_and(is_share) {
            continue;
        }
        let times = [keys[at - 1].time(), keys[at].time()];
        let [start, end] = values(&keys[at - 1], &keys[at]);
        let key = &mut keys[at - 1];
        let curve = key.take_curve().map(|curve| of_shares(&curve, (times[0], start), (times[1], end)));
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
