//! SkelForm files: the archive, its JSON, and the resulting character.
#![no_main]

pchr_fuzz::target!(read_skelform);
