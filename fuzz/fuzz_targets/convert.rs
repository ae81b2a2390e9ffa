//! Any PCHR file → every kind of PCHR file → the same poses and pictures.
#![no_main]

pchr_fuzz::target!(convert);
