//! Blocks of pixels → PNG, row by row: only rows that later blocks may still reach are buffered.

use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};

use png::{BitDepth, ColorType, Compression, Encoder, StreamWriter};

use crate::export::encode::png::io_error;
use crate::formats::sheet::KEYWORD;

/// The error of an [`UntilError`], until it is taken.
#[derive(Clone, Default)]
struct FirstError(Arc<Mutex<Option<io::Error>>>);

impl FirstError {
    fn set(&self, error: io::Error) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
    }

    fn take(&self) -> io::Result<()> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take().map_or(Ok(()), Err)
    }
}

/// Discards everything after the first error. The compressor continues as if it had been written; asked to write after
/// an error, it would panic.
struct UntilError<W> {
    out: W,
    has_failed: bool,
    error: FirstError,
}

impl<W: Write> UntilError<W> {
    fn note<T>(&mut self, result: io::Result<T>, otherwise: T) -> io::Result<T> {
        match result {
            Err(error) if error.kind() != io::ErrorKind::Interrupted => {
                self.has_failed = true;
                self.error.set(error);
                Ok(otherwise)
            }
            result => result,
        }
    }
}

impl<W: Write> Write for UntilError<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.has_failed {
            return Ok(bytes.len());
        }
        let written = self.out.write(bytes);
        self.note(written, bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.has_failed {
            return Ok(());
        }
        let flushed = self.out.flush();
        self.note(flushed, ())
    }
}

/// A page being written. Blocks must be placed in the order of their upper edges.
pub struct Rows<'a, W: Write> {
    out: StreamWriter<'a, UntilError<W>>,
    error: FirstError,
    width: usize,
    height: usize,
    /// The first row not yet written.
    top: usize,
    /// The buffered rows from there on.
    kept: Vec<u8>,
}

/// Writes a PNG of `width` × `height` RGBA pixels. `fill` places the blocks and returns true; after false, the rest is not
/// written. `text` is embedded metadata for programs that have only the picture.
pub fn write<W: Write, T>(
    out: W,
    [width, height]: [u32; 2],
    text: Option<&str>,
    fill: impl FnOnce(&mut Rows<'_, W>) -> (bool, T),
) -> io::Result<T> {
    let error = FirstError::default();
    let mut encoder = Encoder::new(UntilError { out, has_failed: false, error: error.clone() }, width, height);
    encoder.set_color(ColorType::Rgba);
    encoder.set_depth(BitDepth::Eight);
    encoder.set_compression(Compression::Fast);
    if let Some(text) = text {
        encoder.add_itxt_chunk(KEYWORD.to_owned(), text.to_owned()).map_err(io_error)?;
    }
    let mut writer = encoder.write_header().map_err(io_error)?;
    let (width, height) = (width as usize, height as usize);
    let filled = {
        let out = writer.stream_writer().map_err(io_error)?;
        let mut rows = Rows { out, error: error.clone(), width, height, top: 0, kept: Vec::new() };
        let (is_filled, filled) = fill(&mut rows);
        if !is_filled {
            return error.take().map(|()| filled);
        }
        rows.write_up_to(height)?;
        rows.out.finish().map_err(io_error)?;
        filled
    };
    writer.finish().map_err(io_error)?;
    error.take().map(|()| filled)
}

impl<W: Write> Rows<'_, W> {
    /// Places a block of `width` × `height` pixels inside the page. Its upper edge must not be above the upper
    /// edge of an earlier block.
    pub fn place(&mut self, block: &[u8], [x, y]: [u32; 2], [width, height]: [u32; 2]) -> io::Result<()> {
        let (x, y) = (x as usize, y as usize);
        self.write_up_to(y)?;
        let (row, len) = (self.width * 4, width as usize * 4);
        let first = y - self.top;
        let needed = (first + height as usize) * row;
        if self.kept.len() < needed {
            self.kept.resize(needed, 0);
        }
        for (index, pixels) in block.chunks_exact(len.max(4)).enumerate() {
            self.kept[(first + index) * row + x * 4..][..len].copy_from_slice(pixels);
        }
        Ok(())
    }

    fn write_up_to(&mut self, end: usize) -> io::Result<()> {
        let row = self.width * 4;
        let count = end.min(self.height).saturating_sub(self.top);
        let kept = (count * row).min(self.kept.len());
        self.out.write_all(&self.kept[..kept])?;
        self.kept.drain(..kept);
        let empty = vec![0; row];
        for _ in kept / row..count {
            self.out.write_all(&empty)?;
        }
        self.top += count;
        self.error.take()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn after_false_the_rest_is_not_written() {
        let is_whole = |is_filled| {
            let mut png = Vec::new();
            write(&mut png, [16, 1000], None, |rows| (is_filled, rows.place(&[255; 256], [0, 0], [16, 4])))
                .and_then(|placed| placed)
                .expect("memory takes everything");
            let mut reader = png::Decoder::new(io::Cursor::new(&png)).read_info().expect("a header");
            let mut pixels = vec![0; reader.output_buffer_size().expect("a small picture")];
            reader.next_frame(&mut pixels).is_ok()
        };
        assert!(is_whole(true));
        assert!(!is_whole(false));
    }
}
