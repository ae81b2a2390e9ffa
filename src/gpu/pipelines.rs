//! The pipelines for one device and target, created when something first needs them and shared by all models.
//!
//! Clipping needs no pipelines of its own: everything is drawn where the reference value is not above the stencil,
//! which is everywhere for a reference of 0, and inside the mask for 1.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use super::faults::catch;
use super::layouts::Layouts;
use super::recipe;
use super::shared::Shared;
use super::{GpuError, TargetFormat};
use crate::draw::BlendClass;
use crate::gpu::error::Cause;

/// The render pipelines for one device and one kind of target, with everything that does not depend on a model:
/// bind group layouts, samplers and shader modules.
///
/// Make one for each device, and clone it as you like: clones share everything. [`Self::for_target`] adds a target
/// with another format or sample count. A pipeline is created when a model or a draw list first needs it, so blend
/// modes that no model uses cost nothing.
///
/// ```no_run
/// # use pchr::{draw::DrawList, gpu::{ClipMatrix, GpuError, GpuModel, Pipelines, TargetFormat, ViewBuffers}};
/// # use pchr::{draw::{Filter, View}, model::Model};
/// # fn load(device: &wgpu::Device, queue: &wgpu::Queue, models: &[Model], color: wgpu::TextureFormat)
/// #     -> Result<Vec<GpuModel>, GpuError> {
/// // Once for each device. Clip masks need a stencil.
/// let depth_stencil = Some(wgpu::TextureFormat::Depth24PlusStencil8);
/// let pipelines = Pipelines::new(device, TargetFormat { color, samples: 4, depth_stencil })?;
/// // Once for each model, however many characters and views show it.
/// let uploaded = models.iter().map(|model| GpuModel::new(device, queue, &pipelines, model));
/// # uploaded.collect()
/// # }
/// ```
#[derive(Debug, Clone)]
pub struct Pipelines {
    shared: Arc<Shared>,
    table: Arc<Table>,
}

impl Pipelines {
    /// Creates layouts and samplers for `device`. Pipelines for `target` follow when they are needed.
    ///
    /// # Errors
    ///
    /// `no-vertex-storage` if the device has too few storage buffers for vertex shaders, and
    /// `refused` or `out-of-memory` if it does not create the layouts.
    pub fn new(device: &wgpu::Device, target: TargetFormat) -> Result<Self, GpuError> {
        if device.limits().max_storage_buffers_per_shader_stage < Layouts::STORAGE_BUFFERS {
            return Err(Cause::NoVertexStorage { adapter: device.adapter_info().name }.into());
        }
        let shared = Arc::new(catch(device, || Ok(Shared::new(device)))?);
        let table = shared.table(target);
        Ok(Self { shared, table })
    }

    /// Returns the pipelines for another kind of target on the same device. Layouts, samplers and shader modules
    /// are shared, and the same target always has the same pipelines.
    #[must_use]
    pub fn for_target(&self, target: TargetFormat) -> Self {
        Self { shared: Arc::clone(&self.shared), table: self.shared.table(target) }
    }

    /// The kind of target that these pipelines draw into.
    pub(crate) fn target(&self) -> TargetFormat {
        self.table.target
    }

    /// The number of render pipelines that were created so far, for all targets of [`Self::for_target`] together.
    pub fn created(&self) -> usize {
        self.shared.created()
    }

    pub(super) fn shared(&self) -> &Arc<Shared> {
        &self.shared
    }

    /// The pipeline, if it was created.
    pub(super) fn get(&self, kind: Kind) -> Option<&wgpu::RenderPipeline> {
        self.table.made[kind.index()].get()
    }

    /// Creates the pipelines that are missing.
    pub(super) fn ensure(
        &self,
        device: &wgpu::Device,
        kinds: impl IntoIterator<Item = Kind>,
    ) -> Result<(), GpuError> {
        for kind in kinds {
            if self.get(kind).is_none() {
                self.create(device, kind)?;
            }
        }
        Ok(())
    }

    fn create(&self, device: &wgpu::Device, kind: Kind) -> Result<(), GpuError> {
        // Two threads that need the same pipeline create it once.
        let _creating = self.table.creating.lock().unwrap_or_else(PoisonError::into_inner);
        if self.get(kind).is_none() {
            let made = catch(device, || Ok(recipe::pipeline(device, &self.shared, self.table.target, kind)))?;
            self.shared.count_created();
            self.table.made[kind.index()].get_or_init(|| made);
        }
        Ok(())
    }
}

/// The pipelines of one target.
#[derive(Debug)]
pub struct Table {
    pub target: TargetFormat,
    /// By [`Kind::index`].
    made: [OnceLock<wgpu::RenderPipeline>; Kind::COUNT],
    creating: Mutex<()>,
}

impl Table {
    pub fn new(target: TargetFormat) -> Self {
        Self { target, made: [const { OnceLock::new() }; _], creating: Mutex::default() }
    }
}

/// What a pipeline draws.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Vertices with four influences, from a page.
    Skin4(BlendClass),
    /// Vertices with a list of influences, from a page.
    SkinN(BlendClass),
    /// Vertices with a list of influences, into the stencil.
    Mask,
    /// Plain triangles.
    Overlay,
    /// The members of a crowd that poses itself.
    Crowd,
}

impl Kind {
    const COUNT: usize = 2 * BlendClass::ALL.len() + 3;

    fn index(self) -> usize {
        let classes = BlendClass::ALL.len();
        match self {
            Self::Skin4(class) => class as usize,
            Self::SkinN(class) => classes + class as usize,
            Self::Mask => 2 * classes,
            Self::Overlay => 2 * classes + 1,
            Self::Crowd => 2 * classes + 2,
        }
    }
}
