//! The progress of a run: a bar on a terminal, and a line from time to time in a log.

use std::io::IsTerminal;
use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use indicatif::ProgressBar;

use crate::shared::failure::note;
use crate::shared::progress;

/// Time between two lines in a log.
const INTERVAL: Duration = Duration::from_secs(10);

/// Counts characters and pictures.
pub struct Progress {
    bar: ProgressBar,
    characters: AtomicUsize,
    begun: AtomicUsize,
    pictures: AtomicUsize,
    /// Time of the last line in the log; `None` if there are none.
    logged: Option<Mutex<Instant>>,
}

impl Progress {
    /// Prepares the display for a run of at most this many characters; nothing is shown if `quiet`.
    pub fn new(characters: usize, quiet: bool) -> Self {
        let bar = progress::bar(!quiet, characters, "characters");
        let logged = (!quiet && !std::io::stderr().is_terminal()).then(|| Mutex::new(Instant::now()));
        Self {
            bar,
            characters: AtomicUsize::new(characters),
            begun: AtomicUsize::new(0),
            pictures: AtomicUsize::new(0),
            logged,
        }
    }

    /// Sets the number of characters in the run, or in this shard.
    pub fn start(&self, characters: usize) {
        self.bar.set_length(characters as u64);
        self.characters.store(characters, Ordering::Relaxed);
    }

    /// Counts a character as begun.
    pub fn character(&self) {
        self.bar.set_position(self.begun.fetch_add(1, Ordering::Relaxed) as u64);
    }

    /// Counts a picture as done. Called from any thread.
    pub fn picture(&self) {
        let pictures = self.pictures.fetch_add(1, Ordering::Relaxed) + 1;
        let Some(logged) = &self.logged else { return };
        let mut last = logged.lock().unwrap_or_else(PoisonError::into_inner);
        if last.elapsed() >= INTERVAL {
            *last = Instant::now();
            let begun = self.begun.load(Ordering::Relaxed);
            note(&format!(
                "{pictures} pictures compared, character {begun} of {}",
                self.characters.load(Ordering::Relaxed)
            ));
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
