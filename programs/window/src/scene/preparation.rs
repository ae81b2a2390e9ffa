//! What a screen computes on another thread before it can draw a character.

use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use pchr::Character;

/// How long a frame waits for the thread: small characters are ready by then, and appear in the same frame.
const WAIT: Duration = Duration::from_millis(12);

/// How far a screen is with a character.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Preparation {
    /// The next frame can draw it.
    Ready,
    /// A thread computes something.
    Computing,
    /// Some of its textures are uploaded: bytes so far, and all.
    Uploading(u64, u64),
}

/// A value for a character that is computed on another thread.
#[derive(Debug)]
pub struct Computation<T> {
    character: Arc<Character>,
    value: Mutex<Receiver<T>>,
}

impl<T: Send + 'static> Computation<T> {
    /// Starts computing. The result is dropped if nobody wants it any more.
    pub fn start(character: &Arc<Character>, compute: impl FnOnce(&Character) -> T + Send + 'static) -> Self {
        let (sender, value) = mpsc::channel();
        let of = Arc::clone(character);
        let work = move || sender.send(compute(&of)).unwrap_or_default();
        // Without a thread there is no value, and the caller computes it when it needs it.
        drop(thread::Builder::new().name("prepare".to_owned()).spawn(work));
        Self { character: Arc::clone(character), value: Mutex::new(value) }
    }

    /// Returns true if the value is computed for `character`.
    pub fn is_of(&self, character: &Arc<Character>) -> bool {
        Arc::ptr_eq(&self.character, character)
    }

    /// Returns the value, `Some(None)` if it could not be computed, or `None` if it is not there yet. Waits a moment.
    pub fn take(&self) -> Option<Option<T>> {
        match self.value.lock().unwrap_or_else(PoisonError::into_inner).recv_timeout(WAIT) {
            Ok(value) => Some(Some(value)),
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => Some(None),
        }
    }
}
