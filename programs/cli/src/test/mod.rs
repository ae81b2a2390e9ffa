//! `pchr test`: renders the characters in a folder and compares the pictures with references.
//!
//! The result is one [`Comparison`], which every style prints. The work can be split into shards, whose results are
//! merged to the same document.

mod accept;
mod args;
mod case;
mod failures;
mod merge;
mod pattern;
mod pictures;
pub mod plan;
mod progress;
mod run;
mod samples;
mod select;
pub mod settings;
mod shard;
pub mod structure;
pub mod suite;
mod unused_references;

use std::path::{Path, PathBuf};

use super::golden::print::{Times, markdown, text};
use super::golden::record::Comparison;
use super::golden::report::ReportWriter;
use super::shared::failure::{Failure, note};
use super::shared::stdio::print_stdout;
use accept::Accepted;
pub use args::TestArgs;
use merge::merge;
use progress::Progress;
use run::Run;
use select::Selection;
use suite::{Suite, check_links};

/// Title of reports. The same for a single run and for merged shards, whose reports are the same.
pub const TITLE: &str = "pchr test";

/// Runs the test, or merges the results of earlier runs.
pub fn run(args: &TestArgs, quiet: bool) -> Result<(), Failure> {
    let style = args.check()?;
    let report = ReportWriter::requested(args.html_report.as_deref(), args.force)?;
    let (comparison, times, unmatched) = match &args.dir {
        Some(dir) => test(args, dir, report.as_ref(), quiet)?,
        None => (merged(args, report.as_ref(), quiet)?, Times::default(), Ok(())),
    };
    ReportWriter::finish_requested(report, &comparison, TITLE, quiet)?;
    if let Some(path) = &args.summary {
        markdown::append(path, &comparison)?;
    }
    print_stdout(&text(style, &comparison, &times, quiet)?)?;
    unmatched?;
    comparison.result()
}

fn test(
    args: &TestArgs,
    dir: &Path,
    report: Option<&ReportWriter>,
    quiet: bool,
) -> Result<(Comparison, Times, Result<(), Failure>), Failure> {
    let selection = Selection::of(dir, &args.select)?;
    let suite = Suite::find(&selection, &args.given, args.jobs, args.results.as_deref())?;
    let accepted = Accepted::new(&args.accept, args.update, &suite.dir)?;
    // Before anything is drawn, so that nothing is written.
    let written = [Some(&suite.folders.results), accepted.is_any().then_some(&suite.folders.references)];
    written.into_iter().flatten().try_for_each(check_links).map_err(Failure::Output)?;
    let progress = Progress::new(suite.covered().count(), quiet);
    let (comparison, times) = Run::new(&suite, args, quiet, &accepted, report, &progress).all()?;
    drop(progress);
    if !quiet && comparison.summary.missing > 0 {
        note("--update writes the missing references");
    }
    // A pattern may be for characters of another shard. What others have accepted is in the result.
    let unmatched = if args.shard.is_none() { accepted.check() } else { Ok(()) };
    Ok((comparison, times, unmatched))
}

fn merged(args: &TestArgs, report: Option<&ReportWriter>, quiet: bool) -> Result<Comparison, Failure> {
    let (comparison, without) = merge_files(&args.merge, report, args.report_all)?;
    if without > 0 && !quiet {
        let message = "frames have no picture in the report: copy DIR/references and DIR/results of every shard to \
        where they were, relative to this folder or to the JSON files";
        note(&format!("{without} {message}"));
    }
    Ok(comparison)
}

/// Joins the results of all shards, and adds their pictures to the report: of frames that differ, or of `all`. Returns
/// the number of frames without any picture in it.
pub fn merge_files(
    files: &[PathBuf],
    report: Option<&ReportWriter>,
    all: bool,
) -> Result<(Comparison, usize), Failure> {
    let merged = merge(files)?;
    let without = report.map_or(Ok(0), |report| pictures::add(&merged, report, all))?;
    Ok((merged.comparison, without))
}
