//! Timelines of attachments: deformations, and the pictures of sequences.

use super::Reader;
use crate::error::Result;
use crate::formats::spine::build::keys::Way;
use crate::formats::spine::build::{malformed, missing};
use crate::formats::spine::schema::{self, Timed};
use crate::model::AttachmentId;
use crate::motion::spine::{
    Bezier, Curve, DeformKeys, SequenceKey, SequenceKeys, SequenceMode, StepKeys, Timeline,
};

/// The mode of a key.
pub fn sequence_mode(mode: schema::SequenceMode) -> SequenceMode {
    match mode {
        schema::SequenceMode::Hold => SequenceMode::Hold,
        schema::SequenceMode::Once => SequenceMode::Once,
        schema::SequenceMode::Loop => SequenceMode::Loop,
        schema::SequenceMode::Pingpong => SequenceMode::PingPong,
        schema::SequenceMode::OnceReverse => SequenceMode::OnceReverse,
        schema::SequenceMode::LoopReverse => SequenceMode::LoopReverse,
        schema::SequenceMode::PingpongReverse => SequenceMode::PingPongReverse,
    }
}

impl<'a> Reader<'_, '_, 'a> {
    pub(super) fn deform(&mut self, json: &'a schema::Animation<'a>) -> Result<()> {
        self.attachments("deform", &json.deform, |it, slot, place, way, keys| {
            it.read_timeline(|it| it.deform_keys(&keys.0, slot, place, Way(&way)))
        })?;
        self.attachments(
            "attachments",
            &json.attachments,
            |it, slot, place, [group, skin, slot_name, name], all| {
                let way = |kind| [group, skin, slot_name, name, kind];
                for keys in &all.list {
                    let way = way(keys.row().name);
                    it.read_timeline(|it| it.deform_keys(keys, slot, place, Way(&way)))?;
                }
                it.sequence_keys(&all.steps, slot, place, Way(&way("sequence")))
            },
        )
    }

    /// Calls `read` for each attachment with timelines: with its slot, its index, and the way to the timelines.
    fn attachments<V>(
        &mut self,
        group: &str,
        skins: &'a schema::BySkin<'a, V>,
        read: impl Fn(&mut Self, u32, usize, [&str; 4], &'a V) -> Result<()>,
    ) -> Result<()> {
        let root = self.root;
        // Names without timelines do no harm.
        let used =
            |slots: &schema::Entries<'_, schema::Entries<'_, V>>| slots.0.iter().any(|(_, it)| !it.is_empty());
        for (skin_name, slots) in skins.0.iter().filter(|(_, slots)| used(slots)) {
            let known = root.skins.list.iter().map(|skin| &skin.name);
            let pointer = || self.at(Way(&[group, skin_name.as_str()]));
            let skin = self.find(&self.names.skins, known, ("skin", skin_name), pointer);
            let Some(skin) = self.leave_out(skin)? else { continue };
            for (slot_name, attachments) in slots.0.iter().filter(|(_, it)| !it.is_empty()) {
                let slot = self.slot(slot_name, || self.at(Way(&[group, skin_name.as_str(), slot_name.as_str()])));
                let Some(slot) = self.leave_out(slot)?.map(|slot| slot as u32) else { continue };
                for (name, timelines) in &attachments.0 {
                    let way = [group, skin_name.as_str(), slot_name.as_str(), name.as_str()];
                    let place = self.attached.places.get(&(skin as u32, slot, name.as_str())).copied();
                    let place = place.ok_or_else(|| {
                        let slots = root.skins.list[skin].attachments.0.iter();
                        let known = slots.filter(|(known, _)| known == slot_name).flat_map(|(_, it)| &it.0);
                        let error = missing("attachment", name, self.at(Way(&way)));
                        self.suggest(error, known.map(|(known, _)| known), ("attachment", name))
                    });
                    let Some(place) = self.leave_out(place)? else { continue };
                    read(self, slot, place, way, timelines)?;
                }
            }
        }
        Ok(())
    }

    /// Adds the timeline of the pictures of an attachment; an attachment without a sequence ignores it.
    fn sequence_keys(
        &mut self,
        keys: &[schema::SequenceKey],
        slot: u32,
        place: usize,
        way: Way<'_>,
    ) -> Result<()> {
        if keys.is_empty() {
            return Ok(());
        }
        let mut delay = 0.0;
        let mut read = StepKeys { times: Vec::new(), values: Vec::new() };
        for (_, key) in self.steps(keys, size_of::<(f32, SequenceKey)>(), way)? {
            delay = key.delay.map_or(delay, |delay| delay.0);
            read.times.push(key.time());
            read.values.push(SequenceKey { mode: sequence_mode(key.mode), index: key.index, delay });
        }
        self.add(Timeline::Sequence(slot, SequenceKeys { attachment: AttachmentId::new(place), keys: read }));
        Ok(())
    }

    /// Adds the deformations of an attachment, unless it has errors.
    fn deform_keys(&mut self, keys: &schema::Keys<'_>, slot: u32, place: usize, way: Way<'_>) -> Result<()> {
        let Some(influences) = self.attached.influences[place].filter(|_| !keys.is_empty()) else {
            return Ok(());
        };
        let room = 2 * influences;
        let sorted = self.sorted(&keys.list, size_of::<(f32, Curve, Bezier, [u32; 3])>(), way)?;
        let mut deform = DeformKeys {
            attachment: AttachmentId::new(place),
            len: influences as u32,
            keys: self.stored.start(),
            parts: Vec::with_capacity(keys.len()),
            numbers: Vec::with_capacity((0..keys.len()).map(|index| keys.deform(index).1.len()).sum()),
        };
        self.places.clear();
        for index in sorted.places() {
            let (offset, vertices) = keys.deform(index);
            let count = vertices.len();
            if (offset as usize).saturating_add(count) > room && count > 0 {
                let message =
                    format!("{count} numbers from offset {offset} are too many, the attachment has {room}");
                let pointer = self.at_field(way, index, "vertices");
                self.diagnostics.reject(malformed("deform-length", pointer, message))?;
                continue;
            }
            self.stored.times.push(keys.list[index].time);
            let from = deform.numbers.len() as u32;
            deform.numbers.extend(vertices.iter().map(|number| number.0));
            deform.parts.push((offset, from..deform.numbers.len() as u32));
            self.places.push(index);
        }
        deform.keys.len = self.places.len() as u32;
        // The value is the share of the next key.
        self.curves(keys, deform.keys.first, way, |_, _| [[0.0], [1.0]])?;
        for curve in &mut self.stored.curves[deform.keys.first as usize..] {
            if let Curve::Values(at) = *curve {
                *curve = Curve::Bezier(at);
            }
        }
        self.add(Timeline::Deform(slot, deform));
        Ok(())
    }
}
