//! The simple case: one model in one view.

use super::view_buffers::ViewBuffers;
use crate::draw::{DrawList, Filter};
use crate::gpu::batch::{Camera, Member};
use crate::gpu::error::GpuError;
use crate::gpu::pipeline::{Pipelines, TargetFormat};
use crate::gpu::upload::GpuModel;
use crate::model::Model;

/// Draws one model, on any device, into any pass with the target that it was made for.
///
/// A renderer is a [`GpuModel`] with one [`ViewBuffers`]. Programs with several models make it [with shared
/// pipelines](Self::with_pipelines), or draw them all with [`Self::prepare_groups`]; those with several views in one
/// submission use these types directly.
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
    model: GpuModel,
    pipelines: Pipelines,
    /// Of the groups that were prepared, in their order.
    buffers: Vec<ViewBuffers>,
    is_prepared: bool,
}

/// Characters of one model in [`Renderer::prepare_groups`].
#[derive(Debug, Clone, Copy)]
pub struct Group<'a> {
    /// The uploaded model.
    pub uploaded: &'a GpuModel,
    /// The model that was uploaded.
    pub model: &'a Model,
    /// The characters, the first one farthest back.
    pub members: &'a [Member<'a>],
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
        let buffers = vec![ViewBuffers::new(device, pipelines, model)?];
        Ok(Self { model: model.clone(), pipelines: pipelines.clone(), buffers, is_prepared: false })
    }

    /// The uploaded model, for further [`ViewBuffers`].
    pub fn model(&self) -> &GpuModel {
        &self.model
    }

    /// The pipelines, for further models.
    pub fn pipelines(&self) -> &Pipelines {
        &self.pipelines
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
        let pipelines = self.pipelines.for_target(target);
        for number in 0..self.buffers.len() {
            if let Err(error) = self.buffers[number].set_pipelines(device, &pipelines) {
                // They exist already, so going back cannot fail.
                let changed = self.buffers[..number].iter_mut();
                changed.for_each(|buffers| drop(buffers.set_pipelines(device, &self.pipelines)));
                return Err(error);
            }
        }
        self.pipelines = pipelines;
        Ok(())
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
    pub fn prepare(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        model: &Model,
        list: &DrawList,
        camera: impl Into<Camera>,
        filter: Filter,
    ) -> Result<(), GpuError> {
        self.prepare_crowd(device, queue, model, &[Member::from(list)], camera, filter)
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
    pub fn prepare_crowd(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        model: &Model,
        members: &[Member<'_>],
        camera: impl Into<Camera>,
        filter: Filter,
    ) -> Result<(), GpuError> {
        let uploaded = &self.model.clone();
        self.prepare_groups(device, queue, &[Group { uploaded, model, members }], camera, filter)
    }

    /// Fills the buffers with what [`Self::draw`] draws: characters of any models on the same device, the first group
    /// farthest back. A model may have several groups, with others between them. If the target has a depth, a
    /// [depth test](Pipelines::with_depth_test) puts characters in front of each other in any order of groups.
    ///
    /// The buffers of groups are kept for the next call. Models without a group lose theirs.
    ///
    /// # Errors
    ///
    /// As [`ViewBuffers::new`] and [`ViewBuffers::prepare`]. Nothing is drawn then.
    ///
    /// # Panics
    ///
    /// As [`ViewBuffers::prepare`].
    pub fn prepare_groups(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        groups: &[Group<'_>],
        camera: impl Into<Camera>,
        filter: Filter,
    ) -> Result<(), GpuError> {
        self.is_prepared = false;
        let camera = camera.into();
        for (number, group) in groups.iter().enumerate() {
            let kept = &self.buffers[number..];
            match kept.iter().position(|buffers| buffers.model().is_same(group.uploaded)) {
                Some(place) => self.buffers.swap(number, number + place),
                None => self.buffers.insert(number, ViewBuffers::new(device, &self.pipelines, group.uploaded)?),
            }
            self.buffers[number].prepare(device, queue, group.model, group.members, camera, filter)?;
        }
        self.buffers.truncate(groups.len());
        self.is_prepared = true;
        Ok(())
    }

    /// The number of draw calls that [`Self::draw`] makes: see [`ViewBuffers::draw_calls`].
    pub fn draw_calls(&self) -> usize {
        self.prepared().map(ViewBuffers::draw_calls).sum()
    }

    /// The number of bytes that were sent to the GPU: see [`ViewBuffers::uploaded_bytes`].
    pub fn uploaded_bytes(&self) -> u64 {
        self.prepared().map(ViewBuffers::uploaded_bytes).sum()
    }

    /// The sizes of the buffers on the GPU: see [`ViewBuffers::buffer_bytes`].
    pub fn buffer_bytes(&self) -> u64 {
        self.buffers.iter().map(ViewBuffers::buffer_bytes).sum()
    }

    /// Records what was prepared: see [`ViewBuffers::draw`].
    pub fn draw(&self, pass: &mut wgpu::RenderPass<'_>) {
        self.prepared().for_each(|buffers| buffers.draw(pass));
    }

    fn prepared(&self) -> impl Iterator<Item = &ViewBuffers> {
        self.buffers.iter().filter(|_| self.is_prepared)
    }
}
