//! Bytes → [`Character`]. This file is the only list of formats.

#[cfg(feature = "formats-all")]
pub mod aseprite;
mod beside;
#[cfg(feature = "formats-all")]
pub mod conversions;
#[cfg(feature = "formats-all")]
mod find_picture;
pub mod findings;
mod folder;
mod foreign;
#[cfg(any(feature = "formats-all", feature = "export"))]
pub(crate) mod free_names;
pub mod image;
#[cfg(feature = "formats-all")]
mod json_keys;
#[cfg(feature = "formats-all")]
mod json_text;
#[cfg(feature = "formats-all")]
mod json_values;
#[cfg(feature = "formats-all")]
mod keyframes;
mod page_alpha;
pub mod pchr;
#[cfg(feature = "formats-all")]
pub mod sheet;
#[cfg(feature = "formats-all")]
pub mod skelform;
mod source;
#[cfg(feature = "formats-all")]
pub mod spine;
#[cfg(feature = "formats-all")]
mod stored;
#[cfg(feature = "formats-all")]
pub mod written;

use std::io::Read;
use std::path::{Path, PathBuf};

use ::bytes::Bytes;

use crate::character::Character;
use crate::diagnostics::Diagnostics;
use crate::error::{Error, Place, Result};
use crate::limits::Limits;

pub use crate::model::PageAlpha;
pub use beside::Beside;
pub use folder::Folder;
pub use source::{Nearby, NoSidecars, Sidecars, is_pipe_or_device, open_file, open_regular_file, read_limited};

/// How to read a file where it does not say itself.
#[derive(Debug, Clone, Default, PartialEq)]
#[non_exhaustive]
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
    #[cfg(feature = "formats-all")]
    pub grid: Option<sheet::Grid>,
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

/// One format that can be read.
struct Format {
    /// Its name for people.
    name: &'static str,
    /// How sure the first bytes make us, 0 to 100.
    score: fn(&[u8]) -> u8,
    /// What exactly a file of it is called, for people.
    kind: fn(&[u8]) -> &'static str,
    read: fn(&Input<'_>, &ReadOptions, &mut Diagnostics) -> Result<Character>,
    /// Looks for everything that is wrong or odd.
    examine: fn(&Input<'_>, &ReadOptions, &mut Diagnostics) -> Result<()>,
}

/// Every format, best known first.
const FORMATS: &[Format] = &[
    Format {
        name: if cfg!(feature = "formats-all") {
            "PCHR v1, its JSON description, Pachario JSON and packed Pachario"
        } else {
            "PCHR v1"
        },
        score: pchr::score,
        kind: |bytes| pchr::kind_of(bytes).name(),
        read: pchr::read_character,
        examine: pchr::examine,
    },
    #[cfg(feature = "formats-all")]
    Format {
        name: "JSON of Spine 3.0 to 3.8",
        score: spine::score,
        kind: |bytes| spine::kind(bytes).unwrap_or("Spine"),
        read: spine::read_character,
        examine: spine::examine,
    },
    #[cfg(feature = "formats-all")]
    Format {
        name: "sprite sheets (JSON of Aseprite, TexturePacker or Egret, Starling XML, cocos2d plist, libGDX .atlas, .sprsh, \
               a PNG with a grid)",
        score: sheet::score,
        kind: sheet::kind,
        read: sheet::read_character,
        examine: sheet::examine,
    },
    #[cfg(feature = "formats-all")]
    Format {
        name: "Aseprite (.aseprite, .ase)",
        score: aseprite::score,
        kind: |_| aseprite::KIND,
        read: aseprite::read_character,
        examine: aseprite::examine,
    },
    #[cfg(feature = "formats-all")]
    Format {
        name: "SkelForm",
        score: skelform::score,
        kind: |_| skelform::KIND,
        read: skelform::read_character,
        examine: skelform::examine,
    },
];

/// The extensions of files that may be characters, for dialogs and searches in folders. The format of a file is
/// detected from its content.
pub const EXTENSIONS: &[&str] = if cfg!(feature = "formats-all") {
    &["pchr", "json", "sprsh", "png", "aseprite", "ase", "skf", "skfe", "xml", "plist", "atlas"]
} else {
    &["pchr"]
};

/// The name of every format that can be read, for people.
pub fn names() -> impl Iterator<Item = &'static str> {
    FORMATS.iter().map(|format| format.name)
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
const HEAD: u64 = 256;

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
    (best_format(&input.bytes)?.read)(input, options, diagnostics)
}

/// Refuses a file of another program that is known by name.
pub fn refuse_foreign(bytes: &[u8]) -> Result<()> {
    foreign::recognise(bytes).map_or(Ok(()), Err)
}

/// What a file is called by people, told from its bytes; `None` where no format begins like this.
pub fn format_name(bytes: &[u8]) -> Option<&'static str> {
    best_format(bytes).ok().map(|format| (format.kind)(bytes))
}

/// Whether more speaks for a whole file being a character than that nothing speaks against it.
pub fn is_likely(bytes: &[u8]) -> bool {
    best_format(bytes).is_ok_and(|format| (format.score)(bytes) > POSSIBLE)
}

/// The score of a file of which more has to be seen.
const POSSIBLE: u8 = 5;

/// Whether a file is one of those that [`pchr::read_document`] reads.
pub fn is_document(bytes: &[u8]) -> bool {
    best_format(bytes).is_ok_and(|format| format.name == FORMATS[0].name)
}

fn best_format(bytes: &[u8]) -> Result<&'static Format> {
    let best = FORMATS.iter().max_by_key(|format| (format.score)(bytes));
    let best = best.filter(|format| (format.score)(bytes) > 0);
    // Its JSON takes all that no other format claims.
    if best.is_none_or(|format| format.name == FORMATS[0].name)
        && let Some(error) = foreign::recognise(bytes)
    {
        return Err(error);
    }
    best.ok_or_else(|| unknown(bytes))
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
    (best_format(&input.bytes)?.examine)(input, options, &mut diagnostics)?;
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
