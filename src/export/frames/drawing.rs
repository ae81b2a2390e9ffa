//! The renderer of a run: the CPU renderer, or a GPU that may be lost at any time.

use std::sync::Arc;

use crate::cpu;
use crate::draw::{DrawList, Picture, Settings, View};
use crate::export::error::ExportError;
use crate::model::Model;

/// A renderer that draws one picture while the previous one is read back.
pub trait Pipeline {
    /// Starts drawing `list` through `view`, for a picture that is laid over `behind`.
    fn submit(
        &mut self,
        model: &Model,
        list: &DrawList,
        view: &View,
        settings: Settings,
        behind: Option<&Arc<Picture>>,
    ) -> Result<(), ExportError>;

    /// Waits for the oldest submitted picture and returns it premultiplied.
    fn receive(&mut self, picture: &mut Picture) -> Result<(), ExportError>;

    /// Returns the name for reports: the driver interface in lower case.
    fn name(&self) -> String {
        "pipeline".to_owned()
    }
}

/// The renderer of one character, for all files of a run.
pub struct Drawing<'a> {
    pub(in crate::export) engine: Engine<'a>,
    on_loss: Option<OnLoss<'a>>,
}

/// Called with the reason when the CPU renderer takes over.
type OnLoss<'a> = Box<dyn FnMut(&ExportError) + 'a>;

pub(in crate::export) enum Engine<'a> {
    /// The CPU renderer, cloned for each worker.
    Cpu(cpu::Renderer),
    /// A renderer that cannot be cloned.
    Pipeline(Box<dyn Pipeline + 'a>),
}

impl<'a> Drawing<'a> {
    /// Uses the CPU renderer.
    pub fn cpu(renderer: cpu::Renderer) -> Self {
        Self { engine: Engine::Cpu(renderer), on_loss: None }
    }

    /// Uses any other renderer. If it fails, its error ends the run.
    pub(crate) fn pipeline(renderer: Box<dyn Pipeline + 'a>) -> Self {
        Self { engine: Engine::Pipeline(renderer), on_loss: None }
    }

    /// Falls back to the CPU renderer if the renderer fails, for example because its device is lost: the CPU
    /// renderer draws the remaining pictures, and `on_loss` is called with the reason.
    #[must_use]
    pub(crate) fn or_cpu_with(mut self, on_loss: impl FnMut(&ExportError) + 'a) -> Self {
        self.on_loss = Some(Box::new(on_loss));
        self
    }

    /// Returns `cpu`, or the name of the driver interface.
    pub fn name(&self) -> String {
        match &self.engine {
            Engine::Cpu(_) => "cpu".to_owned(),
            Engine::Pipeline(pipeline) => pipeline.name(),
        }
    }

    /// Returns the CPU renderer if it is in use.
    pub(in crate::export) fn as_cpu(&self) -> Option<&cpu::Renderer> {
        match &self.engine {
            Engine::Cpu(renderer) => Some(renderer),
            Engine::Pipeline(_) => None,
        }
    }

    /// Replaces a renderer that failed with `error` by the CPU renderer, or returns the error if falling back is
    /// not allowed.
    pub(in crate::export) fn fall_back(&mut self, model: &Model, error: ExportError) -> Result<(), ExportError> {
        let Some(on_loss) = &mut self.on_loss else { return Err(error) };
        on_loss(&error);
        self.engine = Engine::Cpu(renderer(model));
        Ok(())
    }
}

/// Creates the CPU renderer of a run. Its plan has already checked the memory of the pictures.
pub fn renderer(model: &Model) -> cpu::Renderer {
    cpu::Renderer::new(model).with_max_bytes(u64::MAX)
}
