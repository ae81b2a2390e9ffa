//! Pictures of equal size → one animated file.
//!
//! Pictures are rendered and encoded in parallel and written in order, so memory use does not grow with their
//! number. Only a GIF is rendered twice: once for its palette, once for its pictures. Of each picture but the first,
//! only the area is stored in which it differs from the one before.

mod apng;
mod clip;
mod compressed;
mod gif;
mod job;
mod palette;
mod steps;
mod timing;
mod video;
mod webp;

use crate::Error;
use crate::draw::Picture;
use crate::export::encode::destination::Destination;
use crate::export::error::ExportError;
use crate::export::frames::{Drawing, Sequence};
use crate::export::options::{AnimatedFormat, Format, Surface, Transparency, WHITE};

pub use clip::{Clip, Outcome};
use job::ClipJob;
#[cfg(test)]
pub use timing::Rate;

/// Converts `picture`, premultiplied and on its background, to how a file of `format` shows it with
/// `matte`, except for compression losses. The result is premultiplied.
pub fn preview_on_matte(picture: &mut Picture, format: Format, surface: Surface, matte: Option<[u8; 3]>) {
    match format.transparency() {
        Transparency::Partial => surface.read_back(picture),
        Transparency::OneBit => _ = gif::flatten(picture, surface.additive, matte),
        Transparency::None => {
            let [r, g, b] = matte.unwrap_or(WHITE);
            picture.lay_over(|_, _| [r, g, b, 255]);
        }
    }
}

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
        let Destination { place, out, picture_done } = destination;
        let mut job = ClipJob { sequence: self, drawing, clip, place, picture_done };
        let is_finished = match clip.format {
            AnimatedFormat::Apng => apng::write(&mut job, out),
            AnimatedFormat::Gif => return gif::write(&mut job, out),
            AnimatedFormat::Webp => webp::write(&mut job, out),
            AnimatedFormat::Raw => video::write_raw(&mut job, out),
            AnimatedFormat::Y4m => video::write_y4m(&mut job, out),
            AnimatedFormat::Compressed(container) => compressed::write(&mut job, container, out),
        };
        Ok(Outcome { is_finished: is_finished?, ..Outcome::default() })
    }
}
