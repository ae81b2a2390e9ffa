//! Skins and their attachments. Linked meshes are resolved once all skins are known.
//!
//! `stored` names what the file contains, `item` is one attachment of it, and `maker` makes the attachments of the model.

mod item;
mod maker;
mod mesh;
mod region;
mod stored;

use super::constraints::Order;
use super::pictures::Pictures;
use super::{Build, at, escaped_key, find, sequences};
use crate::diagnostics::Diagnostics;
use crate::error::{Result, escaped};
use crate::formats::spine::schema;
use crate::formats::{Input, Missing, ReadOptions};
use crate::model::{AttachmentId, BoneId, Skin, SkinEntry, SkinId, SlotId};

use item::{Item, Places};
use maker::Maker;

pub use stored::{
    MAX_SEARCHED, attachments_of, images_of, numbered_pictures_of, picture_name, pictures_of, skin_pointer,
};

/// The attachments of a file, by name.
pub struct Attached<'a> {
    /// Index by skin, slot and name.
    pub places: Places<'a>,
    /// Number of influences, by attachment; `None` if it has errors.
    pub influences: Vec<Option<usize>>,
    /// The names of the atlases, with their unused regions.
    pub unused_regions: Vec<(String, Vec<String>)>,
}

impl<'a> Build<'_, 'a, '_> {
    /// Adds every attachment and skin to the model and the rig.
    pub fn attachments(&mut self, input: &Input<'_>, options: &ReadOptions) -> Result<Attached<'a>> {
        let root = self.root;
        sequences::charge(root, self.budget)?;
        let numbered = numbered_pictures_of(root, MAX_SEARCHED);
        let wanted = pictures_of(root, &numbered);
        let (builder, images) = (&mut self.builder, images_of(root));
        let pictures = Pictures::find(input, options, images, &wanted, builder, self.budget, self.diagnostics)?;
        let items = self.items()?;
        let places: Places<'_> =
            items.iter().enumerate().map(|(index, item)| ((item.skin, item.slot, item.key), index)).collect();
        let Self { names, builder, rig, budget, diagnostics, .. } = &mut *self;
        let mut maker = Maker {
            items: &items,
            places: &places,
            names,
            pictures,
            builder,
            rig,
            budget,
            diagnostics,
            influences: Vec::with_capacity(items.len()),
        };
        (0..items.len()).try_for_each(|index| maker.add(index))?;
        (0..items.len()).try_for_each(|index| maker.add_sequence(index))?;
        let Maker { builder, pictures, diagnostics, influences, .. } = maker;
        let missing = options.missing.unwrap_or_else(|| pictures.missing());
        builder.hide_missing(missing == Missing::Hide);
        let unused_regions = pictures.report(missing, diagnostics);
        let links =
            items.iter().zip(&rig.timed_as).filter(|(item, source)| items[source.index()].slot != item.slot);
        rig.followers = links.map(|(item, &source)| (source, item.slot)).collect();
        rig.followers.sort_unstable();
        rig.followers.dedup();
        for slot in &mut rig.slots {
            slot.path_bones.sort_unstable();
            slot.path_bones.dedup();
        }
        self.skins(&items)?;
        self.setup(&places)?;
        Ok(Attached { places, influences, unused_regions })
    }

    /// Lists all attachments in file order, and numbers their names.
    fn items(&mut self) -> Result<Vec<Item<'a>>> {
        let root = self.root;
        let count = root.skins.attachments().count();
        let mut items = Vec::with_capacity(count);
        self.names.keys.reserve(count);
        for (skin, json) in (0..).zip(&root.skins.list) {
            for (slot, attachments) in &json.attachments.0 {
                let pointer = || format!("{}/{}", skin_pointer(root, skin), escaped_key(slot.as_str()));
                let Some(slot) = self.diagnostics.recover(find(&self.names.slots, slot, "slot", pointer))? else {
                    continue;
                };
                let slot = slot as u32;
                for (key, json) in &attachments.0 {
                    let count = self.names.keys.len() as u32;
                    self.names.keys.entry((slot, key.as_str())).or_insert(count);
                    items.push(Item { root, skin, slot, key: key.as_str(), json });
                }
            }
        }
        Ok(items)
    }

    /// Adds the skins to the model and the rig.
    fn skins(&mut self, items: &[Item<'_>]) -> Result<()> {
        let order = Order::of(self.root);
        let mut rest = items.iter().enumerate().peekable();
        for (index, skin) in (0..).zip(&self.root.skins.list) {
            let pointer = |list: &str, at: usize| format!("/skins/{index}/{list}/{at}");
            let mut bones = Vec::with_capacity(skin.bones.len());
            for (at, name) in skin.bones.iter().enumerate() {
                let bone = find(&self.names.bones, name, "bone", || pointer("bones", at));
                bones.extend(self.diagnostics.recover(bone)?.map(BoneId::new));
            }
            let mut constraints = Vec::new();
            for (kind, at, name) in skin.listed() {
                constraints.extend(self.diagnostics.recover(order.find(kind, name, || pointer(kind.name(), at)))?);
            }
            let mut entries = Vec::new();
            let mut keys = Vec::new();
            while let Some((at, item)) = rest.next_if(|(_, item)| item.skin == index) {
                let attachment = AttachmentId::new(at);
                entries.push(SkinEntry {
                    slot: SlotId::new(item.slot as usize),
                    key: item.key.into(),
                    attachment,
                });
                keys.extend(self.names.keys.get(&(item.slot, item.key)).map(|&key| (key, attachment)));
            }
            self.rig.skins.push(crate::motion::spine::Skin { entries: keys, bones: bones.clone(), constraints });
            let color = skin.color.as_ref().and_then(schema::Color::valid);
            self.builder.skin(Skin { name: skin.name.as_str().into(), entries, bones, color })?;
        }
        self.rig.default_skin = self.names.skins.get("default").map(|&skin| SkinId::new(skin as usize));
        Ok(())
    }

    /// Sets the setup pose's attachments. A name that only some skins have is valid.
    fn setup(&mut self, places: &Places<'_>) -> Result<()> {
        let default = self.names.skins.get("default").copied();
        for (index, slot) in (0..).zip(&self.root.slots) {
            let Some(name) = &slot.attachment else { continue };
            let key = self.names.keys.get(&(index, name.as_str())).copied();
            if key.is_none() {
                warn_unknown_key(name, format!("/slots/{index}/attachment"), self.diagnostics);
            }
            self.rig.slots[index as usize].key = key;
            let shown = default.and_then(|skin| places.get(&(skin, index, name.as_str())));
            if let Some(&shown) = shown {
                self.builder.show(SlotId::new(index as usize), AttachmentId::new(shown))?;
            }
        }
        Ok(())
    }
}

/// Warns of an attachment name that no skin has. Some programs write an empty one for none.
pub fn warn_unknown_key(name: &schema::Text<'_>, pointer: String, diagnostics: &mut Diagnostics) {
    if name.as_str().is_empty() {
        return;
    }
    let message = format!("no skin has an attachment `{}` in this slot; nothing is drawn", escaped(name.as_str()));
    diagnostics.warn("unknown-attachment", at(pointer), message);
}
