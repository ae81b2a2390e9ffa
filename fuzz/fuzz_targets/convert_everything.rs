//! Any file that opens → every target → opens again and looks the same.
#![no_main]

use libfuzzer_sys::{fuzz_mutator, fuzz_target};
use pchr_fuzz::{ask, mutate, spare_decoders};

fuzz_target!(init: spare_decoders(), |bytes: &[u8]| ask("convert_everything", bytes));
fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    mutate("convert_everything", data, size, max_size, seed)
});
