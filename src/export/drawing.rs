//! What draws the pictures of a run: the CPU renderer, or a graphics card that may be lost on the way.

use super::{Backend, ExportError, RenderOptions};
use crate::cpu;
use crate::draw::{DrawList, Picture, Settings, View};
use crate::error::with_sources;
use crate::model::Model;

#[cfg(feature = "gpu")]
mod card;
#[cfg(not(feature = "gpu"))]
#[path = "drawing/no_card.rs"]
mod card;

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

/// Why no graphics card draws.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
pub struct NoRenderer(Box<dyn std::error::Error + Send + Sync>);

impl NoRenderer {
    /// The reason itself.
    pub fn into_inner(self) -> Box<dyn std::error::Error + Send + Sync> {
        self.0
    }
}

impl<'a> Drawing<'a> {
    /// Draws with the CPU renderer.
    pub fn cpu(renderer: cpu::Renderer) -> Self {
        Self { engine: Engine::Cpu(renderer), on_loss: None }
    }

    /// Draws with any other renderer. When it gives up, its error ends the run.
    pub fn pipeline(renderer: impl Pipeline + 'a) -> Self {
        Self { engine: Engine::Pipeline(Box::new(renderer)), on_loss: None }
    }

    /// Draws `model` with what `options` ask for, in pictures such as `view`. [`Backend::Auto`] is the best graphics card.
    /// If there is none it is the CPU renderer, and where that has a reason worth knowing, `note` is told of it: then, and
    /// when a device is lost later.
    pub fn open(
        options: &RenderOptions,
        model: &Model,
        view: &View,
        note: impl Fn(&str) + 'a,
    ) -> Result<Self, NoRenderer> {
        let look = &options.look;
        if look.backend == Backend::Cpu {
            return Ok(Self::cpu(renderer(model)));
        }
        match card::open(look, model, view) {
            Ok(card) => {
                let drawing = Self { engine: Engine::Pipeline(card), on_loss: None };
                Ok(if look.may_fall_back() { drawing.or_cpu(note) } else { drawing })
            }
            // Whoever asked for a driver by name wants its pictures or an error.
            Err(absent) if look.may_fall_back() => {
                absent.reason.iter().for_each(|reason| note(&format!("drawn by the CPU renderer: {reason}")));
                Ok(Self::cpu(renderer(model)))
            }
            Err(absent) => Err(NoRenderer(absent.error)),
        }
    }

    /// A renderer that gives up, as when its device is lost, is no reason to stop: the CPU renderer draws what is left.
    fn or_cpu(self, note: impl Fn(&str) + 'a) -> Self {
        self.or_cpu_with(move |error| {
            note(&format!("the rest is drawn by the CPU renderer: {}", with_sources(error)));
        })
    }

    /// The same, and `on_loss` is called with the reason.
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

/// Why there is no card.
struct Absent {
    error: Box<dyn std::error::Error + Send + Sync>,
    /// What is worth knowing about it where the CPU renderer draws instead.
    reason: Option<String>,
}
