//! The sources of a [`Reader`](super::Reader): bytes in memory, or a seekable file.

use std::io::{self, BufReader, Read, Seek};

use ::bytes::{Buf, Bytes};

/// A sequential source of bytes. Requesting more bytes than remain is an error and allocates nothing.
pub trait Source {
    /// Returns the number of bytes left.
    fn remaining(&self) -> u64;

    /// Fills `out` with the next bytes.
    fn fill(&mut self, out: &mut [u8]) -> io::Result<()>;

    /// Reads the next `len` bytes.
    fn take(&mut self, len: usize) -> io::Result<Bytes>;

    /// Skips the next `len` bytes.
    fn skip(&mut self, len: u64) -> io::Result<()>;
}

/// Shares the bytes without copying them.
impl Source for Bytes {
    fn remaining(&self) -> u64 {
        self.len() as u64
    }

    fn fill(&mut self, out: &mut [u8]) -> io::Result<()> {
        self.try_copy_to_slice(out).map_err(|_| ends_early())
    }

    fn take(&mut self, len: usize) -> io::Result<Bytes> {
        if len > self.len() { Err(ends_early()) } else { Ok(self.split_to(len)) }
    }

    fn skip(&mut self, len: u64) -> io::Result<()> {
        if len > self.len() as u64 {
            return Err(ends_early());
        }
        self.advance(len as usize);
        Ok(())
    }
}

/// A seekable source that reads only the requested parts.
#[derive(Debug)]
pub struct Seekable<R> {
    inner: BufReader<R>,
    remaining: u64,
}

/// Buffer size in bytes; small, so that little is read beyond the request. Longer reads bypass the buffer.
const BUFFER: usize = 256;

/// Maximum number of bytes to preallocate for one read: the source may be shorter than declared.
const TRUSTED: usize = 1 << 24;

fn ends_early() -> io::Error {
    io::ErrorKind::UnexpectedEof.into()
}

impl<R: Read + Seek> Seekable<R> {
    /// Creates a source of the next `len` bytes of `inner`.
    pub fn new(inner: R, len: u64) -> Self {
        Self { inner: BufReader::with_capacity(BUFFER, inner), remaining: len }
    }
}

impl<R: Read + Seek> Source for Seekable<R> {
    fn remaining(&self) -> u64 {
        self.remaining
    }

    fn fill(&mut self, out: &mut [u8]) -> io::Result<()> {
        let left = self.remaining.checked_sub(out.len() as u64).ok_or_else(ends_early)?;
        self.inner.read_exact(out)?;
        self.remaining = left;
        Ok(())
    }

    fn take(&mut self, len: usize) -> io::Result<Bytes> {
        let left = self.remaining.checked_sub(len as u64).ok_or_else(ends_early)?;
        let mut bytes = Vec::new();
        bytes.try_reserve_exact(len.min(TRUSTED)).map_err(io::Error::other)?;
        if self.inner.by_ref().take(len as u64).read_to_end(&mut bytes)? < len {
            return Err(ends_early());
        }
        self.remaining = left;
        Ok(bytes.into())
    }

    fn skip(&mut self, len: u64) -> io::Result<()> {
        let left = self.remaining.checked_sub(len).ok_or_else(ends_early)?;
        // No file is longer than a signed offset can express.
        let signed = i64::try_from(len).map_err(io::Error::other)?;
        self.inner.seek_relative(signed)?;
        self.remaining = left;
        Ok(())
    }
}
