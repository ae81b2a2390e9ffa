//! 4.2 → 4.1 → 4.0 → 3.8. What the older version cannot represent has been baked, or is reported.

use std::collections::HashMap;

use super::channels;
use super::lower_keys::{Turns, lower_deform};
use super::orders::remove_newer_kinds;
use crate::formats::Loss;
use crate::formats::spine::binary::Layout;
use crate::formats::spine::curves::{Track, lower, write};
use crate::formats::spine::schema::{
    Animation, BoneTimelines, DeformKeys, Entries, Keys, MAX_WIDTH, Property, Root, Slot, SlotTimelines,
    attachments,
};

/// 4.2 → 4.1. Physics and timelines of inheritance have been baked.
pub fn to_4_1(root: &mut Root<'_>, losses: &mut Vec<Loss>) {
    for bone in &mut root.bones {
        bone.transform = bone.inherit.take();
    }
    let is_marked = root.bones.iter().any(|bone| bone.icon.is_some() || !bone.visible);
    let is_hidden = root.slots.iter().any(|slot| !slot.visible);
    let is_colored = root
        .skins
        .list
        .iter()
        .any(|skin| skin.color.as_ref().is_some_and(|color| color.valid() != Some([u8::MAX; 4])));
    for (is_there, what) in [
        (is_marked, "icons and visibility of bones"),
        (is_hidden, "visibility of slots"),
        (is_colored, "colours of skins"),
    ] {
        if is_there {
            let message = format!("{what} in the editor are not written: only 4.2 has them");
            losses.push(Loss::new("editor-dropped", "", message));
        }
    }
    root.bones.iter_mut().for_each(|bone| (bone.icon, bone.visible) = (None, true));
    root.slots.iter_mut().for_each(|slot| slot.visible = true);
    root.skins.list.iter_mut().for_each(|skin| skin.color = None);
    if let Some(skeleton) = &mut root.skeleton {
        skeleton.reference_scale = None;
    }
    remove_newer_kinds(root, Layout::V4_1);
}

/// 4.1 → 4.0: deformations have timelines of their own. Sequences have been unrolled.
pub fn to_4_0(root: &mut Root<'_>) {
    for attachment in attachments(root) {
        attachment.deform = attachment.timelines.take();
    }
    for (_, animation) in &mut root.animations.0 {
        let skins = std::mem::take(&mut animation.attachments).0.into_iter().map(|(skin, slots)| {
            let slots = slots.0.into_iter().map(|(slot, attachments)| {
                let attachments = attachments.0.into_iter();
                let attachments =
                    attachments.filter_map(|(name, mut it)| Some((name, DeformKeys(it.take(Property::Deform)?))));
                (slot, Entries(attachments.collect()))
            });
            (skin, Entries(slots.collect()))
        });
        animation.deform = Entries(skins.collect());
    }
}

/// 4.0 → 3.8: one curve for all values of a key, in shares of time and change.
pub fn to_3_8(root: &mut Root<'_>, losses: &mut Vec<Loss>) {
    root.restate_mixes(false);
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
        losses.push(Loss::new("colors-rounded", "", message));
    }
}

/// The difference that JSON of the editor has, which states alpha with four digits.
const MAX_ROUNDING: f32 = 1e-4;

/// Returns how far colours had to be rounded.
fn lower_animation(animation: &mut Animation<'_>, slots: &HashMap<&str, &Slot<'_>>, turns: &mut Turns) -> f32 {
    let mut rounding = 0.0_f32;
    for (_, timelines) in &mut animation.bones.0 {
        timelines.get_mut(Property::Rotate).into_iter().for_each(|keys| turns.lower(keys));
        lower_bone(timelines);
    }
    for (name, timelines) in &mut animation.slots.0 {
        let slot = slots.get(name.as_str()).copied();
        rounding = rounding.max(lower_slot(timelines, slot));
    }
    animation.constraints.iter_mut().flat_map(|it| &mut it.timelines.list).for_each(lower);
    let deforms = animation.deform.0.iter_mut().flat_map(|(_, slots)| &mut slots.0);
    deforms.flat_map(|(_, attachments)| &mut attachments.0).for_each(|(_, keys)| lower_deform(&mut keys.0));
    rounding
}

/// Merges timelines of one axis into timelines of both.
fn lower_bone(timelines: &mut BoneTimelines<'_>) {
    for (both, axes, rest) in [
        (Property::Translate, [Property::TranslateX, Property::TranslateY], 0.0),
        (Property::Scale, [Property::ScaleX, Property::ScaleY], 1.0),
        (Property::Shear, [Property::ShearX, Property::ShearY], 0.0),
    ] {
        let rest = [rest; MAX_WIDTH];
        let mut keys = timelines.take_or_new(both);
        let mut tracks = Track::of(&mut keys, rest);
        for (track, axis) in tracks.iter_mut().zip(axes) {
            if let Some(mut keys) = timelines.take(axis) {
                [*track, ..] = Track::of(&mut keys, rest);
            }
        }
        write(&tracks, &mut keys);
        timelines.put(keys);
    }
}

/// Merges rgb and alpha timelines into rgba. Returns how far colours had to be rounded.
fn lower_slot(timelines: &mut SlotTimelines<'_>, slot: Option<&Slot<'_>>) -> f32 {
    let [r, g, b, a] = channels(slot.and_then(|slot| slot.color.as_ref()));
    let [r2, g2, b2, _] = channels(slot.and_then(|slot| slot.dark.as_ref()));
    let mut tracks = [r, g, b, a, r2, g2, b2].map(|rest| Track { rest, points: Vec::new() });
    let mut lowered = Property::Color;
    // A later timeline overrides the channels of an earlier one.
    for (property, places) in [
        (Property::Rgba, &[0, 1, 2, 3][..]),
        (Property::Rgb, &[0, 1, 2]),
        (Property::Rgba2, &[0, 1, 2, 3, 4, 5, 6]),
        (Property::Rgb2, &[0, 1, 2, 4, 5, 6]),
        (Property::Alpha, &[3]),
    ] {
        let Some(mut keys) = timelines.take(property) else { continue };
        if matches!(property, Property::Rgba2 | Property::Rgb2) {
            lowered = Property::TwoColor;
        }
        let mut rest = [0.0; MAX_WIDTH];
        places.iter().zip(&mut rest).for_each(|(place, rest)| *rest = tracks[*place].rest);
        for (place, track) in places.iter().zip(Track::of(&mut keys, rest)) {
            tracks[*place] = track;
        }
    }
    if lowered == Property::Color {
        tracks[4..].iter_mut().for_each(|track| *track = Track::default());
    }
    let mut keys = Keys::new(lowered);
    let rounding = write(&tracks, &mut keys);
    timelines.put(keys);
    rounding
}
