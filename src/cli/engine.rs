//! What draws: the CPU renderer, or an adapter where there is one and this build knows how.

#[cfg(feature = "gpu")]
use std::sync::atomic::{AtomicBool, Ordering};

use super::failure::Failure;
use crate::cpu;
use crate::draw::{Antialias, View};
use crate::export::{Backend, Clip, Destination, Drawing, Engine, ExportError, FallBack, Outcome, Sequence, Shot};
use crate::model::Model;

/// A renderer that is ready to draw one character.
pub enum ChosenEngine {
    Cpu(cpu::Renderer),
    #[cfg(feature = "gpu")]
    Gpu(Box<crate::gpu::Headless>),
}

/// `auto` found no graphics card. Looking for one loads every driver, which takes longer than many a picture.
#[cfg(feature = "gpu")]
static HAS_NO_CARD: AtomicBool = AtomicBool::new(false);

/// The CPU renderer. The plan has checked the memory that pictures take.
fn renderer(model: &Model) -> cpu::Renderer {
    cpu::Renderer::new(model).with_max_bytes(u64::MAX)
}

impl ChosenEngine {
    /// The renderer that `backend` names. `auto` is the best graphics card, else the CPU renderer: without a word where
    /// the only driver is a software one, with a note where there is none or it fails.
    #[cfg(feature = "gpu")]
    pub fn new(
        backend: Backend,
        adapter: Option<&str>,
        model: &Model,
        view: &View,
        antialias: Antialias,
        quiet: bool,
    ) -> Result<Self, Failure> {
        use crate::gpu::{AdapterChoice, Context, ContextOptions, GpuError, Headless};
        let asked = match backend {
            Backend::Cpu => return Ok(Self::Cpu(renderer(model))),
            Backend::Auto => crate::gpu::Backend::Auto,
            Backend::Vulkan => crate::gpu::Backend::Vulkan,
            Backend::Metal => crate::gpu::Backend::Metal,
            Backend::Dx12 => crate::gpu::Backend::Dx12,
            Backend::Gl => crate::gpu::Backend::Gl,
        };
        let is_free = backend == Backend::Auto && adapter.is_none();
        if is_free && HAS_NO_CARD.load(Ordering::Relaxed) {
            return Ok(Self::Cpu(renderer(model)));
        }
        let adapter = adapter.map(AdapterChoice::from);
        let options = ContextOptions { backend: asked, adapter, hardware_only: is_free };
        let opened = Context::new(&options)
            .and_then(|context| Headless::new(context, model))
            .and_then(|headless| headless.check_size(view, antialias).map(|()| headless));
        match opened {
            Ok(headless) => Ok(Self::Gpu(Box::new(headless))),
            Err(error) if is_free => {
                // Nobody asked for the software driver, and the CPU renderer draws what it would draw.
                let is_software = matches!(error, GpuError::SoftwareOnly { .. });
                HAS_NO_CARD
                    .fetch_or(is_software || matches!(error, GpuError::NoAdapter { .. }), Ordering::Relaxed);
                if !quiet && !is_software {
                    super::failure::note(&format!("drawn by the CPU renderer: {error}"));
                }
                Ok(Self::Cpu(renderer(model)))
            }
            Err(error) => Err(Failure::Adapter(Box::new(error))),
        }
    }

    /// Without the feature `gpu` there is only the CPU renderer.
    #[cfg(not(feature = "gpu"))]
    pub fn new(
        backend: Backend,
        adapter: Option<&str>,
        model: &Model,
        _: &View,
        _: Antialias,
        _: bool,
    ) -> Result<Self, Failure> {
        match (backend, adapter) {
            (Backend::Auto | Backend::Cpu, None) => Ok(Self::Cpu(renderer(model))),
            _ => Err(Failure::Adapter(
                "this build has no GPU renderer, it was made without the feature `gpu`".into(),
            )),
        }
    }

    /// `cpu`, or the driver interface.
    pub fn name(&self) -> String {
        match self {
            Self::Cpu(_) => "cpu".to_owned(),
            #[cfg(feature = "gpu")]
            Self::Gpu(headless) => headless.context().adapter().backend.to_lowercase(),
        }
    }

    /// Writes every shot. With `on_loss` a device that is lost on the way is told to it, and the CPU renderer
    /// draws what is left.
    pub fn write(
        &mut self,
        sequence: &Sequence<'_>,
        shots: &[Shot],
        written: &(dyn Fn(&Shot) + Sync),
        #[cfg_attr(not(feature = "gpu"), expect(unused_variables, reason = "the CPU renderer does not give up"))]
        on_loss: Option<&dyn Fn(&ExportError)>,
    ) -> Result<bool, ExportError> {
        #[cfg(feature = "gpu")]
        if let (Self::Gpu(headless), Some(on_loss)) = (&mut *self, on_loss) {
            let mut fallen_back = None;
            let finished = sequence.write_or_fall_back(headless.as_mut(), shots, written, |error| {
                on_loss(error);
                fallen_back.insert(renderer(sequence.character.model())).clone()
            });
            if let Some(renderer) = fallen_back {
                *self = Self::Cpu(renderer);
            }
            return finished;
        }
        sequence.write(self.engine(), shots, written)
    }

    /// Writes a clip. With `on_loss` a device that is lost on the way is told to it, and the CPU renderer
    /// draws what is left.
    pub fn write_clip(
        &mut self,
        sequence: &Sequence<'_>,
        clip: &Clip<'_>,
        destination: Destination<'_>,
        on_loss: Option<&mut dyn FnMut(&ExportError)>,
    ) -> Result<Outcome, ExportError> {
        self.draw(sequence, on_loss, |drawing| sequence.write_clip(drawing, clip, destination))
    }

    /// Does `work` with what draws; what is left after a loss the CPU renderer draws, as in [`Self::write_clip`].
    pub fn draw<T>(
        &mut self,
        sequence: &Sequence<'_>,
        on_loss: Option<&mut dyn FnMut(&ExportError)>,
        work: impl FnOnce(&mut Drawing<'_>) -> T,
    ) -> T {
        let mut fall_back = on_loss.map(|on_loss| {
            move |error: &ExportError| {
                on_loss(error);
                renderer(sequence.character.model())
            }
        });
        let fall_back = fall_back.as_mut().map(|fall_back| fall_back as FallBack<'_>);
        let mut drawing = Drawing::new(self.engine(), fall_back);
        let done = work(&mut drawing);
        if let Some(renderer) = drawing.into_fallen_back() {
            *self = Self::Cpu(renderer);
        }
        done
    }

    pub fn engine(&mut self) -> Engine<'_> {
        match self {
            Self::Cpu(renderer) => Engine::Cpu(renderer),
            #[cfg(feature = "gpu")]
            Self::Gpu(headless) => Engine::Pipeline(headless.as_mut()),
        }
    }
}
