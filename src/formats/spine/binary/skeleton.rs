//! The head, the shared strings, bones, slots and events.

use super::hash;
use super::reader::{Kind, Reader, text};
use super::trace::MaybeTrace;
use crate::error::Result;
use crate::formats::spine::schema::{Blend, Bone, Entries, Event, Inherit, Number, Root, Skeleton, Slot, Text};

/// What a bone inherits, by number.
pub const INHERITS: [Inherit; 5] = [
    Inherit::Normal,
    Inherit::OnlyTranslation,
    Inherit::NoRotationOrReflection,
    Inherit::NoScale,
    Inherit::NoScaleOrReflection,
];

const BLENDS: [Blend; 4] = [Blend::Normal, Blend::Additive, Blend::Multiply, Blend::Screen];

/// Minimum sizes in bytes: the first before 3.2, and before 3.6.
const MIN_BONE: [usize; 2] = [27, 34];
const MIN_SLOT: [usize; 2] = [8, 12];
const MIN_EVENT: usize = 7;

impl<'a, T: MaybeTrace<'a>> Reader<'a, '_, T> {
    /// Reads the whole file.
    pub fn read(&mut self) -> Result<Root<'a>> {
        let skeleton = Some(self.head()?);
        if self.layout.has_shared_strings() {
            self.strings = self.list("strings", 1, |reader, _| reader.file.string(""))?;
        }
        let bones = self.list("bones", MIN_BONE[usize::from(self.layout.has_shear())], Self::bone)?;
        let constraints = if self.layout.has_paths() { None } else { Some(self.constraints()?) };
        let min_slot = MIN_SLOT[usize::from(self.layout.has_clipping())];
        let slots = self.list("slots", min_slot, |reader, _| reader.slot())?;
        let mut constraints = constraints.map_or_else(|| self.constraints(), Ok)?;
        let skins = self.skins()?;
        let events = self.events()?;
        let animations = self.animations()?;
        self.slider_animations(&mut constraints)?;
        Ok(Root { skeleton, bones, slots, constraints, skins, events, animations, version: self.layout.version() })
    }

    fn head(&mut self) -> Result<Skeleton<'a>> {
        self.file.enter("skeleton");
        let hash = if self.layout.is_four() {
            hash::text(self.file.bytes("hash")?).map(|hash| Text(hash.into()))
        } else {
            self.file.string("hash")?.map(text)
        };
        let start = self.file.offset();
        let version = self.file.name("spine")?;
        if !crate::formats::detect::spine::is_version(version) {
            let message = format!("`{}` is not a version such as 4.2.43", crate::error::escaped(version));
            return Err(self.file.fault("skel-value", "spine", start, message));
        }
        let mut skeleton = Skeleton { hash, spine: Some(text(version)), ..Skeleton::default() };
        if self.layout.has_shared_strings() {
            skeleton.x = self.file.number("x")?;
            skeleton.y = self.file.number("y")?;
        }
        skeleton.width = self.file.number("width")?;
        skeleton.height = self.file.number("height")?;
        if self.layout.has_flags() {
            skeleton.reference_scale = Some(self.file.number("referenceScale")?);
        }
        self.is_nonessential = self.file.bool("nonessential")?;
        if self.is_nonessential {
            if self.layout.has_orders() {
                skeleton.fps = Some(self.file.number("fps")?);
            }
            skeleton.images = self.file.string("images")?.map(text);
            if self.layout.has_audio() {
                skeleton.audio = self.file.string("audio")?.map(text);
            }
        }
        self.file.leave();
        Ok(skeleton)
    }

    fn bone(&mut self, index: usize) -> Result<Bone<'a>> {
        let name = self.file.name("name")?;
        let parent = if index > 0 || self.layout.has_flips() { self.parent(index)? } else { None };
        self.names.of(Kind::Bone).push(name);
        let (has_flips, has_shear) = (self.layout.has_flips(), self.layout.has_shear());
        let turned = self.number_if(has_shear, "rotation", 0.0)?;
        let [x, y, scale_x, scale_y] = self.file.each_number(["x", "y", "scaleX", "scaleY"])?;
        let rotation = self.number_if(!has_shear, "rotation", turned.0)?;
        let shear_x = self.number_if(has_shear, "shearX", 0.0)?;
        let shear_y = self.number_if(has_shear, "shearY", 0.0)?;
        let has_one_list = self.layout.has_one_list();
        let mut length = self.number_if(!has_one_list, "length", 0.0)?;
        let flip_x = has_flips && self.file.bool("flipX")?;
        let flip_y = has_flips && self.file.bool("flipY")?;
        let (mut transform, mut inherit) = (None, None);
        let [mut inherit_rotation, mut inherit_scale] = [None; 2];
        if self.layout.has_flags() {
            inherit = Some(self.chosen(&INHERITS, "inherit")?);
            length = self.number_if(has_one_list, "length", length.0)?;
        } else if self.layout.has_orders() {
            transform = Some(self.chosen(&INHERITS, "transform")?);
        } else if has_shear {
            inherit_rotation = Some(self.file.bool("inheritRotation")?);
            inherit_scale = Some(self.file.bool("inheritScale")?);
        } else {
            inherit_scale = Some(self.file.bool("inheritScale")?);
            inherit_rotation = Some(self.file.bool("inheritRotation")?);
        }
        let mut bone = Bone {
            parent,
            length,
            transform,
            inherit,
            inherit_rotation,
            inherit_scale,
            flip_x,
            flip_y,
            skin: self.layout.has_shared_strings() && self.file.bool("skin")?,
            x,
            y,
            rotation,
            scale_x,
            scale_y,
            shear_x,
            shear_y,
            ..Bone::plain(text(name))
        };
        if self.is_nonessential {
            bone.color = Some(self.file.color("color")?);
            if self.layout.has_flags() {
                bone.icon = self.file.string("icon")?.map(text);
                if self.layout.has_one_list() {
                    let [size, rotation] = self.file.each_number(["iconSize", "iconRotation"])?;
                    bone.icon_size = Some(size).filter(|size| *size != Number(1.0));
                    bone.icon_rotation = Some(rotation).filter(|rotation| *rotation != Number(0.0));
                }
                bone.visible = self.file.bool("visible")?;
            }
        }
        Ok(bone)
    }

    /// The parent; in 2.1, 0 stands for none, and parents are counted from 1.
    fn parent(&mut self, index: usize) -> Result<Option<Text<'a>>> {
        let start = self.file.offset();
        let stated = self.file.varint("parent")?;
        let parent = if self.layout.has_flips() { stated.checked_sub(1) } else { Some(stated) };
        let Some(parent) = parent else { return Ok(None) };
        match self.names.of(Kind::Bone).get(parent as usize) {
            Some(name) => Ok(Some(text(name))),
            None => {
                let message = format!(
                    "bone {parent} cannot be the parent of bone {index}: a parent must come before its children"
                );
                Err(self.file.fault("bad-parent", "parent", start, message))
            }
        }
    }

    fn slot(&mut self) -> Result<Slot<'a>> {
        let name = self.file.name("name")?;
        self.names.of(Kind::Slot).push(name);
        let bone = self.named_text(Kind::Bone, "bone")?;
        let color = Some(self.file.color("color")?);
        // -1 means none.
        let is_given = !self.file.next_is([0xff; 4]);
        let dark = match self.layout.has_clipping() {
            true => Some(self.file.dark_color("dark")?).filter(|_| is_given),
            false => None,
        };
        let attachment = self.shared("attachment")?.map(text);
        let is_switch = self.layout.has_flips();
        let blend = if is_switch { Blend::Normal } else { self.chosen(&BLENDS, "blend")? };
        let additive = is_switch && self.file.bool("additive")?;
        let visible = !(self.is_nonessential && self.layout.has_flags()) || self.file.bool("visible")?;
        Ok(Slot { name: text(name), bone, color, dark, attachment, blend, additive, visible })
    }

    fn events(&mut self) -> Result<Entries<'a, Event<'a>>> {
        let has_flags = self.layout.has_flags();
        let name = |reader: &mut Self| if has_flags { reader.file.name("") } else { reader.shared_name("") };
        self.entries("events", MIN_EVENT, name, |reader, name| {
            reader.names.of(Kind::Event).push(name);
            let mut event = Event {
                integer: reader.file.signed("int")?,
                number: reader.file.number("float")?,
                // In JSON, an event without text does not state it.
                text: reader.file.string("string")?.filter(|string| !string.is_empty()).map(text),
                ..Event::default()
            };
            if reader.layout.has_audio() {
                event.audio = reader.file.string("audio")?.map(text);
            }
            reader.has_audio.push(event.audio.is_some());
            if event.audio.is_some() {
                event.volume = Some(reader.file.number("volume")?);
                event.balance = Some(reader.file.number("balance")?);
            }
            Ok(event)
        })
    }
}
