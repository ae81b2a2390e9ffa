//! Standard input or another pipe: read once, on a thread of its own, since reading can block for ever.

use std::path::PathBuf;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread;
use std::time::Duration;
use std::{io, mem};

use bytes::Bytes;

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
    shared: Arc<Shared>,
}

#[derive(Debug, Default)]
struct Shared {
    progress: Progress,
    state: Mutex<State>,
    ended: Condvar,
}

#[derive(Debug, Default)]
enum State {
    #[default]
    Reading,
    Read(Bytes),
    Failed(Error),
    /// The error was already reported.
    Reported,
}

impl Pipe {
    /// Starts reading standard input, or the pipe at `path`.
    pub fn start(path: Option<PathBuf>, limits: Limits) -> Self {
        let shared = Arc::new(Shared::default());
        let mine = Arc::clone(&shared);
        let work = move || {
            let read = match path {
                Some(path) => formats::open_file(&path)
                    .and_then(|(file, _)| formats::load_named(&path, mine.progress.watch(file, 0), 0, &limits)),
                None => formats::read_limited(mine.progress.watch(io::stdin().lock(), 0), 0, &limits),
            };
            mine.end(read);
        };
        if let Err(error) = thread::Builder::new().name("pipe".to_owned()).spawn(work) {
            shared.end(Err(Error::Io { place: Box::default(), source: error }));
        }
        Self { shared }
    }

    /// Returns the number of bytes that were read so far.
    pub fn bytes(&self) -> u64 {
        self.shared.progress.bytes().0
    }

    /// Waits until everything was read, or `progress` is cancelled.
    ///
    /// # Errors
    ///
    /// Fails if the pipe cannot be read, or `progress` was cancelled.
    pub fn wait(&self, progress: &Progress) -> Result<Bytes> {
        let mut state = self.shared.state.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            progress.check()?;
            match mem::replace(&mut *state, State::Reported) {
                State::Reading => *state = State::Reading,
                State::Read(bytes) => {
                    *state = State::Read(bytes.clone());
                    return Ok(bytes);
                }
                State::Failed(error) => return Err(error),
                State::Reported => {
                    let source = io::Error::other("the pipe was already read");
                    return Err(Error::Io { place: Box::default(), source });
                }
            }
            state = self.shared.ended.wait_timeout(state, PAUSE).unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}

impl Drop for Pipe {
    fn drop(&mut self) {
        self.shared.progress.cancel();
    }
}

impl Shared {
    fn end(&self, read: Result<Bytes>) {
        let ended = read.map_or_else(State::Failed, State::Read);
        *self.state.lock().unwrap_or_else(PoisonError::into_inner) = ended;
        self.ended.notify_all();
    }
}
