//! The PCHR v1 reader.
#![no_main]

use libfuzzer_sys::fuzz_target;
use pchr_fuzz::{ask, spare_decoders};

fuzz_target!(init: spare_decoders(), |bytes: &[u8]| ask("read_pchr", bytes));
