//! The answer to the latest request, found on a thread of its own. While it is being found, the window shows nothing
//! in its place; answers to earlier requests are dropped.

use super::pool::Pool;
use crate::base::waker::Waker;

/// A request and its answer.
#[derive(Debug)]
pub struct Deferred<Q, A> {
    pool: Option<Pool<Q, A>>,
    asked: Option<Q>,
    answer: Option<A>,
}

impl<Q, A> Default for Deferred<Q, A> {
    fn default() -> Self {
        Self { pool: None, asked: None, answer: None }
    }
}

impl<Q: Clone + PartialEq + Send + 'static, A: Send + 'static> Deferred<Q, A> {
    /// Returns the answer to a request, or `None` while it is being found. Unless it is the latest one, a thread finds the
    /// answer with `find` and calls `waker`; without a waker, it is found at once.
    pub fn follow(&mut self, request: Q, waker: Option<&Waker>, find: fn(&Q) -> A) -> Option<&A> {
        self.ask(request, waker, find);
        self.answer()
    }

    /// Like [`Self::follow`], but returns true if this was not the latest request.
    pub fn ask(&mut self, request: Q, waker: Option<&Waker>, find: fn(&Q) -> A) -> bool {
        let is_new = self.asked.as_ref() != Some(&request);
        if is_new {
            self.asked = Some(request.clone());
            self.answer = match waker {
                Some(_) => {
                    let start = || Pool::start("deferred", 1, waker, find);
                    self.pool.get_or_insert_with(start).ask(vec![request]);
                    None
                }
                None => Some(find(&request)),
            };
        }
        let answers = self.pool.as_ref().map(Pool::take).unwrap_or_default();
        if let Some((_, answer)) = answers.into_iter().find(|(of, _)| self.asked.as_ref() == Some(of)) {
            self.answer = Some(answer);
        }
        is_new
    }

    /// Returns the answer to the latest request, if it was found.
    pub fn answer(&self) -> Option<&A> {
        self.answer.as_ref()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex, mpsc};

    use super::*;

    /// A number that is answered once `gate` is dropped.
    #[derive(Debug, Clone)]
    struct Request {
        number: u32,
        begun: mpsc::Sender<()>,
        gate: Arc<Mutex<mpsc::Receiver<()>>>,
    }

    impl PartialEq for Request {
        fn eq(&self, other: &Self) -> bool {
            self.number == other.number
        }
    }

    fn find(request: &Request) -> u32 {
        request.begun.send(()).unwrap();
        let _ = request.gate.lock().unwrap().recv();
        request.number * 10
    }

    #[test]
    fn the_answer_to_an_earlier_request_is_dropped() {
        let (wakes, woken) = mpsc::channel();
        let waker = Waker::new(move || wakes.send(()).unwrap_or_default());
        let (begun, has_begun) = mpsc::channel();
        let [(first, one), (second, two)] = [1, 2].map(|number| {
            let (sender, gate) = mpsc::channel::<()>();
            (sender, Request { number, begun: begun.clone(), gate: Arc::new(gate.into()) })
        });
        let mut deferred = Deferred::default();
        let mut ask = |request: &Request| deferred.follow(request.clone(), Some(&waker), find).copied();
        assert_eq!(ask(&one), None);
        has_begun.recv().unwrap();
        assert_eq!(ask(&two), None);
        drop(first);
        woken.recv().unwrap();
        assert_eq!(ask(&two), None, "this is the answer to the first request");
        drop(second);
        woken.recv().unwrap();
        assert_eq!(ask(&two), Some(20));
        assert_eq!(ask(&two), Some(20), "it is kept");
    }

    #[test]
    fn without_a_waker_the_answer_is_there_at_once() {
        let mut deferred = Deferred::default();
        for number in [1, 1, 2] {
            let answer = deferred.follow(number, None, |number: &u32| number * 10);
            assert_eq!(answer, Some(&(number * 10)));
        }
    }
}
