//! Temporary files left behind by killed processes, and the locks that protect those in use.
//!
//! A process with temporary files in a folder holds a shared lock on the folder. Whoever obtains an exclusive lock
//! knows that no other process is writing there, so every file with our naming pattern is a leftover.

use std::fs::{self, DirEntry, File};
use std::io;
use std::path::Path;
use std::thread;
use std::time::Duration;

use tempfile::{Builder, TempPath};

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

/// Creates a temporary file.
pub(super) fn create(folder: &Path) -> io::Result<(File, TempPath)> {
    let mut builder = Builder::new();
    builder.prefix(PREFIX).suffix(SUFFIX).rand_bytes(RANDOM);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // The umask is applied to this.
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    builder.tempfile_in(folder).map(tempfile::NamedTempFile::into_parts)
}

/// Marks the temporary files in a folder as in use for other processes, for its lifetime.
#[derive(Debug)]
pub(super) struct Presence {
    /// `None` if folders cannot be opened, as on Windows. No process removes anything there.
    _locked: Option<File>,
}

impl Presence {
    /// Removes leftovers in `folder` if this `is_first_visit`, and locks it.
    pub fn announce(folder: &Path, is_first_visit: bool) -> Self {
        let Ok(handle) = File::open(folder) else { return Self { _locked: None } };
        if is_first_visit && handle.try_lock().is_ok() {
            remove_leftovers(folder);
            let _ = handle.unlock();
        }
        let attempts = if is_first_visit { ATTEMPTS } else { 1 };
        for attempt in 0..attempts {
            match handle.try_lock_shared() {
                Err(fs::TryLockError::WouldBlock) if attempt + 1 < attempts => thread::sleep(PAUSE),
                // Locked, or the file system has no locks: then no process obtains an exclusive one either.
                _ => break,
            }
        }
        Self { _locked: Some(handle) }
    }
}

/// Removes all temporary files with our naming pattern. No process may be writing one.
fn remove_leftovers(folder: &Path) {
    // Symbolic links are skipped.
    let is_file = |entry: &DirEntry| entry.file_type().is_ok_and(|kind| kind.is_file());
    let entries = fs::read_dir(folder).into_iter().flatten().take(MAX_NAMES).flatten();
    for entry in entries.filter(|entry| entry.file_name().to_str().is_some_and(is_temporary) && is_file(entry)) {
        let _ = fs::remove_file(entry.path());
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

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn names_of_temporary_files_are_recognized() {
        let place = tempfile::tempdir().unwrap();
        let (_, path) = create(place.path()).unwrap();
        assert!(is_temporary(path.file_name().unwrap().to_str().unwrap()), "{}", path.display());
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
        let path = |name: &str| place.path().join(name);
        let leave = || fs::write(path(".pchr-abcdefghijkl.tmp"), "half").unwrap();
        fs::write(path("precious"), "whole").unwrap();
        std::os::unix::fs::symlink("precious", path(".pchr-aaaaaaaaaaaa.tmp")).unwrap();
        fs::create_dir(path(".pchr-bbbbbbbbbbbb.tmp")).unwrap();
        fs::write(path(".pchr-config"), "theirs").unwrap();
        let others = [".pchr-aaaaaaaaaaaa.tmp", ".pchr-bbbbbbbbbbbb.tmp", ".pchr-config", "precious"];

        // Each handle of a folder has its own lock, like another process.
        let writing = Presence::announce(place.path(), true);
        leave();
        drop(Presence::announce(place.path(), true));
        assert_eq!(names(place.path()).len(), others.len() + 1, "the folder is in use");
        drop(writing);
        drop(Presence::announce(place.path(), false));
        assert_eq!(names(place.path()).len(), others.len() + 1, "only the first visit searches");
        let first = Presence::announce(place.path(), true);
        assert_eq!(names(place.path()), others);
        assert_eq!(fs::read(path("precious")).unwrap(), b"whole");
        // Two processes may write at the same time.
        leave();
        drop(Presence::announce(place.path(), true));
        drop(first);
        assert_eq!(names(place.path()).len(), others.len() + 1);
    }
}
