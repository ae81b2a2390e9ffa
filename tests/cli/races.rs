//! Folders that are exchanged with links while something is written to them: nothing lands elsewhere.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{JoinHandle, spawn};

use nix::fcntl::{AT_FDCWD, RenameFlags, renameat2};

use crate::common::names_in;
use crate::links::{place, run};

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

    /// Returns the names of the files in the folder.
    pub fn end(self) -> Vec<String> {
        self.is_over.store(true, Ordering::Relaxed);
        self.thread.join().expect("both were there all the time");
        let folder = self.pair.iter().find(|path| !path.is_symlink()).expect("a folder");
        names_in(folder)
    }
}

/// Runs a command on 20 characters, again and again, while a folder is exchanged with a link.
fn race(prepare: &str, exchanged: &str, line: &str) {
    let place = place();
    let work = place.path().join("work");
    for number in 0..20 {
        fs::copy(work.join("one.pchr"), work.join(format!("art/{number}.pchr"))).expect("a copy");
    }
    let prepared = run(&work, prepare).expect("a command");
    assert!(prepared.status.success(), "{prepared:?}");
    let exchange = Exchange::start(&work.join(exchanged), &place.path().join("victim"));
    for _ in 0..15 {
        run(&work, line);
        assert_eq!(names_in(&place.path().join("victim")), ["file"], "{line}");
    }
    let written = exchange.end();
    assert!(!written.is_empty(), "{line}: nothing was written");
    assert!(!written.iter().any(|name| name.starts_with(".pchr-")), "{line}: {written:?}");
}

#[test]
fn conversions_are_not_written_through_a_link() {
    let prepare = "sh -c 'mkdir -p out/in in; mv art in/in; mv in art'";
    race(prepare, "out/in", "pchr convert art -o out/{path}.json --to spine42 --force --keep-going");
}

#[test]
fn results_are_not_written_through_a_link() {
    race("sh -c 'mkdir art/results'", "art/results", "pchr test art");
}
