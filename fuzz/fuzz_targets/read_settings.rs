//! `pchr-test.toml`, and the pictures that it plans.
#![no_main]

pchr_fuzz::target!(read_settings);
