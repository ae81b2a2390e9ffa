//! The timelines of slots, bones, constraints and attachments: a type, and keys.

use super::Writer;
use crate::error::{Error, Result};
use crate::formats::spine::binary::animations::RESET;
use crate::formats::spine::build;
use crate::formats::spine::build::keys::Way;
use crate::formats::spine::schema::{
    AttachmentKey, AttachmentTimelines, BoneTimelines, Keys, Number, ResetKey, SequenceKey, SlotTimelines, Text,
    Timelines,
};

impl<'r, 'a> Writer<'r, 'a> {
    /// The timelines of an entry: their number, then each in the order of the types. The editor writes those without
    /// curves last: `write` gets them, and `steps` is their type, `None` if the version has none.
    fn timelines<K>(
        &mut self,
        way: Way<'_>,
        it: &'r Timelines<'a, K>,
        steps: Option<u8>,
        write: impl FnOnce(&mut Self, &'r [K]) -> Result<()>,
    ) -> Result<()> {
        let (at, before, layout) = (self.file.bytes.len(), self.timelines, self.layout);
        self.file.u8(0);
        let coded = it.list.iter().filter_map(|keys| Some((keys.property.code(layout)?, keys)));
        let mut coded: Vec<_> = coded.filter(|(_, keys)| !keys.is_empty()).collect();
        coded.sort_by_key(|(code, _)| *code);
        for (code, keys) in coded {
            self.timeline(code, way, keys)?;
        }
        if let Some(code) = steps.filter(|_| !it.steps.is_empty()) {
            self.timelines += 1;
            self.file.u8(code);
            write(self, &it.steps)?;
        }
        // At most eleven types, so the number takes a byte.
        self.file.bytes[at] = (self.timelines - before) as u8;
        Ok(())
    }

    /// A timeline of the given type. `way` leads to its entry.
    fn timeline(&mut self, code: u8, Way(way): Way<'_>, keys: &Keys<'_>) -> Result<()> {
        self.timelines += 1;
        self.file.u8(code);
        self.keys(Way(&[way, &[keys.row().name]].concat()), keys)
    }

    pub fn slot_timelines(&mut self, way: Way<'_>, it: &'r SlotTimelines<'a>) -> Result<()> {
        self.timelines(way, it, Some(0), |writer, keys| {
            writer.steps(keys, |writer, key: &'r AttachmentKey<'a>, _| {
                writer.shared(key.name.as_ref().map(Text::as_str));
                Ok(())
            })
        })
    }

    pub fn bone_timelines(&mut self, way: Way<'_>, it: &'r BoneTimelines<'a>) -> Result<()> {
        let inherit = self.layout.has_flags().then_some(10);
        self.timelines(way, it, inherit, |writer, keys| {
            writer.steps(keys, |writer, key, _| {
                writer.file.u8(key.inherit as u8);
                Ok(())
            })
        })
    }

    pub fn constraint_timelines(&mut self, way: Way<'_>, it: &'r Timelines<'a, ResetKey>) -> Result<()> {
        self.timelines(way, it, Some(RESET), |writer, keys| writer.steps(keys, |_, _, _| Ok(())))
    }

    /// The timelines of an attachment, each after the name of that.
    pub fn attachment_timelines(
        &mut self,
        way: Way<'_>,
        key: &'r str,
        it: &'r AttachmentTimelines<'a>,
    ) -> Result<()> {
        for keys in it.list.iter().filter(|keys| !keys.is_empty()) {
            self.shared(Some(key));
            self.timeline(0, way, keys)?;
        }
        if !it.steps.is_empty() {
            self.shared(Some(key));
            self.timelines += 1;
            self.file.u8(1);
            let Way(way) = way;
            self.sequence_keys(Way(&[way, &["sequence"]].concat()), &it.steps)?;
        }
        Ok(())
    }

    fn sequence_keys(&mut self, way: Way<'_>, keys: &[SequenceKey]) -> Result<()> {
        // A key that states no delay has the delay of the key before.
        let mut delay = Number(0.0);
        self.steps(keys, |writer, key, index| {
            delay = key.delay.unwrap_or(delay);
            let picture = key.index.checked_mul(16).ok_or_else(|| {
                let pointer = format!("{}/{index}/index", way.at(writer.animation));
                let message = format!("picture {} does not fit in the 28 bits of a binary skeleton", key.index);
                Error::unsupported("too-many", build::at(pointer), message)
            })?;
            writer.file.i32(picture | key.mode as i32);
            writer.file.number(delay);
            Ok(())
        })
    }
}
