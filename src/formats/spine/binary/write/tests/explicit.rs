//! Documents with all defaults made explicit, as binaries have them.

#[cfg(test)]
use super::super::super::hash;
use super::super::super::layout::Layout;
use super::super::super::mass;
use super::super::WHITE;
use super::super::nonessential::{BONE_COLOR, FPS, color_of};
use super::super::skeleton;
use crate::formats::spine::build::keys::{Key, Sorted, short_curve};
use crate::formats::spine::schema::{
    Animation, Attachment, AttachmentTimelines, AttachmentType, BoneKey, Color, ColorKey, Curve, DeformKey,
    Entries, Event, EventKey, IkKey, Number, PathKey, Root, Skin, Text, TransformKey, ValueKey,
};

/// Makes all defaults of a document explicit, and removes what has no effect.
pub fn explicit(root: &mut Root<'_>, layout: Layout, is_nonessential: bool) {
    let skeleton = root.skeleton.get_or_insert_default();
    let version = skeleton::version(skeleton.spine.as_ref().map(Text::as_str), layout).to_owned();
    skeleton.spine = Some(Text(version.into()));
    if layout.is_four() {
        skeleton.hash.take_if(|text| hash::bytes(text.as_str()) == [0; 8]);
    }
    if layout.has_flags() {
        fill(&mut skeleton.reference_scale, 100.0);
    }
    if is_nonessential {
        fill(&mut skeleton.fps, FPS);
    }
    for bone in &mut root.bones {
        let inherits = Some(bone.inherits());
        (bone.inherit, bone.transform) = if layout.has_flags() { (inherits, None) } else { (None, inherits) };
        (bone.inherit_rotation, bone.inherit_scale) = (None, None);
        if is_nonessential {
            tint(&mut bone.color, BONE_COLOR);
        }
    }
    for slot in &mut root.slots {
        tint(&mut slot.color, WHITE);
        opaque(&mut slot.dark);
    }
    constraints(root, layout);
    let last_slot = root.slots.last().map(|slot| slot.name.clone());
    root.skins.is_object = false;
    for skin in &mut root.skins.list {
        self::skin(skin, layout, is_nonessential, last_slot.as_ref());
    }
    root.skins.list.retain(|skin| skin.name.as_str() != "default" || !skin.attachments.0.is_empty());
    root.skins.list.sort_by_key(|skin| skin.name.as_str() != "default");
    root.events.0.iter_mut().for_each(|(_, event)| self::event(event));
    let slots: Vec<_> = root.slots.iter().map(|slot| slot.name.clone()).collect();
    for (_, animation) in &mut root.animations.0 {
        self::animation(animation, layout, &root.events, &slots);
    }
}

fn fill(number: &mut Option<Number>, default: f32) {
    number.get_or_insert(Number(default));
}

/// Replaces a missing or invalid colour.
fn tint(color: &mut Option<Color<'_>>, default: [u8; 4]) {
    color.take_if(|color| matches!(color, Color::Invalid(_)));
    color.get_or_insert(Color::Rgba(default));
}

/// Removes the alpha of a colour that has none.
fn opaque(color: &mut Option<Color<'_>>) {
    if let Some(Color::Rgba([.., alpha])) = color {
        *alpha = u8::MAX;
    }
}

macro_rules! mixes {
    ($it:expr, $layout:expr) => {{
        let [rotate, x, y, scale_x, scale_y, shear] = $it.mixes().map(Some);
        let is_four = $layout.is_four();
        let when = |is: bool, number: Option<Number>| number.filter(|_| is);
        ($it.mix_rotate, $it.rotate_mix) = (when(is_four, rotate), when(!is_four, rotate));
        ($it.mix_x, $it.translate_mix) = (when(is_four, x), when(!is_four, x));
        ($it.mix_scale_x, $it.scale_mix) = (when(is_four, scale_x), when(!is_four, scale_x));
        ($it.mix_shear_y, $it.shear_mix) = (when(is_four, shear), when(!is_four, shear));
        ($it.mix_y, $it.mix_scale_y) = (when(is_four, y), when(is_four, scale_y));
    }};
}

macro_rules! path_mixes {
    ($it:expr, $layout:expr) => {{
        let [rotate, x, y] = $it.mixes().map(Some);
        let is_four = $layout.is_four();
        let when = |is: bool, number: Option<Number>| number.filter(|_| is);
        ($it.mix_rotate, $it.rotate_mix) = (when(is_four, rotate), when(!is_four, rotate));
        ($it.mix_x, $it.translate_mix) = (when(is_four, x), when(!is_four, x));
        $it.mix_y = when(is_four, y);
    }};
}

fn constraints(root: &mut Root<'_>, layout: Layout) {
    root.transform.iter_mut().for_each(|it| mixes!(it, layout));
    root.path.iter_mut().for_each(|it| path_mixes!(it, layout));
    for it in &mut root.physics {
        it.fps = Number(it.fps.0.round().clamp(0.0, 255.0));
        it.mass = Number(mass::of_inverse(mass::inverse(it.mass.0).clamp(f32::MIN, f32::MAX)));
    }
}

fn skin<'a>(skin: &mut Skin<'a>, layout: Layout, is_nonessential: bool, last_slot: Option<&Text<'a>>) {
    if skin.name.as_str() == "default" {
        skin.color = None;
    } else if layout.has_flags() && is_nonessential {
        tint(&mut skin.color, WHITE);
    }
    for (_, attachments) in &mut skin.attachments.0 {
        for (key, it) in &mut attachments.0 {
            it.name.take_if(|name| *name == *key);
            attachment(it, layout, is_nonessential, last_slot);
        }
    }
}

fn attachment<'a>(it: &mut Attachment<'a>, layout: Layout, is_nonessential: bool, last_slot: Option<&Text<'a>>) {
    let is_shape = match it.kind {
        AttachmentType::Region | AttachmentType::Mesh | AttachmentType::LinkedMesh => false,
        AttachmentType::BoundingBox | AttachmentType::Path | AttachmentType::Clipping => true,
        AttachmentType::Point => {
            it.vertex_count = None;
            false
        }
    };
    if is_shape {
        it.vertex_count.get_or_insert(it.vertices.len() as u32 / 2);
    }
    if is_shape || it.kind == AttachmentType::Point {
        if is_nonessential {
            tint(&mut it.color, color_of(it.kind));
        }
    } else if !layout.has_flags() {
        tint(&mut it.color, WHITE);
    }
    if it.kind == AttachmentType::Region
        || is_nonessential && matches!(it.kind, AttachmentType::Mesh | AttachmentType::LinkedMesh)
    {
        fill(&mut it.width, 0.0);
        fill(&mut it.height, 0.0);
    }
    match it.kind {
        AttachmentType::Mesh if layout.has_flags() => {
            it.hull = (it.uvs.len() - 2 - it.triangles.len() / 3) as u32;
        }
        AttachmentType::LinkedMesh => {
            it.skin.get_or_insert_with(|| Text("default".into()));
            let has_timelines = Some(it.timelines.or(it.deform).unwrap_or(true));
            (it.timelines, it.deform) =
                if layout.has_sequences() { (has_timelines, None) } else { (None, has_timelines) };
        }
        AttachmentType::Path => {
            it.constant_speed.get_or_insert(true);
            let last = it.lengths.last().copied().unwrap_or_default();
            it.lengths.resize(it.vertex_count.unwrap_or(0) as usize / 3, last);
        }
        AttachmentType::Clipping => {
            it.end = it.end.take().or_else(|| last_slot.cloned());
        }
        AttachmentType::Region | AttachmentType::Mesh | AttachmentType::BoundingBox | AttachmentType::Point => {}
    }
}

fn event(event: &mut Event<'_>) {
    event.text.take_if(|text| text.as_str().is_empty());
    loudness(event.audio.is_some(), &mut event.volume, &mut event.balance);
}

fn loudness(has_audio: bool, volume: &mut Option<Number>, balance: &mut Option<Number>) {
    if has_audio {
        fill(volume, 1.0);
        fill(balance, 0.0);
    } else {
        (*volume, *balance) = (None, None);
    }
}

/// The curve of a key, as four numbers or more.
trait Curved: Key {
    fn set(&mut self, curve: Option<Curve>);
}

macro_rules! curved {
    ($($name:ty: $($more:ident)*;)*) => {$(
        impl Curved for $name {
            fn set(&mut self, curve: Option<Curve>) {
                self.curve = curve;
                $(self.$more = None;)*
            }
        }
    )*};
}

curved! {
    BoneKey: c2 c3 c4;
    ColorKey<'_>: c2 c3 c4;
    IkKey: c2 c3 c4;
    TransformKey: c2 c3 c4;
    PathKey: c2 c3 c4;
    DeformKey: c2 c3 c4;
    ValueKey: ;
}

/// Sorts keys, and changes each.
fn keys<K: Curved>(keys: &mut [K], mut change: impl FnMut(&mut K)) {
    sort(keys);
    let count = keys.len();
    for (index, key) in keys.iter_mut().enumerate() {
        let curve = match key.curve() {
            Some(Curve::First(c1)) => Some(Curve::Four(short_curve(*c1, key.more()))),
            None | Some(Curve::Linear) => None,
            Some(curve) => Some(curve.clone()),
        };
        key.set(curve.filter(|_| index + 1 < count));
        change(key);
    }
}

fn sort<K: Key>(keys: &mut [K]) {
    let sorted = Sorted::by_time(keys);
    if sorted.order.is_some() {
        keys.sort_by(|a, b| a.time().total_cmp(&b.time()));
    }
}

/// Removes the entries without keys.
fn retain<V: std::fmt::Debug + Default>(entries: &mut Entries<'_, V>) {
    let empty = format!("{:?}", V::default());
    entries.0.retain(|(_, entry)| format!("{entry:?}") != empty);
}

fn animation(it: &mut Animation<'_>, layout: Layout, events: &Entries<'_, Event<'_>>, slots: &[Text<'_>]) {
    retain(&mut it.slots);
    retain(&mut it.bones);
    retain(&mut it.ik);
    retain(&mut it.transform);
    retain(&mut it.path);
    retain(&mut it.physics);
    let is_four = layout.is_four();
    slot_timelines(it);
    bone_timelines(it, is_four);
    for (_, list) in &mut it.ik.0 {
        keys(list, |_| {});
    }
    for (_, list) in &mut it.transform.0 {
        keys(list, |key| mixes!(key, layout));
    }
    for (_, timelines) in &mut it.path.0 {
        let value = |key: &mut PathKey, value: Number| {
            if is_four {
                (key.value, key.position, key.spacing) = (Some(value), Number(0.0), Number(0.0));
            }
        };
        keys(&mut timelines.position, |key| value(key, key.value.unwrap_or(key.position)));
        keys(&mut timelines.spacing, |key| value(key, key.value.unwrap_or(key.spacing)));
        keys(&mut timelines.mix, |key| path_mixes!(key, layout));
    }
    for (_, timelines) in &mut it.physics.0 {
        for list in [
            &mut timelines.inertia,
            &mut timelines.strength,
            &mut timelines.damping,
            &mut timelines.mass,
            &mut timelines.wind,
            &mut timelines.gravity,
        ] {
            keys(list, |key| fill(&mut key.value, 0.0));
        }
        keys(&mut timelines.mix, |key| fill(&mut key.value, 1.0));
        sort(&mut timelines.reset);
    }
    deformed(it);
    sort(&mut it.draw_order);
    for key in &mut it.draw_order {
        key.offsets.sort_by_key(|offset| slots.iter().rposition(|slot| *slot == offset.slot));
    }
    sort(&mut it.events);
    it.events.iter_mut().for_each(|key| event_key(key, events));
}

fn slot_timelines(it: &mut Animation<'_>) {
    for (_, timelines) in &mut it.slots.0 {
        sort(&mut timelines.attachment);
        for list in [&mut timelines.color, &mut timelines.two_color, &mut timelines.rgba, &mut timelines.rgba2] {
            keys(list, |key| opaque(&mut key.dark));
        }
        for list in [&mut timelines.rgb, &mut timelines.rgb2] {
            keys(list, |key| [&mut key.color, &mut key.light, &mut key.dark].map(opaque).into_iter().collect());
        }
        keys(&mut timelines.alpha, |key| {
            let byte = (key.value.unwrap_or_default().0 * 255.0).round();
            key.value = Some(Number(byte.clamp(0.0, 255.0) / 255.0));
        });
    }
}

fn bone_timelines(it: &mut Animation<'_>, is_four: bool) {
    for (_, timelines) in &mut it.bones.0 {
        keys(&mut timelines.rotate, |key| {
            let value = Some(key.value.or(key.angle).unwrap_or_default());
            (key.value, key.angle) = if is_four { (value, None) } else { (None, value) };
        });
        for (list, default) in
            [(&mut timelines.translate, 0.0), (&mut timelines.scale, 1.0), (&mut timelines.shear, 0.0)]
        {
            keys(list, |key| {
                fill(&mut key.x, default);
                fill(&mut key.y, default);
            });
        }
        for (list, default) in [
            (&mut timelines.translatex, 0.0),
            (&mut timelines.translatey, 0.0),
            (&mut timelines.scalex, 1.0),
            (&mut timelines.scaley, 1.0),
            (&mut timelines.shearx, 0.0),
            (&mut timelines.sheary, 0.0),
        ] {
            keys(list, |key| fill(&mut key.value, default));
        }
        sort(&mut timelines.inherit);
    }
}

fn deformed(it: &mut Animation<'_>) {
    let deform = |list: &mut Vec<DeformKey>| {
        keys(list, |key| {
            if key.vertices.is_empty() {
                key.offset = 0;
            }
        });
    };
    for (_, slots) in &mut it.deform.0 {
        for (_, attachments) in &mut slots.0 {
            retain(attachments);
            attachments.0.iter_mut().for_each(|(_, list)| deform(list));
        }
        retain(slots);
    }
    retain(&mut it.deform);
    for (_, slots) in &mut it.attachments.0 {
        for (_, attachments) in &mut slots.0 {
            retain(attachments);
            for (_, AttachmentTimelines { deform: list, sequence }) in &mut attachments.0 {
                deform(list);
                sort(sequence);
                let mut delay = Number(0.0);
                for key in sequence {
                    delay = *key.delay.get_or_insert(delay);
                }
            }
        }
        retain(slots);
    }
    retain(&mut it.attachments);
}

fn event_key(key: &mut EventKey<'_>, events: &Entries<'_, Event<'_>>) {
    let (_, event) = events.0.iter().rfind(|(name, _)| *name == key.name).expect("the event");
    key.integer.get_or_insert(event.integer);
    key.number.get_or_insert(event.number);
    loudness(event.audio.is_some(), &mut key.volume, &mut key.balance);
}
