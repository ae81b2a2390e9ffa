//! A texture → a [`Picture`], without waiting unless one wants to.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

use super::{GpuError, OffscreenTarget};
use crate::draw::Picture;

/// Reads targets back, one at a time, through a buffer that it keeps.
///
/// [`Self::record`], submit, [`Self::wait`] (or ask [`Self::is_ready`] now and then), [`Self::take`].
#[derive(Debug, Default)]
pub struct Readback {
    buffer: Option<wgpu::Buffer>,
    width: u32,
    height: u32,
    /// Bytes from row to row in the buffer.
    stride: u32,
    /// Shared with wgpu's callback.
    state: Arc<AtomicU8>,
}

const IDLE: u8 = 0;
const PENDING: u8 = 1;
const READY: u8 = 2;
const FAILED: u8 = 3;

impl Readback {
    /// Records that `target` is to be read back once `encoder` was submitted. Forgets a picture that was not
    /// taken.
    pub fn record(
        &mut self,
        device: &wgpu::Device,
        encoder: &mut wgpu::CommandEncoder,
        target: &OffscreenTarget,
    ) -> Result<(), GpuError> {
        if self.state.load(Ordering::Acquire) != IDLE {
            // Its buffer may still be on its way to the CPU.
            *self = Self::default();
        }
        (self.width, self.height) = (target.width(), target.height());
        self.stride = (self.width * 4).next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT);
        let size = u64::from(self.stride) * u64::from(self.height);
        let limit = device.limits().max_buffer_size;
        if size > limit {
            let what = format!("reading back a picture of {}×{}", self.width, self.height);
            return Err(GpuError::BufferTooLarge { what, bytes: size, limit });
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

    /// Whether [`Self::take`] has something to say. In a browser this becomes true by itself; elsewhere
    /// somebody polls the device.
    pub fn is_ready(&self) -> bool {
        matches!(self.state.load(Ordering::Acquire), READY | FAILED)
    }

    /// Waits until `submission` is done. The only place in this crate's GPU code that waits: in a browser
    /// nobody may, and there this returns at once.
    pub fn wait(&self, device: &wgpu::Device, submission: wgpu::SubmissionIndex) {
        // A lost device ends the wait with an error, and `take` finds that nothing was mapped.
        let _ = device.poll(wgpu::PollType::Wait { submission_index: Some(submission), timeout: None });
    }

    /// Moves the picture out.
    pub fn take(&mut self, picture: &mut Picture) -> Result<(), GpuError> {
        let Some(buffer) = &self.buffer else { return Err(GpuError::NothingToReceive) };
        if self.state.load(Ordering::Acquire) != READY {
            return Err(GpuError::NothingToReceive);
        }
        let size = u64::from(self.stride) * u64::from(self.height);
        let mapped = buffer.slice(..size).get_mapped_range().map_err(|_| GpuError::NothingToReceive)?;
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
