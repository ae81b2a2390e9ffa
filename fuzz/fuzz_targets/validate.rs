//! Validation, which must reach the same verdict as reading.
#![no_main]

pchr_fuzz::target!(validate);
