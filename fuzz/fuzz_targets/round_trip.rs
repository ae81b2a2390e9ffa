//! Bytes → read → write → the same bytes, or the same text.
#![no_main]

pchr_fuzz::target!(round_trip);
