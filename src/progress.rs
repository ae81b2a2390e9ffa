//! The progress of reading a file, which another thread can show and cancel.

use std::fmt;
use std::io::{self, Read};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use bytes::Bytes;

use crate::error::{Error, Result};

/// The progress of one file that is being read, and a way to cancel it.
///
/// Set it in [`ReadOptions::progress`](crate::formats::ReadOptions::progress), and keep a clone of the [`Arc`] to ask
/// from another thread:
///
/// ```
/// use std::sync::Arc;
/// use pchr::diagnostics::Diagnostics;
/// use pchr::formats::{ReadOptions, open};
/// use pchr::progress::Progress;
///
/// let progress = Arc::new(Progress::default());
/// let options = ReadOptions { progress: Some(Arc::clone(&progress)), ..ReadOptions::default() };
/// # let path = concat!(env!("CARGO_MANIFEST_DIR"), "/assets/paper-knight.pchr").as_ref();
/// let character = open(path, &options, &mut Diagnostics::default())?;
/// let (read, size) = progress.bytes();
/// assert!(read == size && size > 0);
/// # Ok::<(), pchr::Error>(())
/// ```
///
/// [`Arc`]: std::sync::Arc
#[derive(Debug, Default)]
pub struct Progress {
    is_cancelled: AtomicBool,
    bytes: AtomicU64,
    size: AtomicU64,
    images: AtomicUsize,
    all_images: AtomicUsize,
    decoded: Decoded,
}

/// Images that are handed from one instance of the library to another.
#[derive(Default)]
struct Decoded {
    /// The pixels of images: in the order of decoding while they are kept, reversed while they are used. A broken image is
    /// empty.
    images: Mutex<Vec<Bytes>>,
    /// Whether `images` receives the images instead of replacing the decoder.
    is_kept: bool,
    /// How many pixels may still be decoded here.
    room: Option<AtomicU64>,
}

impl fmt::Debug for Decoded {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Without the pixels.
        formatter.debug_struct("Decoded").field("is_kept", &self.is_kept).field("room", &self.room).finish()
    }
}

impl Progress {
    /// Requests that reading ends with [`Error::Cancelled`]. It ends at the next block of the file, row of a PNG or
    /// record, whichever comes first; a JPEG or WebP is decoded to its end.
    pub fn cancel(&self) {
        self.is_cancelled.store(true, Ordering::Relaxed);
    }

    /// Returns true once [`Self::cancel`] was called.
    pub(crate) fn is_cancelled(&self) -> bool {
        self.is_cancelled.load(Ordering::Relaxed)
    }

    /// Fails once [`Self::cancel`] was called.
    ///
    /// # Errors
    ///
    /// [`Error::Cancelled`].
    pub fn check(&self) -> Result<()> {
        if self.is_cancelled() { Err(Error::Cancelled) } else { Ok(()) }
    }

    /// Returns the bytes of the file that were read, and its size; the size of a pipe is unknown, which is 0. Files
    /// beside it are not counted.
    pub fn bytes(&self) -> (u64, u64) {
        (self.bytes.load(Ordering::Relaxed), self.size.load(Ordering::Relaxed))
    }

    /// Returns the number of images that were decoded, and of all images, which is 0 until the file was parsed.
    pub fn images(&self) -> (usize, usize) {
        (self.images.load(Ordering::Relaxed), self.all_images.load(Ordering::Relaxed))
    }

    /// Counts the bytes read from `input`, about `size`. Once cancelled, reading fails with an [`std::io::Error`] that
    /// contains [`Error::Cancelled`].
    pub fn watch<'a, R: Read + 'a>(&'a self, input: R, size: u64) -> impl Read + 'a {
        self.size.store(size, Ordering::Relaxed);
        Watched { progress: self, input }
    }

    /// Creates a progress that keeps decoded images for [`Self::with_decoded`].
    #[doc(hidden)]
    #[must_use]
    pub fn keeping_decoded() -> Self {
        Self { decoded: Decoded { is_kept: true, ..Decoded::default() }, ..Self::default() }
    }

    /// Creates a progress that returns `images` instead of decoding. They must come from [`Self::keeping_decoded`], from the
    /// same build and files, both read on one thread. Limits are charged as usual.
    #[doc(hidden)]
    pub fn with_decoded(mut images: Vec<Bytes>) -> Self {
        images.reverse();
        let images = Mutex::new(images);
        Self { decoded: Decoded { images, ..Decoded::default() }, ..Self::default() }
    }

    /// Creates a progress that is cancelled rather than decode more than `pixels`.
    #[doc(hidden)]
    #[must_use]
    pub fn decoding_at_most(pixels: u64) -> Self {
        Self { decoded: Decoded { room: Some(pixels.into()), ..Decoded::default() }, ..Self::default() }
    }

    /// Takes the decoded images.
    #[doc(hidden)]
    pub fn take_decoded(&self) -> Vec<Bytes> {
        std::mem::take(&mut self.decoded.images.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Returns the next of the decoded images, or decodes it. `size` is its width and height, if they are known.
    pub(crate) fn decoded(
        progress: Option<&Self>,
        size: Option<(u32, u32)>,
        decode: impl FnOnce() -> Result<Vec<u8>>,
    ) -> Result<Bytes> {
        let Some(progress) = progress else { return decode().map(Bytes::from) };
        let Decoded { images, is_kept, room } = &progress.decoded;
        let images = || images.lock().unwrap_or_else(PoisonError::into_inner);
        let pixels = size.map_or(0, |(width, height)| u64::from(width) * u64::from(height));
        if !is_kept
            && let Some(given) = images().pop()
            && given.len() as u64 == pixels * 4
            && pixels > 0
        {
            return Ok(given);
        }
        let left = room.as_ref().map(|room| room.fetch_sub(pixels, Ordering::Relaxed));
        if left.is_some_and(|left| left < pixels) {
            progress.cancel();
        }
        progress.check()?;
        let made = decode().map(Bytes::from);
        if *is_kept {
            // One that is broken keeps its place.
            images().push(made.as_ref().cloned().unwrap_or_default());
        }
        made
    }

    /// Sets the number of images.
    pub(crate) fn expect_images(&self, count: usize) {
        self.all_images.store(count, Ordering::Relaxed);
    }

    /// Counts an image that was decoded.
    pub(crate) fn image_done(&self) {
        self.images.fetch_add(1, Ordering::Relaxed);
    }
}

impl PartialEq for Progress {
    /// Two files have different progress, however far they have come.
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self, other)
    }
}

/// An input that reports to a [`Progress`].
struct Watched<'a, R> {
    progress: &'a Progress,
    input: R,
}

impl<R: Read> Read for Watched<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.progress.check().map_err(io::Error::other)?;
        let read = self.input.read(buffer)?;
        self.progress.bytes.fetch_add(read as u64, Ordering::Relaxed);
        Ok(read)
    }
}
