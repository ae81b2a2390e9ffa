//! `pchr-view --reference …`: compares rendered pictures with references.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use clap::ArgMatches;
use indicatif::ProgressBar;

use super::args::ViewArgs;
use super::headless::{add_empty, check_usage, plan, print_note, progress_bar};
use super::outputs::{corrected, misnamed};
use super::plan::Job;
use crate::cli::golden::check::Check;
use crate::cli::golden::print;
use crate::cli::golden::record::{Comparison, FailedCharacter, FrameRecord};
use crate::cli::golden::report::ReportWriter;
use crate::cli::golden::target::{Place, Target, beside};
use crate::cli::shared::failure::{Failure, note};
use crate::cli::shared::files;
use crate::cli::shared::interrupt;
use crate::cli::shared::json_output;
use crate::cli::shared::keep_going::{FailedFile, Failures};
use crate::cli::shared::stdio::{portable, print_stdout};
use crate::export::{
    Drawing, Format, Naming, PlannedFile, RenderOptions, Sequence, Template, Values, check_not_existing,
    first_duplicate, source_among,
};

/// Renders and compares as specified by `args`.
pub fn run(args: &ViewArgs, given: &ArgMatches) -> Result<(), Failure> {
    let options = check_usage(args, given)?;
    let targets = &files::characters(&args.subject.files, &options.read.limits)?[..];
    let mut failures = Failures::new(args.many.keep_going);
    let mut jobs = Vec::new();
    for target in targets {
        jobs.extend(plan(args, &options, target, &mut failures, &mut Vec::new())?);
    }
    let count: usize = jobs.iter().map(|job| job.plan.pictures.len()).sum();
    if count == 0 && !jobs.is_empty() {
        return Err(Failure::usage("no frame is selected, so there is nothing to compare"));
    }
    let mut names = name_references(&options, &mut jobs)?;
    let templates = Templates::new(args)?;
    let compared: Vec<Vec<Target>> =
        jobs.iter().zip(&mut names).map(|(job, first)| templates.targets(job, first)).collect();
    check_targets(args, &options, &jobs, &compared)?;
    let report = args.golden.html_report.as_deref().map(|folder| ReportWriter::create(folder, args.output.force));
    let report = report.transpose().map_err(Failure::Output)?;
    let progress = progress_bar(args, count * options.passes());
    let mut records = Vec::with_capacity(count);
    for (job, targets) in jobs.iter_mut().zip(&compared) {
        let compared =
            failures.attempt(&job.file, || compare(args, &options, job, targets, report.as_ref(), &progress))?;
        job.is_failed = compared.is_none();
        records.extend(compared.unwrap_or_default());
    }
    progress.finish_and_clear();
    add_empty(args, &options, &jobs, &mut failures);
    let (failed, result) = failures.into_parts();
    let failed = failed.into_iter().map(|failed| failed_character(failed, targets)).collect();
    let comparison = Comparison::new(failed, records, None);
    if let Some(report) = report {
        let page = report.page();
        report.finish(&comparison, &title(targets)).map_err(Failure::Output)?;
        if !args.quiet {
            note(&format!("the report is {}", page.display()));
        }
    }
    finish(args, &comparison, result)
}

/// Returns the title of the report.
fn title(targets: &[files::Target]) -> String {
    match targets {
        [target] => portable(&target.path),
        _ => format!("{} characters", targets.len()),
    }
}

/// Assigns every picture its reference, and returns the first `{index}` of each job with its first picture.
fn name_references(options: &RenderOptions, jobs: &mut [Job]) -> Result<Vec<First>, Failure> {
    let template = options.template().map_err(|error| misnamed(error, options))?;
    let (mut firsts, mut first) = (Vec::with_capacity(jobs.len()), First::default());
    for job in jobs.iter_mut() {
        let naming = Naming { name: &job.name, first_index: first.file };
        job.files = job.plan.name_files(options, job.character.model(), template.as_ref(), naming);
        firsts.push(first);
        first.file += job.files.len();
        first.picture += job.plan.pictures.len();
    }
    let paths: Vec<PathBuf> =
        jobs.iter().flat_map(|job| &job.files).filter_map(|file| file.path.clone()).collect();
    if let Some(twice) = first_duplicate(&paths) {
        return Err(Failure::usage_with_help(
            format!("several pictures would be compared with `{}`", twice.display()),
            format!("give each its own reference: --reference '{}'", corrected(options, jobs)),
        ));
    }
    Ok(firsts)
}

/// Numbers of the first file and the first picture of a job.
#[derive(Debug, Clone, Copy, Default)]
struct First {
    file: usize,
    picture: usize,
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
    fn targets(&self, job: &Job, first: &First) -> Vec<Target> {
        let files = job.files.iter().enumerate();
        files.flat_map(|(number, file)| self.targets_of_file(job, file, number, first)).collect()
    }

    fn targets_of_file(&self, job: &Job, file: &PlannedFile, number: usize, first: &First) -> Vec<Target> {
        let reference = file.path.clone().unwrap_or_default();
        let is_shared = file.pictures.len() > 1;
        let values = |at: usize, index, frame| {
            let animation = job.plan.pictures[at].animation_name(job.character.model());
            Values { name: &job.name, animation, index, frame }
        };
        let target = |at: usize| {
            let frame = job.plan.pictures[at].frame;
            let of_file = values(file.pictures.start, first.file + number, if is_shared { 0 } else { frame });
            let of_picture = values(at, first.picture + at, frame);
            let now = self.now.as_ref().map(|template| template.fill(of_file));
            let diff = self.diff.as_ref().map(|template| template.fill(of_picture));
            let own_diff = || {
                let animation = crate::export::safe_name(of_picture.animation);
                let word = if is_shared { format!("{animation}-{frame:04}.diff") } else { "diff".to_owned() };
                Place::own(beside(&reference, &word, Some("png")))
            };
            Target {
                index: first.picture + at,
                reference: reference.clone(),
                missing: now.clone().unwrap_or_else(|| reference.clone()),
                now: now.map_or_else(|| Place::own(beside(&reference, "now", None)), Place::given),
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
    let sources: Vec<PathBuf> = jobs.iter().flat_map(|job| job.sources.iter().cloned()).collect();
    let all = || targets.iter().flatten();
    let references: HashSet<&Path> = all().map(|target| &*target.reference).collect();
    // The pictures of one file share its path.
    let mut now: Vec<PathBuf> = all().map(|target| target.now.path.clone()).collect();
    if options.format().takes_all_frames() {
        now.dedup();
    }
    let diff: Vec<PathBuf> = all().map(|target| target.diff.path.clone()).collect();
    for (option, paths) in [("-o", &now), ("--diff", &diff)] {
        if let Some(twice) = first_duplicate(paths) {
            let message = format!("{option}: several pictures would be written to `{}`", twice.display());
            return Err(Failure::usage_with_help(message, "use {animation} and {frame:04} to distinguish them"));
        }
        if let Some(path) = paths.iter().find(|path| references.contains(&***path)) {
            let message = format!("{option}: `{}` is a reference", path.display());
            return Err(Failure::usage_with_help(message, "--update replaces references that differ"));
        }
    }
    let written = references.iter().copied().chain(now.iter().chain(&diff).map(PathBuf::as_path));
    if let Some(source) = source_among(written, &sources) {
        let message =
            format!("`{}` is an input file and cannot be a reference or be overwritten", source.display());
        return Err(Failure::usage(message));
    }
    let places = all().flat_map(|target| [&target.now, &target.diff]).filter(|place| !place.is_ours);
    for place in places.filter(|_| !args.output.force) {
        check_not_existing(&place.path).map_err(Failure::Output)?;
    }
    Ok(())
}

/// Compares the pictures of one character.
fn compare(
    args: &ViewArgs,
    options: &RenderOptions,
    job: &Job,
    targets: &[Target],
    report: Option<&ReportWriter>,
    progress: &ProgressBar,
) -> Result<Vec<FrameRecord>, Failure> {
    let Job { character, plan, .. } = job;
    let drawing = Drawing::open(options, character.model(), &plan.view, print_note(args.quiet));
    let mut drawing = drawing.map_err(|error| Failure::Adapter(error.into_inner()))?;
    let sequence = options.sequence(character, plan.view, interrupt::flag());
    let sequence = Sequence { visible: Some(&job.visible), ..sequence };
    let check = Check {
        file: &job.file,
        character,
        options,
        plan,
        targets,
        allowance: args.golden.allowance.allowance(),
        update: args.golden.update,
        report,
        picture_done: &|| progress.inc(1),
    };
    let checked = check.run(&mut drawing, &sequence);
    checked.map_err(|error| Failure::exporting(error).of_input(&job.file))?.ok_or(Failure::Interrupted)
}

fn failed_character(failed: FailedFile, targets: &[files::Target]) -> FailedCharacter {
    let index = targets.iter().position(|target| portable(&target.path) == failed.file);
    FailedCharacter {
        character: failed.file,
        code: failed.code.to_owned(),
        exit_code: failed.exit_code,
        index: index.unwrap_or_default(),
        message: failed.message,
    }
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
