//! APNG: every picture is compressed as a separate PNG, and its data is rewrapped as an animation frame.
//!
//! [PNG, third edition](https://www.w3.org/TR/png-3/#apng-frame-based-animation). Durations are whole
//! milliseconds: browsers truncate finer ones, and 41 ms is not 1/24 s.

use std::io;

use png::chunk::{ChunkType, IDAT, fcTL, fdAT};
use png::{BitDepth, ColorType, Encoder, EncodingError, Writer};

use super::clip::Clip;
use super::job::ClipJob;
use super::steps::{Blending, Step};
use crate::draw::Picture;
use crate::export::encode::area::Area;
use crate::export::encode::png::io_error;
use crate::export::error::ExportError;
use crate::formats::image::write_png;

/// Length of the PNG signature.
const SIGNATURE_BYTES: usize = 8;

/// Returns false if cancelled.
pub fn write(job: &mut ClipJob<'_, '_>, out: &mut (dyn io::Write + Send)) -> Result<bool, ExportError> {
    let (clip, surface) = (job.clip, job.sequence.surface);
    let out = begin(out, job.size(), clip).map_err(io_error).map_err(job.failed())?;
    let mut frames = Frames { out, clip, count: 0, next_number: 0 };
    let finish = |picture: &mut Picture| surface.finish(picture);
    let encode = |step: Step<'_>| {
        let area = step.changed();
        let compress = |pixels: &[u8]| {
            let mut png = Vec::new();
            write_png(&mut png, area[2], area[3], pixels).map(|()| png)
        };
        let (png, blending) = step.encode(area, compress)?;
        Ok((png, area, blending))
    };
    let write =
        |(png, area, blending): (Vec<u8>, Area, Blending)| frames.write(&png, area, blending).map_err(io_error);
    let is_finished = job.stream_steps(finish, encode, write)?;
    if is_finished {
        frames.out.finish().map_err(io_error).map_err(job.failed())?;
    }
    Ok(is_finished)
}

/// Writes everything before the first frame.
fn begin<W: io::Write>(out: W, [width, height]: [u32; 2], clip: &Clip<'_>) -> Result<Writer<W>, EncodingError> {
    let mut encoder = Encoder::new(out, width, height);
    encoder.set_color(ColorType::Rgba);
    encoder.set_depth(BitDepth::Eight);
    encoder.set_animated(clip.cues.len() as u32, clip.plays.into())?;
    encoder.write_header()
}

/// Writes the frames.
struct Frames<'a, W: io::Write> {
    out: Writer<W>,
    clip: &'a Clip<'a>,
    count: usize,
    /// Sequence number of the next `fcTL` or `fdAT`.
    next_number: u32,
}

impl<W: io::Write> Frames<'_, W> {
    fn number(&mut self) -> [u8; 4] {
        self.next_number += 1;
        (self.next_number - 1).to_be_bytes()
    }

    /// Appends a complete PNG as the next frame, in an area of the picture.
    fn write(&mut self, png: &[u8], area: Area, blending: Blending) -> Result<(), EncodingError> {
        let control = self.control(area, blending);
        self.out.write_chunk(fcTL, &control)?;
        for data in chunks(png, IDAT) {
            if self.count == 0 {
                // Decoders without APNG support show this picture.
                self.out.write_chunk(IDAT, data)?;
            } else {
                let numbered = [&self.number(), data].concat();
                self.out.write_chunk(fdAT, &numbered)?;
            }
        }
        self.count += 1;
        Ok(())
    }

    /// Returns the `fcTL` of the next frame, in an area of the picture.
    fn control(&mut self, [left, top, width, height]: Area, blending: Blending) -> [u8; 26] {
        let (delay, units) = delay(|units| self.clip.duration(self.count, units));
        let mut control = [0; 26];
        control[..4].copy_from_slice(&self.number());
        for (field, number) in control[4..20].as_chunks_mut().0.iter_mut().zip([width, height, left, top]) {
            *field = number.to_be_bytes();
        }
        control[20..22].copy_from_slice(&delay.to_be_bytes());
        control[22..24].copy_from_slice(&units.to_be_bytes());
        // Byte 24 is 0: no disposal.
        control[25] = u8::from(blending == Blending::Over);
        control
    }
}

/// Returns the delay of a frame as numerator and denominator in seconds.
fn delay(duration: impl Fn(f64) -> u64) -> (u16, u16) {
    // Milliseconds reach up to 65 seconds.
    let fitting = [1000, 100, 10]
        .into_iter()
        .find_map(|units| u16::try_from(duration(f64::from(units))).ok().map(|delay| (delay, units)));
    fitting.unwrap_or((u16::MAX, 10))
}

/// Iterates over the contents of all chunks of one kind.
fn chunks(png: &[u8], kind: ChunkType) -> impl Iterator<Item = &[u8]> {
    let mut rest = png.get(SIGNATURE_BYTES..).unwrap_or_default();
    let next = std::iter::from_fn(move || {
        let (length, after) = rest.split_first_chunk::<4>()?;
        let (name, after) = after.split_first_chunk::<4>()?;
        let (data, after) = after.split_at_checked(u32::from_be_bytes(*length) as usize)?;
        // The checksum covers the chunk's name, which changes, so it is skipped.
        rest = after.get(4..)?;
        Some((*name, data))
    });
    next.filter(move |(name, _)| *name == kind.0).map(|(_, data)| data)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_delay_uses_the_finest_unit_that_fits() {
        let of = |fps| delay(|units| crate::export::Rate::new(fps).duration(0, units));
        assert_eq!(of(24.0), (42, 1000));
        assert_eq!(of(0.01), (10_000, 100));
        assert_eq!(of(0.001), (10_000, 10));
        assert_eq!(of(1e-9), (u16::MAX, 10));
    }
}
