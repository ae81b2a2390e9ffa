//! The JSON forms: the description of a v1 file, the older Pachario JSON, and packed Pachario.
//!
//! Both sets of names are read by the same code; each form has its own writer.

#[cfg(feature = "convert")]
pub mod description;
#[cfg(feature = "convert")]
mod layout;
#[cfg(feature = "convert")]
pub mod pachario;
mod packed;
mod read;
mod shared;

use super::document::{Document, Kind};
use crate::diagnostics::Diagnostics;
use crate::error::{Place, Result};
use crate::formats::Input;
use crate::limits::Budget;

pub(crate) use crate::formats::detect::json::JsonText;
#[cfg(feature = "formats-all")]
pub(crate) use crate::formats::detect::json::is_json;
#[cfg(feature = "formats-all")]
pub(crate) use crate::formats::json::locate::locate;
#[cfg(feature = "formats-all")]
pub(crate) use crate::formats::json::text::Lines;
#[cfg(feature = "convert")]
pub use packed::write_packed;
pub(crate) use read::read;

/// Reads a file in a JSON form, with the pictures next to it.
pub(super) fn read_form(
    kind: Kind,
    input: &Input<'_>,
    budget: &mut Budget<'_>,
    diagnostics: &mut Diagnostics,
) -> Result<Document> {
    budget.check_file(input.bytes.len() as u64)?;
    if kind == Kind::PackedPachario {
        return packed::read(&input.bytes, budget, diagnostics);
    }
    let mut document = read(JsonText::of(&input.bytes), budget, diagnostics)?;
    load_pictures(&mut document, input, budget)?;
    Ok(document)
}

/// Loads the pictures that a JSON form references, each once. Together they may be as large as one file. A
/// picture counts for every image that references it, since writing the character repeats it as often.
fn load_pictures(document: &mut Document, input: &Input<'_>, budget: &mut Budget<'_>) -> Result<()> {
    /// Units of work for a byte of an image that JSON lists more than once, counted from the size of its file,
    /// for each repetition.
    const REPEATED_BYTE: u64 = 2;
    let mut known = std::collections::HashMap::new();
    let mut total = 0;
    for (index, (image, sidecar)) in document.file.images.iter_mut().zip(&mut document.sidecars).enumerate() {
        let loaded = match known.get(&sidecar.path) {
            Some(loaded) => {
                let bytes =
                    std::result::Result::as_ref(loaded).map_or(0, |bytes: &::bytes::Bytes| bytes.len() as u64);
                budget.charge_work(bytes, REPEATED_BYTE, || Place::inside(format!("images[{index}].path")))?;
                Clone::clone(loaded)
            }
            None => {
                let loaded = input.sidecars.load(&sidecar.path, budget.limits())?;
                known.insert(sidecar.path.clone(), loaded.clone());
                loaded
            }
        };
        match loaded {
            Ok(bytes) => {
                total += bytes.len() as u64;
                budget.check_file(total).map_err(|error| error.in_file(&sidecar.path))?;
                image.data = crate::bytes::Block::new(bytes, 0);
                sidecar.missing = None;
            }
            Err(why) => sidecar.missing = Some(why),
        }
    }
    Ok(())
}

/// Returns true if the text looks like a character, even a damaged one: at least two of its lists are present.
#[cfg(feature = "formats-all")]
pub(crate) fn resembles_character(text: &[u8]) -> bool {
    let lists = locate(text, &["/bones", "/meshes", "/images"]);
    lists.iter().flatten().filter(|located| located.is_exact).count() >= 2
}
