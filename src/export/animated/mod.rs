//! Many pictures → one file that plays them: the frames of one animation, all of one size, in their order.
//!
//! Pictures are rendered and encoded side by side and written as their turn comes; memory does not grow with
//! their number. Only a GIF is drawn twice: once for its palette, once for its pictures.

mod apng;
mod timing;

use std::io::{self, Write};

use super::{Drawing, ExportError, Sequence};
use crate::motion::Cue;

pub use timing::Rate;

/// What a file of many pictures is written as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AnimatedFormat {
    /// PNG with animation: every pixel as it is.
    Apng,
}

/// How an animation is written to one file.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Clip<'a> {
    /// What kind of file.
    pub format: AnimatedFormat,
    /// What each picture shows, in order. Not empty.
    pub cues: &'a [Cue],
    /// How fast they follow one another.
    pub rate: Rate,
    /// How often it is played; 0 is for ever.
    pub plays: u16,
}

/// Where the pictures go.
pub struct Destination<'a> {
    /// What the file is called in errors.
    pub place: &'a str,
    /// Takes the bytes.
    pub out: &'a mut (dyn Write + Send),
    /// Told after every picture that was worked on: as often as [`AnimatedFormat::passes`] says.
    pub worked: &'a (dyn Fn() + Sync),
}

/// What became of a clip.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Outcome {
    /// False when it was cancelled: what was written is no whole file.
    pub is_finished: bool,
}

impl AnimatedFormat {
    /// How often every picture is drawn.
    pub fn passes(self) -> usize {
        match self {
            Self::Apng => 1,
        }
    }
}

impl Sequence<'_> {
    /// Renders the pictures of `clip` and writes them as one file, which it does not flush.
    pub fn write_clip(
        &self,
        drawing: &mut Drawing<'_>,
        clip: &Clip<'_>,
        destination: Destination<'_>,
    ) -> Result<Outcome, ExportError> {
        match clip.format {
            AnimatedFormat::Apng => apng::write(self, drawing, clip, destination),
        }
    }
}

/// An error of an encoder, which is the writer's where that had one.
fn encoding_error(error: impl std::error::Error + Send + Sync + 'static) -> io::Error {
    io::Error::other(error)
}
