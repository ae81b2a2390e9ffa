//! What a [`Reader`](super::Reader) reads from: bytes in memory, or a file that it may seek over.

use std::io::{self, BufReader, Read, Seek};

use ::bytes::{Buf, Bytes};

/// Bytes from front to back. Asking for more than what remains is an error, and takes no memory.
pub trait Source {
    /// How many bytes follow.
    fn remaining(&self) -> u64;

    /// Fills `out` with the next bytes.
    fn fill(&mut self, out: &mut [u8]) -> io::Result<()>;

    /// The next `len` bytes.
    fn take(&mut self, len: usize) -> io::Result<Bytes>;

    /// Goes on behind the next `len` bytes.
    fn skip(&mut self, len: u64) -> io::Result<()>;
}

/// Shares the bytes, copies nothing.
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

/// A file that is read only where somebody looks.
#[derive(Debug)]
pub struct Seekable<R> {
    inner: BufReader<R>,
    remaining: u64,
}

/// Little is read beside what is asked for; longer parts are not buffered at all.
const BUFFER: usize = 256;

/// A part that is longer takes memory as it is read: the file may be shorter than the caller said.
const TRUSTED: usize = 1 << 24;

fn ends_early() -> io::Error {
    io::ErrorKind::UnexpectedEof.into()
}

impl<R: Read + Seek> Seekable<R> {
    /// The next `len` bytes of `inner`.
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
        // No file is longer than an offset can say.
        let signed = i64::try_from(len).map_err(io::Error::other)?;
        self.inner.seek_relative(signed)?;
        self.remaining = left;
        Ok(())
    }
}
