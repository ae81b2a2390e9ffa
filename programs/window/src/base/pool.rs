//! Answers requests on a few threads, the first of the latest list first. Requests that are no longer in the list and
//! were not begun are dropped, so that what has been scrolled past costs nothing.

use std::collections::VecDeque;
use std::fmt;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::task::Poll;
use std::time::Duration;

use super::task::Task;
use crate::base::waker::Waker;

/// Threads that answer requests. Dropping it does not wait for those being answered.
pub struct Pool<Q, A> {
    queue: Arc<Queue<Q>>,
    threads: Vec<Task<(Q, A)>>,
    /// How long to wait for the answer to a request.
    patience: Duration,
}

struct Queue<Q> {
    requests: Mutex<Requests<Q>>,
    changed: Condvar,
}

struct Requests<Q> {
    waiting: VecDeque<Q>,
    /// Those whose answers were not taken.
    begun: Vec<Q>,
    is_closed: bool,
}

impl<Q: Clone + PartialEq + Send + 'static, A: Send + 'static> Pool<Q, A> {
    /// Starts `count` threads, which call `waker` after each answer. Without a waker, [`Self::take`] waits for all answers.
    /// If the system has no thread left, requests stay unanswered.
    pub fn start(
        name: &'static str,
        count: usize,
        waker: Option<&Waker>,
        answer: impl Fn(&Q) -> A + Send + Sync + 'static,
    ) -> Self {
        let requests = Requests { waiting: VecDeque::new(), begun: Vec::new(), is_closed: false };
        let queue = Arc::new(Queue { requests: Mutex::new(requests), changed: Condvar::new() });
        let answer = Arc::new(answer);
        let (count, patience) = if waker.is_some() { (count, Duration::ZERO) } else { (1, Duration::MAX) };
        let waker = waker.cloned().unwrap_or_else(Waker::of_nobody);
        let thread = |_| {
            let (queue, answer) = (Arc::clone(&queue), Arc::clone(&answer));
            Task::start(name, Some(&waker), move |results| {
                while let Some(request) = queue.next() {
                    let answer = answer(&request);
                    results.send((request, answer))?;
                }
                None
            })
        };
        let threads = (0..count).map(thread).collect();
        Self { queue, threads, patience }
    }

    /// Replaces the requests that were not begun. Does not block.
    pub fn ask(&self, requests: Vec<Q>) {
        let mut queued = self.queue.requests();
        queued.waiting = requests.into_iter().filter(|request| !queued.begun.contains(request)).collect();
        drop(queued);
        self.queue.changed.notify_all();
    }

    /// Returns the answers since the last call.
    pub fn take(&self) -> Vec<(Q, A)> {
        let mut answers = Vec::new();
        for thread in &self.threads {
            while self.queue.requests().is_busy()
                && let Poll::Ready(Some((request, answer))) = thread.wait(self.patience)
            {
                self.queue.requests().begun.retain(|begun| *begun != request);
                answers.push((request, answer));
            }
        }
        answers
    }
}

impl<Q, A> Drop for Pool<Q, A> {
    fn drop(&mut self) {
        self.queue.requests().is_closed = true;
        self.queue.changed.notify_all();
    }
}

impl<Q, A> fmt::Debug for Pool<Q, A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Pool")
    }
}

impl<Q> Requests<Q> {
    fn is_busy(&self) -> bool {
        !self.waiting.is_empty() || !self.begun.is_empty()
    }
}

impl<Q: Clone> Queue<Q> {
    /// Waits for the next request. Returns `None` once the pool was dropped.
    fn next(&self) -> Option<Q> {
        let is_idle = |requests: &mut Requests<Q>| requests.waiting.is_empty() && !requests.is_closed;
        let waited = self.changed.wait_while(self.requests(), is_idle);
        let mut requests = waited.unwrap_or_else(PoisonError::into_inner);
        let request = requests.waiting.pop_front().filter(|_| !requests.is_closed)?;
        requests.begun.push(request.clone());
        Some(request)
    }
}

impl<Q> Queue<Q> {
    fn requests(&self) -> MutexGuard<'_, Requests<Q>> {
        self.requests.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    #[test]
    fn requests_that_were_replaced_before_they_were_begun_are_dropped() {
        let (wakes, woken) = mpsc::channel();
        let waker = Waker::new(move || wakes.send(()).unwrap_or_default());
        let ((begun, has_begun), (open, gate)) = (mpsc::channel(), mpsc::channel::<()>());
        let (begun, gate) = (Mutex::new(begun), Mutex::new(gate));
        let pool = Pool::start("test", 1, Some(&waker), move |number: &u32| {
            begun.lock().unwrap().send(()).unwrap();
            gate.lock().unwrap().recv().unwrap();
            number * 10
        });
        pool.ask(vec![1, 2, 3]);
        has_begun.recv().unwrap();
        pool.ask(vec![4, 1, 3]);
        for _ in 0..3 {
            open.send(()).unwrap();
            woken.recv().unwrap();
        }
        assert_eq!(pool.take(), [(1, 10), (4, 40), (3, 30)], "2 was dropped, 1 is not begun twice");
        assert!(pool.take().is_empty());
    }

    #[test]
    fn without_a_waker_answers_are_there_at_once() {
        let pool = Pool::start("test", 1, None, |number: &u32| number * 10);
        pool.ask(vec![1, 2]);
        assert_eq!(pool.take(), [(1, 10), (2, 20)]);
    }
}
