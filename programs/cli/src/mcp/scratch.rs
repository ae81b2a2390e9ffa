//! The folder of a server for temporary files. A lock on it says that the server lives: folders of servers that were killed
//! are removed by the next one.

use std::fs::{self, File};
use std::io;
use std::path::Path;

use tempfile::TempDir;

const PREFIX: &str = "pchr-mcp-";
/// At most this many names beside it are checked.
const MAX_NAMES: usize = 100_000;

/// Creates a folder in `parent`, which is removed when it is dropped, and removes those of servers that no longer run. The
/// lock is `None` if folders cannot be opened or locked, as on Windows; no server removes anything there.
pub fn create(parent: &Path) -> io::Result<(TempDir, Option<File>)> {
    remove_leftovers(parent);
    loop {
        let folder = TempDir::with_prefix_in(PREFIX, parent)?;
        let Ok(lock) = File::open(folder.path()) else { return Ok((folder, None)) };
        match lock.try_lock() {
            Ok(()) if folder.path().exists() => return Ok((folder, Some(lock))),
            Err(fs::TryLockError::Error(_)) => return Ok((folder, None)),
            // A server that starts at this moment takes it for a leftover.
            Ok(()) | Err(fs::TryLockError::WouldBlock) => {}
        }
    }
}

fn remove_leftovers(parent: &Path) {
    let entries = fs::read_dir(parent).into_iter().flatten().take(MAX_NAMES).flatten();
    for entry in entries.filter(|entry| entry.file_name().as_encoded_bytes().starts_with(PREFIX.as_bytes())) {
        // Links are skipped.
        let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
        if is_folder
            && let Ok(lock) = File::open(entry.path())
            && lock.try_lock().is_ok()
        {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}
