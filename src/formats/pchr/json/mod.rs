//! The JSON forms: the description of a v1 file, and the older Pachario JSON.
//!
//! Both are read by the same code, which knows the words of both; each is written by its own.

use crate::formats::json_text;

pub mod description;
mod layout;
mod locate;
pub mod number;
pub mod pachario;
mod read;

pub use locate::{Located, locate};
use read::is_pachario;
pub use read::{JsonText, read};

/// Whether a file begins as JSON with an object in it does.
pub fn is_json(head: &[u8]) -> bool {
    let head = json_text::without_bom(head);
    head.iter().find(|byte| !byte.is_ascii_whitespace()) == Some(&b'{')
}

/// The text of a file that [`is_json`], without the mark that some editors put in front.
pub fn text_of(bytes: &[u8]) -> JsonText<'_> {
    let text = json_text::without_bom(bytes);
    JsonText { text, offset: (bytes.len() - text.len()) as u64 }
}

/// Whether text is of a character, be it broken: two of the lists that one has are there. Other JSON is not.
pub fn resembles_character(text: &[u8]) -> bool {
    let lists = locate(text, &["/bones", "/meshes", "/images"]);
    lists.iter().flatten().filter(|located| located.is_exact).count() >= 2
}

/// Which of the two forms a text has.
pub(super) fn kind_of(text: &[u8]) -> super::Kind {
    if is_pachario(text) { super::Kind::PacharioJson } else { super::Kind::Description }
}
