//! A model on the GPU: what stays the same from picture to picture.

use std::sync::Arc;

use super::faults::catch;
use super::needs::Needs;
use super::pages::Pages;
use super::shared::Shared;
use super::upload::Geometry;
use super::{GpuError, Pipelines};
use crate::misuse;
use crate::model::Model;

/// The geometry and the pages of a model on the GPU.
///
/// Upload a model once for each device, and draw any number of characters with it, in any number of views: each
/// view has its own [`ViewBuffers`](super::ViewBuffers). Clones share the uploaded buffers and textures.
#[derive(Debug, Clone)]
pub struct GpuModel(Arc<Uploaded>);

/// What was uploaded of a model.
#[derive(Debug)]
pub struct Uploaded {
    pub shared: Arc<Shared>,
    pub needs: Needs,
    pub geometry: Geometry,
    pub pages: Pages,
}

impl GpuModel {
    /// Uploads `model` to the device of `pipelines`. No pipeline is created, and the target of `pipelines` does
    /// not matter.
    ///
    /// # Errors
    ///
    /// [`GpuError::PageTooLarge`] or [`GpuError::BufferTooLarge`] if the device cannot hold a page or a mesh,
    /// [`GpuError::NoVertexStorage`] if it has too few storage buffers for vertex shaders, and
    /// [`GpuError::OutOfMemory`] or [`GpuError::Refused`] if wgpu reports an error.
    pub fn new(
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        pipelines: &Pipelines,
        model: &Model,
    ) -> Result<Self, GpuError> {
        let needs = Needs::of(model);
        if device.limits().max_storage_buffers_per_shader_stage < needs.storage_buffers() {
            return Err(GpuError::NoVertexStorage { adapter: device.adapter_info().name });
        }
        let shared = Arc::clone(pipelines.shared());
        catch(device, || {
            let geometry = Geometry::upload(device, model)?;
            let pages = Pages::upload(device, queue, &shared, model)?;
            Ok(Self(Arc::new(Uploaded { shared, needs, geometry, pages })))
        })
    }

    pub(super) fn uploaded(&self) -> &Uploaded {
        &self.0
    }

    /// Compares the numbers of attachments and pages of `model` with those that were uploaded.
    ///
    /// # Panics
    ///
    /// If they differ, because `model` is another one.
    #[track_caller]
    pub(super) fn expect_of(&self, model: &Model) {
        let found = [model.attachments().len(), model.pages().len()];
        let uploaded = [self.0.geometry.attachment_count(), self.0.pages.count()];
        misuse::expect(found == uploaded, || {
            format!(
                "the model is not the one that was uploaded: it has {} attachments and {} pages, not {} and {}",
                found[0], found[1], uploaded[0], uploaded[1]
            )
        });
    }
}
