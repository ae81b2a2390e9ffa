//! Drawing parameters of a character's pictures, and the simplest output: one picture in memory.

use std::sync::atomic::{AtomicBool, Ordering};

use super::drawing::Drawing;
use super::visible_animations::VisibleAnimations;
use crate::cpu;
use crate::draw::{Hidden, Overlays, Picture, Settings, View};
use crate::export::error::ExportError;
use crate::export::options::{Background, BackgroundFit, RenderOptions, Surface};
use crate::export::plan::Plan;
use crate::limits::Limits;
use crate::model::Model;
use crate::motion::{Cue, plays_physics};
use crate::{Character, Error};

/// Upper bound of threads; more are not worthwhile.
pub(in crate::export) const MAX_JOBS: usize = 64;

/// How pictures are drawn. Created by [`RenderOptions::sequence`](crate::export::RenderOptions::sequence).
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
    /// What is behind the character.
    pub(crate) background: &'a Background,
    /// How a picture behind the character is placed.
    pub(crate) background_fit: BackgroundFit,
    /// The opacity of a picture behind the character, from 0 to 1.
    pub(crate) background_opacity: f32,
    /// The colour under partly transparent pixels, for formats that cannot store them.
    pub(crate) matte: Option<[u8; 3]>,
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

impl RenderOptions {
    /// Returns the drawing parameters of a run.
    pub fn sequence<'a>(
        &'a self,
        character: &'a Character,
        plan: &'a Plan,
        cancelled: &'a AtomicBool,
    ) -> Sequence<'a> {
        let view = plan.view;
        let copies = self.format().copies(self.output.optimize);
        Sequence {
            character,
            view,
            settings: self.settings(&view),
            background: &self.look.background,
            background_fit: self.look.background_fit,
            background_opacity: self.look.background_opacity,
            matte: self.format().matte(self.look.matte),
            surface: self.surface(),
            physics: plays_physics(character, self.subject.physics),
            hidden: Some(&plan.hidden),
            overlays: plan.overlays,
            is_optimized: self.output.optimize,
            jobs: self.jobs_for(&view, character.model(), copies),
            limits: &self.read.limits,
            visible: None,
            cancelled,
        }
    }

    /// Returns the number of pictures processed in parallel: as many as fit into the memory limit of one picture
    /// if each is held `copies` times.
    fn jobs_for(&self, view: &View, model: &Model, copies: u64) -> usize {
        let cores = || std::thread::available_parallelism().map_or(1, usize::from);
        let wanted = if self.output.jobs == 0 { cores() } else { self.output.jobs.min(MAX_JOBS) };
        let fitting =
            self.read.limits.memory_bytes / self.picture_bytes(view, model).saturating_mul(copies).max(1);
        wanted.min(usize::try_from(fitting).unwrap_or(usize::MAX)).max(1)
    }
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

    pub(in crate::export) fn inspect(&self, cue: &Cue, picture: &Picture) {
        if let Some(visible) = self.visible {
            visible.inspect(cue, picture);
        }
    }

    /// Fails for cues of another character and for pictures too large for the CPU renderer; other renderers check
    /// the size themselves. Panics here, rather than on a worker thread, if the renderer belongs to another model.
    pub(in crate::export) fn check<'c>(
        &self,
        renderer: Option<&cpu::Renderer>,
        cues: impl IntoIterator<Item = &'c Cue>,
    ) -> Result<(), ExportError> {
        let model = self.character.model();
        model.check_animations(cues.into_iter().flat_map(Cue::animations))?;
        if let Some(renderer) = renderer {
            renderer.expect_of(model);
            renderer.check_size(&self.view, self.settings.antialias)?;
        }
        Ok(())
    }

    /// Fails for pictures without pixels.
    pub(in crate::export) fn check_pixels(&self) -> Result<(), ExportError> {
        let (width, height) = (self.view.width(), self.view.height());
        if width > 0 && height > 0 {
            return Ok(());
        }
        let message = format!("a picture of {width}×{height} has no pixels");
        Err(Error::misuse("empty-picture", message).into())
    }

    /// Fails for pictures with a side that the format does not allow; `what` is a file of it, with an article.
    pub(in crate::export) fn check_sides(&self, what: &str, most: u32) -> Result<(), ExportError> {
        let (width, height) = (self.view.width(), self.view.height());
        if width.max(height) <= most {
            return Ok(());
        }
        let message = format!("{what} of {width}×{height} is too large; each side is limited to {most} pixels");
        Err(Error::misuse("picture-too-large", message).into())
    }

    /// Returns the number of workers for this many pictures.
    pub(in crate::export) fn jobs_of(&self, pictures: usize) -> usize {
        self.jobs.min(MAX_JOBS).clamp(1, pictures.max(1))
    }

    pub(in crate::export) fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed) || self.limits.check_cancelled().is_err()
    }
}
