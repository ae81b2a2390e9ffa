//! A whole run with the CPU renderer, for who has a thread to spare: every file of it is there at the end, or none.

use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

use super::whole::WholeFiles;
use super::{
    Destination, Drawing, Engine, ExportError, Format, Outcome, OutputFile, Plan, RenderOptions, Sequence, Shot,
    Template, Values, check_free, first_twice, input_name, reels, source_among,
};
use crate::character::Character;
use crate::cpu;
use crate::error::{Error, shown};
use crate::model::{AnimationId, SkinId};
use crate::motion::Cue;

/// One character and everything that is written of it.
#[derive(Debug, Clone, Copy)]
pub struct Run<'a> {
    /// Who.
    pub character: &'a Character,
    /// How, and where to. The output is a path.
    pub options: &'a RenderOptions,
    /// Which animations.
    pub animations: &'a [AnimationId],
    /// In which skins.
    pub skins: &'a [SkinId],
    /// The files that it was read from: none of them is written over.
    pub sources: &'a [PathBuf],
    /// Set from elsewhere to stop within a picture.
    pub cancelled: &'a AtomicBool,
}

/// What came of a run.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Written {
    /// Every file; empty when it was cancelled.
    pub files: Vec<PathBuf>,
    /// Of all files together. `is_finished` is false when it was cancelled.
    pub outcome: Outcome,
}

/// Why nothing was written.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// Files are there already, and may not be written over.
    #[error("`{}` exists already", shown(&first.to_string_lossy()))]
    Exists {
        /// The first of them.
        first: PathBuf,
        /// How many there are.
        count: usize,
    },
    /// Anything else.
    #[error(transparent)]
    Export(#[from] ExportError),
}

impl From<Error> for RunError {
    fn from(error: Error) -> Self {
        Self::Export(error.into())
    }
}

/// One file.
struct Part {
    path: PathBuf,
    animation: Option<AnimationId>,
    cues: Vec<Cue>,
    starts_secs: Option<Vec<f64>>,
}

impl Run<'_> {
    /// Plans, renders and writes. `total` is told once how often `worked` will be called, which comes from any
    /// thread.
    pub fn write(&self, total: impl FnOnce(usize), worked: &(dyn Fn() + Sync)) -> Result<Written, RunError> {
        let Self { character, options, .. } = self;
        let plan = options.plan(character, self.animations, self.skins)?;
        let template = self.template()?;
        #[cfg(feature = "formats-all")]
        if options.format == Format::Sheet {
            return self.write_sheets(&plan, &template, total, worked);
        }
        let parts = self.parts(&plan, &template)?;
        let paths: Vec<PathBuf> = parts.iter().map(|part| part.path.clone()).collect();
        self.check(&paths)?;
        let passes = options.format.animated().map_or(1, |format| format.passes());
        total(plan.pictures.len() * passes);
        let whole = WholeFiles::begin(&paths)?;
        let mut outcome = self.render(&plan, parts, &whole, worked)?;
        // Who cancels while the last file is closed means it all the same.
        outcome.is_finished &= !self.cancelled.load(std::sync::atomic::Ordering::Relaxed);
        if !outcome.is_finished {
            return Ok(Written { files: Vec::new(), outcome });
        }
        whole.finish(&paths)?;
        Ok(Written { files: paths, outcome })
    }

    /// What the files are called.
    fn template(&self) -> Result<Template, RunError> {
        let options = self.options;
        let output = options.output.as_deref().unwrap_or_default();
        Format::of_path(output, Some(options.format))
            .map_err(|error| Error::misuse("other-format", error.to_string()))?;
        #[cfg(not(feature = "formats-all"))]
        if options.format == Format::Sheet {
            let message = "sprite sheets are written with the feature `formats-all`";
            return Err(Error::misuse("no-sheets", message).into());
        }
        let template: Template = output.parse().map_err(|error| Error::misuse("template", format!("{error}")))?;
        if options.format.takes_all_frames() && template.names_frame() {
            let noun = options.format.noun();
            let message = format!("{noun} holds every frame, so {{frame}} says nothing in its name");
            return Err(Error::misuse("frame-in-name", message).into());
        }
        Ok(template)
    }

    /// What goes into which file.
    fn parts(&self, plan: &Plan, template: &Template) -> Result<Vec<Part>, RunError> {
        let Self { character, options, .. } = self;
        let is_animated = options.format.animated().is_some();
        let name = options.files.first().map(|file| input_name(file)).unwrap_or_default();
        let pictures = &plan.pictures;
        let ranges =
            if is_animated { reels(pictures) } else { (0..pictures.len()).map(|at| at..at + 1).collect() };
        if ranges.is_empty() {
            let message = "no frame is chosen, so there is nothing to write";
            return Err(Error::misuse("nothing-to-write", message).into());
        }
        let part = |(index, range): (usize, std::ops::Range<usize>)| {
            let first = &pictures[range.start];
            let frame = if is_animated { 0 } else { first.frame };
            let animation = first.animation_name(character.model());
            let path = template.fill(Values { name: &name, animation, index, frame });
            let starts_secs = options.starts_secs(character.model(), &pictures[range.clone()]);
            let cues = pictures[range].iter().map(|picture| picture.cue.clone()).collect();
            Part { path, animation: first.animation, cues, starts_secs }
        };
        Ok(ranges.into_iter().enumerate().map(part).collect())
    }

    /// Refuses two pictures in one file, one in the place of the character, and files that are there already.
    pub(super) fn check(&self, paths: &[PathBuf]) -> Result<(), RunError> {
        if let Some(twice) = first_twice(paths) {
            let message = format!(
                "several pictures would be written to `{}`; {{frame:04}} and {{animation}} in its name tell them apart",
                twice.display()
            );
            return Err(Error::misuse("same-file", message).into());
        }
        if let Some(source) = source_among(paths, self.sources) {
            let message =
                format!("`{}` is what the character is read from, and not written over", source.display());
            return Err(Error::misuse("input-as-output", message).into());
        }
        if self.options.force {
            return Ok(());
        }
        let mut there = paths.iter().filter(|path| check_free(path).is_err());
        match there.next() {
            Some(first) => Err(RunError::Exists { first: first.clone(), count: 1 + there.count() }),
            None => Ok(()),
        }
    }

    /// How pictures are drawn, each of which is held `copies` times.
    pub(super) fn sequence(&self, plan: &Plan, copies: u64) -> Sequence<'_> {
        let Self { character, options, cancelled, .. } = *self;
        Sequence {
            character,
            view: plan.view,
            settings: options.settings(&plan.view),
            surface: options.surface(),
            physics: options.physics,
            bones: options.bones,
            overwrite: options.force,
            jobs: options.jobs_for(&plan.view, character.model(), copies),
            work: options.read.limits.work,
            seen: None,
            cancelled,
        }
    }

    fn render(
        &self,
        plan: &Plan,
        parts: Vec<Part>,
        whole: &WholeFiles,
        worked: &(dyn Fn() + Sync),
    ) -> Result<Outcome, RunError> {
        let Self { character, options, .. } = *self;
        // The plan has checked the memory that pictures take.
        let renderer = cpu::Renderer::new(character.model()).with_max_bytes(u64::MAX);
        // Beside the picture that is drawn, two that are encoded may wait for their turn.
        let sequence = self.sequence(plan, if options.format.animated().is_some() { 3 } else { 1 });
        if options.format.animated().is_none() {
            let shot = |part: Part| part.cues.into_iter().map(move |cue| Shot { cue, path: part.path.clone() });
            let shots: Vec<Shot> = parts.into_iter().flat_map(shot).collect();
            let is_finished = sequence.write_into(Engine::Cpu(&renderer), &shots, whole, worked)?;
            return Ok(Outcome { is_finished, ..Outcome::default() });
        }
        let mut sum = Outcome { is_finished: true, ..Outcome::default() };
        for part in &parts {
            let starts = part.starts_secs.as_deref();
            let clip = options.clip(character.model(), part.animation, &part.cues, starts);
            let Some(clip) = clip else { continue };
            let mut file = OutputFile::create(&part.path, options.force)?;
            let place = part.path.display().to_string();
            let destination = Destination { place: &place, out: &mut file, worked };
            let mut drawing = Drawing::new(Engine::Cpu(&renderer), None);
            let outcome = sequence.write_clip(&mut drawing, &clip, destination)?;
            sum.has_partial_alpha |= outcome.has_partial_alpha;
            sum.is_slowed |= outcome.is_slowed;
            sum.is_finished &= outcome.is_finished;
            if !sum.is_finished {
                break;
            }
            whole.add(&part.path, file.close()?);
        }
        Ok(sum)
    }
}
