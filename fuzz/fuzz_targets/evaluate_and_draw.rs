//! Read, pose at many times, draw.
#![no_main]

use libfuzzer_sys::fuzz_target;
use pchr_fuzz::{ask, checks};

fuzz_target!(|bytes: &[u8]| ask(checks::evaluate_and_draw, bytes));
