//! An export on its own thread, with progress, cancellation and result.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::task::Poll;
use std::time::Duration;

use crate::base::task::Task;
use crate::base::waker::Waker;
use pchr::error::{escaped, with_sources};
use pchr::export::{BatchError, Observer, OutputsError, Written};

/// A running export. Dropping it cancels the export and removes what it has written.
#[derive(Debug)]
pub struct Job {
    shared: Arc<Shared>,
    task: Task<Ended>,
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
    pub fn start(work: impl FnOnce(&Shared) -> Ended + Send + 'static) -> Self {
        let shared = Arc::new(Shared::default());
        let mine = Arc::clone(&shared);
        let task = Task::start("export", Some(&Waker::of_nobody()), move |_| Some(work(&mine)));
        Self { shared, task }
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
    pub fn ended(&self) -> Option<Ended> {
        let Poll::Ready(ended) = self.task.take() else { return None };
        Some(ended.unwrap_or_else(|| Ended::Failed(self.task.failure().to_string())))
    }
}

impl Drop for Job {
    fn drop(&mut self) {
        self.cancel();
        // The thread removes its files before it ends, which takes at most one picture.
        drop(self.task.wait(Duration::MAX));
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

impl Ended {
    /// Returns the result of an export that failed.
    pub fn failed(error: &(dyn std::error::Error + 'static)) -> Self {
        Self::Failed(escaped(&with_sources(error)))
    }
}

impl From<Result<Written, BatchError>> for Ended {
    fn from(result: Result<Written, BatchError>) -> Self {
        match result {
            Ok(written) if written.outcome.is_finished => Self::Written(written),
            Ok(_) => Self::Cancelled,
            Err(BatchError::Outputs(OutputsError::Exists { first, count, .. })) => Self::Exists { first, count },
            Err(error) => Self::failed(&error),
        }
    }
}
