//! The table of formats: names, extensions, readers, targets, and losses of conversions.
//!
//! `rows` lists the formats, `losses` what they cannot represent. The programs take the values of their options,
//! their dialogs and their lists from here.

pub(crate) mod losses;
mod rows;

use std::path::Path;

#[cfg(feature = "convert")]
use super::keys::Texts;
use super::{Input, ReadOptions};
use crate::character::Character;
use crate::diagnostics::Diagnostics;
use crate::error::Result;

pub use losses::LossKind;
pub use rows::FORMATS;

/// A file format, or several that share a reader.
#[derive(Debug)]
pub struct Format {
    pub(crate) family: Family,
    /// A short name: `spine`.
    pub name: &'static str,
    /// The names of its programs, without what is supported.
    pub(crate) brand: &'static str,
    /// A human-readable name, with what is supported.
    pub title: &'static str,
    /// The feature that enables its reader; `None`: always enabled.
    pub feature: Option<&'static str>,
    /// The extensions of its files.
    pub extensions: Extensions,
    /// True for sprite sheets, which are converted to each other directly.
    pub is_sheet: bool,
    /// Its values of `--from`. PCHR has several forms; all sheets share one.
    pub sources: &'static [Source],
    /// The forms that can be written.
    pub targets: &'static [Target],
    /// Confidence that the file has this format, 0 to 100, from its first bytes or all of it.
    score: fn(&[u8]) -> u8,
    /// Human-readable name of the exact kind of file.
    kind: fn(&[u8]) -> &'static str,
    pub(super) reader: Option<Reader>,
}

/// Formats that share a reader.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Family {
    Pchr,
    Spine,
    Sheet,
    Aseprite,
    SkelForm,
    Animate,
}

/// The extensions of a format's files, in lower case.
#[derive(Debug, Clone, Copy)]
pub struct Extensions {
    /// Extensions used for characters only.
    pub own: &'static [&'static str],
    /// Extensions used for other files too: only the content shows whether a file is a character.
    pub shared: &'static [&'static str],
    /// Extensions of files that are mostly not characters; only files that the user names are opened.
    pub only_named: &'static [&'static str],
}

/// A form of input files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Source {
    /// Value of `--from`.
    pub name: &'static str,
    /// Short description.
    pub about: &'static str,
}

/// A form of output files.
#[derive(Debug, Clone, Copy)]
pub struct Target {
    /// Value of `--to`.
    pub name: &'static str,
    /// Short description.
    pub about: &'static str,
    /// Extension of the main file. The first target with an extension is the default for it.
    pub extension: &'static str,
    /// True if images are written as separate files beside the main file.
    pub has_separate_images: bool,
    /// True for a sheet, which can only be converted from sheets.
    pub is_sheet: bool,
    /// What a conversion to it may lose, depending on the source.
    pub(crate) loses: &'static [&'static [LossKind]],
}

impl PartialEq for Target {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for Target {}

/// The reader of a format.
#[derive(Debug)]
pub(super) struct Reader {
    pub read: fn(&Input<'_>, &ReadOptions, &mut Diagnostics) -> Result<Character>,
    /// Returns the JSON that states keys and names; `None` if there is none.
    #[cfg(feature = "convert")]
    pub texts: fn(&Input<'_>, &ReadOptions, &mut Diagnostics) -> Result<Option<Texts>>,
}

impl Format {
    /// Returns the confidence that a file has this format, 0 to 100, from its first bytes or all of it.
    pub fn score(&self, bytes: &[u8]) -> u8 {
        (self.score)(bytes)
    }

    /// Returns the human-readable name of the exact kind of file.
    pub fn kind(&self, bytes: &[u8]) -> &'static str {
        (self.kind)(bytes)
    }

    /// Returns true if this build reads the format.
    pub(crate) fn is_read(&self) -> bool {
        self.reader.is_some()
    }
}

impl Extensions {
    /// Returns all extensions.
    pub fn all(&self) -> impl Iterator<Item = &'static str> {
        [self.own, self.shared, self.only_named].into_iter().flatten().copied()
    }
}

/// Returns the formats that this build reads.
pub(crate) fn readable() -> impl Iterator<Item = &'static Format> {
    FORMATS.iter().filter(|format| format.is_read())
}

/// Returns all formats, skeletons before sprite sheets.
fn skeletons_first() -> impl Iterator<Item = &'static Format> {
    let (sheets, skeletons): (Vec<_>, Vec<_>) = FORMATS.iter().partition(|format| format.is_sheet);
    skeletons.into_iter().chain(sheets)
}

/// Returns all forms of input files, without duplicates.
pub fn sources() -> Vec<&'static Source> {
    distinct(skeletons_first().flat_map(|format| format.sources))
}

/// Returns the items without duplicates, in order.
fn distinct<T: PartialEq>(items: impl Iterator<Item = T>) -> Vec<T> {
    let mut found = Vec::new();
    for item in items {
        if !found.contains(&item) {
            found.push(item);
        }
    }
    found
}

/// Returns the source with the given name.
pub fn source(name: &str) -> Option<&'static Source> {
    FORMATS.iter().flat_map(|format| format.sources).find(|source| source.name == name)
}

/// Returns all forms of output files.
pub fn targets() -> impl Iterator<Item = &'static Target> {
    skeletons_first().flat_map(|format| format.targets)
}

/// Returns the target with the given name.
pub fn target(name: &str) -> Option<&'static Target> {
    targets().find(|target| target.name == name)
}

/// Returns the default target for files with `extension`.
pub fn usual_target(extension: &str) -> Option<&'static Target> {
    targets().find(|target| target.extension.eq_ignore_ascii_case(extension))
}

/// Returns the default target of a conversion, by the extensions of its files: a packed sheet is unpacked into its own
/// JSON.
pub fn implied_target(input: &Path, output: &Path) -> Option<&'static Target> {
    let is = |path: &Path, extension| path.extension().is_some_and(|own| own.eq_ignore_ascii_case(extension));
    if is(input, "sprsh") && is(output, "json") {
        return target("sheet");
    }
    usual_target(&output.extension()?.to_string_lossy())
}

impl Target {
    /// Returns true if `source` can be converted to it: sheets are only made from sheets.
    pub fn takes(&self, source: &Source) -> bool {
        let is_sheet = |format: &Format| format.is_sheet && format.sources.contains(source);
        !self.is_sheet || FORMATS.iter().any(is_sheet)
    }

    /// Returns what a conversion to it may lose.
    pub fn losses(&self) -> impl Iterator<Item = &'static LossKind> {
        self.loses.iter().copied().flatten()
    }
}

/// Returns the extensions of all files that this build reads, without duplicates, for dialogs.
pub fn extensions() -> Vec<&'static str> {
    distinct(readable().flat_map(|format| format.extensions.all()))
}

/// Returns the extensions that folders are searched for: first those used for characters only, then the shared
/// ones.
pub fn searched_extensions() -> Vec<&'static str> {
    let formats = || skeletons_first().filter(|format| format.is_read());
    let own = formats().flat_map(|format| format.extensions.own);
    distinct(own.chain(formats().flat_map(|format| format.extensions.shared)).copied())
}

/// Returns true if files with this extension may be something other than characters that this build reads.
pub fn is_shared_extension(extension: &str) -> bool {
    readable().any(|format| format.extensions.shared.contains(&extension))
}
