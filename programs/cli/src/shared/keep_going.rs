//! Runs over several files: failures of single files, and the exit code of the whole run.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use super::failure::Failure;
use super::interrupt;
use super::json_error::JsonError;
use super::stdio::json_name;

/// The option of commands that read characters and write something.
#[derive(Debug, Clone, Copy, Default, clap::Args)]
pub struct KeepGoingArgs {
    /// Continue after an error: leave out parts of animations with errors, such as timelines of a bone that does not exist,
    /// and skip files that fail; the exit code is the highest of all files
    #[arg(long)]
    pub keep_going: bool,
}

/// The failed files of a run.
#[derive(Debug)]
pub struct Failures {
    keeps_going: bool,
    files: Vec<JsonError>,
}

impl Failures {
    /// With `keeps_going`, the run continues with the other files; otherwise the first failure ends it.
    pub fn new(keeps_going: bool) -> Self {
        Self { keeps_going, files: Vec::new() }
    }

    /// Does `work` for one of the files. Returns `None` if it failed and the run continues; the failure is then
    /// reported and recorded.
    pub fn attempt<T>(
        &mut self,
        file: &Path,
        work: impl FnOnce() -> Result<T, Failure>,
    ) -> Result<Option<T>, Failure> {
        if !self.keeps_going {
            return work().map(Some);
        }
        // Unwind-safe: nothing that a panic leaves half-changed is used for another file.
        match catch_unwind(AssertUnwindSafe(work)).unwrap_or(Err(Failure::Bug)) {
            Ok(done) => Ok(Some(done)),
            Err(Failure::Interrupted) => Err(Failure::Interrupted),
            // An interrupt ends the run, whatever failed.
            Err(_) if interrupt::is_requested() => Err(Failure::Interrupted),
            Err(failure) => {
                self.add(file, &failure);
                Ok(None)
            }
        }
    }

    /// Reports and records the failure of a file.
    pub fn add(&mut self, file: &Path, failure: &Failure) {
        failure.report();
        self.files.push(JsonError::of_file(failure, file));
    }

    /// Returns why a file failed; `None` if it did not.
    pub fn message(&self, file: &Path) -> Option<&str> {
        let name = json_name(file);
        self.files.iter().find(|failed| failed.file.as_deref() == Some(&*name)).map(|failed| &*failed.message)
    }

    /// Returns the failed files and the result of the whole run, which has the highest exit code.
    pub fn into_parts(self) -> (Vec<JsonError>, Result<(), Failure>) {
        let worst = self.files.iter().map(|file| file.exit_code).max();
        (self.files, worst.map_or(Ok(()), |code| Err(Failure::Reported(code))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_failure_ends_a_run_without_keep_going() {
        let mut failures = Failures::new(false);
        let failed = failures.attempt(Path::new("a"), || Err::<(), _>(Failure::usage("no")));
        assert!(matches!(failed, Err(Failure::Usage { .. })) && failures.into_parts().1.is_ok());
    }

    #[test]
    fn a_failure_skips_one_file_and_the_highest_code_wins() {
        let mut failures = Failures::new(true);
        assert_eq!(failures.attempt(Path::new("a"), || Ok(1)).unwrap(), Some(1));
        let missing = || pchr::Error::io("b", std::io::ErrorKind::NotFound.into());
        assert_eq!(failures.attempt(Path::new("b"), || Err::<(), _>(Failure::Input(missing()))).unwrap(), None);
        assert_eq!(failures.attempt(Path::new("-"), || Err::<(), _>(Failure::usage("no"))).unwrap(), None);
        let (files, result) = failures.into_parts();
        let reported: Vec<_> =
            files.iter().map(|file| (file.file.as_deref(), &*file.code, file.exit_code)).collect();
        assert_eq!(reported, [(Some("b"), "io", 3), (Some("stdin"), "usage", 2)]);
        assert!(matches!(result, Err(Failure::Reported(3))));
    }

    #[test]
    fn a_panic_skips_one_file_and_an_interrupt_ends_the_run() {
        let mut failures = Failures::new(true);
        assert_eq!(failures.attempt(Path::new("a"), || -> Result<(), _> { panic!("on purpose") }).unwrap(), None);
        let interrupted = failures.attempt(Path::new("b"), || Err::<(), _>(Failure::Interrupted));
        assert!(matches!(interrupted, Err(Failure::Interrupted)));
        assert!(matches!(failures.into_parts().1, Err(Failure::Reported(70))));
    }
}
