//! A GPU buffer that at least doubles its size when it is too small.

use bytemuck::Pod;

use super::faults::catch;
use super::tracked_list::TrackedList;
use crate::gpu::error::{Cause, GpuError};

/// The buffer.
#[derive(Debug)]
pub struct GrowingBuffer {
    label: &'static str,
    pub buffer: wgpu::Buffer,
    /// True until something is written: a replaced buffer loses its contents.
    is_new: bool,
}

impl GrowingBuffer {
    /// Creates a buffer of `size` bytes, not 0: bindings must not be empty.
    pub fn new(device: &wgpu::Device, label: &'static str, usage: wgpu::BufferUsages, size: usize) -> Self {
        let buffer = create(device, label, usage | wgpu::BufferUsages::COPY_DST, size as u64);
        Self { label, buffer, is_new: true }
    }

    /// Makes room for `bytes`. Returns true if the buffer was replaced. `what` names the contents in the error if
    /// they exceed `limit`.
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
            return Err(Cause::BufferTooLarge { what: what.to_owned(), bytes, limit }.into());
        }
        // `bytes` is a multiple of the alignment, so it still fits after the limit is rounded down to one.
        let whole_words = limit - limit % wgpu::COPY_BUFFER_ALIGNMENT;
        let grown = bytes.max(size * 2).min(whole_words);
        self.buffer = catch(device, || Ok(create(device, self.label, self.buffer.usage(), grown)))?;
        self.is_new = true;
        Ok(true)
    }

    /// Writes the whole contents if they changed or the buffer is new. Returns the number of bytes written.
    pub fn write(&mut self, queue: &wgpu::Queue, bytes: &[u8], changed: bool) -> u64 {
        if !(changed || self.is_new) || bytes.is_empty() {
            return 0;
        }
        queue.write_buffer(&self.buffer, 0, bytes);
        self.is_new = false;
        bytes.len() as u64
    }

    /// Writes the items that changed, or all if the buffer is new. Returns the number of bytes written.
    pub fn write_changes<T: Pod + PartialEq>(&mut self, queue: &wgpu::Queue, kept: &mut TrackedList<T>) -> u64 {
        let is_new = std::mem::take(&mut self.is_new);
        kept.upload(is_new, |first, items| {
            queue.write_buffer(&self.buffer, (first * size_of::<T>()) as u64, bytemuck::cast_slice(items));
        })
    }

    /// Writes slices of `bytes` in total, one after the other. Returns the number of bytes written.
    pub fn write_slices<'a>(
        &self,
        queue: &wgpu::Queue,
        bytes: u64,
        slices: impl Iterator<Item = &'a [u8]>,
    ) -> u64 {
        // One write for each slice would take longer than copying it.
        let size = wgpu::BufferSize::new(bytes);
        let Some(mut mapped) = size.and_then(|size| queue.write_buffer_with(&self.buffer, 0, size)) else {
            return 0;
        };
        let mut at = 0;
        for slice in slices {
            mapped.slice(at..at + slice.len()).copy_from_slice(slice);
            at += slice.len();
        }
        bytes
    }
}

fn create(device: &wgpu::Device, label: &str, usage: wgpu::BufferUsages, size: u64) -> wgpu::Buffer {
    device.create_buffer(&wgpu::BufferDescriptor { label: Some(label), size, usage, mapped_at_creation: false })
}
