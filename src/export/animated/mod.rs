//! Many pictures → one file that plays them: the frames of one animation, all of one size, in their order.
//!
//! Pictures are rendered and encoded side by side and written as their turn comes; memory does not grow with
//! their number. Only a GIF is drawn twice: once for its palette, once for its pictures.

mod apng;
mod gif;
mod palette;
mod timing;
mod video;
mod webp;

use std::io::{self, Write};

use super::{Drawing, ExportError, Sequence, Surface};
use crate::draw::Picture;
use crate::error::Error;
use crate::motion::Cue;

pub use timing::Rate;

/// What a file of many pictures is written as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AnimatedFormat {
    /// PNG with animation: every pixel as it is.
    Apng,
    /// GIF: one palette for all pictures, and pixels that are either there or not.
    Gif,
    /// WebP with animation and without loss: every pixel as it is.
    Webp,
    /// Nothing but pixels, four bytes each, picture after picture.
    Raw,
    /// YUV4MPEG2 with full chroma, on the matte.
    Y4m,
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
    /// When each begins and the last one ends, in seconds, where that is not at an even rate. A video has its rate
    /// all the same.
    pub starts_secs: Option<&'a [f64]>,
    /// How often it is played; 0 is for ever.
    pub plays: u16,
    /// What lies under pixels that are partly transparent, for formats that cannot say so. `None`: in a GIF what
    /// is half there is there, in y4m the matte is white.
    pub matte: Option<[u8; 3]>,
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
    /// There were partly transparent pixels in a format without such.
    pub has_partial_alpha: bool,
    /// It plays slower than it should: the format has no durations so short.
    pub is_slowed: bool,
}

impl Clip<'_> {
    /// How long picture `index` is shown, where a second has `units`.
    fn duration(&self, index: usize, units: f64) -> u64 {
        let Some(starts) = self.starts_secs else { return self.rate.duration(index, units) };
        let start = |index: usize| (starts.get(index).copied().unwrap_or_default() * units + 0.5).floor() as u64;
        start(index + 1).saturating_sub(start(index))
    }

    /// Whether any picture is shown for less than a part of a second that has `units` of it.
    fn is_above(&self, units: f64) -> bool {
        let Some(starts) = self.starts_secs else { return self.rate.is_above(units) };
        // What rounding does to one that is as long is nothing.
        starts.windows(2).any(|pair| (pair[1] - pair[0]) * units < 1.0 - 1e-6)
    }
}

impl AnimatedFormat {
    /// How often every picture is drawn.
    pub fn passes(self) -> usize {
        match self {
            Self::Apng | Self::Webp | Self::Raw | Self::Y4m => 1,
            Self::Gif => 2,
        }
    }
}

/// `picture`, premultiplied and on the background of `surface`, as a file of `format` shows it with `matte`, but for
/// what compression changes. The result is premultiplied.
pub fn lay_on_matte(picture: &mut Picture, format: AnimatedFormat, surface: Surface, matte: Option<[u8; 3]>) {
    match format {
        AnimatedFormat::Apng | AnimatedFormat::Webp | AnimatedFormat::Raw => surface.read_back(picture),
        AnimatedFormat::Gif => {
            gif::flatten(picture, surface.additive, matte);
        }
        AnimatedFormat::Y4m => {
            let [r, g, b] = matte.unwrap_or(WHITE);
            picture.lay_over(|_, _| [r, g, b, 255]);
        }
    }
}

/// The matte of formats that have no transparency at all.
const WHITE: [u8; 3] = [255; 3];

impl Sequence<'_> {
    /// Renders the pictures of `clip` and writes them as one file, which it does not flush.
    ///
    /// Refuses a clip without pictures, and pictures without pixels.
    pub fn write_clip(
        &self,
        drawing: &mut Drawing<'_>,
        clip: &Clip<'_>,
        destination: Destination<'_>,
    ) -> Result<Outcome, ExportError> {
        self.check_pixels()?;
        if clip.cues.is_empty() {
            return Err(Error::misuse("nothing-to-write", "a clip has at least one picture").into());
        }
        match clip.format {
            AnimatedFormat::Apng => apng::write(self, drawing, clip, destination),
            AnimatedFormat::Gif => gif::write(self, drawing, clip, destination),
            AnimatedFormat::Webp => webp::write(self, drawing, clip, destination),
            AnimatedFormat::Raw => video::write_raw(self, drawing, clip, destination),
            AnimatedFormat::Y4m => video::write_y4m(self, drawing, clip, destination),
        }
    }
}

/// An error of an encoder that no writer had.
fn encoding_error(error: impl std::error::Error + Send + Sync + 'static) -> io::Error {
    io::Error::other(error)
}
