//! Commands that write a file or a folder for each input: `convert`, `pack` and `unpack`.
//!
//! All outputs are named and checked before the first file is written. Then one file after the other is read, written
//! and dropped.

mod files;
mod outputs;
mod report;

use std::io;
use std::path::{Path, PathBuf};

use super::failure::{Failure, note};
use super::json_output::{self, JsonOutput};
use super::keep_going::{Failures, KeepGoingArgs};
use super::load::{bytes_of, recorded_sidecars, sources};
use super::progress;
use super::stdio::{is_stdio, shown_name};
use super::warnings::{WarningArgs, name_files};
use super::written::note_written;
use pchr::Error;
use pchr::convert::{ConvertError, Packable, open_document};
use pchr::diagnostics::Diagnostics;
use pchr::formats::{Input, ReadOptions};

pub use files::Session;
pub use outputs::{Job, Outputs, check};
pub use report::{SkippedFile, Written, WrittenFile};

/// Options of commands that write files.
#[derive(Debug, clap::Args)]
pub struct WriteArgs {
    /// Overwrite existing files
    #[arg(long)]
    pub force: bool,
    #[command(flatten)]
    pub errors: KeepGoingArgs,
    #[command(flatten)]
    pub warnings: WarningArgs,
    /// Print the written files, all warnings and all losses as JSON
    #[arg(long)]
    pub json: bool,
}

impl WriteArgs {
    /// Rejects JSON beside a character that is printed.
    pub fn check_stdout(&self, output: &Path) -> Result<(), Failure> {
        match self.json && is_stdio(output) {
            true => Err(Failure::usage("--json and -o - both write to stdout; write the character to a file")),
            false => Ok(()),
        }
    }
}

/// The result for an input file.
pub type Done = Result<WrittenFile, Unwritten>;

/// Why nothing was written for an input file.
pub enum Unwritten {
    Failed(Failure),
    /// It is in a format that the command does not take. That is an error, unless it was found in a folder.
    Other(Failure),
}

impl From<Failure> for Unwritten {
    fn from(failure: Failure) -> Self {
        Self::Failed(failure)
    }
}

/// A PCHR document.
pub struct Loaded {
    pub document: Packable,
    /// Name of its format.
    pub from: &'static str,
    /// The files that it was read from.
    pub sources: Vec<PathBuf>,
    pub diagnostics: Diagnostics,
}

/// Reads the document of a job and prints its warnings. It must be in one of the formats `taken`, which are `named`.
pub fn load(
    job: &Job,
    options: &ReadOptions,
    session: &Session<'_>,
    (taken, named): ([&str; 2], &str),
) -> Result<Loaded, Unwritten> {
    let (file, mut diagnostics) = (&job.input.path, Diagnostics::default());
    let sidecars = recorded_sidecars(file, options);
    let input = bytes_of(file, &options.limits).map(|bytes| Input { bytes, sidecars: sidecars.access() });
    let opened =
        input.map_err(ConvertError::Input).and_then(|input| open_document(&input, options, &mut diagnostics));
    let failure = |error: Error| Failure::reading(error.in_file(shown_name(file)));
    let document = opened.map_err(|error| match error {
        ConvertError::Output(error) => Unwritten::Other(failure(error)),
        ConvertError::Input(error) | ConvertError::Incomplete(error) => failure(error).into(),
        ConvertError::Unknown(unknown) => Failure::usage(unknown.to_string()).into(),
    })?;
    let sources = sources(file, &sidecars, options);
    name_files(&mut diagnostics, file, &sources);
    session.print_findings(&diagnostics, file);
    let from = document.source();
    if !taken.contains(&from) {
        let message = format!("{} is {}, not {named}", file.display(), document.format());
        let help = "use `pchr convert` to convert between formats";
        return Err(Unwritten::Other(Failure::usage_with_help(message, help)));
    }
    Ok(Loaded { document, from, sources, diagnostics })
}

/// Does `work` for each input file, and prints the result.
pub fn run(
    jobs: &[Job],
    args: &WriteArgs,
    quiet: bool,
    mut work: impl FnMut(&Job, &mut Session<'_>) -> Done,
) -> Result<(), Failure> {
    let mut failures = Failures::new(args.errors.keep_going);
    let mut session = Session::new(jobs, args, quiet);
    let (mut files, mut outputs, mut skipped, mut count) = (Vec::new(), Vec::new(), Vec::new(), 0);
    let bar = progress::bar(!quiet, jobs.len(), "files");
    for job in jobs {
        let done = failures.attempt(&job.input.path, || {
            job.input.check().map_err(Failure::Input)?;
            match work(job, &mut session) {
                Ok(file) => Ok(Ok(file)),
                Err(Unwritten::Other(failure)) if job.input.is_found => Ok(Err(failure.message())),
                Err(Unwritten::Other(failure) | Unwritten::Failed(failure)) => Err(failure),
            }
        });
        bar.inc(1);
        if done.is_err() {
            bar.finish_and_clear();
        }
        match done? {
            Some(Ok(file)) => {
                count += 1;
                if args.json {
                    files.push(file);
                } else {
                    outputs.extend(file.outputs);
                }
            }
            Some(Err(message)) => {
                if !quiet {
                    note(&format!("skipped: {message}"));
                }
                skipped.push(SkippedFile { file: job.input.name.clone(), message });
            }
            None => {}
        }
    }
    bar.finish_and_clear();
    if !quiet {
        note_written(outputs.iter().map(Path::new), None);
    }
    let (failures, result) = failures.into_parts();
    if result.is_ok() && count == 0 {
        return Err(nothing_to_do(jobs));
    }
    if args.json {
        json_output::print(&Written { failures, files, schema: Written::SCHEMA, skipped })?;
    }
    result
}

/// The failure if all files were skipped.
fn nothing_to_do(jobs: &[Job]) -> Failure {
    let first = jobs.first().map(|job| shown_name(&job.input.path)).unwrap_or_default();
    let message = "this command can read none of the files found";
    Failure::Input(Error::io(first, io::Error::new(io::ErrorKind::NotFound, message)))
}
