//! Ctrl+C, and being asked to end by the system: nothing half-written stays behind.

use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use super::failure::Failure;

/// Somebody asked the program to end.
static ASKED: AtomicBool = AtomicBool::new(false);
/// How many outputs are being written.
static WRITING: AtomicUsize = AtomicUsize::new(0);

/// Set when the user presses Ctrl+C or the system asks the program to end: what is begun is finished or
/// taken away, nothing new is begun. Asked a second time the program ends at once.
pub fn flag() -> Arc<AtomicBool> {
    let flag = Arc::new(AtomicBool::new(false));
    let set = Arc::clone(&flag);
    handle(move || set.swap(true, Ordering::Relaxed));
    flag
}

/// From now on the program ends at once, but while it is [`Writing`], which then fails.
pub fn watch() {
    handle(|| ASKED.swap(true, Ordering::SeqCst) || WRITING.load(Ordering::SeqCst) == 0);
}

/// `ends_at_once` is called when the program is asked to end.
fn handle(ends_at_once: impl Fn() -> bool + Send + 'static) {
    // Without a handler Ctrl+C still ends the program, only less tidily.
    let _ = ctrlc::set_handler(move || {
        if ends_at_once() {
            std::process::exit(130);
        }
    });
}

/// What a command came to; nothing else matters when it was asked to end.
pub fn or_interrupted(result: Result<(), Failure>) -> Result<(), Failure> {
    match result {
        Err(_) if ASKED.load(Ordering::SeqCst) => Err(Failure::Interrupted),
        result => result,
    }
}

/// While this lives the program ends by itself, and tidily.
pub struct Writing;

impl Writing {
    pub fn begin() -> Self {
        WRITING.fetch_add(1, Ordering::SeqCst);
        Self
    }
}

impl Drop for Writing {
    fn drop(&mut self) {
        WRITING.fetch_sub(1, Ordering::SeqCst);
    }
}

/// Fails where the program is asked to end.
pub struct Watched<W>(pub W);

/// So much is written before it is asked again.
const PIECE: usize = 1 << 20;

impl<W: Write> Write for Watched<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if ASKED.load(Ordering::SeqCst) {
            // Not `Interrupted`, which means that it is to be tried again.
            return Err(io::Error::other("interrupted"));
        }
        self.0.write(&bytes[..bytes.len().min(PIECE)])
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}
