//! `pchr test`: renders the characters in a folder and compares the pictures with references.
//!
//! The result is one [`Comparison`], which every style prints. The work can be split into shards, whose results are
//! merged to the same document.

mod args;
mod merge;
mod plan;
mod run;
mod samples;
mod settings;
mod shard;
mod stale;
mod style;
mod suite;

use super::golden::record::Comparison;
use super::shared::failure::{Failure, note};
use super::shared::stdio::print_stdout;
pub use args::TestArgs;
use merge::merge;
use run::Run;
use suite::Suite;

/// Runs the test, or merges the results of earlier runs.
pub fn run(args: &TestArgs, quiet: bool) -> Result<(), Failure> {
    let style = args.check()?;
    let comparison = match &args.dir {
        Some(dir) => test(args, dir, quiet)?,
        None => merge(&args.merge)?.comparison,
    };
    print_stdout(&style::print(style, &comparison, quiet)?)?;
    match comparison.exit_code() {
        0 => Ok(()),
        code => Err(Failure::Reported(code)),
    }
}

fn test(args: &TestArgs, dir: &std::path::Path, quiet: bool) -> Result<Comparison, Failure> {
    let suite = Suite::find(dir, args.jobs)?;
    let mut run = Run::new(&suite, args.shard, args.update, None);
    let comparison = run.all()?;
    if !quiet {
        stale::report(&suite.dir, &run.used, &run.unplanned);
        report_unselected(suite.unselected());
    }
    Ok(comparison)
}

/// Prints a note about characters that no `[[render]]` table selects.
fn report_unselected(count: usize) {
    let what = if count == 1 { "character is" } else { "characters are" };
    if count > 0 {
        note(&format!("{count} {what} not selected by any [[render]] table of pchr-test.toml"));
    }
}
