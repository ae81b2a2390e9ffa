//! The Spine reader alone, on a skeleton or an atlas.
#![no_main]

pchr_fuzz::target!(parse_spine);
