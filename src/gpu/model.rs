//! A model on the GPU: what stays the same from picture to picture.

use std::sync::Arc;

use super::model_upload::{ModelLevels, ModelUpload};
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
///
/// [`ModelUpload`] uploads large pages over several frames.
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
    /// `page-too-large` or `buffer-too-large` if the device cannot hold a page or a mesh,
    /// `no-vertex-storage` if it has too few storage buffers for vertex shaders, and
    /// `out-of-memory` or `refused` if wgpu reports an error.
    pub fn new(
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        pipelines: &Pipelines,
        model: &Model,
    ) -> Result<Self, GpuError> {
        let levels = ModelLevels::new(model, &device.limits());
        let mut upload = ModelUpload::new(device, pipelines, model, levels)?;
        upload.advance(device, queue, model, u64::MAX)?;
        Ok(upload.finish())
    }

    pub(super) fn from_uploaded(uploaded: Uploaded) -> Self {
        Self(Arc::new(uploaded))
    }

    /// The sizes of its textures on the GPU in bytes: pages that meshes use, and mipmap levels.
    pub fn texture_bytes(&self) -> u64 {
        self.0.pages.bytes()
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
