//! The JSON forms: the description of a v1 file, and the older Pachario JSON.
//!
//! Both are read by the same code, which knows the words of both; each is written by its own.

pub mod description;
mod layout;
mod number;
pub mod pachario;
mod read;
mod text;

pub use read::{JsonText, read};

/// Whether a file begins as JSON with an object in it does.
pub fn is_json(head: &[u8]) -> bool {
    let head = text::without_bom(head);
    head.iter().find(|byte| !byte.is_ascii_whitespace()) == Some(&b'{')
}
