//! Answers requests on a few threads, the first of the latest list first. Requests that are no longer in the list and
//! were not begun are dropped, so that what has been scrolled past costs nothing.

use std::collections::VecDeque;
use std::fmt;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

use crate::base::waker::Waker;

/// Answers a request.
type Answer<Q, A> = Box<dyn Fn(&Q) -> A + Send + Sync>;

/// Threads that answer requests. Dropping it does not wait for those being answered.
pub struct Pool<Q, A> {
    shared: Arc<Shared<Q, A>>,
    /// Answers at once, if there are no threads.
    at_once: Option<Answer<Q, A>>,
}

struct Shared<Q, A> {
    mailbox: Mutex<Mailbox<Q, A>>,
    changed: Condvar,
}

struct Mailbox<Q, A> {
    waiting: VecDeque<Q>,
    begun: Vec<Q>,
    answers: Vec<(Q, A)>,
    is_closed: bool,
}

impl<Q: Clone + PartialEq + Send + 'static, A: Send + 'static> Pool<Q, A> {
    /// Starts `count` threads, which call `waker` after each answer. Without a waker, requests are answered at once.
    /// If the system has no thread left, requests stay unanswered.
    pub fn start(
        name: &str,
        count: usize,
        waker: Option<&Waker>,
        answer: impl Fn(&Q) -> A + Send + Sync + 'static,
    ) -> Self {
        let mailbox =
            Mailbox { waiting: VecDeque::new(), begun: Vec::new(), answers: Vec::new(), is_closed: false };
        let shared = Arc::new(Shared { mailbox: Mutex::new(mailbox), changed: Condvar::new() });
        let Some(waker) = waker else { return Self { shared, at_once: Some(Box::new(answer)) } };
        let answer = Arc::new(answer);
        for _ in 0..count {
            let (mine, answer, waker) = (Arc::clone(&shared), Arc::clone(&answer), waker.clone());
            let work = move || {
                while let Some(request) = mine.next() {
                    let answer = answer(&request);
                    let mut mailbox = mine.mailbox();
                    mailbox.begun.retain(|begun| *begun != request);
                    mailbox.answers.push((request, answer));
                    drop(mailbox);
                    waker.wake();
                }
            };
            thread::Builder::new().name(name.to_owned()).spawn(work).map_or_else(drop, drop);
        }
        Self { shared, at_once: None }
    }

    /// Replaces the requests that were not begun. Does not block.
    pub fn ask(&self, requests: Vec<Q>) {
        let mut mailbox = self.shared.mailbox();
        if let Some(answer) = &self.at_once {
            let answers = requests.into_iter().map(|request| {
                let answer = answer(&request);
                (request, answer)
            });
            return mailbox.answers.extend(answers);
        }
        let new = requests.into_iter().filter(|request| {
            !mailbox.begun.contains(request) && !mailbox.answers.iter().any(|(answered, _)| answered == request)
        });
        mailbox.waiting = new.collect();
        drop(mailbox);
        self.shared.changed.notify_all();
    }

    /// Returns the answers since the last call.
    pub fn take(&self) -> Vec<(Q, A)> {
        std::mem::take(&mut self.shared.mailbox().answers)
    }
}

impl<Q, A> Drop for Pool<Q, A> {
    fn drop(&mut self) {
        self.shared.mailbox().is_closed = true;
        self.shared.changed.notify_all();
    }
}

impl<Q, A> fmt::Debug for Pool<Q, A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Pool")
    }
}

impl<Q, A> Shared<Q, A> {
    fn mailbox(&self) -> MutexGuard<'_, Mailbox<Q, A>> {
        self.mailbox.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for the next request. Returns `None` once the pool was dropped.
    fn next(&self) -> Option<Q>
    where
        Q: Clone,
    {
        let mut mailbox = self.mailbox();
        loop {
            if mailbox.is_closed {
                return None;
            }
            if let Some(request) = mailbox.waiting.pop_front() {
                mailbox.begun.push(request.clone());
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
