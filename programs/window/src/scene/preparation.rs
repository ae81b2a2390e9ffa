//! What a screen computes on another thread before it can draw a character.

use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

use crate::base::task::Task;
use crate::base::waker::Waker;

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
    task: Task<T>,
}

impl<T: Send + 'static> Computation<T> {
    /// Starts computing. The result is dropped if nobody wants it any more.
    pub fn start(character: &Arc<Character>, compute: impl FnOnce(&Character) -> T + Send + 'static) -> Self {
        let of = Arc::clone(character);
        let task = Task::start("prepare", Some(&Waker::of_nobody()), move |_| Some(compute(&of)));
        Self { character: Arc::clone(character), task }
    }

    /// Returns true if the value is computed for `character`.
    pub fn is_of(&self, character: &Arc<Character>) -> bool {
        Arc::ptr_eq(&self.character, character)
    }

    /// Returns the value, or `None` if it could not be computed: the caller computes it when it needs it. Waits a moment.
    pub fn take(&self) -> Poll<Option<T>> {
        self.task.wait(WAIT)
    }
}
