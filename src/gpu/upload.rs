//! Meshes → vertex, index and influence buffers. Vertices with four influences and indices are the bytes of the file.
//!
//! Many meshes share a buffer; another one is begun where a device's buffers end. Refuses a mesh that does
//! not fit in any.

use std::borrow::Cow;
use std::ops::Range;

use super::GpuError;
use super::gpu_data::{Influence, SkinNRecord};
use super::pipelines::Layouts;
use crate::model::{Mesh, Model, SkinNVertices, Vertices};

/// The geometry of a model on the GPU.
#[derive(Debug)]
pub struct Geometry {
    pub vertex_buffers: Vec<wgpu::Buffer>,
    pub index_buffers: Vec<wgpu::Buffer>,
    /// What to bind for each buffer of influences.
    pub influence_groups: Vec<wgpu::BindGroup>,
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
    /// Which group of influences its vertices want; `None` where each has its four.
    pub influences: Option<usize>,
    pub index_buffer: usize,
    /// Indices, not bytes.
    pub indices: Range<u32>,
}

impl Geometry {
    pub fn upload(device: &wgpu::Device, layouts: &Layouts, model: &Model) -> Result<Self, GpuError> {
        let limits = device.limits();
        let (mut vertices, mut indices) =
            (Packing::new(limits.max_buffer_size), Packing::new(limits.max_buffer_size));
        let mut influences = Packing::new(limits.max_buffer_size.min(limits.max_storage_buffer_binding_size));
        let mut meshes = Vec::with_capacity(model.attachments().len());
        for attachment in model.attachments() {
            let Some(mesh) = attachment.mesh() else {
                meshes.push(None);
                continue;
            };
            if mesh.indices.is_empty() || mesh.vertices.is_empty() {
                meshes.push(None);
                continue;
            }
            let (vertex_at, influence_buffer) = match &mesh.vertices {
                Vertices::Skin4(skin4) => (vertices.place(mesh, skin4.bytes().as_ref().into())?, None),
                Vertices::SkinN(skin_n) => {
                    let lists = influences.place(mesh, bytemuck::cast_slice(skin_n.influences()).into())?;
                    (vertices.place(mesh, records(skin_n, lists.bytes.start).into())?, Some(lists.buffer))
                }
            };
            let index_at = indices.place(mesh, mesh.indices.bytes().as_ref().into())?;
            let first = (index_at.bytes.start / 2) as u32;
            meshes.push(Some(GpuMesh {
                page: mesh.page.map_or(model.pages().len(), |page| page.index()),
                vertex_buffer: vertex_at.buffer,
                vertex_bytes: vertex_at.bytes,
                influences: influence_buffer,
                index_buffer: index_at.buffer,
                indices: first..first + mesh.indices.len() as u32,
            }));
        }
        let bind = |buffer: wgpu::Buffer| {
            device.create_bind_group(&wgpu::BindGroupDescriptor {
                label: Some("pchr influences"),
                layout: &layouts.influences,
                entries: &[wgpu::BindGroupEntry { binding: 0, resource: buffer.as_entire_binding() }],
            })
        };
        let influence_buffers = influences.fill(device, "pchr influences", wgpu::BufferUsages::STORAGE)?;
        Ok(Self {
            vertex_buffers: vertices.fill(device, "pchr vertices", wgpu::BufferUsages::VERTEX)?,
            index_buffers: indices.fill(device, "pchr indices", wgpu::BufferUsages::INDEX)?,
            influence_groups: influence_buffers.into_iter().map(bind).collect(),
            meshes,
        })
    }

    /// Whether any vertices have a list of influences.
    pub fn has_lists(&self) -> bool {
        !self.influence_groups.is_empty()
    }
}

/// The records of a mesh whose influences begin at byte `offset` of their buffer, where those of other meshes are
/// before them.
fn records(vertices: &SkinNVertices, offset: u64) -> Vec<u8> {
    // Whole, for nothing else is in that buffer; and a binding ends far below 2³² of them.
    let base = (offset / size_of::<Influence>() as u64) as u32;
    let moved = |record: &SkinNRecord| -> [u8; size_of::<SkinNRecord>()] {
        bytemuck::cast(SkinNRecord { first_influence: base + record.first_influence, ..*record })
    };
    vertices.records().iter().flat_map(moved).collect()
}

/// Where something lies.
#[derive(Debug, PartialEq)]
struct Place {
    buffer: usize,
    bytes: Range<u64>,
}

/// How many buffers are needed, how large each, and what goes where.
#[derive(Debug)]
struct Packing<'a> {
    limit: u64,
    sizes: Vec<u64>,
    /// Which buffer, from which byte on, what.
    blocks: Vec<(usize, u64, Cow<'a, [u8]>)>,
}

impl<'a> Packing<'a> {
    fn new(limit: u64) -> Self {
        Self { limit, sizes: Vec::new(), blocks: Vec::new() }
    }

    /// Room for a part of `mesh`, beginning at a multiple of 4 bytes as buffers want it.
    fn place(&mut self, mesh: &Mesh, bytes: Cow<'a, [u8]>) -> Result<Place, GpuError> {
        let len = bytes.len() as u64;
        let room = len.next_multiple_of(wgpu::COPY_BUFFER_ALIGNMENT);
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
        let buffer = self.sizes.len() - 1;
        self.blocks.push((buffer, offset, bytes));
        Ok(Place { buffer, bytes: offset..offset + len })
    }

    /// The buffers with everything in its place.
    fn fill(
        &self,
        device: &wgpu::Device,
        label: &str,
        usage: wgpu::BufferUsages,
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
            for (_, offset, bytes) in self.blocks.iter().filter(|(buffer, ..)| *buffer == number) {
                let from = *offset as usize;
                mapped.slice(from..from + bytes.len()).copy_from_slice(bytes);
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
    use crate::math::Vec2;
    use crate::model::{Indices, Skin4Vertices};

    fn mesh() -> Mesh {
        Mesh {
            name: "arm".into(),
            page: None,
            vertices: Skin4Vertices::default().into(),
            indices: Indices::default(),
            tint: [1.0; 4],
            outline: Box::default(),
        }
    }

    #[test]
    fn blocks_are_aligned_and_move_on_to_another_buffer() {
        let mut packing = Packing::new(100);
        let mut place = |len: usize| {
            packing.place(&mesh(), vec![0; len].into()).map(|place| (place.buffer, place.bytes.start))
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

    #[test]
    fn records_find_their_influences_behind_those_of_other_meshes() {
        let mut vertices = SkinNVertices::default();
        let influence = Influence { position: Vec2::ZERO, bone: 0, weight: 1.0 };
        vertices.push(Vec2::X, Vec2::ZERO, &[influence; 3]).unwrap();
        vertices.push(Vec2::Y, Vec2::ZERO, &[influence; 2]).unwrap();
        let expected = [
            SkinNRecord { uv: Vec2::X, first_influence: 5, influence_count: 3 },
            SkinNRecord { uv: Vec2::Y, first_influence: 8, influence_count: 2 },
        ];
        assert_eq!(records(&vertices, 80), bytemuck::cast_slice::<_, u8>(&expected));
    }
}
