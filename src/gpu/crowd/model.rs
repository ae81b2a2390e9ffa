//! What all members of a crowd share, on the GPU: stored frames, draw orders, vertices, colours and textures.

use std::sync::Arc;

use super::bake::{CrowdBake, CrowdOptions};
use super::reach::Reach;
use super::tables::Tables;
use crate::gpu::device::catch;
use crate::gpu::error::{Cause, GpuError};
use crate::gpu::pipeline::CrowdPasses;
use crate::gpu::shaders::crowd_data::{DRAWN, MemberRecord};
use crate::gpu::upload::{GpuModel, create_texture};
use crate::math::Vec2;
use crate::model::{Animation, PageId};

/// A character on the GPU whose crowds pose themselves. Clones share everything.
///
/// Upload it once for each device, and show any number of [`Crowd`](crate::gpu::Crowd)s of it.
#[derive(Debug, Clone)]
pub struct CrowdModel(Arc<Uploaded>);

/// What was uploaded.
#[derive(Debug)]
pub struct Uploaded {
    /// The pages.
    pub model: GpuModel,
    pub options: CrowdOptions,
    pub animations: Vec<Animation>,
    pub reach: Reach,
    pub bone_count: u32,
    pub pose_stride: u32,
    /// The number of vertices of the largest draw order.
    pub vertex_count: u32,
    /// Of each page that is shown: whether it is pixel art.
    pub pixel_art: Vec<bool>,
    pub textures: wgpu::BindGroup,
    pub tables: Tables,
    pub bytes: u64,
}

impl CrowdModel {
    /// Uploads a baked character. `model` contains the pages of the same character.
    ///
    /// # Errors
    ///
    /// `wrong-model` if `model` belongs to another character, `bake-too-large` if the device cannot hold all stored frames or draw orders,
    /// `no-crowds` if it has no compute shaders or too few storage buffers (open it with
    /// [`limits`](crate::gpu::limits)), and
    /// `out-of-memory` or `refused` if wgpu reports an error.
    pub fn new(device: &wgpu::Device, model: &GpuModel, bake: &CrowdBake) -> Result<Self, GpuError> {
        model.check(bake.character().model())?;
        if !CrowdPasses::run_on(&device.limits()) {
            return Err(Cause::NoCrowds { adapter: device.adapter_info().name }.into());
        }
        catch(device, || upload(device, model, bake)).map(|uploaded| Self(Arc::new(uploaded)))
    }

    /// The bytes of its buffers on the device. Those of the pages are not included.
    pub fn bytes(&self) -> u64 {
        self.0.bytes
    }

    /// The bytes that every member needs on the device in addition.
    pub fn bytes_per_member(&self) -> u64 {
        self.0.bytes_per_member()
    }

    pub(super) fn uploaded(&self) -> &Uploaded {
        &self.0
    }
}

impl Uploaded {
    /// The bytes of a pose; 0 if members share the poses of the stored frames.
    pub fn pose_bytes(&self) -> u64 {
        let own = if self.options.interpolate { self.pose_stride } else { 0 };
        u64::from(own) * size_of::<Vec2>() as u64
    }

    pub fn bytes_per_member(&self) -> u64 {
        size_of::<MemberRecord>() as u64 + 2 * DRAWN.array_stride + self.pose_bytes()
    }
}

fn upload(device: &wgpu::Device, gpu_model: &GpuModel, bake: &CrowdBake) -> Result<Uploaded, GpuError> {
    let model = bake.character().model();
    let shared = &gpu_model.uploaded().shared;
    let passes = shared.crowd(device);
    let (tables, vertex_count) = Tables::upload(device, gpu_model, bake)?;
    let pixel_art = bake.pages().iter().map(|page| model.is_pixel_art(*page));
    Ok(Uploaded {
        model: gpu_model.clone(),
        options: bake.options,
        animations: model.animations().to_vec(),
        reach: bake.reach,
        bone_count: bake.bone_count() as u32,
        pose_stride: bake.pose_stride() as u32,
        vertex_count,
        pixel_art: pixel_art.collect(),
        textures: textures(device, gpu_model, &passes.textures, bake.pages()),
        bytes: tables.bytes(),
        tables,
    })
}

/// Binds the samplers and the textures of `pages`. Unused bindings have a texture of one pixel.
fn textures(
    device: &wgpu::Device,
    gpu_model: &GpuModel,
    layout: &wgpu::BindGroupLayout,
    pages: &[PageId],
) -> wgpu::BindGroup {
    let uploaded = gpu_model.uploaded();
    let unused =
        create_texture(device, "pchr unused page", 1, 1).create_view(&wgpu::TextureViewDescriptor::default());
    let mut views: Vec<&wgpu::TextureView> = Vec::with_capacity(2 * CrowdBake::MAX_PAGES);
    for page in 0..CrowdBake::MAX_PAGES {
        let [page, levels] = match pages.get(page) {
            Some(page) => uploaded.pages.views(page.index()),
            None => [None; 2],
        };
        views.extend([page.unwrap_or(&unused), levels.unwrap_or(&unused)]);
    }
    let samplers = [&uploaded.shared.nearest, &uploaded.shared.linear].map(wgpu::BindingResource::Sampler);
    let views = views.into_iter().map(wgpu::BindingResource::TextureView);
    let entries: Vec<wgpu::BindGroupEntry<'_>> = (0..)
        .zip(samplers.into_iter().chain(views))
        .map(|(binding, resource)| wgpu::BindGroupEntry { binding, resource })
        .collect();
    device.create_bind_group(&wgpu::BindGroupDescriptor {
        label: Some("pchr crowd textures"),
        layout,
        entries: &entries,
    })
}
