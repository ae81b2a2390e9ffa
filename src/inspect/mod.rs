//! Describes what a file contains: images, bones, slots, meshes, animations, and its size in the file and on the GPU.
//!
//! Of a PCHR file only the necessary parts are read; pictures and frames are skipped. Of the PNGs in a
//! SkelForm file, only completeness is checked.
//!
//! ```
//! use pchr::diagnostics::Diagnostics;
//! use pchr::formats::ReadOptions;
//!
//! let options = ReadOptions::default();
//! let path = "assets/paper-knight.pchr";
//! let report = pchr::inspect::file(path.as_ref(), path, &["animations"], &options, &mut Diagnostics::default())?;
//! assert!(report.to_string().contains("animations ("));
//! # Ok::<(), pchr::Error>(())
//! ```

mod gather;
mod gather_model;
mod print;
mod report;

use std::collections::HashMap;
use std::io::Read;
use std::path::Path;

use ::bytes::Bytes;

use crate::diagnostics::Diagnostics;
use crate::error::{Error, Result};
use crate::formats::pchr::{Outline, read_document, read_file_outline};
use crate::formats::{self, Folder, Input, NO_SIDECARS, ReadOptions, Sidecars, animate, skelform, spine};
use crate::limits::Budget;
use crate::motion::Motion;

use gather_model::About;

pub use print::size;
pub use report::FileReport;

/// Describes the file at `path`, which is called `name` in the report.
///
/// `sections` are keys of the report as JSON: `animations`, `attachments`, `bones`, `constraints`, `events`, `header`,
/// `images`, `memory`, `meshes`, `skins` and `slots`. If it is empty, the report has all of them.
///
/// # Errors
///
/// Fails if the file cannot be read: an unknown format, an exceeded limit, or a fault in a part that is read.
pub fn file(
    path: &Path,
    name: &str,
    sections: &[&str],
    options: &ReadOptions,
    diagnostics: &mut Diagnostics,
) -> Result<FileReport> {
    let sidecars = Folder::of(path).listed_in(&options.listings);
    let subject = Subject { name, sections, options, sidecars: &sidecars };
    // A pipe can only be read once.
    if formats::is_pipe_or_device(path) {
        return subject.inspect_stream(formats::load(path, &options.limits)?, diagnostics);
    }
    // If parts of the file can be skipped, read only its beginning here.
    let head = head_of(path)?;
    if spine::may_be(&head) || !formats::is_document(&head) {
        let bytes = formats::load(path, &options.limits)?;
        if !formats::is_document(&bytes) {
            return subject.inspect_character(bytes, diagnostics);
        }
    }
    let (opened, len) = formats::open_regular_file(path)?;
    let outline = read_file_outline(opened, len, &sidecars, options, diagnostics)?;
    Ok(subject.gather(&outline))
}

/// Like [`file()`], for a file in memory without other files beside it.
///
/// # Errors
///
/// Like [`file()`].
pub fn bytes(
    bytes: Bytes,
    name: &str,
    sections: &[&str],
    options: &ReadOptions,
    diagnostics: &mut Diagnostics,
) -> Result<FileReport> {
    Subject { name, sections, options, sidecars: NO_SIDECARS }.inspect_stream(bytes, diagnostics)
}

/// What is inspected, and how.
struct Subject<'a> {
    name: &'a str,
    sections: &'a [&'a str],
    options: &'a ReadOptions,
    sidecars: &'a dyn Sidecars,
}

impl Subject<'_> {
    fn wants(&self, section: &str) -> bool {
        self.sections.is_empty() || self.sections.contains(&section)
    }

    fn inspect_stream(&self, bytes: Bytes, diagnostics: &mut Diagnostics) -> Result<FileReport> {
        if !formats::is_document(&bytes) {
            return self.inspect_character(bytes, diagnostics);
        }
        let file_bytes = bytes.len() as u64;
        let input = Input { bytes, sidecars: self.sidecars };
        let document = read_document(&input, &mut Budget::new(&self.options.limits), diagnostics)?;
        Ok(self.gather(&Outline::of(document, file_bytes, self.options, diagnostics)?))
    }

    fn inspect_character(&self, bytes: Bytes, diagnostics: &mut Diagnostics) -> Result<FileReport> {
        let format = formats::format_name(&bytes).unwrap_or("unknown");
        let input = Input { bytes: bytes.clone(), sidecars: self.sidecars };
        let character = formats::from_input_with_blank_pages(&input, self.options, diagnostics)?;
        let about = About {
            name: self.name,
            format,
            bytes: bytes.len() as u64,
            spine: spine::kind(&bytes).map(|_| spine::stated_version(&bytes)),
            sidecars: self.sidecars,
            limits: &self.options.limits,
            diagnostics,
            entries: match character.motion() {
                Motion::SkelForm(_) => skelform::entry_sizes(&bytes, &self.options.limits)?.into_iter().collect(),
                Motion::Animate(_) => animate::entry_sizes(&bytes, &self.options.limits)?.into_iter().collect(),
                Motion::Sampled(_) | Motion::Flipbook(_) | Motion::Spine(_) | Motion::Stage(_) => HashMap::new(),
            },
        };
        Ok(gather_model::gather(&about, &character, |section| self.wants(section)))
    }

    fn gather(&self, outline: &Outline) -> FileReport {
        gather::gather(self.name, outline, self.options, |section| self.wants(section))
    }
}

/// Reads the beginning of a file.
fn head_of(file: &Path) -> Result<Vec<u8>> {
    let (opened, _) = formats::open_regular_file(file)?;
    let mut head = Vec::new();
    opened.take(HEAD).read_to_end(&mut head).map_err(|error| Error::io(file.display(), error))?;
    Ok(head)
}

/// Bytes needed to detect whether a file has to be read completely.
const HEAD: u64 = 64;
