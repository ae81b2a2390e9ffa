//! All keys of an animation, all attachments of a document.

use super::{Animation, Attachment, Keys, Root, Skins, Text};

/// Calls `$see` for the keys of every timeline that is not one of steps.
macro_rules! see_keys {
    ($animation:ident, $see:ident, $iter:ident $(, $mut:tt)?) => {
        $animation.bones.0.$iter().flat_map(|(_, it)| &$($mut)? it.list).for_each(&mut $see);
        $animation.slots.0.$iter().flat_map(|(_, it)| &$($mut)? it.list).for_each(&mut $see);
        $animation.constraints.$iter().flat_map(|it| &$($mut)? it.timelines.list).for_each(&mut $see);
        let slots = $animation.deform.0.$iter().flat_map(|(_, slots)| &$($mut)? slots.0);
        slots.flat_map(|(_, it)| &$($mut)? it.0).for_each(|(_, keys)| $see(&$($mut)? keys.0));
        let slots = $animation.attachments.0.$iter().flat_map(|(_, slots)| &$($mut)? slots.0);
        slots.flat_map(|(_, it)| &$($mut)? it.0).flat_map(|(_, it)| &$($mut)? it.list).for_each($see);
    };
}

/// Calls `see` for the keys of every timeline that is not one of steps.
pub fn for_each_keys<'a>(animation: &Animation<'a>, mut see: impl FnMut(&Keys<'a>)) {
    see_keys!(animation, see, iter);
}

/// Like [`for_each_keys`], to be changed.
pub fn for_each_keys_mut<'a>(animation: &mut Animation<'a>, mut see: impl FnMut(&mut Keys<'a>)) {
    see_keys!(animation, see, iter_mut, mut);
}

impl<'a> Skins<'a> {
    /// All attachments, with their slots and keys.
    pub fn attachments(&self) -> impl Iterator<Item = (&Text<'a>, &Text<'a>, &Attachment<'a>)> {
        let slots = self.list.iter().flat_map(|skin| &skin.attachments.0);
        slots.flat_map(|(slot, it)| it.0.iter().map(move |(key, attachment)| (slot, key, attachment)))
    }
}

/// All attachments, to be changed.
pub fn attachments<'r, 'a>(root: &'r mut Root<'a>) -> impl Iterator<Item = &'r mut Attachment<'a>> {
    let slots = root.skins.list.iter_mut().flat_map(|skin| &mut skin.attachments.0);
    slots.flat_map(|(_, attachments)| &mut attachments.0).map(|(_, attachment)| attachment)
}
