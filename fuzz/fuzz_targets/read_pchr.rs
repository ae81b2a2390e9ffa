//! The PCHR v1 reader.
#![no_main]

use libfuzzer_sys::fuzz_target;
use pchr_fuzz::{ask, checks};

fuzz_target!(|bytes: &[u8]| ask(checks::read_pchr, bytes));
