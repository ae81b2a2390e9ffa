//! Sprite sheets in every form, and Aseprite files.
#![no_main]

use libfuzzer_sys::{fuzz_mutator, fuzz_target};
use pchr_fuzz::{ask, checks, mutate};

fuzz_target!(|bytes: &[u8]| ask(checks::read_sheet, bytes));
fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| { mutate(data, size, max_size, seed) });
