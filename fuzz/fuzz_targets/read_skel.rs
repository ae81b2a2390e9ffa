//! The reader of binary Spine skeletons, and the resulting poses.
#![no_main]

pchr_fuzz::target!(read_skel);
