//! Mutators of the fuzz targets. JSON, archives and PNGs are changed structurally, everything else as bytes.
//!
//! The caller provides the mutation of bytes, because a fuzzer has its own.

#[cfg(feature = "cli")]
use super::names::rename;
use super::png_damage::damage_png;
use super::pngs::SIGNATURE;
use super::skel_damage::damage_skel;
#[cfg(feature = "cli")]
use super::suite_checks::repair;
use super::text_damage::{damage_text, is_text};
#[cfg(feature = "cli")]
use super::toml_damage::damage_toml;
#[cfg(feature = "cli")]
use crate::common::json_damage::RESULTS;
use crate::common::json_damage::{PCHR, SKELFORM, SPINE, damage_json};
use crate::common::random::Random;
use crate::common::text_part::{Around, TextPart};
use crate::common::zip;

/// Mutates bytes, to at most the given length.
pub type AsBytes<'a> = dyn FnMut(&mut Vec<u8>, usize) + 'a;

/// The mutator of a target.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mutator {
    /// Changes bytes.
    Bytes,
    /// Changes JSON, also in packed files, whose lengths usually stay correct.
    Json,
    /// Changes objects as JSON and anything else (an atlas) as text.
    Spine,
    /// Changes values of binary skeletons in place, and sometimes bytes.
    Skel,
    /// Changes the JSON in an archive and packs it again.
    Skelform,
    /// Changes the chunks of a PNG, with correct checksums.
    Picture,
    /// Selects a mutator by the content of the input.
    Any,
    /// Like `Any`, and replaces names.
    #[cfg(feature = "cli")]
    Named,
    /// Changes the names and values in results of `pchr test`.
    #[cfg(feature = "cli")]
    Results,
    /// Changes `pchr-test.toml`.
    #[cfg(feature = "cli")]
    Settings,
}

impl Mutator {
    /// Returns `bytes` changed; the result may be slightly longer than `most`. `None` if the caller should change
    /// it as bytes.
    pub fn mutate(
        self,
        bytes: &[u8],
        most: usize,
        random: &mut Random,
        as_bytes: &mut AsBytes<'_>,
    ) -> Option<Vec<u8>> {
        match self {
            Self::Bytes => None,
            Self::Json => json(bytes, most, random, as_bytes),
            Self::Spine => spine(bytes, random),
            Self::Skel => skel(bytes, random),
            Self::Skelform => skelform(bytes, most, random, as_bytes),
            Self::Picture => picture(bytes, random, as_bytes),
            Self::Any => Self::of(bytes).and_then(|kind| kind.mutate(bytes, most, random, as_bytes)),
            #[cfg(feature = "cli")]
            Self::Named => named(bytes, most, random, as_bytes),
            #[cfg(feature = "cli")]
            Self::Results => results(bytes, random),
            #[cfg(feature = "cli")]
            Self::Settings => settings(bytes, random),
        }
    }

    /// Returns the mutator for such bytes.
    fn of(bytes: &[u8]) -> Option<Self> {
        let says = |word: &[u8]| bytes.windows(word.len()).any(|window| window == word);
        match bytes {
            _ if bytes.starts_with(b"PK") => Some(Self::Skelform),
            _ if bytes.starts_with(&SIGNATURE) => Some(Self::Picture),
            [b'{', ..] if says(b"\"slots\"") => Some(Self::Spine),
            _ if TextPart::of(bytes).is_some() => Some(Self::Json),
            _ if is_text(bytes) => Some(Self::Spine),
            _ => None,
        }
    }
}

/// Returns the number of changes: usually one, at most four.
fn times(random: &mut Random) -> usize {
    1 + random.below(2) * random.below(4)
}

#[cfg(feature = "cli")]
fn named(bytes: &[u8], most: usize, random: &mut Random, as_bytes: &mut AsBytes<'_>) -> Option<Vec<u8>> {
    let is_json = bytes.first() == Some(&b'{');
    let kept = is_json && random.below(2) == 0;
    let mut text = if kept { bytes.to_vec() } else { Mutator::Any.mutate(bytes, most, random, as_bytes)? };
    if is_json {
        for _ in 0..random.below(4) {
            rename(&mut text, random);
        }
    }
    Some(text)
}

#[cfg(feature = "cli")]
fn results(bytes: &[u8], random: &mut Random) -> Option<Vec<u8>> {
    if random.below(16) == 0 {
        return None;
    }
    let mut text = bytes.to_vec();
    for _ in 0..times(random) {
        match random.below(4) {
            0..3 if rename(&mut text, random) => {}
            _ => damage_json(&mut text, &RESULTS, random),
        }
    }
    repair(&mut text, random);
    Some(text)
}

#[cfg(feature = "cli")]
fn settings(bytes: &[u8], random: &mut Random) -> Option<Vec<u8>> {
    if random.below(16) == 0 {
        return None;
    }
    let mut text = bytes.to_vec();
    (0..times(random)).for_each(|_| damage_toml(&mut text, random));
    Some(text)
}

fn json(bytes: &[u8], most: usize, random: &mut Random, as_bytes: &mut AsBytes<'_>) -> Option<Vec<u8>> {
    let mut part = TextPart::of(bytes)?;
    let is_packed = matches!(part.around, Around::Pachario | Around::Sheet);
    match random.below(8) {
        0 => return None,
        1 => as_bytes(&mut part.text, most),
        2 if is_packed => as_bytes(&mut part.picture, most),
        3 if part.picture.starts_with(&SIGNATURE) => part.picture = damage_png(&part.picture, random, as_bytes),
        _ => (0..times(random)).for_each(|_| damage_json(&mut part.text, &PCHR, random)),
    }
    // The two forms are similar: inputs found for one are tried for the other.
    if random.below(64) == 0 {
        part.around = if is_packed { Around::Nothing } else { Around::Pachario };
    }
    Some(part.join())
}

fn spine(bytes: &[u8], random: &mut Random) -> Option<Vec<u8>> {
    if random.below(16) == 0 {
        return None;
    }
    let is_json = bytes.first() == Some(&b'{');
    let mut text = bytes.to_vec();
    for _ in 0..times(random) {
        match text.is_empty() {
            true => return None,
            false if is_json => damage_json(&mut text, &SPINE, random),
            false => damage_text(&mut text, random),
        }
    }
    (!text.is_empty()).then_some(text)
}

fn skel(bytes: &[u8], random: &mut Random) -> Option<Vec<u8>> {
    if random.below(8) == 0 {
        return None;
    }
    let mut bytes = bytes.to_vec();
    (0..times(random)).for_each(|_| damage_skel(&mut bytes, random));
    Some(bytes)
}

fn skelform(bytes: &[u8], most: usize, random: &mut Random, as_bytes: &mut AsBytes<'_>) -> Option<Vec<u8>> {
    let mut entries = zip::entries(bytes);
    let armature = entries.iter_mut().find(|entry| entry.name == "armature.json")?;
    let mut text = armature.packed.clone();
    match random.below(8) {
        0 => return None,
        1 => as_bytes(&mut text, most.saturating_sub(bytes.len()).max(1) + armature.packed.len()),
        _ => (0..times(random)).for_each(|_| damage_json(&mut text, &SKELFORM, random)),
    }
    *armature = zip::Entry::stored("armature.json", &text);
    Some(zip::zip(&entries))
}

/// Changes a PNG structurally. The length of a WebP stays correct, because decoders check it first.
fn picture(bytes: &[u8], random: &mut Random, as_bytes: &mut AsBytes<'_>) -> Option<Vec<u8>> {
    let is_other = !bytes.starts_with(&SIGNATURE) && !bytes.is_empty();
    if is_other && random.below(8) > 0 {
        let mut bytes = bytes.to_vec();
        let most = bytes.len() + 64;
        as_bytes(&mut bytes, most);
        if bytes.starts_with(b"RIFF") && bytes.len() >= 8 {
            let length = (bytes.len() - 8) as u32;
            bytes[4..8].copy_from_slice(&length.to_le_bytes());
        }
        return Some(bytes);
    }
    Some(damage_png(bytes, random, as_bytes))
}
