//! Uploads meshes and clip masks to vertex and influence buffers. Vertices with four influences are the bytes of
//! the file.
//!
//! Meshes share buffers; a new one is started when a buffer reaches the device's limit, and a mesh that exceeds
//! the limit by itself is refused. Triangles are not uploaded here, but for each view in the order in which they
//! are drawn.

use std::borrow::Cow;
use std::ops::Range;

use crate::gpu::error::{Cause, GpuError};
use crate::gpu::shaders::gpu_data::{Influence, SkinNRecord};
use crate::math::Vec2;
use crate::model::{Attachment, AttachmentId, ClipMask, Model, Skin4Vertices, SkinNVertices, Vertices};

/// The geometry of a model on the GPU.
#[derive(Debug)]
pub struct Geometry {
    /// Vertices with four influences.
    pub skin4: Vec<VertexBuffers>,
    /// Vertices with a list of influences.
    pub skin_n: Vec<VertexBuffers>,
    /// The lists of influences.
    pub influences: Vec<wgpu::Buffer>,
    /// By attachment; `None` if there is nothing to draw.
    shapes: Vec<Option<Shape>>,
}

/// The vertices of many attachments.
#[derive(Debug)]
pub struct VertexBuffers {
    /// Vertex buffer 0.
    pub vertices: wgpu::Buffer,
    /// Vertex buffer 2: the index of each vertex's attachment.
    pub sprites: wgpu::Buffer,
}

/// The uploaded geometry of an attachment that has triangles.
#[derive(Debug)]
pub struct Shape {
    /// Its page, or the number of pages for a mesh without one. Meaningless for a clip mask.
    pub page: usize,
    pub vertices: VertexPlace,
    /// Its first vertex. It is added to the indices, because some OpenGL drivers cannot draw with a base vertex.
    pub base_vertex: u32,
    /// Three per triangle.
    pub index_count: u32,
    pub first_influence: u32,
    /// 0 for vertices with four influences.
    pub influence_count: u32,
}

/// The buffers of an attachment's vertices, by index.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum VertexPlace {
    /// One of [`Geometry::skin4`].
    Skin4 { buffer: usize },
    /// One of [`Geometry::skin_n`], with influences in one of [`Geometry::influences`].
    SkinN { buffer: usize, influences: usize },
}

impl Geometry {
    pub fn upload(device: &wgpu::Device, model: &Model) -> Result<Self, GpuError> {
        let limits = device.limits();
        let mut packings = Packings {
            skin4: Packing::new(limits.max_buffer_size),
            skin_n: Packing::new(limits.max_buffer_size),
            influences: Packing::new(limits.max_buffer_size.min(limits.max_storage_buffer_binding_size)),
        };
        let neutral = model.pages().len();
        let mut shapes = Vec::with_capacity(model.attachments().len());
        for attachment in model.attachments() {
            let shape = match attachment {
                Attachment::Region(mesh) | Attachment::Mesh(mesh) => {
                    let page = mesh.page.map_or(neutral, |page| page.index());
                    let count = mesh.indices.len() as u32;
                    match &mesh.vertices {
                        _ if mesh.indices.is_empty() || mesh.vertices.is_empty() => None,
                        Vertices::Skin4(vertices) => Some(packings.skin4(&mesh.name, vertices, page, count)?),
                        Vertices::SkinN(vertices) => {
                            Some(packings.skin_n(&mesh.name, (vertices, &[]), page, count)?)
                        }
                    }
                }
                Attachment::ClipMask(mask) if mask.polygon.vertices.len() >= 3 => {
                    let polygon = &mask.polygon;
                    let count = 3 * (polygon.vertices.len() - 2) as u32;
                    let around = if mask.is_inverse { &ClipMask::AROUND[..] } else { &[] };
                    let count = count + 3 * around.len().saturating_sub(2) as u32;
                    Some(packings.skin_n(&polygon.name, (&polygon.vertices, around), neutral, count)?)
                }
                Attachment::ClipMask(_) | Attachment::Path(_) | Attachment::Point(_) | Attachment::Bounds(_) => {
                    None
                }
            };
            shapes.push(shape);
        }
        let numbers = |is_skin4: bool| {
            let of_kind = shapes.iter().enumerate().filter_map(move |(number, shape)| {
                let shape: &Shape = shape.as_ref()?;
                let buffer = match shape.vertices {
                    VertexPlace::Skin4 { buffer } if is_skin4 => buffer,
                    VertexPlace::SkinN { buffer, .. } if !is_skin4 => buffer,
                    VertexPlace::Skin4 { .. } | VertexPlace::SkinN { .. } => return None,
                };
                Some((buffer, shape.base_vertex, number as u32))
            });
            of_kind.collect::<Vec<_>>()
        };
        Ok(Self {
            skin4: packings.skin4.fill_vertices(device, Skin4Vertices::STRIDE, &numbers(true))?,
            skin_n: packings.skin_n.fill_vertices(device, size_of::<SkinNRecord>(), &numbers(false))?,
            influences: packings.influences.fill(device, "pchr influences", wgpu::BufferUsages::STORAGE)?,
            shapes,
        })
    }

    /// The number of attachments of the model.
    pub fn attachment_count(&self) -> usize {
        self.shapes.len()
    }

    /// The geometry of an attachment; `None` if it has no triangles.
    pub fn shape(&self, id: AttachmentId) -> Option<&Shape> {
        self.shapes.get(id.index())?.as_ref()
    }
}

/// The packings of all buffers.
struct Packings<'a> {
    skin4: Packing<'a>,
    skin_n: Packing<'a>,
    influences: Packing<'a>,
}

impl<'a> Packings<'a> {
    fn skin4(
        &mut self,
        name: &str,
        vertices: &'a Skin4Vertices,
        page: usize,
        index_count: u32,
    ) -> Result<Shape, GpuError> {
        let place = self.skin4.place(name, vertices.bytes().as_ref().into())?;
        Ok(Shape {
            page,
            vertices: VertexPlace::Skin4 { buffer: place.buffer },
            base_vertex: (place.bytes.start / Skin4Vertices::STRIDE as u64) as u32,
            index_count,
            first_influence: 0,
            influence_count: 0,
        })
    }

    fn skin_n(
        &mut self,
        name: &str,
        (vertices, others): (&'a SkinNVertices, &[Vec2]),
        page: usize,
        index_count: u32,
    ) -> Result<Shape, GpuError> {
        let mut influences: Cow<'a, [u8]> = bytemuck::cast_slice(vertices.influences()).into();
        for &position in others {
            let fixed = Influence { position, bone: Influence::NO_BONE, weight: 1.0 };
            influences.to_mut().extend_from_slice(bytemuck::bytes_of(&fixed));
        }
        let lists = self.influences.place(name, influences)?;
        let place = self.skin_n.place(name, records(vertices, others.len(), lists.bytes.start).into())?;
        Ok(Shape {
            page,
            vertices: VertexPlace::SkinN { buffer: place.buffer, influences: lists.buffer },
            base_vertex: (place.bytes.start / size_of::<SkinNRecord>() as u64) as u32,
            index_count,
            // Exact, since these buffers contain nothing else; and a binding has far fewer than 2³² elements.
            first_influence: (lists.bytes.start / size_of::<Influence>() as u64) as u32,
            influence_count: vertices.influences().len() as u32,
        })
    }
}

/// Returns the records of a mesh whose influences begin at byte `offset` of their shared buffer, followed by `others`
/// vertices with one influence each.
fn records(vertices: &SkinNVertices, others: usize, offset: u64) -> Vec<u8> {
    // Exact, since that buffer contains nothing else; and a binding has far fewer than 2³² elements.
    let base = (offset / size_of::<Influence>() as u64) as u32;
    let moved = |record: &SkinNRecord| -> [u8; size_of::<SkinNRecord>()] {
        bytemuck::cast(SkinNRecord { first_influence: base + record.first_influence, ..*record })
    };
    let first = vertices.influences().len() as u32;
    let other = |number: u32| SkinNRecord { first_influence: first + number, influence_count: 1, uv: Vec2::ZERO };
    let others: Vec<SkinNRecord> = (0..others as u32).map(other).collect();
    vertices.records().iter().chain(&others).flat_map(moved).collect()
}

/// The place of a block.
#[derive(Debug, PartialEq)]
struct Place {
    buffer: usize,
    bytes: Range<u64>,
}

/// The sizes of the buffers, and the blocks that go into them.
#[derive(Debug)]
struct Packing<'a> {
    limit: u64,
    sizes: Vec<u64>,
    /// Buffer, byte offset and contents.
    blocks: Vec<(usize, u64, Cow<'a, [u8]>)>,
}

impl<'a> Packing<'a> {
    fn new(limit: u64) -> Self {
        Self { limit, sizes: Vec::new(), blocks: Vec::new() }
    }

    /// Makes room for a part of the mesh `name`, aligned to 4 bytes as wgpu requires.
    fn place(&mut self, name: &str, bytes: Cow<'a, [u8]>) -> Result<Place, GpuError> {
        let len = bytes.len() as u64;
        let room = len.next_multiple_of(wgpu::COPY_BUFFER_ALIGNMENT);
        if room > self.limit {
            let what = format!("mesh `{name}`");
            return Err(Cause::BufferTooLarge { what, bytes: room, limit: self.limit }.into());
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

    /// Creates and fills the buffers.
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
            let mut mapped = mapped(buffer)?;
            for (_, offset, bytes) in self.blocks.iter().filter(|(buffer, ..)| *buffer == number) {
                let from = *offset as usize;
                mapped.slice(from..from + bytes.len()).copy_from_slice(bytes);
            }
            drop(mapped);
            buffer.unmap();
        }
        Ok(buffers)
    }

    /// Creates and fills the buffers of vertices of `stride` bytes, and those with the index of each vertex's
    /// attachment. `numbers` has the buffer, the first vertex (in ascending order) and the index of each
    /// attachment.
    fn fill_vertices(
        &self,
        device: &wgpu::Device,
        stride: usize,
        numbers: &[(usize, u32, u32)],
    ) -> Result<Vec<VertexBuffers>, GpuError> {
        let vertices = self.fill(device, "pchr vertices", wgpu::BufferUsages::VERTEX)?;
        let with_numbers = |(buffer, vertices): (usize, wgpu::Buffer)| {
            let sprites = device.create_buffer(&wgpu::BufferDescriptor {
                label: Some("pchr sprite indices"),
                size: vertices.size() / stride as u64 * size_of::<u32>() as u64,
                usage: wgpu::BufferUsages::VERTEX,
                mapped_at_creation: true,
            });
            let mut mapped = mapped(&sprites)?;
            let mut in_buffer = numbers.iter().filter(|(of, ..)| *of == buffer).peekable();
            while let Some((_, first, number)) = in_buffer.next() {
                let end = in_buffer.peek().map_or(sprites.size() as usize, |(_, next, _)| *next as usize * 4);
                mapped
                    .slice(*first as usize * 4..end)
                    .copy_from_slice(&number.to_ne_bytes().repeat(end / 4 - *first as usize));
            }
            drop(mapped);
            sprites.unmap();
            Ok(VertexBuffers { vertices, sprites })
        };
        vertices.into_iter().enumerate().map(with_numbers).collect()
    }
}

/// Returns the bytes of a buffer that was created mapped.
fn mapped(buffer: &wgpu::Buffer) -> Result<wgpu::BufferViewMut, GpuError> {
    // Fails only if there was no memory for the buffer.
    buffer.slice(..).get_mapped_range_mut().map_err(|_| Cause::OutOfMemory.into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Vec2;
    #[test]
    fn blocks_are_aligned_and_move_on_to_another_buffer() {
        let mut packing = Packing::new(100);
        let mut place =
            |len: usize| packing.place("arm", vec![0; len].into()).map(|place| (place.buffer, place.bytes.start));
        assert_eq!(place(6).unwrap(), (0, 0));
        assert_eq!(place(40).unwrap(), (0, 8));
        assert_eq!(place(52).unwrap(), (0, 48));
        assert_eq!(place(2).unwrap(), (1, 0));
        assert_eq!(place(100).unwrap(), (2, 0));
        let refused = place(101).unwrap_err().to_string();
        assert_eq!(refused, "mesh `arm` needs 104 bytes; the limit of this device is 100");
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
        assert_eq!(records(&vertices, 0, 80), bytemuck::cast_slice::<_, u8>(&expected));
    }
}
