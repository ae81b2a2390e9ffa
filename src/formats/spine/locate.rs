//! Where the pictures of a skeleton are: in an atlas, which the user names or which is found near the skeleton, or in
//! loose files.

use std::collections::HashSet;
use std::path::PathBuf;

use ::bytes::Bytes;

use super::find_atlas::{Found, Search, search};
use crate::diagnostics::Diagnostics;
use crate::error::{Error, Place, Result};
use crate::formats::atlas::Atlas;
use crate::formats::folder::leads_out;
use crate::formats::{Input, ReadOptions, Sidecars};
use crate::limits::Limits;

/// The place of the pictures.
pub enum Located<'a> {
    /// In the pages of atlases, at least one. Regions are looked up in this order.
    Atlases(Vec<FoundAtlas<'a>>),
    /// In loose files. If there are atlases but none is a clear match, a message lists them.
    Loose(Option<String>),
}

/// An atlas.
pub struct FoundAtlas<'a> {
    /// Path for messages.
    pub name: String,
    pub bytes: Bytes,
    /// Its folder, unless that is the skeleton's.
    folder: Option<Box<dyn Sidecars + 'a>>,
    skeleton: &'a dyn Sidecars,
}

impl FoundAtlas<'_> {
    /// Parses the atlas.
    pub fn parse(&self, diagnostics: &mut Diagnostics) -> Result<Atlas> {
        let text = std::str::from_utf8(&self.bytes).map_err(|error| {
            let place = Place::at("", error.valid_up_to() as u64);
            Error::malformed("bad-utf8", place, "an atlas must be UTF-8 text").in_file(&self.name)
        })?;
        Atlas::parse(text, &self.name, diagnostics)
    }

    /// The folder that pages are searched in.
    pub fn folder(&self) -> &dyn Sidecars {
        self.folder.as_deref().unwrap_or(self.skeleton)
    }
}

/// Finds the atlases: those in `options`, or the result of [`search`]. `wanted` are the picture names of all
/// attachments.
pub fn locate<'a>(
    input: &Input<'a>,
    options: &ReadOptions,
    wanted: &HashSet<&str>,
    limits: &Limits,
    diagnostics: &mut Diagnostics,
) -> Result<Located<'a>> {
    let skeleton = input.sidecars;
    if !options.atlases.is_empty() {
        let given = |path: &PathBuf| {
            let bytes = skeleton.load_chosen(path, limits)?;
            let (name, folder) = (path.display().to_string(), Some(skeleton.folder_of(path)));
            Ok(FoundAtlas { name, bytes, folder, skeleton })
        };
        return Ok(Located::Atlases(options.atlases.iter().map(given).collect::<Result<_>>()?));
    }
    Ok(match search(skeleton, wanted, limits)? {
        Search::Found(all) => {
            let take = |found: Found<'a>| {
                if let Some(note) = found.note {
                    diagnostics.note("found-elsewhere", Place::default(), note);
                }
                FoundAtlas { name: found.path, bytes: found.bytes, folder: found.folder, skeleton }
            };
            Located::Atlases(all.into_iter().map(take).collect())
        }
        Search::Unreadable(why) => {
            diagnostics.incomplete("missing-atlas", Place::default(), why);
            Located::Loose(None)
        }
        Search::Nothing(candidates) => Located::Loose(candidates),
    })
}

/// The folders of loose pictures, relative to the skeleton; `images` is the one that it states. Without one, they are beside
/// the file or in `images`, where exports put them.
pub fn loose_folders(images: &str) -> Vec<String> {
    let images = images.trim_start_matches("./").trim_end_matches(['/', '\\']);
    // Such a folder only exists on the author's disk; pictures are shipped next to the file.
    let folders = if leads_out(images) { &["", "images"][..] } else { &[images] };
    folders.iter().copied().map(str::to_owned).collect()
}
