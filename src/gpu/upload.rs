//! Meshes → vertex and index buffers, byte for byte as the file has them.
//!
//! Many meshes share a buffer; another one is begun where a device's buffers end. Refuses a mesh that does
//! not fit in any.

use std::ops::Range;

use super::GpuError;
use crate::model::{Attachment, Mesh, Model};

/// The geometry of a model on the GPU.
#[derive(Debug)]
pub struct Geometry {
    pub vertex_buffers: Vec<wgpu::Buffer>,
    pub index_buffers: Vec<wgpu::Buffer>,
    /// By attachment; `None` where there is nothing to draw.
    pub meshes: Vec<Option<GpuMesh>>,
}

/// Where a mesh lies.
#[derive(Debug)]
pub struct GpuMesh {
    /// Its page, or the one after the last for a mesh without.
    pub page: usize,
    pub vertex_buffer: usize,
    /// Bytes. The buffer is bound from here on: drawing with a base vertex is beyond some OpenGL drivers.
    pub vertex_bytes: Range<u64>,
    pub index_buffer: usize,
    /// Indices, not bytes.
    pub indices: Range<u32>,
}

impl Geometry {
    pub fn upload(device: &wgpu::Device, model: &Model) -> Result<Self, GpuError> {
        let limit = device.limits().max_buffer_size;
        let (mut vertices, mut indices) = (Packing::new(limit), Packing::new(limit));
        let mut vertex_blocks: Vec<Block<'_>> = Vec::new();
        let mut index_blocks: Vec<Block<'_>> = Vec::new();
        let mut meshes = Vec::with_capacity(model.attachments().len());
        for attachment in model.attachments() {
            let Attachment::Mesh(mesh) = attachment;
            if mesh.indices.is_empty() || mesh.vertices.is_empty() {
                meshes.push(None);
                continue;
            }
            let vertex_block = vertices.place(mesh, mesh.vertices.bytes())?;
            let index_block = indices.place(mesh, mesh.indices.bytes())?;
            let first = (index_block.offset / 2) as u32;
            meshes.push(Some(GpuMesh {
                page: mesh.page.map_or(model.pages().len(), |page| page.index()),
                vertex_buffer: vertex_block.buffer,
                vertex_bytes: vertex_block.offset..vertex_block.offset + vertex_block.bytes.len() as u64,
                index_buffer: index_block.buffer,
                indices: first..first + mesh.indices.len() as u32,
            }));
            vertex_blocks.push(vertex_block);
            index_blocks.push(index_block);
        }
        Ok(Self {
            vertex_buffers: vertices.fill(device, "pchr vertices", wgpu::BufferUsages::VERTEX, &vertex_blocks)?,
            index_buffers: indices.fill(device, "pchr indices", wgpu::BufferUsages::INDEX, &index_blocks)?,
            meshes,
        })
    }
}

/// Bytes and where they go.
#[derive(Debug, PartialEq)]
struct Block<'a> {
    buffer: usize,
    offset: u64,
    bytes: &'a [u8],
}

/// How many buffers are needed, and how large each.
#[derive(Debug)]
struct Packing {
    limit: u64,
    sizes: Vec<u64>,
}

impl Packing {
    fn new(limit: u64) -> Self {
        Self { limit, sizes: Vec::new() }
    }

    /// Room for a part of `mesh`, beginning at a multiple of 4 bytes as buffers want it.
    fn place<'a>(&mut self, mesh: &Mesh, bytes: &'a [u8]) -> Result<Block<'a>, GpuError> {
        let room = (bytes.len() as u64).next_multiple_of(wgpu::COPY_BUFFER_ALIGNMENT);
        if room > self.limit {
            let what = format!("mesh `{}`", mesh.name);
            return Err(GpuError::BufferTooLarge { what, bytes: room, limit: self.limit });
        }
        let offset = match self.sizes.last_mut() {
            Some(size) if *size + room <= self.limit => {
                *size += room;
                *size - room
            }
            _ => {
                self.sizes.push(room);
                0
            }
        };
        Ok(Block { buffer: self.sizes.len() - 1, offset, bytes })
    }

    /// The buffers with everything in its place.
    fn fill(
        &self,
        device: &wgpu::Device,
        label: &str,
        usage: wgpu::BufferUsages,
        blocks: &[Block<'_>],
    ) -> Result<Vec<wgpu::Buffer>, GpuError> {
        let create = |&size: &u64| {
            device.create_buffer(&wgpu::BufferDescriptor {
                label: Some(label),
                size,
                usage,
                mapped_at_creation: true,
            })
        };
        let buffers: Vec<wgpu::Buffer> = self.sizes.iter().map(create).collect();
        for (number, buffer) in buffers.iter().enumerate() {
            // Fails only where there was no memory for the buffer.
            let mut mapped = buffer.slice(..).get_mapped_range_mut().map_err(|_| GpuError::OutOfMemory)?;
            for block in blocks.iter().filter(|block| block.buffer == number) {
                let from = block.offset as usize;
                mapped.slice(from..from + block.bytes.len()).copy_from_slice(block.bytes);
            }
            drop(mapped);
            buffer.unmap();
        }
        Ok(buffers)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Indices, Skin4Vertices};

    fn mesh() -> Mesh {
        Mesh {
            name: "arm".into(),
            page: None,
            vertices: Skin4Vertices::default(),
            indices: Indices::default(),
            outline: Box::default(),
        }
    }

    #[test]
    fn blocks_are_aligned_and_move_on_to_another_buffer() {
        let mut packing = Packing::new(100);
        let mut place = |len: usize| {
            let bytes = vec![0; len];
            packing.place(&mesh(), &bytes).map(|block| (block.buffer, block.offset))
        };
        assert_eq!(place(6).unwrap(), (0, 0));
        assert_eq!(place(40).unwrap(), (0, 8));
        assert_eq!(place(52).unwrap(), (0, 48));
        assert_eq!(place(2).unwrap(), (1, 0));
        assert_eq!(place(100).unwrap(), (2, 0));
        let refused = place(101).unwrap_err().to_string();
        assert_eq!(refused, "mesh `arm` takes 104 bytes, this device's buffers end at 100");
        assert_eq!(packing.sizes, [100, 4, 100]);
    }
}
