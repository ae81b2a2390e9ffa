//! An export on a thread of its own: how far it is, how to stop it, and what came of it.

use std::io;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};

use crate::character::Character;
use crate::error::{shown, with_sources};
use crate::export::{BatchError, Observer, OutputsError, RenderOptions, Run, Written};
use crate::model::{AnimationId, SkinId};

/// An export that has been begun. Dropped, it is cancelled, and nothing of it stays.
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

/// What came of an export.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ended {
    /// Everything is written.
    Written(Written),
    /// The user thought better of it; nothing is written.
    Cancelled,
    /// So many files are there already, this first; nothing is written.
    Exists {
        /// The first of them.
        first: PathBuf,
        /// How many there are.
        count: usize,
    },
    /// Nothing is written, and this is why.
    Failed(String),
}

impl Job {
    /// Begins to write what `options` ask for of `animations`, in `skins`, and over none of `sources`.
    pub fn start(
        character: Arc<Character>,
        options: RenderOptions,
        animations: Vec<AnimationId>,
        skins: Vec<SkinId>,
        sources: Vec<PathBuf>,
    ) -> io::Result<Self> {
        let shared = Arc::new(Shared::default());
        let mine = Arc::clone(&shared);
        let work = move || {
            let run = Run {
                character: &character,
                options: &options,
                animations: &animations,
                skins: &skins,
                sources: &sources,
                cancelled: &mine.cancelled,
            };
            let total = |total| mine.total.store(total, Ordering::Relaxed);
            let ended = ended(run.write(total, &*mine));
            *mine.ended.lock().unwrap_or_else(PoisonError::into_inner) = Some(ended);
        };
        let thread = thread::Builder::new().name("export".to_owned()).spawn(work)?;
        Ok(Self { shared, thread: Some(thread) })
    }

    /// How many pictures are done, and of how many; 0 as long as that is not known.
    pub fn progress(&self) -> (usize, usize) {
        let Shared { done, total, .. } = &*self.shared;
        (done.load(Ordering::Relaxed), total.load(Ordering::Relaxed))
    }

    /// Stops it within a picture.
    pub fn cancel(&self) {
        self.shared.cancelled.store(true, Ordering::Relaxed);
    }

    /// True from [`Self::cancel`] on.
    pub fn is_cancelled(&self) -> bool {
        self.shared.cancelled.load(Ordering::Relaxed)
    }

    /// What came of it, once it has ended. Does not wait.
    pub fn ended(&self) -> Option<Ended> {
        // Asked before what it has left, which it leaves last.
        let is_over = self.thread.as_ref().is_none_or(JoinHandle::is_finished);
        let ended = self.shared.ended.lock().unwrap_or_else(PoisonError::into_inner).take();
        let broken = || Ended::Failed("the export ended without a word, which is a bug".to_owned());
        ended.or_else(|| is_over.then(broken))
    }
}

impl Drop for Job {
    fn drop(&mut self) {
        self.cancel();
        // It takes its files away before it ends; that is within a picture.
        self.thread.take().map(JoinHandle::join);
    }
}

impl Observer for Shared {
    fn worked(&self) {
        self.done.fetch_add(1, Ordering::Relaxed);
    }
}

fn ended(result: Result<Written, BatchError>) -> Ended {
    match result {
        Ok(written) if written.outcome.is_finished => Ended::Written(written),
        Ok(_) => Ended::Cancelled,
        Err(BatchError::Outputs(OutputsError::Exists { first, count, .. })) => Ended::Exists { first, count },
        Err(error) => Ended::Failed(shown(&with_sources(&error))),
    }
}
