//! The reader of Spine, of a skeleton or an atlas, and every pose that it gives.
#![no_main]

use libfuzzer_sys::{fuzz_mutator, fuzz_target};
use pchr_fuzz::{ask, mutate_spine, spine_checks};

fuzz_target!(|bytes: &[u8]| ask(spine_checks::read_spine, bytes));
fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    mutate_spine(data, size, max_size, seed)
});
