//! A buffer that is replaced by one at least twice as large when it is too small.

use super::GpuError;

/// The buffer, and whether what it held was lost.
#[derive(Debug)]
pub struct GrowingBuffer {
    label: &'static str,
    pub buffer: wgpu::Buffer,
    /// Nothing was written since it was made.
    is_new: bool,
}

impl GrowingBuffer {
    /// With room for `size` bytes, not 0: a binding must not be empty.
    pub fn new(device: &wgpu::Device, label: &'static str, usage: wgpu::BufferUsages, size: usize) -> Self {
        let buffer = create(device, label, usage | wgpu::BufferUsages::COPY_DST, size as u64);
        Self { label, buffer, is_new: true }
    }

    /// Makes room. True when that took another buffer. `what` is it that takes up to `limit` bytes.
    pub fn reserve(
        &mut self,
        device: &wgpu::Device,
        what: &str,
        bytes: u64,
        limit: u64,
    ) -> Result<bool, GpuError> {
        let size = self.buffer.size();
        if bytes <= size {
            return Ok(false);
        }
        if bytes > limit {
            return Err(GpuError::BufferTooLarge { what: what.to_owned(), bytes, limit });
        }
        // `bytes` is whole words, so it still fits when the limit is rounded down to them.
        let whole_words = limit - limit % wgpu::COPY_BUFFER_ALIGNMENT;
        let grown = bytes.max(size * 2).min(whole_words);
        self.buffer = create(device, self.label, self.buffer.usage(), grown);
        self.is_new = true;
        Ok(true)
    }

    /// Writes everything that it is to hold, where that is another than before.
    pub fn write(&mut self, queue: &wgpu::Queue, bytes: &[u8], changed: bool) {
        if changed || self.is_new {
            queue.write_buffer(&self.buffer, 0, bytes);
            self.is_new = false;
        }
    }
}

fn create(device: &wgpu::Device, label: &str, usage: wgpu::BufferUsages, size: u64) -> wgpu::Buffer {
    device.create_buffer(&wgpu::BufferDescriptor { label: Some(label), size, usage, mapped_at_creation: false })
}
