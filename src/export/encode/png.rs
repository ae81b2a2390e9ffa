//! Finished picture → PNG, which can be compressed as far as possible.

use std::io::{self, Write};
use std::sync::atomic::AtomicBool;

use png::EncodingError;

use crate::draw::Picture;
use crate::formats::image;
use crate::limits::Limits;

/// Writes `picture` as an 8-bit RGBA PNG with its pixels unchanged.
pub fn write_png(picture: &Picture, out: impl Write) -> io::Result<()> {
    image::write_png(out, picture.width(), picture.height(), picture.pixels())
}

/// The error of an encoder.
pub(super) fn io_error(error: EncodingError) -> io::Error {
    match error {
        EncodingError::IoError(error) => error,
        error => io::Error::other(error),
    }
}

/// Takes a PNG, and passes on a smaller one with the same pixels if that is requested.
pub(super) struct PngSink<'a> {
    out: &'a mut (dyn Write + Send),
    /// The PNG so far, if it will be optimised.
    png: Option<Vec<u8>>,
    limits: &'a Limits,
}

impl<'a> PngSink<'a> {
    pub fn new(out: &'a mut (dyn Write + Send), is_optimized: bool, limits: &'a Limits) -> Self {
        Self { out, png: is_optimized.then(Vec::new), limits }
    }

    /// Writes the rest. The PNG must be complete. Returns false if cancelled; the output is incomplete then.
    pub fn finish(self, cancelled: &AtomicBool) -> io::Result<bool> {
        let Self { out, png, .. } = self;
        let Some(png) = png else { return Ok(true) };
        match optimized(png, cancelled)? {
            Some(png) => out.write_all(&png).map(|()| true),
            None => Ok(false),
        }
    }
}

impl Write for PngSink<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.limits.check_cancelled().map_err(io::Error::other)?;
        match &mut self.png {
            Some(png) => png.write(bytes),
            None => self.out.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.png.is_some() { Ok(()) } else { self.out.flush() }
    }
}

/// Returns a PNG with the same pixels and chunks that is as small as possible; `None` if cancelled. It may store colours in
/// another way.
#[cfg(feature = "optimize")]
fn optimized(png: Vec<u8>, cancelled: &AtomicBool) -> io::Result<Option<Vec<u8>>> {
    use std::sync::atomic::Ordering;
    use std::sync::mpsc::{RecvTimeoutError, channel};
    use std::time::Duration;
    /// Its default. Higher ones take 2 to 15 times as long, and save less than 1 percent more.
    const LEVEL: u8 = 2;
    /// How often it looks whether it is cancelled.
    const WAIT: Duration = Duration::from_millis(20);
    let (sender, receiver) = channel();
    let optimize = move || {
        let smaller = oxipng::optimize_from_memory(&png, &oxipng::Options::from_preset(LEVEL));
        // No one waits if it was cancelled.
        let _ = sender.send(smaller.map_err(io::Error::other));
    };
    // It cannot be stopped, so a cancelled one is left to itself.
    std::thread::Builder::new().spawn(optimize)?;
    loop {
        match receiver.recv_timeout(WAIT) {
            Ok(smaller) => return smaller.map(Some),
            Err(RecvTimeoutError::Timeout) if cancelled.load(Ordering::Relaxed) => return Ok(None),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return Err(io::Error::other("the PNG cannot be made smaller")),
        }
    }
}

#[cfg(not(feature = "optimize"))]
fn optimized(_: Vec<u8>, _: &AtomicBool) -> io::Result<Option<Vec<u8>>> {
    let message = "this build cannot optimise PNGs; it was compiled without the feature `optimize`";
    Err(io::Error::new(io::ErrorKind::Unsupported, message))
}

#[cfg(test)]
#[cfg(feature = "optimize")]
mod tests {
    use std::sync::atomic::Ordering;
    use std::time::{Duration, Instant};

    use super::*;

    #[test]
    fn a_cancelled_png_is_not_waited_for() {
        // Noise, which takes seconds.
        let mut random = 1u32;
        let mut noise = || {
            random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (random >> 24) as u8
        };
        let pixels: Vec<u8> = (0..4 * 2000 * 2000).map(|_| noise()).collect();
        let cancelled = AtomicBool::new(false);
        let mut out = Vec::new();
        let limits = Limits::default();
        let mut sink = PngSink::new(&mut out, true, &limits);
        image::write_png(&mut sink, 2000, 2000, &pixels).expect("a PNG");
        let begin = Instant::now();
        let is_complete = std::thread::scope(|scope| {
            scope.spawn(|| {
                std::thread::sleep(Duration::from_millis(100));
                cancelled.store(true, Ordering::Relaxed);
            });
            sink.finish(&cancelled)
        });
        assert!(!is_complete.expect("no error"), "after {:?}", begin.elapsed());
        assert!(out.is_empty());
    }
}
