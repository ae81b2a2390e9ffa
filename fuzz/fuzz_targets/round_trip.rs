//! Bytes → read → write → the same bytes.
#![no_main]

use libfuzzer_sys::fuzz_target;
use pchr_fuzz::{ask, checks};

fuzz_target!(|bytes: &[u8]| ask(checks::round_trip, bytes));
