//! Any character → complete clips of every format, and sheets.
#![no_main]

pchr_fuzz::target!(export);
