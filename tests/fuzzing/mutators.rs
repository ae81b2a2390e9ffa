//! Mutators of the fuzz targets. JSON, archives and PNGs are changed structurally, everything else as bytes.
//!
//! The caller provides the mutation of bytes, because a fuzzer has its own.

use super::png_damage::damage_png;
use super::pngs::SIGNATURE;
use super::skel_damage::damage_skel;
use super::text_damage::{damage_text, is_text};
use crate::common::json_damage::{ANIMATE, PCHR, SKELFORM, SPINE, damage_json};
use crate::common::random::Random;
use crate::common::text_part::{Around, TextPart};
use crate::common::zip;

/// Mutates bytes, to at most the given length.
pub type AsBytes<'a> = dyn FnMut(&mut Vec<u8>, usize) + 'a;

/// Returns bytes changed; the result may be slightly longer than the given length. `None` if the caller should change
/// them as bytes.
pub type Mutator = fn(&[u8], usize, &mut Random, &mut AsBytes<'_>) -> Option<Vec<u8>>;

/// Returns the number of changes: usually one, at most four.
pub fn times(random: &mut Random) -> usize {
    1 + random.below(2) * random.below(4)
}

/// Changes bytes.
pub fn bytes(_: &[u8], _: usize, _: &mut Random, _: &mut AsBytes<'_>) -> Option<Vec<u8>> {
    None
}

/// Selects a mutator by the content of the input.
pub fn any(bytes: &[u8], most: usize, random: &mut Random, as_bytes: &mut AsBytes<'_>) -> Option<Vec<u8>> {
    let says = |word: &[u8]| bytes.windows(word.len()).any(|window| window == word);
    let mutator = match bytes {
        _ if bytes.starts_with(b"PK") => skelform,
        _ if bytes.starts_with(&SIGNATURE) => picture,
        [b'{', ..] if says(b"\"slots\"") => spine,
        [b'{', ..] if says(b"\"TL\"") => animate,
        _ if TextPart::of(bytes).is_some() => json,
        _ if is_text(bytes) => spine,
        _ => return None,
    };
    mutator(bytes, most, random, as_bytes)
}

/// Changes JSON, also in packed files, whose lengths usually stay correct.
pub fn json(bytes: &[u8], most: usize, random: &mut Random, as_bytes: &mut AsBytes<'_>) -> Option<Vec<u8>> {
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

/// Changes the JSON of atlases of Adobe Animate.
pub fn animate(bytes: &[u8], _: usize, random: &mut Random, _: &mut AsBytes<'_>) -> Option<Vec<u8>> {
    if random.below(16) == 0 || !bytes.starts_with(b"{") {
        return None;
    }
    let mut text = bytes.to_vec();
    (0..times(random)).for_each(|_| damage_json(&mut text, &ANIMATE, random));
    Some(text)
}

/// Changes objects as JSON and anything else (an atlas) as text.
pub fn spine(bytes: &[u8], _: usize, random: &mut Random, _: &mut AsBytes<'_>) -> Option<Vec<u8>> {
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

/// Changes values of binary skeletons in place, and sometimes bytes.
pub fn skel(bytes: &[u8], _: usize, random: &mut Random, _: &mut AsBytes<'_>) -> Option<Vec<u8>> {
    if random.below(8) == 0 {
        return None;
    }
    let mut bytes = bytes.to_vec();
    (0..times(random)).for_each(|_| damage_skel(&mut bytes, random));
    Some(bytes)
}

/// Changes the JSON in an archive and packs it again.
pub fn skelform(bytes: &[u8], most: usize, random: &mut Random, as_bytes: &mut AsBytes<'_>) -> Option<Vec<u8>> {
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

/// Changes the chunks of a PNG, with correct checksums. The length of a WebP stays correct, because decoders check it first.
pub fn picture(bytes: &[u8], _: usize, random: &mut Random, as_bytes: &mut AsBytes<'_>) -> Option<Vec<u8>> {
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
