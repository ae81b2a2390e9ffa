//! Compressed videos. ffmpeg encodes them from raw pictures that it reads through a pipe.

use std::ffi::OsString;
use std::io::{self, Seek};
use std::path::Path;

use super::job::ClipJob;
use crate::Error;
use crate::draw::Picture;
use crate::export::encode::ffmpeg::Ffmpeg;
use crate::export::encode::sheet::bleed;
use crate::export::error::ExportError;
use crate::export::files::Temporary;
use crate::export::options::{Alpha, Background, Container};
use crate::math::color::hex;
use crate::motion::Cue;

/// Colours of visible pixels are extended this far into transparent areas: as far as a chroma sample reaches. Otherwise
/// the colour of transparent pixels, black, would darken soft edges.
const BLEED: u32 = 2;

impl Container {
    /// The format of pixels, and the arguments for the encoder and the container.
    fn encoder(self) -> (&'static str, &'static str) {
        match self {
            Self::Mp4 => ("yuv420p", "-c:v libx264 -crf 18 -movflags +faststart -f mp4"),
            Self::Webm => {
                ("yuva420p", "-c:v libvpx-vp9 -crf 10 -b:v 0 -cpu-used 2 -row-mt 1 -auto-alt-ref 0 -f webm")
            }
            Self::Mov => ("yuva444p10le", "-c:v prores_ks -profile:v 4444 -vendor apl0 -f mov"),
        }
    }
}

/// Writes a video in which the animation plays once, or as often as requested. Returns false if cancelled.
pub fn write(
    job: &mut ClipJob<'_, '_>,
    container: Container,
    out: &mut (dyn io::Write + Send),
) -> Result<bool, ExportError> {
    let (sequence, clip, failed, [r, g, b]) = (job.sequence, job.clip, job.failed(), job.matte());
    // ffmpeg goes back to the beginning of a file to complete it, which `out` cannot.
    let temporary = Temporary::of_system();
    let (mut video, path, _temporary) =
        temporary.map_err(|error| ExportError::File(Error::io(std::env::temp_dir().display(), error)))?;
    let ffmpeg = Ffmpeg::start(&arguments(job, container, &path)).map_err(failed)?;
    let once = clip.cues.len();
    let cues: Vec<&Cue> = (0..clip.plays.max(1)).flat_map(|_| clip.cues).collect();
    let encode = |index: usize, picture: &mut Picture| {
        let pixels = if container.has_alpha() {
            sequence.surface.finish(picture);
            straight_pixels(picture, sequence.surface.alpha)
        } else {
            picture.lay_over(|_, _| [r, g, b, 255]);
            picture.pixels().to_vec()
        };
        Ok((index < once, pixels))
    };
    let mut refused = None;
    let mut write = |(is_counted, pixels): (bool, Vec<u8>)| {
        if is_counted {
            (job.picture_done)();
        }
        ffmpeg.write(&pixels).map_err(|error| {
            refused = Some(error);
            failed(io::ErrorKind::BrokenPipe.into())
        })
    };
    let streamed = sequence.stream(job.drawing, &cues, &encode, &mut write);
    if let Some(error) = refused {
        // What ffmpeg says explains more than a closed pipe.
        return Err(failed(ffmpeg.finish().err().unwrap_or(error)));
    }
    let is_finished = streamed?;
    if is_finished {
        let copied = ffmpeg.finish().and_then(|()| video.rewind()).and_then(|()| io::copy(&mut video, out));
        if copied.map_err(failed)? == 0 {
            return Err(failed(io::Error::other("ffmpeg has written nothing")));
        }
    }
    Ok(is_finished)
}

fn straight_pixels(picture: &Picture, alpha: Alpha) -> Vec<u8> {
    match alpha {
        Alpha::Straight => bleed(picture, BLEED),
        Alpha::Premultiplied => picture.pixels().to_vec(),
    }
}

/// Returns the arguments of ffmpeg. Nothing in them is a shell command or, thanks to `file:`, an option or a protocol.
fn arguments(job: &ClipJob<'_, '_>, container: Container, path: &Path) -> Vec<OsString> {
    let [width, height] = job.size();
    let (rate, seconds) = job.clip.rate.fraction();
    let (pixels, encoder) = container.encoder();
    let edge = hex(&edge_color(job.sequence.background, container, job.matte()));
    let filter = format!(
        "pad=ceil(iw/2)*2:ceil(ih/2)*2:0:0:color=0x{edge},\
         scale=flags=accurate_rnd+full_chroma_int+full_chroma_inp:in_range=full:out_range=limited:\
         out_color_matrix=bt709,format={pixels},\
         setparams=range=limited:color_primaries=bt709:color_trc=bt709:colorspace=bt709"
    );
    let size = format!("{width}x{height}");
    let rate = format!("{rate}/{seconds}");
    let input =
        ["-f", "rawvideo", "-pixel_format", "rgba", "-video_size", &size, "-framerate", &rate, "-i", "pipe:0"];
    let tags = ["-color_range", "tv", "-color_primaries", "bt709", "-color_trc", "bt709", "-colorspace", "bt709"];
    let words = ["-nostdin", "-hide_banner", "-loglevel", "error", "-y"].into_iter().chain(input);
    let words = words.chain(["-vf", &filter, "-an", "-map_metadata", "-1", "-fflags", "+bitexact"]);
    let words = words.chain(["-flags:v", "+bitexact"]).chain(tags).chain(encoder.split(' '));
    let mut target = OsString::from("file:");
    target.push(path);
    words.map(OsString::from).chain([target]).collect()
}

/// Returns the colour of the rows and columns that make sides even.
fn edge_color(background: &Background, container: Container, matte: [u8; 3]) -> [u8; 4] {
    let [mr, mg, mb] = matte;
    match *background {
        Background::Color(color) if container.has_alpha() => color,
        Background::Color([r, g, b, a]) => {
            let over = |above: u8, below: u8| {
                ((u32::from(above) * u32::from(a) + u32::from(below) * (255 - u32::from(a)) + 127) / 255) as u8
            };
            [over(r, mr), over(g, mg), over(b, mb), 255]
        }
        Background::Transparent | Background::Checker(_) | Background::Picture(_) if container.has_alpha() => {
            [0; 4]
        }
        Background::Transparent | Background::Checker(_) | Background::Picture(_) => [mr, mg, mb, 255],
    }
}
