//! Answers requests on a thread of its own. Only the latest request is answered, so callers may ask in every frame.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

use crate::viewer::base::waker::Waker;

/// A thread that answers requests. Dropping it does not wait for the request being answered.
#[derive(Debug)]
pub struct Worker<Q, A> {
    shared: Arc<Shared<Q, A>>,
}

#[derive(Debug)]
struct Shared<Q, A> {
    mailbox: Mutex<Mailbox<Q, A>>,
    changed: Condvar,
}

#[derive(Debug)]
struct Mailbox<Q, A> {
    request: Option<Q>,
    is_busy: bool,
    is_closed: bool,
    answer: Option<A>,
}

impl<Q: Send + 'static, A: Send + 'static> Worker<Q, A> {
    /// Starts the thread. If the system cannot, requests stay unanswered, but everything else works.
    pub fn start(name: &str, answer: impl FnMut(Q) -> A + Send + 'static) -> Self {
        Self::start_with(name, None, answer)
    }

    /// Like [`Self::start`]. `waker` is called after each answer.
    pub fn start_with(name: &str, waker: Option<Waker>, mut answer: impl FnMut(Q) -> A + Send + 'static) -> Self {
        let mailbox = Mailbox { request: None, is_busy: false, is_closed: false, answer: None };
        let shared = Arc::new(Shared { mailbox: Mutex::new(mailbox), changed: Condvar::new() });
        let mine = Arc::clone(&shared);
        let work = move || {
            while let Some(request) = mine.next() {
                let answer = answer(request);
                let mut mailbox = mine.mailbox();
                mailbox.answer = Some(answer);
                mailbox.is_busy = false;
                drop(mailbox);
                waker.iter().for_each(Waker::wake);
            }
        };
        if thread::Builder::new().name(name.to_owned()).spawn(work).is_err() {
            shared.mailbox().is_closed = true;
        }
        Self { shared }
    }

    /// Requests an answer. Does not block. Replaces a request that has not been begun.
    pub fn ask(&self, request: Q) {
        self.shared.mailbox().request = Some(request);
        self.shared.changed.notify_one();
    }

    /// Returns the latest answer, once.
    pub fn take(&self) -> Option<A> {
        self.shared.mailbox().answer.take()
    }

    /// Returns true while an answer is pending.
    pub fn is_busy(&self) -> bool {
        let mailbox = self.shared.mailbox();
        !mailbox.is_closed && (mailbox.is_busy || mailbox.request.is_some() || mailbox.answer.is_some())
    }
}

impl<Q, A> Drop for Worker<Q, A> {
    fn drop(&mut self) {
        self.shared.mailbox().is_closed = true;
        self.shared.changed.notify_one();
    }
}

impl<Q, A> Shared<Q, A> {
    fn mailbox(&self) -> MutexGuard<'_, Mailbox<Q, A>> {
        self.mailbox.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for the next request. Returns `None` once the worker was dropped.
    fn next(&self) -> Option<Q> {
        let mut mailbox = self.mailbox();
        loop {
            if mailbox.is_closed {
                return None;
            }
            if let Some(request) = mailbox.request.take() {
                mailbox.is_busy = true;
                return Some(request);
            }
            mailbox = self.changed.wait(mailbox).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    #[test]
    fn the_latest_request_is_answered_and_older_ones_are_skipped() {
        let (begin, gate) = mpsc::channel();
        let worker = Worker::start("test", move |number: u32| {
            gate.recv().unwrap();
            number
        });
        worker.ask(1);
        while worker.shared.mailbox().request.is_some() {
            thread::yield_now();
        }
        worker.ask(2);
        worker.ask(3);
        begin.send(()).unwrap();
        begin.send(()).unwrap();
        let mut answers = Vec::new();
        while worker.is_busy() {
            answers.extend(worker.take());
            thread::yield_now();
        }
        assert_eq!(answers.last(), Some(&3));
        assert!(!answers.contains(&2), "{answers:?}");
    }
}
