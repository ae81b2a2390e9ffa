//! References that hold several frames in one file.

use std::path::Path;

use super::{animated, sheet};
use crate::draw::{Picture, View};
use crate::error::{Error, Result};
use crate::export::Format;
use crate::limits::Limits;

/// One frame of a reference.
#[derive(Debug)]
pub struct GoldenFrame {
    /// The picture, with straight alpha.
    pub picture: Picture,
    /// How long it is shown, in milliseconds.
    pub shown_ms: f64,
}

/// Frames that are decoded one by one.
pub(super) type Decoded = Box<dyn Iterator<Item = Result<GoldenFrame>>>;

/// The frames of an animated picture or of a sprite sheet, in order. They are decoded one by one.
pub struct Frames(Decoded);

impl Frames {
    /// Opens a file of `format`. `view` is the view that the pictures of the run have; of a sheet, what it shows is
    /// returned at one pixel per world pixel, like the frames that it was made from.
    ///
    /// # Errors
    ///
    /// Fails if the file is missing, damaged or over a limit, and for formats that cannot be read. The frames
    /// themselves can be damaged too.
    pub fn open(path: &Path, format: Format, view: &View, limits: &Limits) -> Result<Self> {
        let frames = match format {
            Format::Sheet => sheet::frames(path, view, limits)?,
            Format::Apng => animated::frames(path, animated::apng, limits)?,
            Format::Gif => animated::frames(path, animated::gif, limits)?,
            Format::Webp => animated::frames(path, animated::webp, limits)?,
            Format::Png | Format::Raw | Format::Y4m | Format::Mp4 | Format::Webm | Format::Mov | Format::Psd => {
                let message = format!("{} does not hold several frames that can be read", format.noun());
                return Err(Error::misuse("no-frames", message));
            }
        };
        Ok(Self(frames))
    }
}

impl Iterator for Frames {
    type Item = Result<GoldenFrame>;

    fn next(&mut self) -> Option<Self::Item> {
        self.0.next()
    }
}
