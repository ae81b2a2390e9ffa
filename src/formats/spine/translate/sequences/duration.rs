//! The duration of an animation of a document.

use crate::formats::spine::schema;

/// Returns the time of the last key of an animation, at least 0.
pub fn duration(animation: &schema::Animation<'_>) -> f32 {
    let mut last = 0.0f32;
    macro_rules! see {
        ($($keys:expr),* $(,)?) => {$(
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
    let deform = animation.deform.0.iter().chain(animation.ffd.iter().flat_map(|ffd| &ffd.0));
    for (_, keys) in deform.flat_map(|(_, slots)| &slots.0).flat_map(|(_, attachments)| &attachments.0) {
        see!(keys);
    }
    let attachments = animation.attachments.0.iter().flat_map(|(_, slots)| &slots.0);
    for (_, it) in attachments.flat_map(|(_, attachments)| &attachments.0) {
        see!(it.deform, it.sequence);
    }
    see!(animation.events, animation.draw_order);
    last
}
