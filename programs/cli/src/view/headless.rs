//! `pchr-view -o …`: renders characters to files without a window.
//!
//! All errors in the files are found before the first picture is rendered.

use std::path::PathBuf;

use super::args::ViewArgs;
use super::contact::{self, Parts};
use super::outputs::{self, OwnFiles};
use super::plan::{Job, Planner};
use super::summary::{Render, Summary};
use super::{blends, writing};
use crate::shared::failure::{Failure, warn};
use crate::shared::files::Target;
use crate::shared::json_output;
use crate::shared::keep_going::Failures;
use pchr::export::RenderOptions;

/// Renders `targets` once.
pub fn run(args: &ViewArgs, options: &RenderOptions, targets: &[Target]) -> Result<(), Failure> {
    // A contact sheet of several characters has a cell for one that cannot be opened.
    let is_shared = contact::is_shared(options, targets);
    let mut failures = Failures::new(args.many.errors.keep_going || is_shared);
    let jobs = render(args, options, &OwnFiles::default(), targets, &mut failures, &mut Vec::new())?;
    let (failed, result) = failures.into_parts();
    if args.json {
        json_output::print(&Summary::new(failed, jobs))?;
    }
    result
}

/// Reads, plans and renders every file. `own_files` are files that this command has written before. The files that
/// were read are added to `sources`, even if reading failed.
pub fn render(
    args: &ViewArgs,
    options: &RenderOptions,
    own_files: &OwnFiles,
    targets: &[Target],
    failures: &mut Failures,
    sources: &mut Vec<PathBuf>,
) -> Result<Vec<Job>, Failure> {
    let mut planner = Planner::new(args, options, targets)?;
    let mut parts = Parts::new(targets);
    let is_written = options.output.path.is_some();
    let mut blended = None;
    let mut jobs = planner.plan_all(targets, failures, sources, |job, loaded| {
        parts.add(job, loaded);
        job.render = args.json.then(|| Render::of(loaded, job.first.picture));
        if is_written && !args.quiet && blended.is_none() {
            blended = blends::warning(options, loaded);
        }
        if !is_written {
            job.judge_empty(args, options, loaded, false);
        }
    })?;
    if !jobs.is_empty() && is_written {
        // Once per run.
        blended.iter().for_each(warn);
        if jobs.iter().all(|job| job.pictures == 0) {
            return Err(Failure::usage("no frame is selected, so there is nothing to write"));
        }
        outputs::check(options, own_files, &jobs, planner.shares_sheet())?;
        writing::write(args, own_files, &planner, parts, &mut jobs, failures)?;
    }
    add_empty(&jobs, failures);
    Ok(jobs)
}

/// With `--fail-on-empty`, adds the jobs that show nothing to the failures.
pub fn add_empty(jobs: &[Job], failures: &mut Failures) {
    for job in jobs.iter().filter(|job| !job.is_failed) {
        job.empty.iter().for_each(|failure| failures.add(&job.file, failure));
    }
}
