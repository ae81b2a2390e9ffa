//! Opens a graphics adapter, and draws with it as a [`Pipeline`].

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::absent::Absent;
use crate::draw::{DrawList, Picture, Settings, View};
use crate::export::error::ExportError;
use crate::export::frames::drawing::Pipeline;
use crate::export::options::{Backend, Look};
use crate::gpu::{self, AdapterChoice, Context, ContextOptions, Headless};
use crate::model::Model;

/// True if [`Backend::Auto`] found no GPU. The search loads every driver, which often takes longer than rendering
/// a picture.
static HAS_NO_GPU: AtomicBool = AtomicBool::new(false);

/// Creates the GPU renderer requested by `look`, for pictures of `model` such as `view`.
pub fn open(look: &Look, model: &Model, view: &View) -> Result<Box<dyn Pipeline>, Absent> {
    let is_free = look.may_fall_back();
    if is_free && HAS_NO_GPU.load(Ordering::Relaxed) {
        return Err(Absent { error: "no GPU was found".into(), reason: None });
    }
    let adapter = look.adapter.as_deref().map(AdapterChoice::from);
    let options = ContextOptions { backend: look.backend.into(), adapter, hardware_only: is_free };
    let opened = Context::new(&options)
        .and_then(|context| Headless::new(context, model))
        .and_then(|headless| headless.check_size(view, look.settings(view).antialias).map(|()| headless));
    match opened {
        Ok(headless) => Ok(Box::new(headless)),
        Err(error) => {
            // The software driver was not requested, and the CPU renderer draws the same without it.
            let is_software = error.is_software_only();
            if is_free {
                HAS_NO_GPU.fetch_or(is_software || error.lacks_driver(), Ordering::Relaxed);
            }
            let reason = (!is_software).then(|| error.to_string());
            Err(Absent { error: Box::new(error), reason })
        }
    }
}

impl From<Backend> for gpu::Backend {
    /// Returns the driver interface: the best one, unless another is requested. The CPU renderer needs none.
    fn from(backend: Backend) -> Self {
        match backend {
            Backend::Auto | Backend::Cpu => Self::Auto,
            Backend::Vulkan => Self::Vulkan,
            Backend::Metal => Self::Metal,
            Backend::Dx12 => Self::Dx12,
            Backend::Gl => Self::Gl,
        }
    }
}

impl Pipeline for Headless {
    fn submit(
        &mut self,
        model: &Model,
        list: &DrawList,
        view: &View,
        settings: Settings,
        behind: Option<&Arc<Picture>>,
    ) -> Result<(), ExportError> {
        let submitted = match behind {
            None => Self::submit(self, model, list, view, settings),
            Some(behind) => self.submit_over(model, list, view, settings, behind),
        };
        submitted.map_err(|error| ExportError::Render(error.into()))
    }

    fn receive(&mut self, picture: &mut Picture) -> Result<(), ExportError> {
        Self::receive(self, picture).map_err(|error| ExportError::Render(error.into()))
    }

    fn name(&self) -> String {
        self.context().adapter().backend.to_lowercase()
    }
}
