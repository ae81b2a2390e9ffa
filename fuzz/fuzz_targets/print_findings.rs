//! The output of `pchr validate` in every style, for a file with a hostile name.
#![no_main]

pchr_fuzz::target!(print_findings);
