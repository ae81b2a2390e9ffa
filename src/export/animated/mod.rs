//! Pictures of equal size → one animated file.
//!
//! Pictures are rendered and encoded in parallel and written in order, so memory use does not grow with their
//! number. Only a GIF is rendered twice: once for its palette, once for its pictures. Of each picture but the first,
//! only the area is stored in which it differs from the one before.

mod apng;
mod compressed;
mod gif;
mod palette;
mod steps;
mod timing;
mod video;
mod webp;

use std::io::{self, Write};

use super::{Drawing, ExportError, Format, Sequence, Surface};
use crate::Error;
use crate::draw::Picture;
use crate::motion::Cue;

pub use compressed::Container;
pub use timing::Rate;

/// File format of an animated picture.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum AnimatedFormat {
    /// Animated PNG; lossless.
    Apng,
    /// GIF: one palette for all pictures, 1-bit transparency.
    Gif,
    /// Animated, lossless WebP.
    Webp,
    /// Raw RGBA pixels without headers, picture after picture.
    Raw,
    /// YUV4MPEG2 with full chroma, composited over the matte.
    Y4m,
    /// A video that ffmpeg compresses.
    Compressed(Container),
}

/// An animation to be written to one file.
#[derive(Debug, Clone, Copy)]
pub struct Clip<'a> {
    /// File format.
    pub format: AnimatedFormat,
    /// The contents of each picture, in order. Must not be empty.
    pub cues: &'a [Cue],
    /// Frame rate.
    pub rate: Rate,
    /// Start of each picture and end of the last one in seconds, if they are not evenly spaced. Video formats
    /// always use `rate`.
    pub starts_secs: Option<&'a [f64]>,
    /// Number of plays; 0 means forever.
    pub plays: u16,
    /// Colour under partly transparent pixels, for formats without partial alpha. With `None`, a GIF makes pixels
    /// of at least 50 % alpha opaque, and videos use white.
    pub matte: Option<[u8; 3]>,
    /// Mixes the colours of a GIF in patterns.
    pub dither: bool,
}

/// Where pictures are written.
pub struct Destination<'a> {
    /// Name of the file in errors.
    pub place: &'a str,
    /// Receives the bytes.
    pub out: &'a mut (dyn Write + Send),
    /// Called after every processed picture, [`AnimatedFormat::passes`] times per picture.
    pub picture_done: &'a (dyn Fn() + Sync),
}

/// Result of writing a clip.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Outcome {
    /// False if the export was cancelled; the output is incomplete then.
    pub is_finished: bool,
    /// True if pixels were partly transparent and the format cannot represent that.
    pub has_partial_alpha: bool,
    /// True if the file plays slower than requested because the format has no durations this short.
    pub is_slowed: bool,
}

impl Clip<'_> {
    /// Returns the duration of picture `index`, in units of 1/`units` second.
    fn duration(&self, index: usize, units: f64) -> u64 {
        let Some(starts) = self.starts_secs else { return self.rate.duration(index, units) };
        let start = |index: usize| (starts.get(index).copied().unwrap_or_default() * units + 0.5).floor() as u64;
        start(index + 1).saturating_sub(start(index))
    }

    /// Returns true if any picture is shown for less than 1/`units` second.
    fn is_above(&self, units: f64) -> bool {
        let Some(starts) = self.starts_secs else { return self.rate.is_above(units) };
        // Tolerates rounding errors.
        starts.windows(2).any(|pair| (pair[1] - pair[0]) * units < 1.0 - 1e-6)
    }
}

impl AnimatedFormat {
    /// Returns how often every picture is rendered.
    pub(crate) fn passes(self) -> usize {
        match self {
            Self::Apng | Self::Webp | Self::Raw | Self::Y4m | Self::Compressed(_) => 1,
            Self::Gif => 2,
        }
    }
}

/// Converts `picture`, premultiplied and on the background of `surface`, to how a file of `format` shows it with
/// `matte`, except for compression losses. The result is premultiplied.
pub fn preview_on_matte(picture: &mut Picture, format: Format, surface: Surface, matte: Option<[u8; 3]>) {
    match format.animated() {
        None | Some(AnimatedFormat::Apng | AnimatedFormat::Webp | AnimatedFormat::Raw) => {
            surface.read_back(picture);
        }
        Some(AnimatedFormat::Compressed(container)) if container.has_alpha() => surface.read_back(picture),
        Some(AnimatedFormat::Gif) => {
            gif::flatten(picture, surface.additive, matte);
        }
        Some(AnimatedFormat::Y4m | AnimatedFormat::Compressed(_)) => {
            let [r, g, b] = matte.unwrap_or(WHITE);
            picture.lay_over(|_, _| [r, g, b, 255]);
        }
    }
}

/// The default matte of formats without transparency.
const WHITE: [u8; 3] = [255; 3];

impl Sequence<'_> {
    /// Renders the pictures of `clip` and writes them as one file, without flushing it.
    ///
    /// # Errors
    ///
    /// Fails if the clip has no pictures or the pictures have no pixels, and if rendering or writing fails.
    pub(crate) fn write_clip(
        &self,
        drawing: &mut Drawing<'_>,
        clip: &Clip<'_>,
        destination: Destination<'_>,
    ) -> Result<Outcome, ExportError> {
        self.check_pixels()?;
        if clip.cues.is_empty() {
            return Err(Error::misuse("nothing-to-write", "a clip needs at least one picture").into());
        }
        match clip.format {
            AnimatedFormat::Apng => apng::write(self, drawing, clip, destination),
            AnimatedFormat::Gif => gif::write(self, drawing, clip, destination),
            AnimatedFormat::Webp => webp::write(self, drawing, clip, destination),
            AnimatedFormat::Raw => video::write_raw(self, drawing, clip, destination),
            AnimatedFormat::Y4m => video::write_y4m(self, drawing, clip, destination),
            AnimatedFormat::Compressed(container) => {
                compressed::write(self, drawing, clip, container, destination)
            }
        }
    }
}

/// Wraps an encoder error that is not an I/O error.
fn encoding_error(error: impl std::error::Error + Send + Sync + 'static) -> io::Error {
    io::Error::other(error)
}
