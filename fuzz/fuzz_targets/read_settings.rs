//! `pchr-test.toml`, and the pictures that it plans.
#![no_main]

use libfuzzer_sys::{fuzz_mutator, fuzz_target};
use pchr_fuzz::{ask, mutate, spare_decoders};

fuzz_target!(init: spare_decoders(), |bytes: &[u8]| ask("read_settings", bytes));
fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    mutate("read_settings", data, size, max_size, seed)
});
