//! How the pictures of one character are drawn, and the simplest two things to do with them: one in memory, and each in
//! a file of its own.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

use super::drawing::Drawing;
use super::file::ClosedFile;
use super::{ExportError, OutputFile, Seen, Surface, write_png};
use crate::character::Character;
use crate::cpu;
use crate::draw::{Overlays, Picture, Settings, View};
use crate::error::Error;
use crate::model::{AnimationId, Model};
use crate::motion::Cue;

/// More threads than any picture is worth.
pub(super) const MAX_JOBS: usize = 64;

/// One picture of a sequence and the file it goes to.
#[derive(Debug, Clone)]
pub struct Shot {
    /// What is shown.
    pub cue: Cue,
    /// Where it is written.
    pub path: PathBuf,
    /// Whether it may replace a file that exists.
    pub overwrite: bool,
}

/// How pictures are drawn. [`RenderOptions::sequence`](super::RenderOptions::sequence) makes one.
///
/// Its methods refuse cues of another character, and pictures that are larger than the renderer draws. They panic if the
/// renderer is of another model.
#[derive(Debug, Clone, Copy)]
pub struct Sequence<'a> {
    /// What is shown.
    pub character: &'a Character,
    /// The part of the world, one for all pictures.
    pub view: View,
    /// How it is drawn.
    pub settings: Settings,
    /// What becomes of each picture.
    pub surface: Surface,
    /// Simulate the physics of the file: every picture looks as if the animation had been played up to it.
    pub physics: bool,
    /// What is drawn over the character.
    pub overlays: Overlays,
    /// How many pictures are worked on at once; more than 64 are 64.
    pub jobs: usize,
    /// How much work one picture may take: see [`Limits::work`](crate::limits::Limits::work).
    pub work: u64,
    /// Looks at every picture as it was rendered.
    pub seen: Option<&'a Seen>,
    /// Set from elsewhere to stop early.
    pub cancelled: &'a AtomicBool,
}

impl Sequence<'_> {
    /// Renders every shot and writes each to its file as a PNG. `written` is told of each file, from any thread.
    ///
    /// After an error nothing new is begun and the first error is returned; files that are written by then stay. Returns
    /// false if it was cancelled.
    pub fn write(
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

    /// [`Self::write`] that leaves it to `done` to put every file in its place, from any thread.
    pub(super) fn write_each(
        &self,
        drawing: &mut Drawing<'_>,
        shots: &[Shot],
        done: &(dyn Fn(&Shot, ClosedFile) -> Result<(), ExportError> + Sync),
    ) -> Result<bool, ExportError> {
        let cues: Vec<&Cue> = shots.iter().map(|shot| &shot.cue).collect();
        let save = |index: usize, picture: &mut Picture| {
            let shot: &Shot = &shots[index];
            self.surface.finish(picture);
            let mut file = OutputFile::create(&shot.path, shot.overwrite)?;
            write_png(picture, &mut file).map_err(|error| Error::io(shot.path.display(), error))?;
            done(shot, file.close()?)
        };
        self.stream(drawing, &cues, &save, &mut |()| Ok(()))
    }

    /// Renders one cue and finishes it, without writing it anywhere. `None` if it was cancelled.
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

    pub(super) fn look(&self, cue: &Cue, picture: &Picture) {
        if let Some(seen) = self.seen {
            seen.look(cue, picture);
        }
    }

    /// Refuses cues of another character, and pictures that are too large for a CPU renderer. Other renderers refuse them
    /// by themselves. A renderer of another model panics here and not on a thread of its own.
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

    /// Refuses pictures without pixels.
    pub(super) fn check_pixels(&self) -> Result<(), ExportError> {
        let (width, height) = (self.view.width(), self.view.height());
        if width > 0 && height > 0 {
            return Ok(());
        }
        let message = format!("a picture of {width}×{height} has no pixels");
        Err(Error::misuse("empty-picture", message).into())
    }

    /// How many of so many pictures are worked on at once.
    pub(super) fn jobs_of(&self, pictures: usize) -> usize {
        self.jobs.min(MAX_JOBS).clamp(1, pictures.max(1))
    }

    pub(super) fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed)
    }
}

/// Refuses animations that `model` does not have.
pub(super) fn check_animations(
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
