//! The keys of a file, as the file states them: what each one animates, when, its values, and where it is in the file.
//!
//! They are read from the text, not from the character: nothing that a reader normalises or ignores is lost, and a JSON
//! pointer is that of the file. Each format says by a [`Shape`] which lists of its text are keys. Binary skeletons are read
//! into the text of the same version first. Stored frames have no text: of them, the values that change are listed.

mod frames;
mod items;
mod json;
mod rows;
mod text;
mod walk;

use std::borrow::Cow;
use std::hash::{DefaultHasher, Hash, Hasher};

use serde::Serialize;

use super::{Input, ReadOptions, reader_of};
use crate::character::Character;
use crate::diagnostics::Diagnostics;
use crate::error::{Error, Place, Result};
use crate::limits::{Budget, Limits};

pub(crate) use items::ItemKind;
pub(super) use items::Items;
pub use json::{StatedValue, StatedValues};
pub(crate) use text::Texts;
pub(super) use text::{KeyOffsets, Shape, Text};
pub(super) use walk::{Found, Part, Step, hash_step, matches};

/// A key, as the file states it. Absent fields do not apply to the format.
#[derive(Debug, Default, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct StatedKey<'k> {
    /// Name of the animation; of Adobe Animate, the name of the main timeline, or `symbol:` and the name of another symbol.
    pub animation: Cow<'k, str>,
    /// Name of the attachment that it animates.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub attachment: Option<Cow<'k, str>>,
    /// Offset in bytes, in binary skeletons.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub byte: Option<u64>,
    /// Column in characters, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub column: Option<usize>,
    /// Interpolation; absent if the file states none. If a file states it in several fields, an object of them.
    #[serde(serialize_with = "json::curve", skip_serializing_if = "StatedValues::is_empty")]
    #[cfg_attr(feature = "schemas", schemars(with = "serde_json::Value"))]
    pub curve: StatedValues<'k>,
    /// The file with the key, if it is not the file itself: an entry of an archive, or a file beside it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<&'k str>,
    /// Stored frame, from 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub frame: Option<u32>,
    /// False if pchr does not know, and does not play, such keys.
    pub known: bool,
    /// Line of the text, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<usize>,
    /// Name of what it animates; empty for the draw order, events, and all constraints of a kind.
    pub name: Cow<'k, str>,
    /// JSON pointer; of a binary skeleton, in the JSON of the same skeleton.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pointer: Option<String>,
    /// The animated property, in the words of the file.
    pub property: Cow<'k, str>,
    /// Time since the start of the animation; null if the file states no valid one.
    pub seconds: Option<f64>,
    /// Name of the skin of the attachment.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub skin: Option<Cow<'k, str>>,
    /// The kind of what it animates, such as `bone`, `slot`, `ik` or `events`.
    pub target: Cow<'k, str>,
    /// The fields that state its time in another unit, or count the keys of the file.
    #[serde(skip)]
    pub(crate) time_fields: &'static [&'static str],
    /// The fields of the key, as the file states them.
    #[cfg_attr(feature = "schemas", schemars(with = "std::collections::BTreeMap<String, serde_json::Value>"))]
    pub values: StatedValues<'k>,
}

impl<'k> StatedKey<'k> {
    /// Creates a key without values and a place.
    pub(super) fn new(
        animation: Cow<'k, str>,
        target: Cow<'k, str>,
        name: Cow<'k, str>,
        property: Cow<'k, str>,
    ) -> Self {
        Self { animation, target, name, property, known: true, ..Self::default() }
    }

    /// Returns a hash that is the same for all keys of a timeline.
    pub(crate) fn timeline(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        (&self.animation, &self.target, &self.name, &self.skin, &self.attachment, &self.property)
            .hash(&mut hasher);
        hasher.finish()
    }

    /// The size of its texts in bytes, about.
    fn size(&self) -> usize {
        let texts = [&self.animation, &self.name, &self.property].map(|text| text.len());
        let others = [&self.attachment, &self.skin].map(|text| text.as_ref().map_or(0, |text| text.len()));
        let pointer = self.pointer.as_ref().map_or(0, String::len);
        let fields = self.values.size() + self.curve.size();
        texts.iter().chain(&others).sum::<usize>() + pointer + fields
    }

    fn charge(&self, budget: &mut Budget<'_>) -> Result<()> {
        let place = || Place::inside(self.pointer.clone().unwrap_or_default());
        budget.charge_work(self.size() as u64 + KEY_BYTES, BYTE_WORK, place)
    }
}

/// The keys of a file.
#[derive(Debug)]
pub struct StatedKeys {
    source: Source,
    limits: Limits,
}

#[derive(Debug)]
enum Source {
    Texts(Texts),
    Frames(Box<Character>),
}

impl StatedKeys {
    /// Checks the keys of texts.
    pub(crate) fn of_texts(texts: Texts, options: &ReadOptions) -> Result<Self> {
        Self { source: Source::Texts(texts), limits: options.limits.clone() }.checked(options)
    }

    /// Checks the keys of a character with stored frames.
    fn of_frames(character: Character, options: &ReadOptions) -> Result<Self> {
        Self { source: Source::Frames(Box::new(character)), limits: options.limits.clone() }.checked(options)
    }

    /// Fails if the text is damaged, or if the list would be too long.
    fn checked(self, options: &ReadOptions) -> Result<Self> {
        let mut budget = options.budget();
        let mut exceeded = None;
        self.visit(&mut |key| {
            exceeded = key.charge(&mut budget).err();
            exceeded.is_none()
        })?;
        exceeded.map_or(Ok(self), Err)
    }

    /// Calls `visit` with every key, in the order of the file, until it fails. Keys are computed while they are listed, so
    /// that many keys take no memory.
    ///
    /// # Errors
    ///
    /// Returns the first error of `visit`.
    pub fn for_each<E>(&self, mut visit: impl FnMut(&StatedKey<'_>) -> Result<(), E>) -> Result<(), E> {
        let mut failed = None;
        // The text was read before.
        _ = self.visit(&mut |key| {
            failed = visit(key).err();
            failed.is_none()
        });
        failed.map_or(Ok(()), Err)
    }

    /// Lists the keys until `visit` returns false.
    fn visit(&self, visit: &mut dyn FnMut(&StatedKey<'_>) -> bool) -> Result<()> {
        match &self.source {
            Source::Texts(texts) => texts.visit(&self.limits, visit),
            Source::Frames(character) => {
                frames::visit(character, visit);
                Ok(())
            }
        }
    }
}

/// Units of work for a byte of a listed key, counted from its names, values and place.
const BYTE_WORK: u64 = 2;
/// The bytes that each key counts in addition.
const KEY_BYTES: u64 = 64;

/// Reads the keys of a file in memory. The format is detected from the content.
///
/// # Errors
///
/// Fails if the file is damaged so that keys may be missing, and if a limit of `options` is exceeded. What a key means is
/// not checked.
pub fn stated_keys(
    input: &Input<'_>,
    options: &ReadOptions,
    diagnostics: &mut Diagnostics,
) -> Result<StatedKeys, Error> {
    match stated_texts(input, options, diagnostics)?.filter(|texts| texts.shape.is_some()) {
        Some(texts) => StatedKeys::of_texts(texts, options),
        None => StatedKeys::of_frames((reader_of(&input.bytes)?.read)(input, options, diagnostics)?, options),
    }
}

/// Returns the JSON of a file in memory, or that of the same skeleton if it is binary; `None` if the format has none.
pub(crate) fn stated_texts(
    input: &Input<'_>,
    options: &ReadOptions,
    diagnostics: &mut Diagnostics,
) -> Result<Option<Texts>> {
    (reader_of(&input.bytes)?.texts)(input, options, diagnostics)
}
