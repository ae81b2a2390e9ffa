//! Finds the sheets of a character, as a game does: in a folder `images` of a folder that contains the file.

use ::bytes::Bytes;

use crate::error::{Error, Place, Result, escaped};
use crate::formats::Sidecars;
use crate::formats::detect::sheet::Engine;
use crate::formats::sheet::parts::file_name;
use crate::limits::Budget;

/// A sheet.
pub struct Found {
    /// Its path, for messages.
    pub name: String,
    /// The XML.
    pub bytes: Bytes,
    /// The image and its path, or why it cannot be loaded.
    pub picture: Result<(Bytes, String), String>,
}

/// Finds a sheet by its path below `images`. Returns why there is none; a texture atlas in its place is an error.
pub fn sheet(
    path: &str,
    engine: Engine,
    sidecars: &dyn Sidecars,
    budget: &mut Budget<'_>,
) -> Result<Result<Found, String>> {
    let found = in_folders(path, sidecars, |folder, stem| {
        for extension in ["xml", "txt"] {
            if let Ok(bytes) = folder.load(&format!("{stem}.{extension}"), budget.limits())? {
                budget.check_file(bytes.len() as u64)?;
                let png = format!("{stem}.png");
                let picture = folder.load(&png, budget.limits())?.map(|bytes| (bytes, png));
                return Ok(Some(Found { name: format!("{stem}.{extension}"), bytes, picture }));
            }
        }
        if folder.size(&format!("{stem}/{ANIMATION}")).is_ok() {
            let message = format!(
                "the pictures of this character are in the texture atlas `{}/{ANIMATION}`; an atlas is only read if it is the \
                first entry, and only by programs built with the feature `animate`",
                escaped(stem)
            );
            return Err(Error::unsupported("unread-dialect", Place::inside(engine.image_key()), message));
        }
        Ok(None)
    })?;
    Ok(found.ok_or_else(|| {
        format!(
            "the sheet `images/{0}.xml` or `.txt` does not exist in a folder that contains this one, nor `{1}.xml` beside this \
             file",
            escaped(path_of(path).1),
            escaped(file_name(path))
        )
    }))
}

/// The main file of a texture atlas.
pub const ANIMATION: &str = "Animation.json";

/// Returns the library and the path below `images`, without its extension.
fn path_of(path: &str) -> (&str, &str) {
    // The library of V-Slice is a folder beside the usual one.
    let (library, path) = path.split_once(':').unwrap_or(("shared", path));
    (library, path.strip_suffix(".png").unwrap_or(path))
}

/// Calls `find` with each folder that may contain a sheet and with the path of the sheet there, without its extension, and
/// returns what it finds first.
pub fn in_folders<T>(
    path: &str,
    sidecars: &dyn Sidecars,
    mut find: impl FnMut(&dyn Sidecars, &str) -> Result<Option<T>>,
) -> Result<Option<T>> {
    let (library, path) = path_of(path);
    let of_library = format!("{library}/images");
    let ways = ["images", &*of_library];
    let ways = if library.contains(['/', '\\']) { &ways[..1] } else { &ways[..] };
    for folder in sidecars.above(ways) {
        if let Some(found) = find(&*folder, path)? {
            return Ok(Some(found));
        }
    }
    find(sidecars, file_name(path))
}
