//! The largest buffers and bindings of a device.

/// The sizes of the largest buffers of a device, in bytes.
#[derive(Debug, Clone, Copy)]
pub struct BufferLimits {
    pub buffer: u64,
    /// Of a buffer that shaders read.
    pub storage: u64,
}

impl BufferLimits {
    pub fn of(device: &wgpu::Device) -> Self {
        let limits = device.limits();
        let buffer = limits.max_buffer_size;
        Self { buffer, storage: buffer.min(limits.max_storage_buffer_binding_size) }
    }
}
