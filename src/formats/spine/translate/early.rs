//! Versions before 3.5 → 3.6: modes of inheritance, and an order of constraints.

use super::orders;
use crate::formats::spine::schema::{AttachmentType, Inherit, Property, Root, attachments};
use crate::formats::spine::version::Version;

/// Translates a document from before 3.5. Where a mode of inheritance only comes close, the bone has to be baked. Flips
/// stay, because they show when.
pub fn raise(root: &mut Root<'_>) {
    if !root.version.is_early() {
        return;
    }
    orders::number(root);
    for it in attachments(root).filter(|it| it.kind == AttachmentType::BoundingBox) {
        // Only later versions state it.
        it.vertex_count.get_or_insert(it.vertices.len() as u32 / 2);
    }
    for bone in &mut root.bones {
        let [rotation, scale] =
            [&mut bone.inherit_rotation, &mut bone.inherit_scale].map(|stated| stated.take().unwrap_or(true));
        bone.transform = match (rotation, scale) {
            (true, true) => None,
            (true, false) => Some(Inherit::NoScaleOrReflection),
            (false, true) => Some(Inherit::NoRotationOrReflection),
            (false, false) => Some(Inherit::OnlyTranslation),
        };
    }
    root.version = Version::Three(6);
}

/// Removes the flips of 2.1; the bones that need them have been baked.
pub fn remove_flips(root: &mut Root<'_>) {
    for bone in &mut root.bones {
        (bone.flip_x, bone.flip_y) = (false, false);
    }
    for (_, timelines) in root.animations.0.iter_mut().flat_map(|(_, it)| &mut it.bones.0) {
        timelines.list.retain(|keys| !matches!(keys.property, Property::FlipX | Property::FlipY));
    }
}
