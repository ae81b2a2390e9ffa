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
    // The library of V-Slice is a folder beside the usual one.
    let (library, path) = path.split_once(':').unwrap_or(("shared", path));
    let path = path.strip_suffix(".png").unwrap_or(path);
    let of_library = format!("{library}/images");
    let ways = ["images", &*of_library];
    let ways = if library.contains(['/', '\\']) { &ways[..1] } else { &ways[..] };
    let folders = sidecars.above(ways);
    let above = folders.iter().map(|folder| (&**folder, path));
    for (folder, stem) in above.chain([(sidecars, file_name(path))]) {
        if let Ok(bytes) = folder.load(&format!("{stem}.xml"), budget.limits())? {
            budget.check_file(bytes.len() as u64)?;
            let png = format!("{stem}.png");
            let picture = folder.load(&png, budget.limits())?.map(|bytes| (bytes, png));
            return Ok(Ok(Found { name: format!("{stem}.xml"), bytes, picture }));
        }
        if folder.size(&format!("{stem}/Animation.json")).is_ok() {
            let message = format!(
                "the pictures of this character are the Adobe Animate texture atlas `{}/Animation.json`, which is not \
                supported; pchr reads characters with Sparrow sheets (.xml)",
                escaped(stem)
            );
            return Err(Error::unsupported("unread-dialect", Place::inside(engine.image_key()), message));
        }
    }
    Ok(Err(format!(
        "the sheet `images/{0}.xml` does not exist in a folder that contains this one, nor `{1}.xml` beside this file",
        escaped(path),
        escaped(file_name(path))
    )))
}
