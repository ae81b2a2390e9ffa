//! The output of `pchr validate` in every style, for a file with a hostile name.
#![no_main]

use libfuzzer_sys::{fuzz_mutator, fuzz_target};
use pchr_fuzz::{ask, mutate, spare_decoders};

fuzz_target!(init: spare_decoders(), |bytes: &[u8]| ask("print_findings", bytes));
fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    mutate("print_findings", data, size, max_size, seed)
});
