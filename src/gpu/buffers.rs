//! The buffers that change from picture to picture: camera, matrices, instances, sprites, deform offsets, the
//! order of the triangles and the overlay.
//!
//! A buffer is only ever replaced by a larger one. Data larger than the device's buffers is refused.

use super::batch::Batch;
use super::gpu_data::{Bone, Globals, Instance, Sprite};
use super::growing::GrowingBuffer;
use super::layouts::Layouts;
use super::upload::Geometry;
use super::{Camera, GpuError, Member};
use crate::draw::OverlayVertex;
use crate::math::Vec2;

/// The buffers of a view.
#[derive(Debug)]
pub struct Buffers {
    globals: wgpu::Buffer,
    palette: GrowingBuffer,
    sprites: GrowingBuffer,
    deform: GrowingBuffer,
    instances: GrowingBuffer,
    indices: GrowingBuffer,
    overlay: GrowingBuffer,
    bind_group: wgpu::BindGroup,
    /// One for each buffer of influences.
    influence_groups: Vec<wgpu::BindGroup>,
}

impl Buffers {
    /// Buffers with room for one element each, which grow when they are first filled.
    pub fn new(device: &wgpu::Device, layouts: &Layouts, geometry: &Geometry) -> Self {
        let globals = device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("pchr globals"),
            size: size_of::<Globals>() as u64,
            usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        let (storage, vertex) = (wgpu::BufferUsages::STORAGE, wgpu::BufferUsages::VERTEX);
        let palette = GrowingBuffer::new(device, "pchr palette", storage, size_of::<Bone>());
        let sprites = GrowingBuffer::new(device, "pchr sprites", storage, size_of::<Sprite>());
        let deform = GrowingBuffer::new(device, "pchr deform", storage, size_of::<Vec2>());
        let bind_group = bind(device, layouts, &globals, &palette, &sprites);
        Self {
            instances: GrowingBuffer::new(device, "pchr instances", vertex, size_of::<Instance>()),
            indices: GrowingBuffer::new(device, "pchr indices", wgpu::BufferUsages::INDEX, size_of::<u32>()),
            overlay: GrowingBuffer::new(device, "pchr overlay", vertex, size_of::<OverlayVertex>()),
            influence_groups: bind_influences(device, layouts, geometry, &deform),
            globals,
            palette,
            sprites,
            deform,
            bind_group,
        }
    }

    /// Makes room for everything that [`Self::write`] writes.
    pub fn reserve(
        &mut self,
        device: &wgpu::Device,
        layouts: &Layouts,
        geometry: &Geometry,
        members: &[Member<'_>],
        batch: &Batch,
    ) -> Result<(), GpuError> {
        let limit = device.limits().max_buffer_size;
        let storage_limit = limit.min(device.limits().max_storage_buffer_binding_size);
        let sum = |of: fn(&Member<'_>) -> usize| members.iter().map(of).sum::<usize>() as u64;
        let bones = sum(|member| size_of_val(&*member.list.palette));
        let deform = sum(|member| size_of_val(&*member.list.deform));
        let overlay = sum(|member| size_of_val(&*member.list.overlay));
        let (sprites, instances) = (size_of_val(&*batch.sprites) as u64, size_of_val(&*batch.instances) as u64);
        // Both are evaluated: either may have been replaced.
        let is_new = [
            self.palette.reserve(device, "the bone matrix buffer", bones, storage_limit)?,
            self.sprites.reserve(device, "the sprite buffer", sprites, storage_limit)?,
        ];
        if is_new.contains(&true) {
            self.bind_group = bind(device, layouts, &self.globals, &self.palette, &self.sprites);
        }
        if self.deform.reserve(device, "the deform buffer", deform, storage_limit)? {
            self.influence_groups = bind_influences(device, layouts, geometry, &self.deform);
        }
        self.instances.reserve(device, "the instance buffer", instances, limit)?;
        self.indices.reserve(device, "the index buffer", size_of_val(&*batch.indices) as u64, limit)?;
        self.overlay.reserve(device, "the overlay buffer", overlay, limit)?;
        Ok(())
    }

    /// Writes everything. [`Self::reserve`] has made room for it.
    pub fn write(&mut self, queue: &wgpu::Queue, members: &[Member<'_>], camera: &Camera, batch: &Batch) {
        queue.write_buffer(&self.globals, 0, bytemuck::bytes_of(&Globals::from(camera)));
        let (mut palette_at, mut deform_at, mut overlay_at) = (0, 0, 0);
        let append = |buffer: &GrowingBuffer, at: &mut u64, bytes: &[u8]| {
            if !bytes.is_empty() {
                queue.write_buffer(&buffer.buffer, *at, bytes);
                *at += bytes.len() as u64;
            }
        };
        for Member { list, .. } in members {
            append(&self.palette, &mut palette_at, bytemuck::cast_slice(&list.palette));
            append(&self.deform, &mut deform_at, bytemuck::cast_slice(&list.deform));
            append(&self.overlay, &mut overlay_at, bytemuck::cast_slice(&list.overlay));
        }
        self.instances.write(queue, bytemuck::cast_slice(&batch.instances), true);
        self.sprites.write(queue, bytemuck::cast_slice(&batch.sprites), batch.sprites_changed);
        self.indices.write(queue, bytemuck::cast_slice(&batch.indices), batch.indices_changed);
    }

    /// Group 0.
    pub fn bind_group(&self) -> &wgpu::BindGroup {
        &self.bind_group
    }

    /// Group 2 for a buffer of influences.
    pub fn influence_group(&self, buffer: usize) -> &wgpu::BindGroup {
        &self.influence_groups[buffer]
    }

    /// Vertex buffer 1 of every pipeline.
    pub fn instances(&self) -> wgpu::BufferSlice<'_> {
        self.instances.buffer.slice(..)
    }

    /// The indices of sprites and masks, 32 bits each.
    pub fn indices(&self) -> wgpu::BufferSlice<'_> {
        self.indices.buffer.slice(..)
    }

    /// Vertex buffer 0 of the overlay, of one member after the other.
    pub fn overlay(&self) -> wgpu::BufferSlice<'_> {
        self.overlay.buffer.slice(..)
    }
}

fn bind(
    device: &wgpu::Device,
    layouts: &Layouts,
    globals: &wgpu::Buffer,
    palette: &GrowingBuffer,
    sprites: &GrowingBuffer,
) -> wgpu::BindGroup {
    device.create_bind_group(&wgpu::BindGroupDescriptor {
        label: Some("pchr view"),
        layout: &layouts.view,
        entries: &[
            wgpu::BindGroupEntry { binding: 0, resource: globals.as_entire_binding() },
            wgpu::BindGroupEntry { binding: 1, resource: palette.buffer.as_entire_binding() },
            wgpu::BindGroupEntry { binding: 2, resource: sprites.buffer.as_entire_binding() },
        ],
    })
}

fn bind_influences(
    device: &wgpu::Device,
    layouts: &Layouts,
    geometry: &Geometry,
    deform: &GrowingBuffer,
) -> Vec<wgpu::BindGroup> {
    let bind = |influences: &wgpu::Buffer| {
        device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("pchr influences"),
            layout: &layouts.influences,
            entries: &[
                wgpu::BindGroupEntry { binding: 0, resource: influences.as_entire_binding() },
                wgpu::BindGroupEntry { binding: 1, resource: deform.buffer.as_entire_binding() },
            ],
        })
    };
    geometry.influences.iter().map(bind).collect()
}
