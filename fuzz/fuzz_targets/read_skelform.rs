//! SkelForm files: the archive, its JSON, and the resulting character.
#![no_main]

use libfuzzer_sys::{fuzz_mutator, fuzz_target};
use pchr_fuzz::{ask, mutate, spare_decoders};

fuzz_target!(init: spare_decoders(), |bytes: &[u8]| ask("read_skelform", bytes));
fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    mutate("read_skelform", data, size, max_size, seed)
});
