//! Mutators of names, of results and of settings, which only the command lines print or read.

use super::names::rename;
use super::suites::repair;
use super::toml_damage::damage_toml;
use crate::common::json_damage::{RESULTS, damage_json};
use crate::common::random::Random;
use crate::fuzzing::mutators::{AsBytes, any, times};

/// Changes any file, and replaces names.
pub fn named(bytes: &[u8], most: usize, random: &mut Random, as_bytes: &mut AsBytes<'_>) -> Option<Vec<u8>> {
    let is_json = bytes.first() == Some(&b'{');
    let kept = is_json && random.below(2) == 0;
    let mut text = if kept { bytes.to_vec() } else { any(bytes, most, random, as_bytes)? };
    if is_json {
        for _ in 0..random.below(4) {
            rename(&mut text, random);
        }
    }
    Some(text)
}

/// Changes the names and values in results of `pchr test`.
pub fn results(bytes: &[u8], _: usize, random: &mut Random, _: &mut AsBytes<'_>) -> Option<Vec<u8>> {
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

/// Changes `pchr-test.toml`.
pub fn settings(bytes: &[u8], _: usize, random: &mut Random, _: &mut AsBytes<'_>) -> Option<Vec<u8>> {
    if random.below(16) == 0 {
        return None;
    }
    let mut text = bytes.to_vec();
    (0..times(random)).for_each(|_| damage_toml(&mut text, random));
    Some(text)
}
