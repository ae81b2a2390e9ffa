//! `pchr-view --reference …`: compares rendered pictures with references.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use indicatif::ProgressBar;

use super::args::ViewArgs;
use super::headless::add_empty;
use super::loaded::Loaded;
use super::outputs::{corrected, misnamed};
use super::plan::{Job, Planner};
use super::writing::progress_bar;
use crate::golden::check::Check;
use crate::golden::files::{Earlier, NewFile, PictureFiles, check_sources};
use crate::golden::print::human;
use crate::golden::record::{Comparison, FrameRecord, Warning};
use crate::golden::report::ReportWriter;
use crate::shared::failure::Failure;
use crate::shared::files;
use crate::shared::json_error::JsonError;
use crate::shared::json_output;
use crate::shared::keep_going::Failures;
use crate::shared::stdio::{portable, print_stdout};
use pchr::export::{
    Format, OutputPath, PlannedFile, RenderOptions, Template, Values, check_not_existing, first_duplicate,
};

/// Renders and compares as specified by `args`.
pub fn run(args: &ViewArgs, mut options: RenderOptions, targets: &[files::Target]) -> Result<(), Failure> {
    options.fix_frames();
    let mut failures = Failures::new(args.many.errors.keep_going);
    let mut planner = Planner::new(args, &options, targets)?;
    let templates = Templates::new(args);
    let (mut files, mut errors) = (Vec::new(), Vec::new());
    let mut jobs = planner.plan_all(targets, &mut failures, &mut Vec::new(), |job, loaded| {
        files.extend(templates.as_ref().ok().map(|templates| templates.fill(job, loaded)));
        errors.extend(Warning::errors_in(&loaded.diagnostics));
    })?;
    let count: usize = jobs.iter().map(|job| job.pictures).sum();
    if count == 0 && !jobs.is_empty() {
        return Err(Failure::usage("no frame is selected, so there is nothing to compare"));
    }
    check_references(&options, &jobs)?;
    // Errors in files come first.
    templates?;
    check_files(args, &options, &jobs, &files)?;
    let report = ReportWriter::requested(args.golden.html_report.as_deref(), args.output.force)?;
    let progress = progress_bar(args, count * options.passes());
    let mut frames = Vec::with_capacity(count);
    planner.draw_all(&mut jobs, &mut failures, |number, job, loaded| {
        frames.extend(compare(args, &options, job, loaded, &files[number], report.as_ref(), &progress)?);
        Ok(())
    })?;
    progress.finish_and_clear();
    add_empty(&jobs, &mut failures);
    let (failed, result) = failures.into_parts();
    let failures = failed.into_iter().map(|failed| failed_character(failed, targets)).collect();
    let comparison = Comparison { errors, failures, frames, ..Comparison::default() }.counted();
    ReportWriter::finish_requested(report, &comparison, &title(targets), args.quiet)?;
    if args.json {
        json_output::print(&comparison)?;
    } else {
        print_stdout(&human(&comparison, args.quiet))?;
    }
    comparison.result().and(result)
}

/// Returns the title of the report.
fn title(targets: &[files::Target]) -> String {
    match targets {
        [target] => portable(&target.path),
        _ => format!("{} characters", targets.len()),
    }
}

/// Rejects several pictures with the same reference.
fn check_references(options: &RenderOptions, jobs: &[Job]) -> Result<(), Failure> {
    options.template().map_err(|error| misnamed(error, options))?;
    let files = jobs.iter().flat_map(|job| &job.files);
    let paths = files.filter_map(|file| Some(file.path.as_deref()?.to_owned()));
    match first_duplicate(&paths.collect::<Vec<_>>()) {
        Some(twice) => Err(Failure::usage_with_help(
            format!("several pictures would be compared with `{}`", twice.display()),
            format!("give each its own reference: --reference '{}'", corrected(options, jobs)),
        )),
        None => Ok(()),
    }
}

/// Paths of files to write, if the user chose them.
struct Templates {
    now: Option<Template>,
    diff: Option<Template>,
}

impl Templates {
    fn new(args: &ViewArgs) -> Result<Self, Failure> {
        let parse = |text: &str| text.parse().map_err(|error| Failure::usage(format!("{error}")));
        let diff = args.golden.diff.as_deref();
        if let Some(diff) = diff.filter(|diff| Format::of_path(diff, None) != Ok(Format::Png)) {
            let message = format!("--diff `{diff}` must have the extension .png");
            return Err(Failure::usage_with_help(message, "each frame has its own picture of the difference"));
        }
        Ok(Self { now: args.output.files().map(parse).transpose()?, diff: diff.map(parse).transpose()? })
    }

    /// Returns the files of each picture of a job.
    fn fill(&self, job: &Job, loaded: &Loaded) -> Vec<PictureFiles> {
        let mut files = Vec::new();
        for (number, clip) in job.files.iter().enumerate() {
            files.extend(clip.pictures.clone().map(|at| self.of_picture(job, loaded, (number, clip), at)));
        }
        files
    }

    /// Returns the files of the picture `at`, whose reference is the file `clip`.
    fn of_picture(
        &self,
        job: &Job,
        loaded: &Loaded,
        (number, clip): (usize, &PlannedFile),
        at: usize,
    ) -> PictureFiles {
        let (plan, index) = (&loaded.plan, job.first.picture + at);
        let reference = clip.path.clone().unwrap_or_else(|| OutputPath::named(""));
        let (first, is_shared) = (clip.pictures.start, clip.pictures.len() > 1);
        let fill = |template: &Option<Template>, at: usize, index, frame| {
            let animation = plan.pictures[at].animation_name(loaded.character.model());
            let values = Values { name: &job.name, path: &job.path, animation, index, frame };
            template.as_ref().map(|template| template.fill(values))
        };
        let given = |path| NewFile { path, earlier: Earlier::Kept };
        let frame = plan.pictures[at].frame;
        let now = fill(&self.now, first, job.first.file + number, if is_shared { 0 } else { frame });
        let diff = fill(&self.diff, at, index, frame);
        let word = if is_shared { format!("{:04}.diff", at - first) } else { "diff".to_owned() };
        PictureFiles {
            index,
            now: now.map_or_else(|| NewFile::beside(&reference, "now", None), given),
            diff: diff.map_or_else(|| NewFile::beside(&reference, &word, Some("png")), given),
            reference,
        }
    }
}

/// Rejects paths that would overwrite inputs, references or each other.
fn check_files(
    args: &ViewArgs,
    options: &RenderOptions,
    jobs: &[Job],
    files: &[Vec<PictureFiles>],
) -> Result<(), Failure> {
    let mut paths = Paths::default();
    for clip in files.iter().flat_map(|files| files.chunk_by(|a, b| a.reference == b.reference)) {
        for (path, role) in [(&clip[0].reference, "a reference"), (&clip[0].now.path, "a new picture")] {
            paths.add(path, role)?;
            // The first page of a sheet is next to its description; the others are checked when they are known.
            let page = path.with_extension("png");
            if options.format() == Format::Sheet && *page != **path {
                paths.add(&page, role)?;
            }
        }
        clip.iter().try_for_each(|files| paths.add(&files.diff.path, "a picture of a difference"))?;
    }
    let sources: Vec<PathBuf> = jobs.iter().flat_map(|job| job.sources.iter().cloned()).collect();
    check_sources(&paths.all, &sources).map_err(Failure::reading)?;
    let mut written = Vec::new();
    for files in files.iter().flatten() {
        let reference = args.golden.update.then_some(&files.reference);
        written.extend([&files.now.path, files.missing(), &files.diff.path].into_iter().chain(reference));
    }
    written.into_iter().try_for_each(OutputPath::check).map_err(Failure::Output)?;
    let new = files.iter().flatten().flat_map(|files| [&files.now, &files.diff]);
    let mut kept = new.filter(|file| !file.may_replace(args.output.force));
    kept.try_for_each(|file| check_not_existing(&file.path)).map_err(Failure::Output)
}

/// All files of a comparison.
#[derive(Default)]
struct Paths {
    all: Vec<PathBuf>,
    roles: HashMap<PathBuf, &'static str>,
}

impl Paths {
    /// Adds a file. Fails if it is known under any path.
    fn add(&mut self, path: &Path, role: &'static str) -> Result<(), Failure> {
        self.all.push(path.to_owned());
        let Some(other) = self.roles.insert(resolved(path), role) else { return Ok(()) };
        let message = format!("`{}` would be {other} and {role}", path.display());
        let help = if other == role {
            "use {animation} and {frame:04}, or {index}, to distinguish files"
        } else {
            "give each kind of picture its own path; --update replaces references that differ"
        };
        Err(Failure::usage_with_help(message, help))
    }
}

/// Returns the same path for all paths of a file, whether it exists or not.
fn resolved(path: &Path) -> PathBuf {
    if let Ok(found) = path.canonicalize() {
        return found;
    }
    match (path.parent(), path.file_name()) {
        (Some(folder), Some(name)) if folder.as_os_str().is_empty() => resolved(Path::new(".")).join(name),
        (Some(folder), Some(name)) => resolved(folder).join(name),
        // The path ends with `..`.
        (Some(folder), None) => resolved(folder).parent().map_or_else(|| path.to_owned(), Path::to_owned),
        _ => path.to_owned(),
    }
}

/// Compares the pictures of one character.
fn compare(
    args: &ViewArgs,
    options: &RenderOptions,
    job: &Job,
    loaded: &Loaded,
    files: &[PictureFiles],
    report: Option<&ReportWriter>,
    progress: &ProgressBar,
) -> Result<Vec<FrameRecord>, Failure> {
    let Loaded { character, plan, visible, .. } = loaded;
    let mut drawing = (args.graphics.open)(options, character.model(), &plan.view, args.quiet)?;
    let check = Check {
        file: &job.file,
        name: None,
        character,
        sources: &job.sources,
        options,
        plan,
        files,
        allowance: args.golden.allowance.allowance(),
        update: args.golden.update,
        visible,
        refuses_empty: false,
        reports_same: true,
        report,
        picture_done: &|| progress.inc(1),
    };
    check.run(&mut drawing).map_err(|failure| failure.of_input(&job.file))
}

fn failed_character(failed: JsonError, targets: &[files::Target]) -> JsonError {
    let index = targets.iter().position(|target| Some(portable(&target.path)) == failed.file);
    JsonError { character: failed.file, file: None, index: Some(index.unwrap_or_default()), ..failed }
}
