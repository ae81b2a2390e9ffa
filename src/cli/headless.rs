//! `pchr-view -o …`: characters to PNG files and animated pictures, without a window.
//!
//! Everything that can be wrong with the command is found before the first picture is rendered.

use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::animated;
use super::blends;
use super::choose;
use super::empty;
use super::engine::ChosenEngine;
use super::failure::{Failure, note, warn, with_sources};
use super::files::{self, Target};
use super::interrupt;
use super::keep_going::Failures;
use super::late;
use super::load::load_watched;
use super::options::render_options;
use super::output::{self, Output};
use super::schema::{self, JsonOutput};
use super::sheet;
use super::stdio::{print_bytes, refuse_stdin_twice, tell_warnings};
use super::summary::{Frame, Render, Summary, Warning, portable};
use super::too_large;
use super::view::{Progress, ViewArgs};
use super::watching;
use crate::character::Character;
use crate::diagnostics::Diagnostics;
use crate::draw::View;
use crate::error::Error;
use crate::export::{
    self, Backend, ExportError, Format, Planned, RenderOptions, Seen, Sequence, Shot, TOO_MANY_PICTURES, Template,
    Values, input_name, write_png,
};
use crate::motion::{Motion, Position, has_physics};

/// More pictures are not looked at beforehand, only to tell something of them.
pub const MAX_LOOKS: usize = 1000;

/// One file, and everything that will be rendered of it.
pub struct Plan {
    pub file: PathBuf,
    /// What `{name}` stands for.
    pub name: String,
    pub character: Character,
    /// The files that it was read from.
    pub sources: Vec<PathBuf>,
    diagnostics: Diagnostics,
    pub view: View,
    pub pictures: Vec<Planned>,
    /// What was seen in them.
    pub seen: Seen,
    /// What drew it.
    pub backend: String,
    /// It could not be drawn or written.
    pub is_failed: bool,
}

/// Renders what `args` say.
pub fn run(args: &ViewArgs) -> Result<(), Failure> {
    let options = check_usage(args)?;
    let targets = files::characters(&args.files, &options.read.limits)?;
    if args.window.is_watched() {
        return watching::run(args, options, &targets);
    }
    let mut failures = Failures::new(args.output.keep_going);
    let plans = render(args, &options, &targets, &mut failures, &mut Vec::new())?;
    let (failed, result) = failures.into_parts();
    if args.json {
        let mut index = 0..;
        // Counted in the names of files, too.
        let renders = plans.iter().map(|plan| (plan, summary(plan, &mut index)));
        let renders = renders.filter(|(plan, _)| !plan.is_failed).map(|(_, render)| render).collect();
        schema::print(&Summary { failures: failed, renders, schema: Summary::SCHEMA })?;
    }
    result
}

/// Reads, plans and renders every file. `sources` are the files that were read for that, also where reading failed.
pub fn render(
    args: &ViewArgs,
    options: &RenderOptions,
    targets: &[Target],
    failures: &mut Failures,
    sources: &mut Vec<PathBuf>,
) -> Result<Vec<Plan>, Failure> {
    let mut plans = Vec::new();
    for target in targets {
        let file = &target.path;
        let mut read = Vec::new();
        let plan = || {
            target.check().map_err(Failure::Input)?;
            plan(args, options, file, &mut read).map_err(|failure| failure.in_file(file))
        };
        let planned = failures.attempt(file, plan);
        sources.append(&mut read);
        plans.extend(planned?);
    }
    if !plans.is_empty() {
        write(args, options, &mut plans, failures)?;
    }
    if args.output.fail_on_empty {
        for plan in plans.iter().filter(|plan| !plan.is_failed) {
            empty::failures(args, plan).iter().for_each(|failure| failures.add(&plan.file, failure));
        }
    }
    Ok(plans)
}

/// Renders everything that is planned.
fn write(
    args: &ViewArgs,
    options: &RenderOptions,
    plans: &mut [Plan],
    failures: &mut Failures,
) -> Result<(), Failure> {
    if !args.quiet && args.output.output.is_some() {
        blends::warn_of_blends(options, plans);
    }
    let count = plans.iter().map(|plan| plan.pictures.len()).sum();
    match &args.output.output {
        Some(_) if count == 0 => Err(Failure::usage("no frame is chosen, so there is nothing to write")),
        Some(output) if options.format == Format::Sheet => sheet::write(args, options, plans, output, failures),
        Some(output) if options.format.animated().is_some() => {
            animated::write(args, options, plans, output, failures)
        }
        Some(Output::Stdout) if count > 1 => {
            let message = format!("stdout takes one PNG, not {count}");
            Err(Failure::usage_with_help(message, "-o 'NAME-{index:04}.png' writes several files"))
        }
        Some(Output::Stdout) => to_stdout(args, options, plans),
        Some(Output::Files { text, template }) => {
            name_pictures(args, plans, text, template)?;
            to_files(args, options, plans, count, failures)
        }
        None => Ok(()),
    }
}

/// What will be written, where the command makes sense.
fn check_usage(args: &ViewArgs) -> Result<RenderOptions, Failure> {
    if args.files.is_empty() {
        return Err(Failure::usage_with_help("no character is named", "pchr-view FILE -o OUT.png"));
    }
    refuse_stdin_twice(&args.files)?;
    if args.window.is_watched() {
        watching::check_usage(args)?;
    }
    let options = render_options(args)?;
    match &args.output.output {
        Some(Output::Stdout) if args.json => {
            Err(Failure::usage("--json and -o - both want stdout; write the picture to a file"))
        }
        Some(Output::Stdout) if io::stdout().is_terminal() => Err(Failure::usage_with_help(
            format!("{} is not for a terminal", options.format.noun()),
            "-o - | another program, or -o FILE",
        )),
        Some(Output::Stdout | Output::Files { .. }) | None => Ok(options),
    }
}

fn plan(
    args: &ViewArgs,
    options: &RenderOptions,
    file: &Path,
    sources: &mut Vec<PathBuf>,
) -> Result<Plan, Failure> {
    let mut diagnostics = Diagnostics::default();
    let character = load_watched(file, &options.read, &mut diagnostics, sources).map_err(Failure::reading)?;
    if !args.quiet {
        tell_warnings(&diagnostics, file);
    }
    if options.physics && !args.quiet && !has_physics(&character) {
        note(&format!("{}: nothing in it swings, so --physics changes nothing", file.display()));
    }
    let model = character.model();
    let animations = choose::animations(model, &args.show.animations)?;
    let skins = choose::skins(&character, &options.skins)?;
    if let Some(message) = choose::unchosen_skin(&character, &options.skins).filter(|_| !args.quiet) {
        note(&format!("{}: {message}", file.display()));
    }
    let takes_rate = match character.motion() {
        Motion::Flipbook(book) => !book.is_timed(),
        Motion::Sampled(_) | Motion::Spine(_) | Motion::SkelForm(_) => {
            animations.iter().all(|&id| model.animation(id).is_keyed())
        }
    };
    if options.read.fps.is_some() && !takes_rate {
        let message = "--fps is for motion that has keys and for sheets without durations, here frames are stored with their times";
        return Err(Failure::usage_with_help(message, "--speed says how fast they are played"));
    }
    let plan = |options: &RenderOptions| options.plan(&character, &animations, &skins);
    let export::Plan { view, pictures } = plan(options).map_err(|error| match error {
        error if too_large::is_too_large(&error) => too_large::failure(error, options, plan),
        error if error.code() == TOO_MANY_PICTURES => {
            Failure::usage_with_help(error.to_string(), "choose fewer with -a and -f")
        }
        error => Failure::reading(error),
    })?;
    let mut plan = Plan {
        file: file.to_owned(),
        name: input_name(file),
        character,
        sources: sources.clone(),
        diagnostics,
        view,
        pictures,
        seen: Seen::default(),
        backend: "none".to_owned(),
        is_failed: false,
    };
    let mut odd = late::warnings(options, &plan);
    // With `--fail-on-empty` that is an error, once the pictures are there.
    odd.extend(empty::warning(&plan, &skins, options.read.limits.work).filter(|_| !args.output.fail_on_empty));
    for fault in odd {
        plan.diagnostics.warn(fault.code, fault.place.clone(), fault.message.clone());
        if !args.quiet {
            warn(&fault);
        }
    }
    Ok(plan)
}

/// Gives every picture its path.
fn name_pictures(args: &ViewArgs, plans: &mut [Plan], text: &str, template: &Template) -> Result<(), Failure> {
    let values: Vec<Values<'_>> = plans
        .iter()
        .flat_map(|plan| plan.pictures.iter().map(move |picture| (plan, picture)))
        .enumerate()
        .map(|(index, (plan, picture))| {
            let animation = picture.animation_name(plan.character.model());
            Values { name: &plan.name, animation, index, frame: picture.frame }
        })
        .collect();
    let paths = output::paths(text, template, &values, &sources(plans), &args.output)?;
    let pictures = plans.iter_mut().flat_map(|plan| &mut plan.pictures);
    pictures.zip(paths).for_each(|(picture, path)| picture.path = Some(path.into()));
    Ok(())
}

/// Every file that is read, and not written over.
pub fn sources(plans: &[Plan]) -> Vec<PathBuf> {
    plans.iter().flat_map(|plan| plan.sources.iter().cloned()).collect()
}

pub fn engine(options: &RenderOptions, plan: &Plan, quiet: bool) -> Result<ChosenEngine, Failure> {
    let adapter = options.adapter.as_deref();
    let antialias = options.settings(&plan.view).antialias;
    ChosenEngine::new(options.backend, adapter, plan.character.model(), &plan.view, antialias, quiet)
}

/// Who asked for a driver by name wants its pictures or an error.
pub fn may_fall_back(options: &RenderOptions) -> bool {
    options.backend == Backend::Auto && options.adapter.is_none()
}

pub fn sequence<'a>(
    options: &RenderOptions,
    plan: &'a Plan,
    jobs: usize,
    cancelled: &'a AtomicBool,
) -> Sequence<'a> {
    Sequence {
        character: &plan.character,
        view: plan.view,
        settings: options.settings(&plan.view),
        surface: options.surface(),
        physics: options.physics,
        bones: options.bones,
        overwrite: options.force,
        jobs,
        work: options.read.limits.work,
        seen: Some(&plan.seen),
        cancelled,
    }
}

fn to_stdout(args: &ViewArgs, options: &RenderOptions, plans: &[Plan]) -> Result<(), Failure> {
    for plan in plans {
        for picture in &plan.pictures {
            let mut engine = engine(options, plan, args.quiet)?;
            let picture =
                sequence(options, plan, 1, interrupt::flag()).picture(engine.engine(), picture.cue.clone());
            let picture = picture.map_err(|error| Failure::exporting(error).of_input(&plan.file))?;
            let mut png = Vec::new();
            let stdout = |error| Failure::Output(Error::io("stdout", error));
            write_png(&picture, &mut png).map_err(stdout)?;
            print_bytes(&png)?;
        }
    }
    Ok(())
}

/// Renders every plan.
fn to_files(
    args: &ViewArgs,
    options: &RenderOptions,
    plans: &mut [Plan],
    count: usize,
    failures: &mut Failures,
) -> Result<(), Failure> {
    let progress = progress_bar(args, count);
    for plan in plans {
        let file = plan.file.clone();
        let written = failures.attempt(&file, || write_pictures(args, options, plan, &|| progress.inc(1)))?;
        plan.is_failed = written.is_none();
    }
    progress.finish_and_clear();
    Ok(())
}

fn write_pictures(
    args: &ViewArgs,
    options: &RenderOptions,
    plan: &mut Plan,
    worked: &(dyn Fn() + Sync),
) -> Result<(), Failure> {
    let mut engine = engine(options, plan, args.quiet)?;
    let jobs = options.jobs_for(&plan.view, plan.character.model(), 1);
    let pictures = plan.pictures.iter();
    let shot =
        |picture: &Planned| Some(Shot { cue: picture.cue.clone(), path: picture.path.as_deref()?.to_owned() });
    let shots: Vec<Shot> = pictures.filter_map(shot).collect();
    let tell = |error: &ExportError| {
        if !args.quiet {
            note(&format!("the rest is drawn by the CPU renderer: {}", with_sources(error)));
        }
    };
    let on_loss: Option<&dyn Fn(&ExportError)> = if may_fall_back(options) { Some(&tell) } else { None };
    let sequence = sequence(options, plan, jobs, interrupt::flag());
    let written = |shot: &Shot| {
        args.output.ours.claim(&shot.path);
        worked();
    };
    let finished = engine.write(&sequence, &shots, &written, on_loss);
    plan.backend = engine.name();
    let finished = finished.map_err(|error| Failure::exporting(error).of_input(&plan.file))?;
    if finished { Ok(()) } else { Err(Failure::Interrupted) }
}

pub fn progress_bar(args: &ViewArgs, count: usize) -> ProgressBar {
    let is_dumb = std::env::var_os("TERM").is_some_and(|terminal| terminal == "dumb");
    let wanted = args.progress == Progress::Auto && !args.quiet && count > 1 && !is_dumb;
    let target = if wanted { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
    let bar = ProgressBar::with_draw_target(Some(count as u64), target);
    let style = ProgressStyle::with_template("{bar:32} {pos}/{len} pictures, {per_sec}, {eta} left");
    let bar = bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    interrupt::show(&bar);
    bar
}

/// `index` counts the pictures of a run.
fn summary(plan: &Plan, index: &mut impl Iterator<Item = usize>) -> Render {
    let model = plan.character.model();
    let frames = plan.pictures.iter().zip(index).map(|(picture, index)| {
        let animation = picture.animation.map(|id| model.animation(id));
        let seconds =
            animation.filter(|animation| animation.fps() > 0.0).map(|animation| match picture.cue.position {
                Position::Seconds(seconds) => seconds,
                Position::Frame { frame, .. } => animation.seconds_at(frame.into()),
            });
        Frame {
            animation: animation.map(|animation| animation.name.clone()),
            file: picture.path.as_deref().map(portable),
            frame: picture.frame,
            index,
            seconds,
        }
    });
    let warnings = plan.diagnostics.warnings();
    let warnings = warnings.map(|fault| Warning { code: fault.code, message: fault.to_string() });
    Render::new(plan.backend.clone(), &plan.file, &plan.view, frames.collect(), warnings.collect())
}
