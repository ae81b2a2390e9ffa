//! Where the file of the shown character states its keys, for the clipboard. The file is read again on the first request,
//! on a thread of its own.

use std::sync::Arc;

use crate::base::answer::Deferred;
use crate::base::memo::ByAddress;
use crate::base::waker::Waker;
use crate::files::loading::read::{Source, Stamp};
use crate::widgets::actions::KeyAt;
use pchr::Character;
use pchr::diagnostics::Diagnostics;
use pchr::error::escaped;
use pchr::formats::{Input, NO_SIDECARS, ReadOptions, StatedKey, StatedKeys, stated_keys};
use pchr::model::AnimationId;
use pchr::motion::{KeyChannel, keys};

/// Tolerance of key times in seconds.
const NEAR: f64 = 1e-3;

/// Keys of a file.
#[derive(Debug, Clone)]
pub struct Asked {
    /// The file, when it was read, and how.
    pub source: Source,
    pub stamp: Option<Stamp>,
    pub options: ReadOptions,
    /// What was read, and the animation that is shown.
    pub character: Arc<Character>,
    pub animation: AnimationId,
    /// The keys.
    pub key: KeyAt,
}

/// Their places, one in each line, or why they cannot be found.
pub type Answer = Result<Vec<String>, String>;

/// The search for the places of keys.
#[derive(Debug, Default)]
pub struct Pointers {
    found: Deferred<Search, (Option<Arc<StatedKeys>>, Answer)>,
    asked: Option<Search>,
    searches: u64,
    /// The keys of the file that a character was read from.
    known: Option<(ByAddress<Character>, Arc<StatedKeys>)>,
}

#[derive(Debug, Clone)]
struct Search {
    number: u64,
    asked: Asked,
    known: Option<Arc<StatedKeys>>,
}

impl PartialEq for Search {
    fn eq(&self, other: &Self) -> bool {
        self.number == other.number
    }
}

impl Pointers {
    /// Starts a search; [`Self::take`] returns the result.
    pub fn ask(&mut self, asked: Asked) {
        self.searches += 1;
        let of = ByAddress::of(&asked.character);
        let known = self.known.as_ref().filter(|(known, _)| *known == of).map(|(_, keys)| Arc::clone(keys));
        self.asked = Some(Search { number: self.searches, asked, known });
    }

    /// Returns the answer once, when it was found. `waker` is called then; without one, it is found at once.
    pub fn take(&mut self, waker: Option<&Waker>) -> Option<Answer> {
        let search = self.asked.clone()?;
        let (keys, answer) = self.found.follow(search.clone(), waker, find)?.clone();
        self.known = keys.map(|keys| (ByAddress::of(&search.asked.character), keys));
        (self.asked, self.found) = Default::default();
        Some(answer)
    }

    /// Forgets the keys, and drops a search.
    pub fn forget(&mut self) {
        (self.asked, self.known) = Default::default();
    }

    /// Returns true while the keys of a file are kept.
    #[cfg(test)]
    pub fn knows_keys(&self) -> bool {
        self.known.is_some()
    }
}

fn find(search: &Search) -> (Option<Arc<StatedKeys>>, Answer) {
    let Asked { source, stamp, options, .. } = &search.asked;
    let now = source.stamp();
    if now.is_some() && now != *stamp {
        let message = format!("{} has changed since it was read; reload it to copy pointers", source.name);
        return (None, Err(message));
    }
    let keys = match &search.known {
        // Without the file, reading it says why.
        Some(keys) if now == *stamp => Ok(Arc::clone(keys)),
        Some(_) | None => source.bytes(options, &Default::default()).and_then(|bytes| {
            let input = Input { bytes, sidecars: NO_SIDECARS };
            stated_keys(&input, options, &mut Diagnostics::default()).map(Arc::new)
        }),
    };
    match keys {
        Ok(keys) => (Some(Arc::clone(&keys)), search.asked.places(&keys)),
        Err(error) => (None, Err(escaped(&error.in_file(&source.name).to_string()))),
    }
}

impl Asked {
    fn places(&self, stated: &StatedKeys) -> Answer {
        let Self { character, animation, key: KeyAt { target, channel, position }, .. } = self;
        let model = character.model();
        let timing = model.animation(*animation);
        let seconds = timing.seconds_at(*position);
        let channels: Vec<KeyChannel> = match channel {
            Some(channel) => vec![*channel],
            None => {
                let rows = keys(character, *animation);
                rows.into_iter().filter(|row| row.target == *target).map(|row| row.channel).collect()
            }
        };
        let mut places = Vec::new();
        _ = stated.for_each(|key| -> Result<(), ()> {
            let is_near = key.seconds.is_some_and(|at| (at - seconds).abs() < NEAR);
            let is_of = |channel: &KeyChannel| key.is_of(model, *target, *channel);
            if is_near && *key.animation == *timing.name && channels.iter().any(is_of) {
                places.push(place(key));
            }
            Ok(())
        });
        if places.is_empty() {
            return Err(format!("{} states no key at {seconds:.3} s", self.source.name));
        }
        Ok(places)
    }
}

/// The place of a key as text: its pointer, or its offset in a binary skeleton.
fn place(key: &StatedKey<'_>) -> String {
    let file = key.file.map(|file| format!("{file} ")).unwrap_or_default();
    match key.byte {
        Some(byte) => format!("{file}offset {byte:#x}"),
        None => format!("{file}{}", key.pointer.as_deref().unwrap_or_default()),
    }
}
