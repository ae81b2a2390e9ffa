//! Work on a thread of its own, whose results the window takes over in a later frame.

use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Mutex, PoisonError};
use std::task::Poll;
use std::time::Duration;
use std::{io, thread};

use super::waker::Waker;

/// Work in the background. Dropping it does not wait for the thread, whose further results are dropped.
#[derive(Debug)]
pub struct Task<T> {
    name: &'static str,
    results: Mutex<Receiver<T>>,
    /// Why there is no thread.
    error: Option<io::Error>,
}

/// Where the work puts its results.
pub struct Results<T> {
    sender: Sender<T>,
    // Dropped after the sender, when the end can be seen.
    waker: EndWaker,
}

/// Wakes the window when the work ends, also by a panic.
struct EndWaker(Option<Waker>);

impl<T: Send + 'static> Task<T> {
    /// Starts `work`, which returns its last result, on a thread that calls `waker` after each result and at the end.
    /// Without a waker, it is done at once.
    pub fn start(
        name: &'static str,
        waker: Option<&Waker>,
        work: impl FnOnce(&Results<T>) -> Option<T> + Send + 'static,
    ) -> Self {
        let (sender, receiver) = channel();
        let results = Results { sender, waker: EndWaker(waker.cloned()) };
        let work = move || {
            // Nobody may want it any more.
            work(&results).into_iter().for_each(|last| results.sender.send(last).unwrap_or_default());
        };
        let error = match waker {
            Some(_) => thread::Builder::new().name(name.to_owned()).spawn(work).err(),
            None => {
                work();
                None
            }
        };
        Self { name, results: Mutex::new(receiver), error }
    }
}

impl<T> Task<T> {
    /// Returns the next result, or `None` after the last one. Does not block.
    pub fn take(&self) -> Poll<Option<T>> {
        self.wait(Duration::ZERO)
    }

    /// The same, but waits for it, not longer than `at_most`.
    pub fn wait(&self, at_most: Duration) -> Poll<Option<T>> {
        match self.results.lock().unwrap_or_else(PoisonError::into_inner).recv_timeout(at_most) {
            Ok(result) => Poll::Ready(Some(result)),
            Err(RecvTimeoutError::Timeout) => Poll::Pending,
            Err(RecvTimeoutError::Disconnected) => Poll::Ready(None),
        }
    }

    /// Returns why a task ended without a result that it should have had.
    pub fn failure(&self) -> io::Error {
        let bug = || format!("the {} thread ended without a result, which is a bug", self.name);
        match &self.error {
            Some(error) => io::Error::new(error.kind(), format!("cannot start a thread: {error}")),
            None => io::Error::other(bug()),
        }
    }
}

impl<T> Results<T> {
    /// Hands over a result. Returns `None` if nobody wants it any more.
    pub fn send(&self, result: T) -> Option<()> {
        self.sender.send(result).ok()?;
        self.waker.wake();
        Some(())
    }
}

impl EndWaker {
    fn wake(&self) {
        self.0.iter().for_each(Waker::wake);
    }
}

impl Drop for EndWaker {
    fn drop(&mut self) {
        self.wake();
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
        assert_eq!(task.wait(Duration::from_millis(1)), Poll::Pending);
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
        assert_eq!(task.wait(Duration::MAX), Poll::Ready(None));
        assert_eq!(task.failure().to_string(), "the test thread ended without a result, which is a bug");
    }

    #[test]
    fn a_dropped_task_wants_no_results() {
        let (open, gate) = mpsc::channel::<()>();
        let (sent, is_wanted) = mpsc::channel();
        let task = Task::start("test", Some(&Waker::of_nobody()), move |results| {
            gate.recv().ok()?;
            sent.send(results.send(1).is_some()).ok()?;
            None
        });
        drop(task);
        open.send(()).unwrap();
        assert!(!is_wanted.recv().unwrap());
    }
}
