//! `pchr validate`: prints everything that is wrong with characters or odd about them.
//!
//! [`crate::validate`] checks a file. Files are checked on all cores and printed in the order of their names. Findings
//! go to stdout; what keeps a file from being judged goes to stderr, and in the styles for machines to stdout as well.
//! Memory holds a few files at a time.

mod args;
mod github;
mod human;
mod json;
mod judge;
mod sarif;
mod stream;

use std::io::{self, Write};
use std::path::Path;

use rayon::prelude::*;

use super::shared::choose;
use super::shared::failure::{Failure, note};
use super::shared::files::{self, Target, Targets, no_character};
use super::shared::stdio::reject_repeated_stdin;
use crate::error::{Error, shown, with_sources};
use crate::formats::findings;
use crate::validate::{Counts, Options};
pub use args::ValidateArgs;
use args::{Deny, Style as StyleName};
pub use json::Report;
use judge::{Judged, Outcome, judge};

/// How findings are printed.
trait Style {
    /// Before the first file.
    fn begin(&mut self, _out: &mut String) -> serde_json::Result<()> {
        Ok(())
    }

    /// One file, and only the first `printed` of its findings.
    fn file(&mut self, judged: &Judged, printed: usize, out: &mut String) -> serde_json::Result<()>;

    /// After the last file.
    fn end(&mut self, totals: &Totals, out: &mut String) -> serde_json::Result<()>;
}

/// What came of all files.
#[derive(Debug, Default)]
struct Totals {
    valid: usize,
    invalid: usize,
    unjudged: usize,
    /// JSON and the like that was found and holds no character.
    skipped: usize,
    counts: Counts,
    /// Findings that are not printed.
    hidden: usize,
    /// The worst of all.
    code: u8,
}

impl Totals {
    fn files(&self) -> usize {
        self.valid + self.invalid + self.unjudged
    }

    fn add(&mut self, judged: &Judged, printed: usize) {
        match &judged.outcome {
            Outcome::Skipped => self.skipped += 1,
            Outcome::Failed(_) | Outcome::Broken => self.unjudged += 1,
            Outcome::Checked(checked) => {
                *if checked.is_valid { &mut self.valid } else { &mut self.invalid } += 1;
                self.counts.errors += checked.counts.errors;
                self.counts.warnings += checked.counts.warnings;
                self.counts.notes += checked.counts.notes;
                self.hidden += checked.counts.all() - printed;
                self.fail(u8::from(!checked.is_valid));
            }
        }
    }

    /// The exit code is at least this.
    fn fail(&mut self, code: u8) {
        self.code = self.code.max(code);
    }
}

impl Judged {
    /// Why it was not judged, without its name: a code and the reason in words.
    fn problem(&self) -> Option<(&'static str, String)> {
        match &self.outcome {
            Outcome::Failed(error @ Error::Io { source, .. }) => Some((error.code(), shown(&source.to_string()))),
            Outcome::Failed(error) => Some((error.code(), shown(&with_sources(error)))),
            Outcome::Broken => Some(("bug", Failure::Bug.message())),
            Outcome::Checked(_) | Outcome::Skipped => None,
        }
    }

    /// The same for the user.
    fn into_failure(self) -> Option<Failure> {
        match self.outcome {
            Outcome::Failed(error) => Some(Failure::reading(error).in_file(Path::new(&self.shown))),
            Outcome::Broken => Some(Failure::Bug),
            Outcome::Checked(_) | Outcome::Skipped => None,
        }
    }
}

/// `1 file`, `2 files`
fn count(number: usize, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}

/// Judges everything that the arguments name. With `quiet` nothing is said of links that are not followed, and
/// people get no last line about all files.
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
    let mut style: Box<dyn Style> = match style_name {
        StyleName::Human => Box::new(human::Human::new(quiet)),
        StyleName::Json => Box::<json::Json>::default(),
        StyleName::Github => Box::<github::Github>::default(),
        StyleName::Sarif => Box::<sarif::Sarif>::default(),
    };
    let Targets { files, loops, .. } = files::find(&args.paths)?.sorted();
    let mut totals = Totals::default();
    for path in loops.iter().filter(|_| !quiet) {
        note(&format!("{}: this link leads back to a folder around it and is not followed", path.display()));
    }
    let is_complete = tell(&files, &options, args.max_issues, style.as_mut(), &mut totals)?;
    if is_complete && totals.files() == 0 && totals.code == 0 {
        let named: Vec<String> = args.paths.iter().map(|path| format!("`{}`", path.display())).collect();
        let source = io::Error::new(io::ErrorKind::NotFound, no_character());
        let failure = Failure::Input(Error::io(named.join(", "), source));
        // JSON and SARIF have been printed, and hold no file.
        failure.report();
        return Err(Failure::Reported(failure.exit_code()));
    }
    if totals.code == 0 { Ok(()) } else { Err(Failure::Reported(totals.code)) }
}

/// Refuses a code that no finding has.
fn check_codes(wanted: &[String]) -> Result<(), Failure> {
    let codes = || findings::RULES.iter().map(|rule| rule.code);
    let unknown = wanted.iter().find(|wanted| codes().all(|code| code != wanted.as_str()));
    unknown.map_or(Ok(()), |unknown| Err(choose::unknown("finding", unknown, codes())))
}

/// Judges the files and tells of them in their order. False when nobody listens any more.
fn tell(
    files: &[Target],
    options: &Options,
    max_issues: usize,
    style: &mut dyn Style,
    totals: &mut Totals,
) -> Result<bool, Failure> {
    let json = |error: serde_json::Error| Failure::Output(Error::io("stdout", error.into()));
    let mut left = if max_issues == 0 { usize::MAX } else { max_issues };
    let mut out = String::new();
    style.begin(&mut out).map_err(json)?;
    // So many that few cores wait for the slowest, so few that little is kept.
    for some in files.chunks(4 * rayon::current_num_threads()) {
        let judged: Vec<Judged> = some.par_iter().map(|target| judge(target, options)).collect();
        for judged in judged {
            let printed = match &judged.outcome {
                Outcome::Checked(checked) => checked.findings.len().min(left),
                Outcome::Failed(_) | Outcome::Broken | Outcome::Skipped => 0,
            };
            left -= printed;
            totals.add(&judged, printed);
            style.file(&judged, printed, &mut out).map_err(json)?;
            let file = judged.shown.clone();
            if let Some(failure) = judged.into_failure() {
                // In its place among the findings.
                if !print(&mut out, options.excerpts)? {
                    return Ok(false);
                }
                totals.fail(failure.exit_code());
                failure.report();
                if matches!(failure, Failure::Bug) {
                    note(&format!("{file} is the file that was read"));
                }
            }
        }
        if !print(&mut out, options.excerpts)? {
            return Ok(false);
        }
    }
    style.end(totals, &mut out).map_err(json)?;
    print(&mut out, options.excerpts)
}

/// Prints what has been gathered. False when nobody listens any more, which is no error.
///
/// What is for people has colours, which are taken out where nobody sees them. What is for machines is printed as it
/// is: it would lose what looks like a colour.
fn print(out: &mut String, is_for_people: bool) -> Result<bool, Failure> {
    let stdout: &mut dyn Write =
        if is_for_people { &mut anstream::stdout().lock() } else { &mut io::stdout().lock() };
    let printed = stdout.write_all(out.as_bytes()).and_then(|()| stdout.flush());
    out.clear();
    match printed {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(false),
        Err(error) => Err(Failure::Output(Error::io("stdout", error))),
    }
}
