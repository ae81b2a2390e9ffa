//! Any character → Spine and SkelForm → opens again.
#![no_main]

pchr_fuzz::target!(write_keyed);
