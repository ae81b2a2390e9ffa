//! The Spine reader, on a skeleton or an atlas, and the resulting poses.
#![no_main]

pchr_fuzz::target!(read_spine);
