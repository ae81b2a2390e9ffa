//! Checks whether files exist, on a thread of its own: a network share that does not answer must not stop the window.

use std::path::PathBuf;
use std::sync::mpsc::{Receiver, TryRecvError, channel};
use std::thread;

use crate::base::waker::Waker;

/// A path, and whether there is a file.
pub type Found = (PathBuf, bool);

/// Files that are being looked up. Dropping it does not wait for them.
#[derive(Debug)]
pub struct Lookup {
    found: Receiver<Vec<Found>>,
}

impl Lookup {
    /// Looks up `paths` on a thread, which calls `waker` at the end. Without a waker, they are looked up at once.
    pub fn start(paths: Vec<PathBuf>, waker: Option<&Waker>) -> Self {
        let (sender, found) = channel();
        let waker = waker.cloned();
        let is_waiting = waker.is_none();
        let work = move || {
            let look = |path: PathBuf| {
                let exists = path.exists();
                (path, exists)
            };
            // The window may have dropped its end.
            sender.send(paths.into_iter().map(look).collect()).unwrap_or_default();
            waker.iter().for_each(Waker::wake);
        };
        if is_waiting {
            work();
        } else {
            // If the system has no thread left, nothing is found.
            thread::Builder::new().name("lookup".to_owned()).spawn(work).map_or_else(drop, drop);
        }
        Self { found }
    }

    /// Returns what was found, or `None` while the files are being looked up. Does not block. Call it until it returns
    /// something.
    pub fn take(&self) -> Option<Vec<Found>> {
        match self.found.try_recv() {
            Ok(found) => Some(found),
            Err(TryRecvError::Empty) => None,
            Err(TryRecvError::Disconnected) => Some(Vec::new()),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    #[test]
    fn files_are_looked_up_at_once_or_on_a_thread() {
        let paths = ["Cargo.toml", "no such file"].map(PathBuf::from);
        let expected = [("Cargo.toml", true), ("no such file", false)].map(|(path, exists)| (path.into(), exists));
        let at_once = Lookup::start(paths.to_vec(), None);
        assert_eq!(at_once.take().as_deref(), Some(&expected[..]));
        let (wakes, woken) = mpsc::channel();
        let waker = Waker::new(move || wakes.send(()).unwrap());
        let later = Lookup::start(paths.to_vec(), Some(&waker));
        woken.recv().unwrap();
        assert_eq!(later.take().as_deref(), Some(&expected[..]));
    }
}
