//! The settings file.

pub mod file;
pub mod kept;
