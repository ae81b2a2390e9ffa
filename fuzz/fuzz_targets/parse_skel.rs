//! The reader of binary Spine skeletons alone.
#![no_main]

pchr_fuzz::target!(parse_skel);
