//! Checks whether files exist, on a thread of its own: a network share that does not answer must not stop the window.

use std::path::PathBuf;

use super::task::Task;
use super::waker::Waker;

/// A path, and whether there is a file.
pub type Found = (PathBuf, bool);

/// Looks up `paths` on a thread, which calls `waker` at the end. Without a waker, they are looked up at once.
pub fn look_up(paths: Vec<PathBuf>, waker: Option<&Waker>) -> Task<Vec<Found>> {
    let look = |path: PathBuf| {
        let exists = path.exists();
        (path, exists)
    };
    Task::start("lookup", waker, move |_| Some(paths.into_iter().map(look).collect()))
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;
    use std::task::Poll;

    use super::*;

    #[test]
    fn files_are_looked_up_at_once_or_on_a_thread() {
        let paths = ["Cargo.toml", "no such file"].map(PathBuf::from);
        let expected = [("Cargo.toml", true), ("no such file", false)].map(|(path, exists)| (path.into(), exists));
        let at_once = look_up(paths.to_vec(), None);
        assert_eq!(at_once.take(), Poll::Ready(Some(expected.to_vec())));
        let (wakes, woken) = mpsc::channel();
        let waker = Waker::new(move || wakes.send(()).unwrap());
        let later = look_up(paths.to_vec(), Some(&waker));
        woken.recv().unwrap();
        assert_eq!(later.take(), Poll::Ready(Some(expected.to_vec())));
    }
}
