//! Work on a thread of its own, whose results the window takes over in a later frame.

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::task::Poll;
use std::time::Duration;
use std::{fmt, io, thread};

use super::waker::Waker;

/// Work in the background. Dropping it does not wait for the thread: it wakes nobody any more, and its results are
/// dropped.
pub struct Task<T> {
    name: &'static str,
    shared: Arc<Shared<T>>,
}

struct Shared<T> {
    state: Mutex<State<T>>,
    ended: Condvar,
}

struct State<T> {
    results: VecDeque<T>,
    has_ended: bool,
    is_dropped: bool,
    /// Why there is no thread.
    error: Option<io::Error>,
}

/// Where the work puts its results. Dropping it ends the task, also when the work panics.
pub struct Results<T> {
    shared: Arc<Shared<T>>,
    waker: Option<Waker>,
}

impl<T: Send + 'static> Task<T> {
    /// Starts `work`, which returns its last result, on a thread that calls `waker` after each result and at the end.
    /// Without a waker, it is done at once.
    pub fn start(
        name: &'static str,
        waker: Option<&Waker>,
        work: impl FnOnce(&Results<T>) -> Option<T> + Send + 'static,
    ) -> Self {
        let state = State { results: VecDeque::new(), has_ended: false, is_dropped: false, error: None };
        let shared = Arc::new(Shared { state: Mutex::new(state), ended: Condvar::new() });
        let results = Results { shared: Arc::clone(&shared), waker: waker.cloned() };
        let work = move || {
            let last = work(&results);
            results.shared.state().results.extend(last);
        };
        if waker.is_none() {
            work();
        } else if let Err(error) = thread::Builder::new().name(name.to_owned()).spawn(work) {
            shared.state().error = Some(error);
        }
        Self { name, shared }
    }
}

impl<T> Task<T> {
    /// Returns the next result, or `None` after the last one. Does not block.
    pub fn take(&self) -> Poll<Option<T>> {
        let mut state = self.shared.state();
        match state.results.pop_front() {
            None if !state.has_ended => Poll::Pending,
            result => Poll::Ready(result),
        }
    }

    /// Waits for the next result or the end, but not longer than `at_most`.
    pub fn wait(&self, at_most: Duration) {
        let is_pending = |state: &mut State<T>| state.results.is_empty() && !state.has_ended;
        drop(self.shared.ended.wait_timeout_while(self.shared.state(), at_most, is_pending));
    }

    /// Returns why a task ended without a result that it should have had.
    pub fn failure(&self) -> io::Error {
        match self.shared.state().error.take() {
            Some(error) => io::Error::new(error.kind(), format!("cannot start a thread: {error}")),
            None => io::Error::other(format!("the {} thread ended without a result, which is a bug", self.name)),
        }
    }
}

impl<T> Drop for Task<T> {
    fn drop(&mut self) {
        self.shared.state().is_dropped = true;
    }
}

impl<T> fmt::Debug for Task<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Task({})", self.name)
    }
}

impl<T> Results<T> {
    /// Hands over a result. Returns `None` if nobody wants it any more.
    pub fn send(&self, result: T) -> Option<()> {
        let mut state = self.shared.state();
        if state.is_dropped {
            return None;
        }
        state.results.push_back(result);
        drop(state);
        self.shared.ended.notify_all();
        self.waker.iter().for_each(Waker::wake);
        Some(())
    }
}

impl<T> Drop for Results<T> {
    fn drop(&mut self) {
        let mut state = self.shared.state();
        state.has_ended = true;
        let is_dropped = state.is_dropped;
        drop(state);
        self.shared.ended.notify_all();
        self.waker.iter().filter(|_| !is_dropped).for_each(Waker::wake);
    }
}

impl<T> Shared<T> {
    fn state(&self) -> MutexGuard<'_, State<T>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    #[test]
    fn results_arrive_in_order_and_wake_once_each() {
        let (wakes, woken) = mpsc::channel();
        let waker = Waker::new(move || wakes.send(()).unwrap_or_default());
        let (open, gate) = mpsc::channel::<()>();
        let task = Task::start("test", Some(&waker), move |results| {
            results.send(1)?;
            gate.recv().ok()?;
            Some(2)
        });
        drop(waker);
        woken.recv().unwrap();
        assert_eq!(task.take(), Poll::Ready(Some(1)));
        task.wait(Duration::from_millis(1));
        assert_eq!(task.take(), Poll::Pending);
        open.send(()).unwrap();
        woken.recv().unwrap();
        assert_eq!(task.take(), Poll::Ready(Some(2)));
        assert_eq!(task.take(), Poll::Ready(None));
        assert!(woken.recv().is_err(), "once for each result");
    }

    #[test]
    fn without_a_waker_the_result_is_there_at_once() {
        let task = Task::start("test", None, |results| results.send(1).map(|()| 2));
        assert_eq!([task.take(), task.take(), task.take()], [Some(1), Some(2), None].map(Poll::Ready));
    }

    #[test]
    fn a_panic_ends_the_task_and_is_reported() {
        let task = Task::<u32>::start("test", Some(&Waker::of_nobody()), |_| panic!("this is part of the test"));
        task.wait(Duration::from_secs(60));
        assert_eq!(task.take(), Poll::Ready(None));
        assert_eq!(task.failure().to_string(), "the test thread ended without a result, which is a bug");
    }

    #[test]
    fn a_dropped_task_wants_no_results_and_wakes_nobody() {
        let (wakes, woken) = mpsc::channel::<()>();
        let waker = Waker::new(move || wakes.send(()).unwrap_or_default());
        let (open, gate) = mpsc::channel::<()>();
        let (sent, is_wanted) = mpsc::channel();
        let task = Task::start("test", Some(&waker), move |results| {
            gate.recv().ok()?;
            sent.send(results.send(1).is_some()).ok()?;
            None
        });
        drop((task, waker));
        open.send(()).unwrap();
        assert!(!is_wanted.recv().unwrap());
        assert!(woken.recv().is_err());
    }
}
