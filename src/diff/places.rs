//! Items that differ → their places in the files, by name.

use std::collections::HashMap;

use super::Diff;
use super::differences::{FilePlace, FoundIn, Named, Places};
use super::meshes::full_name;
use crate::formats::{ItemKind, StatedKey, Texts};
use crate::limits::Limits;

/// If the places in a file take more bytes, none are stated.
const MAX_BYTES: usize = 1 << 23;

impl Diff {
    /// Adds the places of the items in one of the files, unless the file is damaged or exceeds a limit. Items without a
    /// clear place in it, such as one of two attachments of a name, have none. `other`: those that only the other file has.
    pub(super) fn add_places(
        &mut self,
        texts: &Texts,
        limits: &Limits,
        other: FoundIn,
        side: impl Fn(&mut Places) -> &mut Option<FilePlace>,
    ) {
        let mut found: HashMap<(ItemKind, String), Vec<FilePlace>> =
            self.items().map(|(kind, named, ..)| ((kind, named.name.clone()), Vec::new())).collect();
        let mut bytes = 0;
        let listed = texts.for_each_item(limits, |kind, item| {
            let name = match (&item.skin, &item.attachment) {
                (Some(skin), Some(key)) => full_name(skin, &item.name, key),
                _ => item.name.to_string(),
            };
            if let Some(found) = found.get_mut(&(kind, name)).filter(|_| bytes <= MAX_BYTES) {
                let place = FilePlace::of(item);
                bytes += place.pointer.len() + size_of::<FilePlace>();
                found.push(place);
            }
        });
        if listed.is_err() || bytes > MAX_BYTES {
            return;
        }
        let here = self.items().filter(|(.., found_in, _)| *found_in != other);
        for (kind, Named { name, occurrence }, _, places) in here {
            let is_in_order = match kind {
                ItemKind::Animation | ItemKind::Bone | ItemKind::Event | ItemKind::Image | ItemKind::Slot => true,
                // Models may list these in another order than files.
                ItemKind::Constraint | ItemKind::Mesh | ItemKind::Skin => false,
            };
            let same = found.get(&(kind, name.clone())).map(Vec::as_slice).unwrap_or_default();
            let place = same.get(*occurrence as usize).filter(|_| is_in_order || same.len() == 1);
            *side(places) = place.cloned();
        }
    }

    /// All items that differ and have names in files.
    fn items(&mut self) -> impl Iterator<Item = (ItemKind, &Named, FoundIn, &mut Places)> {
        // Otherwise, the names of meshes are those of other formats.
        let is_alike = (self.a.skins == 0) == (self.b.skins == 0);
        let meshes = self.meshes.iter_mut().filter(move |_| is_alike);
        let meshes = meshes.map(|it| (ItemKind::Mesh, &it.named, it.found_in, &mut it.places));
        let images = self.images.iter_mut().map(|it| (ItemKind::Image, &it.named, it.found_in, &mut it.places));
        let bones = self.bones.iter_mut().map(|it| (ItemKind::Bone, &it.named, it.found_in, &mut it.places));
        let animations =
            self.animations.iter_mut().map(|it| (ItemKind::Animation, &it.named, it.found_in, &mut it.places));
        let others = [
            (ItemKind::Slot, &mut self.slots),
            (ItemKind::Skin, &mut self.skins),
            (ItemKind::Constraint, &mut self.constraints),
            (ItemKind::Event, &mut self.events),
        ];
        let others = others.into_iter().flat_map(|(kind, items)| {
            items.iter_mut().map(move |it| (kind, &it.named, it.found_in, &mut it.places))
        });
        images.chain(bones).chain(meshes).chain(animations).chain(others)
    }
}

impl FilePlace {
    /// The place of a key or an item.
    pub(super) fn of(key: &StatedKey<'_>) -> Self {
        Self {
            byte: key.byte,
            column: key.column,
            file: key.file.map(str::to_owned),
            line: key.line,
            pointer: key.pointer.clone().unwrap_or_default(),
            seconds: key.seconds,
        }
    }
}
