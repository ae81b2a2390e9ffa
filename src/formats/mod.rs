//! Bytes → [`Character`]. [`table`] is the only list of formats.
//!
//! Each family of formats is a feature. Without it `absent.rs` stands in for its module.
#![allow(clippy::duplicate_mod, reason = "one file stands in for every family that is left out")]

#[cfg_attr(not(feature = "aseprite"), path = "absent.rs")]
pub mod aseprite;
mod atlas;
mod beside;
mod detect;
mod find_picture;
pub mod findings;
mod folder;
mod foreign;
pub mod free_names;
mod grid;
pub mod image;
#[cfg(feature = "json")]
mod json;
mod keyframes;
mod page_alpha;
pub mod pchr;
#[cfg_attr(not(feature = "sheet"), path = "absent.rs")]
pub mod sheet;
#[cfg_attr(not(feature = "skelform"), path = "absent.rs")]
pub mod skelform;
mod source;
#[cfg_attr(not(feature = "spine"), path = "absent.rs")]
pub mod spine;
mod stored;
pub mod table;
pub mod written;

use std::io::Read;
use std::path::{Path, PathBuf};

use ::bytes::Bytes;

use crate::character::Character;
use crate::diagnostics::Diagnostics;
use crate::error::{Error, Place, Result};
use crate::limits::Limits;
use table::{FORMATS, Format, Reader};

pub use crate::model::PageAlpha;
pub use beside::Beside;
pub use folder::Folder;
pub use grid::Grid;
pub use source::{Nearby, NoSidecars, Sidecars, is_pipe_or_device, open_file, open_regular_file, read_limited};

/// How to read a file where it does not say itself.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ReadOptions {
    /// Which stored frame the vertices were authored in.
    pub bind_pose: BindPose,
    /// The file's `v` points up.
    pub flip_v: bool,
    /// The file's y points down and its angles turn clockwise.
    pub y_down: bool,
    /// The atlas of a character that keeps its pictures in one, or the picture of a sprite sheet; `None`: it is looked
    /// for near the file.
    pub atlas: Option<PathBuf>,
    /// Frames a second for motion that has keys and no frames of its own; `None`: what the file says, else 30. And for
    /// frames of a sheet that does not say how long they are shown; `None`: 10. Nothing but a positive number counts.
    pub fps: Option<f64>,
    /// Whether the pictures' colours are multiplied with their alpha.
    pub page_alpha: PageAlpha,
    /// How a picture alone is cut into frames.
    pub grid: Option<Grid>,
    /// How much the file may ask for.
    pub limits: Limits,
}

/// Which stored frame the vertices were authored in.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum BindPose {
    /// Frame 0 of an animation that is named for it, else of the first animation.
    #[default]
    Auto,
    /// This frame of this animation.
    Frame {
        /// The animation's name.
        animation: String,
        /// The stored frame.
        frame: u32,
    },
}

/// A file in memory, and where the files are that it names.
pub struct Input<'a> {
    /// The whole file.
    pub bytes: Bytes,
    /// Where its pictures are, if they are not in it.
    pub sidecars: &'a dyn Sidecars,
}

/// The name of every format that can be read, for people.
pub fn names() -> impl Iterator<Item = &'static str> {
    table::readable().map(|format| format.title)
}

/// Reads the file at `path`, or what its bytes say it is. Pictures that it names are looked for in its folder and
/// below.
pub fn open(path: &Path, options: &ReadOptions, diagnostics: &mut Diagnostics) -> Result<Character> {
    load(path, &options.limits)
        .and_then(|bytes| from_input(&Input { bytes, sidecars: &Folder::of(path) }, options, diagnostics))
        .map_err(|error| error.in_file(path.display()))
}

/// The bytes of the file at `path`. What no format begins with is refused after a few of them.
///
/// It may be a pipe or a device; [`load_regular`] never waits for one.
pub fn load(path: &Path, limits: &Limits) -> Result<Bytes> {
    load_opened(path, source::open_file(path)?, limits)
}

/// The same, of a regular file only.
pub fn load_regular(path: &Path, limits: &Limits) -> Result<Bytes> {
    load_opened(path, source::open_regular_file(path)?, limits)
}

fn load_opened(path: &Path, (file, len): (impl Read, u64), limits: &Limits) -> Result<Bytes> {
    load_from(file, len, limits).map_err(|error| match error.code() {
        // The name of a file never decides how it is read, only what is said of one that cannot be.
        "unknown-format" => foreign::recognise_name(path).unwrap_or(error),
        _ => error,
    })
}

/// Everything that `input` gives, `expected` bytes or so. What no format begins with is refused after a few bytes.
pub fn load_from(mut input: impl Read, expected: u64, limits: &Limits) -> Result<Bytes> {
    // The limit is for the whole.
    let of_head = Limits { file_bytes: limits.file_bytes.max(HEAD), ..limits.clone() };
    let head = source::read_limited(input.by_ref().take(HEAD), 0, &of_head)?;
    // JSON may be indented.
    if head.is_empty() || !head.trim_ascii_start().is_empty() {
        match best_format(&head) {
            // Later keys may make it something else.
            Err(error) if error.code() == "dragonbones" => {}
            found => _ = found?,
        }
    }
    source::read_limited(head.as_ref().chain(input), expected, limits)
}

/// Reads what `input` gives, `expected` bytes or so. What no format begins with is refused after a few bytes.
pub fn from_reader(
    input: impl Read,
    expected: u64,
    options: &ReadOptions,
    diagnostics: &mut Diagnostics,
) -> Result<Character> {
    from_bytes(load_from(input, expected, &options.limits)?, options, diagnostics)
}

/// Enough bytes to detect every format from: the name of an atlas's first page, and what is said of it.
pub(crate) const HEAD: u64 = 256;

/// Reads a file that is in memory. The format is told from the bytes, never from a name.
pub fn from_bytes(
    bytes: impl Into<Bytes>,
    options: &ReadOptions,
    diagnostics: &mut Diagnostics,
) -> Result<Character> {
    from_input(&Input { bytes: bytes.into(), sidecars: &NoSidecars }, options, diagnostics)
}

/// Reads a file that is in memory, with the pictures that it names from wherever `input` has them.
pub fn from_input(input: &Input<'_>, options: &ReadOptions, diagnostics: &mut Diagnostics) -> Result<Character> {
    (reader_of(&input.bytes)?.read)(input, options, diagnostics)
}

/// Refuses a file of another program that is known by name.
pub fn refuse_foreign(bytes: &[u8]) -> Result<()> {
    foreign::recognise(bytes).map_or(Ok(()), Err)
}

/// What a file is called by people, told from its bytes; `None` where no format begins like this.
pub fn format_name(bytes: &[u8]) -> Option<&'static str> {
    format_of(bytes).map(|format| format.kind(bytes))
}

/// The format of a file, detected from its bytes; `None` where no format begins like this.
pub fn format_of(bytes: &[u8]) -> Option<&'static Format> {
    best_format(bytes).ok()
}

/// Whether more speaks for a whole file being a character than that nothing speaks against it.
pub fn is_likely(bytes: &[u8]) -> bool {
    best_format(bytes).is_ok_and(|format| format.score(bytes) > POSSIBLE)
}

/// The score of a file of which more has to be seen.
pub(crate) const POSSIBLE: u8 = 5;

/// Whether a file is one of those that [`pchr::read_document`] reads.
pub fn is_document(bytes: &[u8]) -> bool {
    best_format(bytes).is_ok_and(is_pchr)
}

fn best_format(bytes: &[u8]) -> Result<&'static Format> {
    let best = FORMATS.iter().max_by_key(|format| format.score(bytes));
    let best = best.filter(|format| format.score(bytes) > 0);
    // The JSON of PCHR is all that no other format claims.
    if best.is_none_or(is_pchr)
        && let Some(error) = foreign::recognise(bytes)
    {
        return Err(error);
    }
    best.ok_or_else(|| unknown(bytes))
}

fn is_pchr(format: &Format) -> bool {
    format.name == "pchr"
}

/// What reads a file that begins with `bytes`.
fn reader_of(bytes: &[u8]) -> Result<&'static Reader> {
    let format = best_format(bytes)?;
    format.reader.as_ref().ok_or_else(|| no_reader(format.kind(bytes), format.feature.unwrap_or_default()))
}

/// Why a build without `feature` does not read a file that is `kind`.
fn no_reader(kind: &str, feature: &str) -> Error {
    let message = format!("this build has no reader for {kind}; it was made without the feature `{feature}`");
    Error::unsupported("no-reader", Place::default(), message)
}

fn unknown(bytes: &[u8]) -> Error {
    let names: Vec<&str> = names().collect();
    let found = match bytes {
        [] => "the file is empty".to_owned(),
        _ => format!("the file begins with `{}`", bytes[..bytes.len().min(8)].escape_ascii()),
    };
    let message = format!("not a character that can be read: {found}; readable is {}", names.join(", "));
    Error::unsupported("unknown-format", Place::default(), message)
}

/// Everything that is wrong with a file or odd about it, not only the first.
///
/// Fails where the bytes cannot be judged: a limit is exceeded, or no format begins like this. Whether a file
/// breaks the rules is in the findings: it has an error exactly where [`from_bytes`] fails, or where it plays
/// without a picture that it should have.
pub fn examine(input: &Input<'_>, options: &ReadOptions) -> Result<Diagnostics> {
    let mut diagnostics = Diagnostics::collecting();
    (reader_of(&input.bytes)?.examine)(input, options, &mut diagnostics)?;
    Ok(diagnostics)
}

impl Character {
    /// Reads the character at `path`, with default options. [`open`] tells more.
    pub fn open(path: impl AsRef<Path>) -> Result<Self> {
        open(path.as_ref(), &ReadOptions::default(), &mut Diagnostics::default())
    }

    /// Reads a character from a file in memory, with default options. [`from_bytes`] tells more.
    pub fn from_bytes(bytes: impl Into<Bytes>) -> Result<Self> {
        from_bytes(bytes, &ReadOptions::default(), &mut Diagnostics::default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The beginning of a file of each format that may be left out, with the feature that reads it.
    const SAMPLES: [(&str, &str, &[u8]); 5] = [
        ("pachario", "PCHR v1 description (JSON)", br#"{"bones": [], "meshes": [], "animations": []}"#),
        ("spine", "Spine skeleton (JSON)", br#"{"skeleton": {"spine": "3.8.99"}, "bones": []}"#),
        ("sheet", "sprite sheet (JSON)", br#"{"frames": []}"#),
        ("aseprite", "Aseprite sprite", b"\x80\0\0\0\xe0\xa5\x01\0"),
        ("skelform", "SkelForm", b"PK\x03\x04"),
    ];

    /// Run without features too.
    #[test]
    fn a_format_without_a_reader_is_named_with_its_feature() {
        for (feature, kind, bytes) in SAMPLES {
            let is_read = match feature {
                "pachario" => cfg!(feature = "pachario"),
                _ => table::readable().any(|format| format.feature == Some(feature)),
            };
            let read = from_bytes(bytes, &ReadOptions::default(), &mut Diagnostics::default());
            let error = read.err().filter(|error| error.code() == "no-reader").map(|error| error.to_string());
            let expected =
                format!("this build has no reader for {kind}; it was made without the feature `{feature}`");
            assert_eq!(error, (!is_read).then_some(expected));
        }
        assert_eq!(names().count(), 1 + FORMATS.iter().skip(1).filter(|format| format.is_read()).count());
    }

    #[test]
    fn formats_and_targets_have_names_of_their_own() {
        let mut names: Vec<&str> = FORMATS.iter().map(|format| format.name).collect();
        names.dedup();
        assert_eq!(names.len(), FORMATS.len());
        let targets: Vec<&str> = table::targets().map(|target| target.name).collect();
        for (at, name) in targets.iter().enumerate() {
            assert!(!targets[..at].contains(name), "{name}");
        }
        assert_eq!(table::usual_target("JSON").map(|target| target.name), Some("pchr-json"));
        assert_eq!(table::usual_target("pchr").map(|target| target.name), Some("pchr"));
        assert_eq!(table::usual_target("txt"), None);
    }
}
