//! `pchr-view -o hero.json`: one sprite sheet for each file, or for each animation where the path names it.

mod args;

use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::engine::ChosenEngine;
use super::failure::{Failure, note, with_sources};
use super::headless::{self, Plan};
use super::interrupt;
use super::keep_going::Failures;
use super::output::{self, Output};
use super::stdio::print_bytes;
use super::view::ViewArgs;
use crate::error::Error;
use crate::export::{
    Drawing, ExportError, OutputFile, OutputFolder, PlannedSheet, RenderOptions, SEVERAL_PAGES, SheetJob,
    SheetKind, Template, Values, check_free, sheet_ranges,
};

pub use args::SheetArgs;

/// One sheet: some pictures of one plan.
struct Job {
    plan: usize,
    pictures: Range<usize>,
    /// `None` for stdout.
    path: Option<PathBuf>,
}

/// What a path asks for.
fn kind_of(path: &Path) -> Result<SheetKind, Failure> {
    SheetKind::of_path(path).ok_or_else(|| {
        Failure::usage_with_help(
            format!("`{}` does not say what kind of sheet to write", path.display()),
            "end the path in .json (with a PNG beside it), .sprsh (both in one file) or .png",
        )
    })
}

/// Writes the pictures of `plans` as sheets.
pub fn write(
    args: &ViewArgs,
    render: &RenderOptions,
    plans: &mut [Plan],
    output: &Output,
    failures: &mut Failures,
) -> Result<(), Failure> {
    let mut jobs = match output {
        Output::Stdout if plans.len() > 1 => {
            let message = format!("stdout takes one sheet, not {}", plans.len());
            return Err(Failure::usage_with_help(message, "-o '{name}.json' writes several"));
        }
        Output::Stdout => jobs(plans, false),
        Output::Files { template, .. } => jobs(plans, template.names_animation()),
    };
    if let Output::Files { text, template } = output {
        name(args, plans, &mut jobs, text, template)?;
    }
    let count = plans.iter().map(|plan| plan.pictures.len()).sum::<usize>();
    let progress = headless::progress_bar(args, count * render.sheet.passes());
    let mut drawing: Option<(usize, ChosenEngine)> = None;
    for job in &jobs {
        let plan = &mut plans[job.plan];
        if plan.is_failed {
            continue;
        }
        // One engine draws every sheet of a character.
        let known = drawing.take().filter(|(of, _)| *of == job.plan).map(|(_, engine)| engine);
        let file = plan.file.clone();
        let written = failures.attempt(&file, || {
            let mut engine = known.map_or_else(|| headless::engine(render, plan, args.quiet), Ok)?;
            let is_finished = write_job(args, render, plan, job, &mut engine, &|| progress.inc(1));
            plan.backend = engine.name();
            Ok((is_finished?, engine))
        })?;
        plan.is_failed = written.is_none();
        let Some((is_finished, engine)) = written else { continue };
        drawing = Some((job.plan, engine));
        if !is_finished {
            return Err(Failure::Interrupted);
        }
    }
    progress.finish_and_clear();
    Ok(())
}

/// Writes one sheet; false when it was cancelled.
fn write_job(
    args: &ViewArgs,
    render: &RenderOptions,
    plan: &Plan,
    job: &Job,
    engine: &mut ChosenEngine,
    worked: &(dyn Fn() + Sync),
) -> Result<bool, Failure> {
    let jobs = render.jobs_for(&plan.view, plan.character.model(), 3);
    let sequence = headless::sequence(render, plan, jobs, interrupt::flag());
    let pictures = &plan.pictures[job.pictures.clone()];
    let sheet = SheetJob { sequence: &sequence, options: render, pictures, worked };
    let drawn = draw(args, render, &sheet, (job.path.as_deref(), &plan.sources), engine);
    drawn.map_err(|failure| failure.of_input(&plan.file))
}

/// What belongs into one sheet: everything of a file, or the neighbouring pictures of an animation.
fn jobs(plans: &[Plan], by_animation: bool) -> Vec<Job> {
    let of_plan = |(plan, Plan { pictures, .. }): (usize, &Plan)| {
        let ranges = sheet_ranges(pictures, by_animation).into_iter();
        ranges.map(move |pictures| Job { plan, pictures, path: None }).collect::<Vec<_>>()
    };
    plans.iter().enumerate().flat_map(of_plan).collect()
}

/// Gives every sheet its path.
fn name(
    args: &ViewArgs,
    plans: &mut [Plan],
    jobs: &mut [Job],
    text: &str,
    template: &Template,
) -> Result<(), Failure> {
    if template.names_frame() {
        let message = "a sheet holds every frame, so {frame} says nothing in its name";
        return Err(Failure::usage_with_help(message, "{name} and {animation} tell sheets apart"));
    }
    let values = jobs.iter().enumerate().map(|(index, job)| {
        let plan = &plans[job.plan];
        let animation = plan.pictures[job.pictures.start].animation_name(plan.character.model());
        Values { name: &plan.name, animation, index, frame: 0 }
    });
    let sources = headless::sources(plans);
    let paths = output::paths(text, template, &values.collect::<Vec<_>>(), &sources, &args.output)?;
    for (job, path) in jobs.iter_mut().zip(paths) {
        // Before anything is drawn.
        let picture = path.with_extension("png");
        if kind_of(&path)? == SheetKind::Json && !args.output.may_replace(&picture) {
            check_free(&picture).map_err(Failure::Output)?;
        }
        let shared: Arc<Path> = path.clone().into();
        for picture in &mut plans[job.plan].pictures[job.pictures.clone()] {
            picture.path = Some(Arc::clone(&shared));
        }
        job.path = Some(path);
    }
    Ok(())
}

fn draw(
    args: &ViewArgs,
    render: &RenderOptions,
    sheet: &SheetJob<'_>,
    (path, sources): (Option<&Path>, &[PathBuf]),
    engine: &mut ChosenEngine,
) -> Result<bool, Failure> {
    let mut tell = |error: &ExportError| {
        if !args.quiet {
            note(&format!("the rest is drawn by the CPU renderer: {}", with_sources(error)));
        }
    };
    let on_loss: Option<&mut dyn FnMut(&ExportError)> =
        if headless::may_fall_back(render) { Some(&mut tell) } else { None };
    engine.draw(sheet.sequence, on_loss, |drawing| {
        let Some(planned) = sheet.plan(drawing, path).map_err(refused)? else { return Ok(false) };
        if path.is_some() {
            output::refuse_sources(planned.files.iter().map(|file| &file.path), sources)?;
        }
        match (path, &planned.files[..]) {
            (None, [file]) => {
                let mut png = Vec::new();
                let is_finished = sheet.write(drawing, &planned, file, &mut png).map_err(Failure::exporting)?;
                if is_finished { print_bytes(&png).map(|()| true) } else { Ok(false) }
            }
            (_, [file]) => {
                let overwrite = args.output.may_replace(&file.path);
                let mut out = OutputFile::create(&file.path, overwrite).map_err(Failure::Output)?;
                let is_finished = sheet.write(drawing, &planned, file, &mut out).map_err(Failure::exporting)?;
                if is_finished {
                    out.finish().map_err(Failure::Output)?;
                    args.output.ours.claim(&file.path);
                }
                Ok(is_finished)
            }
            _ => folder(args, sheet, drawing, &planned),
        }
    })
}

/// What cannot be planned, and what would help.
fn refused(error: ExportError) -> Failure {
    match error {
        ExportError::File(Error::Misuse(fault)) if fault.code == SEVERAL_PAGES => {
            Failure::usage_with_help(fault.message, "a larger --sheet-max-size, a smaller --size, or -o NAME.json")
        }
        error => Failure::exporting(error),
    }
}

/// Several files that belong together: all of them or none.
fn folder(
    args: &ViewArgs,
    sheet: &SheetJob<'_>,
    drawing: &mut Drawing<'_>,
    planned: &PlannedSheet,
) -> Result<bool, Failure> {
    let parent = planned.files.first().and_then(|file| file.path.parent());
    let parent = parent.filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let (ours, others): (Vec<_>, Vec<_>) =
        planned.files.iter().map(|file| &file.path).partition(|path| args.output.may_replace(path));
    others.iter().try_for_each(|path| check_free(path)).map_err(Failure::Output)?;
    let mut out = OutputFolder::create(parent, !ours.is_empty()).map_err(Failure::Output)?;
    let names = planned.files.iter().map(|file| file.path.file_name().unwrap_or_default().to_string_lossy());
    let names: Vec<String> = names.map(|name| name.into_owned()).collect();
    out.check_free(names.iter().map(String::as_str)).map_err(Failure::Output)?;
    for (file, name) in planned.files.iter().zip(&names) {
        let mut drawn = Ok(true);
        let written = out.write(name, |out| {
            drawn = sheet.write(drawing, planned, file, out);
            match &drawn {
                Ok(_) => Ok(()),
                Err(_) => Err(io::ErrorKind::Other.into()),
            }
        });
        if !drawn.map_err(Failure::exporting)? {
            return Ok(false);
        }
        written.map_err(Failure::Output)?;
    }
    out.finish().map_err(Failure::Output)?;
    planned.files.iter().for_each(|file| args.output.ours.claim(&file.path));
    Ok(true)
}
