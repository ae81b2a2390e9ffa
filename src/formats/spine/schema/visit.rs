//! All keys of an animation, all attachments of a document.

use super::{Animation, Attachment, Keys, Root};

/// Calls `see` for the keys of every timeline that is not one of steps.
pub fn for_each_keys<'a>(animation: &mut Animation<'a>, mut see: impl FnMut(&mut Keys<'a>)) {
    animation.bones.0.iter_mut().flat_map(|(_, it)| &mut it.list).for_each(&mut see);
    animation.slots.0.iter_mut().flat_map(|(_, it)| &mut it.list).for_each(&mut see);
    animation.constraints.iter_mut().flat_map(|it| &mut it.timelines.list).for_each(&mut see);
    let slots = animation.deform.0.iter_mut().flat_map(|(_, slots)| &mut slots.0);
    slots.flat_map(|(_, attachments)| &mut attachments.0).for_each(|(_, keys)| see(&mut keys.0));
    let slots = animation.attachments.0.iter_mut().flat_map(|(_, slots)| &mut slots.0);
    slots.flat_map(|(_, attachments)| &mut attachments.0).flat_map(|(_, it)| &mut it.list).for_each(see);
}

/// All attachments.
pub fn attachments<'r, 'a>(root: &'r mut Root<'a>) -> impl Iterator<Item = &'r mut Attachment<'a>> {
    let slots = root.skins.list.iter_mut().flat_map(|skin| &mut skin.attachments.0);
    slots.flat_map(|(_, attachments)| &mut attachments.0).map(|(_, attachment)| attachment)
}
