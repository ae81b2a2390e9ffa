//! `pchr-view --watch -o …`: renders again whenever a file changes that the characters are read from, until Ctrl+C.
//!
//! What is wrong with the command ends it as without `--watch`, before anybody waits for anything. What is wrong with a
//! file is reported, and the next change gives it another chance.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::Duration;

use super::args::ViewArgs;
use super::headless;
use super::outputs::Ours;
use crate::cli::shared::failure::{Failure, note};
use crate::cli::shared::files::Target;
use crate::cli::shared::keep_going::Failures;
use crate::cli::shared::stdio::is_stdio;
use crate::error::Error;
use crate::export::RenderOptions;
use crate::formats::is_pipe_or_device;
use crate::watch::{Changes, Watcher};

/// How often a folder that is gone is looked for. Nobody tells when it is back.
const RETRY: Duration = Duration::from_secs(1);

/// The exit codes of what another change of the files may mend: nothing is visible, or a file cannot be read.
const MENDABLE: [u8; 2] = [1, 3];

/// Refuses what cannot be done over and over.
pub fn check_usage(args: &ViewArgs) -> Result<(), Failure> {
    if args.json {
        return Err(Failure::usage("--json prints a single document and cannot be combined with --watch"));
    }
    if args.output.is_stdout() {
        let message = "--watch rewrites its output on every change and cannot write to stdout";
        return Err(Failure::usage_with_help(message, "-o OUT.png"));
    }
    if args.subject.files.iter().any(|file| is_stdio(file)) {
        return Err(Failure::usage("standard input does not change, so --watch has nothing to watch"));
    }
    Ok(())
}

/// Renders `targets` until somebody ends the program.
pub fn run(args: &ViewArgs, options: RenderOptions, targets: &[Target]) -> Result<(), Failure> {
    for target in targets {
        fs::metadata(&target.path)
            .map_err(|error| Error::io(target.path.display(), error))
            .and_then(|_| target.check())
            .map_err(Failure::Input)?;
    }
    let mut watch = Watch::new(targets)?;
    let mut targets = targets.to_vec();
    let mut is_first = true;
    let mut ours = Ours::default();
    loop {
        let mut failures = Failures::new(true);
        let mut sources = Vec::new();
        let rendered = headless::render(args, &options, &ours, &targets, &mut failures, &mut sources);
        watch.follow(sources);
        ours.begin_next_round();
        let told = failures.into_parts().1;
        let codes = [rendered.map(|_| ()), told].map(|result| report(result, is_first));
        for code in codes {
            code?;
        }
        is_first = false;
        if !args.quiet {
            note("waiting for changes; Ctrl+C ends");
        }
        watch.wait(|path| ours.holds(path))?;
        for target in &mut targets {
            // Whatever it was before, a pipe that is put there now would stop the watch.
            target.unreadable = None;
            if is_pipe_or_device(&target.path) {
                target.reject_pipe();
            }
        }
    }
}

/// Tells what went wrong in a round. An error is what ends the command.
fn report(result: Result<(), Failure>, is_first: bool) -> Result<(), Failure> {
    match result {
        Err(failure @ Failure::Interrupted) => Err(failure),
        Err(failure) if is_first && !MENDABLE.contains(&failure.exit_code()) => Err(failure),
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
    /// Those that the command line leads to.
    named: Vec<PathBuf>,
    /// All of them.
    followed: HashSet<PathBuf>,
}

impl Watch {
    /// Watches the files themselves, before they are read: what changes meanwhile is read again.
    fn new(targets: &[Target]) -> Result<Self, Failure> {
        let (send, changes) = mpsc::channel();
        let failed = |error: &dyn std::fmt::Display| {
            Failure::Input(Error::io("--watch", std::io::Error::other(error.to_string())))
        };
        // After the last round nobody listens.
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

    /// Watches `files`, too. One whose folder cannot be watched is read again when another one changes.
    fn follow(&mut self, files: Vec<PathBuf>) {
        for file in files {
            let _ = self.watcher.follow(&file);
            self.followed.insert(file);
        }
    }

    /// Returns when a file has changed that is not one of `ours`.
    fn wait(&mut self, is_ours: impl Fn(&Path) -> bool) -> Result<(), Failure> {
        let mut is_gone = false;
        loop {
            let received = match is_gone {
                true => self.changes.recv_timeout(RETRY),
                false => self.changes.recv().map_err(|_| RecvTimeoutError::Disconnected),
            };
            let mut received = match received {
                Ok(changes) => vec![changes],
                Err(RecvTimeoutError::Timeout) => Vec::new(),
                // The watcher lives as long as this.
                Err(RecvTimeoutError::Disconnected) => return Err(Failure::Bug),
            };
            received.extend(self.changes.try_iter());
            let mut is_due = received.iter().any(|changes| {
                self.followed.iter().any(|file| self.watcher.has_changed(file, changes) && !is_ours(file))
            });
            let forgotten = received.iter().filter(|changes| self.watcher.forget(changes)).count();
            if is_gone || forgotten > 0 {
                // A folder in the place of one that was removed has other files. Where it was there at once, nothing was
                // said of them.
                is_gone = !self.follow_again();
                is_due = true;
            }
            if is_due && !is_gone {
                return Ok(());
            }
        }
    }

    /// Follows everything once more. False while a file that was named has no folder.
    fn follow_again(&mut self) -> bool {
        self.followed.iter().for_each(|file| drop(self.watcher.follow(file)));
        let folder = |file: &PathBuf| match file.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder.is_dir(),
            _ => true,
        };
        self.named.iter().all(folder)
    }
}
