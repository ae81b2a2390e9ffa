//! The progress of a run: a bar on a terminal, and a line from time to time in a log.

use std::io::IsTerminal;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use indicatif::ProgressBar;

use crate::shared::failure::note;
use crate::shared::progress;

/// Time between two lines in a log.
const INTERVAL: Duration = Duration::from_secs(10);

/// Counts characters and pictures.
pub struct Progress {
    /// Counts the characters that are done, even if it is hidden.
    bar: ProgressBar,
    pictures: AtomicUsize,
    /// Time of the last line in the log; `None` if there are none.
    logged: Option<Mutex<Instant>>,
}

impl Progress {
    /// Prepares the display for a run of at most this many characters; nothing is shown if `quiet`.
    pub fn new(characters: usize, quiet: bool) -> Self {
        let bar = progress::bar(!quiet, characters, "characters");
        let logged = (!quiet && !std::io::stderr().is_terminal()).then(|| Mutex::new(Instant::now()));
        Self { bar, pictures: AtomicUsize::new(0), logged }
    }

    /// Sets the number of characters in the run, or in this shard.
    pub fn start(&self, characters: usize) {
        self.bar.set_length(characters as u64);
    }

    /// Counts a character as done.
    pub fn character_done(&self) {
        self.bar.inc(1);
    }

    /// Counts a picture as done. Called from any thread.
    pub fn picture_done(&self) {
        let pictures = self.pictures.fetch_add(1, Ordering::Relaxed) + 1;
        let Some(logged) = &self.logged else { return };
        let mut last = logged.lock().unwrap_or_else(PoisonError::into_inner);
        if last.elapsed() >= INTERVAL {
            *last = Instant::now();
            let (current, characters) = (self.bar.position() + 1, self.bar.length().unwrap_or_default());
            note(&format!("{pictures} pictures compared, character {current} of {characters}"));
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
