//! What a [`Reader`](super::Reader) reads from: bytes in memory, or a file that it may seek over.

use std::io::{self, BufReader, Read, Seek};

use ::bytes::{Buf, Bytes};

/// Bytes from front to back. A reader never asks for more than what remains.
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
        self.copy_to_slice(out);
        Ok(())
    }

    fn take(&mut self, len: usize) -> io::Result<Bytes> {
        Ok(self.split_to(len))
    }

    fn skip(&mut self, len: u64) -> io::Result<()> {
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
        self.inner.read_exact(out)?;
        self.remaining -= out.len() as u64;
        Ok(())
    }

    fn take(&mut self, len: usize) -> io::Result<Bytes> {
        let mut bytes = Vec::new();
        bytes.try_reserve_exact(len).map_err(io::Error::other)?;
        bytes.resize(len, 0);
        self.fill(&mut bytes)?;
        Ok(bytes.into())
    }

    fn skip(&mut self, len: u64) -> io::Result<()> {
        // No file is longer than an offset can say.
        let signed = i64::try_from(len).map_err(io::Error::other)?;
        self.inner.seek_relative(signed)?;
        self.remaining -= len;
        Ok(())
    }
}
