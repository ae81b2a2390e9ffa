//! What draws the pictures of a run: the CPU renderer, or a graphics card that may be lost on the way.

use super::ExportError;
use crate::cpu;
use crate::draw::{DrawList, Picture, Settings, View};
use crate::model::Model;

/// A renderer that draws a picture while the one before it is fetched.
pub trait Pipeline {
    /// Begins to draw `list` through `view`.
    fn submit(
        &mut self,
        model: &Model,
        list: &DrawList,
        view: &View,
        settings: Settings,
    ) -> Result<(), ExportError>;

    /// Waits for the picture that was submitted first, premultiplied.
    fn receive(&mut self, picture: &mut Picture) -> Result<(), ExportError>;

    /// What it is called in reports: the driver interface in lower case.
    fn name(&self) -> String {
        "pipeline".to_owned()
    }
}

impl<P: Pipeline + ?Sized> Pipeline for &mut P {
    fn submit(
        &mut self,
        model: &Model,
        list: &DrawList,
        view: &View,
        settings: Settings,
    ) -> Result<(), ExportError> {
        (**self).submit(model, list, view, settings)
    }

    fn receive(&mut self, picture: &mut Picture) -> Result<(), ExportError> {
        (**self).receive(picture)
    }

    fn name(&self) -> String {
        (**self).name()
    }
}

/// What draws the pictures of one character, from the first file of a run to the last.
pub struct Drawing<'a> {
    pub(super) engine: Engine<'a>,
    on_loss: Option<OnLoss<'a>>,
}

/// Called with the reason when the CPU renderer takes over.
type OnLoss<'a> = Box<dyn FnMut(&ExportError) + 'a>;

pub(super) enum Engine<'a> {
    /// The CPU renderer, once for each worker.
    Cpu(cpu::Renderer),
    /// A renderer that there is only one of.
    Pipeline(Box<dyn Pipeline + 'a>),
}

impl<'a> Drawing<'a> {
    /// Draws with the CPU renderer.
    pub fn cpu(renderer: cpu::Renderer) -> Self {
        Self { engine: Engine::Cpu(renderer), on_loss: None }
    }

    /// Draws with any other renderer. When it gives up, its error ends the run.
    pub fn pipeline(renderer: Box<dyn Pipeline + 'a>) -> Self {
        Self { engine: Engine::Pipeline(renderer), on_loss: None }
    }

    /// A renderer that gives up, as when its device is lost, is no reason to stop: the CPU renderer draws what is left, and
    /// `on_loss` is called with the reason.
    #[must_use]
    pub fn or_cpu_with(mut self, on_loss: impl FnMut(&ExportError) + 'a) -> Self {
        self.on_loss = Some(Box::new(on_loss));
        self
    }

    /// `cpu`, or the driver interface.
    pub fn name(&self) -> String {
        match &self.engine {
            Engine::Cpu(_) => "cpu".to_owned(),
            Engine::Pipeline(pipeline) => pipeline.name(),
        }
    }

    /// The CPU renderer, if it draws.
    pub(super) fn as_cpu(&self) -> Option<&cpu::Renderer> {
        match &self.engine {
            Engine::Cpu(renderer) => Some(renderer),
            Engine::Pipeline(_) => None,
        }
    }

    /// Puts the CPU renderer in the place of one that gave up with `error`. Gives the error back where it must not.
    pub(super) fn fall_back(&mut self, model: &Model, error: ExportError) -> Result<(), ExportError> {
        let Some(on_loss) = &mut self.on_loss else { return Err(error) };
        on_loss(&error);
        self.engine = Engine::Cpu(renderer(model));
        Ok(())
    }
}

/// The CPU renderer of a run. Its plan has checked the memory that pictures take.
pub(super) fn renderer(model: &Model) -> cpu::Renderer {
    cpu::Renderer::new(model).with_max_bytes(u64::MAX)
}
