//! The palette and the list of keys.

pub mod help;
pub mod palette;
