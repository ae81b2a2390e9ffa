//! Errors of the GPU renderer. After any of them the CPU renderer can still draw.

use super::Backend;
use crate::error::escaped;

/// The reason why the GPU does not draw.
#[derive(Debug, Clone, thiserror::Error)]
#[non_exhaustive]
pub enum GpuError {
    /// No driver offers an adapter.
    #[error("no usable graphics adapter: found no {}; {}", backend.drivers(), backend.remedy())]
    NoAdapter {
        /// The drivers that were tried.
        backend: Backend,
        /// The error of wgpu.
        source: wgpu::RequestAdapterError,
    },
    /// The best adapter is a driver that draws on the CPU, and
    /// [`ContextOptions::hardware_only`](super::ContextOptions::hardware_only) refuses those.
    #[error("the only graphics driver is `{}`, which draws on the CPU", escaped(adapter))]
    SoftwareOnly {
        /// Its name.
        adapter: String,
    },
    /// The chosen adapter does not exist.
    #[error("no graphics adapter is {}; {}", escaped(wanted), listed(available))]
    UnknownAdapter {
        /// The choice.
        wanted: String,
        /// The names of the existing adapters, by number.
        available: Vec<String>,
    },
    /// The adapter cannot read matrices in vertex shaders (WebGL2, OpenGL ES before 3.1, and some later drivers).
    #[error("the graphics adapter `{adapter}` has too few storage buffers for vertex shaders, or none")]
    NoVertexStorage {
        /// Its name.
        adapter: String,
    },
    /// The adapter did not open a device.
    #[error("the graphics adapter `{adapter}` cannot be used")]
    NoDevice {
        /// Its name.
        adapter: String,
        /// The error of wgpu.
        source: wgpu::RequestDeviceError,
    },
    /// The driver was reset or the device removed. Everything on it is lost; upload the model to a new device.
    #[error("the graphics device was lost: {}", escaped(message))]
    DeviceLost {
        /// The message of the driver.
        message: String,
    },
    /// The device is out of memory.
    #[error("the graphics device is out of memory")]
    OutOfMemory,
    /// wgpu reported a validation error, such as a target format that does not support blending.
    #[error("the graphics device reported an error: {}", escaped(description))]
    Refused {
        /// The error of wgpu.
        description: String,
    },
    /// The model has clip masks, and the target has no stencil.
    #[error("the character has clip masks, so the target needs a stencil, such as Stencil8")]
    NoStencil,
    /// A page of the model is larger than the device's textures.
    #[error("page `{}` is {width}×{height}, the limit of this device is {limit}×{limit}", escaped(page))]
    PageTooLarge {
        /// Its name.
        page: String,
        /// Width in pixels.
        width: u32,
        /// Height in pixels.
        height: u32,
        /// The largest width and height in pixels.
        limit: u32,
    },
    /// The target is larger than the device's textures.
    #[error("the picture is {width}×{height}, the limit of this device is {limit}×{limit}")]
    PictureTooLarge {
        /// Width in pixels, including the enlargement for supersampling.
        width: u64,
        /// Height in pixels, including the enlargement for supersampling.
        height: u64,
        /// The largest width and height in pixels.
        limit: u32,
    },
    /// A mesh, or the matrices, colours, triangles or overlays of a view, are larger than the device's buffers.
    #[error("{} needs {bytes} bytes, the limit of this device is {limit}", escaped(what))]
    BufferTooLarge {
        /// What does not fit.
        what: String,
        /// Its size in bytes.
        bytes: u64,
        /// The largest size in bytes.
        limit: u64,
    },
    /// No picture was submitted, or it is not finished.
    #[error("no picture is ready")]
    NothingToReceive,
}

fn listed(available: &[String]) -> String {
    match available {
        [] => "there are no adapters".to_owned(),
        _ => format!("available: {}", available.join(", ")),
    }
}
