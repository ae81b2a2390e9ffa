//! A device for programs without a window.

#[cfg(target_os = "linux")]
use std::path::Path;

use super::adapters::{AdapterChoice, AdapterSummary, choose, has_vertex_storage, instance};
use super::faults::Faults;
use crate::gpu::backend::Backend;
use crate::gpu::error::{Cause, GpuError};

/// The choice of an adapter. The default is the best one available, software drivers included.
#[derive(Debug, Clone, Default)]
pub struct ContextOptions {
    /// The driver interface.
    pub backend: Backend,
    /// The adapter of the backend; `None` for the best.
    pub adapter: Option<AdapterChoice>,
    /// Refuse drivers that draw on the CPU (llvmpipe, lavapipe, SwiftShader, WARP):
    /// [`cpu::Renderer`](crate::cpu::Renderer) is faster, takes less memory, and its pictures are the same on
    /// every machine.
    pub hardware_only: bool,
}

/// A device that needs no window. Its errors are returned by [`Self::check`] and never panic.
#[derive(Debug)]
pub struct Context {
    adapter: wgpu::Adapter,
    device: wgpu::Device,
    queue: wgpu::Queue,
    faults: Faults,
}

impl Context {
    /// Opens a device. Blocks until it is open.
    ///
    /// # Errors
    ///
    /// `no-adapter` if there is no driver, and `no-hardware` if there is no GPU that it could
    /// drive and [`ContextOptions::hardware_only`] is set; `unknown-adapter` if the chosen adapter does not
    /// exist; `software-only` if the best driver draws on the CPU and [`ContextOptions::hardware_only`]
    /// is set; `no-vertex-storage` if the adapter is too old; `no-device` if it cannot be
    /// opened. The CPU renderer can still draw.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn new(options: &ContextOptions) -> Result<Self, GpuError> {
        pollster::block_on(Self::request(options))
    }

    /// Opens a device without blocking, for browsers. See [`Self::new`].
    pub async fn request(options: &ContextOptions) -> Result<Self, GpuError> {
        let backend = options.backend;
        if options.hardware_only && options.adapter.is_none() && !may_have_hardware() {
            return Err(Cause::NoHardware.into());
        }
        let adapter = match &options.adapter {
            Some(choice) => choose(&instance(Backend::Auto), backend, choice).await?,
            None => {
                let wanted = wgpu::RequestAdapterOptions {
                    power_preference: wgpu::PowerPreference::HighPerformance,
                    ..wgpu::RequestAdapterOptions::default()
                };
                let found = instance(backend).request_adapter(&wanted).await;
                found.map_err(|source| Cause::NoAdapter { backend, source })?
            }
        };
        // Before the device is requested: opening one costs memory and time.
        if options.hardware_only && adapter.get_info().device_type == wgpu::DeviceType::Cpu {
            return Err(Cause::SoftwareOnly { adapter: adapter.get_info().name }.into());
        }
        Self::on(adapter).await
    }

    async fn on(adapter: wgpu::Adapter) -> Result<Self, GpuError> {
        let name = || adapter.get_info().name;
        if !has_vertex_storage(&adapter) {
            return Err(Cause::NoVertexStorage { adapter: name() }.into());
        }
        let descriptor = wgpu::DeviceDescriptor {
            label: Some("pchr"),
            required_limits: limits(&adapter.limits()),
            ..wgpu::DeviceDescriptor::default()
        };
        let opened = adapter.request_device(&descriptor).await;
        let (device, queue) = opened.map_err(|source| Cause::NoDevice { adapter: name(), source })?;
        let faults = Faults::of(&device);
        Ok(Self { adapter, device, queue, faults })
    }

    /// The device.
    pub fn device(&self) -> &wgpu::Device {
        &self.device
    }

    /// The queue of the device.
    pub fn queue(&self) -> &wgpu::Queue {
        &self.queue
    }

    /// The adapter of the device.
    pub fn adapter(&self) -> AdapterSummary {
        AdapterSummary::of(&self.adapter)
    }

    /// Returns the first error of the device since the last call. A lost device stays lost.
    pub fn check(&self) -> Result<(), GpuError> {
        self.faults.check()
    }
}

/// Returns false if this machine certainly has no GPU. Loading drivers to find that out takes longer than drawing a
/// picture, and a driver that runs out of memory may end or hang the process.
#[cfg(target_os = "linux")]
fn may_have_hardware() -> bool {
    // Render nodes of the kernel; and the devices of NVIDIA, of WSL, and of phones, whose drivers have their own.
    const DEVICES: [&str; 6] =
        ["/dev/nvidiactl", "/dev/nvidia0", "/dev/dxg", "/dev/kgsl-3d0", "/dev/mali0", "/dev/pvr_sync"];
    let nodes = Path::new("/dev/dri").read_dir().into_iter().flatten().flatten();
    let mut names = nodes.map(|node| node.file_name());
    names.any(|name| name.to_string_lossy().starts_with("renderD"))
        || DEVICES.iter().any(|device| Path::new(device).exists())
}

/// Only Linux shows its devices as files.
#[cfg(not(target_os = "linux"))]
fn may_have_hardware() -> bool {
    true
}

/// Returns the limits with which [`Context`] opens a device of an adapter with the limits `adapter`, for programs that
/// open their own: low ones, so that old adapters have them, but the largest textures that the adapter has, and buffers
/// large enough to read such a texture back. A [`Crowd`](crate::gpu::Crowd) needs more storage buffers than wgpu's downlevel
/// limits have, and draws more members at a time from larger ones.
pub fn limits(adapter: &wgpu::Limits) -> wgpu::Limits {
    let usual = wgpu::Limits::default();
    wgpu::Limits {
        max_storage_buffers_per_shader_stage: adapter
            .max_storage_buffers_per_shader_stage
            .min(usual.max_storage_buffers_per_shader_stage),
        max_storage_buffer_binding_size: adapter.max_storage_buffer_binding_size,
        max_buffer_size: adapter.max_buffer_size,
        ..wgpu::Limits::downlevel_defaults().using_resolution(adapter.clone())
    }
}
