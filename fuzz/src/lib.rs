//! What the fuzz targets share: libFuzzer's part in it. What they ask, within which limits, and how their inputs are
//! changed stands in `tests/fuzzing`.

use bytes::Bytes;
use libfuzzer_sys::fuzzer_mutate;
use pchr::formats::image::is_decoding;

use common::random::Random;
use fuzzing::targets::{limits, named};

mod common;
#[path = "../../tests/fuzzing/mod.rs"]
mod fuzzing;

/// Lets panics of decoders be: they are caught, and become errors of a picture. libFuzzer ends at every other one.
pub fn spare_decoders() {
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        if !is_decoding() {
            hook(info);
        }
    }));
}

/// Asks what the target of this name asks about `bytes`.
pub fn ask(target: &str, bytes: &[u8]) {
    (named(target).check)(&Bytes::copy_from_slice(bytes), &limits());
}

/// Changes the first `size` of `data`, to at most `max_size` bytes, as the target of this name wants it.
pub fn mutate(target: &str, data: &mut [u8], size: usize, max_size: usize, seed: u32) -> usize {
    let mut random = Random(seed.into());
    match named(target).mutator.mutate(&data[..size], max_size, &mut random, &mut as_bytes) {
        Some(new) if new.len() <= max_size => {
            data[..new.len()].copy_from_slice(&new);
            new.len()
        }
        Some(_) | None => fuzzer_mutate(data, size, max_size),
    }
}

fn as_bytes(bytes: &mut Vec<u8>, most: usize) {
    let size = bytes.len();
    bytes.resize(size.max(most), 0);
    let size = fuzzer_mutate(bytes, size, most.max(size));
    bytes.truncate(size);
}
