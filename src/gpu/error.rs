//! What can go wrong on the way to the GPU. Every one of these leaves the CPU renderer as a way out.

use super::Backend;
use crate::error::shown;

/// Why the GPU does not draw.
#[derive(Debug, Clone, thiserror::Error)]
#[non_exhaustive]
pub enum GpuError {
    /// No driver offers an adapter.
    #[error("no usable graphics adapter: looked for {} and found none; {}", backend.drivers(), backend.remedy())]
    NoAdapter {
        /// Which drivers were asked.
        backend: Backend,
        /// What wgpu said.
        source: wgpu::RequestAdapterError,
    },
    /// The best adapter is a driver that draws on the CPU, and
    /// [`ContextOptions::hardware_only`](super::ContextOptions::hardware_only) refuses those.
    #[error("the only graphics driver is `{}`, which draws on the CPU", shown(adapter))]
    SoftwareOnly {
        /// Its name.
        adapter: String,
    },
    /// There are adapters, but not the one that was asked for.
    #[error("no graphics adapter is {}; {}", shown(wanted), listed(available))]
    UnknownAdapter {
        /// What was asked for.
        wanted: String,
        /// The names of those that are there, by number.
        available: Vec<String>,
    },
    /// The adapter cannot read the matrices where they are needed (WebGL2, OpenGL ES before 3.1 and some after).
    #[error("the graphics adapter `{adapter}` has too few storage buffers for vertex shaders, or none")]
    NoVertexStorage {
        /// Its name.
        adapter: String,
    },
    /// The adapter did not give a device.
    #[error("the graphics adapter `{adapter}` cannot be used")]
    NoDevice {
        /// Its name.
        adapter: String,
        /// What wgpu said.
        source: wgpu::RequestDeviceError,
    },
    /// The driver was reset, the device removed: everything on it is gone. Make a new one from the character.
    #[error("the graphics device was lost: {}", shown(message))]
    DeviceLost {
        /// What the driver said.
        message: String,
    },
    /// The device has no memory left.
    #[error("the graphics device is out of memory")]
    OutOfMemory,
    /// wgpu refused something, such as a target that cannot be blended into.
    #[error("the graphics device refused: {}", shown(description))]
    Refused {
        /// What wgpu said.
        description: String,
    },
    /// The character cuts off what it shows, and what is drawn into has no stencil to do that with.
    #[error("the character has clip masks, for which the target needs a stencil; Stencil8 would do")]
    NoStencil,
    /// A picture of the character is larger than the device's textures.
    #[error("page `{}` is {width}×{height}, this device's textures end at {limit}×{limit}", shown(page))]
    PageTooLarge {
        /// Its name.
        page: String,
        /// In pixels.
        width: u32,
        /// In pixels.
        height: u32,
        /// Largest width and height.
        limit: u32,
    },
    /// The picture to draw into is larger than the device's textures.
    #[error("the picture is {width}×{height}, this device's textures end at {limit}×{limit}")]
    PictureTooLarge {
        /// In pixels, enlarged where it is to be averaged.
        width: u64,
        /// In pixels, enlarged where it is to be averaged.
        height: u64,
        /// Largest width and height.
        limit: u32,
    },
    /// A mesh, the matrices, the triangles or the overlay is larger than the device's buffers.
    #[error("{} takes {bytes} bytes, this device's buffers end at {limit}", shown(what))]
    BufferTooLarge {
        /// What it is.
        what: String,
        /// How large it is.
        bytes: u64,
        /// How large it may be.
        limit: u64,
    },
    /// A picture was asked for that has not been drawn, or not yet.
    #[error("no picture is ready")]
    NothingToReceive,
}

fn listed(available: &[String]) -> String {
    match available {
        [] => "there is none at all".to_owned(),
        _ => format!("there is {}", available.join(", ")),
    }
}
