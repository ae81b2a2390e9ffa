//! Draws the planned pictures and writes their files.

use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use indicatif::ProgressBar;

use super::args::{Progress, ViewArgs};
use super::contact::Parts;
use super::loaded::Loaded;
use super::outputs::{self, OwnFiles};
use super::plan::{Job, Planner};
use crate::shared::failure::{Failure, warn};
use crate::shared::interrupt;
use crate::shared::keep_going::Failures;
use crate::shared::progress;
use crate::shared::stdio::Stdout;
use pchr::Error;
use pchr::error::{Fault, Place};
use pchr::export::{
    Batch, BatchError, Commit, ExportError, Observer, Outcome, PlannedFile, RenderOptions, SEVERAL_PAGES,
};

/// Renders all planned pictures to their files.
pub fn write(
    args: &ViewArgs,
    own_files: &OwnFiles,
    planner: &Planner<'_>,
    parts: Parts<'_>,
    jobs: &mut [Job],
    failures: &mut Failures,
) -> Result<(), Failure> {
    let options = planner.options;
    let count: usize = jobs.iter().map(|job| job.pictures).sum();
    let progress = progress_bar(args, count * options.passes());
    let shortcomings = Shortcomings::default();
    let drawn = if planner.shares_sheet() {
        parts.write(args, own_files, planner, jobs, failures, &progress)
    } else {
        planner.draw_all(jobs, failures, |_, job, loaded| {
            let file = job.file.clone();
            let shortcomings = &shortcomings;
            Writing { args, options, own_files, shortcomings, progress: &progress, file: &file }.write(job, loaded)
        })
    };
    if !args.quiet {
        shortcomings.warn();
    }
    drawn?;
    progress.finish_and_clear();
    if !args.quiet && !args.json {
        let frames = jobs.iter().filter(|job| !job.is_failed).map(|job| job.pictures).sum();
        own_files.note_written(frames);
    }
    Ok(())
}

/// Returns the bar for a run of this many pictures.
pub fn progress_bar(args: &ViewArgs, count: usize) -> ProgressBar {
    progress::bar(args.progress == Progress::Auto && !args.quiet, count, "pictures")
}

/// Writes one character to files.
struct Writing<'a> {
    args: &'a ViewArgs,
    options: &'a RenderOptions,
    own_files: &'a OwnFiles,
    shortcomings: &'a Shortcomings,
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

    fn clip_done(&self, file: &PlannedFile, outcome: Outcome) {
        let path = file.path.as_deref().unwrap_or(self.file);
        // No warning with --matte, which handles such pixels.
        if outcome.has_partial_alpha && self.options.look.matte.is_none() {
            self.shortcomings.partial_alpha.add(path);
        }
        if outcome.is_slowed {
            self.shortcomings.too_fast.add(path);
        }
    }
}

/// What the animated files of a run cannot represent.
#[derive(Default)]
struct Shortcomings {
    partial_alpha: Affected,
    too_fast: Affected,
}

impl Shortcomings {
    /// Prints a warning of each kind.
    fn warn(self) {
        self.partial_alpha.warn(
            "partial-alpha",
            "a GIF has no partial transparency: pixels below half opacity become transparent, others opaque; \
             --matte COLOUR blends them with a colour, --background COLOUR fills the picture",
        );
        self.too_fast.warn(
            "gif-too-fast",
            "it plays too slowly: a GIF shows at most 50 frames per second; select fewer with -f A..B:2 and --speed 0.5",
        );
    }
}

/// The files that have a shortcoming: the first one and their number.
#[derive(Default)]
struct Affected(Mutex<Option<(PathBuf, usize)>>);

impl Affected {
    fn add(&self, path: &Path) {
        let mut files = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        files.get_or_insert_with(|| (path.to_owned(), 0)).1 += 1;
    }

    fn warn(self, code: &'static str, message: &str) {
        let Some((first, count)) = self.0.into_inner().unwrap_or_else(PoisonError::into_inner) else { return };
        let number = if count > 1 { format!(" (files affected: {count})") } else { String::new() };
        warn(&Fault { code, place: Place::file(first.display()), message: format!("{message}{number}") });
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
