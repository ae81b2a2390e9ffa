//! The pipelines for one device and target, created when something first needs them and shared by all models.
//!
//! Clipping needs no pipelines of its own: everything is drawn where the reference value is not above the stencil,
//! which is everywhere for a reference of 0, and inside the mask for 1.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use super::layouts::Layouts;
use super::recipe;
use super::shared::Shared;
use super::target_format::TargetFormat;
use crate::draw::BlendClass;
use crate::gpu::device::catch;
use crate::gpu::error::{Cause, GpuError};

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
        let table = shared.table(TargetUse { format: target, depth_test: None });
        Ok(Self { shared, table })
    }

    /// Returns the pipelines for another kind of target on the same device, with the same depth test. Layouts, samplers
    /// and shader modules are shared, and the same target always has the same pipelines.
    #[must_use]
    pub fn for_target(&self, target: TargetFormat) -> Self {
        let use_of_target = TargetUse { format: target, ..self.table.use_of_target };
        Self { shared: Arc::clone(&self.shared), table: self.shared.table(use_of_target) }
    }

    /// Returns pipelines for the same target that test the depth, so that characters stand between other things that
    /// were drawn into the pass. The depth of a character is [`Member::z`](crate::gpu::Member::z). `None` goes back to
    /// ignoring the depth of the target.
    #[must_use]
    pub fn with_depth_test(&self, test: Option<DepthTest>) -> Self {
        let use_of_target = TargetUse { depth_test: test, ..self.table.use_of_target };
        Self { shared: Arc::clone(&self.shared), table: self.shared.table(use_of_target) }
    }

    /// The kind of target that these pipelines draw into.
    pub fn target(&self) -> TargetFormat {
        self.table.use_of_target.format
    }

    /// Checks that the target has what pipelines need: a depth if it is tested.
    pub(in crate::gpu) fn check_depth(&self) -> Result<(), GpuError> {
        let TargetUse { format, depth_test } = self.table.use_of_target;
        let has_depth = format.depth_stencil.is_some_and(|format| format.has_depth_aspect());
        if depth_test.is_some() && !has_depth { Err(Cause::NoDepth.into()) } else { Ok(()) }
    }

    /// The number of render pipelines that were created so far, for all targets of [`Self::for_target`] together.
    pub fn created(&self) -> usize {
        self.shared.created()
    }

    pub(in crate::gpu) fn shared(&self) -> &Arc<Shared> {
        &self.shared
    }

    /// The pipeline, if it was created.
    pub(in crate::gpu) fn get(&self, kind: Kind) -> Option<&wgpu::RenderPipeline> {
        self.table.made[kind.index()].get()
    }

    /// Creates the pipelines that are missing.
    pub(in crate::gpu) fn ensure(
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
            let made =
                catch(device, || Ok(recipe::pipeline(device, &self.shared, self.table.use_of_target, kind)))?;
            self.shared.count_created();
            self.table.made[kind.index()].get_or_init(|| made);
        }
        Ok(())
    }
}

/// How characters use the depth of the target.
///
/// The parts of a character have the same depth, so `compare` should let equal depths pass (`LessEqual`, or
/// `GreaterEqual` for a reversed depth): the parts are then drawn back to front as usual.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DepthTest {
    /// When a pixel is drawn: how its depth compares with the one that is stored.
    pub compare: wgpu::CompareFunction,
    /// Writes the depth where texels have at least this much alpha, 0 to 1, and discards the others. 0.5 is usual: any
    /// translucent pixel that writes its depth hides what is drawn behind it later. `None` writes no depth and discards
    /// nothing; characters that overlap are then sorted back to front.
    pub write_from_alpha: Option<f32>,
}

/// A kind of target, and how it is used.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TargetUse {
    pub format: TargetFormat,
    pub depth_test: Option<DepthTest>,
}

/// The pipelines of one target.
#[derive(Debug)]
pub struct Table {
    pub use_of_target: TargetUse,
    /// By [`Kind::index`].
    made: [OnceLock<wgpu::RenderPipeline>; Kind::COUNT],
    creating: Mutex<()>,
}

impl Table {
    pub fn new(use_of_target: TargetUse) -> Self {
        Self { use_of_target, made: [const { OnceLock::new() }; _], creating: Mutex::default() }
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
