//! Packed files.
#![no_main]

pchr_fuzz::target!(read_packed);
