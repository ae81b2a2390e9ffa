//! Skins: their bones, constraints and attachments.

use super::{WHITE, Writer};
use crate::error::Result;
use crate::formats::json::text::escaped_key;
use crate::formats::spine::binary::reader::Kind;
use crate::formats::spine::build;
use crate::formats::spine::schema::{Skin, Text};

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
        for (_, list, names) in lists(&self.root.skins.list[index]) {
            for at in 0..names.len() {
                self.losses.default_skin.add(|| format!("/skins/{index}/{list}/{at}"));
            }
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
        for (kind, list, names) in lists(skin) {
            if kind != Kind::Physics || self.layout.has_flags() {
                self.all_named(kind, names, || format!("/skins/{index}/{list}"))?;
            }
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
                self.attachment(key.as_str(), attachment, &pointer)?;
            }
        }
        Ok(())
    }
}

/// The lists of a skin by kind.
fn lists<'s, 'a>(skin: &'s Skin<'a>) -> [(Kind, &'static str, &'s [Text<'a>]); 5] {
    [
        (Kind::Bone, "bones", &skin.bones),
        (Kind::Ik, "ik", &skin.ik),
        (Kind::Transform, "transform", &skin.transform),
        (Kind::Path, "path", &skin.path),
        (Kind::Physics, "physics", &skin.physics),
    ]
}
