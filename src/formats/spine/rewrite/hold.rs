//! Keeps the durations of animations: an animation lasts until its last key.

use crate::formats::spine::schema::{Animation, BoneKey, Number, Root};

/// The time of the last key of each animation.
pub fn durations(root: &Root<'_>) -> Vec<f32> {
    root.animations.0.iter().map(|(_, animation)| duration(animation)).collect()
}

/// Adds a key that changes nothing to each animation that has become shorter than its entry in `durations`.
pub fn hold(root: &mut Root<'_>, durations: &[f32]) {
    let is_four = root.version.is_four();
    let Some(bone) = root.bones.first().map(|bone| bone.name.clone()) else { return };
    for ((_, animation), &end) in root.animations.0.iter_mut().zip(durations) {
        if duration(animation) >= end {
            continue;
        }
        let at = animation.bones.0.iter().position(|(name, _)| *name == bone).unwrap_or_else(|| {
            animation.bones.0.push((bone.clone(), Default::default()));
            animation.bones.0.len() - 1
        });
        let keys = &mut animation.bones.0[at].1.rotate;
        let last = keys.iter().max_by(|a, b| a.time.0.total_cmp(&b.time.0));
        let value = last.and_then(|key| key.value.or(key.angle)).unwrap_or_default();
        let (value, angle) = if is_four { (Some(value), None) } else { (None, Some(value)) };
        keys.push(BoneKey { time: Number(end), value, angle, ..BoneKey::default() });
    }
}

fn duration(animation: &Animation<'_>) -> f32 {
    let mut last = 0.0_f32;
    macro_rules! see {
        ($($keys:expr),*) => {$(
            last = $keys.iter().map(|key| key.time.0).fold(last, f32::max);
        )*};
    }
    for (_, it) in &animation.bones.0 {
        see!(it.rotate, it.translate, it.translatex, it.translatey, it.scale, it.scalex, it.scaley);
        see!(it.shear, it.shearx, it.sheary, it.inherit);
    }
    for (_, it) in &animation.slots.0 {
        see!(it.attachment, it.color, it.two_color, it.rgba, it.rgb, it.alpha, it.rgba2, it.rgb2);
    }
    for (_, keys) in &animation.ik.0 {
        see!(keys);
    }
    for (_, keys) in &animation.transform.0 {
        see!(keys);
    }
    for (_, it) in &animation.path.0 {
        see!(it.position, it.spacing, it.mix);
    }
    for (_, it) in &animation.physics.0 {
        see!(it.inertia, it.strength, it.damping, it.mass, it.wind, it.gravity, it.mix, it.reset);
    }
    for (_, keys) in animation.deform.0.iter().flat_map(|(_, slots)| &slots.0).flat_map(|(_, it)| &it.0) {
        see!(keys);
    }
    let attachments = animation.attachments.0.iter().flat_map(|(_, slots)| &slots.0);
    for (_, it) in attachments.flat_map(|(_, attachments)| &attachments.0) {
        see!(it.deform, it.sequence);
    }
    see!(animation.events, animation.draw_order);
    last
}
