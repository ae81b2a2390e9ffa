//! `pchr-view -o …`: renders characters to files without a window.
//!
//! All errors in the command line and in the files are found before the first picture is rendered.

use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::{Path, PathBuf};

use clap::ArgMatches;
use indicatif::ProgressBar;

use super::args::{Progress, ViewArgs};
use super::loaded::Loaded;
use super::outputs::{self, OwnFiles};
use super::plan::{Job, Planner};
use super::summary::{Render, Summary};
use super::{blends, contact, shared_sheet, usage, watching};
use crate::shared::failure::{Failure, warn};
use crate::shared::files::{self, Target};
use crate::shared::interrupt;
use crate::shared::json_output;
use crate::shared::keep_going::Failures;
use crate::shared::progress;
use crate::shared::stdio::{Stdout, reject_repeated_stdin};
use pchr::Error;
use pchr::error::{Fault, Place};
use pchr::export::{
    Batch, BatchError, Commit, ExportError, Observer, Outcome, PlannedFile, RenderOptions, SEVERAL_PAGES,
};

/// Renders as specified by `args`.
pub fn run(args: &ViewArgs, given: &ArgMatches) -> Result<(), Failure> {
    let options = check_usage(args, given)?;
    let targets = files::characters(&args.subject.files, &options.read.limits)?;
    if args.window.is_watched() {
        return watching::run(args, options, &targets);
    }
    // A contact sheet of several characters has a cell for one that cannot be opened.
    let is_shared = contact::is_shared(&options, &targets);
    let mut failures = Failures::new(args.many.keep_going || is_shared);
    let jobs = render(args, &options, &OwnFiles::default(), &targets, &mut failures, &mut Vec::new())?;
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
    let mut parts = shared_sheet::Parts::new(targets);
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
        write(args, own_files, &planner, parts, &mut jobs, failures)?;
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

/// Renders all planned pictures.
fn write(
    args: &ViewArgs,
    own_files: &OwnFiles,
    planner: &Planner<'_>,
    parts: shared_sheet::Parts,
    jobs: &mut [Job],
    failures: &mut Failures,
) -> Result<(), Failure> {
    let options = planner.options;
    let count: usize = jobs.iter().map(|job| job.pictures).sum();
    if count == 0 {
        return Err(Failure::usage("no frame is selected, so there is nothing to write"));
    }
    outputs::check(options, own_files, jobs, planner.shares_sheet())?;
    let progress = progress_bar(args, count * options.passes());
    if planner.shares_sheet() {
        parts.write(args, own_files, planner, jobs, failures, &progress)?;
    } else {
        planner.draw_all(jobs, failures, |_, job, loaded| {
            let file = job.file.clone();
            Writing { args, options, own_files, progress: &progress, file: &file }.write(job, loaded)
        })?;
    }
    progress.finish_and_clear();
    if !args.quiet && !args.json {
        let frames = jobs.iter().filter(|job| !job.is_failed).map(|job| job.pictures).sum();
        own_files.note_written(frames);
    }
    Ok(())
}

/// Checks the command line and returns the render options.
pub fn check_usage(args: &ViewArgs, given: &ArgMatches) -> Result<RenderOptions, Failure> {
    if args.subject.files.is_empty() {
        return Err(Failure::usage_with_help("no input file given", "pchr-view FILE -o OUT.png"));
    }
    reject_repeated_stdin(&args.subject.files)?;
    if args.window.is_watched() {
        watching::check_usage(args)?;
    }
    let options = usage::render_options(args, given)?;
    if !args.output.is_stdout() {
        return Ok(options);
    }
    if args.json {
        return Err(Failure::usage("--json and -o - both write to stdout; write the picture to a file"));
    }
    if io::stdout().is_terminal() {
        return Err(Failure::usage_with_help(
            format!("refusing to write {} to a terminal", options.format().noun()),
            "-o - | another program, or -o FILE",
        ));
    }
    Ok(options)
}

/// Writes one character to files.
struct Writing<'a> {
    args: &'a ViewArgs,
    options: &'a RenderOptions,
    own_files: &'a OwnFiles,
    progress: &'a ProgressBar,
    file: &'a Path,
}

impl Writing<'_> {
    fn write(&self, job: &mut Job, loaded: &Loaded) -> Result<(), Failure> {
        let Loaded { character, plan, visible, .. } = loaded;
        let Job { files, sources, .. } = &*job;
        let args = self.args;
        let mut drawing = (args.graphics.open)(self.options, character.model(), &plan.view, args.quiet)?;
        let sequence = self.options.sequence(character, plan, interrupt::flag());
        let batch = Batch {
            sequence: sequence.recording(visible),
            options: self.options,
            plan,
            files,
            sources,
            commit: Commit::Each,
            may_replace: &|path| self.options.output.force || self.own_files.contains(path),
            observer: self,
        };
        let mut stdout = BufWriter::new(Stdout);
        let written = batch.write(&mut drawing, &mut stdout).and_then(|written| {
            stdout.flush().map_err(|error| Error::io("stdout", error))?;
            Ok(written)
        });
        // Discard what is still buffered after an error.
        let _ = stdout.into_parts();
        if let Some(render) = &mut job.render {
            render.backend = drawing.name();
        }
        match written {
            Ok(written) if written.outcome.is_finished => Ok(()),
            Ok(_) => Err(Failure::Interrupted),
            // The reader has closed the pipe, which is not an error.
            Err(BatchError::Export(ExportError::File(Error::Io { source, place })))
                if source.kind() == io::ErrorKind::BrokenPipe && place.file.as_deref() == Some("stdout") =>
            {
                // The remaining frames were not drawn; do not report them as empty.
                if self.options.format().is_animated() {
                    plan.pictures.iter().for_each(|picture| visible.record(picture.animation));
                }
                Ok(())
            }
            Err(error) => Err(failure(error).of_input(&job.file)),
        }
    }
}

impl Observer for Writing<'_> {
    fn picture_done(&self) {
        self.progress.inc(1);
    }

    fn written(&self, path: &Path) {
        self.own_files.add(path);
    }

    /// Warns about what the file format cannot represent.
    fn clip_done(&self, file: &PlannedFile, outcome: Outcome) {
        if self.args.quiet {
            return;
        }
        let place = || Place::file(file.path.as_deref().unwrap_or(self.file).display());
        // No warning with --matte, which handles such pixels.
        if outcome.has_partial_alpha && self.options.look.matte.is_none() {
            let message = "a GIF has no partial transparency: pixels below half opacity become transparent, \
            others opaque; --matte COLOUR blends them with a colour, --background COLOUR fills the picture";
            warn(&Fault { code: "partial-alpha", place: place(), message: message.to_owned() });
        }
        if outcome.is_slowed {
            let message = "it plays too slowly: a GIF shows at most 50 frames per second; select fewer with \
            -f A..B:2 and --speed 0.5";
            warn(&Fault { code: "gif-too-fast", place: place(), message: message.to_owned() });
        }
    }
}

/// Converts an error to a failure with a hint.
fn failure(error: BatchError) -> Failure {
    match error {
        BatchError::Outputs(error) => {
            outputs::refused(error, || "give each sheet its own name with {animation}".to_owned())
        }
        BatchError::Export(ExportError::File(Error::Misuse(fault))) if fault.code == SEVERAL_PAGES => {
            Failure::usage_with_help(
                fault.message,
                "use a larger --sheet-max-size, a smaller --size, or -o NAME.json",
            )
        }
        BatchError::Export(error) => Failure::exporting(error),
    }
}

/// Returns the bar for a run of this many pictures.
pub fn progress_bar(args: &ViewArgs, count: usize) -> ProgressBar {
    progress::bar(args.progress == Progress::Auto && !args.quiet, count, "pictures")
}
