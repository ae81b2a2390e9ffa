//! The buffers that all members read: stored frames, draw orders, vertices and colours.

use bytemuck::Pod;

use super::bake::CrowdBake;
use super::reach;
use crate::draw::Sampling;
use crate::draw::mipmaps::Source;
use crate::gpu::device::BufferLimits;
use crate::gpu::error::{Cause, GpuError};
use crate::gpu::shaders::crowd_data::{CrowdOrder, CrowdPart, CrowdVertex};
use crate::gpu::shaders::gpu_data::UvPlace;
use crate::gpu::upload::GpuModel;
use crate::model::{Influence, Model};

/// The buffers that all members read.
#[derive(Debug)]
pub struct Tables {
    pub animations: wgpu::Buffer,
    pub orders: wgpu::Buffer,
    /// Samples, or finished poses.
    pub frames: wgpu::Buffer,
    pub bones: wgpu::Buffer,
    pub shares: wgpu::Buffer,
    pub indices: wgpu::Buffer,
    pub vertices: wgpu::Buffer,
    pub influences: wgpu::Buffer,
    pub parts: wgpu::Buffer,
    pub places: wgpu::Buffer,
}

impl Tables {
    /// Uploads everything. Also returns the number of vertices of the largest draw order.
    pub fn upload(device: &wgpu::Device, gpu_model: &GpuModel, bake: &CrowdBake) -> Result<(Self, u32), GpuError> {
        let model = bake.character().model();
        let upload = Upload { device, limit: BufferLimits::of(device).storage };
        let Geometry { vertices, influences, first_vertices } = geometry(model, bake);
        let (indices, orders) = upload.orders(model, bake, &first_vertices)?;
        let (parts, places) = parts(gpu_model, bake);
        let frame_count = bake.frame_count() as u64;
        let tables = Self {
            animations: upload.table("the animations of the crowd", &bake.animations)?,
            orders: upload.table("the list of draw orders of the crowd", &orders)?,
            frames: upload.counted(
                "the stored frames of the crowd",
                bake.frames.bytes(),
                frame_count,
                "stored frames",
            )?,
            bones: upload.table("the bones of the crowd", &reach::parents(model))?,
            shares: upload.table("the areas of the crowd", &bake.shares)?,
            indices: upload.table("the draw orders of the crowd", &indices)?,
            vertices: upload.table("the vertices of the crowd", &vertices)?,
            influences: upload.table("the influences of the crowd", &influences)?,
            parts: upload.table("the colours of the crowd", &parts)?,
            places: upload.table("the mipmap levels of the crowd", &places)?,
        };
        Ok((tables, orders.iter().map(|order| order.index_count).max().unwrap_or(0)))
    }

    /// The bytes of all buffers.
    pub fn bytes(&self) -> u64 {
        let Self { animations, orders, frames, bones, shares, indices, vertices, influences, parts, places } =
            self;
        [animations, orders, frames, bones, shares, indices, vertices, influences, parts, places]
            .into_iter()
            .map(wgpu::Buffer::size)
            .sum()
    }
}

/// Creates buffers that are not larger than a shader can read.
struct Upload<'a> {
    device: &'a wgpu::Device,
    limit: u64,
}

impl Upload<'_> {
    fn table<T: Pod>(&self, what: &str, items: &[T]) -> Result<wgpu::Buffer, GpuError> {
        self.counted(what, bytemuck::cast_slice(items), items.len() as u64, "elements")
    }

    /// Uploads `count` things of the same size. `things` are their names in the error.
    fn counted(
        &self,
        what: &str,
        bytes: &[u8],
        count: u64,
        things: &'static str,
    ) -> Result<wgpu::Buffer, GpuError> {
        self.check(what, bytes.len() as u64, count, things)?;
        // A binding must not be empty. Nothing reads the element of an empty table.
        let size = if bytes.is_empty() { EMPTY_BYTES } else { bytes.len() as u64 };
        let buffer = self.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("pchr crowd table"),
            size,
            usage: wgpu::BufferUsages::STORAGE,
            mapped_at_creation: true,
        });
        // Fails only if there was no memory for the buffer.
        let mut mapped = buffer.slice(..).get_mapped_range_mut().map_err(|_| Cause::OutOfMemory)?;
        mapped.slice(..bytes.len()).copy_from_slice(bytes);
        drop(mapped);
        buffer.unmap();
        Ok(buffer)
    }

    fn check(&self, what: &str, bytes: u64, count: u64, things: &'static str) -> Result<(), GpuError> {
        if bytes <= self.limit {
            return Ok(());
        }
        let fits = (u128::from(self.limit) * u128::from(count) / u128::from(bytes)) as u64;
        Err(Cause::BakeTooLarge { what: what.to_owned(), bytes, limit: self.limit, count, fits, things }.into())
    }

    /// Returns the vertices of every draw order, three per triangle, and the order of each stored frame.
    fn orders(
        &self,
        model: &Model,
        bake: &CrowdBake,
        first_vertices: &[u32],
    ) -> Result<(Vec<u32>, Vec<CrowdOrder>), GpuError> {
        let mesh = |part: u32| bake.parts[part as usize].mesh(model);
        let distinct = &bake.orders.distinct;
        let shown = distinct.iter().flatten().filter_map(|&part| mesh(part));
        let total: u64 = shown.map(|mesh| mesh.indices.len() as u64).sum();
        let bytes = total * size_of::<u32>() as u64;
        self.check("the draw orders of the crowd", bytes, distinct.len() as u64, "different draw orders")?;
        let mut indices = Vec::with_capacity(total as usize);
        let ranges: Vec<CrowdOrder> = distinct
            .iter()
            .map(|order| {
                let first_index = indices.len() as u32;
                for &part in order {
                    let first = first_vertices[part as usize];
                    let triangles = mesh(part).into_iter().flat_map(|mesh| mesh.indices.triangles());
                    indices.extend(triangles.flatten().map(|vertex| first + u32::from(vertex)));
                }
                CrowdOrder { first_index, index_count: indices.len() as u32 - first_index }
            })
            .collect();
        Ok((indices, bake.orders.of_frames.iter().map(|&order| ranges[order as usize]).collect()))
    }
}

/// The size of an empty table: at least one element of every kind.
const EMPTY_BYTES: u64 = 64;

/// The vertices of all parts.
struct Geometry {
    vertices: Vec<CrowdVertex>,
    influences: Vec<Influence>,
    /// By part, the index of its first vertex.
    first_vertices: Vec<u32>,
}

fn geometry(model: &Model, bake: &CrowdBake) -> Geometry {
    let (mut vertices, mut influences) = (Vec::new(), Vec::new());
    let mut first_vertices = Vec::with_capacity(bake.parts.len());
    for (number, part) in bake.parts.iter().enumerate() {
        first_vertices.push(vertices.len() as u32);
        part.vertices(model, |uv, list| {
            let (first_influence, influence_count) = (influences.len() as u32, list.len() as u32);
            let part = number as u32;
            vertices.push(CrowdVertex { uv, part, first_influence, influence_count, padding: 0 });
            influences.extend_from_slice(list);
        });
    }
    Geometry { vertices, influences, first_vertices }
}

/// Returns the colours of all parts, and their places on the pages and in their mipmap levels.
fn parts(gpu_model: &GpuModel, bake: &CrowdBake) -> (Vec<CrowdPart>, Vec<UvPlace>) {
    let pages = &gpu_model.uploaded().pages;
    let mut places = Vec::new();
    let parts = bake.parts.iter().map(|part| {
        let page = bake.pages()[part.page as usize].index();
        let first_place = places.len() as u32;
        // Whether it is sampled linearly does not change its place.
        places.push(pages.source(page, Source::Page(Sampling::Linear)).1);
        let mut levels_are_apart = false;
        if let Some(region) = pages.mipmaps().region_of(part.attachment) {
            let count = pages.mipmaps().regions(page)[region as usize].level_count();
            for level in 1..=count {
                let (binding, place) = pages.source(page, Source::Level { region, level });
                levels_are_apart = binding.is_level;
                places.push(place);
            }
        }
        CrowdPart {
            light: part.color.light,
            dark: part.color.dark,
            page: part.page,
            first_place,
            level_count: places.len() as u32 - first_place - 1,
            level_texture: 2 * part.page + u32::from(levels_are_apart),
            padding: 0,
        }
    });
    (parts.collect(), places)
}
