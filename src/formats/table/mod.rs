//! The table of formats: what each is called, which files it is in, what is read, what is written, and what that loses.
//!
//! `rows` lists the formats, `losses` what has no place in them. Programs take the words of their options, their
//! dialogs and their lists from here.

pub mod losses;
mod rows;

use std::fmt;

use ::bytes::Bytes;

use super::{Input, ReadOptions};
use crate::character::Character;
use crate::diagnostics::Diagnostics;
use crate::error::Result;

pub use losses::LossKind;
pub use rows::FORMATS;

/// A file format, or several that one reader reads.
#[derive(Debug)]
pub struct Format {
    /// A short name: `spine`.
    pub name: &'static str,
    /// Its name for people, with what of it is read.
    pub title: &'static str,
    /// The feature that its reader belongs to; `None`: every build reads it.
    pub feature: Option<&'static str>,
    /// The extensions of its files.
    pub extensions: Extensions,
    /// Its files are sprite sheets, which are converted to each other as they are.
    pub is_sheet: bool,
    /// What `--from` calls it. PCHR has several forms, and sheets are one however they are written.
    pub sources: &'static [Source],
    /// What can be written.
    pub targets: &'static [Target],
    detect: Detect,
    pub(super) reader: Option<Reader>,
}

/// The extensions of a format's files, in lower case.
#[derive(Debug, Clone, Copy)]
pub struct Extensions {
    /// No other program uses them: what has one is a character.
    pub own: &'static [&'static str],
    /// Other files have them as well: only the content shows whether a file is a character.
    pub shared: &'static [&'static str],
    /// Most of these files are no characters, so only those that the user names are opened.
    pub only_named: &'static [&'static str],
}

/// A form in which files are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Source {
    /// As `--from` has it.
    pub name: &'static str,
    /// In a few words.
    pub about: &'static str,
}

/// A form in which files are written.
#[derive(Debug, Clone, Copy)]
pub struct Target {
    /// As `--to` has it.
    pub name: &'static str,
    /// In a few words.
    pub about: &'static str,
    /// The extension of the file that names the others. Of the targets with the same extension the first is the usual
    /// one.
    pub extension: &'static str,
    /// The pictures are files of their own, beside the file that names them.
    pub has_files_beside: bool,
    /// It is made of sprite sheets only, and keeps what they say.
    pub is_sheet: bool,
    /// What a conversion to it may lose, depending on what it is made of.
    pub loses: &'static [&'static [LossKind]],
}

impl PartialEq for Target {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for Target {}

/// How a format is recognised.
struct Detect {
    /// How sure the first bytes of a file, or all of it, make us: 0 to 100.
    score: fn(&[u8]) -> u8,
    /// The name of exactly this kind of file, for people.
    kind: fn(&[u8]) -> &'static str,
}

impl fmt::Debug for Detect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Detect")
    }
}

/// What reads a format.
pub(super) struct Reader {
    pub read: fn(&Input<'_>, &ReadOptions, &mut Diagnostics) -> Result<Character>,
    /// Looks for everything that is wrong or odd.
    pub examine: fn(&Input<'_>, &ReadOptions, &mut Diagnostics) -> Result<()>,
    /// Lays the frames out as a sprite sheet, where the format is one of frames that is no sheet itself.
    pub as_sheet: Option<fn(&Input<'_>, &ReadOptions) -> Result<AsSheet>>,
}

impl fmt::Debug for Reader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Reader")
    }
}

/// The frames of a file, laid out as a sprite sheet.
pub(super) struct AsSheet {
    /// The JSON and the PNG of each page.
    pub pages: Vec<(String, Bytes)>,
    /// Width and height of a pixel, where they differ.
    pub pixel: Option<[u8; 2]>,
    /// How many frames are shown for other times than the JSON can say.
    pub rounded: usize,
}

impl Format {
    /// How sure the first bytes of a file, or all of it, make us that it is of this format: 0 to 100.
    pub fn score(&self, bytes: &[u8]) -> u8 {
        (self.detect.score)(bytes)
    }

    /// The name of exactly this kind of file, for people.
    pub fn kind(&self, bytes: &[u8]) -> &'static str {
        (self.detect.kind)(bytes)
    }

    /// Whether this build reads it.
    pub fn is_read(&self) -> bool {
        self.reader.is_some()
    }
}

impl Extensions {
    /// All of them.
    pub fn all(&self) -> impl Iterator<Item = &'static str> {
        [self.own, self.shared, self.only_named].into_iter().flatten().copied()
    }
}

/// The formats that this build reads.
pub fn readable() -> impl Iterator<Item = &'static Format> {
    FORMATS.iter().filter(|format| format.is_read())
}

/// Every format, skeletons before sprite sheets.
fn skeletons_first() -> impl Iterator<Item = &'static Format> {
    let (sheets, skeletons): (Vec<_>, Vec<_>) = FORMATS.iter().partition(|format| format.is_sheet);
    skeletons.into_iter().chain(sheets)
}

/// Every form in which files are read, each once.
pub fn sources() -> Vec<&'static Source> {
    let mut sources: Vec<&Source> = Vec::new();
    for source in skeletons_first().flat_map(|format| format.sources) {
        if !sources.contains(&source) {
            sources.push(source);
        }
    }
    sources
}

/// The source of that name.
pub fn source(name: &str) -> Option<&'static Source> {
    FORMATS.iter().flat_map(|format| format.sources).find(|source| source.name == name)
}

/// Every form in which files are written.
pub fn targets() -> impl Iterator<Item = &'static Target> {
    skeletons_first().flat_map(|format| format.targets)
}

/// The target of that name.
pub fn target(name: &str) -> Option<&'static Target> {
    targets().find(|target| target.name == name)
}

/// What is usually written to a file with `extension`.
pub fn usual_target(extension: &str) -> Option<&'static Target> {
    targets().find(|target| target.extension.eq_ignore_ascii_case(extension))
}

impl Target {
    /// Whether it can be made of `source`: sheets are made of sheets alone.
    pub fn takes(&self, source: &Source) -> bool {
        let is_sheet = |format: &Format| format.is_sheet && format.sources.contains(source);
        !self.is_sheet || FORMATS.iter().any(is_sheet)
    }

    /// What a conversion to it may lose.
    pub fn losses(&self) -> impl Iterator<Item = &'static LossKind> {
        self.loses.iter().copied().flatten()
    }
}

/// The extensions of the files that this build reads, each once, for dialogs.
pub fn extensions() -> Vec<&'static str> {
    let mut extensions = Vec::new();
    for extension in readable().flat_map(|format| format.extensions.all()) {
        if !extensions.contains(&extension) {
            extensions.push(extension);
        }
    }
    extensions
}

/// The extensions that searches in folders look for: first those of characters alone, then those that other files have
/// as well.
pub fn searched_extensions() -> Vec<&'static str> {
    let formats = || skeletons_first().filter(|format| format.is_read());
    let mut extensions: Vec<&str> = formats().flat_map(|format| format.extensions.own).copied().collect();
    for extension in formats().flat_map(|format| format.extensions.shared) {
        if !extensions.contains(extension) {
            extensions.push(extension);
        }
    }
    extensions
}

/// Whether files with this extension may be something else than characters, going by the formats that this build reads.
pub fn is_shared_extension(extension: &str) -> bool {
    readable().any(|format| format.extensions.shared.contains(&extension))
}

/// The frames of a file as a sprite sheet, where its format has frames and is no sheet itself.
pub(super) fn as_sheet(input: &Input<'_>, options: &ReadOptions) -> Result<Option<AsSheet>> {
    let reader = super::best_format(&input.bytes)?.reader.as_ref();
    reader.and_then(|reader| reader.as_sheet).map(|as_sheet| as_sheet(input, options)).transpose()
}
