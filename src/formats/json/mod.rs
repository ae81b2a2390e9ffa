//! What readers and writers of JSON share.

pub mod locate;
pub mod number;
pub mod text;
pub mod values;
