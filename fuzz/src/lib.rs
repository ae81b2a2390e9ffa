//! What the fuzz targets share: the checks that the normal tests ask too, limits that keep every input quick, and
//! a mutator that knows JSON.

use bytes::Bytes;
use libfuzzer_sys::fuzzer_mutate;
use pchr::formats::pchr::{json_text, packed};
use pchr::limits::Limits;

use json_damage::{PCHR, SKELFORM, SPINE, damage_json};
use random::Random;

#[path = "../../tests/common/checks.rs"]
#[allow(dead_code, reason = "every program uses its own part")]
pub mod checks;
#[path = "../../tests/common/json_damage.rs"]
mod json_damage;
#[path = "../../tests/common/random.rs"]
#[allow(dead_code, reason = "every program uses its own part")]
mod random;
#[path = "../../tests/common/show.rs"]
#[allow(dead_code, reason = "every program uses its own part")]
mod show;
#[path = "../../tests/common/spine_checks.rs"]
pub mod spine_checks;
#[path = "../../tests/common/zip.rs"]
#[allow(dead_code, reason = "every program uses its own part")]
mod zip;

/// A check of any bytes.
pub type Check = fn(&Bytes, &Limits);

/// Asks `check` about `bytes`, within limits that a fuzzer reaches.
pub fn ask(check: Check, bytes: &[u8]) {
    let mut limits = Limits::default();
    limits.file_bytes = 1 << 20;
    limits.pixels = 1 << 16;
    limits.memory_bytes = 16 << 20;
    check(&Bytes::copy_from_slice(bytes), &limits);
}

/// Changes the first `size` of `data`, to at most `max_size` bytes: the JSON in it as JSON, the rest as bytes.
/// The lengths in a packed file stay right but for once in a while.
pub fn mutate(data: &mut [u8], size: usize, max_size: usize, seed: u32) -> usize {
    let mut random = Random(seed.into());
    match mutated(&data[..size], max_size, &mut random) {
        Some(new) if new.len() <= max_size => {
            data[..new.len()].copy_from_slice(&new);
            new.len()
        }
        _ => fuzzer_mutate(data, size, max_size),
    }
}

/// `None` where all of it is to be changed as bytes.
fn mutated(bytes: &[u8], max_size: usize, random: &mut Random) -> Option<Vec<u8>> {
    let json = json_text(bytes)?;
    let (mut text, is_packed) = (json.text.to_vec(), json.offset == 16);
    let mut picture = bytes[json.offset as usize + text.len()..].to_vec();
    match random.below(8) {
        0 => return None,
        1 => as_bytes(&mut text, max_size),
        2 if is_packed => as_bytes(&mut picture, max_size),
        _ => (0..1 + random.below(2) * random.below(4)).for_each(|_| damage_json(&mut text, &PCHR, random)),
    }
    // The two forms look alike inside: what was found for one is tried for the other.
    let is_packed = is_packed != (random.below(64) == 0);
    if is_packed { packed::write(&text, &picture).ok() } else { Some(text) }
}

/// [`mutate`] for Spine: what begins as an object is changed as JSON, anything else (an atlas) as bytes.
pub fn mutate_spine(data: &mut [u8], size: usize, max_size: usize, seed: u32) -> usize {
    let mut random = Random(seed.into());
    if data[..size].first() != Some(&b'{') || random.below(16) == 0 {
        return fuzzer_mutate(data, size, max_size);
    }
    let mut text = data[..size].to_vec();
    (0..1 + random.below(2) * random.below(4)).for_each(|_| damage_json(&mut text, &SPINE, &mut random));
    if text.is_empty() || text.len() > max_size {
        return fuzzer_mutate(data, size, max_size);
    }
    data[..text.len()].copy_from_slice(&text);
    text.len()
}

fn as_bytes(bytes: &mut Vec<u8>, max_size: usize) {
    let size = bytes.len();
    bytes.resize(size.max(max_size), 0);
    let size = fuzzer_mutate(bytes, size, max_size.max(size));
    bytes.truncate(size);
}

/// The same for a SkelForm file: most of the time the JSON in it as JSON, with an archive that fits.
pub fn mutate_skelform(data: &mut [u8], size: usize, max_size: usize, seed: u32) -> usize {
    let mut random = Random(seed.into());
    let mut entries = zip::entries(&data[..size]);
    if let (Some(armature), 1..) =
        (entries.iter_mut().find(|entry| entry.name == "armature.json"), random.below(8))
    {
        let mut text = armature.packed.clone();
        match random.below(8) {
            0 => {
                let most = max_size.saturating_sub(size).max(1) + text.len();
                as_bytes(&mut text, most);
            }
            _ => (0..1 + random.below(2) * random.below(4))
                .for_each(|_| damage_json(&mut text, &SKELFORM, &mut random)),
        }
        *armature = zip::Entry::stored("armature.json", &text);
        let new = zip::zip(&entries);
        if new.len() <= max_size {
            data[..new.len()].copy_from_slice(&new);
            return new.len();
        }
    }
    fuzzer_mutate(data, size, max_size)
}
