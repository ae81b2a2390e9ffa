//! The libFuzzer side of the fuzz targets. Checks, limits and mutators are in `tests/fuzzing`, and in
//! `programs/cli/tests/fuzzing` for the command lines.

use bytes::Bytes;
use libfuzzer_sys::fuzzer_mutate;
pub use pchr::formats::image::silence_decoders;
use pchr_tests as common;

use common::random::Random;
use fuzzing::targets::{TARGETS, Target, limits};

#[path = "../../tests/fuzzing/mod.rs"]
mod fuzzing;
#[cfg(feature = "cli")]
#[path = "../../programs/cli/tests/fuzzing/targets/mod.rs"]
mod targets;

/// Defines the program of a target.
#[macro_export]
macro_rules! target {
    ($name:ident) => {
        // libFuzzer stops at all other panics.
        libfuzzer_sys::fuzz_target!(init: $crate::silence_decoders(), |bytes: &[u8]| {
            $crate::check(stringify!($name), bytes)
        });
        libfuzzer_sys::fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
            $crate::mutate(stringify!($name), data, size, max_size, seed)
        });
    };
}

/// Runs the check of a target on `bytes`.
pub fn check(target: &str, bytes: &[u8]) {
    (named(target).check)(&Bytes::copy_from_slice(bytes), &limits());
}

/// Mutates the first `size` bytes of `data`, to at most `max_size` bytes, with the mutator of a target.
pub fn mutate(target: &str, data: &mut [u8], size: usize, max_size: usize, seed: u32) -> usize {
    let mut random = Random(seed.into());
    match (named(target).mutator)(&data[..size], max_size, &mut random, &mut as_bytes) {
        Some(new) if new.len() <= max_size => {
            data[..new.len()].copy_from_slice(&new);
            new.len()
        }
        Some(_) | None => fuzzer_mutate(data, size, max_size),
    }
}

fn named(name: &str) -> &'static Target {
    let targets = TARGETS.iter();
    #[cfg(feature = "cli")]
    let targets = targets.chain(targets::TARGETS);
    let mut named = targets.filter(|target| target.name == name);
    named.next().unwrap_or_else(|| panic!("there is no target `{name}`"))
}

fn as_bytes(bytes: &mut Vec<u8>, most: usize) {
    let size = bytes.len();
    bytes.resize(size.max(most), 0);
    let size = fuzzer_mutate(bytes, size, most.max(size));
    bytes.truncate(size);
}
