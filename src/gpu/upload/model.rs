//! A model on the GPU: what stays the same from picture to picture.

use std::sync::Arc;

use super::geometry::Geometry;
use super::model_upload::{ModelLevels, ModelUpload};
use super::needs::Needs;
use super::pages::Pages;
use crate::gpu::device::catch;
use crate::gpu::error::{Cause, GpuError};
use crate::gpu::pipeline::{Pipelines, Shared};
use crate::misuse;
use crate::model::{Identity, Model, PageId};

/// The geometry and the pages of a model on the GPU.
///
/// Upload a model once for each device, and draw any number of characters with it, in any number of views: each
/// view has its own [`ViewBuffers`](crate::gpu::ViewBuffers). Clones share the uploaded buffers and textures.
///
/// [`ModelUpload`] uploads large pages over several frames.
#[derive(Debug, Clone)]
pub struct GpuModel(Arc<Uploaded>);

/// What was uploaded of a model.
#[derive(Debug)]
pub struct Uploaded {
    pub identity: Identity,
    pub shared: Arc<Shared>,
    pub needs: Needs,
    pub geometry: Arc<Geometry>,
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

    /// Returns the same model with another texture for one of its pages: a picture that is drawn at run time, say, or the
    /// colours of another team. Geometry and other pages are shared.
    ///
    /// The texture has the page's layout at any size, premultiplied, in a format that is not sRGB. It is sampled without
    /// mipmaps.
    ///
    /// # Errors
    ///
    /// `wrong-model` if `page` belongs to another model, and `refused` if the texture cannot be
    /// filtered or belongs to another device.
    pub fn with_page(
        &self,
        device: &wgpu::Device,
        page: PageId,
        texture: &wgpu::TextureView,
    ) -> Result<Self, GpuError> {
        let Uploaded { identity, shared, needs, geometry, pages } = self.uploaded();
        let (page, count) = (page.index(), pages.count());
        if page >= count {
            return Err(Cause::WrongModel { what: misuse::unknown_id("page", page, count) }.into());
        }
        let pages = catch(device, || Ok(pages.with_texture(device, shared, page, texture)))?;
        let (shared, geometry) = (Arc::clone(shared), Arc::clone(geometry));
        Ok(Self::from_uploaded(Uploaded { identity: *identity, shared, needs: *needs, geometry, pages }))
    }

    /// The sizes of its textures on the GPU in bytes: pages that meshes use, and mipmap levels.
    pub fn texture_bytes(&self) -> u64 {
        self.0.pages.bytes()
    }

    pub(in crate::gpu) fn uploaded(&self) -> &Uploaded {
        &self.0
    }

    /// Returns true for clones of the same upload.
    pub(in crate::gpu) fn is_same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// Checks that `model` is the one that was uploaded.
    pub(in crate::gpu) fn check(&self, model: &Model) -> Result<(), GpuError> {
        if model.identity() == self.0.identity {
            return Ok(());
        }
        let of_model = [model.attachments().len(), model.pages().len()];
        let uploaded = [self.0.geometry.attachment_count(), self.0.pages.count()];
        let what = format!(
            "the model is not the one that was uploaded: it has {} attachments and {} pages, the uploaded one has {} \
             and {}",
            of_model[0], of_model[1], uploaded[0], uploaded[1]
        );
        Err(Cause::WrongModel { what }.into())
    }
}
