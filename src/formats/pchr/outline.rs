//! A look at a file that reads as little of it as can be: not the pixels and not the frames of a v1 file.

use std::io::{Read, Seek, SeekFrom};

use ::bytes::Bytes;

use super::build;
use super::document::{Document, Kind};
use super::{Input, read_document, read_outline};
use crate::diagnostics::Diagnostics;
use crate::error::{Error, Result};
use crate::formats::{ReadOptions, Sidecars, load_from};
use crate::limits::Budget;

/// A document that may have been read in part.
#[derive(Debug)]
pub struct Outline {
    /// What was read; the blocks that were not say so.
    pub document: Document,
    /// Bytes of the file.
    pub file_bytes: u64,
}

/// Bytes by which the kinds are told apart.
const HEAD: u64 = 17;

/// Looks at a file of `len` bytes. Only v1 has parts that can be passed over; the other kinds are read whole.
pub fn read_file_outline(
    mut file: impl Read + Seek,
    len: u64,
    sidecars: &dyn Sidecars,
    options: &ReadOptions,
    diagnostics: &mut Diagnostics,
) -> Result<Outline> {
    let io = |source| Error::Io { place: Box::default(), source };
    let mut head = Vec::new();
    file.by_ref().take(HEAD).read_to_end(&mut head).map_err(io)?;
    file.seek(SeekFrom::Start(0)).map_err(io)?;
    let mut budget = Budget::new(&options.limits);
    let document = if Kind::of(&head, len) == Kind::V1 && super::score(&head) > 0 {
        let outline = read_outline(file, len, &mut budget, diagnostics);
        #[cfg(feature = "formats-all")]
        let outline = outline.map_err(|error| match super::packed::hint(&head, len) {
            Some(hint) => error.with_hint(&hint),
            None => error,
        });
        Document::v1(outline?)
    } else {
        read_whole(load_from(file, len, &options.limits)?, sidecars, &mut budget, diagnostics)?
    };
    Ok(Outline { document, file_bytes: len })
}

/// A file that has no parts to pass over. Of the pictures beside it only the sizes are looked at.
fn read_whole(
    bytes: Bytes,
    sidecars: &dyn Sidecars,
    budget: &mut Budget<'_>,
    diagnostics: &mut Diagnostics,
) -> Result<Document> {
    #[cfg(feature = "formats-all")]
    if super::json::is_json(&bytes) {
        let mut document = super::read_json(&bytes, budget, diagnostics)?;
        super::find_pictures(&mut document, sidecars);
        return Ok(document);
    }
    read_document(&Input { bytes, sidecars }, budget, diagnostics)
}

/// The bone that owns each mesh, by index; `None` for a mesh that has no owner.
///
/// Fails at the first mesh with an error, or where `diagnostics` collects errors adds them there and goes on with
/// `None`.
pub fn mesh_owners(
    document: &Document,
    options: &ReadOptions,
    diagnostics: &mut Diagnostics,
) -> Result<Vec<Option<usize>>> {
    let mut budget = Budget::new(&options.limits);
    let meshes = build::check_meshes(document, options, &mut budget, diagnostics)?;
    Ok(meshes.into_iter().map(|mesh| mesh.and_then(|mesh| mesh.owner).map(|owner| owner.index())).collect())
}
