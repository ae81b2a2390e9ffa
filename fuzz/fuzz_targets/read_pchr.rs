//! The PCHR v1 reader.
#![no_main]

pchr_fuzz::target!(read_pchr);
