//! 4.2 → 4.1 → 4.0 → 3.8. What the older version cannot represent has been baked, or is reported.

use std::collections::HashMap;

use super::lower_keys::{DEGREES, Lower, Turns, lower_deform};
use super::track::Track;
use super::{attachments, channels};
use crate::formats::spine::schema::{
    Animation, BoneKey, BoneTimelines, Color, ColorKey, Entries, IkKey, Number, PathKey, PathTimelines, Root,
    Slot, SlotTimelines, TransformKey,
};
use crate::formats::written::Lost;

/// 4.2 → 4.1. Physics and timelines of inheritance have been baked.
pub fn to_4_1(root: &mut Root<'_>, losses: &mut Vec<Lost>) {
    for bone in &mut root.bones {
        bone.transform = bone.inherit.take();
    }
    let is_marked = root.bones.iter().any(|bone| bone.icon.is_some() || !bone.visible);
    let is_hidden = root.slots.iter().any(|slot| !slot.visible);
    let white = Color::Rgba([u8::MAX; 4]);
    let is_colored = root.skins.list.iter().any(|skin| skin.color.as_ref().is_some_and(|color| *color != white));
    for (is_there, what) in [
        (is_marked, "icons and visibility of bones"),
        (is_hidden, "visibility of slots"),
        (is_colored, "colours of skins"),
    ] {
        if is_there {
            let message = format!("{what} in the editor are not written, since that came with 4.2");
            losses.push(Lost::character("editor-dropped", message));
        }
    }
    root.bones.iter_mut().for_each(|bone| (bone.icon, bone.visible) = (None, true));
    root.slots.iter_mut().for_each(|slot| slot.visible = true);
    root.skins.list.iter_mut().for_each(|skin| skin.color = None);
    if let Some(skeleton) = &mut root.skeleton {
        skeleton.reference_scale = None;
    }
    // Keys for all constraints may be left although there is none.
    root.animations.0.iter_mut().for_each(|(_, animation)| animation.physics.0.clear());
}

/// 4.1 → 4.0: deformations have timelines of their own. Sequences have been unrolled.
pub fn to_4_0(root: &mut Root<'_>) {
    for attachment in attachments(root) {
        attachment.deform = attachment.timelines.take();
    }
    for (_, animation) in &mut root.animations.0 {
        let skins = std::mem::take(&mut animation.attachments).0.into_iter().map(|(skin, slots)| {
            let slots = slots.0.into_iter().map(|(slot, attachments)| {
                let attachments = attachments.0.into_iter().map(|(name, timelines)| (name, timelines.deform));
                let attachments = attachments.filter(|(_, keys)| !keys.is_empty());
                (slot, Entries(attachments.collect()))
            });
            (skin, Entries(slots.collect()))
        });
        animation.deform = Entries(skins.collect());
    }
}

/// How far a value may be off where one curve is used for several values, whose handles JSON of the editor states with
/// few digits. Scale and mixes act on up to a thousand units.
const UNITS: f32 = 2e-3;
const SHARE: f32 = 5e-6;
const CHANNEL: f32 = 2e-3;

/// 4.0 → 3.8: one curve for all values of a key, in shares of time and change.
pub fn to_3_8(root: &mut Root<'_>, losses: &mut Vec<Lost>) {
    for it in &mut root.transform {
        let [rotate, x, _, scale, _, shear] = it.mixes().map(Some);
        (it.rotate_mix, it.translate_mix, it.scale_mix, it.shear_mix) = (rotate, x, scale, shear);
        (it.mix_rotate, it.mix_x, it.mix_y) = (None, None, None);
        (it.mix_scale_x, it.mix_scale_y, it.mix_shear_y) = (None, None, None);
    }
    for path in &mut root.path {
        let [rotate, x, _] = path.mixes().map(Some);
        (path.rotate_mix, path.translate_mix) = (rotate, x);
        (path.mix_rotate, path.mix_x, path.mix_y) = (None, None, None);
    }
    let Root { slots, animations, .. } = root;
    let mut rounding = 0.0_f32;
    // Of several slots of one name, the last counts.
    let slots: HashMap<&str, &Slot<'_>> = slots.iter().map(|slot| (slot.name.as_str(), slot)).collect();
    let mut turns = Turns::default();
    for (_, animation) in &mut animations.0 {
        rounding = rounding.max(lower_animation(animation, &slots, &mut turns));
    }
    if rounding > MAX_ROUNDING {
        let message =
            format!("keys of rgb and alpha are joined; colours between them are rounded by up to {rounding:.4}");
        losses.push(Lost::character("colors-rounded", message));
    }
}

/// The difference that JSON of the editor has, which states alpha with four digits.
const MAX_ROUNDING: f32 = 1e-4;

/// Returns how far colours had to be rounded.
fn lower_animation(animation: &mut Animation<'_>, slots: &HashMap<&str, &Slot<'_>>, turns: &mut Turns) -> f32 {
    let mut rounding = 0.0_f32;
    for (_, timelines) in &mut animation.bones.0 {
        turns.lower(&mut timelines.rotate);
        lower_bone(timelines);
    }
    for (name, timelines) in &mut animation.slots.0 {
        let slot = slots.get(name.as_str()).copied();
        rounding = rounding.max(lower_slot(timelines, slot));
    }
    for (_, keys) in &mut animation.ik.0 {
        let shape = Lower {
            get: |key: &IkKey| [key.mix.0, key.softness.0],
            put: |key: &mut IkKey, [mix, softness]: [f32; 2]| {
                (key.mix, key.softness) = (Number(mix), Number(softness))
            },
            tolerance: [SHARE, UNITS],
        };
        shape.lower(keys);
    }
    for (_, keys) in &mut animation.transform.0 {
        let get = |key: &TransformKey| {
            let [rotate, x, _, scale, _, shear] = key.mixes().map(|mix| mix.0);
            [rotate, x, scale, shear]
        };
        let put = |key: &mut TransformKey, mixes: [f32; 4]| {
            let [rotate, translate, scale, shear] = mixes.map(|mix| Some(Number(mix)));
            *key = TransformKey {
                time: key.time,
                rotate_mix: rotate,
                translate_mix: translate,
                scale_mix: scale,
                shear_mix: shear,
                ..TransformKey::default()
            };
        };
        Lower { get, put, tolerance: [SHARE; 4] }.lower_channels(keys, [0, 1, 3, 5]);
    }
    for (_, timelines) in &mut animation.path.0 {
        lower_path(timelines);
    }
    let deforms = animation.deform.0.iter_mut().flat_map(|(_, slots)| &mut slots.0);
    for (_, keys) in deforms.flat_map(|(_, attachments)| &mut attachments.0) {
        lower_deform(keys);
    }
    rounding
}

fn lower_path(timelines: &mut PathTimelines) {
    let get = |key: &PathKey| [key.value.unwrap_or_default().0];
    let put = |key: &mut PathKey, [position]: [f32; 1]| (key.value, key.position) = (None, Number(position));
    Lower { get, put, tolerance: [SHARE] }.lower(&mut timelines.position);
    let put = |key: &mut PathKey, [spacing]: [f32; 1]| (key.value, key.spacing) = (None, Number(spacing));
    Lower { get, put, tolerance: [SHARE] }.lower(&mut timelines.spacing);
    let get = |key: &PathKey| {
        let [rotate, x, _] = key.mixes().map(|mix| mix.0);
        [rotate, x]
    };
    let put = |key: &mut PathKey, mixes: [f32; 2]| {
        let [rotate_mix, translate_mix] = mixes.map(|mix| Some(Number(mix)));
        *key = PathKey { time: key.time, rotate_mix, translate_mix, ..PathKey::default() };
    };
    Lower { get, put, tolerance: [SHARE; 2] }.lower_channels(&mut timelines.mix, [0, 1]);
}

/// Timelines of one axis join those of both.
fn lower_bone(timelines: &mut BoneTimelines) {
    let BoneTimelines { translate, translatex, translatey, scale, scalex, scaley, shear, shearx, sheary, .. } =
        timelines;
    for (both, x, y, rest, tolerance) in [
        (translate, translatex, translatey, 0.0, UNITS),
        (scale, scalex, scaley, 1.0, SHARE),
        (shear, shearx, sheary, 0.0, DEGREES),
    ] {
        let get = move |key: &BoneKey| [key.x, key.y].map(|value| value.map_or(rest, |it| it.0));
        let single = move |key: &BoneKey| [key.value.map_or(rest, |it| it.0)];
        let put = |key: &mut BoneKey, [x, y]: [f32; 2]| (key.x, key.y) = (Some(Number(x)), Some(Number(y)));
        let mut tracks = Track::of(both, [rest; 2], get);
        for (track, keys) in tracks.iter_mut().zip([x, y]).filter(|(_, keys)| !keys.is_empty()) {
            let [only] = Track::of(keys, [rest], single);
            *track = only;
            keys.clear();
        }
        let shape = Lower { get, put, tolerance: [tolerance; 2] };
        shape.write(&tracks, both);
    }
}

/// Timelines of parts of a colour join those of all of it. Returns how far colours had to be rounded.
fn lower_slot(timelines: &mut SlotTimelines<'_>, slot: Option<&Slot<'_>>) -> f32 {
    let rounding = std::cell::Cell::new(0.0_f32);
    let rounded = |channels: [f32; 4]| {
        let (color, off) = rounded(channels);
        rounding.set(rounding.get().max(off));
        Some(color)
    };
    let SlotTimelines { color, two_color, rgba, rgb, alpha, rgba2, rgb2, .. } = timelines;
    let light = channels(slot.and_then(|slot| slot.color.as_ref()));
    let dark = channels(slot.and_then(|slot| slot.dark.as_ref()));
    let [r, g, b, a] = light;
    let rest = [r, g, b, a, dark[0], dark[1], dark[2]];
    let has_dark = !rgba2.is_empty() || !rgb2.is_empty();
    let mut tracks = rest.map(|rest| Track { rest, points: Vec::new() });
    let both = |key: &ColorKey<'_>| {
        let ([r, g, b, a], [r2, g2, b2, _]) = (channels(key.light.as_ref()), channels(key.dark.as_ref()));
        [r, g, b, a, r2, g2, b2]
    };
    // A later timeline overrides the channels of an earlier one.
    let of_color = |key: &ColorKey<'_>| channels(key.color.as_ref());
    overlay(&mut tracks, rgba, [0, 1, 2, 3], of_color);
    overlay(&mut tracks, rgb, [0, 1, 2], |key| {
        let [r, g, b, _] = of_color(key);
        [r, g, b]
    });
    overlay(&mut tracks, rgba2, [0, 1, 2, 3, 4, 5, 6], both);
    overlay(&mut tracks, rgb2, [0, 1, 2, 4, 5, 6], |key| {
        let [r, g, b, _, r2, g2, b2] = both(key);
        [r, g, b, r2, g2, b2]
    });
    if !alpha.is_empty() {
        let [track] = Track::of(alpha, [a], |key| [key.value.unwrap_or_default().0]);
        tracks[3] = track;
        alpha.clear();
    }
    if has_dark {
        let put = |key: &mut ColorKey<'_>, [r, g, b, a, r2, g2, b2]: [f32; 7]| {
            (key.light, key.dark) = (rounded([r, g, b, a]), rounded([r2, g2, b2, 1.0]));
        };
        Lower { get: both, put, tolerance: [CHANNEL; 7] }.write(&tracks, two_color);
    } else {
        let [r, g, b, a, ..] = tracks;
        let put = |key: &mut ColorKey<'_>, color| key.color = rounded(color);
        let get = |key: &ColorKey<'_>| channels(key.color.as_ref());
        Lower { get, put, tolerance: [CHANNEL; 4] }.write(&[r, g, b, a], color);
    }
    rounding.get()
}

/// Replaces the tracks at `places` by the values of a timeline, if it has keys, and clears it.
fn overlay<const N: usize>(
    tracks: &mut [Track; 7],
    keys: &mut Vec<ColorKey<'_>>,
    places: [usize; N],
    get: impl Fn(&ColorKey<'_>) -> [f32; N],
) {
    if keys.is_empty() {
        return;
    }
    let read = Track::of(keys, places.map(|place| tracks[place].rest), get);
    for (place, track) in places.into_iter().zip(read) {
        tracks[place] = track;
    }
    keys.clear();
}

/// The nearest colour, and how far its channels are from the given ones.
fn rounded(channels: [f32; 4]) -> (Color<'static>, f32) {
    let rgba = channels.map(|channel| (channel.clamp(0.0, 1.0) * 255.0).round() as u8);
    let off = rgba.iter().zip(channels).map(|(stored, channel)| (f32::from(*stored) / 255.0 - channel).abs());
    (Color::Rgba(rgba), off.fold(0.0, f32::max))
}
