//! Skins: their bones, constraints and attachments.

use super::{WHITE, Writer};
use crate::error::Result;
use crate::formats::json::text::escaped_key;
use crate::formats::spine::binary::reader::Kind;
use crate::formats::spine::build;
use crate::formats::spine::schema::Skin;

impl<'r> Writer<'r, '_> {
    /// The default skin, which has no name, and the others.
    pub fn all_skins(&mut self) -> Result<()> {
        let skins = &self.root.skins.list;
        match self.skins.default {
            Some(default) => self.skin_attachments(default)?,
            None => self.file.u8(0),
        }
        self.drop_default_lists();
        self.file.count(self.skins.others.len())?;
        for at in 0..self.skins.others.len() {
            let index = self.skins.others[at];
            self.skin(index, &skins[index])?;
        }
        Ok(())
    }

    /// Reports bones and constraints of a default skin.
    fn drop_default_lists(&mut self) {
        let Some(index) = self.skins.nameless else { return };
        let skin = &self.root.skins.list[index];
        for at in 0..skin.bones.len() {
            self.losses.default_skin.add(|| format!("/skins/{index}/bones/{at}"));
        }
        for (kind, at, _) in skin.listed() {
            self.losses.default_skin.add(|| format!("/skins/{index}/{}/{at}", kind.name()));
        }
    }

    fn skin(&mut self, index: usize, skin: &'r Skin<'_>) -> Result<()> {
        if self.layout.has_flags() {
            self.file.string(Some(skin.name.as_str()))?;
            if self.is_nonessential {
                self.editor_color(skin.color.as_ref(), WHITE);
            }
        } else {
            self.shared(Some(skin.name.as_str()));
        }
        self.all_named(Kind::Bone, &skin.bones, || format!("/skins/{index}/bones"))?;
        if self.layout.has_one_list() {
            self.file.count(skin.constraints.len())?;
            for (kind, at, name) in skin.listed() {
                self.named(Kind::Constraint(kind), name, || format!("/skins/{index}/{}/{at}", kind.name()))?;
            }
            return self.skin_attachments(index);
        }
        for kind in self.layout.binary_kinds() {
            let names = skin.listed().filter(|(of, ..)| *of == kind).map(|(.., name)| name);
            self.all_named(Kind::Constraint(kind), names, || format!("/skins/{index}/{}", kind.name()))?;
        }
        self.skin_attachments(index)
    }

    /// The attachments of a skin by slot and name.
    fn skin_attachments(&mut self, skin: usize) -> Result<()> {
        let root = self.root;
        let slots = &root.skins.list[skin].attachments.0;
        self.file.count(slots.len())?;
        for (slot, attachments) in slots {
            let folder = || format!("{}/{}", build::skin_pointer(root, skin as u32), escaped_key(slot.as_str()));
            self.named(Kind::Slot, slot, folder)?;
            self.file.count(attachments.0.len())?;
            for (key, attachment) in &attachments.0 {
                self.shared(Some(key.as_str()));
                let pointer = || format!("{}/{}", folder(), escaped_key(key.as_str()));
                let at = [root.skins.list[skin].name.as_str(), slot.as_str(), key.as_str()];
                self.attachment(at, attachment, &pointer)?;
            }
        }
        Ok(())
    }
}
