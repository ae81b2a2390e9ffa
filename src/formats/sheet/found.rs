//! Detection of sheets among the JSON files of a folder, most of which are something else.

use crate::formats::detect::json::{Keys, without_bom};
use crate::formats::detect::sheet::{resembles_egret, resembles_sheet};
use crate::formats::json::locate::locate;

/// Returns true if JSON found in a folder is a sheet: it has frames and metadata.
pub fn is_sheet_json(bytes: &[u8]) -> bool {
    let text = without_bom(bytes);
    let has_meta = || locate(text, &["/meta"])[0].as_ref().is_some_and(|meta| meta.is_exact);
    resembles_sheet(text) && (has_meta() || has_flat_frames(text))
}

/// Returns true for an Egret sheet whose first frame has a rectangle.
fn has_flat_frames(text: &[u8]) -> bool {
    let Some((_, frames)) = Keys::of(text).find(|(key, _)| *key == b"frames") else { return false };
    let Some((_, frame)) = Keys::of(&text[frames..]).next() else { return false };
    resembles_egret(text) && Keys::of(&text[frames + frame..]).any(|(key, _)| key == b"w")
}
