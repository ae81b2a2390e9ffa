//! Runs a command line in this process and returns what it prints.

use std::ffi::OsString;
use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::cli::shared::failure::Failure;
use crate::cli::shared::json_error::JsonError;
use crate::cli::shared::json_output::JsonOutput;
use crate::cli::shared::stdio::captured;
use crate::cli::{tools, view};

/// A program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Program {
    Pchr,
    View,
}

/// What a command has printed.
pub struct Printed {
    /// The JSON document.
    pub text: String,
    /// The command has not done what it was asked for. Differences and invalid files are results, not failures.
    pub is_failed: bool,
}

/// Runs `words` without the name of the program.
pub fn run(program: Program, words: Vec<OsString>) -> Printed {
    let words: Vec<OsString> = [OsString::from("pchr")].into_iter().chain(words).collect();
    // Unwind-safe: nothing that a panic leaves half-changed is used for another call.
    let (result, text) = captured(|| {
        let work = || match program {
            Program::Pchr => tools::run_words(&words),
            Program::View => view::run_words(&words),
        };
        catch_unwind(AssertUnwindSafe(work)).unwrap_or(Err(Failure::Bug))
    });
    match result {
        Ok(()) => Printed { text, is_failed: false },
        Err(Failure::Reported(code)) => Printed { text, is_failed: code > 1 },
        Err(failure) => refused(&failure),
    }
}

/// The document of a failure.
pub fn refused(failure: &Failure) -> Printed {
    let text = JsonError::new(failure).to_text().unwrap_or_default() + "\n";
    Printed { text, is_failed: true }
}
