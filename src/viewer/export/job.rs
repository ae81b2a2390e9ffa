//! An export on its own thread, with progress, cancellation and result.

use std::io;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};

use super::{Conversion, cast};
use crate::Character;
use crate::error::{escaped, with_sources};
use crate::export::{BatchError, Observer, OutputsError, RenderOptions, Run, Written};
use crate::model::{AnimationId, SkinId};

/// A running export. Dropping it cancels the export and removes what it has written.
#[derive(Debug)]
pub struct Job {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

#[derive(Debug, Default)]
struct Shared {
    cancelled: AtomicBool,
    done: AtomicUsize,
    total: AtomicUsize,
    ended: Mutex<Option<Ended>>,
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
    /// Starts exporting `animations` of `character` in `skins`. The files in `sources` are never overwritten.
    ///
    /// # Errors
    ///
    /// Fails if the system cannot start a thread.
    pub fn start(
        character: Arc<Character>,
        options: RenderOptions,
        animations: Vec<AnimationId>,
        skins: Vec<SkinId>,
        sources: Vec<PathBuf>,
    ) -> io::Result<Self> {
        Self::spawn(move |shared| {
            let run = Run {
                character: &character,
                options: &options,
                animations: &animations,
                skins: &skins,
                sources: &sources,
                cancelled: &shared.cancelled,
            };
            let total = |total| shared.total.store(total, Ordering::Relaxed);
            ended(run.write(total, shared))
        })
    }

    /// Starts writing one sheet of the characters in the files of `options`.
    ///
    /// # Errors
    ///
    /// Fails if the system cannot start a thread.
    pub fn start_cast(options: RenderOptions) -> io::Result<Self> {
        Self::spawn(move |shared| {
            let total = |total| shared.total.store(total, Ordering::Relaxed);
            ended(cast::write(&options, &shared.cancelled, total, shared))
        })
    }

    /// Starts a conversion. It can be cancelled until files are written.
    ///
    /// # Errors
    ///
    /// Fails if the system cannot start a thread.
    pub fn convert(conversion: Conversion) -> io::Result<Self> {
        Self::spawn(move |shared| conversion.run(|| shared.cancelled.load(Ordering::Relaxed)))
    }

    fn spawn(work: impl FnOnce(&Shared) -> Ended + Send + 'static) -> io::Result<Self> {
        let shared = Arc::new(Shared::default());
        let mine = Arc::clone(&shared);
        let work = move || {
            let ended = work(&mine);
            *mine.ended.lock().unwrap_or_else(PoisonError::into_inner) = Some(ended);
        };
        let thread = thread::Builder::new().name("export".to_owned()).spawn(work)?;
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

    /// Returns the result once the export has ended. Does not block.
    pub fn ended(&self) -> Option<Ended> {
        // Check the thread first: it stores its result just before it finishes.
        let is_over = self.thread.as_ref().is_none_or(JoinHandle::is_finished);
        let ended = self.shared.ended.lock().unwrap_or_else(PoisonError::into_inner).take();
        let broken = || Ended::Failed("the export thread ended without a result, which is a bug".to_owned());
        ended.or_else(|| is_over.then(broken))
    }
}

impl Drop for Job {
    fn drop(&mut self) {
        self.cancel();
        // The thread removes its files before it ends, which takes at most one picture.
        self.thread.take().map(JoinHandle::join);
    }
}

impl Observer for Shared {
    fn picture_done(&self) {
        self.done.fetch_add(1, Ordering::Relaxed);
    }
}

fn ended(result: Result<Written, BatchError>) -> Ended {
    match result {
        Ok(written) if written.outcome.is_finished => Ended::Written(written),
        Ok(_) => Ended::Cancelled,
        Err(BatchError::Outputs(OutputsError::Exists { first, count, .. })) => Ended::Exists { first, count },
        Err(error) => Ended::Failed(escaped(&with_sources(&error))),
    }
}
