//! A folder that becomes a link while something is written to it.

use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{JoinHandle, spawn};

use nix::fcntl::{AT_FDCWD, RenameFlags, renameat2};

use super::names_in;

/// Exchanges a folder with a link next to it, as fast as possible, until it ends.
pub struct Exchange {
    pair: [PathBuf; 2],
    is_over: Arc<AtomicBool>,
    thread: JoinHandle<()>,
}

impl Exchange {
    /// Begins with the folder in its place. The link leads to `outside`.
    pub fn start(folder: &Path, outside: &Path) -> Self {
        let pair = [folder.to_owned(), folder.with_extension("link")];
        symlink(outside, &pair[1]).expect("a link");
        let is_over = Arc::new(AtomicBool::new(false));
        let ([folder, link], ends) = (pair.clone(), Arc::clone(&is_over));
        let thread = spawn(move || {
            while !ends.load(Ordering::Relaxed) {
                renameat2(AT_FDCWD, &folder, AT_FDCWD, &link, RenameFlags::RENAME_EXCHANGE).expect("exchanged");
            }
        });
        Self { pair, is_over, thread }
    }

    /// Returns true if there was a file in the folder a moment ago.
    pub fn has_files(&self) -> bool {
        // The folder may be in either place, and the link leads to one file.
        self.pair.iter().any(|path| names_in(path).iter().any(|name| name != "file"))
    }

    /// Returns the names of the files in the folder.
    pub fn end(self) -> Vec<String> {
        self.is_over.store(true, Ordering::Relaxed);
        self.thread.join().expect("both were there all the time");
        let folder = self.pair.iter().find(|path| !path.is_symlink()).expect("a folder");
        names_in(folder)
    }
}
