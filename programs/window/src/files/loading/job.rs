//! A file that is loaded on its own thread.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::Poll;
use std::time::Duration;

use super::read::{LoadRequest, Outcome, Source};
use crate::base::task::Task;
use crate::base::waker::Waker;
use pchr::Error;
use pchr::progress::Progress;

/// A file that is being loaded. Dropping it cancels it; its thread is not waited for, and its result is dropped.
#[derive(Debug)]
pub struct Job {
    task: Task<Outcome>,
    progress: Arc<Progress>,
    is_preparing: Arc<AtomicBool>,
    source: Source,
}

/// What happens to a file at present.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// Reads the file: bytes read, and its size, which is 0 if unknown.
    Reading(u64, u64),
    /// Decodes images: how many, and of how many; 0 until known.
    Decoding(usize, usize),
    /// Computes bounds and other things that the window asks for.
    Preparing,
    /// Uploads textures, after the job: bytes so far, and all.
    Uploading(u64, u64),
}

impl Step {
    /// Returns what is done, for people.
    pub fn text(self) -> String {
        let mb = |bytes: u64| bytes.div_ceil(1 << 20);
        match self {
            Self::Reading(read, 0) => format!("Reading: {} MB", mb(read)),
            Self::Reading(read, size) => format!("Reading: {} of {} MB", mb(read), mb(size)),
            Self::Decoding(_, 0) => "Decoding".to_owned(),
            Self::Decoding(done, all) => format!("Decoding images: {done} of {all}"),
            Self::Preparing | Self::Uploading(_, 0) => "Preparing".to_owned(),
            Self::Uploading(done, all) => format!("Uploading textures: {} of {} MB", mb(done), mb(all)),
        }
    }

    /// Returns how much of everything is done, 0 to 1, counting each step as the same part.
    pub fn share(self) -> f32 {
        const STEPS: f32 = 4.0;
        let share =
            |done: u64, all: u64| if all > 0 { (done as f64 / all as f64).clamp(0.0, 1.0) as f32 } else { 0.0 };
        let (before, part) = match self {
            Self::Reading(done, all) => (0.0, share(done, all)),
            Self::Decoding(done, all) => (1.0, share(done as u64, all as u64)),
            Self::Preparing => (2.0, 0.0),
            Self::Uploading(done, all) => (3.0, share(done, all)),
        };
        (before + part) / STEPS
    }
}

impl Job {
    /// Starts loading. `waker` is called from the thread when it ends.
    pub fn start(request: LoadRequest, waker: &Waker) -> Self {
        let (progress, is_preparing) = (Arc::<Progress>::default(), Arc::<AtomicBool>::default());
        let (mine, has_read) = (Arc::clone(&progress), Arc::clone(&is_preparing));
        let source = request.source.clone();
        let work = move |_: &_| Some(request.run(&mine, || has_read.store(true, Ordering::Relaxed)));
        Self { task: Task::start("loading", Some(waker), work), progress, is_preparing, source }
    }

    /// Returns the file.
    pub fn source(&self) -> &Source {
        &self.source
    }

    /// Returns what it does at present.
    pub fn step(&self) -> Step {
        let (read, size) = match &self.source.pipe {
            Some(pipe) => (pipe.bytes(), 0),
            None => self.progress.bytes(),
        };
        match self.progress.images() {
            _ if self.is_preparing.load(Ordering::Relaxed) => Step::Preparing,
            (done, all) if all > 0 || size > 0 && read >= size => Step::Decoding(done, all),
            _ => Step::Reading(read, size),
        }
    }

    /// Returns the result once it has ended. Does not block.
    pub fn take(&self) -> Option<Outcome> {
        self.wait(Duration::ZERO)
    }

    /// The same, but waits for the end, not longer than `at_most`.
    pub fn wait(&self, at_most: Duration) -> Option<Outcome> {
        let Poll::Ready(outcome) = self.task.wait(at_most) else { return None };
        let failed = || Outcome::failed(Error::io(self.source.path.display(), self.task.failure()));
        Some(outcome.unwrap_or_else(failed))
    }
}

impl Drop for Job {
    fn drop(&mut self) {
        self.progress.cancel();
    }
}
