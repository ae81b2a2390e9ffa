//! Animations: groups of timelines. Each group refers to its slot, bone, constraint or attachment by an index.

use super::reader::text;
use super::reader::{Kind, Reader};
use super::skeleton::INHERITS;
use super::trace::MaybeTrace;
use crate::error::Result;
use crate::formats::spine::schema::{
    Animation, AttachmentKey, AttachmentTimelines, BoneTimelines, BySkin, ConstraintTimelines, DeformKeys,
    DrawOrderFolder, DrawOrderKey, DrawOrderOffset, Entries, EventKey, Group, InheritKey, Keys, Property,
    ResetKey, Row, SequenceKey, SequenceMode, SlotTimelines, Text, Timelines,
};
use crate::model::ConstraintKind;

/// Minimum sizes in bytes.
const MIN_ANIMATION: usize = 9;
const MIN_OLD_ANIMATION: usize = 7;
const MIN_ENTRY: usize = 2;
const MIN_DRAW_ORDER: usize = 5;
const MIN_EVENT: usize = 10;

/// The number of timelines of a bone, slot or constraint for which memory is reserved; more are unlikely.
const MOST_RESERVED: usize = 8;

/// The type of timelines that reset physics.
pub const RESET: u8 = 8;

const MODES: [SequenceMode; 7] = [
    SequenceMode::Hold,
    SequenceMode::Once,
    SequenceMode::Loop,
    SequenceMode::Pingpong,
    SequenceMode::OnceReverse,
    SequenceMode::LoopReverse,
    SequenceMode::PingpongReverse,
];

impl<'a, T: MaybeTrace<'a>> Reader<'a, '_, T> {
    pub fn animations(&mut self) -> Result<Entries<'a, Animation<'a>>> {
        let name = |reader: &mut Self| reader.file.name("");
        let min = if self.layout.has_paths() { MIN_ANIMATION } else { MIN_OLD_ANIMATION };
        self.entries("animations", min, name, |reader, name| {
            reader.names.of(Kind::Animation).push(name);
            reader.animation()
        })
    }

    fn animation(&mut self) -> Result<Animation<'a>> {
        if self.layout.is_four() {
            // The number of timelines, as a hint.
            self.file.varint("")?;
        }
        let mut animation = Animation {
            slots: self.group("slots", Kind::Slot, Self::slot_timelines)?,
            bones: self.group("bones", Kind::Bone, Self::bone_timelines)?,
            constraints: self.constraint_timelines()?,
            ..Animation::default()
        };
        if self.layout.has_sequences() {
            animation.attachments = self.by_skin("attachments", Self::attachment_timelines)?;
            let slots = animation.attachments.0.iter_mut().flat_map(|(_, slots)| &mut slots.0);
            slots.for_each(|(_, attachments)| merge(attachments));
        } else {
            animation.deform =
                self.by_skin("deform", |reader| reader.keys(Property::Deform, "").map(DeformKeys))?;
        }
        animation.draw_order = self.draw_order("drawOrder", None)?;
        if self.layout.has_one_list() {
            animation.folders = self.list("drawOrderFolder", MIN_ENTRY, |reader, _| {
                let slots = reader.all_named(Kind::Slot, "slots")?;
                let keys = reader.draw_order("keys", Some(&slots))?;
                Ok(DrawOrderFolder { slots, keys })
            })?;
        }
        animation.events = self.event_keys()?;
        if self.layout.has_one_list() && self.is_nonessential {
            let color = self.file.color("color")?;
            animation.color = Some(color).filter(|color| color.valid() != Some([u8::MAX; 4]));
        }
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

    /// The number of timelines, and each of them. Of several timelines of one type the last counts. `steps`: the type of
    /// timelines without curves, and reads them.
    fn timelines<K>(
        &mut self,
        group: Group,
        steps: Option<u8>,
        mut read: impl FnMut(&mut Self) -> Result<Vec<K>>,
    ) -> Result<Timelines<'a, K>> {
        let mut timelines = Timelines::default();
        let count = self.file.count::<()>("", MIN_ENTRY)?;
        timelines.list.reserve_exact(count.min(MOST_RESERVED));
        for _ in 0..count {
            let start = self.file.offset();
            let code = self.file.u8("")?;
            if steps == Some(code) {
                let before =
                    if self.file.keeps_replaced() { std::mem::take(&mut timelines.steps) } else { Vec::new() };
                timelines.steps = read(self)?;
                timelines.steps.splice(..0, before);
            } else {
                let keys = self.coded(group, code, steps, start)?;
                if self.file.keeps_replaced() { timelines.list.push(keys) } else { timelines.put(keys) }
            }
        }
        Ok(timelines)
    }

    /// The timeline of the type `code`, which was read at `start`.
    fn coded(&mut self, group: Group, code: u8, steps: Option<u8>, start: usize) -> Result<Keys<'a>> {
        match Property::with_code(group, code, self.layout) {
            Some(property) => self.keys(property, property.row().name),
            None => {
                let last =
                    Property::of(group).filter_map(|property| property.code(self.layout)).chain(steps).max();
                Err(self.unknown(code.into(), last.unwrap_or_default().into(), "", start))
            }
        }
    }

    fn slot_timelines(&mut self) -> Result<SlotTimelines<'a>> {
        let attachment = Row::attachment_code(self.layout);
        self.timelines(Group::Slot, Some(attachment), |reader| {
            reader.steps("attachment", 1, |reader, time| {
                Ok(AttachmentKey { time, name: reader.shared("name")?.map(text) })
            })
        })
    }

    fn bone_timelines(&mut self) -> Result<BoneTimelines<'a>> {
        let inherit = self.layout.has_flags().then_some(10);
        self.timelines(Group::Bone, inherit, |reader| {
            reader.steps("inherit", 1, |reader, time| {
                Ok(InheritKey { time, inherit: reader.byte_choice(&INHERITS, "inherit")? })
            })
        })
    }

    /// The timelines of all constraints, one kind after another.
    fn constraint_timelines(&mut self) -> Result<Vec<ConstraintTimelines<'a>>> {
        let mut all = Vec::new();
        let layout = self.layout;
        // 3.1 has no timelines of transform constraints.
        let has_timelines = |kind: &ConstraintKind| *kind != ConstraintKind::Transform || layout.has_shear();
        for kind in layout.binary_kinds().filter(has_timelines) {
            let name = |reader: &mut Self| reader.keyed_constraint(kind);
            let read = |reader: &mut Self, _| reader.timelines_of(kind);
            let Entries(entries) = self.entries(kind.name(), MIN_ENTRY, name, read)?;
            all.extend(entries.into_iter().map(|(name, timelines)| ConstraintTimelines { kind, name, timelines }));
        }
        Ok(all)
    }

    /// The name of a constraint with timelines. Physics constraints are counted from 1; 0 stands for all, as the empty
    /// name does in JSON.
    fn keyed_constraint(&mut self, kind: ConstraintKind) -> Result<&'a str> {
        let start = self.file.offset();
        let number = self.file.varint("")?;
        let index = if kind == ConstraintKind::Physics { number.checked_sub(1) } else { Some(number) };
        index.map_or(Ok(""), |index| self.constraint_name(kind, index, start))
    }

    /// The timelines of a constraint.
    fn timelines_of(&mut self, kind: ConstraintKind) -> Result<Timelines<'a, ResetKey>> {
        let group = Group::Constraint(kind);
        if let Some(property) = group.only() {
            return Ok(Timelines { steps: Vec::new(), list: vec![self.keys(property, "")?] });
        }
        let steps = group.steps().map(|_| RESET);
        self.timelines(group, steps, |reader| reader.steps("reset", 0, |_, time| Ok(ResetKey { time })))
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
    fn attachment_timelines(&mut self) -> Result<AttachmentTimelines<'a>> {
        let start = self.file.offset();
        let mut timelines = Timelines::default();
        match self.file.u8("")? {
            1 => timelines.steps = self.sequence_keys()?,
            code => timelines.put(self.coded(Group::Attachment, code, Some(1), start)?),
        }
        Ok(timelines)
    }

    fn sequence_keys(&mut self) -> Result<Vec<SequenceKey>> {
        self.steps("sequence", 8, |reader, time| {
            let start = reader.file.offset();
            let packed = reader.file.i32("mode")?;
            let mode = reader.choice(&MODES, packed as u32 & 0xf, "mode", start)?;
            Ok(SequenceKey { time, mode, index: packed >> 4, delay: Some(reader.file.number("delay")?) })
        })
    }

    /// The keys of a draw order. In that of a folder, slots are counted in its list.
    fn draw_order(&mut self, field: &'a str, folder: Option<&[Text<'a>]>) -> Result<Vec<DrawOrderKey<'a>>> {
        self.list(field, MIN_DRAW_ORDER, |reader, _| {
            let is_last = reader.layout.has_flips();
            let time = reader.number_if(!is_last, "time", 0.0)?;
            let offsets = reader.list("offsets", MIN_ENTRY, |reader, _| {
                let slot = match folder {
                    None => reader.named_text(Kind::Slot, "slot")?,
                    Some(slots) => reader.listed_slot(slots)?,
                };
                let offset = reader.file.varint("offset")? as i32;
                Ok(DrawOrderOffset { slot, offset: offset.into() })
            })?;
            Ok(DrawOrderKey { time: reader.number_if(is_last, "time", time.0)?, offsets })
        })
    }

    /// A slot of a folder.
    fn listed_slot(&mut self, slots: &[Text<'a>]) -> Result<Text<'a>> {
        let start = self.file.offset();
        let index = self.file.varint("slot")?;
        let Some(slot) = slots.get(index as usize) else {
            let message = format!("slot {index} does not exist; the folder has {}, counted from 0", slots.len());
            return Err(self.file.fault("missing-name", "slot", start, message));
        };
        self.file.charge::<u8>(slot.as_str().len())?;
        Ok(slot.clone())
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
fn merge<'a>(attachments: &mut Entries<'a, AttachmentTimelines<'a>>) {
    attachments.0.dedup_by(|(name, next), (before, entry)| {
        let is_free =
            (next.list.is_empty() || entry.list.is_empty()) && (next.steps.is_empty() || entry.steps.is_empty());
        let is_merged = name == before && is_free;
        if is_merged {
            entry.list.append(&mut next.list);
            entry.steps.append(&mut next.steps);
        }
        is_merged
    });
}
