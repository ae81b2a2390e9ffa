//! `pchr-view --watch -o …`: renders again whenever an input file changes, until Ctrl+C.
//!
//! Errors in the command line end it at once, as without `--watch`. Errors in a file are reported, and the next
//! change triggers another attempt.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::Duration;

use super::args::ViewArgs;
use super::outputs::OwnFiles;
use super::plan::Job;
use crate::shared::failure::{Failure, note};
use crate::shared::files::Target;
use crate::shared::keep_going::Failures;
use pchr::Error;
use pchr::export::RenderOptions;
use pchr::formats::{Listings, is_pipe_or_device};
use pchr::watch::{Changes, Watcher};

/// Polling interval for a folder that was removed: its return causes no event.
const RETRY: Duration = Duration::from_secs(1);

/// Exit codes of failures that a change of the files may fix: nothing is visible, or a file cannot be read.
const FIXABLE: [u8; 2] = [1, 3];

/// Renders files, like [`headless::render`](super::headless::render).
type Rendering = fn(
    &ViewArgs,
    &RenderOptions,
    &OwnFiles,
    &[Target],
    &mut Failures,
    &mut Vec<PathBuf>,
) -> Result<Vec<Job>, Failure>;

/// Renders `targets` with `render` until the program is interrupted.
pub fn run(
    args: &ViewArgs,
    mut options: RenderOptions,
    targets: &[Target],
    render: Rendering,
) -> Result<(), Failure> {
    for target in targets {
        fs::metadata(&target.path)
            .map_err(|error| Error::io(target.path.display(), error))
            .and_then(|_| target.check())
            .map_err(Failure::Input)?;
    }
    let mut watch = Watch::new(targets)?;
    let mut targets = targets.to_vec();
    let mut is_first = true;
    let mut own_files = OwnFiles::default();
    loop {
        let mut failures = Failures::new(true);
        let mut sources = Vec::new();
        // Files may have been added, and the background may have changed.
        options.read.listings = Listings::shared();
        options.look.background.forget();
        let rendered = render(args, &options, &own_files, &targets, &mut failures, &mut sources);
        watch.follow(sources);
        own_files.begin_next_round();
        let reported = failures.into_parts().1;
        let codes = [rendered.map(|_| ()), reported].map(|result| report(result, is_first));
        for code in codes {
            code?;
        }
        is_first = false;
        if !args.quiet {
            note("waiting for changes; press Ctrl+C to stop");
        }
        watch.wait(|path| own_files.contains(path))?;
        for target in &mut targets {
            // A pipe that has replaced the file would block.
            target.unreadable = None;
            if is_pipe_or_device(&target.path) {
                target.reject_pipe();
            }
        }
    }
}

/// Reports the failure of a round. Returns an error if it ends the command.
fn report(result: Result<(), Failure>, is_first: bool) -> Result<(), Failure> {
    match result {
        Err(failure @ Failure::Interrupted) => Err(failure),
        Err(failure) if is_first && !FIXABLE.contains(&failure.exit_code()) => Err(failure),
        Err(failure) => {
            failure.report();
            Ok(())
        }
        Ok(()) => Ok(()),
    }
}

/// The files that are watched.
struct Watch {
    watcher: Watcher,
    changes: Receiver<Changes>,
    /// Input files of the command line.
    named: Vec<PathBuf>,
    /// All watched files.
    followed: HashSet<PathBuf>,
}

impl Watch {
    /// Starts watching the input files before they are read, so that no change is missed.
    fn new(targets: &[Target]) -> Result<Self, Failure> {
        let (send, changes) = mpsc::channel();
        let failed = |error: &dyn std::fmt::Display| {
            Failure::Input(Error::io("--watch", std::io::Error::other(error.to_string())))
        };
        // Ignore events after the last round.
        let watcher = Watcher::new(move |changes| send.send(changes).unwrap_or_default());
        let watcher = watcher.map_err(|error| failed(&error))?;
        let named: Vec<PathBuf> = targets.iter().map(|target| target.path.clone()).collect();
        let mut watch = Self { watcher, changes, named, followed: HashSet::new() };
        for file in watch.named.clone() {
            watch.watcher.follow(&file).map_err(|error| failed(&error))?;
            watch.followed.insert(file);
        }
        Ok(watch)
    }

    /// Watches `files` too. A file whose folder cannot be watched is only reloaded when another file changes.
    fn follow(&mut self, files: Vec<PathBuf>) {
        for file in files {
            let _ = self.watcher.follow(&file);
            self.followed.insert(file);
        }
    }

    /// Waits until a file that is not one of `own_files` changes.
    fn wait(&mut self, is_own: impl Fn(&Path) -> bool) -> Result<(), Failure> {
        let mut is_gone = false;
        loop {
            let received = if is_gone {
                self.changes.recv_timeout(RETRY)
            } else {
                self.changes.recv().map_err(|_| RecvTimeoutError::Disconnected)
            };
            let mut received = match received {
                Ok(changes) => vec![changes],
                Err(RecvTimeoutError::Timeout) => Vec::new(),
                // Cannot happen: the watcher lives as long as `self`.
                Err(RecvTimeoutError::Disconnected) => return Err(Failure::Bug),
            };
            received.extend(self.changes.try_iter());
            let mut is_due = received.iter().any(|changes| {
                self.followed.iter().any(|file| self.watcher.has_changed(file, changes) && !is_own(file))
            });
            let forgotten = received.iter().filter(|changes| self.watcher.forget(changes)).count();
            if is_gone || forgotten > 0 {
                // A replaced folder has other files, for which no events were sent if it was replaced at once.
                is_gone = !self.follow_again();
                is_due = true;
            }
            if is_due && !is_gone {
                return Ok(());
            }
        }
    }

    /// Watches all files again. Returns false while the folder of an input file does not exist.
    fn follow_again(&mut self) -> bool {
        self.followed.iter().for_each(|file| drop(self.watcher.follow(file)));
        let folder = |file: &PathBuf| match file.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder.is_dir(),
            _ => true,
        };
        self.named.iter().all(folder)
    }
}
