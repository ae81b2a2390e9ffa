//! Removes what is stated although it is the default, so that documents that mean the same are written the same.

use std::collections::HashMap;

use super::attachments;
use super::keys::{Curved, sort, sort_by_time};
use crate::formats::spine::binary::write::{BONE_COLOR, FPS, color_of};
use crate::formats::spine::schema::{
    Animation, AttachmentType, BoneKey, Color, Curve, Event, Inherit, Number, PathKey, Root, Text, TransformKey,
};

const WHITE: [u8; 4] = [0xff; 4];

const ONE: Number = Number(1.0);

/// Removes defaults from a document of any version.
pub fn tidy(root: &mut Root<'_>) {
    let is_four = root.version.is_four();
    if let Some(skeleton) = &mut root.skeleton {
        without(&mut skeleton.fps, &Number(FPS));
        without(&mut skeleton.reference_scale, &Number(100.0));
    }
    for bone in &mut root.bones {
        without(&mut bone.color, &Color::Rgba(BONE_COLOR));
        without(&mut bone.transform, &Inherit::Normal);
        without(&mut bone.inherit, &Inherit::Normal);
    }
    for slot in &mut root.slots {
        without(&mut slot.color, &Color::Rgba(WHITE));
    }
    for skin in &mut root.skins.list {
        without(&mut skin.color, &Color::Rgba(WHITE));
    }
    for it in &mut root.transform {
        let mixes = it.mixes();
        tidy_transform(
            mixes,
            [
                &mut it.mix_rotate,
                &mut it.mix_x,
                &mut it.mix_y,
                &mut it.mix_scale_x,
                &mut it.mix_scale_y,
                &mut it.mix_shear_y,
            ],
        );
        [&mut it.rotate_mix, &mut it.translate_mix, &mut it.scale_mix, &mut it.shear_mix]
            .into_iter()
            .for_each(|mix| without(mix, &ONE));
    }
    for path in &mut root.path {
        let [_, x, _] = path.mixes();
        without(&mut path.mix_y, &x);
        [&mut path.mix_rotate, &mut path.mix_x, &mut path.rotate_mix, &mut path.translate_mix]
            .into_iter()
            .for_each(|mix| without(mix, &ONE));
    }
    for attachment in attachments(root) {
        without(&mut attachment.color, &Color::Rgba(color_of(attachment.kind)));
        without(&mut attachment.deform, &true);
        without(&mut attachment.timelines, &true);
        without(&mut attachment.constant_speed, &true);
        if attachment.kind != AttachmentType::Region {
            without(&mut attachment.width, &Number(0.0));
            without(&mut attachment.height, &Number(0.0));
        }
        if attachment.kind == AttachmentType::LinkedMesh {
            without(&mut attachment.skin, &Text("default".into()));
        }
    }
    let Root { events, animations, .. } = root;
    for (_, event) in &mut events.0 {
        without(&mut event.text, &Text::default());
        without(&mut event.volume, &ONE);
        without(&mut event.balance, &Number(0.0));
    }
    // Of several events of one name, the last counts.
    let events: HashMap<&str, &Event<'_>> = events.0.iter().map(|(name, event)| (name.as_str(), event)).collect();
    for (_, animation) in &mut animations.0 {
        tidy_animation(animation, &events, is_four);
    }
}

/// Removes a value that equals the default.
fn without<T: PartialEq>(value: &mut Option<T>, default: &T) {
    if value.as_ref() == Some(default) {
        *value = None;
    }
}

fn tidy_transform([_, x, _, scale_x, _, _]: [Number; 6], mixes: [&mut Option<Number>; 6]) {
    for (mix, default) in mixes.into_iter().zip([ONE, ONE, x, ONE, scale_x, ONE]) {
        without(mix, &default);
    }
}

fn tidy_animation<'a>(animation: &mut Animation<'a>, events: &HashMap<&str, &Event<'a>>, is_four: bool) {
    for (_, it) in &mut animation.bones.0 {
        for keys in [&mut it.rotate, &mut it.translatex, &mut it.translatey, &mut it.shearx, &mut it.sheary] {
            tidy_bone(keys, Number(0.0), is_four);
        }
        for keys in [&mut it.translate, &mut it.shear] {
            tidy_bone(keys, Number(0.0), is_four);
        }
        for keys in [&mut it.scale, &mut it.scalex, &mut it.scaley] {
            tidy_bone(keys, ONE, is_four);
        }
    }
    for (_, it) in &mut animation.slots.0 {
        for keys in [&mut it.color, &mut it.two_color, &mut it.rgba, &mut it.rgb, &mut it.rgba2, &mut it.rgb2] {
            tidy_curves(keys, is_four);
        }
        tidy_curves(&mut it.alpha, is_four);
    }
    animation.ik.0.iter_mut().for_each(|(_, keys)| tidy_curves(keys, is_four));
    for (_, keys) in &mut animation.transform.0 {
        tidy_curves(keys, is_four);
        keys.iter_mut().for_each(tidy_transform_key);
    }
    for (_, it) in &mut animation.path.0 {
        for keys in [&mut it.position, &mut it.spacing, &mut it.mix] {
            tidy_curves(keys, is_four);
            keys.iter_mut().for_each(tidy_path_key);
        }
    }
    for (_, it) in &mut animation.physics.0 {
        for keys in
            [&mut it.inertia, &mut it.strength, &mut it.damping, &mut it.mass, &mut it.wind, &mut it.gravity]
        {
            tidy_curves(keys, is_four);
            keys.iter_mut().for_each(|key| without(&mut key.value, &Number(0.0)));
        }
        tidy_curves(&mut it.mix, is_four);
        it.mix.iter_mut().for_each(|key| without(&mut key.value, &ONE));
    }
    for (_, keys) in
        animation.deform.0.iter_mut().flat_map(|(_, slots)| &mut slots.0).flat_map(|(_, it)| &mut it.0)
    {
        tidy_deform(keys, is_four);
    }
    let timelines = animation.attachments.0.iter_mut().flat_map(|(_, slots)| &mut slots.0);
    for (_, it) in timelines.flat_map(|(_, attachments)| &mut attachments.0) {
        tidy_deform(&mut it.deform, is_four);
        sort_by_time(&mut it.sequence);
        let mut delay = Number(0.0);
        for key in &mut it.sequence {
            let stated = key.delay.unwrap_or(delay);
            without(&mut key.delay, &delay);
            delay = stated;
        }
    }
    for key in &mut animation.events {
        let Some(event) = events.get(key.name.as_str()) else { continue };
        without(&mut key.integer, &event.integer);
        without(&mut key.number, &event.number);
        let text = event.text.clone().unwrap_or_default();
        without(&mut key.text, &text);
        without(&mut key.volume, &ONE);
        without(&mut key.balance, &Number(0.0));
    }
}

fn tidy_bone(keys: &mut [BoneKey], default: Number, is_four: bool) {
    tidy_curves(keys, is_four);
    for key in keys {
        [&mut key.angle, &mut key.value, &mut key.x, &mut key.y].into_iter().for_each(|it| without(it, &default));
    }
}

fn tidy_transform_key(key: &mut TransformKey) {
    let mixes = key.mixes();
    tidy_transform(
        mixes,
        [
            &mut key.mix_rotate,
            &mut key.mix_x,
            &mut key.mix_y,
            &mut key.mix_scale_x,
            &mut key.mix_scale_y,
            &mut key.mix_shear_y,
        ],
    );
    [&mut key.rotate_mix, &mut key.translate_mix, &mut key.scale_mix, &mut key.shear_mix]
        .into_iter()
        .for_each(|mix| without(mix, &ONE));
}

fn tidy_path_key(key: &mut PathKey) {
    let [_, x, _] = key.mixes();
    without(&mut key.mix_y, &x);
    without(&mut key.value, &Number(0.0));
    [&mut key.mix_rotate, &mut key.mix_x, &mut key.rotate_mix, &mut key.translate_mix]
        .into_iter()
        .for_each(|mix| without(mix, &ONE));
}

fn tidy_deform(keys: &mut [crate::formats::spine::schema::DeformKey], is_four: bool) {
    tidy_curves(keys, is_four);
    for key in keys.iter_mut().filter(|key| key.vertices.is_empty()) {
        key.offset = 0;
    }
}

/// Sorts the keys and states their curves in the form of the version: 3.8 has up to four separate numbers.
fn tidy_curves<K: Curved>(keys: &mut [K], is_four: bool) {
    sort(keys);
    for key in keys {
        let curve = key.take_curve();
        match curve {
            Some(Curve::Four(handles)) if !is_four => key.set_shares(handles),
            curve => key.set_curve(curve),
        }
    }
}
