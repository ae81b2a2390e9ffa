//! Events, and their keys.

use super::Writer;
use crate::error::Result;
use crate::formats::json::text::escaped_key;
use crate::formats::spine::binary::reader::Kind;
use crate::formats::spine::build::keys::{Sorted, Way};
use crate::formats::spine::schema::{Animation, EventKey, Number, Text};

/// Volume and balance of events that state none.
const VOLUME: Number = Number(1.0);
const BALANCE: Number = Number(0.0);

impl<'r> Writer<'r, '_> {
    pub fn events(&mut self) -> Result<()> {
        let events = &self.root.events.0;
        self.file.count(events.len())?;
        for (name, event) in events {
            if self.layout.has_flags() {
                self.file.string(Some(name.as_str()))?;
            } else {
                self.shared(Some(name.as_str()));
            }
            self.file.signed(event.integer);
            self.file.number(event.number);
            // The editor writes empty text rather than none.
            self.file.string(Some(event.text.as_ref().map_or("", Text::as_str)))?;
            self.file.string(event.audio.as_ref().map(Text::as_str))?;
            let pointer = || format!("/events/{}", escaped_key(name.as_str()));
            self.audio(event.audio.is_some(), [event.volume, event.balance], pointer);
        }
        Ok(())
    }

    /// Volume and balance of what has audio.
    fn audio(
        &mut self,
        has_audio: bool,
        [volume, balance]: [Option<Number>; 2],
        pointer: impl FnOnce() -> String,
    ) {
        let (volume, balance) = (volume.unwrap_or(VOLUME), balance.unwrap_or(BALANCE));
        if has_audio {
            self.file.number(volume);
            self.file.number(balance);
        } else if (volume, balance) != (VOLUME, BALANCE) {
            self.losses.audio.add(pointer);
        }
    }

    pub fn event_keys(&mut self, animation: &Animation<'_>) -> Result<()> {
        let keys = &animation.events;
        self.timelines += u32::from(!keys.is_empty());
        self.file.count(keys.len())?;
        for index in Sorted::of(keys).places() {
            self.event_key(&keys[index], index)?;
        }
        Ok(())
    }

    fn event_key(&mut self, key: &EventKey<'_>, index: usize) -> Result<()> {
        let animation = self.animation;
        let pointer = |field: &str| format!("{}/{index}{field}", Way(&["events"]).at(animation));
        let number = self.names.find(Kind::Event, &key.name, || pointer("/name"))?;
        let event = &self.root.events.0[number as usize].1;
        self.file.number(key.time);
        self.file.varint(number);
        self.file.signed(key.integer.unwrap_or(event.integer));
        self.file.number(key.number.unwrap_or(event.number));
        // Null means the text of the event.
        let text = key.text.as_ref().map(Text::as_str);
        if !self.layout.has_flags() {
            self.file.bool(text.is_some());
        }
        if self.layout.has_flags() || text.is_some() {
            self.file.string(text)?;
        }
        self.audio(event.audio.is_some(), [key.volume, key.balance], || pointer(""));
        Ok(())
    }
}
