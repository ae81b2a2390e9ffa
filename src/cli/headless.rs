//! `pchr-view -o …`: characters to PNG files and animated pictures, without a window.
//!
//! Everything that can be wrong with the command is found before the first picture is rendered.

use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::animated;
use super::blends;
use super::choose;
use super::engine::{Backend, ChosenEngine};
use super::failure::{Failure, note, with_sources};
use super::format::Format;
use super::interrupt;
use super::load::load_character;
use super::output::{self, Output};
use super::schema::{self, JsonOutput};
use super::sheet;
use super::stdio::{STDIN, is_stdio, print_bytes, refuse_stdin_twice, tell_warnings};
use super::summary::{Frame, Render, Summary, Warning, portable};
use super::view::{Progress, ViewArgs};
use crate::character::Character;
use crate::diagnostics::Diagnostics;
use crate::draw::{Antialias, Settings, View};
use crate::error::{Error, Excess, Place, shown};
use crate::export::{
    ExportError, Fit, FrameSpec, Sequence, Shot, Size, Surface, Template, Values, bounds_of, choose_view,
    write_png,
};
use crate::model::{AnimationId, Model};
use crate::motion::{Cue, Position};

/// One file, and everything that will be rendered of it.
pub struct Plan {
    pub file: PathBuf,
    /// What `{name}` stands for.
    pub name: String,
    pub character: Character,
    diagnostics: Diagnostics,
    pub view: View,
    pub pictures: Vec<Planned>,
    /// What drew it.
    pub backend: String,
}

/// One picture.
pub struct Planned {
    pub animation: Option<AnimationId>,
    frame: u32,
    pub cue: Cue,
    /// Where it goes; `None` when nothing is written, or to stdout. Pictures of one animation may share it.
    pub path: Option<Arc<Path>>,
}

impl Planned {
    /// How long it is shown, in seconds, at the speed that is asked for; where nothing says so a tenth of one.
    pub fn shown_secs(&self, model: &Model, args: &ViewArgs) -> f64 {
        const STILL: f64 = 0.1;
        let Some(animation) = self.animation.map(|id| model.animation(id)) else { return STILL };
        let secs = match &animation.times {
            Some(times) => times.frame_ms(self.frame.into()) / 1000.0,
            None if animation.fps > 0.0 => 1.0 / animation.fps,
            None => return STILL,
        };
        secs / f64::from(args.window.speed)
    }
}

/// Renders what `args` say.
pub fn run(args: &ViewArgs) -> Result<(), Failure> {
    let format = check_usage(args)?;
    let plan_one = |file: &PathBuf| plan(args, format, file).map_err(|failure| failure.in_file(file));
    let mut plans: Vec<Plan> = args.files.iter().map(plan_one).collect::<Result<_, Failure>>()?;
    if !args.quiet && args.output.output.is_some() {
        blends::warn_of_blends(args, &plans);
    }
    let count = plans.iter().map(|plan| plan.pictures.len()).sum();
    match &args.output.output {
        Some(_) if count == 0 => return Err(Failure::usage("no frame is chosen, so there is nothing to write")),
        Some(output) if format == Format::Sheet => sheet::write(args, &mut plans, output)?,
        Some(output) if format.animated().is_some() => animated::write(args, &mut plans, output, format)?,
        Some(Output::Stdout) if count > 1 => {
            let message = format!("stdout takes one PNG, not {count}");
            return Err(Failure::usage_with_help(message, "-o 'NAME-{index:04}.png' writes several files"));
        }
        Some(Output::Stdout) => to_stdout(args, &plans)?,
        Some(Output::Files { text, template }) => {
            name_pictures(args, &mut plans, text, template)?;
            to_files(args, &mut plans, count)?;
        }
        None => {}
    }
    if args.json {
        let mut index = 0..;
        let renders = plans.iter().map(|plan| summary(plan, &mut index)).collect();
        let summary = Summary { renders, schema: Summary::SCHEMA };
        schema::print(&summary)?;
    }
    Ok(())
}

/// What will be written, where the command makes sense.
fn check_usage(args: &ViewArgs) -> Result<Format, Failure> {
    if args.files.is_empty() {
        return Err(Failure::usage_with_help("no character is named", "pchr-view FILE -o OUT.png"));
    }
    refuse_stdin_twice(&args.files)?;
    let Some(output) = &args.output.output else { return Ok(args.output.format.unwrap_or(Format::Png)) };
    let format = Format::chosen(args, output)?;
    match output {
        Output::Stdout if args.json => {
            Err(Failure::usage("--json and -o - both want stdout; write the picture to a file"))
        }
        Output::Stdout if io::stdout().is_terminal() => Err(Failure::usage_with_help(
            format!("{} is not for a terminal", format.noun()),
            "-o - | another program, or -o FILE",
        )),
        Output::Stdout | Output::Files { .. } => Ok(format),
    }
}

fn plan(args: &ViewArgs, format: Format, file: &Path) -> Result<Plan, Failure> {
    let mut diagnostics = Diagnostics::default();
    let character = load_character(file, &args.read_options(), &mut diagnostics).map_err(Failure::reading)?;
    if !args.quiet {
        tell_warnings(&diagnostics, file);
    }
    let model = character.model();
    let animations = choose::animations(model, &args.show.animations)?;
    let skins = choose::skins(model, &args.show.skins)?;
    if args.show.fps.is_some() && animations.iter().any(|&id| !model.animation(id).is_keyed()) {
        let message = "--fps is for motion that has keys, here frames are stored";
        return Err(Failure::usage_with_help(message, "--speed says how fast they are played"));
    }
    let mut pictures = pictures(args, format, model, &animations)?;
    pictures.iter_mut().for_each(|picture| picture.cue.skins.clone_from(&skins));
    let cues: Vec<Cue> = pictures.iter().map(|picture| picture.cue.clone()).collect();
    let rect = args.output.fit.rect(&character, &animations, &cues);
    let view =
        choose_view(rect, args.output.size, args.output.scale, args.output.padding).map_err(Failure::reading)?;
    check_memory(args, &view, model)?;
    let is_seen = |cue: &Cue| !bounds_of(&character, [cue.clone()]).is_empty();
    if !args.quiet && !cues.is_empty() && !cues.iter().any(is_seen) {
        let may_help = if skins.is_empty() && model.skins().len() > 1 {
            let names = model.skins().iter().map(|skin| &*skin.name).filter(|name| *name != "default").take(3);
            let names: Vec<String> = names.map(|name| format!("`{}`", shown(name))).collect();
            format!("; --skin NAME puts on one of its {} skins, such as {}", model.skins().len(), names.join(", "))
        } else {
            String::new()
        };
        note(&format!("{}: nothing is visible in the chosen frames{may_help}", file.display()));
    }
    let name = if is_stdio(file) { STDIN.into() } else { file.file_stem().unwrap_or_default().to_string_lossy() };
    Ok(Plan {
        file: file.to_owned(),
        name: name.into_owned(),
        character,
        diagnostics,
        view,
        pictures,
        backend: "none".to_owned(),
    })
}

/// Gives every picture its path.
fn name_pictures(args: &ViewArgs, plans: &mut [Plan], text: &str, template: &Template) -> Result<(), Failure> {
    let values: Vec<Values<'_>> = plans
        .iter()
        .flat_map(|plan| plan.pictures.iter().map(move |picture| (plan, picture)))
        .enumerate()
        .map(|(index, (plan, picture))| {
            let animation = picture.animation.map_or("bind", |id| &plan.character.model().animation(id).name);
            Values { name: &plan.name, animation, index, frame: picture.frame }
        })
        .collect();
    let paths = output::paths(text, template, &values, &args.files, args.output.force)?;
    let pictures = plans.iter_mut().flat_map(|plan| &mut plan.pictures);
    pictures.zip(paths).for_each(|(picture, path)| picture.path = Some(path.into()));
    Ok(())
}

/// Bytes that a picture takes while it is drawn: enlarged, or once a sample, and one for each pixel's clip mask.
fn picture_bytes(args: &ViewArgs, view: &View, model: &Model) -> u64 {
    let antialias = settings(args).antialias;
    let planes = match antialias {
        Antialias::None => 1,
        Antialias::Msaa4 => 1 + u64::from(antialias.samples()),
        Antialias::Ssaa2 | Antialias::Ssaa4 => u64::from(antialias.supersampling()).pow(2),
    };
    let masks = if model.has_clip_masks() { u64::from(antialias.supersampling()).pow(2) } else { 0 };
    u64::from(view.width()) * u64::from(view.height()) * (4 * planes + masks)
}

/// Refuses a picture that takes more memory than allowed while it is drawn, and one that only the file
/// made larger than all its images may be.
fn check_memory(args: &ViewArgs, view: &View, model: &Model) -> Result<(), Failure> {
    let limits = args.read.options().limits;
    let pixels = u64::from(view.width()) * u64::from(view.height());
    let is_implied = args.output.size == Size::Native && !matches!(args.output.fit, Fit::Rect(_));
    if is_implied && pixels > limits.pixels {
        let place = Place { path: "the picture".to_owned(), ..Place::default() };
        let excess = Excess { place, limit: "pixels", asked: pixels, allowed: limits.pixels };
        return Err(Failure::Input(Error::LimitExceeded(Box::new(excess))));
    }
    let asked = picture_bytes(args, view, model);
    if asked <= limits.memory_bytes {
        return Ok(());
    }
    let message = format!(
        "a picture of {}×{} takes {asked} bytes to draw, the limit `memory-bytes` allows {}",
        view.width(),
        view.height(),
        limits.memory_bytes
    );
    Err(Failure::usage_with_help(message, "a smaller --size, another --antialias, or --limit memory-bytes=VALUE"))
}

/// More would be planned for longer than anybody waits, and a file of a few bytes can hold billions of frames.
const MAX_PICTURES: usize = 1_000_000;
/// More threads than any picture is worth.
const MAX_JOBS: usize = 64;

/// Every picture that is asked for; the bind pose where the file has no animation at all.
fn pictures(
    args: &ViewArgs,
    format: Format,
    model: &Model,
    animations: &[AnimationId],
) -> Result<Vec<Planned>, Failure> {
    if animations.is_empty() {
        if args.show.frames.as_ref().is_some_and(|frames| frames.resolve(1) != Ok(vec![0])) {
            return Err(Failure::usage("the file has no animation, only its bind pose can be shown"));
        }
        return Ok(vec![Planned { animation: None, frame: 0, cue: Cue::default(), path: None }]);
    }
    let mut pictures = Vec::new();
    for &id in animations {
        let animation = model.animation(id);
        let picture = |frame, position, interpolate| Planned {
            animation: Some(id),
            frame,
            cue: Cue { animation: Some(id), position, interpolate, ..Cue::default() },
            path: None,
        };
        if let Some(seconds) = args.show.time {
            let position = Position::Seconds(seconds);
            let frame = position.resolve(animation).map_or(0, |instant| instant.frame);
            pictures.push(picture(frame, position, true));
            continue;
        }
        let usual = if format.takes_all_frames() { FrameSpec::All } else { FrameSpec::default() };
        let frames = args.show.frames.clone().unwrap_or_else(|| usual.clone());
        if animation.frame_count == 0 && frames == usual {
            // Nothing is stored, so it shows the bind pose.
            pictures.push(picture(0, Position::frame(0), false));
            continue;
        }
        let chosen = frames.resolve(animation.frame_count).map_err(|frame| {
            let (name, count) = (&animation.name, animation.frame_count);
            Failure::usage(format!("frame {frame} does not exist, `{name}` has {count}, counted from 0"))
        })?;
        let interpolate = args.show.interpolate;
        pictures.extend(chosen.into_iter().map(|frame| picture(frame, Position::frame(frame), interpolate)));
        if pictures.len() > MAX_PICTURES {
            let message = format!("more than {MAX_PICTURES} pictures are too many for one run");
            return Err(Failure::usage_with_help(message, "choose fewer with -a and -f"));
        }
    }
    Ok(pictures)
}

fn settings(args: &ViewArgs) -> Settings {
    Settings {
        filter: args.rendering.filter.into(),
        antialias: args.rendering.antialias.map_or_else(Default::default, Into::into),
    }
}

fn surface(args: &ViewArgs) -> Surface {
    Surface { background: args.output.background.unwrap_or_default(), alpha: args.output.alpha.into() }
}

pub fn engine(args: &ViewArgs, plan: &Plan) -> Result<ChosenEngine, Failure> {
    let rendering = &args.rendering;
    let antialias = settings(args).antialias;
    let adapter = rendering.adapter.as_deref();
    ChosenEngine::new(rendering.backend, adapter, plan.character.model(), &plan.view, antialias, args.quiet)
}

pub fn sequence<'a>(args: &ViewArgs, plan: &'a Plan, jobs: usize, cancelled: &'a AtomicBool) -> Sequence<'a> {
    Sequence {
        character: &plan.character,
        view: plan.view,
        settings: settings(args),
        surface: surface(args),
        overwrite: args.output.force,
        jobs,
        cancelled,
    }
}

fn to_stdout(args: &ViewArgs, plans: &[Plan]) -> Result<(), Failure> {
    for plan in plans {
        for picture in &plan.pictures {
            let cancelled = AtomicBool::new(false);
            let mut engine = engine(args, plan)?;
            let picture = sequence(args, plan, 1, &cancelled).picture(engine.engine(), picture.cue.clone());
            let picture = picture.map_err(Failure::exporting)?;
            let mut png = Vec::new();
            let stdout = |error| Failure::Output(Error::io("stdout", error));
            write_png(&picture, &mut png).map_err(stdout)?;
            print_bytes(&png)?;
        }
    }
    Ok(())
}

/// Renders every plan.
fn to_files(args: &ViewArgs, plans: &mut [Plan], count: usize) -> Result<(), Failure> {
    let cancelled = interrupt::flag();
    let progress = progress_bar(args, count);
    for plan in plans {
        let mut engine = engine(args, plan)?;
        let jobs = jobs(args, plan, 1);
        let shots: Vec<Shot> = plan
            .pictures
            .iter()
            .filter_map(|picture| {
                Some(Shot { cue: picture.cue.clone(), path: picture.path.as_deref()?.to_owned() })
            })
            .collect();
        // Who asked for a driver by name wants its pictures or an error.
        let may_fall_back = args.rendering.backend == Backend::Auto && args.rendering.adapter.is_none();
        let tell = |error: &ExportError| {
            if !args.quiet {
                note(&format!("the rest is drawn by the CPU renderer: {}", with_sources(error)));
            }
        };
        let on_loss: Option<&dyn Fn(&ExportError)> = if may_fall_back { Some(&tell) } else { None };
        let sequence = sequence(args, plan, jobs, &cancelled);
        let finished = engine.write(&sequence, &shots, &|_| progress.inc(1), on_loss);
        plan.backend = engine.name();
        if !finished.map_err(Failure::exporting)? {
            return Err(Failure::Interrupted);
        }
    }
    progress.finish_and_clear();
    Ok(())
}

/// How many pictures are worked on at once: as many as fit into the memory that one may take, where each
/// is held `copies` times.
pub fn jobs(args: &ViewArgs, plan: &Plan, copies: u64) -> usize {
    let cores = || std::thread::available_parallelism().map_or(1, usize::from);
    let wanted = if args.output.jobs == 0 { cores() } else { args.output.jobs.min(MAX_JOBS) };
    let bytes = picture_bytes(args, &plan.view, plan.character.model());
    let fitting = args.read.options().limits.memory_bytes / (bytes * copies).max(1);
    wanted.min(usize::try_from(fitting).unwrap_or(usize::MAX)).max(1)
}

pub fn progress_bar(args: &ViewArgs, count: usize) -> ProgressBar {
    let is_dumb = std::env::var_os("TERM").is_some_and(|terminal| terminal == "dumb");
    let wanted = args.progress == Progress::Auto && !args.quiet && count > 1 && !is_dumb;
    let target = if wanted { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
    let bar = ProgressBar::with_draw_target(Some(count as u64), target);
    let style = ProgressStyle::with_template("{bar:32} {pos}/{len} pictures, {per_sec}, {eta} left");
    bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}

/// `index` counts the pictures of a run.
fn summary(plan: &Plan, index: &mut impl Iterator<Item = usize>) -> Render {
    let model = plan.character.model();
    let frames = plan.pictures.iter().zip(index).map(|(picture, index)| {
        let animation = picture.animation.map(|id| model.animation(id));
        let seconds =
            animation.filter(|animation| animation.fps > 0.0).map(|animation| match picture.cue.position {
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
