//! JSON text → [`schema::Root`], and the active styles from `editor.json`.

use super::container::Container;
use super::schema;
use crate::diagnostics::Diagnostics;
use crate::error::{Error, Place, Result};
use crate::formats::detect::json::without_bom;
use crate::formats::image::png_size;
use crate::formats::json::{self, Oddity, note_boolean};
use crate::limits::Budget;

/// The entry that every file contains.
pub const ARMATURE: &str = "armature.json";
/// The entry that states which styles are active.
pub const EDITOR: &str = "editor.json";

/// The picture of files without a list of atlases.
const ONLY_ATLAS: &str = "textures.png";

/// Upper bound on the memory for a parsed JSON object in bytes, including spare capacity, without its text.
const OBJECT_BYTES: usize = 2 * size_of::<schema::Bone<'_>>();

/// Parses all fields; [`normalise`](super::normalise) interprets them. `offset` is the offset of the text in the
/// file, if it is stored uncompressed.
pub fn read<'a>(
    text: &'a [u8],
    offset: Option<u64>,
    budget: &mut Budget<'_>,
    diagnostics: &mut Diagnostics,
) -> Result<schema::Root<'a>> {
    let whole = text.len();
    budget.check_file(whole as u64)?;
    let text = without_bom(text);
    let offset = offset.map(|offset| offset + (whole - text.len()) as u64);
    // The memory for a flood of empty objects is charged before any is parsed.
    let objects = text.iter().filter(|byte| **byte == b'{').count() as u64;
    budget.charge_memory(objects.saturating_sub(SOME_OBJECTS), OBJECT_BYTES, || in_armature(Place::default()))?;
    let mut see = |pointer: String, oddity| match oddity {
        Oddity::Ignored(_) => diagnostics.warn("unknown-key", at(pointer), "unknown key; it is ignored"),
        Oddity::NumberAsBoolean => note_boolean(at(pointer), diagnostics),
    };
    json::read(text, offset.unwrap_or_default(), budget, Some(&mut see))
        .map_err(|error| in_armature_error(error, offset.is_some()))
}

/// Adds the only atlas of early 0.2 files, which have no list of atlases.
pub fn list_only_atlas(root: &mut schema::Root<'_>, container: &Container, budget: &mut Budget<'_>) -> Result<()> {
    if !root.atlases.is_empty() || !container.contains(ONLY_ATLAS) {
        return Ok(());
    }
    let size = match root.texture_size {
        Some(size) => size,
        None => {
            let picture = container.load(ONLY_ATLAS, budget)?;
            let (width, height) = picture.and_then(|picture| png_size(&picture)).unwrap_or_default();
            schema::Vec2 { x: schema::Number(width as f32), y: schema::Number(height as f32) }
        }
    };
    root.atlases.push(schema::Atlas { filename: schema::Text(ONLY_ATLAS.into()), size });
    Ok(())
}

/// Number of objects that are not worth charging.
const SOME_OBJECTS: u64 = 1 << 16;

/// Moves the place of an error into the armature, and drops the offset if it is not one in the file.
fn in_armature_error(mut error: Error, has_offset: bool) -> Error {
    if let Some(place) = error.place_inside_mut() {
        let offset = place.offset.filter(|_| has_offset);
        *place = Place { offset, ..in_armature(std::mem::take(place)) };
    }
    error
}

/// The active styles; `None` if the text does not state them. It belongs to the editor, so its form is not
/// enforced.
pub fn active_styles(text: &[u8], budget: &Budget<'_>) -> Option<Vec<bool>> {
    let text = without_bom(text);
    let editor: schema::Editor = json::read(text, 0, budget, None).ok()?;
    Some(editor.styles?.iter().map(|style| style.active.0).collect())
}

/// A place in the text of the armature: the name of the entry, then the pointer.
pub fn in_armature(place: Place) -> Place {
    Place { path: format!("{ARMATURE}#{}", place.path), ..place }
}

/// The place at `pointer` in the armature.
pub fn at(pointer: impl Into<String>) -> Place {
    in_armature(Place::inside(pointer))
}
