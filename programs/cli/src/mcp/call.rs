//! Runs a command line in this process and returns what it prints.

use std::ffi::OsString;
use std::panic::{AssertUnwindSafe, catch_unwind};

use clap::{Command, CommandFactory};

use crate::shared::call::captured;
use crate::shared::failure::Failure;
use crate::shared::json_error::JsonError;
use crate::shared::json_output::JsonOutput;
use crate::tools::{self, PchrArgs};
use crate::view::{self, ViewArgs};
use pchr::limits::Limits;

/// What a command has printed.
pub struct Printed {
    /// The JSON document.
    pub text: String,
    pub notes: Vec<String>,
    /// The command has not done what it was asked for. Differences and invalid files are results, not failures.
    pub is_failed: bool,
}

/// Returns the definition of the command that a command line starts with.
pub fn command(words: &[&str]) -> Command {
    match words {
        ["pchr", name, ..] => PchrArgs::command().find_subcommand(name).cloned().unwrap_or_default(),
        _ => ViewArgs::command(),
    }
}

/// Runs a command line, which starts with the name of the program.
pub fn run(words: impl Iterator<Item = OsString>, limits: &Limits) -> Printed {
    let words: Vec<OsString> = words.collect();
    let run_words =
        if words.first().is_some_and(|name| name == "pchr") { tools::run_words } else { view::run_words };
    // Unwind-safe: nothing that a panic leaves half-changed is used for another call.
    let work = || catch_unwind(AssertUnwindSafe(|| run_words(&words))).unwrap_or(Err(Failure::Bug));
    match captured(limits.clone(), work) {
        (Ok(()), text, notes) => Printed { text, notes, is_failed: false },
        (Err(Failure::Reported(code)), text, notes) => Printed { text, notes, is_failed: code > 1 },
        (Err(failure), _, notes) => Printed { notes, ..refused(&failure) },
    }
}

/// The document of a failure.
pub fn refused(failure: &Failure) -> Printed {
    let text = JsonError::new(failure).to_text().unwrap_or_default() + "\n";
    Printed { text, notes: Vec::new(), is_failed: true }
}
