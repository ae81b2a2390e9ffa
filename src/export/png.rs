//! Finished picture → PNG, which can be compressed as far as possible.

use std::io::{self, Write};

use crate::draw::Picture;
use crate::formats::image;

/// Writes `picture` as an 8-bit RGBA PNG with its pixels unchanged.
pub fn write_png(picture: &Picture, out: impl Write) -> io::Result<()> {
    image::write_png(out, picture.width(), picture.height(), picture.pixels())
}

/// Takes a PNG, and passes on a smaller one with the same pixels if that is requested.
pub(super) struct PngSink<'a> {
    out: &'a mut (dyn Write + Send),
    /// The PNG so far, if it will be optimised.
    png: Option<Vec<u8>>,
}

impl<'a> PngSink<'a> {
    pub fn new(out: &'a mut (dyn Write + Send), is_optimized: bool) -> Self {
        Self { out, png: is_optimized.then(Vec::new) }
    }

    /// Writes the rest. The PNG must be complete.
    pub fn finish(self) -> io::Result<()> {
        let Self { out, png } = self;
        png.map_or(Ok(()), |png| out.write_all(&optimized(&png)?))
    }
}

impl Write for PngSink<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.png {
            Some(png) => png.write(bytes),
            None => self.out.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.png.is_some() { Ok(()) } else { self.out.flush() }
    }
}

/// Returns a PNG with the same pixels and chunks that is as small as possible. It may store colours in another way.
#[cfg(feature = "optimize")]
fn optimized(png: &[u8]) -> io::Result<Vec<u8>> {
    /// Its default. Higher ones take 2 to 15 times as long, and save less than 1 percent more.
    const LEVEL: u8 = 2;
    oxipng::optimize_from_memory(png, &oxipng::Options::from_preset(LEVEL)).map_err(io::Error::other)
}

#[cfg(not(feature = "optimize"))]
fn optimized(_: &[u8]) -> io::Result<Vec<u8>> {
    let message = "this build cannot optimise PNGs; it was compiled without the feature `optimize`";
    Err(io::Error::new(io::ErrorKind::Unsupported, message))
}
