//! The simple case: one model in one view.

use super::{Camera, GpuError, GpuModel, Member, Pipelines, TargetFormat, ViewBuffers};
use crate::draw::{DrawList, Filter};
use crate::model::Model;

/// Draws one model, on any device, into any pass with the target that it was made for.
///
/// A renderer is a [`GpuModel`] with one [`ViewBuffers`]. Programs with several models make it [with shared
/// pipelines](Self::with_pipelines); those with several views in one submission use these types directly.
///
/// ```no_run
/// # use pchr::{draw::{DrawList, Filter, View}, gpu::{GpuError, Renderer, TargetFormat}, model::Model};
/// # fn draw(device: &wgpu::Device, queue: &wgpu::Queue, model: &Model, list: &DrawList, view: &View,
/// #     color: wgpu::TextureFormat, pass: &mut wgpu::RenderPass<'_>) -> Result<(), GpuError> {
/// let mut renderer = Renderer::new(device, queue, model, TargetFormat { color, samples: 1, depth_stencil: None })?;
/// renderer.prepare(device, queue, model, list, view, Filter::Auto)?; // once per submission, before the pass
/// renderer.draw(pass);
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Renderer {
    buffers: ViewBuffers,
}

impl Renderer {
    /// Uploads `model` and creates the pipelines that it needs for `target`.
    ///
    /// # Errors
    ///
    /// As [`Pipelines::new`], [`GpuModel::new`] and [`ViewBuffers::new`].
    pub fn new(
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        model: &Model,
        target: TargetFormat,
    ) -> Result<Self, GpuError> {
        Self::with_pipelines(device, queue, model, &Pipelines::new(device, target)?)
    }

    /// Uploads `model` and shares `pipelines` with other renderers.
    ///
    /// # Errors
    ///
    /// As [`GpuModel::new`] and [`ViewBuffers::new`].
    pub fn with_pipelines(
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        model: &Model,
        pipelines: &Pipelines,
    ) -> Result<Self, GpuError> {
        Self::of_model(device, &GpuModel::new(device, queue, pipelines, model)?, pipelines)
    }

    /// Draws a model that was uploaded before.
    ///
    /// # Errors
    ///
    /// As [`ViewBuffers::new`].
    pub fn of_model(device: &wgpu::Device, model: &GpuModel, pipelines: &Pipelines) -> Result<Self, GpuError> {
        Ok(Self { buffers: ViewBuffers::new(device, pipelines, model)? })
    }

    /// The uploaded model, for further [`ViewBuffers`].
    pub fn model(&self) -> &GpuModel {
        self.buffers.model()
    }

    /// The pipelines, for further models.
    pub fn pipelines(&self) -> &Pipelines {
        self.buffers.pipelines()
    }

    /// The kind of target that it draws into.
    pub fn target(&self) -> TargetFormat {
        self.pipelines().target()
    }

    /// Draws into another kind of target from now on. What was uploaded stays, and so do the pipelines for the
    /// target before.
    ///
    /// # Errors
    ///
    /// As [`ViewBuffers::new`]. The target stays as it was.
    pub fn set_target(&mut self, device: &wgpu::Device, target: TargetFormat) -> Result<(), GpuError> {
        if target == self.target() {
            return Ok(());
        }
        let pipelines = self.pipelines().for_target(target);
        self.buffers.set_pipelines(device, &pipelines)
    }

    /// Fills the buffers with what [`Self::draw`] draws: one character at the origin of the world. See
    /// [`ViewBuffers::prepare`].
    ///
    /// # Errors
    ///
    /// As [`ViewBuffers::prepare`].
    ///
    /// # Panics
    ///
    /// As [`ViewBuffers::prepare`].
    #[track_caller]
    pub fn prepare(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        model: &Model,
        list: &DrawList,
        camera: impl Into<Camera>,
        filter: Filter,
    ) -> Result<(), GpuError> {
        self.buffers.prepare(device, queue, model, &[Member::from(list)], camera, filter)
    }

    /// Fills the buffers with what [`Self::draw`] draws: a crowd, the first member farthest back. See
    /// [`ViewBuffers::prepare`].
    ///
    /// # Errors
    ///
    /// As [`ViewBuffers::prepare`].
    ///
    /// # Panics
    ///
    /// As [`ViewBuffers::prepare`].
    #[track_caller]
    pub fn prepare_crowd(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        model: &Model,
        members: &[Member<'_>],
        camera: impl Into<Camera>,
        filter: Filter,
    ) -> Result<(), GpuError> {
        self.buffers.prepare(device, queue, model, members, camera, filter)
    }

    /// The number of draw calls that [`Self::draw`] makes: see [`ViewBuffers::draw_calls`].
    pub fn draw_calls(&self) -> usize {
        self.buffers.draw_calls()
    }

    /// The number of bytes that were sent to the GPU: see [`ViewBuffers::uploaded_bytes`].
    pub fn uploaded_bytes(&self) -> u64 {
        self.buffers.uploaded_bytes()
    }

    /// The sizes of the buffers on the GPU: see [`ViewBuffers::buffer_bytes`].
    pub fn buffer_bytes(&self) -> u64 {
        self.buffers.buffer_bytes()
    }

    /// Records what was prepared: see [`ViewBuffers::draw`].
    pub fn draw(&self, pass: &mut wgpu::RenderPass<'_>) {
        self.buffers.draw(pass);
    }
}
