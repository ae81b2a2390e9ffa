//! `pchr-view -o hero.json`: one sprite sheet for each file, or for each animation where the path names it.
//!
//! What is written the path says: `.json` is Aseprite's JSON with PNGs beside it, `.sprsh` both in one file, `.png`
//! the picture with the JSON inside. Pages after the first get a number.

mod args;
pub mod convert;

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Seek, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::engine::ChosenEngine;
use super::failure::{Failure, note, with_sources};
use super::headless::{self, Plan};
use super::interrupt;
use super::output::{self, Output};
use super::stdio::print_bytes;
use super::view::ViewArgs;
use crate::error::Error;
use crate::export::{
    Destination, Drawing, ExportError, OutputFile, OutputFolder, Planned, RenderOptions, Sequence, SheetClip,
    SheetFiles, SheetOptions, SheetPlan, Template, Values, describe_sheet,
};
use crate::formats::sheet::{Sheet, header};
use crate::math::Vec2;
use crate::motion::Cue;

pub use args::SheetArgs;

/// One sheet: some pictures of one plan.
struct Job {
    plan: usize,
    pictures: Range<usize>,
    /// `None` for stdout.
    path: Option<PathBuf>,
}

/// What a path asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Json,
    Packed,
    Png,
}

impl Kind {
    fn of(path: &Path) -> Result<Self, Failure> {
        let extension = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
        match &*extension {
            "json" => Ok(Self::Json),
            "sprsh" => Ok(Self::Packed),
            "png" => Ok(Self::Png),
            _ => Err(Failure::usage_with_help(
                format!("`{}` does not say what kind of sheet to write", path.display()),
                "end the path in .json (with a PNG beside it), .sprsh (both in one file) or .png",
            )),
        }
    }
}

/// Writes the pictures of `plans` as sheets.
pub fn write(args: &ViewArgs, render: &RenderOptions, plans: &mut [Plan], output: &Output) -> Result<(), Failure> {
    let options = args.sheet.options();
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
    let cancelled = interrupt::flag();
    let count = plans.iter().map(|plan| plan.pictures.len()).sum::<usize>();
    let progress = headless::progress_bar(args, count * if options.looks_first() { 2 } else { 1 });
    let mut drawing: Option<(usize, ChosenEngine)> = None;
    for job in &jobs {
        let plan = &plans[job.plan];
        // One engine draws every sheet of a character.
        let mut engine = match drawing.take() {
            Some((of, engine)) if of == job.plan => engine,
            _ => headless::engine(render, plan, args.quiet)?,
        };
        let is_finished = Artist {
            args,
            render,
            options: &options,
            plan,
            job,
            sequence: headless::sequence(
                render,
                plan,
                render.jobs_for(&plan.view, plan.character.model(), 3),
                &cancelled,
            ),
            cues: plan.pictures[job.pictures.clone()].iter().map(|picture| picture.cue.clone()).collect(),
            worked: &|| progress.inc(1),
        }
        .write(&mut engine)?;
        plans[job.plan].backend = engine.name();
        drawing = Some((job.plan, engine));
        if !is_finished {
            return Err(Failure::Interrupted);
        }
    }
    progress.finish_and_clear();
    Ok(())
}

/// What belongs into one sheet: everything of a file, or the neighbouring pictures of an animation.
fn jobs(plans: &[Plan], by_animation: bool) -> Vec<Job> {
    let mut jobs = Vec::new();
    for (plan, Plan { pictures, .. }) in plans.iter().enumerate() {
        let mut start = 0;
        for pictures in pictures.chunk_by(|a, b| !by_animation || a.animation == b.animation) {
            jobs.push(Job { plan, pictures: start..start + pictures.len(), path: None });
            start += pictures.len();
        }
    }
    jobs
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
    let paths = output::paths(text, template, &values.collect::<Vec<_>>(), &args.files, args.output.force)?;
    for (job, path) in jobs.iter_mut().zip(paths) {
        // Before anything is drawn.
        let kind = Kind::of(&path)?;
        if kind == Kind::Json && !args.output.force {
            crate::export::check_free(&path.with_extension("png")).map_err(Failure::Output)?;
        }
        let shared: Arc<Path> = path.clone().into();
        for picture in &mut plans[job.plan].pictures[job.pictures.clone()] {
            picture.path = Some(Arc::clone(&shared));
        }
        job.path = Some(path);
    }
    Ok(())
}

/// Everything that one sheet is made of.
struct Artist<'a> {
    args: &'a ViewArgs,
    render: &'a RenderOptions,
    options: &'a SheetOptions,
    plan: &'a Plan,
    job: &'a Job,
    sequence: Sequence<'a>,
    cues: Vec<Cue>,
    worked: &'a (dyn Fn() + Sync),
}

impl Artist<'_> {
    /// False when it was cancelled.
    fn write(&self, engine: &mut ChosenEngine) -> Result<bool, Failure> {
        let mut tell = |error: &ExportError| {
            if !self.args.quiet {
                note(&format!("the rest is drawn by the CPU renderer: {}", with_sources(error)));
            }
        };
        let on_loss: Option<&mut dyn FnMut(&ExportError)> =
            if headless::may_fall_back(self.render) { Some(&mut tell) } else { None };
        engine.draw(&self.sequence, on_loss, |drawing| self.draw(drawing))
    }

    fn draw(&self, drawing: &mut Drawing<'_>) -> Result<bool, Failure> {
        let place = self.job.path.as_deref().map_or_else(|| "stdout".into(), |path| path.display().to_string());
        let planned = self.sequence.plan_sheet(drawing, &self.cues, self.options, &place, self.worked);
        let Some(plan) = planned.map_err(Failure::exporting)? else { return Ok(false) };
        let Some(path) = &self.job.path else {
            one_page(&plan, "stdout takes")?;
            let sheet = self.describe(&plan, "sheet", &[["sheet.png".to_owned(), "sheet.png".to_owned()]])?;
            let mut png = Vec::new();
            let is_finished = self.page(drawing, &plan, 0, Some(&sheet.json(0)), &place, &mut png)?;
            return if is_finished { print_bytes(&png).map(|()| true) } else { Ok(false) };
        };
        let title = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let kind = Kind::of(path)?;
        let name = |page: usize, extension: &str| match page {
            0 => format!("{title}.{extension}"),
            page => format!("{title}-{page}.{extension}"),
        };
        let own_name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let names: Vec<[String; 2]> = (0..plan.pages.len())
            .map(|page| match kind {
                Kind::Json if page == 0 => [name(0, "png"), own_name.clone()],
                Kind::Json => [name(page, "png"), name(page, "json")],
                Kind::Packed => [name(page, "png"), own_name.clone()],
                Kind::Png if page == 0 => [own_name.clone(), own_name.clone()],
                Kind::Png => [name(page, "png"), name(page, "png")],
            })
            .collect();
        if kind == Kind::Packed {
            one_page(&plan, "a .sprsh holds")?;
        }
        let sheet = self.describe(&plan, &title, &names)?;
        match kind {
            Kind::Packed => self.packed(drawing, &plan, &sheet, path),
            Kind::Png if names.len() == 1 => {
                let mut file = OutputFile::create(path, self.args.output.force).map_err(Failure::Output)?;
                let is_finished = self.page(drawing, &plan, 0, Some(&sheet.json(0)), &place, &mut file)?;
                if is_finished {
                    file.finish().map_err(Failure::Output)?;
                }
                Ok(is_finished)
            }
            Kind::Json | Kind::Png => self.folder(drawing, &plan, &sheet, path, kind),
        }
    }

    /// Pictures, and after them the JSON that names them.
    fn folder(
        &self,
        drawing: &mut Drawing<'_>,
        plan: &SheetPlan,
        sheet: &Sheet,
        path: &Path,
        kind: Kind,
    ) -> Result<bool, Failure> {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let mut out = OutputFolder::create(folder, self.args.output.force).map_err(Failure::Output)?;
        let texts: Vec<String> = (0..sheet.pages.len()).map(|page| sheet.json(page)).collect();
        let files = || sheet.pages.iter().flat_map(|page| [page.image.as_str(), page.file.as_str()]);
        out.check_free(files()).map_err(Failure::Output)?;
        for (page, text) in texts.iter().enumerate() {
            let inside = (kind == Kind::Png).then_some(text.as_str());
            let name = &sheet.pages[page].image;
            let place = folder.join(name).display().to_string();
            let mut drawn = Ok(true);
            let written = out.write(name, |file| {
                drawn = self.page(drawing, plan, page, inside, &place, file);
                match &drawn {
                    Ok(_) => Ok(()),
                    Err(_) => Err(io::ErrorKind::Other.into()),
                }
            });
            if !drawn? {
                return Ok(false);
            }
            written.map_err(Failure::Output)?;
        }
        if kind == Kind::Json {
            // That of the first page names the others, and comes last.
            for (page, text) in sheet.pages.iter().zip(&texts).rev() {
                out.write(&page.file, |file| file.write_all(text.as_bytes())).map_err(Failure::Output)?;
            }
        }
        out.finish().map_err(Failure::Output)?;
        Ok(true)
    }

    /// The file begins with the length of the picture, which waits in a temporary file until that is known.
    fn packed(
        &self,
        drawing: &mut Drawing<'_>,
        plan: &SheetPlan,
        sheet: &Sheet,
        path: &Path,
    ) -> Result<bool, Failure> {
        let place = path.display().to_string();
        let failed = |error| Failure::Output(Error::io(&place, error));
        let mut file = OutputFile::create(path, self.args.output.force).map_err(Failure::Output)?;
        let temporary = |error| Failure::Output(Error::io(std::env::temp_dir().display(), error));
        let mut spool: BufWriter<File> = BufWriter::new(tempfile::tempfile().map_err(temporary)?);
        if !self.page(drawing, plan, 0, None, &place, &mut spool)? {
            return Ok(false);
        }
        let mut picture = spool.into_inner().map_err(|error| failed(error.into_error()))?;
        let length = picture.stream_position().map_err(failed)?;
        picture.rewind().map_err(failed)?;
        let head = header(sheet.json(0).as_bytes(), length);
        file.write_all(&head.map_err(Failure::Output)?).map_err(failed)?;
        io::copy(&mut BufReader::new(picture), &mut file).map_err(failed)?;
        file.finish().map_err(Failure::Output)?;
        Ok(true)
    }

    fn page(
        &self,
        drawing: &mut Drawing<'_>,
        plan: &SheetPlan,
        page: usize,
        text: Option<&str>,
        place: &str,
        out: &mut (dyn Write + Send),
    ) -> Result<bool, Failure> {
        let destination = Destination { place, out, worked: self.worked };
        self.sequence
            .write_sheet_page(drawing, &self.cues, plan, page, text, destination)
            .map_err(Failure::exporting)
    }

    fn describe(&self, plan: &SheetPlan, title: &str, pages: &[[String; 2]]) -> Result<Sheet, Failure> {
        let clips = self.clips();
        let view = &self.plan.view;
        let origin = (view.pixel_from_world(Vec2::ZERO) + 0.5).floor();
        let canvas = [view.width(), view.height()];
        let files = SheetFiles { title, pages };
        describe_sheet(plan, self.options, &clips, canvas, [origin.x as i32, origin.y as i32], files)
            .map_err(Failure::reading)
    }

    /// Neighbouring pictures of one animation are one clip.
    fn clips(&self) -> Vec<SheetClip<'_>> {
        let model = self.plan.character.model();
        let mut start = 0;
        let pictures = &self.plan.pictures[self.job.pictures.clone()];
        let clip = |pictures: &[Planned]| {
            let frames = start..start + pictures.len();
            start = frames.end;
            let animation = pictures.first().and_then(|picture| picture.animation).map(|id| model.animation(id));
            let ends = animation.is_some_and(|animation| !animation.looping);
            SheetClip {
                name: animation.map_or("bind", |animation| &animation.name),
                frames,
                shown_ms: pictures.iter().map(|picture| 1000.0 * self.render.shown_secs(model, picture)).collect(),
                plays: self.args.show.loops.map_or(u32::from(ends), u32::from),
            }
        };
        pictures.chunk_by(|a, b| a.animation == b.animation).map(clip).collect()
    }
}

fn one_page(plan: &SheetPlan, who: &str) -> Result<(), Failure> {
    match plan.pages.len() {
        1 => Ok(()),
        count => Err(Failure::usage_with_help(
            format!("{who} one picture, these frames take {count}"),
            "a larger --sheet-max-size, a smaller --size, or -o NAME.json",
        )),
    }
}
