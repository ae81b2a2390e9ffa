//! Reads a texture back into a [`Picture`], with or without blocking.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

use super::target::OffscreenTarget;
use crate::draw::Picture;
use crate::gpu::error::{Cause, GpuError};

/// Reads targets back, one at a time, through a buffer that is reused.
///
/// Call [`Self::record`], submit the encoder, call [`Self::wait`] or poll [`Self::is_ready`], then [`Self::take`].
#[derive(Debug, Default)]
pub struct Readback {
    buffer: Option<wgpu::Buffer>,
    width: u32,
    height: u32,
    /// Bytes per row in the buffer.
    stride: u32,
    /// Set by wgpu's callback.
    state: Arc<AtomicU8>,
}

const IDLE: u8 = 0;
const PENDING: u8 = 1;
const READY: u8 = 2;
const FAILED: u8 = 3;

impl Readback {
    /// Records a copy of `target`, which is made when `encoder` is submitted. A picture that was not taken is
    /// lost.
    ///
    /// # Errors
    ///
    /// `buffer-too-large` if the picture does not fit in a buffer of the device.
    pub fn record(
        &mut self,
        device: &wgpu::Device,
        encoder: &mut wgpu::CommandEncoder,
        target: &OffscreenTarget,
    ) -> Result<(), GpuError> {
        if self.state.load(Ordering::Acquire) != IDLE {
            // Its buffer may still be mapped or about to be.
            *self = Self::default();
        }
        (self.width, self.height) = (target.width(), target.height());
        self.stride = (self.width * 4).next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT);
        let size = u64::from(self.stride) * u64::from(self.height);
        let limit = device.limits().max_buffer_size;
        if size > limit {
            let what = format!("reading back a picture of {}×{}", self.width, self.height);
            return Err(Cause::BufferTooLarge { what, bytes: size, limit }.into());
        }
        let buffer = match self.buffer.take() {
            Some(buffer) if buffer.size() >= size => buffer,
            _ => device.create_buffer(&wgpu::BufferDescriptor {
                label: Some("pchr readback"),
                size,
                usage: wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST,
                mapped_at_creation: false,
            }),
        };
        let layout =
            wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(self.stride), rows_per_image: None };
        encoder.copy_texture_to_buffer(
            target.texture().as_image_copy(),
            wgpu::TexelCopyBufferInfo { buffer: &buffer, layout },
            target.texture().size(),
        );
        self.state.store(PENDING, Ordering::Release);
        let state = Arc::clone(&self.state);
        encoder.map_buffer_on_submit(&buffer, wgpu::MapMode::Read, 0..size, move |mapped| {
            state.store(if mapped.is_ok() { READY } else { FAILED }, Ordering::Release);
        });
        self.buffer = Some(buffer);
        Ok(())
    }

    /// Returns true if the copy has finished or failed. In a browser this becomes true by itself; elsewhere the
    /// device has to be polled.
    pub fn is_ready(&self) -> bool {
        matches!(self.state.load(Ordering::Acquire), READY | FAILED)
    }

    /// Blocks until `submission` is done. In a browser, which does not allow blocking, it returns at once. Nothing
    /// else in this module blocks.
    pub fn wait(&self, device: &wgpu::Device, submission: wgpu::SubmissionIndex) {
        // A lost device ends the wait with an error, and `take` finds that nothing was mapped.
        let _ = device.poll(wgpu::PollType::Wait { submission_index: Some(submission), timeout: None });
    }

    /// Copies the picture out.
    ///
    /// # Errors
    ///
    /// `nothing-to-receive` if nothing was recorded, or it is not ready, or the device was lost.
    pub fn take(&mut self, picture: &mut Picture) -> Result<(), GpuError> {
        let Some(buffer) = &self.buffer else { return Err(Cause::NothingToReceive.into()) };
        if self.state.load(Ordering::Acquire) != READY {
            return Err(Cause::NothingToReceive.into());
        }
        let size = u64::from(self.stride) * u64::from(self.height);
        let mapped = buffer.slice(..size).get_mapped_range().map_err(|_| Cause::NothingToReceive)?;
        picture.reset(self.width, self.height);
        let row = self.width as usize * 4;
        let rows = mapped.chunks_exact(self.stride as usize);
        for (to, from) in picture.pixels_mut().chunks_exact_mut(row).zip(rows) {
            to.copy_from_slice(&from[..row]);
        }
        drop(mapped);
        buffer.unmap();
        self.state.store(IDLE, Ordering::Release);
        Ok(())
    }
}
