//! Drawing parameters of a character's pictures, and the two simplest outputs: one picture in memory, or one PNG
//! file per picture.

use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};

use super::drawing::Drawing;
use super::png::PngSink;
use super::{ExportError, OutputFile, OutputPath, Surface, VisibleAnimations, write_png};
use crate::Character;
use crate::Error;
use crate::cpu;
use crate::draw::{Hidden, Overlays, Picture, Settings, View};
use crate::limits::Limits;
use crate::model::{AnimationId, Model};
use crate::motion::Cue;

/// Upper bound of threads; more are not worthwhile.
pub(super) const MAX_JOBS: usize = 64;

/// One picture of a sequence and its file.
#[derive(Debug, Clone)]
pub struct Shot {
    /// What is shown.
    pub cue: Cue,
    /// The output path.
    pub path: OutputPath,
    /// Whether an existing file may be replaced.
    pub overwrite: bool,
}

/// How pictures are drawn. Created by [`RenderOptions::sequence`](super::RenderOptions::sequence).
///
/// Its methods fail for cues of another character and for pictures larger than the renderer supports. They panic
/// if the renderer belongs to another model.
#[derive(Debug, Clone, Copy)]
pub struct Sequence<'a> {
    /// The character to draw.
    pub(crate) character: &'a Character,
    /// The visible area, common to all pictures.
    pub(crate) view: View,
    /// Renderer settings.
    pub(crate) settings: Settings,
    /// Post-processing of each picture.
    pub surface: Surface,
    /// Simulates the physics of the file: every picture shows the animation as played from its start.
    pub(crate) physics: bool,
    /// What is not drawn; `None`: everything is.
    pub(crate) hidden: Option<&'a Hidden>,
    /// Overlays drawn over the character.
    pub(crate) overlays: Overlays,
    /// PNGs are compressed as far as possible.
    pub(crate) is_optimized: bool,
    /// Number of pictures processed in parallel; capped at 64.
    pub(crate) jobs: usize,
    /// [`Limits::work`] applies to each picture.
    pub(crate) limits: &'a Limits,
    /// Records which animations show anything.
    pub(crate) visible: Option<&'a VisibleAnimations>,
    /// Set from another thread to stop early.
    pub(crate) cancelled: &'a AtomicBool,
}

impl<'a> Sequence<'a> {
    /// Records in `visible` which animations show anything.
    #[must_use]
    pub fn recording(self, visible: &'a VisibleAnimations) -> Self {
        Self { visible: Some(visible), ..self }
    }

    /// Draws another area with other settings, one picture at a time.
    #[must_use]
    pub fn previewed(self, view: View, settings: Settings, surface: Surface) -> Self {
        Self { view, settings, surface, jobs: 1, ..self }
    }
}

impl Sequence<'_> {
    /// Renders every shot and writes each to its file as a PNG. `written` is called for each file, from any
    /// thread.
    ///
    /// After an error no new picture is started and the first error is returned; files written by then are kept.
    /// Returns false if cancelled.
    #[cfg(test)]
    pub(crate) fn write(
        &self,
        drawing: &mut Drawing<'_>,
        shots: &[Shot],
        written: &(dyn Fn(&Shot) + Sync),
    ) -> Result<bool, ExportError> {
        self.write_each(drawing, shots, &|shot, file| {
            file.finish()?;
            written(shot);
            Ok(())
        })
    }

    /// Renders every shot and encodes it as a PNG; `done` moves its file into place. Called from any thread.
    ///
    /// After an error no new picture is started and the first error is returned. Returns false if cancelled.
    pub(super) fn write_each(
        &self,
        drawing: &mut Drawing<'_>,
        shots: &[Shot],
        done: &(dyn Fn(&Shot, OutputFile) -> Result<(), ExportError> + Sync),
    ) -> Result<bool, ExportError> {
        let cues: Vec<&Cue> = shots.iter().map(|shot| &shot.cue).collect();
        let save = |index: usize, picture: &mut Picture| {
            let shot: &Shot = &shots[index];
            self.surface.finish(picture);
            let mut file = OutputFile::create(&shot.path, shot.overwrite)?;
            let is_complete = self.write_png(picture, &mut file);
            if is_complete.map_err(|error| Error::io(shot.path.display(), error))? {
                done(shot, file)?;
            }
            Ok(())
        };
        self.stream(drawing, &cues, &save, &mut |()| Ok(()))
    }

    /// Writes a finished picture as a PNG. Returns false if cancelled; the output is incomplete then.
    pub(super) fn write_png(&self, picture: &Picture, out: &mut (dyn Write + Send)) -> io::Result<bool> {
        let mut sink = PngSink::new(out, self.is_optimized, self.limits);
        write_png(picture, &mut sink)?;
        sink.finish(self.cancelled)
    }

    /// Renders and post-processes one cue in memory. Returns `None` if cancelled.
    pub fn picture(&self, drawing: &mut Drawing<'_>, cue: &Cue) -> Result<Option<Picture>, ExportError> {
        let mut kept = None;
        let finish = |_: usize, picture: &mut Picture| {
            self.surface.finish(picture);
            Ok(std::mem::take(picture))
        };
        let mut keep = |picture| {
            kept = Some(picture);
            Ok(())
        };
        self.stream(drawing, &[cue], &finish, &mut keep)?;
        Ok(kept)
    }

    pub(super) fn inspect(&self, cue: &Cue, picture: &Picture) {
        if let Some(visible) = self.visible {
            visible.inspect(cue, picture);
        }
    }

    /// Fails for cues of another character and for pictures too large for the CPU renderer; other renderers check
    /// the size themselves. Panics here, rather than on a worker thread, if the renderer belongs to another model.
    pub(super) fn check<'c>(
        &self,
        renderer: Option<&cpu::Renderer>,
        cues: impl IntoIterator<Item = &'c Cue>,
    ) -> Result<(), ExportError> {
        let model = self.character.model();
        check_animations(model, cues.into_iter().flat_map(Cue::animations))?;
        if let Some(renderer) = renderer {
            renderer.expect_of(model);
            renderer.check_size(&self.view, self.settings.antialias)?;
        }
        Ok(())
    }

    /// Fails for pictures without pixels.
    pub(super) fn check_pixels(&self) -> Result<(), ExportError> {
        let (width, height) = (self.view.width(), self.view.height());
        if width > 0 && height > 0 {
            return Ok(());
        }
        let message = format!("a picture of {width}×{height} has no pixels");
        Err(Error::misuse("empty-picture", message).into())
    }

    /// Returns the number of workers for this many pictures.
    pub(super) fn jobs_of(&self, pictures: usize) -> usize {
        self.jobs.min(MAX_JOBS).clamp(1, pictures.max(1))
    }

    pub(super) fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed) || self.limits.check_cancelled().is_err()
    }
}

/// Fails for animations that `model` does not have.
pub(crate) fn check_animations(
    model: &Model,
    animations: impl IntoIterator<Item = AnimationId>,
) -> Result<(), Error> {
    let count = model.animations().len();
    match animations.into_iter().find(|id| id.index() >= count) {
        None => Ok(()),
        Some(id) => {
            let message = format!("animation {} does not exist, the character has {count}", id.index());
            Err(Error::misuse("no-such-animation", message))
        }
    }
}
