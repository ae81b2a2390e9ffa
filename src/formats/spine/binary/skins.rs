//! Skins: their bones, constraints and attachments.

use super::attachments::MIN_ATTACHMENT;
use super::reader::{Kind, Reader, text};
use super::trace::MaybeTrace;
use crate::error::{Error, Result};
use crate::formats::spine::schema::{Attachments, Skin, Skins};

/// The name of the skin that is always shown.
pub const DEFAULT: &str = "default";

/// Minimum size of a skin and of a slot in bytes.
const MIN_SKIN: usize = 2;
const MIN_SLOT: usize = 2;

impl<'a, T: MaybeTrace<'a>> Reader<'a, '_, T> {
    pub fn skins(&mut self) -> Result<Skins<'a>> {
        self.file.enter("skins");
        let mut list = Vec::new();
        // Without slots there is no default skin.
        if self.file.next_is([0]) {
            self.file.u8("")?;
        } else {
            self.file.enter_item(0);
            self.names.of(Kind::Skin).push(DEFAULT);
            list.push(Skin { name: text(DEFAULT), attachments: self.attachments(0)?, ..Skin::default() });
            self.file.leave();
        }
        let first = list.len();
        let count = self.file.count::<Skin<'_>>("", MIN_SKIN)?;
        list.reserve_exact(count);
        for index in first..first + count {
            self.file.enter_item(index);
            list.push(self.skin(index)?);
            self.file.leave();
        }
        self.file.leave();
        for link in std::mem::take(&mut self.links) {
            let names = self.names.of(Kind::Skin);
            let Some(name) = names.get(link.skin as usize) else {
                let message =
                    format!("skin {} does not exist; the skeleton has {}, counted from 0", link.skin, names.len());
                return Err(Error::malformed("missing-name", link.place, message));
            };
            let [skin, slot, attachment] = link.mesh;
            list[skin].attachments.0[slot].1.0[attachment].1.skin = Some(text(name));
        }
        Ok(Skins { list, is_object: false })
    }

    /// A skin other than the default one.
    fn skin(&mut self, index: usize) -> Result<Skin<'a>> {
        let name = if self.layout.has_flags() { self.file.name("name")? } else { self.shared_name("name")? };
        self.names.of(Kind::Skin).push(name);
        let color = match self.layout.has_flags() && self.is_nonessential {
            true => Some(self.file.color("color")?),
            false => None,
        };
        let mut skin = Skin { name: text(name), color, ..Skin::default() };
        if self.layout.has_shared_strings() {
            skin.bones = self.all_named(Kind::Bone, "bones")?;
        }
        if self.layout.has_one_list() {
            skin.constraints = self.listed_constraints()?;
        } else if self.layout.has_shared_strings() {
            for kind in self.layout.binary_kinds() {
                let names = self.all_named(Kind::Constraint(kind), kind.name())?;
                skin.constraints.extend(names.into_iter().map(|name| (kind, name)));
            }
        }
        skin.attachments = self.attachments(index)?;
        Ok(skin)
    }

    /// The attachments of a skin by slot and name.
    fn attachments(&mut self, skin: usize) -> Result<Attachments<'a>> {
        let mut slot = 0;
        let named = |reader: &mut Self| reader.named(Kind::Slot, "");
        self.entries("attachments", MIN_SLOT, named, |reader, name| {
            let mut attachment = 0;
            let key = |reader: &mut Self| reader.shared_name("");
            let attachments = reader.bare_entries(MIN_ATTACHMENT, key, |reader, _| {
                let read = reader.attachment([skin, slot, attachment], name);
                attachment += 1;
                read
            });
            slot += 1;
            attachments
        })
    }
}
