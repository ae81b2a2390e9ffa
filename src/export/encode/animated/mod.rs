//! Pictures of equal size → one animated file.
//!
//! Pictures are rendered and encoded in parallel and written in order, so memory use does not grow with their
//! number. Only a GIF is rendered twice: once for its palette, once for its pictures. Of each picture but the first,
//! only the area is stored in which it differs from the one before.

mod apng;
mod clip;
mod compressed;
mod gif;
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
use crate::export::options::{AnimatedFormat, Format, Surface, WHITE};

pub use clip::{Clip, Outcome};
#[cfg(test)]
pub use timing::Rate;

/// Converts `picture`, premultiplied and on its background, to how a file of `format` shows it with
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
