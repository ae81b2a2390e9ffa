//! Any Spine skeleton → any version and form of Spine → reads again.
#![no_main]

pchr_fuzz::target!(rewrite_spine);
