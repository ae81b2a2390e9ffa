//! Helpers shared by the readers and writers of JSON.

pub mod locate;
pub mod number;
mod paths;
mod read;
pub mod text;
pub mod values;

pub use read::read;
