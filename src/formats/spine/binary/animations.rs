//! Animations: the groups of timelines, of which each states what it is about by an index.

use super::reader::text;
use super::reader::{Kind, Reader};
use super::skeleton::INHERITS;
use super::trace::Trace;
use crate::error::Result;
use crate::formats::spine::schema::{
    Animation, AttachmentKey, AttachmentTimelines, BoneKey, BoneTimelines, ColorKey, DrawOrderKey,
    DrawOrderOffset, Entries, EventKey, InheritKey, Number, PathKey, PathTimelines, PhysicsTimelines, ResetKey,
    SequenceKey, SequenceMode, SlotTimelines, TransformKey, ValueKey,
};

/// Minimum sizes in bytes.
const MIN_ANIMATION: usize = 9;
const MIN_ENTRY: usize = 2;
const MIN_DRAW_ORDER: usize = 5;
const MIN_EVENT: usize = 10;

const MODES: [SequenceMode; 7] = [
    SequenceMode::Hold,
    SequenceMode::Once,
    SequenceMode::Loop,
    SequenceMode::Pingpong,
    SequenceMode::OnceReverse,
    SequenceMode::LoopReverse,
    SequenceMode::PingpongReverse,
];

/// Timelines by skin, slot and attachment.
type BySkin<'a, V> = Entries<'a, Entries<'a, Entries<'a, V>>>;

impl<'a, T: Trace<'a>> Reader<'a, '_, T> {
    pub fn animations(&mut self) -> Result<Entries<'a, Animation<'a>>> {
        let name = |reader: &mut Self| reader.file.name("");
        self.entries("animations", MIN_ANIMATION, name, |reader, _| reader.animation())
    }

    fn animation(&mut self) -> Result<Animation<'a>> {
        if self.layout.is_four() {
            // The number of timelines, as a hint.
            self.file.varint("")?;
        }
        let mut animation = Animation {
            slots: self.group("slots", Kind::Slot, Self::slot_timelines)?,
            bones: self.group("bones", Kind::Bone, Self::bone_timelines)?,
            ik: self.group("ik", Kind::Ik, Self::ik_keys)?,
            transform: self.group("transform", Kind::Transform, Self::transform_keys)?,
            path: self.group("path", Kind::Path, Self::path_timelines)?,
            ..Animation::default()
        };
        if self.layout.has_flags() {
            animation.physics =
                self.entries("physics", MIN_ENTRY, Self::physics_name, |reader, _| reader.physics_timelines())?;
        }
        if self.layout.has_sequences() {
            animation.attachments = self.by_skin("attachments", Self::attachment_timelines)?;
            let slots = animation.attachments.0.iter_mut().flat_map(|(_, slots)| &mut slots.0);
            slots.for_each(|(_, attachments)| merge(attachments));
        } else {
            animation.deform = self.by_skin("deform", |reader| reader.deform_keys(""))?;
        }
        animation.draw_order = self.draw_order()?;
        animation.events = self.event_keys()?;
        Ok(animation)
    }

    /// A group of what belongs to items of one kind.
    fn group<V>(
        &mut self,
        field: &'a str,
        kind: Kind,
        mut read: impl FnMut(&mut Self) -> Result<V>,
    ) -> Result<Entries<'a, V>> {
        self.entries(field, MIN_ENTRY, |reader| reader.named(kind, ""), |reader, _| read(reader))
    }

    /// The number of timelines, and calls `read` with the type of each and its offset. Of several timelines of one
    /// type the last counts.
    fn timelines(&mut self, mut read: impl FnMut(&mut Self, u8, usize) -> Result<()>) -> Result<()> {
        for _ in 0..self.file.count::<()>("", MIN_ENTRY)? {
            let start = self.file.offset();
            let kind = self.file.u8("")?;
            read(self, kind, start)?;
        }
        Ok(())
    }

    fn slot_timelines(&mut self) -> Result<SlotTimelines<'a>> {
        let mut timelines = SlotTimelines::default();
        let is_four = self.layout.is_four();
        self.timelines(|reader, kind, start| {
            match (is_four, kind) {
                (_, 0) => {
                    timelines.attachment = reader.steps("attachment", 1, |reader, time| {
                        Ok(AttachmentKey { time, name: reader.shared("name")?.map(text) })
                    })?;
                }
                (false, 1) => timelines.color = reader.color_keys("color", (1, 4))?,
                (false, 2) => timelines.two_color = reader.two_color_keys("twoColor", (1, 8))?,
                (true, 1) => timelines.rgba = reader.color_keys("rgba", (4, 4))?,
                (true, 2) => timelines.rgb = reader.color_keys("rgb", (3, 3))?,
                (true, 3) => timelines.rgba2 = reader.two_color_keys("rgba2", (7, 7))?,
                (true, 4) => timelines.rgb2 = reader.two_color_keys("rgb2", (6, 6))?,
                (true, 5) => {
                    timelines.alpha = reader.keys("alpha", (1, 1), |reader, time| {
                        let value = Number(f32::from(reader.file.u8("value")?) / 255.0);
                        Ok(ValueKey { time, value: Some(value), curve: None })
                    })?;
                }
                _ => return Err(reader.unknown(kind.into(), if is_four { 5 } else { 2 }, "", start)),
            }
            Ok(())
        })?;
        Ok(timelines)
    }

    /// Keys of one colour, of `size` bytes.
    fn color_keys(&mut self, field: &'a str, (values, size): (usize, usize)) -> Result<Vec<ColorKey<'a>>> {
        self.keys(field, (values, size), |reader, time| {
            let color = if size == 3 { reader.file.rgb("color")? } else { reader.file.color("color")? };
            Ok(ColorKey { time, color: Some(color), ..ColorKey::default() })
        })
    }

    /// Keys of two colours, of `size` bytes together: the light one with alpha unless there are only six, the dark
    /// one in 32 bits if there are eight.
    fn two_color_keys(&mut self, field: &'a str, (values, size): (usize, usize)) -> Result<Vec<ColorKey<'a>>> {
        self.keys(field, (values, size), |reader, time| {
            let light = if size == 6 { reader.file.rgb("light")? } else { reader.file.color("light")? };
            let dark = if size == 8 { reader.file.dark_color("dark")? } else { reader.file.rgb("dark")? };
            Ok(ColorKey { time, light: Some(light), dark: Some(dark), ..ColorKey::default() })
        })
    }

    fn bone_timelines(&mut self) -> Result<BoneTimelines> {
        let mut timelines = BoneTimelines::default();
        let (is_four, has_inherit) = (self.layout.is_four(), self.layout.has_flags());
        self.timelines(|reader, kind, start| {
            match (is_four, kind) {
                (false, 0) => {
                    timelines.rotate = reader.keys("rotate", (1, 4), |reader, time| {
                        Ok(BoneKey { time, angle: Some(reader.file.number("angle")?), ..BoneKey::default() })
                    })?;
                }
                (false, 1) | (true, 1) => timelines.translate = reader.pairs("translate")?,
                (false, 2) | (true, 4) => timelines.scale = reader.pairs("scale")?,
                (false, 3) | (true, 7) => timelines.shear = reader.pairs("shear")?,
                (true, 0) => timelines.rotate = reader.bone_values("rotate")?,
                (true, 2) => timelines.translatex = reader.bone_values("translatex")?,
                (true, 3) => timelines.translatey = reader.bone_values("translatey")?,
                (true, 5) => timelines.scalex = reader.bone_values("scalex")?,
                (true, 6) => timelines.scaley = reader.bone_values("scaley")?,
                (true, 8) => timelines.shearx = reader.bone_values("shearx")?,
                (true, 9) => timelines.sheary = reader.bone_values("sheary")?,
                (true, 10) if has_inherit => {
                    timelines.inherit = reader.steps("inherit", 1, |reader, time| {
                        let start = reader.file.offset();
                        let number = reader.file.u8("inherit")?.into();
                        Ok(InheritKey { time, inherit: reader.choice(&INHERITS, number, "inherit", start)? })
                    })?;
                }
                _ => {
                    let last = if !is_four { 3 } else { 9 + usize::from(has_inherit) };
                    return Err(reader.unknown(kind.into(), last, "", start));
                }
            }
            Ok(())
        })?;
        Ok(timelines)
    }

    fn bone_values(&mut self, field: &'a str) -> Result<Vec<BoneKey>> {
        self.keys(field, (1, 4), |reader, time| {
            Ok(BoneKey { time, value: Some(reader.file.number("value")?), ..BoneKey::default() })
        })
    }

    fn pairs(&mut self, field: &'a str) -> Result<Vec<BoneKey>> {
        self.keys(field, (2, 8), |reader, time| {
            let (x, y) = (Some(reader.file.number("x")?), Some(reader.file.number("y")?));
            Ok(BoneKey { time, x, y, ..BoneKey::default() })
        })
    }

    fn values(&mut self, field: &'a str) -> Result<Vec<ValueKey>> {
        self.keys(field, (1, 4), |reader, time| {
            Ok(ValueKey { time, value: Some(reader.file.number("value")?), curve: None })
        })
    }

    fn transform_keys(&mut self) -> Result<Vec<TransformKey>> {
        if !self.layout.is_four() {
            return self.keys("", (1, 16), |reader, time| {
                Ok(TransformKey {
                    time,
                    rotate_mix: Some(reader.file.number("rotateMix")?),
                    translate_mix: Some(reader.file.number("translateMix")?),
                    scale_mix: Some(reader.file.number("scaleMix")?),
                    shear_mix: Some(reader.file.number("shearMix")?),
                    ..TransformKey::default()
                })
            });
        }
        self.keys("", (6, 24), |reader, time| {
            Ok(TransformKey {
                time,
                mix_rotate: Some(reader.file.number("mixRotate")?),
                mix_x: Some(reader.file.number("mixX")?),
                mix_y: Some(reader.file.number("mixY")?),
                mix_scale_x: Some(reader.file.number("mixScaleX")?),
                mix_scale_y: Some(reader.file.number("mixScaleY")?),
                mix_shear_y: Some(reader.file.number("mixShearY")?),
                ..TransformKey::default()
            })
        })
    }

    fn path_timelines(&mut self) -> Result<PathTimelines> {
        let mut timelines = PathTimelines::default();
        self.timelines(|reader, kind, start| {
            match kind {
                0 => timelines.position = reader.path_values("position")?,
                1 => timelines.spacing = reader.path_values("spacing")?,
                2 => timelines.mix = reader.path_mixes()?,
                _ => return Err(reader.unknown(kind.into(), 2, "", start)),
            }
            Ok(())
        })?;
        Ok(timelines)
    }

    /// Keys of `position` or `spacing`.
    fn path_values(&mut self, field: &'a str) -> Result<Vec<PathKey>> {
        let is_four = self.layout.is_four();
        self.keys(field, (1, 4), |reader, time| {
            let value = reader.file.number(if is_four { "value" } else { field })?;
            let mut key = PathKey { time, ..PathKey::default() };
            match field {
                _ if is_four => key.value = Some(value),
                "position" => key.position = value,
                _ => key.spacing = value,
            }
            Ok(key)
        })
    }

    fn path_mixes(&mut self) -> Result<Vec<PathKey>> {
        if !self.layout.is_four() {
            return self.keys("mix", (1, 8), |reader, time| {
                Ok(PathKey {
                    time,
                    rotate_mix: Some(reader.file.number("rotateMix")?),
                    translate_mix: Some(reader.file.number("translateMix")?),
                    ..PathKey::default()
                })
            });
        }
        self.keys("mix", (3, 12), |reader, time| {
            Ok(PathKey {
                time,
                mix_rotate: Some(reader.file.number("mixRotate")?),
                mix_x: Some(reader.file.number("mixX")?),
                mix_y: Some(reader.file.number("mixY")?),
                ..PathKey::default()
            })
        })
    }

    /// The name of the constraint of a group of physics timelines; 0 stands for all, as the empty name does in
    /// JSON.
    fn physics_name(&mut self) -> Result<&'a str> {
        let start = self.file.offset();
        match self.file.varint("")?.checked_sub(1) {
            Some(index) => self.name_of(Kind::Physics, index, "", start),
            None => Ok(""),
        }
    }

    fn physics_timelines(&mut self) -> Result<PhysicsTimelines> {
        let mut timelines = PhysicsTimelines::default();
        self.timelines(|reader, kind, start| {
            match kind {
                0 => timelines.inertia = reader.values("inertia")?,
                1 => timelines.strength = reader.values("strength")?,
                2 => timelines.damping = reader.values("damping")?,
                4 => timelines.mass = reader.values("mass")?,
                5 => timelines.wind = reader.values("wind")?,
                6 => timelines.gravity = reader.values("gravity")?,
                7 => timelines.mix = reader.values("mix")?,
                8 => timelines.reset = reader.steps("reset", 0, |_, time| Ok(ResetKey { time }))?,
                _ => return Err(reader.unknown(kind.into(), 8, "", start)),
            }
            Ok(())
        })?;
        Ok(timelines)
    }

    fn by_skin<V>(
        &mut self,
        field: &'a str,
        mut read: impl FnMut(&mut Self) -> Result<V>,
    ) -> Result<BySkin<'a, V>> {
        let skin = |reader: &mut Self| reader.named(Kind::Skin, "");
        self.entries(field, MIN_ENTRY, skin, |reader, _| {
            let slot = |reader: &mut Self| reader.named(Kind::Slot, "");
            reader.bare_entries(MIN_ENTRY, slot, |reader, _| {
                let attachment = |reader: &mut Self| reader.shared_name("");
                reader.bare_entries(MIN_ENTRY, attachment, |reader, _| read(reader))
            })
        })
    }

    /// One timeline of an attachment; the file repeats the name of the attachment for another one.
    fn attachment_timelines(&mut self) -> Result<AttachmentTimelines> {
        let start = self.file.offset();
        match self.file.u8("")? {
            0 => Ok(AttachmentTimelines { deform: self.deform_keys("deform")?, sequence: Vec::new() }),
            1 => Ok(AttachmentTimelines { deform: Vec::new(), sequence: self.sequence_keys()? }),
            other => Err(self.unknown(other.into(), 1, "", start)),
        }
    }

    fn sequence_keys(&mut self) -> Result<Vec<SequenceKey>> {
        self.steps("sequence", 8, |reader, time| {
            let start = reader.file.offset();
            let packed = reader.file.i32("mode")?;
            let mode = reader.choice(&MODES, packed as u32 & 0xf, "mode", start)?;
            Ok(SequenceKey { time, mode, index: packed >> 4, delay: Some(reader.file.number("delay")?) })
        })
    }

    fn draw_order(&mut self) -> Result<Vec<DrawOrderKey<'a>>> {
        self.list("drawOrder", MIN_DRAW_ORDER, |reader, _| {
            let time = reader.file.number("time")?;
            let offsets = reader.list("offsets", MIN_ENTRY, |reader, _| {
                let slot = reader.named_text(Kind::Slot, "slot")?;
                let offset = reader.file.varint("offset")? as i32;
                Ok(DrawOrderOffset { slot, offset: offset.into() })
            })?;
            Ok(DrawOrderKey { time, offsets })
        })
    }

    fn event_keys(&mut self) -> Result<Vec<EventKey<'a>>> {
        self.list("events", MIN_EVENT, |reader, _| {
            let time = reader.file.number("time")?;
            let start = reader.file.offset();
            let index = reader.file.varint("name")?;
            let name = reader.name_of(Kind::Event, index, "name", start)?;
            let mut key = EventKey {
                time,
                name: text(name),
                integer: Some(reader.file.signed("int")?),
                number: Some(reader.file.number("float")?),
                text: None,
                volume: None,
                balance: None,
            };
            if reader.layout.has_flags() || reader.file.bool("string")? {
                key.text = reader.file.string("string")?.map(text);
            }
            if reader.has_audio.get(index as usize) == Some(&true) {
                key.volume = Some(reader.file.number("volume")?);
                key.balance = Some(reader.file.number("balance")?);
            }
            Ok(key)
        })
    }
}

/// Merges the timelines of one attachment, whose name the file repeats, into one entry as in JSON.
fn merge(attachments: &mut Entries<'_, AttachmentTimelines>) {
    attachments.0.dedup_by(|(name, next), (before, entry)| {
        let is_free = (next.deform.is_empty() || entry.deform.is_empty())
            && (next.sequence.is_empty() || entry.sequence.is_empty());
        let is_merged = name == before && is_free;
        if is_merged {
            entry.deform.append(&mut next.deform);
            entry.sequence.append(&mut next.sequence);
        }
        is_merged
    });
}
