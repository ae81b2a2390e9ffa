//! Uploads a model over several frames.

use std::sync::Arc;

use super::geometry::Geometry;
use super::model::{GpuModel, Uploaded};
use super::needs::Needs;
use super::pages::{PageLevels, PagesUpload};
use crate::gpu::device::catch;
use crate::gpu::error::{Cause, GpuError};
use crate::gpu::pipeline::{Pipelines, Shared};
use crate::model::{Identity, Model};

/// The mipmap levels of a model's pages, which take long to compute but need no device: compute them on any thread.
#[derive(Debug)]
pub struct ModelLevels(PageLevels);

impl ModelLevels {
    /// Computes the levels for a device with these limits.
    pub fn new(model: &Model, limits: &wgpu::Limits) -> Self {
        Self(PageLevels::new(model, limits.max_texture_dimension_2d))
    }
}

/// A model that is partly uploaded.
///
/// [`GpuModel::new`] uploads a model at once. This uploads its pages in slices, so that a program that draws meanwhile
/// does not stop for large pages:
///
/// ```no_run
/// # use pchr::{gpu::{GpuError, GpuModel, ModelLevels, ModelUpload, Pipelines}, model::Model};
/// # fn load(device: &wgpu::Device, queue: &wgpu::Queue, pipelines: &Pipelines, model: &Model)
/// #     -> Result<GpuModel, GpuError> {
/// let levels = ModelLevels::new(model, &device.limits()); // on a thread
/// let mut upload = ModelUpload::new(device, pipelines, model, levels)?;
/// while !upload.is_done() {
///     upload.advance(device, queue, model, 8 << 20)?; // once per frame
/// }
/// # Ok(upload.finish())
/// # }
/// ```
#[derive(Debug)]
pub struct ModelUpload {
    identity: Identity,
    shared: Arc<Shared>,
    needs: Needs,
    geometry: Geometry,
    pages: PagesUpload,
}

impl ModelUpload {
    /// Creates the textures, and uploads the geometry at once. `levels` belong to `model` and this device.
    ///
    /// # Errors
    ///
    /// As [`GpuModel::new`].
    pub fn new(
        device: &wgpu::Device,
        pipelines: &Pipelines,
        model: &Model,
        levels: ModelLevels,
    ) -> Result<Self, GpuError> {
        let needs = Needs::of(model);
        if device.limits().max_storage_buffers_per_shader_stage < needs.storage_buffers() {
            return Err(Cause::NoVertexStorage { adapter: device.adapter_info().name }.into());
        }
        let shared = Arc::clone(pipelines.shared());
        catch(device, || {
            let geometry = Geometry::upload(device, model)?;
            let pages = PagesUpload::new(device, &shared, model, levels.0)?;
            Ok(Self { identity: model.identity(), shared, needs, geometry, pages })
        })
    }

    /// Returns the bytes of the pages that were uploaded, and of all pages with their mipmap levels.
    pub fn bytes(&self) -> (u64, u64) {
        self.pages.bytes()
    }

    /// Returns true once all pages were uploaded.
    pub fn is_done(&self) -> bool {
        let (done, total) = self.bytes();
        done == total
    }

    /// Uploads further rows of pages of `model`: at most `max_bytes`, or a single row if that has more. The copies take
    /// effect with the next submission.
    ///
    /// # Errors
    ///
    /// `out-of-memory` or `refused` if wgpu reports an error.
    pub fn advance(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        model: &Model,
        max_bytes: u64,
    ) -> Result<(), GpuError> {
        let pages = &mut self.pages;
        catch(device, || {
            pages.advance(queue, model, max_bytes);
            Ok(())
        })
    }

    /// Returns the uploaded model. Pages that were not uploaded are transparent.
    pub fn finish(self) -> GpuModel {
        let Self { identity, shared, needs, geometry, pages } = self;
        GpuModel::from_uploaded(Uploaded {
            identity,
            shared,
            needs,
            geometry: Arc::new(geometry),
            pages: pages.finish(),
        })
    }
}
