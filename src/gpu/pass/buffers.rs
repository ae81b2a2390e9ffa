//! The buffers that change from picture to picture: the camera, the order of the triangles, and for each chunk of the
//! crowd matrices, instances, sprites, deform offsets and overlays.
//!
//! A buffer is only ever replaced by a larger one.

use crate::draw::{DrawList, OverlayVertex};
use crate::gpu::batch::{Batch, Camera, Chunk, Member};
use crate::gpu::device::{BufferLimits, GrowingBuffer, catch};
use crate::gpu::error::GpuError;
use crate::gpu::pipeline::Layouts;
use crate::gpu::shaders::gpu_data::{Bone, Globals, Instance, Sprite};
use crate::gpu::upload::Geometry;
use crate::math::Vec2;

/// The buffers of a view.
#[derive(Debug)]
pub struct Buffers {
    globals: wgpu::Buffer,
    camera: Option<Globals>,
    indices: GrowingBuffer,
    /// At least one.
    chunks: Vec<ChunkBuffers>,
}

/// The buffers of a chunk of the crowd.
#[derive(Debug)]
pub struct ChunkBuffers {
    palette: GrowingBuffer,
    sprites: GrowingBuffer,
    deform: GrowingBuffer,
    instances: GrowingBuffer,
    overlay: GrowingBuffer,
    bind_group: wgpu::BindGroup,
    /// One for each buffer of influences.
    influence_groups: Vec<wgpu::BindGroup>,
}

impl Buffers {
    /// Buffers with limits for one element each, which grow when they are first filled.
    pub fn new(device: &wgpu::Device, layouts: &Layouts, geometry: &Geometry) -> Self {
        let globals = device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("pchr globals"),
            size: size_of::<Globals>() as u64,
            usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        let indices = GrowingBuffer::new(device, "pchr indices", wgpu::BufferUsages::INDEX, size_of::<u32>());
        let chunks = vec![ChunkBuffers::new(device, layouts, geometry, &globals)];
        Self { globals, camera: None, indices, chunks }
    }

    /// Makes limits for everything that [`Self::write`] writes.
    pub fn reserve(
        &mut self,
        device: &wgpu::Device,
        layouts: &Layouts,
        geometry: &Geometry,
        batch: &Batch,
        limits: BufferLimits,
    ) -> Result<(), GpuError> {
        let indices = size_of_val(&*batch.index_lists.indices) as u64;
        self.indices.reserve(device, "the index buffer", indices, limits.buffer)?;
        while self.chunks.len() < batch.chunks().len() {
            self.chunks.push(catch(device, || Ok(ChunkBuffers::new(device, layouts, geometry, &self.globals)))?);
        }
        for (buffers, chunk) in self.chunks.iter_mut().zip(batch.chunks()) {
            buffers.reserve(device, layouts, geometry, &self.globals, chunk, limits)?;
        }
        Ok(())
    }

    /// Writes everything that changed. [`Self::reserve`] has made limits for it. Returns the number of bytes written.
    pub fn write(
        &mut self,
        queue: &wgpu::Queue,
        members: &[Member<'_>],
        camera: &Camera,
        batch: &mut Batch,
    ) -> u64 {
        let mut written = 0;
        let camera = Globals::from(camera);
        if self.camera.replace(camera) != Some(camera) {
            queue.write_buffer(&self.globals, 0, bytemuck::bytes_of(&camera));
            written += size_of::<Globals>() as u64;
        }
        let lists = &mut batch.index_lists;
        written += self.indices.write(queue, bytemuck::cast_slice(&lists.indices), lists.changed);
        lists.changed = false;
        let (chunks, uploaded) = batch.chunks_mut();
        for (buffers, chunk) in self.chunks.iter_mut().zip(chunks) {
            let lists = uploaded[chunk.lists.clone()].iter().map(|number| members[*number as usize].list);
            written += buffers.write(queue, lists, chunk);
        }
        written
    }

    /// The sizes of all buffers in bytes.
    pub fn bytes(&self) -> u64 {
        self.globals.size() + self.indices.buffer.size() + self.chunks.iter().map(ChunkBuffers::bytes).sum::<u64>()
    }

    /// The indices of sprites and masks, 32 bits each.
    pub fn indices(&self) -> wgpu::BufferSlice<'_> {
        self.indices.buffer.slice(..)
    }

    /// The buffers of each chunk of the crowd.
    pub fn chunks(&self) -> &[ChunkBuffers] {
        &self.chunks
    }
}

impl ChunkBuffers {
    fn new(device: &wgpu::Device, layouts: &Layouts, geometry: &Geometry, globals: &wgpu::Buffer) -> Self {
        let (storage, vertex) = (wgpu::BufferUsages::STORAGE, wgpu::BufferUsages::VERTEX);
        let palette = GrowingBuffer::new(device, "pchr palette", storage, size_of::<Bone>());
        let sprites = GrowingBuffer::new(device, "pchr sprites", storage, size_of::<Sprite>());
        let deform = GrowingBuffer::new(device, "pchr deform", storage, size_of::<Vec2>());
        Self {
            instances: GrowingBuffer::new(device, "pchr instances", vertex, size_of::<Instance>()),
            overlay: GrowingBuffer::new(device, "pchr overlay", vertex, size_of::<OverlayVertex>()),
            bind_group: bind(device, layouts, globals, &palette, &sprites),
            influence_groups: bind_influences(device, layouts, geometry, &deform),
            palette,
            sprites,
            deform,
        }
    }

    fn reserve(
        &mut self,
        device: &wgpu::Device,
        layouts: &Layouts,
        geometry: &Geometry,
        globals: &wgpu::Buffer,
        chunk: &Chunk,
        limits: BufferLimits,
    ) -> Result<(), GpuError> {
        let bones = bytes_of::<Bone>(chunk.bones);
        let sprites = bytes_of::<Sprite>(chunk.tables.sprites.len());
        let deform = bytes_of::<Vec2>(chunk.deform);
        // Both are evaluated: either may have been replaced.
        let is_new = [
            self.palette.reserve(device, "the bone matrix buffer", bones, limits.storage)?,
            self.sprites.reserve(device, "the sprite buffer", sprites, limits.storage)?,
        ];
        if is_new.contains(&true) {
            self.bind_group = bind(device, layouts, globals, &self.palette, &self.sprites);
        }
        if self.deform.reserve(device, "the deform buffer", deform, limits.storage)? {
            self.influence_groups = bind_influences(device, layouts, geometry, &self.deform);
        }
        let instances = bytes_of::<Instance>(chunk.instances.len());
        self.instances.reserve(device, "the instance buffer", instances, limits.buffer)?;
        let overlay = bytes_of::<OverlayVertex>(chunk.overlay);
        self.overlay.reserve(device, "the overlay buffer", overlay, limits.buffer)?;
        Ok(())
    }

    fn write<'a>(
        &mut self,
        queue: &wgpu::Queue,
        lists: impl Iterator<Item = &'a DrawList> + Clone,
        chunk: &mut Chunk,
    ) -> u64 {
        let palettes = lists.clone().map(|list| bytemuck::cast_slice(&list.palette));
        let deforms = lists.clone().map(|list| bytemuck::cast_slice(&list.deform));
        let overlays = lists.map(|list| bytemuck::cast_slice(&list.overlay));
        self.palette.write_slices(queue, bytes_of::<Bone>(chunk.bones), palettes)
            + self.deform.write_slices(queue, bytes_of::<Vec2>(chunk.deform), deforms)
            + self.overlay.write_slices(queue, bytes_of::<OverlayVertex>(chunk.overlay), overlays)
            + self.instances.write_changes(queue, &mut chunk.instances)
            + self.sprites.write_changes(queue, &mut chunk.tables.sprites)
    }

    fn bytes(&self) -> u64 {
        let all = [&self.palette, &self.sprites, &self.deform, &self.instances, &self.overlay];
        all.into_iter().map(|buffer| buffer.buffer.size()).sum()
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

    /// Vertex buffer 0 of the overlay, of one member after the other.
    pub fn overlay(&self) -> wgpu::BufferSlice<'_> {
        self.overlay.buffer.slice(..)
    }
}

fn bytes_of<T>(count: usize) -> u64 {
    count as u64 * size_of::<T>() as u64
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
