//! The files of a run. All are read and planned before the first picture is drawn, so that an invalid file prevents
//! the whole run.
//!
//! Memory does not grow with the number of files: only the first characters are kept until they are drawn. The others
//! are read again when it is their turn. If one has changed since, that is an error, because the outputs were checked
//! for its earlier content.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use super::args::ViewArgs;
use super::loaded::Loaded;
use super::summary::Render;
use super::{contact, nothing_visible};
use crate::shared::failure::{Failure, warn};
use crate::shared::files::Target;
use crate::shared::keep_going::Failures;
use crate::shared::stdio::is_stdio;
use pchr::Error;
use pchr::diagnostics::Warning;
use pchr::export::{Naming, PlannedFile, RenderOptions, Template, input_name};
use pchr::formats::is_pipe_or_device;

/// Maximum size of the characters that are kept, as estimated by [`size_of`].
const MAX_KEPT_BYTES: u64 = 128 << 20;

/// A file of a run.
pub struct Job {
    /// Its number among all files, also those that cannot be opened.
    pub target: usize,
    pub file: PathBuf,
    /// Value of `{name}` in output paths.
    pub name: String,
    /// Value of `{path}`.
    pub path: String,
    /// Files from which the character was read.
    pub sources: Vec<PathBuf>,
    /// Numbers of its first file and its first picture.
    pub first: First,
    /// Number of pictures.
    pub pictures: usize,
    /// Output files; empty if nothing is written.
    pub files: Vec<PlannedFile>,
    /// By output file, the values of `{animation}` and `{frame}`.
    pub labels: Vec<(Arc<str>, u32)>,
    /// What `--json` prints.
    pub render: Option<Render>,
    /// With `--fail-on-empty`, one failure for each animation that shows nothing.
    pub empty: Vec<Failure>,
    /// Whether rendering or writing failed.
    pub is_failed: bool,
    /// The character, if it is kept until it is drawn.
    kept: Option<Loaded>,
    /// State of the file before it was read: it may change as soon as it has been.
    before: State,
    /// By source, its state when it was read; empty if the character is kept in any case.
    states: Vec<State>,
}

impl Job {
    /// Finds the animations that show nothing: failures with `--fail-on-empty`, otherwise a warning if that are all of
    /// them.
    pub fn judge_empty(&mut self, args: &ViewArgs, options: &RenderOptions, loaded: &Loaded, is_drawn: bool) {
        let empty = nothing_visible::animations(options, loaded, is_drawn);
        if args.many.fail_on_empty {
            self.empty = nothing_visible::failures(loaded, &empty, options.output.path.is_some());
        } else if let Some(fault) = nothing_visible::warning(loaded, &empty) {
            if !args.quiet {
                warn(&fault);
            }
            if let Some(render) = &mut self.render {
                render.warnings.push(Warning { code: fault.code, message: fault.to_string() });
            }
        }
    }
}

/// Size and time of change of a file; `None` if it does not exist.
type State = Option<(u64, Option<SystemTime>)>;

/// Numbers of the first file and the first picture of a job.
#[derive(Debug, Clone, Copy, Default)]
pub struct First {
    pub file: usize,
    pub picture: usize,
}

/// Reads and plans the files of a run in order.
pub struct Planner<'a> {
    args: &'a ViewArgs,
    pub options: &'a RenderOptions,
    /// Template of the output paths. If it is invalid, that is reported once all files are planned.
    template: Option<Template>,
    /// Whether there is only one file.
    is_sole: bool,
    /// By target, the options for its share of one contact sheet; `None` if they do not share one.
    shares: Option<Vec<RenderOptions>>,
    next: First,
    kept_bytes: u64,
}

impl<'a> Planner<'a> {
    /// Prepares a run over `targets`.
    pub fn new(args: &'a ViewArgs, options: &'a RenderOptions, targets: &[Target]) -> Result<Self, Failure> {
        let (template, is_sole) = (options.template().ok().flatten(), targets.len() == 1);
        let is_shared = contact::is_shared(options, targets);
        let shares = is_shared.then(|| contact::shares(options, targets)).transpose()?;
        Ok(Self { args, options, template, is_sole, shares, next: First::default(), kept_bytes: 0 })
    }

    /// Returns the options for a character.
    pub fn options_of(&self, target: usize) -> &RenderOptions {
        self.shares.as_ref().and_then(|shares| shares.get(target)).unwrap_or(self.options)
    }

    /// Returns true if all characters share one contact sheet.
    pub fn shares_sheet(&self) -> bool {
        self.shares.is_some()
    }

    /// Reads, plans and names all files. `add` is called for each character, before it is kept or dropped.
    pub fn plan_all(
        &mut self,
        targets: &[Target],
        failures: &mut Failures,
        sources: &mut Vec<PathBuf>,
        mut add: impl FnMut(&mut Job, &Loaded),
    ) -> Result<Vec<Job>, Failure> {
        let mut jobs = Vec::new();
        for (number, target) in targets.iter().enumerate() {
            let Some((mut job, loaded)) = self.plan(number, target, failures, sources)? else { continue };
            add(&mut job, &loaded);
            self.keep(&mut job, loaded);
            jobs.push(job);
        }
        Ok(jobs)
    }

    /// Does `draw` for each job, with its number and its character, then finds the animations that showed nothing.
    pub fn draw_all(
        &self,
        jobs: &mut [Job],
        failures: &mut Failures,
        mut draw: impl FnMut(usize, &mut Job, &Loaded) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        for (number, job) in jobs.iter_mut().enumerate() {
            let file = job.file.clone();
            let drawn = failures.attempt(&file, || {
                let loaded = self.open(job)?;
                draw(number, job, &loaded)?;
                Ok(loaded)
            })?;
            match drawn {
                Some(loaded) => job.judge_empty(self.args, self.options_of(job.target), &loaded, true),
                None => job.is_failed = true,
            }
        }
        Ok(())
    }

    /// Reads, plans and names one file. Returns `None` if that failed and the run continues. The files that were read
    /// are added to `sources`, even if reading failed.
    fn plan(
        &mut self,
        number: usize,
        target: &Target,
        failures: &mut Failures,
        sources: &mut Vec<PathBuf>,
    ) -> Result<Option<(Job, Loaded)>, Failure> {
        let file = &target.path;
        let (mut read, before) = (Vec::new(), state_of(file));
        let load = || {
            target.check().map_err(Failure::Input)?;
            let options = self.options_of(number);
            let loaded = Loaded::new(self.args, options, file, &mut read, self.args.quiet);
            loaded.map_err(|failure| failure.in_file(file))
        };
        let loaded = failures.attempt(file, load);
        sources.extend(read.iter().cloned());
        let Some(mut loaded) = loaded? else { return Ok(None) };
        let (name, path, first) = (input_name(file), target.path_value(), self.next);
        let files = self.name(&mut loaded, &name, &path, first);
        let pictures = loaded.plan.pictures.len();
        self.next = First { file: first.file + files.len(), picture: first.picture + pictures };
        let job = Job {
            target: number,
            file: file.clone(),
            name,
            path,
            sources: read,
            first,
            pictures,
            labels: self.labels(&loaded, &files),
            files,
            render: None,
            empty: Vec::new(),
            is_failed: false,
            kept: None,
            before,
            states: Vec::new(),
        };
        Ok(Some((job, loaded)))
    }

    /// Assigns every picture its file, if anything is written.
    fn name(&self, loaded: &mut Loaded, name: &str, path: &str, first: First) -> Vec<PlannedFile> {
        if self.options.output.path.is_none() {
            return Vec::new();
        }
        let naming = Naming { name, path, first_index: first.file };
        loaded.plan.name_files(self.options, loaded.character.model(), self.template.as_ref(), naming)
    }

    fn labels(&self, loaded: &Loaded, files: &[PlannedFile]) -> Vec<(Arc<str>, u32)> {
        let mut last: Arc<str> = "".into();
        let label = |file: &PlannedFile| {
            let first = &loaded.plan.pictures[file.pictures.start];
            let animation = first.animation_name(loaded.character.model());
            if *last != *animation {
                last = animation.into();
            }
            (Arc::clone(&last), if self.options.takes_all_frames() { 0 } else { first.frame })
        };
        files.iter().map(label).collect()
    }

    /// Keeps a character in memory, if there is room or if it cannot be read again.
    fn keep(&mut self, job: &mut Job, loaded: Loaded) {
        let can_be_read_again = !self.is_sole && !job.sources.iter().any(|source| is_pipe_or_device(source));
        if can_be_read_again && !is_stdio(&job.file) {
            let state = |source: &PathBuf| if *source == job.file { job.before } else { state_of(source) };
            job.states = job.sources.iter().map(state).collect();
            let bytes = self.kept_bytes.saturating_add(size_of(&loaded, &job.states));
            if bytes > MAX_KEPT_BYTES {
                return;
            }
            self.kept_bytes = bytes;
        }
        job.kept = Some(loaded);
    }

    /// Returns the character of a job, which is read again unless it was kept.
    fn open(&self, job: &mut Job) -> Result<Loaded, Failure> {
        if let Some(kept) = job.kept.take() {
            return Ok(kept);
        }
        let changed = || {
            let message = "the file, or one that it refers to, has changed since it was checked; render it again";
            Failure::Input(Error::io(job.file.display(), io::Error::other(message)))
        };
        let is_unchanged = |sources: &[PathBuf]| {
            sources == job.sources
                && sources.iter().zip(&job.states).all(|(source, state)| state_of(source) == *state)
        };
        if !is_unchanged(&job.sources) {
            return Err(changed());
        }
        let mut sources = Vec::new();
        // The warnings have been printed before.
        let options = self.options_of(job.target);
        let loaded = Loaded::new(self.args, options, &job.file, &mut sources, true);
        let mut loaded = loaded.map_err(|failure| failure.in_file(&job.file))?;
        // Its state may be the same after a change that was quick enough.
        if !is_unchanged(&sources) || self.name(&mut loaded, &job.name, &job.path, job.first) != job.files {
            return Err(changed());
        }
        Ok(loaded)
    }
}

fn state_of(file: &Path) -> State {
    fs::metadata(file).ok().map(|found| (found.len(), found.modified().ok()))
}

/// Estimates the memory of a character: its decoded images, and the content of its files.
fn size_of(loaded: &Loaded, states: &[State]) -> u64 {
    let pages = loaded.character.model().pages().iter().map(|page| page.pixels.len() as u64);
    let files = states.iter().flatten().map(|(len, _)| *len);
    pages.chain(files).fold(0, u64::saturating_add)
}
