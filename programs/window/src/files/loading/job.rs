//! A file that is loaded on its own thread.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use super::read::{Outcome, Request, Source};
use crate::base::waker::Waker;
use pchr::Error;
use pchr::progress::Progress;

/// A file that is being loaded. Dropping it cancels it; its thread is not waited for, and its result is dropped.
#[derive(Debug)]
pub struct Job {
    shared: Arc<Shared>,
    source: Source,
}

#[derive(Debug, Default)]
struct Shared {
    progress: Arc<Progress>,
    is_preparing: AtomicBool,
    state: Mutex<State>,
    ended: Condvar,
}

#[derive(Debug, Default)]
struct State {
    has_ended: bool,
    outcome: Option<Outcome>,
}

/// What a job does at present.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// Reads the file: bytes read, and its size, which is 0 if unknown.
    Reading(u64, u64),
    /// Decodes images: how many, and of how many; 0 until known.
    Decoding(usize, usize),
    /// Computes bounds and other things that the window asks for.
    Preparing,
}

impl Job {
    /// Starts loading. `wake` is called from the thread when it ends.
    pub fn start(request: Request, wake: Waker) -> Self {
        let shared = Arc::new(Shared::default());
        let mine = Arc::clone(&shared);
        let source = request.source.clone();
        let work = move || {
            // Also reports the end if reading panics.
            let ending = Ending { shared: &mine, wake };
            let preparing = || mine.is_preparing.store(true, Ordering::Relaxed);
            let outcome = request.run(&mine.progress, preparing);
            ending.shared.state.lock().unwrap_or_else(PoisonError::into_inner).outcome = Some(outcome);
        };
        if let Err(error) = thread::Builder::new().name("load".to_owned()).spawn(work) {
            let outcome = Some(Outcome::failed(Error::io(source.path.display(), error)));
            let mut state = shared.state.lock().unwrap_or_else(PoisonError::into_inner);
            *state = State { has_ended: true, outcome };
        }
        Self { shared, source }
    }

    /// Returns the file.
    pub fn source(&self) -> &Source {
        &self.source
    }

    /// Returns what it does at present.
    pub fn step(&self) -> Step {
        let progress = &self.shared.progress;
        let (read, size) = match &self.source.pipe {
            Some(pipe) => (pipe.bytes(), 0),
            None => progress.bytes(),
        };
        match progress.images() {
            _ if self.shared.is_preparing.load(Ordering::Relaxed) => Step::Preparing,
            (done, all) if all > 0 || size > 0 && read >= size => Step::Decoding(done, all),
            _ => Step::Reading(read, size),
        }
    }

    /// Waits for the end, but not longer than `at_most`.
    pub fn wait(&self, at_most: Duration) {
        let state = self.shared.state.lock().unwrap_or_else(PoisonError::into_inner);
        let ended = self.shared.ended.wait_timeout_while(state, at_most, |state| !state.has_ended);
        drop(ended);
    }

    /// Returns the result once it has ended. Does not block.
    pub fn take(&self) -> Option<Outcome> {
        let mut state = self.shared.state.lock().unwrap_or_else(PoisonError::into_inner);
        let broken = || {
            let error = std::io::Error::other("the loading thread ended without a result, which is a bug");
            Outcome::failed(Error::io(self.source.path.display(), error))
        };
        state.has_ended.then(|| state.outcome.take().unwrap_or_else(broken))
    }
}

impl Drop for Job {
    fn drop(&mut self) {
        self.shared.progress.cancel();
    }
}

/// Reports the end of a thread when it is dropped.
struct Ending<'a> {
    shared: &'a Shared,
    wake: Waker,
}

impl Drop for Ending<'_> {
    fn drop(&mut self) {
        self.shared.state.lock().unwrap_or_else(PoisonError::into_inner).has_ended = true;
        self.shared.ended.notify_all();
        self.wake.wake();
    }
}
