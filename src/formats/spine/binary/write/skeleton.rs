//! The head with the shared strings, bones and slots.

use super::Writer;
use super::nonessential::{BONE_COLOR, FPS};
use crate::error::{Error, Result};
use crate::formats::detect;
use crate::formats::spine::binary::hash;
use crate::formats::spine::binary::layout::Layout;
use crate::formats::spine::binary::reader::Kind;
use crate::formats::spine::build;
use crate::formats::spine::schema::{Bone, Number, Skeleton, Text};
use crate::formats::spine::version::Version;

/// Pixels per unit of physics.
const REFERENCE_SCALE: f32 = 100.0;

impl<'r> Writer<'r, '_> {
    pub fn head(&mut self) -> Result<()> {
        let none = Skeleton::default();
        let skeleton = self.root.skeleton.as_ref().unwrap_or(&none);
        let hash = skeleton.hash.as_ref().map(Text::as_str);
        if self.layout.is_four() {
            self.file.bytes.extend(hash.map_or([0; 8], hash::bytes));
        } else {
            self.file.string(hash)?;
        }
        self.file.string(Some(version(skeleton.spine.as_ref().map(Text::as_str), self.layout)))?;
        for number in [skeleton.x, skeleton.y, skeleton.width, skeleton.height] {
            self.file.number(number);
        }
        if self.layout.has_flags() {
            self.file.number(skeleton.reference_scale.unwrap_or(Number(REFERENCE_SCALE)));
        }
        self.file.bool(self.is_nonessential);
        if self.is_nonessential {
            self.file.number(skeleton.fps.unwrap_or(Number(FPS)));
            self.file.string(skeleton.images.as_ref().map(Text::as_str))?;
            self.file.string(skeleton.audio.as_ref().map(Text::as_str))?;
        }
        self.file.count(self.strings.list.len())?;
        for string in &self.strings.list {
            self.file.string(Some(string))?;
        }
        Ok(())
    }

    pub fn bones(&mut self) -> Result<()> {
        let bones = &self.root.bones;
        self.file.count(bones.len())?;
        for (index, bone) in bones.iter().enumerate() {
            self.bone(index, bone)?;
        }
        Ok(())
    }

    fn bone(&mut self, index: usize, bone: &Bone<'_>) -> Result<()> {
        self.file.string(Some(bone.name.as_str()))?;
        let parent = build::parent_of(self.root, index, self.names.all(Kind::Bone))?;
        match parent {
            Some(parent) => self.file.varint(parent as u32),
            None if index == 0 => {}
            None => {
                let message = "a binary skeleton has only one bone without a parent: the first";
                return Err(Error::unsupported("bad-parent", build::at(format!("/bones/{index}")), message));
            }
        }
        self.file.numbers(&[
            bone.rotation,
            bone.x,
            bone.y,
            bone.scale_x,
            bone.scale_y,
            bone.shear_x,
            bone.shear_y,
        ]);
        let has_one_list = self.layout.has_one_list();
        if !has_one_list {
            self.file.number(bone.length);
        }
        self.file.u8(bone.inherits() as u8);
        if has_one_list {
            self.file.number(bone.length);
        }
        self.file.bool(bone.skin);
        if self.is_nonessential {
            self.editor_color(bone.color.as_ref(), BONE_COLOR);
            if self.layout.has_flags() {
                self.file.string(bone.icon.as_ref().map(Text::as_str))?;
                if has_one_list {
                    self.file.number(bone.icon_size.unwrap_or(Number(1.0)));
                    self.file.number(bone.icon_rotation.unwrap_or_default());
                }
                self.file.bool(bone.visible);
            }
        }
        Ok(())
    }

    pub fn slots(&mut self) -> Result<()> {
        let slots = &self.root.slots;
        self.file.count(slots.len())?;
        for (index, slot) in slots.iter().enumerate() {
            let pointer = |field: &str| format!("/slots/{index}/{field}");
            self.file.string(Some(slot.name.as_str()))?;
            self.named(Kind::Bone, &slot.bone, || pointer("bone"))?;
            self.color(slot.color.as_ref(), || pointer("color"))?;
            match &slot.dark {
                Some(dark) => self.file.dark(build::channels(dark, || pointer("dark"))?),
                // No colour.
                None => self.file.i32(-1),
            }
            self.shared(slot.attachment.as_ref().map(Text::as_str));
            self.file.u8(slot.blend as u8);
            if self.is_nonessential && self.layout.has_flags() {
                self.file.bool(slot.visible);
            }
        }
        Ok(())
    }
}

/// The stated version, or one of the layout if the stated one is missing or belongs to another layout.
pub fn version(stated: Option<&str>, layout: Layout) -> &str {
    let is_own =
        |text: &&str| detect::spine::is_version(text) && Version::parse(text).and_then(Layout::of) == Some(layout);
    stated.filter(is_own).unwrap_or(layout.row().release)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_version_is_that_of_the_layout() {
        assert_eq!(version(Some("3.8-from-4.0.64"), Layout::V3_8), "3.8-from-4.0.64");
        assert_eq!(version(Some("4.2.1-beta"), Layout::V4_2), "4.2.1-beta");
        for stated in [None, Some(""), Some("4.1.17"), Some("3.8"), Some(" 4.2.1"), Some("4.4.0")] {
            assert_eq!(version(stated, Layout::V4_2), "4.2.43", "{stated:?}");
        }
    }
}
