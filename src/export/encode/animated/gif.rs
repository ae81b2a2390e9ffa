//! GIF: one palette for the whole file, dithered if requested, and 1-bit transparency.
//!
//! [GIF 89a](https://www.w3.org/Graphics/GIF/spec-gif89a.txt). The pictures are drawn twice, first to count their
//! colours and then to write them, so that memory use does not grow with their number.

use std::convert::Infallible;
use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};

use gif::{DisposalMethod, Encoder, EncodingError, Frame, Repeat};

use super::clip::{Clip, Outcome};
use super::job::ClipJob;
use super::palette::{Histogram, Palette, Rgb};
use super::steps::Step;
use crate::draw::Picture;
use crate::export::encode::area;
use crate::export::encode::area::Area;
use crate::export::error::ExportError;
use crate::export::options::Additive;
use crate::math::color::{keep_light, over, unpremultiply};

/// Units of duration per second.
const UNITS: f64 = 100.0;
/// The shortest reliable duration: browsers treat shorter ones as errors and show the picture longer.
const SHORTEST: u64 = 2;
/// Number of colours; the 256th palette entry is the transparent one.
const COLORS: usize = 255;

pub fn write(job: &mut ClipJob<'_, '_>, out: &mut (dyn Write + Send)) -> Result<Outcome, ExportError> {
    let (sequence, clip) = (job.sequence, job.clip);
    sequence.check_sides("a GIF", u16::MAX.into())?;
    let had_partial_alpha = AtomicBool::new(false);
    let flatten = |picture: &mut Picture| {
        if flatten(picture, sequence.surface.additive, sequence.matte) {
            had_partial_alpha.store(true, Ordering::Relaxed);
        }
    };
    let mut outcome = Outcome { is_slowed: clip.is_above(UNITS / SHORTEST as f64), ..Outcome::default() };

    let mut histogram = Histogram::new(COLORS);
    let count = |picture: &mut Picture| {
        flatten(picture);
        runs(picture)
    };
    let add = |runs: Vec<(Rgb, u32)>| {
        runs.into_iter().for_each(|(color, count)| histogram.add(color, count));
        Ok(())
    };
    if !job.stream(count, add)? {
        return Ok(outcome);
    }
    outcome.has_partial_alpha = had_partial_alpha.load(Ordering::Relaxed);
    let palette = histogram.palette();
    drop(histogram);

    let mut encoder = begin(out, job.size(), clip, &palette).map_err(io_error).map_err(job.failed())?;
    let encode = |step: Step<'_>| {
        let frame = frame(step, &palette, clip.dither);
        Ok(Frame { delay: duration(clip, step.index), ..frame })
    };
    let write = |frame: Frame<'static>| encoder.write_lzw_pre_encoded_frame(&frame).map_err(io_error);
    outcome.is_finished = job.stream_steps(flatten, encode, write)?;
    if outcome.is_finished {
        encoder.into_inner().map_err(io_error).map_err(job.failed())?;
    }
    Ok(outcome)
}

/// Writes everything before the first frame.
fn begin<W: Write>(
    out: W,
    size: [u32; 2],
    clip: &Clip<'_>,
    palette: &Palette,
) -> Result<Encoder<W>, EncodingError> {
    let [width, height] = size.map(|side| u16::try_from(side).unwrap_or(u16::MAX));
    let mut colors = palette.colors().as_flattened().to_vec();
    // The transparent index needs a palette entry as well.
    colors.extend([0; 3]);
    let mut encoder = Encoder::new(out, width, height, &colors)?;
    match clip.plays {
        0 => encoder.set_repeat(Repeat::Infinite)?,
        // Without the extension the GIF is played once; its number counts the repetitions.
        1 => {}
        plays => encoder.set_repeat(Repeat::Finite(plays - 1))?,
    }
    Ok(encoder)
}

/// Makes every pixel opaque or transparent. With a matte, partly covered pixels are composited over it, and so are
/// pixels that only emit light if `additive` is [`Additive::Keep`]. Without a matte, pixels of at least 50 % alpha
/// or brightness become opaque. Returns true if any pixel was partly transparent.
pub fn flatten(picture: &mut Picture, additive: Additive, matte: Option<Rgb>) -> bool {
    let mut had_partial_alpha = false;
    for pixel in picture.pixels_mut().as_chunks_mut::<4>().0 {
        let kept = match additive {
            Additive::Keep => keep_light(*pixel),
            Additive::Pure => *pixel,
        };
        had_partial_alpha |= !matches!(kept[3], 0 | 255);
        *pixel = match (pixel[3], kept[3], matte) {
            (255, ..) => *pixel,
            (_, 1.., Some([r, g, b])) => over(*pixel, [r, g, b, 255]),
            (_, 128.., None) => {
                let [r, g, b, _] = unpremultiply(kept);
                [r, g, b, 255]
            }
            (_, 0, Some(_)) | (_, 0..128, None) => [0; 4],
        };
    }
    had_partial_alpha
}

/// Returns runs of equal opaque pixels as colour and length.
fn runs(picture: &Picture) -> Vec<(Rgb, u32)> {
    let pixels = picture.pixels().as_chunks::<4>().0;
    let same = pixels.chunk_by(|a, b| a == b).filter(|run| run[0][3] == 255);
    same.map(|run| ([run[0][0], run[0][1], run[0][2]], run.len() as u32)).collect()
}

/// Encodes and compresses what a flattened picture changes as a frame.
///
/// A frame cannot make pixels transparent. If the next picture needs that, this frame is removed first, which makes
/// its area transparent; so it has to be the whole picture.
fn frame(step: Step<'_>, palette: &Palette, dither: bool) -> Frame<'static> {
    let picture = step.picture;
    let dispose = if is_removed(picture, step.after) { DisposalMethod::Background } else { DisposalMethod::Keep };
    let on_empty = step.before.is_some_and(|before| is_removed(before, Some(picture)));
    let step = if on_empty { Step { before: None, ..step } } else { step };
    let area = match dispose {
        DisposalMethod::Background => area::whole(picture),
        _ if on_empty => area::visible(picture).unwrap_or([0, 0, 1, 1]),
        _ => step.changed(),
    };
    let [left, top, width, height] = area.map(|side| u16::try_from(side).unwrap_or(u16::MAX));
    let transparent = palette.colors().len() as u8;
    let frame = Frame { dispose, transparent: Some(transparent), left, top, width, height, ..Frame::default() };
    let Ok((buffer, _)) = step.encode(area, |pixels| {
        let buffer = indices(pixels, area, palette, transparent, dither).into();
        let mut frame = Frame { buffer, ..frame.clone() };
        frame.make_lzw_pre_encoded();
        Ok::<_, Infallible>(frame.buffer)
    });
    Frame { buffer, ..frame }
}

/// Returns true if the frame of a flattened picture has to be removed before the next one.
fn is_removed(picture: &Picture, next: Option<&Picture>) -> bool {
    let is_transparent = |pixel: &[u8; 4]| pixel[3] == 0;
    let pixels = picture.pixels().as_chunks::<4>().0;
    match next {
        // The first picture may follow.
        None => pixels.iter().any(is_transparent),
        Some(next) => {
            let next = next.pixels().as_chunks::<4>().0;
            pixels.iter().zip(next).any(|(now, next)| !is_transparent(now) && is_transparent(next))
        }
    }
}

/// Returns the palette indices of the pixels of an area.
fn indices(pixels: &[u8], area: Area, palette: &Palette, transparent: u8, dither: bool) -> Vec<u8> {
    let [left, top, width, _] = area.map(|side| side as usize);
    let mut indices = Vec::with_capacity(pixels.len() / 4);
    for run in pixels.as_chunks::<4>().0.chunk_by(|a, b| a == b) {
        let ([r, g, b, a], from) = (run[0], indices.len());
        let to = from + run.len();
        if a == 0 {
            indices.resize(to, transparent);
        } else if dither {
            let pattern = palette.pattern([r, g, b]);
            let place = |at: usize| Palette::place_in_pattern([left + at % width, top + at / width]);
            indices.extend((from..to).map(|at| pattern[place(at)]));
        } else {
            indices.resize(to, palette.nearest([r, g, b]));
        }
    }
    indices
}

fn duration(clip: &Clip<'_>, index: usize) -> u16 {
    u16::try_from(clip.duration(index, UNITS).max(SHORTEST)).unwrap_or(u16::MAX)
}

fn io_error(error: EncodingError) -> io::Error {
    match error {
        EncodingError::Io(error) => error,
        error => io::Error::other(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::export::encode::animated::timing::Rate;
    use crate::export::options::AnimatedFormat;

    #[test]
    fn partial_alpha_is_composited_over_the_matte_or_thresholded() {
        let mut picture = Picture::default();
        let with = |picture: &mut Picture, matte| {
            picture.reset(4, 1);
            picture.pixels_mut().copy_from_slice(&[0, 0, 0, 0, 9, 8, 7, 255, 100, 0, 0, 200, 100, 0, 0, 127]);
            let partial = flatten(picture, Additive::Keep, matte);
            assert!(partial);
            picture.pixels().to_vec()
        };
        assert_eq!(with(&mut picture, None)[..8], [0, 0, 0, 0, 9, 8, 7, 255]);
        assert_eq!(with(&mut picture, None)[8..], [128, 0, 0, 255, 0, 0, 0, 0]);
        assert_eq!(with(&mut picture, Some([255; 3]))[..8], [0, 0, 0, 0, 9, 8, 7, 255]);
        assert_eq!(with(&mut picture, Some([255; 3]))[8..], [155, 55, 55, 255, 228, 128, 128, 255]);
        picture.reset(1, 1);
        assert!(!flatten(&mut picture, Additive::Keep, None));
    }

    #[test]
    fn light_is_composited_over_the_matte_or_thresholded_by_brightness() {
        let of = |pixel: [u8; 4], additive, matte| {
            let mut picture = Picture::default();
            picture.reset(1, 1);
            picture.pixels_mut().copy_from_slice(&pixel);
            flatten(&mut picture, additive, matte);
            picture.pixel(0, 0)
        };
        let blue = Some([0, 0, 200]);
        for (light, on_blue, alone) in [
            ([200, 100, 0, 0], [200, 100, 200, 255], [255, 128, 0, 255]),
            ([255, 51, 0, 0], [255, 51, 200, 255], [255, 51, 0, 255]),
            ([127, 9, 9, 0], [127, 9, 209, 255], [0; 4]),
            ([240, 0, 0, 51], [240, 0, 160, 255], [255, 0, 0, 255]),
        ] {
            assert_eq!(of(light, Additive::Keep, blue), on_blue, "{light:?}");
            assert_eq!(of(light, Additive::Keep, None), alone, "{light:?}");
        }
        assert_eq!(of([200, 100, 0, 0], Additive::Pure, blue), [0; 4]);
        assert_eq!(of([200, 100, 0, 0], Additive::Pure, None), [0; 4]);
    }

    #[test]
    fn no_duration_is_shorter_than_browsers_accept() {
        let of = |fps, index| {
            let rate = Rate::new(fps);
            let clip =
                Clip { format: AnimatedFormat::Gif, cues: &[], rate, starts_secs: None, plays: 0, dither: false };
            duration(&clip, index)
        };
        assert_eq!(of(100.0, 0), 2);
        assert_eq!(of(50.0, 7), 2);
        assert_eq!(of(1e-3, 0), u16::MAX);
    }
}
