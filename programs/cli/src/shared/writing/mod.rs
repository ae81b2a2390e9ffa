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
use super::keep_going::Failures;
use super::load::load_document;
use super::progress;
use super::stdio::shown_name;
use super::warnings::WarningArgs;
use super::written::note_written;
use pchr::Error;
use pchr::convert::{ConvertError, Packable};
use pchr::diagnostics::Diagnostics;
use pchr::formats::ReadOptions;

pub use files::Session;
pub use outputs::{Job, Outputs, check};
pub use report::{SkippedFile, Written, WrittenFile};

/// Options of commands that write files.
#[derive(Debug, clap::Args)]
pub struct WriteArgs {
    /// Overwrite existing files
    #[arg(long)]
    pub force: bool,
    /// Continue with the next file if one fails; the exit code is the highest of all files
    #[arg(long)]
    pub keep_going: bool,
    #[command(flatten)]
    pub warnings: WarningArgs,
    /// Print the written files, all warnings and all losses as JSON
    #[arg(long)]
    pub json: bool,
}

/// The result for an input file.
pub enum Done {
    Written(WrittenFile),
    /// Found in a folder, but in a format that the command does not take; with the reason.
    Skipped(String),
}

impl Job {
    /// A file that the command does not take. That is an error, unless it was found in a folder.
    pub fn other(&self, failure: Failure) -> Result<Done, Failure> {
        if self.input.is_found { Ok(Done::Skipped(failure.message())) } else { Err(failure) }
    }
}

/// A PCHR document.
pub struct Loaded {
    pub document: Packable,
    /// The files that it was read from.
    pub sources: Vec<PathBuf>,
    pub diagnostics: Diagnostics,
}

/// Reads the document of a job and prints its warnings. The error is the result of the job: its file may be in another
/// format.
pub fn load(job: &Job, options: &ReadOptions, session: &Session) -> Result<Loaded, Box<Result<Done, Failure>>> {
    let (file, mut diagnostics) = (&job.input.path, Diagnostics::default());
    let (document, sources) = load_document(file, options, &mut diagnostics).map_err(|error| match error {
        ConvertError::Output(error) => Box::new(job.other(Failure::reading(error))),
        ConvertError::Input(error) | ConvertError::Incomplete(error) => Box::new(Err(Failure::reading(error))),
        ConvertError::Unknown(unknown) => Box::new(Err(Failure::usage(unknown.to_string()))),
    })?;
    session.warn(&diagnostics, file);
    Ok(Loaded { document, sources, diagnostics })
}

/// Does `work` for each input file, and prints the result.
pub fn run(
    jobs: &[Job],
    args: &WriteArgs,
    quiet: bool,
    mut work: impl FnMut(&Job, &mut Session) -> Result<Done, Failure>,
) -> Result<(), Failure> {
    let mut failures = Failures::new(args.keep_going);
    let mut session = Session::new(jobs, args, quiet);
    let (mut files, mut outputs, mut skipped, mut count) = (Vec::new(), Vec::new(), Vec::new(), 0);
    let bar = progress::bar(!quiet, jobs.len(), "files");
    for job in jobs {
        let done = failures.attempt(&job.input.path, || {
            job.input.check().map_err(Failure::Input)?;
            work(job, &mut session)
        });
        bar.inc(1);
        if done.is_err() {
            bar.finish_and_clear();
        }
        match done? {
            Some(Done::Written(file)) => {
                count += 1;
                if args.json {
                    files.push(file);
                } else {
                    outputs.extend(file.outputs);
                }
            }
            Some(Done::Skipped(message)) => {
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
