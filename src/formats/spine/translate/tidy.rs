//! Removes values that equal their default, so that equivalent documents are written alike.

use std::collections::HashMap;

use crate::formats::spine::binary::write::{BONE_COLOR, FPS, color_of};
use crate::formats::spine::schema::{
    Animation, AttachmentType, Color, Curve, Encoding, Event, FieldKind, Inherit, Key, Keys, Number, Path,
    Property, Root, Text, Transform, Value, attachments, for_each_keys_mut,
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
        without_color(&mut bone.color, BONE_COLOR);
        without(&mut bone.transform, &Inherit::Normal);
        without(&mut bone.inherit, &Inherit::Normal);
    }
    for slot in &mut root.slots {
        without_color(&mut slot.color, WHITE);
    }
    for skin in &mut root.skins.list {
        without_color(&mut skin.color, WHITE);
    }
    for it in root.all_mut::<Transform<'_>>() {
        let [_, x, _, scale_x, _, _] = it.mixes();
        without(&mut it.mix_y, &x);
        without(&mut it.mix_scale_y, &scale_x);
        let new = [&mut it.mix_rotate, &mut it.mix_x, &mut it.mix_scale_x, &mut it.mix_shear_y];
        let old = [&mut it.rotate_mix, &mut it.translate_mix, &mut it.scale_mix, &mut it.shear_mix];
        new.into_iter().chain(old).for_each(|mix| without(mix, &ONE));
    }
    for it in root.all_mut::<Path<'_>>() {
        let [_, x, _] = it.mixes();
        without(&mut it.mix_y, &x);
        let mixes = [&mut it.mix_rotate, &mut it.mix_x, &mut it.rotate_mix, &mut it.translate_mix];
        mixes.into_iter().for_each(|mix| without(mix, &ONE));
    }
    for attachment in attachments(root) {
        without_color(&mut attachment.color, color_of(attachment.kind));
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

fn without_color(color: &mut Option<Color<'_>>, default: [u8; 4]) {
    color.take_if(|color| color.valid() == Some(default));
}

fn tidy_animation<'a>(animation: &mut Animation<'a>, events: &HashMap<&str, &Event<'a>>, is_four: bool) {
    for_each_keys_mut(animation, |keys| tidy_keys(keys, is_four));
    let timelines = animation.attachments.0.iter_mut().flat_map(|(_, slots)| &mut slots.0);
    for (_, it) in timelines.flat_map(|(_, attachments)| &mut attachments.0) {
        it.steps.sort_by(|a, b| a.time.0.total_cmp(&b.time.0));
        let mut delay = Number(0.0);
        for key in &mut it.steps {
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
        // Without a stated value, Spine's players use 1 and 0; by Spine's description, the event's value applies.
        for (stated, of_event, default) in
            [(&mut key.volume, event.volume, ONE), (&mut key.balance, event.balance, Number(0.0))]
        {
            match of_event {
                Some(_) if event.audio.is_some() => _ = stated.get_or_insert(default),
                _ => without(stated, &default),
            }
        }
    }
}

/// Sorts the keys, states their curves in the form of the version and removes defaults. Alpha and colours stay as they
/// are.
fn tidy_keys(keys: &mut Keys<'_>, is_four: bool) {
    keys.sort();
    let row = keys.row();
    for Key { curve, .. } in &mut keys.list {
        match *curve {
            Curve::Shares(handles) if is_four || !row.form.has_shares => *curve = Curve::Four(handles),
            // -0 is the default of `c2`, which is written as 0.
            Curve::Shares([c1, c2, c3, c4]) | Curve::Four([c1, c2, c3, c4]) if !is_four && row.form.has_shares => {
                *curve = Curve::Shares([c1, c2 + 0.0, c3, c4]);
            }
            _ => {}
        }
    }
    for at in 0..keys.len() {
        let values = keys.get(at);
        let is_still = keys.property == Property::Deform && keys.deform(at).1.is_empty();
        let fields = keys.fields_mut(at);
        for channel in row.channels.iter().filter(|channel| channel.encoding == Encoding::Float) {
            let default = Value::Number(channel.rest.of(&values));
            for field in [channel.field].into_iter().chain(channel.old) {
                let is_optional = row.form.fields[field].kind == FieldKind::Optional;
                if is_optional && fields[field] == default {
                    fields[field] = Value::Missing;
                }
            }
        }
        if is_still {
            fields.fill(Value::Missing);
        }
    }
}
