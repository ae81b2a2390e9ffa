//! Any character → baked → PCHR → opens again, within the reported error.
#![no_main]

pchr_fuzz::target!(bake);
