//! Standard input or another pipe: read once, on a thread of its own, since reading can block for ever.

use std::io;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::Poll;
use std::time::Duration;

use bytes::Bytes;

use crate::base::task::Task;
use crate::base::waker::Waker;
use pchr::formats;
use pchr::limits::Limits;
use pchr::progress::Progress;
use pchr::{Error, Result};

/// How often a thread that waits for a pipe asks whether it was cancelled.
const PAUSE: Duration = Duration::from_millis(20);

/// A pipe. Reading goes on when a load is cancelled, because what was read cannot be read again; it ends when the
/// pipe is dropped.
#[derive(Debug)]
pub struct Pipe {
    progress: Arc<Progress>,
    state: Mutex<State>,
}

#[derive(Debug)]
enum State {
    Reading(Task<Result<Bytes>>),
    Read(Bytes),
    /// The error was already reported.
    Reported,
}

impl Pipe {
    /// Starts reading standard input, or the pipe at `path`.
    pub fn start(path: Option<PathBuf>, limits: Limits) -> Self {
        let progress = Arc::<Progress>::default();
        let mine = Arc::clone(&progress);
        let work = move |_: &_| {
            Some(match path {
                Some(path) => formats::open_file(&path)
                    .and_then(|(file, _)| formats::load_named(&path, mine.watch(file, 0), 0, &limits)),
                None => formats::read_limited(mine.watch(io::stdin().lock(), 0), 0, &limits),
            })
        };
        let task = Task::start("pipe", Some(&Waker::of_nobody()), work);
        Self { progress, state: Mutex::new(State::Reading(task)) }
    }

    /// Returns the number of bytes that were read so far.
    pub fn bytes(&self) -> u64 {
        self.progress.bytes().0
    }

    /// Waits until everything was read, or `progress` is cancelled.
    ///
    /// # Errors
    ///
    /// Fails if the pipe cannot be read, or `progress` was cancelled.
    pub fn wait(&self, progress: &Progress) -> Result<Bytes> {
        let failed = |source| Err(Error::Io { place: Box::default(), source });
        loop {
            progress.check()?;
            let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
            let task = match &*state {
                State::Reading(task) => task,
                State::Read(bytes) => return Ok(bytes.clone()),
                State::Reported => return failed(io::Error::other("the pipe was already read")),
            };
            if let Poll::Ready(read) = task.wait(PAUSE) {
                let read = read.unwrap_or_else(|| failed(task.failure()));
                *state = read.as_ref().map_or(State::Reported, |bytes| State::Read(bytes.clone()));
                return read;
            }
        }
    }
}

impl Drop for Pipe {
    fn drop(&mut self) {
        self.progress.cancel();
    }
}
