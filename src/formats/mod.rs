//! Bytes → [`Character`]. This file is the only list of formats.

pub mod image;
pub mod pchr;
mod source;

use std::io::Read;
use std::path::Path;

use ::bytes::Bytes;

use crate::character::Character;
use crate::diagnostics::Diagnostics;
use crate::error::{Error, Place, Result};
use crate::limits::Limits;

pub use source::read_limited;

/// How to read a file where it does not say itself.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct ReadOptions {
    /// Which stored frame the vertices were authored in.
    pub bind_pose: BindPose,
    /// The file's `v` points up.
    pub flip_v: bool,
    /// The file's y points down and its angles turn clockwise.
    pub y_down: bool,
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

/// One format that can be read.
struct Format {
    /// Its name for people.
    name: &'static str,
    /// How sure the first bytes make us, 0 to 100.
    score: fn(&[u8]) -> u8,
    read: fn(Bytes, &ReadOptions, &mut Diagnostics) -> Result<Character>,
}

/// Every format, best known first.
const FORMATS: &[Format] = &[Format { name: "PCHR v1", score: pchr::score, read: pchr::read_character }];

/// Reads the file at `path`, or what its bytes say it is.
pub fn open(path: &Path, options: &ReadOptions, diagnostics: &mut Diagnostics) -> Result<Character> {
    let (file, len) = source::open_file(path)?;
    from_reader(file, len, options, diagnostics).map_err(|error| error.in_file(path.display()))
}

/// Reads what `input` gives, `expected` bytes or so. What no format begins with is refused after a few bytes.
pub fn from_reader(
    mut input: impl Read,
    expected: u64,
    options: &ReadOptions,
    diagnostics: &mut Diagnostics,
) -> Result<Character> {
    let head = source::read_limited(input.by_ref().take(HEAD), 0, &options.limits)?;
    best_format(&head)?;
    let bytes = source::read_limited(head.as_ref().chain(input), expected, &options.limits)?;
    from_bytes(bytes, options, diagnostics)
}

/// Enough bytes to tell every format by.
const HEAD: u64 = 64;

/// Reads a file that is in memory. The format is told from the bytes, never from a name.
pub fn from_bytes(
    bytes: impl Into<Bytes>,
    options: &ReadOptions,
    diagnostics: &mut Diagnostics,
) -> Result<Character> {
    let bytes = bytes.into();
    (best_format(&bytes)?.read)(bytes, options, diagnostics)
}

fn best_format(bytes: &[u8]) -> Result<&'static Format> {
    let best = FORMATS.iter().max_by_key(|format| (format.score)(bytes));
    best.filter(|format| (format.score)(bytes) > 0).ok_or_else(|| unknown(bytes))
}

fn unknown(bytes: &[u8]) -> Error {
    let names: Vec<&str> = FORMATS.iter().map(|format| format.name).collect();
    let found = match bytes {
        [] => "the file is empty".to_owned(),
        _ => format!("the file begins with `{}`", bytes[..bytes.len().min(8)].escape_ascii()),
    };
    let message = format!("not a character that can be read: {found}; readable is {}", names.join(", "));
    Error::unsupported("unknown-format", Place::default(), message)
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
