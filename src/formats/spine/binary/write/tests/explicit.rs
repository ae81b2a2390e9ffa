//! Documents with all defaults made explicit, as binaries have them.

#[cfg(test)]
use super::super::super::hash;
use super::super::super::layout::Layout;
use super::super::super::mass;
use super::super::WHITE;
use super::super::nonessential::{BONE_COLOR, FPS, color_of};
use super::super::skeleton;
use crate::formats::spine::schema::{
    Animation, Attachment, AttachmentType, Color, Constraint, Curve, DrawOrderKey, Entries, Event, EventKey, Key,
    Keys, Number, PROPERTIES, Physics, Property, Root, SWITCHES, Skin, Slider, Text, Timed, Transform, TypeName,
    Value, attachments, for_each_keys_mut,
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
        bone.icon_size.take_if(|size| *size == Number(1.0));
        bone.icon_rotation.take_if(|rotation| *rotation == Number(0.0));
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

/// Removes what only nonessential data has, except from the head.
pub fn essential(root: &mut Root<'_>) {
    for bone in &mut root.bones {
        (bone.color, bone.icon, bone.icon_size, bone.icon_rotation) = (None, None, None, None);
        bone.visible = true;
    }
    root.slots.iter_mut().for_each(|slot| slot.visible = true);
    root.skins.list.iter_mut().for_each(|skin| skin.color = None);
    root.animations.0.iter_mut().for_each(|(_, animation)| animation.color = None);
    for it in root.all_mut::<Slider<'_>>() {
        it.driver.iter_mut().for_each(|driver| driver.max = None);
    }
    for it in attachments(root) {
        it.edges.clear();
        match it.kind {
            AttachmentType::Region => {}
            AttachmentType::Mesh | AttachmentType::LinkedMesh => (it.width, it.height) = (None, None),
            AttachmentType::BoundingBox
            | AttachmentType::Path
            | AttachmentType::Point
            | AttachmentType::Clipping => it.color = None,
        }
    }
}

fn fill(number: &mut Option<Number>, default: f32) {
    number.get_or_insert(Number(default));
}

/// Replaces a missing or invalid colour.
fn tint(color: &mut Option<Color<'_>>, default: [u8; 4]) {
    *color = Some(Color::Rgba(color.as_ref().and_then(Color::valid).unwrap_or(default)));
}

/// Removes the alpha of a colour that has none.
fn opaque(color: &mut Option<Color<'_>>) {
    if let Some([r, g, b, _]) = color.as_ref().and_then(Color::valid) {
        *color = Some(Color::Rgba([r, g, b, u8::MAX]));
    }
}

fn constraints(root: &mut Root<'_>, layout: Layout) {
    let stated: Vec<_> = root.all::<Transform<'_>>().map(Transform::stated_mixes).collect();
    root.restate_mixes(layout.is_four());
    if layout >= Layout::V4_3 {
        for (it, stated) in root.all_mut::<Transform<'_>>().zip(stated) {
            let fields = [
                &mut it.mix_rotate,
                &mut it.mix_x,
                &mut it.mix_y,
                &mut it.mix_scale_x,
                &mut it.mix_scale_y,
                &mut it.mix_shear_y,
            ];
            let links = it.links.get_or_insert_default();
            // Others have been reported when they were read.
            let is_known = |name: &Text<'_>| PROPERTIES.contains(&name.as_str());
            links.properties.0.retain(|(name, _)| is_known(name));
            links.properties.0.iter_mut().for_each(|(_, from)| from.to.0.retain(|(name, _)| is_known(name)));
            for ((field, name), stated) in fields.into_iter().zip(PROPERTIES).zip(stated) {
                if !links.drives(name) {
                    *field = stated.filter(|mix| mix.0 != 0.0);
                }
            }
        }
        root.constraints.sort_by_key(Constraint::order);
    }
    for it in root.all_mut::<Slider<'_>>() {
        if let Some(driver) = &mut it.driver {
            driver.max.take_if(|max| *max == Number(0.0));
            it.time = Number(0.0);
        }
    }
    for it in root.all_mut::<Physics<'_>>() {
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
    it.called = TypeName::default();
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

/// Sorts keys, and makes each explicit.
fn keys(keys: &mut Keys<'_>, layout: Layout) {
    keys.sort();
    for Key { curve, .. } in &mut keys.list {
        if let Curve::Shares(handles) = *curve {
            *curve = Curve::Four(handles);
        }
    }
    for at in 0..keys.len() {
        if keys.property == Property::Deform {
            let (offset, vertices) = keys.deform(at);
            let offset = if vertices.is_empty() { Value::Missing } else { Value::Count(offset) };
            keys.fields_mut(at)[0] = offset;
            continue;
        }
        let mut values = keys.get(at);
        if keys.property == Property::Alpha {
            values[0] = (values[0] * 255.0).round().clamp(0.0, 255.0) / 255.0;
        }
        keys.set(at, &values, layout.is_four());
        if keys.property == Property::Ik {
            let switches = keys.switches(at);
            keys.fields_mut(at)[SWITCHES].copy_from_slice(&switches.map(Value::Switch));
        }
    }
}

fn sort<K: Timed>(keys: &mut [K]) {
    keys.sort_by(|a, b| a.time().total_cmp(&b.time()));
}

/// Removes the entries without keys.
fn retain<V: std::fmt::Debug + Default>(entries: &mut Entries<'_, V>) {
    let empty = format!("{:?}", V::default());
    entries.0.retain(|(_, entry)| format!("{entry:?}") != empty);
}

fn animation(it: &mut Animation<'_>, layout: Layout, events: &Entries<'_, Event<'_>>, slots: &[Text<'_>]) {
    for_each_keys_mut(it, |list| keys(list, layout));
    retain(&mut it.slots);
    retain(&mut it.bones);
    it.constraints.retain(|it| !it.timelines.is_empty());
    for (_, timelines) in &mut it.slots.0 {
        timelines.list.retain(|keys| !keys.is_empty());
        sort(&mut timelines.steps);
    }
    for (_, timelines) in &mut it.bones.0 {
        timelines.list.retain(|keys| !keys.is_empty());
        sort(&mut timelines.steps);
    }
    it.constraints.iter_mut().for_each(|it| sort(&mut it.timelines.steps));
    deformed(it);
    draw_order(&mut it.draw_order, slots);
    it.folders.retain(|folder| !folder.keys.is_empty());
    it.folders.iter_mut().for_each(|folder| draw_order(&mut folder.keys, &folder.slots));
    it.color.take_if(|color| color.valid() == Some(WHITE));
    sort(&mut it.events);
    it.events.iter_mut().for_each(|key| event_key(key, events));
}

fn draw_order(keys: &mut [DrawOrderKey<'_>], slots: &[Text<'_>]) {
    sort(keys);
    for key in keys {
        key.offsets.sort_by_key(|offset| slots.iter().rposition(|slot| *slot == offset.slot));
    }
}

fn deformed(it: &mut Animation<'_>) {
    for (_, slots) in &mut it.deform.0 {
        slots.0.iter_mut().for_each(|(_, attachments)| retain(attachments));
        retain(slots);
    }
    retain(&mut it.deform);
    for (_, slots) in &mut it.attachments.0 {
        for (_, attachments) in &mut slots.0 {
            retain(attachments);
            for (_, timelines) in &mut attachments.0 {
                sort(&mut timelines.steps);
                let mut delay = Number(0.0);
                for key in &mut timelines.steps {
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
