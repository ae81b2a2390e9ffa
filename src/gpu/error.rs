//! Errors of the GPU renderer. The CPU renderer can still draw after any of them.

use crate::error::escaped;
use crate::gpu::backend::Backend;

/// The reason why the GPU cannot draw. [`GpuError::code`] tells the reasons apart.
#[derive(Debug, Clone, thiserror::Error)]
#[error(transparent)]
pub struct GpuError(Box<Cause>);

impl GpuError {
    /// Returns the stable name of the reason, such as `out-of-memory`.
    ///
    /// After `device-lost`, everything on the device is lost; upload the model to a new one. `no-hardware` and
    /// `software-only` only occur with [`ContextOptions::hardware_only`](crate::gpu::ContextOptions::hardware_only).
    pub fn code(&self) -> &'static str {
        match &*self.0 {
            Cause::WrongModel { .. } => "wrong-model",
            Cause::NoDepth => "no-depth",
            Cause::NoAdapter { .. } => "no-adapter",
            Cause::NoHardware => "no-hardware",
            Cause::SoftwareOnly { .. } => "software-only",
            Cause::UnknownAdapter { .. } => "unknown-adapter",
            Cause::NoVertexStorage { .. } => "no-vertex-storage",
            Cause::NoDevice { .. } => "no-device",
            Cause::DeviceLost { .. } => "device-lost",
            Cause::OutOfMemory => "out-of-memory",
            Cause::Refused { .. } => "refused",
            Cause::NoStencil => "no-stencil",
            Cause::PageTooLarge { .. } => "page-too-large",
            Cause::PictureTooLarge { .. } => "picture-too-large",
            Cause::BufferTooLarge { .. } => "buffer-too-large",
            Cause::NoCrowds { .. } => "no-crowds",
            Cause::BakeTooLarge { .. } => "bake-too-large",
            Cause::CrowdTooLarge { .. } => "crowd-too-large",
            Cause::NothingToReceive => "nothing-to-receive",
        }
    }

    /// Returns true if no driver was found.
    pub fn lacks_driver(&self) -> bool {
        matches!(&*self.0, Cause::NoAdapter { .. })
    }

    /// Returns true if there is no GPU: at most a driver that draws on the CPU.
    pub fn is_software_only(&self) -> bool {
        matches!(&*self.0, Cause::NoHardware | Cause::SoftwareOnly { .. })
    }

    /// After `crowd-too-large`, returns how many members of the crowd fit, from the first on.
    pub fn fitting_members(&self) -> Option<usize> {
        if let Cause::CrowdTooLarge { members, .. } = &*self.0 { Some(*members) } else { None }
    }
}

impl From<Cause> for GpuError {
    fn from(cause: Cause) -> Self {
        Self(Box::new(cause))
    }
}

/// The reasons, with their details.
#[derive(Debug, Clone, thiserror::Error)]
pub(super) enum Cause {
    /// No driver offers an adapter.
    #[error("no usable graphics adapter: found no {}; {}", backend.drivers(), backend.remedy())]
    NoAdapter {
        /// The drivers that were tried.
        backend: Backend,
        /// The error from wgpu.
        source: wgpu::RequestAdapterError,
    },
    /// The machine has no GPU, and [`ContextOptions::hardware_only`](crate::gpu::ContextOptions::hardware_only) is set. No
    /// driver was loaded.
    #[error("this machine has no GPU")]
    NoHardware,
    /// The best adapter draws on the CPU, and
    /// [`ContextOptions::hardware_only`](crate::gpu::ContextOptions::hardware_only) excludes such adapters.
    #[error("the only graphics driver is `{}`, which draws on the CPU", escaped(adapter))]
    SoftwareOnly {
        /// Name of the adapter.
        adapter: String,
    },
    /// The requested adapter does not exist.
    #[error("no graphics adapter matches {}; {}", escaped(wanted), listed(available))]
    UnknownAdapter {
        /// The requested name or number.
        wanted: String,
        /// The names of the existing adapters, by number.
        available: Vec<String>,
    },
    /// The adapter cannot read matrices in vertex shaders (WebGL2, OpenGL ES before 3.1, and some later drivers).
    #[error("the graphics adapter `{adapter}` supports too few storage buffers in vertex shaders, or none")]
    NoVertexStorage {
        /// Name of the adapter.
        adapter: String,
    },
    /// The adapter could not open a device.
    #[error("the graphics adapter `{adapter}` cannot be used")]
    NoDevice {
        /// Name of the adapter.
        adapter: String,
        /// The error from wgpu.
        source: wgpu::RequestDeviceError,
    },
    /// The driver was reset or the device removed. Everything on it is lost; upload the model to a new device.
    #[error("the graphics device was lost: {}", escaped(message))]
    DeviceLost {
        /// The message from the driver.
        message: String,
    },
    /// The device is out of memory.
    #[error("the graphics device is out of memory")]
    OutOfMemory,
    /// wgpu reported a validation error, such as a target format that does not support blending.
    #[error("the graphics device reported an error: {}", escaped(description))]
    Refused {
        /// The error from wgpu.
        description: String,
    },
    /// The model has clip masks, and the target has no stencil.
    #[error("the character has clip masks, so the target needs a stencil, such as Stencil8")]
    NoStencil,
    /// The pipelines test the depth, and the target has none.
    #[error("the depth is tested, so the target needs one, such as Depth24PlusStencil8")]
    NoDepth,
    /// The model is not the one that was uploaded, or a draw list belongs to another model.
    #[error("{}", escaped(what))]
    WrongModel {
        /// What belongs to another model, and how it differs.
        what: String,
    },
    /// A page of the model is larger than the largest texture that the device supports.
    #[error("page `{}` is {width}×{height}; the limit of this device is {limit}×{limit}", escaped(page))]
    PageTooLarge {
        /// Name of the page.
        page: String,
        /// Width in pixels.
        width: u32,
        /// Height in pixels.
        height: u32,
        /// Maximum width and height in pixels.
        limit: u32,
    },
    /// The target is larger than the largest texture that the device supports.
    #[error("the picture is {width}×{height}; the limit of this device is {limit}×{limit}")]
    PictureTooLarge {
        /// Width in pixels, multiplied by the supersampling factor.
        width: u64,
        /// Height in pixels, multiplied by the supersampling factor.
        height: u64,
        /// Maximum width and height in pixels.
        limit: u32,
    },
    /// A mesh, or the matrices, colours, triangles or overlays of a character, do not fit into the largest buffer
    /// that the device supports.
    #[error("{} needs {bytes} bytes; the limit of this device is {limit}", escaped(what))]
    BufferTooLarge {
        /// What does not fit.
        what: String,
        /// Required size in bytes.
        bytes: u64,
        /// Maximum size in bytes.
        limit: u64,
    },
    /// The device cannot run the compute shaders of a [`Crowd`](crate::gpu::Crowd), or gives them too few buffers: either the
    /// adapter has no more, or the device was opened with lower limits than [`limits`](crate::gpu::limits).
    #[error(
        "the device on the graphics adapter `{}` cannot pose crowds: it was opened without compute shaders or with too few \
         storage buffers (pchr::gpu::limits returns the limits to open it with)",
        escaped(adapter)
    )]
    NoCrowds {
        /// Name of the adapter.
        adapter: String,
    },
    /// The character of a [`Crowd`](crate::gpu::Crowd) does not fit into the largest buffer that the device supports.
    #[error(
        "{what}, {count} {things}, need {bytes} bytes; the limit of this device is {limit}, enough for {fits} {things}"
    )]
    BakeTooLarge {
        /// What does not fit.
        what: String,
        /// Required size in bytes.
        bytes: u64,
        /// Maximum size in bytes.
        limit: u64,
        /// The number of things that need this size.
        count: u64,
        /// The number of things that would fit.
        fits: u64,
        /// What was counted.
        things: &'static str,
    },
    /// The members of a crowd draw more triangles in more different orders than fit into the largest buffer that the
    /// device supports.
    #[error(
        "{} of the crowd needs more than {limit} bytes, the limit of this device; {members} members fit",
        escaped(what)
    )]
    CrowdTooLarge {
        /// What does not fit.
        what: String,
        /// Maximum size in bytes.
        limit: u64,
        /// The number of members that fit: the first ones of the crowd.
        members: usize,
    },
    /// No picture was submitted, or the submitted one is not finished.
    #[error("no picture is ready")]
    NothingToReceive,
}

fn listed(available: &[String]) -> String {
    match available {
        [] => "no adapters were found".to_owned(),
        _ => format!("available: {}", available.join(", ")),
    }
}
