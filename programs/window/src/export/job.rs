//! An export on its own thread, with progress, cancellation and result.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread::{self, JoinHandle};

use pchr::error::{escaped, with_sources};
use pchr::export::{BatchError, Observer, OutputsError, Written};

/// A running export. Dropping it cancels the export and removes what it has written.
#[derive(Debug)]
pub struct Job {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<Ended>>,
}

/// What the thread of an export shares with the window.
#[derive(Debug, Default)]
pub struct Shared {
    /// The export was cancelled.
    pub cancelled: AtomicBool,
    done: AtomicUsize,
    total: AtomicUsize,
}

/// The result of an export.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ended {
    /// All files were written.
    Written(Written),
    /// The file was converted.
    Converted {
        /// The written files, the main file first.
        files: Vec<PathBuf>,
        /// Messages about what was lost.
        losses: Vec<String>,
    },
    /// The user cancelled the export; nothing was written.
    Cancelled,
    /// Output files already exist; nothing was written.
    Exists {
        /// The first existing file.
        first: PathBuf,
        /// Number of existing files.
        count: usize,
    },
    /// The export failed with this message; nothing was written.
    Failed(String),
}

impl Job {
    /// Starts the thread that does `work`.
    ///
    /// # Errors
    ///
    /// Fails if the system cannot start a thread.
    pub fn start(work: impl FnOnce(&Shared) -> Ended + Send + 'static) -> io::Result<Self> {
        let shared = Arc::new(Shared::default());
        let mine = Arc::clone(&shared);
        let thread = thread::Builder::new().name("export".to_owned()).spawn(move || work(&mine))?;
        Ok(Self { shared, thread: Some(thread) })
    }

    /// Returns the number of finished pictures and their total, which is 0 until known.
    pub fn progress(&self) -> (usize, usize) {
        let Shared { done, total, .. } = &*self.shared;
        (done.load(Ordering::Relaxed), total.load(Ordering::Relaxed))
    }

    /// Requests cancellation. It takes effect within one picture.
    pub fn cancel(&self) {
        self.shared.cancelled.store(true, Ordering::Relaxed);
    }

    /// Returns true once [`Self::cancel`] was called.
    pub fn is_cancelled(&self) -> bool {
        self.shared.cancelled.load(Ordering::Relaxed)
    }

    /// Returns the result once, as soon as the export has ended. Does not block.
    pub fn ended(&mut self) -> Option<Ended> {
        let thread = self.thread.take_if(|thread| thread.is_finished())?;
        let broken = |_| Ended::Failed("the export thread ended without a result, which is a bug".to_owned());
        Some(thread.join().unwrap_or_else(broken))
    }
}

impl Drop for Job {
    fn drop(&mut self) {
        self.cancel();
        // The thread removes its files before it ends, which takes at most one picture.
        self.thread.take().map(JoinHandle::join);
    }
}

impl Shared {
    /// Sets the number of pictures to be drawn.
    pub fn set_total(&self, total: usize) {
        self.total.store(total, Ordering::Relaxed);
    }
}

impl Observer for Shared {
    fn picture_done(&self) {
        self.done.fetch_add(1, Ordering::Relaxed);
    }
}

impl From<Result<Written, BatchError>> for Ended {
    fn from(result: Result<Written, BatchError>) -> Self {
        match result {
            Ok(written) if written.outcome.is_finished => Self::Written(written),
            Ok(_) => Self::Cancelled,
            Err(BatchError::Outputs(OutputsError::Exists { first, count, .. })) => Self::Exists { first, count },
            Err(error) => Self::Failed(escaped(&with_sources(&error))),
        }
    }
}
