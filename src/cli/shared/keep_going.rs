//! Several files in one run: what one of them costs that cannot be read or drawn, and the exit code of all.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use schemars::JsonSchema;
use serde::Serialize;

use super::failure::Failure;
use super::interrupt;
use super::stdio::portable;
use super::stdio::{STDIN, is_stdio};

/// A file that failed.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct FailedFile {
    /// Stable name of the reason.
    pub code: &'static str,
    /// The exit code that it alone would have.
    pub exit_code: u8,
    /// The path of the file as it was given, with `/`; `stdin` for standard input.
    pub file: String,
    /// The reason in words.
    pub message: String,
}

/// The files of a run that failed.
#[derive(Debug)]
pub struct Failures {
    goes_on: bool,
    files: Vec<FailedFile>,
}

impl Failures {
    /// With `goes_on` the run goes on with the other files, else it ends with the first failure.
    pub fn new(goes_on: bool) -> Self {
        Self { goes_on, files: Vec::new() }
    }

    /// Does `work` for one of the files. `None` when that failed and the run goes on: it is reported and remembered.
    pub fn attempt<T>(
        &mut self,
        file: &Path,
        work: impl FnOnce() -> Result<T, Failure>,
    ) -> Result<Option<T>, Failure> {
        if !self.goes_on {
            return work().map(Some);
        }
        // What one file left half-changed is not used for another.
        match catch_unwind(AssertUnwindSafe(work)).unwrap_or(Err(Failure::Bug)) {
            Ok(done) => Ok(Some(done)),
            Err(Failure::Interrupted) => Err(Failure::Interrupted),
            // Whatever failed, nobody wants the rest.
            Err(_) if interrupt::is_asked() => Err(Failure::Interrupted),
            Err(failure) => {
                self.add(file, &failure);
                Ok(None)
            }
        }
    }

    /// Reports and remembers what is wrong with one of the files.
    pub fn add(&mut self, file: &Path, failure: &Failure) {
        failure.report();
        self.files.push(FailedFile {
            code: failure.code(),
            exit_code: failure.exit_code(),
            file: if is_stdio(file) { STDIN.to_owned() } else { portable(file) },
            message: failure.message(),
        });
    }

    /// The files that failed, and the result of the whole run: the highest exit code of all.
    pub fn into_parts(self) -> (Vec<FailedFile>, Result<(), Failure>) {
        let worst = self.files.iter().map(|file| file.exit_code).max();
        (self.files, worst.map_or(Ok(()), |code| Err(Failure::Told(code))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_failure_ends_a_run_that_does_not_go_on() {
        let mut failures = Failures::new(false);
        let failed = failures.attempt(Path::new("a"), || Err::<(), _>(Failure::usage("no")));
        assert!(matches!(failed, Err(Failure::Usage { .. })) && failures.into_parts().1.is_ok());
    }

    #[test]
    fn each_failure_costs_one_file_and_the_worst_code_wins() {
        let mut failures = Failures::new(true);
        assert_eq!(failures.attempt(Path::new("a"), || Ok(1)).unwrap(), Some(1));
        let missing = || crate::error::Error::io("b", std::io::ErrorKind::NotFound.into());
        assert_eq!(failures.attempt(Path::new("b"), || Err::<(), _>(Failure::Input(missing()))).unwrap(), None);
        assert_eq!(failures.attempt(Path::new("-"), || Err::<(), _>(Failure::usage("no"))).unwrap(), None);
        let (files, result) = failures.into_parts();
        let told: Vec<_> = files.iter().map(|file| (&*file.file, file.code, file.exit_code)).collect();
        assert_eq!(told, [("b", "io", 3), ("stdin", "usage", 2)]);
        assert!(matches!(result, Err(Failure::Told(3))));
    }

    #[test]
    fn a_bug_costs_one_file_too_and_an_interrupt_all() {
        let mut failures = Failures::new(true);
        assert_eq!(failures.attempt(Path::new("a"), || -> Result<(), _> { panic!("on purpose") }).unwrap(), None);
        let asked = failures.attempt(Path::new("b"), || Err::<(), _>(Failure::Interrupted));
        assert!(matches!(asked, Err(Failure::Interrupted)));
        assert!(matches!(failures.into_parts().1, Err(Failure::Told(70))));
    }
}
