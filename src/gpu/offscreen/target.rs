//! A texture to draw into.

use crate::gpu::device::catch;
use crate::gpu::error::{Cause, GpuError};
use crate::gpu::pipeline::TargetFormat;
use crate::model::Model;

/// A texture to draw into: `Rgba8Unorm`, premultiplied, blended in gamma space, optionally multisampled and with a
/// stencil. It can be bound as a texture and read back.
#[derive(Debug)]
pub struct OffscreenTarget {
    texture: wgpu::Texture,
    view: wgpu::TextureView,
    /// The multisampled texture, which is resolved into `texture`.
    multisampled: Option<wgpu::TextureView>,
    /// The stencil for clip masks.
    stencil: Option<wgpu::TextureView>,
}

impl OffscreenTarget {
    /// The format of the texture.
    pub const FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8Unorm;

    /// The format of the stencil.
    pub const STENCIL_FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Stencil8;

    /// Creates a target of `width` × `height` pixels with 1 or 4 `samples` per pixel, without a stencil.
    ///
    /// # Errors
    ///
    /// `picture-too-large` if it is larger than the device's textures; `refused` if it has
    /// no pixels, or the device does not support the number of samples; `out-of-memory`.
    pub fn new(device: &wgpu::Device, width: u32, height: u32, samples: u32) -> Result<Self, GpuError> {
        Self::create(device, width, height, samples, false)
    }

    /// Creates a target for `model`, with a stencil if it has clip masks. Otherwise like [`Self::new`].
    pub fn for_model(
        device: &wgpu::Device,
        model: &Model,
        width: u32,
        height: u32,
        samples: u32,
    ) -> Result<Self, GpuError> {
        Self::create(device, width, height, samples, model.has_clip_masks())
    }

    fn create(
        device: &wgpu::Device,
        width: u32,
        height: u32,
        samples: u32,
        has_stencil: bool,
    ) -> Result<Self, GpuError> {
        let limit = device.limits().max_texture_dimension_2d;
        if width.max(height) > limit {
            return Err(Cause::PictureTooLarge { width: width.into(), height: height.into(), limit }.into());
        }
        let create = |label, sample_count, format, usage| {
            device.create_texture(&wgpu::TextureDescriptor {
                label: Some(label),
                size: wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
                mip_level_count: 1,
                sample_count,
                dimension: wgpu::TextureDimension::D2,
                format,
                usage: wgpu::TextureUsages::RENDER_ATTACHMENT | usage,
                view_formats: &[],
            })
        };
        let view_of = |texture: &wgpu::Texture| texture.create_view(&wgpu::TextureViewDescriptor::default());
        catch(device, || {
            let usage = wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_SRC;
            let texture = create("pchr target", 1, Self::FORMAT, usage);
            let inner = |label, format| view_of(&create(label, samples, format, wgpu::TextureUsages::empty()));
            Ok(Self {
                view: view_of(&texture),
                texture,
                multisampled: (samples > 1).then(|| inner("pchr multisampled target", Self::FORMAT)),
                stencil: has_stencil.then(|| inner("pchr stencil", Self::STENCIL_FORMAT)),
            })
        })
    }

    /// The format that [`Pipelines`](crate::gpu::Pipelines) and a [`Renderer`](crate::gpu::Renderer) for this target have.
    pub fn format(&self) -> TargetFormat {
        let samples = self.multisampled.as_ref().map_or(1, |view| view.texture().sample_count());
        let depth_stencil = self.stencil.as_ref().map(|_| Self::STENCIL_FORMAT);
        TargetFormat { color: Self::FORMAT, samples, depth_stencil }
    }

    /// Width in pixels.
    pub fn width(&self) -> u32 {
        self.texture.width()
    }

    /// Height in pixels.
    pub fn height(&self) -> u32 {
        self.texture.height()
    }

    /// A view of the finished picture, for texture bindings. It stays the same for the lifetime of the target.
    pub fn view(&self) -> &wgpu::TextureView {
        &self.view
    }

    /// The texture of the finished picture.
    pub fn texture(&self) -> &wgpu::Texture {
        &self.texture
    }

    /// Begins a render pass over `clear`, a premultiplied colour. The picture is finished when the pass ends.
    pub fn begin_pass<'e>(
        &self,
        encoder: &'e mut wgpu::CommandEncoder,
        clear: wgpu::Color,
    ) -> wgpu::RenderPass<'e> {
        let (view, resolve_target, store) = match &self.multisampled {
            // Only the resolved texture is used afterwards.
            Some(multisampled) => (multisampled, Some(&self.view), wgpu::StoreOp::Discard),
            None => (&self.view, None, wgpu::StoreOp::Store),
        };
        encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("pchr"),
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view,
                depth_slice: None,
                resolve_target,
                ops: wgpu::Operations { load: wgpu::LoadOp::Clear(clear), store },
            })],
            depth_stencil_attachment: self.stencil.as_ref().map(|view| wgpu::RenderPassDepthStencilAttachment {
                view,
                depth_ops: None,
                stencil_ops: Some(wgpu::Operations {
                    load: wgpu::LoadOp::Clear(0),
                    store: wgpu::StoreOp::Discard,
                }),
            }),
            ..wgpu::RenderPassDescriptor::default()
        })
    }
}
