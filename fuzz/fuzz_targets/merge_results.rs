//! Merging the results of `pchr test`: the report and the output of every style.
#![no_main]

use libfuzzer_sys::{fuzz_mutator, fuzz_target};
use pchr_fuzz::{ask, mutate, spare_decoders};

fuzz_target!(init: spare_decoders(), |bytes: &[u8]| ask("merge_results", bytes));
fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    mutate("merge_results", data, size, max_size, seed)
});
