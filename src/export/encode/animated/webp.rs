//! Animated WebP: every picture is compressed losslessly as a separate WebP, and its data is rewrapped as a frame.
//!
//! [WebP container](https://developers.google.com/speed/webp/docs/riff_container). The file begins with its own
//! length, so the frames are spooled until it is known.

use std::io;

use image_webp::{ColorType, EncodingError, WebPEncoder};

use super::job::ClipJob;
use super::steps::Step;
use crate::draw::Picture;
use crate::export::encode::area;
use crate::export::encode::area::Area;
use crate::export::encode::spool::Spool;
use crate::export::error::ExportError;

/// Maximum side of a WebP in pixels.
pub const MAX_SIDE: u32 = 16_384;
/// Flags of `VP8X`: animation and alpha.
const ANIMATION_AND_ALPHA: u8 = 0x02 | 0x10;
/// Flags of a frame: no blending, no disposal.
const NO_BLENDING: u8 = 0x02;

/// Returns false if cancelled.
pub fn write(job: &mut ClipJob<'_, '_>, out: &mut (dyn io::Write + Send)) -> Result<bool, ExportError> {
    job.sequence.check_sides("a WebP", MAX_SIDE)?;
    let (clip, surface) = (job.clip, job.sequence.surface);
    let mut spool = Spool::default();
    let finish = |picture: &mut Picture| surface.finish(picture);
    let encode = |step: Step<'_>| {
        let duration = u32::try_from(clip.duration(step.index, 1000.0)).unwrap_or(u32::MAX);
        let area = from_even(step.changed());
        frame(&area::pixels(step.picture, area), area, duration)
    };
    let is_finished = job.stream_steps(finish, encode, |frame: Vec<u8>| spool.push(&frame))?;
    if is_finished {
        let header = header(job.size(), clip.plays, spool.length);
        let written = header.and_then(|header| out.write_all(&header)).and_then(|()| spool.copy_to(out));
        written.map_err(job.failed())?;
    }
    Ok(is_finished)
}

/// Returns everything before the first frame, for a file with `frames` bytes of frames.
fn header([width, height]: [u32; 2], plays: u16, frames: u64) -> io::Result<Vec<u8>> {
    let mut chunks = Vec::new();
    let mut canvas = vec![ANIMATION_AND_ALPHA, 0, 0, 0];
    canvas.extend([width - 1, height - 1].iter().flat_map(|side| u24(*side)));
    push(&mut chunks, b"VP8X", &canvas)?;
    // A transparent background, then the number of plays.
    let [low, high] = plays.to_le_bytes();
    push(&mut chunks, b"ANIM", &[0, 0, 0, 0, low, high])?;
    let length = u32::try_from(4 + chunks.len() as u64 + frames).map_err(|_| too_long())?;
    Ok([b"RIFF", &length.to_le_bytes()[..], b"WEBP", &chunks].concat())
}

/// Enlarges an area so that its corner has even coordinates: a frame stores half of them.
fn from_even([left, top, width, height]: Area) -> Area {
    [left - left % 2, top - top % 2, width + left % 2, height + top % 2]
}

/// Compresses the pixels of an area and returns a complete `ANMF` chunk.
///
/// They replace what was there. Drawing opaque pixels over it would be smaller in places, but `image-webp`, which many
/// programs read with, changes them by one.
fn frame(pixels: &[u8], [left, top, width, height]: Area, duration_ms: u32) -> io::Result<Vec<u8>> {
    let mut still = Vec::new();
    WebPEncoder::new(&mut still).encode(pixels, width, height, ColorType::Rgba8).map_err(io_error)?;
    let numbers = [left / 2, top / 2, width - 1, height - 1, duration_ms.min(0xff_ffff)];
    let mut content = numbers.iter().flat_map(|number| u24(*number)).collect::<Vec<_>>();
    content.push(NO_BLENDING);
    // After `RIFF`, the length and `WEBP` there are only the chunks of the picture.
    content.extend(still.get(12..).unwrap_or_default());
    let mut chunk = Vec::with_capacity(content.len() + 9);
    push(&mut chunk, b"ANMF", &content)?;
    Ok(chunk)
}

/// Appends a chunk, padded to even length.
fn push(to: &mut Vec<u8>, name: &[u8; 4], content: &[u8]) -> io::Result<()> {
    let length = u32::try_from(content.len()).map_err(|_| too_long())?;
    to.extend(name);
    to.extend(length.to_le_bytes());
    to.extend(content);
    if length % 2 == 1 {
        to.push(0);
    }
    Ok(())
}

fn u24(number: u32) -> [u8; 3] {
    let [a, b, c, _] = number.to_le_bytes();
    [a, b, c]
}

fn too_long() -> io::Error {
    io::Error::new(io::ErrorKind::FileTooLarge, "a WebP file is limited to 4 GiB; write fewer or smaller frames")
}

fn io_error(error: EncodingError) -> io::Error {
    match error {
        EncodingError::IoError(error) => error,
        error => io::Error::other(error),
    }
}
