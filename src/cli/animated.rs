//! `pchr-view -o walk.apng`: one file for each animation, which plays it.

use std::io::{self, BufWriter, Write};
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use super::engine::ChosenEngine;
use super::failure::{Failure, note, warn, with_sources};
use super::headless::{self, Plan};
use super::interrupt;
use super::keep_going::Failures;
use super::output::{self, Output};
use super::stdio::Stdout;
use super::view::ViewArgs;
use crate::error::{Error, Fault, Place};
use crate::export::{
    self, Destination, ExportError, Format, Outcome, OutputFile, RenderOptions, Template, Values,
};
use crate::motion::Cue;

/// One file: some pictures of one plan.
struct Reel {
    plan: usize,
    pictures: Range<usize>,
    /// `None` for stdout.
    path: Option<Arc<Path>>,
}

/// Writes the pictures of `plans`, those of one animation into one file.
pub fn write(
    args: &ViewArgs,
    options: &RenderOptions,
    plans: &mut [Plan],
    output: &Output,
    failures: &mut Failures,
) -> Result<(), Failure> {
    let format = options.format;
    let Some(animated) = format.animated() else { return Ok(()) };
    let mut reels = reels(plans);
    match output {
        Output::Stdout if reels.len() > 1 => {
            let message = format!("stdout takes one animation, not {}", reels.len());
            return Err(Failure::usage_with_help(message, "-o 'NAME-{animation}.EXT' writes several files"));
        }
        Output::Stdout => {}
        Output::Files { text, template } => name(args, plans, &mut reels, text, template, format)?,
    }
    let count = plans.iter().map(|plan| plan.pictures.len()).sum::<usize>();
    let progress = headless::progress_bar(args, count * animated.passes());
    let mut drawing: Option<(usize, ChosenEngine)> = None;
    for reel in &reels {
        let plan = &mut plans[reel.plan];
        if plan.is_failed {
            continue;
        }
        // One engine draws every animation of a character.
        let known = drawing.take().filter(|(of, _)| *of == reel.plan).map(|(_, engine)| engine);
        let file = plan.file.clone();
        let written = failures.attempt(&file, || {
            let mut engine = known.map_or_else(|| headless::engine(options, plan, args.quiet), Ok)?;
            let outcome = write_reel(args, options, plan, reel, &mut engine, &|| progress.inc(1));
            plan.backend = engine.name();
            Ok((outcome?, engine))
        })?;
        plan.is_failed = written.is_none();
        let Some((outcome, engine)) = written else { continue };
        drawing = Some((reel.plan, engine));
        if !outcome.is_finished {
            return Err(Failure::Interrupted);
        }
        if !args.quiet {
            tell(args, outcome, &file, reel.path.as_deref());
        }
    }
    progress.finish_and_clear();
    Ok(())
}

/// Warns of what the file does not show as it is.
fn tell(args: &ViewArgs, outcome: Outcome, input: &Path, path: Option<&Path>) {
    let place = || Place::file(path.unwrap_or(input).display());
    // Who named a matte knows.
    if outcome.has_partial_alpha && args.output.matte.is_none() {
        let message = "pixels are partly transparent, which a GIF cannot say: those that are at least half there \
                       are shown; --matte COLOUR lays them on a colour, --background COLOUR fills the picture";
        warn(&Fault { code: "partial-alpha", place: place(), message: message.to_owned() });
    }
    if outcome.is_slowed {
        let message = "it plays slower than it should: a GIF shows at most 50 frames a second; choose fewer with \
                       -f A..B:2 and --speed 0.5";
        warn(&Fault { code: "gif-too-fast", place: place(), message: message.to_owned() });
    }
}

/// Pictures of one animation that follow one another belong together.
fn reels(plans: &[Plan]) -> Vec<Reel> {
    let mut reels = Vec::new();
    for (index, plan) in plans.iter().enumerate() {
        let ranges = export::reels(&plan.pictures);
        reels.extend(ranges.into_iter().map(|pictures| Reel { plan: index, pictures, path: None }));
    }
    reels
}

/// Gives every file its path.
fn name(
    args: &ViewArgs,
    plans: &mut [Plan],
    reels: &mut [Reel],
    text: &str,
    template: &Template,
    format: Format,
) -> Result<(), Failure> {
    if template.names_frame() {
        let message = format!("{} holds every frame, so {{frame}} says nothing in its name", format.noun());
        return Err(Failure::usage_with_help(
            message,
            "{animation} tells the files apart; PNGs have one frame each",
        ));
    }
    let values = reels.iter().enumerate().map(|(index, reel)| {
        let plan = &plans[reel.plan];
        let animation = plan.pictures[reel.pictures.start].animation_name(plan.character.model());
        Values { name: &plan.name, animation, index, frame: 0 }
    });
    let sources = headless::sources(plans);
    let paths = output::paths(text, template, &values.collect::<Vec<_>>(), &sources, &args.output)?;
    for (reel, path) in reels.iter_mut().zip(paths) {
        let path: Arc<Path> = path.into();
        for picture in &mut plans[reel.plan].pictures[reel.pictures.clone()] {
            picture.path = Some(Arc::clone(&path));
        }
        reel.path = Some(path);
    }
    Ok(())
}

fn write_reel(
    args: &ViewArgs,
    options: &RenderOptions,
    plan: &Plan,
    reel: &Reel,
    engine: &mut ChosenEngine,
    worked: &(dyn Fn() + Sync),
) -> Result<Outcome, Failure> {
    let Some(path) = &reel.path else {
        let mut out = BufWriter::new(Stdout);
        let destination = Destination { place: "stdout", out: &mut out, worked };
        let outcome = draw(args, options, plan, reel, engine, destination).and_then(|outcome| {
            out.flush().map_err(|error| Error::io("stdout", error))?;
            Ok(outcome)
        });
        // What is buffered after an error goes nowhere.
        let _ = out.into_parts();
        return match outcome {
            // Who reads has heard enough.
            Err(ExportError::File(Error::Io { source, .. })) if source.kind() == io::ErrorKind::BrokenPipe => {
                // What nobody wanted to see is not empty.
                let pictures = plan.pictures.get(reel.pictures.clone()).unwrap_or_default();
                pictures.iter().for_each(|picture| plan.seen.assume(picture.animation));
                Ok(Outcome { is_finished: true, ..Outcome::default() })
            }
            other => other.map_err(|error| Failure::exporting(error).of_input(&plan.file)),
        };
    };
    let mut file = OutputFile::create(path, args.output.may_replace(path)).map_err(Failure::Output)?;
    let place = path.display().to_string();
    let destination = Destination { place: &place, out: &mut file, worked };
    let outcome = draw(args, options, plan, reel, engine, destination)
        .map_err(|error| Failure::exporting(error).of_input(&plan.file))?;
    if outcome.is_finished {
        file.finish().map_err(Failure::Output)?;
        args.output.ours.claim(path);
    }
    Ok(outcome)
}

fn draw(
    args: &ViewArgs,
    options: &RenderOptions,
    plan: &Plan,
    reel: &Reel,
    engine: &mut ChosenEngine,
    destination: Destination<'_>,
) -> Result<Outcome, ExportError> {
    let pictures = &plan.pictures[reel.pictures.clone()];
    let cues: Vec<Cue> = pictures.iter().map(|picture| picture.cue.clone()).collect();
    let animation = pictures.first().and_then(|picture| picture.animation);
    let model = plan.character.model();
    let starts = options.starts_secs(model, pictures);
    let clip = options.clip(model, animation, &cues, starts.as_deref());
    let Some(clip) = clip else { return Ok(Outcome::default()) };
    // Beside the picture that is drawn, two that are encoded may wait for their turn.
    let jobs = options.jobs_for(&plan.view, model, 3);
    let sequence = headless::sequence(options, plan, jobs, interrupt::flag());
    let mut tell = |error: &ExportError| {
        if !args.quiet {
            note(&format!("the rest is drawn by the CPU renderer: {}", with_sources(error)));
        }
    };
    let on_loss: Option<&mut dyn FnMut(&ExportError)> =
        if headless::may_fall_back(options) { Some(&mut tell) } else { None };
    engine.write_clip(&sequence, &clip, destination, on_loss)
}
