//! A texture to draw into.

use super::faults::catch;
use super::{GpuError, TargetFormat};

/// A texture of our own: `Rgba8Unorm`, premultiplied, blended in gamma space, optionally multisampled.
///
/// It can be shown (as a texture binding) and read back.
#[derive(Debug)]
pub struct OffscreenTarget {
    texture: wgpu::Texture,
    view: wgpu::TextureView,
    /// What is drawn into before it is resolved.
    multisampled: Option<wgpu::TextureView>,
}

impl OffscreenTarget {
    /// Its format.
    pub const FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8Unorm;

    /// A target of `width` × `height` pixels, neither 0, with 1 or 4 `samples` a pixel.
    ///
    /// Refuses one that is larger than the device's textures.
    pub fn new(device: &wgpu::Device, width: u32, height: u32, samples: u32) -> Result<Self, GpuError> {
        let limit = device.limits().max_texture_dimension_2d;
        if width.max(height) > limit {
            return Err(GpuError::PictureTooLarge { width: width.into(), height: height.into(), limit });
        }
        let create = |label, sample_count, usage| {
            device.create_texture(&wgpu::TextureDescriptor {
                label: Some(label),
                size: wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
                mip_level_count: 1,
                sample_count,
                dimension: wgpu::TextureDimension::D2,
                format: Self::FORMAT,
                usage: wgpu::TextureUsages::RENDER_ATTACHMENT | usage,
                view_formats: &[],
            })
        };
        let view_of = |texture: &wgpu::Texture| texture.create_view(&wgpu::TextureViewDescriptor::default());
        catch(device, || {
            let usage = wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_SRC;
            let texture = create("pchr target", 1, usage);
            let multisampled = (samples > 1)
                .then(|| view_of(&create("pchr multisampled target", samples, wgpu::TextureUsages::empty())));
            Ok(Self { view: view_of(&texture), texture, multisampled })
        })
    }

    /// What a [`Renderer`](super::Renderer) for this target is made with.
    pub fn format(&self) -> TargetFormat {
        let samples = self.multisampled.as_ref().map_or(1, |view| view.texture().sample_count());
        TargetFormat { color: Self::FORMAT, samples }
    }

    /// Width in pixels.
    pub fn width(&self) -> u32 {
        self.texture.width()
    }

    /// Height in pixels.
    pub fn height(&self) -> u32 {
        self.texture.height()
    }

    /// The finished picture, for a texture binding. The same view for as long as the target lives.
    pub fn view(&self) -> &wgpu::TextureView {
        &self.view
    }

    /// The texture of the finished picture.
    pub fn texture(&self) -> &wgpu::Texture {
        &self.texture
    }

    /// Begins to draw over `clear`, which is premultiplied. The picture is finished when the pass ends.
    pub fn begin_pass<'e>(
        &self,
        encoder: &'e mut wgpu::CommandEncoder,
        clear: wgpu::Color,
    ) -> wgpu::RenderPass<'e> {
        let (view, resolve_target, store) = match &self.multisampled {
            // The samples are of no use once they are averaged.
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
            ..wgpu::RenderPassDescriptor::default()
        })
    }
}
