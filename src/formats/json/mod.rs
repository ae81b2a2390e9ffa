//! Helpers shared by the readers and writers of JSON.

pub mod locate;
pub mod number;
pub mod text;
pub mod values;
