//! `pchr validate`: prints errors and questionable data in characters.
//!
//! [`pchr::validate`] checks a file. Files are checked in parallel and printed in order of their names. Findings
//! go to stdout. Errors that prevent a file from being checked go to stderr, and in the machine-readable styles to
//! stdout as well. Only a few files are in memory at a time.

mod args;
mod github;
mod human;
mod json;
mod judge;
mod sarif;
mod stream;

use std::io::{self, Write};
use std::path::Path;

use clap::ValueEnum;
use rayon::prelude::*;
use schemars::JsonSchema;
use serde::Serialize;

use super::shared::choose;
use super::shared::failure::{Failure, note};
use super::shared::files::{self, Target, Targets, no_character};
use super::shared::json_output::unwritten;
use super::shared::stdio::{is_read, reject_repeated_stdin, with_stdout, without_commands};
pub use args::ValidateArgs;
use args::{Deny, Style as StyleName};
pub use json::Report;
use judge::{Judged, Outcome, judge};
use pchr::Error;
use pchr::error::escaped;
use pchr::formats::findings;
use pchr::validate::{Checked, Options};

/// How findings are printed.
trait Style {
    /// Writes what precedes the first file.
    fn begin(&mut self, _out: &mut String) -> serde_json::Result<()> {
        Ok(())
    }

    /// Writes one file with the first `printed` of its findings.
    fn file(&mut self, judged: &Judged<'_>, printed: usize, out: &mut String) -> serde_json::Result<()>;

    /// Writes what follows the last file.
    fn end(&mut self, totals: &Summary, out: &mut String) -> serde_json::Result<()>;
}

/// Totals over all files.
#[derive(Debug, Default, Serialize, JsonSchema)]
pub struct Summary {
    /// Number of errors.
    errors: usize,
    /// Number of files that were given or found.
    files: usize,
    /// Number of findings not listed in this document.
    hidden: usize,
    /// Number of invalid files.
    invalid: usize,
    /// Number of notes.
    notes: usize,
    /// Number of files found in folders that are not characters, such as other JSON and XML; they are not in
    /// `files`.
    skipped: usize,
    /// Number of files that were not checked.
    unjudged: usize,
    /// Number of valid files.
    valid: usize,
    /// Number of warnings.
    warnings: usize,
    /// Highest exit code of all files.
    #[serde(skip)]
    code: u8,
}

impl Summary {
    fn add(&mut self, judged: &Judged<'_>, printed: usize) {
        match &judged.outcome {
            Outcome::Skipped(_) => {
                self.skipped += 1;
                return;
            }
            Outcome::Failed(_) => self.unjudged += 1,
            Outcome::Checked(checked) => {
                *if checked.is_valid { &mut self.valid } else { &mut self.invalid } += 1;
                self.errors += checked.counts.errors;
                self.warnings += checked.counts.warnings;
                self.notes += checked.counts.notes;
                self.hidden += checked.counts.all() - printed;
                self.fail(u8::from(!checked.is_valid));
            }
        }
        self.files += 1;
    }

    /// Raises the exit code to at least `code`.
    fn fail(&mut self, code: u8) {
        self.code = self.code.max(code);
    }
}

impl Judged<'_> {
    /// Returns why the file was not checked, without its name: a code and a message.
    fn problem(&self) -> Option<(&'static str, String)> {
        match &self.outcome {
            Outcome::Failed(failure) => {
                let message = match failure {
                    Failure::Input(Error::Io { source, .. }) => source.to_string(),
                    failure => failure.message(),
                };
                Some((failure.code(), escaped(&message)))
            }
            Outcome::Checked(_) | Outcome::Skipped(_) => None,
        }
    }
}

/// Checks all input files. `quiet` omits the notes about links that are not followed, and the summary line of the
/// text output.
pub fn run(args: &ValidateArgs, quiet: bool) -> Result<(), Failure> {
    reject_repeated_stdin(&args.paths)?;
    let style_name = args.style()?;
    check_codes(&args.ignore)?;
    let options = Options {
        read: args.read.options(),
        ignored: args.ignore.clone(),
        deny_warnings: args.deny == Some(Deny::Warnings),
        excerpts: style_name == StyleName::Human,
    };
    let mut style = style(style_name, quiet);
    let Targets { files, loops, parts } = files::find(&args.paths)?.sorted();
    let mut totals = Summary::default();
    for path in loops.iter().filter(|_| !quiet) {
        note(&format!("{}: not following this link, because it leads to a parent folder", path.display()));
    }
    for path in parts.iter().filter(|path| args.verbose && files.iter().all(|file| file.path != **path)) {
        note_skipped(&path.display().to_string(), "it belongs to another file");
    }
    let is_complete = check_all(&files, &options, args, style.as_mut(), &mut totals)?;
    if is_complete && totals.files == 0 && totals.code == 0 {
        let named: Vec<String> = args.paths.iter().map(|path| format!("`{}`", path.display())).collect();
        let source = io::Error::new(io::ErrorKind::NotFound, no_character());
        let failure = Failure::Input(Error::io(named.join(", "), source));
        // A complete JSON or SARIF document without files has already been printed.
        failure.report();
        return Err(Failure::Reported(failure.exit_code()));
    }
    if totals.code == 0 { Ok(()) } else { Err(Failure::Reported(totals.code)) }
}

fn note_skipped(file: &str, why: &str) {
    note(&format!("{file}: skipped, because {why}"));
}

fn style(name: StyleName, quiet: bool) -> Box<dyn Style> {
    match name {
        StyleName::Human => Box::new(human::Human::new(quiet)),
        StyleName::Json => Box::<json::Json>::default(),
        StyleName::Github => Box::<github::Github>::default(),
        StyleName::Sarif => Box::<sarif::Sarif>::default(),
    }
}

/// Returns the output of every style for one file with this result.
pub fn print_all(file: &Path, result: Result<Checked, Error>) -> serde_json::Result<Vec<String>> {
    let outcome = result.map_or_else(|error| Outcome::Failed(Failure::reading(error)), Outcome::Checked);
    let judged = Judged { target: &Target::given(file), outcome };
    let printed = if let Outcome::Checked(checked) = &judged.outcome { checked.findings.len() } else { 0 };
    let text = |name: &StyleName| {
        let (mut style, mut totals, mut out) = (style(*name, false), Summary::default(), String::new());
        style.begin(&mut out)?;
        totals.add(&judged, printed);
        style.file(&judged, printed, &mut out)?;
        style.end(&totals, &mut out)?;
        Ok(out)
    };
    StyleName::value_variants().iter().map(text).collect()
}

/// Rejects unknown finding codes.
fn check_codes(wanted: &[String]) -> Result<(), Failure> {
    let codes = || findings::RULES.iter().map(|rule| rule.code);
    let unknown = wanted.iter().find(|wanted| codes().all(|code| code != wanted.as_str()));
    unknown.map_or(Ok(()), |unknown| Err(choose::unknown("finding", unknown, codes())))
}

/// Checks the files and prints the results in order. Returns false if stdout has been closed.
fn check_all(
    files: &[Target],
    options: &Options,
    args: &ValidateArgs,
    style: &mut dyn Style,
    totals: &mut Summary,
) -> Result<bool, Failure> {
    let mut left = if args.max_issues == 0 { usize::MAX } else { args.max_issues };
    let mut out = String::new();
    style.begin(&mut out).map_err(unwritten)?;
    // Large enough that few cores wait for the slowest file, small enough to save memory.
    for some in files.chunks(4 * rayon::current_num_threads()) {
        let judged: Vec<Judged<'_>> = some.par_iter().map(|target| judge(target, options)).collect();
        for judged in judged {
            let printed = match &judged.outcome {
                Outcome::Checked(checked) => checked.findings.len().min(left),
                Outcome::Failed(_) | Outcome::Skipped(_) => 0,
            };
            left -= printed;
            totals.add(&judged, printed);
            style.file(&judged, printed, &mut out).map_err(unwritten)?;
            let shown = judged.shown();
            match judged.outcome {
                Outcome::Failed(failure) => {
                    // Printed in order with the findings.
                    if !print(&mut out, options.excerpts)? {
                        return Ok(false);
                    }
                    let failure = failure.in_file(Path::new(&shown));
                    totals.fail(failure.exit_code());
                    failure.report();
                    if matches!(failure, Failure::Bug) {
                        note(&format!("the file was {shown}"));
                    }
                }
                Outcome::Skipped(why) if args.verbose => note_skipped(&shown, why),
                Outcome::Skipped(_) | Outcome::Checked(_) => {}
            }
        }
        if !print(&mut out, options.excerpts)? {
            return Ok(false);
        }
    }
    style.end(totals, &mut out).map_err(unwritten)?;
    print(&mut out, options.excerpts)
}

/// Prints and clears the buffer. Returns false if stdout has been closed, which is not an error.
///
/// Text output has colours, which are removed unless stdout is a terminal. Machine-readable output is printed as
/// it is: it must not lose data that looks like a colour sequence.
fn print(out: &mut String, is_styled: bool) -> Result<bool, Failure> {
    let text = without_commands(out);
    let write = |stdout: &mut dyn Write| stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush());
    let printed = if is_styled { write(&mut anstream::stdout().lock()) } else { with_stdout(write) };
    drop(text);
    out.clear();
    is_read(printed)
}
