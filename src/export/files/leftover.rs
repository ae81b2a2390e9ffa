//! Temporary files left behind by killed processes, and the locks that protect those in use.
//!
//! A process with temporary files in a folder holds a shared lock on the folder. Whoever obtains an exclusive lock
//! knows that no other process is writing there, so every file with our naming pattern is a leftover.

use std::ffi::OsString;
use std::fs::{File, TryLockError};
use std::hash::{BuildHasher, RandomState};
use std::thread;
use std::time::Duration;

use crate::held::{Dir, read};

/// Names of temporary files: prefix, this many random letters and digits, suffix. No unrelated file matches by
/// chance.
const PREFIX: &str = ".pchr-";
const SUFFIX: &str = ".tmp";
const RANDOM: usize = 12;

/// At most this many names per folder are checked.
const MAX_NAMES: usize = 100_000;

/// Number of attempts to lock a folder that is locked exclusively, and the pause in between. Removing leftovers
/// takes less time, also on a machine that is busy with many of our processes.
const ATTEMPTS: usize = 200;
const PAUSE: Duration = Duration::from_millis(5);

/// Returns a name for a temporary file.
pub(super) fn new_name() -> OsString {
    let random = RandomState::new().hash_one(0) >> (64 - 4 * RANDOM);
    format!("{PREFIX}{random:0RANDOM$x}{SUFFIX}").into()
}

/// Removes leftovers in `folder` if this `is_first_visit`, and marks its temporary files as in use for other processes
/// until the result is dropped. Where folders cannot be locked, as on Windows, no process removes anything.
pub(super) fn announce(folder: &Dir, is_first_visit: bool) -> Option<File> {
    let handle = read(folder, ".".as_ref()).ok()?;
    if is_first_visit && handle.try_lock().is_ok() {
        remove_leftovers(folder);
        let _ = handle.unlock();
    }
    let attempts = if is_first_visit { ATTEMPTS } else { 1 };
    for attempt in 0..attempts {
        match handle.try_lock_shared() {
            Err(TryLockError::WouldBlock) if attempt + 1 < attempts => thread::sleep(PAUSE),
            // Locked, or the file system has no locks: then no process obtains an exclusive one either.
            _ => break,
        }
    }
    Some(handle)
}

/// Removes all temporary files with our naming pattern. No process may be writing one.
fn remove_leftovers(folder: &Dir) {
    let entries = folder.entries().into_iter().flatten().take(MAX_NAMES).flatten();
    for name in entries.map(|entry| entry.file_name()).filter(|name| name.to_str().is_some_and(is_temporary)) {
        // Symbolic links are skipped.
        if folder.symlink_metadata(&name).is_ok_and(|found| found.is_file()) {
            let _ = folder.remove_file(&name);
        }
    }
}

/// Returns true if this is the name of one of our temporary files.
fn is_temporary(name: &str) -> bool {
    let random = name.strip_prefix(PREFIX).and_then(|name| name.strip_suffix(SUFFIX));
    random.is_some_and(|random| random.len() == RANDOM && random.bytes().all(|byte| byte.is_ascii_alphanumeric()))
}

#[cfg(test)]
mod tests {
    use super::*;

    use std::fs;
    use std::path::Path;

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn names_of_temporary_files_are_recognized() {
        let name = new_name();
        assert!(is_temporary(name.to_str().unwrap()), "{}", name.display());
        for name in
            [".pchr-config", ".pchr-abcdefghijkl", ".pchr-abcdefghijk.tmp", ".pchr-abcdef_hijkl.tmp", "a.tmp"]
        {
            assert!(!is_temporary(name), "{name}");
        }
    }

    #[test]
    #[cfg(unix)]
    fn only_our_unused_temporary_files_are_removed() {
        let place = tempfile::tempdir().unwrap();
        let folder = crate::held::open(place.path()).unwrap();
        let path = |name: &str| place.path().join(name);
        let leave = || fs::write(path(".pchr-abcdefghijkl.tmp"), "half").unwrap();
        fs::write(path("precious"), "whole").unwrap();
        std::os::unix::fs::symlink("precious", path(".pchr-aaaaaaaaaaaa.tmp")).unwrap();
        fs::create_dir(path(".pchr-bbbbbbbbbbbb.tmp")).unwrap();
        fs::write(path(".pchr-config"), "theirs").unwrap();
        let others = [".pchr-aaaaaaaaaaaa.tmp", ".pchr-bbbbbbbbbbbb.tmp", ".pchr-config", "precious"];

        // Each handle of a folder has its own lock, like another process.
        let writing = announce(&folder, true);
        leave();
        drop(announce(&folder, true));
        assert_eq!(names(place.path()).len(), others.len() + 1, "the folder is in use");
        drop(writing);
        drop(announce(&folder, false));
        assert_eq!(names(place.path()).len(), others.len() + 1, "only the first visit searches");
        let first = announce(&folder, true);
        assert_eq!(names(place.path()), others);
        assert_eq!(fs::read(path("precious")).unwrap(), b"whole");
        // Two processes may write at the same time.
        leave();
        drop(announce(&folder, true));
        drop(first);
        assert_eq!(names(place.path()).len(), others.len() + 1);
    }
}
