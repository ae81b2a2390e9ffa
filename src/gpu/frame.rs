//! What changes from frame to frame, in buffers that stay: the view, the matrices, the instances, the overlay.
//!
//! A buffer is replaced only by a larger one. Refuses what is larger than the device's buffers.

use super::gpu_data::{Bone, Globals, Instance};
use super::pipelines::Layouts;
use super::{GpuError, Member};
use crate::draw::{OverlayVertex, View};

/// The buffers of a frame.
#[derive(Debug)]
pub struct Frame {
    globals: wgpu::Buffer,
    palette: GrowingBuffer,
    instances: GrowingBuffer,
    overlay: GrowingBuffer,
    bind_group: wgpu::BindGroup,
    /// Kept for its memory.
    instance_list: Vec<Instance>,
}

impl Frame {
    /// Room for one bone, one character and one corner: the first frame makes it fit.
    ///
    /// Never less, for a binding must not be empty.
    pub fn new(device: &wgpu::Device, layouts: &Layouts) -> Self {
        let globals = device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("pchr globals"),
            size: size_of::<Globals>() as u64,
            usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        let palette = GrowingBuffer::new(device, "pchr palette", wgpu::BufferUsages::STORAGE, size_of::<Bone>());
        let instances =
            GrowingBuffer::new(device, "pchr instances", wgpu::BufferUsages::VERTEX, size_of::<Instance>());
        let overlay =
            GrowingBuffer::new(device, "pchr overlay", wgpu::BufferUsages::VERTEX, size_of::<OverlayVertex>());
        let bind_group = bind(device, layouts, &globals, &palette.buffer);
        Self { globals, palette, instances, overlay, bind_group, instance_list: Vec::new() }
    }

    /// Writes everything for a frame.
    pub fn write(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        layouts: &Layouts,
        members: &[Member<'_>],
        view: &View,
    ) -> Result<(), GpuError> {
        let limits = device.limits();
        let storage_limit = limits.max_buffer_size.min(limits.max_storage_buffer_binding_size);
        let bytes = |count: usize, size: usize| count as u64 * size as u64;
        let bone_count = members.iter().map(|member| member.list.palette.len()).sum();
        let overlay_count = members.iter().map(|member| member.list.overlay.len()).sum();

        let palette_bytes = bytes(bone_count, size_of::<Bone>());
        if self.palette.reserve(device, "the palette", palette_bytes, storage_limit)? {
            self.bind_group = bind(device, layouts, &self.globals, &self.palette.buffer);
        }
        let instance_bytes = bytes(members.len(), size_of::<Instance>());
        self.instances.reserve(device, "the crowd", instance_bytes, limits.max_buffer_size)?;
        let overlay_bytes = bytes(overlay_count, size_of::<OverlayVertex>());
        self.overlay.reserve(device, "the overlay", overlay_bytes, limits.max_buffer_size)?;

        queue.write_buffer(&self.globals, 0, bytemuck::bytes_of(&Globals::from(view)));
        self.instance_list.clear();
        let (mut palette_base, mut overlay_base) = (0, 0);
        for Member { list, world_from_character } in members {
            // Fits: the palette as a whole is within the limit of a binding, which is below 2³² bones.
            self.instance_list.push(Instance::new(*world_from_character, palette_base as u32));
            let palette_at = bytes(palette_base, size_of::<Bone>());
            queue.write_buffer(&self.palette.buffer, palette_at, bytemuck::cast_slice(&list.palette));
            let overlay_at = bytes(overlay_base, size_of::<OverlayVertex>());
            queue.write_buffer(&self.overlay.buffer, overlay_at, bytemuck::cast_slice(&list.overlay));
            palette_base += list.palette.len();
            overlay_base += list.overlay.len();
        }
        queue.write_buffer(&self.instances.buffer, 0, bytemuck::cast_slice(&self.instance_list));
        Ok(())
    }

    /// Group 0.
    pub fn bind_group(&self) -> &wgpu::BindGroup {
        &self.bind_group
    }

    /// Vertex buffer 1 of everything.
    pub fn instances(&self) -> wgpu::BufferSlice<'_> {
        self.instances.buffer.slice(..)
    }

    /// Vertex buffer 0 of the overlay: that of the first member, then that of the second, and so on.
    pub fn overlay(&self) -> wgpu::BufferSlice<'_> {
        self.overlay.buffer.slice(..)
    }
}

fn bind(
    device: &wgpu::Device,
    layouts: &Layouts,
    globals: &wgpu::Buffer,
    palette: &wgpu::Buffer,
) -> wgpu::BindGroup {
    device.create_bind_group(&wgpu::BindGroupDescriptor {
        label: Some("pchr frame"),
        layout: &layouts.frame,
        entries: &[
            wgpu::BindGroupEntry { binding: 0, resource: globals.as_entire_binding() },
            wgpu::BindGroupEntry { binding: 1, resource: palette.as_entire_binding() },
        ],
    })
}

/// A buffer that is replaced by one at least twice as large when it is too small.
#[derive(Debug)]
struct GrowingBuffer {
    label: &'static str,
    buffer: wgpu::Buffer,
}

impl GrowingBuffer {
    fn new(device: &wgpu::Device, label: &'static str, usage: wgpu::BufferUsages, size: usize) -> Self {
        Self { label, buffer: create(device, label, usage | wgpu::BufferUsages::COPY_DST, size as u64) }
    }

    /// Makes room. True when that took another buffer.
    fn reserve(&mut self, device: &wgpu::Device, what: &str, bytes: u64, limit: u64) -> Result<bool, GpuError> {
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
        Ok(true)
    }
}

fn create(device: &wgpu::Device, label: &str, usage: wgpu::BufferUsages, size: u64) -> wgpu::Buffer {
    device.create_buffer(&wgpu::BufferDescriptor { label: Some(label), size, usage, mapped_at_creation: false })
}
