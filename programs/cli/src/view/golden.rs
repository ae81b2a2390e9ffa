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
use crate::golden::print;
use crate::golden::record::{Comparison, FrameRecord};
use crate::golden::report::ReportWriter;
use crate::golden::target::{Place, Target, beside};
use crate::shared::failure::Failure;
use crate::shared::files;
use crate::shared::interrupt;
use crate::shared::json_error::JsonError;
use crate::shared::json_output;
use crate::shared::keep_going::Failures;
use crate::shared::stdio::{portable, print_stdout};
use pchr::export::{
    Format, OutputPath, PlannedFile, RenderOptions, Template, Values, check_not_existing, first_duplicate,
    source_among,
};

/// Renders and compares as specified by `args`.
pub fn run(args: &ViewArgs, mut options: RenderOptions, targets: &[files::Target]) -> Result<(), Failure> {
    options.fix_frames();
    let mut failures = Failures::new(args.many.keep_going);
    let mut planner = Planner::new(args, &options, targets)?;
    let templates = Templates::new(args);
    let mut compared = Vec::new();
    let mut jobs = planner.plan_all(targets, &mut failures, &mut Vec::new(), |job, loaded| {
        compared.extend(templates.as_ref().ok().map(|templates| templates.targets(job, loaded)));
    })?;
    let count: usize = jobs.iter().map(|job| job.pictures).sum();
    if count == 0 && !jobs.is_empty() {
        return Err(Failure::usage("no frame is selected, so there is nothing to compare"));
    }
    check_references(&options, &jobs)?;
    // Errors in files come first.
    templates?;
    check_targets(args, &options, &jobs, &compared)?;
    let report = ReportWriter::requested(args.golden.html_report.as_deref(), args.output.force)?;
    let progress = progress_bar(args, count * options.passes());
    let mut records = Vec::with_capacity(count);
    planner.draw_all(&mut jobs, &mut failures, |number, job, loaded| {
        let targets = &compared[number];
        records.extend(compare(args, &options, job, loaded, targets, report.as_ref(), &progress)?);
        Ok(())
    })?;
    progress.finish_and_clear();
    add_empty(&jobs, &mut failures);
    let (failed, result) = failures.into_parts();
    let failed = failed.into_iter().map(|failed| failed_character(failed, targets)).collect();
    let comparison = Comparison { failures: failed, frames: records, ..Comparison::default() }.counted();
    ReportWriter::finish_requested(report, &comparison, &title(targets), args.quiet)?;
    finish(args, &comparison, result)
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
    let paths: Vec<PathBuf> = jobs
        .iter()
        .flat_map(|job| &job.files)
        .filter_map(|file| file.path.as_deref().map(Path::to_owned))
        .collect();
    match first_duplicate(&paths) {
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

    /// Returns the targets of a job, one per picture.
    fn targets(&self, job: &Job, loaded: &Loaded) -> Vec<Target> {
        let files = job.files.iter().enumerate();
        files.flat_map(|(number, file)| self.targets_of_file(job, loaded, file, number)).collect()
    }

    fn targets_of_file(&self, job: &Job, loaded: &Loaded, file: &PlannedFile, number: usize) -> Vec<Target> {
        let (plan, first) = (&loaded.plan, job.first);
        let reference = file.path.clone().unwrap_or_else(|| OutputPath::named(""));
        let is_shared = file.pictures.len() > 1;
        let values = |at: usize, index, frame| {
            let animation = plan.pictures[at].animation_name(loaded.character.model());
            Values { name: &job.name, path: &job.path, animation, index, frame }
        };
        let target = |at: usize| {
            let frame = plan.pictures[at].frame;
            let of_file = values(file.pictures.start, first.file + number, if is_shared { 0 } else { frame });
            let of_picture = values(at, first.picture + at, frame);
            let now = self.now.as_ref().map(|template| template.fill(of_file));
            let diff = self.diff.as_ref().map(|template| template.fill(of_picture));
            let own_diff = || {
                let position = at - file.pictures.start;
                let word = if is_shared { format!("{position:04}.diff") } else { "diff".to_owned() };
                Place::beside(beside(&reference, &word, Some("png")))
            };
            Target {
                index: first.picture + at,
                reference: reference.clone(),
                missing: now.clone().unwrap_or_else(|| reference.clone()),
                now: now.map_or_else(|| Place::beside(beside(&reference, "now", None)), Place::given),
                diff: diff.map_or_else(own_diff, Place::given),
            }
        };
        file.pictures.clone().map(target).collect()
    }
}

/// Rejects paths that would overwrite inputs, references or each other.
fn check_targets(
    args: &ViewArgs,
    options: &RenderOptions,
    jobs: &[Job],
    targets: &[Vec<Target>],
) -> Result<(), Failure> {
    let is_sheet = options.format() == Format::Sheet;
    let mut paths = Paths::default();
    for clip in targets.iter().flat_map(|targets| targets.chunk_by(|a, b| a.reference == b.reference)) {
        let Target { reference, now, missing, .. } = &clip[0];
        let mut add = |path: &Path, role| {
            paths.add(path, role)?;
            // The first page of a sheet is next to its description; the others are checked when they are known.
            let page = path.with_extension("png");
            if is_sheet && page != path { paths.add(&page, role) } else { Ok(()) }
        };
        add(reference, "a reference")?;
        add(&now.path, "a new picture")?;
        if missing != reference && *missing != now.path {
            add(missing, "a new picture")?;
        }
        clip.iter().try_for_each(|target| paths.add(&target.diff.path, "a picture of a difference"))?;
    }
    let sources: Vec<PathBuf> = jobs.iter().flat_map(|job| job.sources.iter().cloned()).collect();
    if let Some(source) = source_among(paths.roles.keys(), &sources) {
        let message =
            format!("`{}` is an input file and cannot be a reference or be overwritten", source.display());
        return Err(Failure::usage(message));
    }
    let places = targets.iter().flatten().flat_map(|target| [&target.now, &target.diff]);
    for target in targets.iter().flatten() {
        let reference = args.golden.update.then_some(&target.reference);
        let written = [&target.now.path, &target.missing, &target.diff.path];
        written.into_iter().chain(reference).try_for_each(OutputPath::check).map_err(Failure::Output)?;
    }
    for place in places.filter(|place| !place.is_ours() && !args.output.force) {
        check_not_existing(&place.path).map_err(Failure::Output)?;
    }
    Ok(())
}

/// All files of a comparison, each with its role.
#[derive(Default)]
struct Paths {
    roles: HashMap<PathBuf, &'static str>,
}

impl Paths {
    /// Adds a file. Fails if it is known under any path.
    fn add(&mut self, path: &Path, role: &'static str) -> Result<(), Failure> {
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
    targets: &[Target],
    report: Option<&ReportWriter>,
    progress: &ProgressBar,
) -> Result<Vec<FrameRecord>, Failure> {
    let Loaded { character, plan, visible, .. } = loaded;
    let mut drawing = (args.graphics.open)(options, character.model(), &plan.view, args.quiet)?;
    let sequence = options.sequence(character, plan, interrupt::flag()).recording(visible);
    let check = Check {
        file: &job.file,
        name: None,
        character,
        sources: &job.sources,
        options,
        plan,
        targets,
        allowance: args.golden.allowance.allowance(),
        update: args.golden.update,
        refused_empty: None,
        reports_same: true,
        report,
        picture_done: &|| progress.inc(1),
    };
    let checked = check.run(&mut drawing, &sequence);
    checked.map_err(|error| Failure::exporting(error).of_input(&job.file))?.ok_or(Failure::Interrupted)
}

fn failed_character(failed: JsonError, targets: &[files::Target]) -> JsonError {
    let index = targets.iter().position(|target| Some(portable(&target.path)) == failed.file);
    JsonError { character: failed.file, file: None, index: Some(index.unwrap_or_default()), ..failed }
}

/// Prints the result.
fn finish(args: &ViewArgs, comparison: &Comparison, result: Result<(), Failure>) -> Result<(), Failure> {
    if args.json {
        json_output::print(comparison)?;
    } else {
        print_stdout(&print::human(comparison, args.quiet))?;
    }
    match comparison.exit_code() {
        0 => result,
        code => Err(Failure::Reported(code)),
    }
}
