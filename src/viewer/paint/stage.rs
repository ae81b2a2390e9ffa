//! The character's texture on the GPU, at screen resolution.

use std::sync::Arc;

use wgpu::{Device, FilterMode, Queue, TextureView};

use crate::character::Character;
use crate::draw::{Antialias, Picture};
use crate::gpu::{OffscreenTarget, Renderer};
use crate::viewer::scene::{CpuStage, Poser, Scene};

/// Draws scenes into a texture. What the device cannot handle is drawn on the CPU and uploaded.
#[derive(Debug, Default)]
pub struct GpuStage {
    poser: Poser,
    /// The renderer is `None` if the device refused the character.
    renderer: Option<(Arc<Character>, Option<Renderer>)>,
    target: Option<OffscreenTarget>,
    fallback: CpuStage,
    drawn: Option<Scene>,
}

/// A newly created texture.
pub struct NewTexture {
    /// The view to bind.
    pub view: TextureView,
    /// The filter to show it with.
    pub filter: FilterMode,
}

impl GpuStage {
    /// Returns true if the last scene was skipped because drawing it would take too long.
    pub fn is_too_heavy(&self) -> bool {
        self.poser.is_too_heavy()
    }

    /// Releases everything about the character. The bound texture keeps its memory until another one replaces it.
    pub fn forget(&mut self) {
        if self.drawn.is_some() {
            *self = Self::default();
        }
    }

    /// Draws `scene` unless it was drawn last. Returns the texture if it is a new one.
    pub fn draw(&mut self, device: &Device, queue: &Queue, scene: &Scene) -> Option<NewTexture> {
        if self.drawn.as_ref() == Some(scene) {
            return None;
        }
        let texture = match self.draw_on_gpu(device, queue, scene) {
            Ok(texture) => texture,
            Err(Refused) => {
                self.target = None;
                let (picture, _) = self.fallback.render(scene);
                Some(upload(device, queue, picture))
            }
        };
        self.drawn = Some(scene.clone());
        texture
    }

    fn draw_on_gpu(
        &mut self,
        device: &Device,
        queue: &Queue,
        scene: &Scene,
    ) -> Result<Option<NewTexture>, Refused> {
        let (factor, samples) = enlargement(scene.settings.antialias);
        let view = scene.view.enlarged(factor);
        let (width, height) = (view.width(), view.height());
        let model = scene.character.model();
        let fits = |target: &OffscreenTarget| {
            let format = target.format();
            (target.width(), target.height(), format.samples) == (width, height, samples)
                && format.depth_stencil.is_some() == model.has_clip_masks()
        };
        let is_new = !self.target.as_ref().is_some_and(fits);
        if is_new {
            self.target = OffscreenTarget::for_model(device, model, width, height, samples).ok();
        }
        let target = self.target.as_ref().ok_or(Refused)?;

        if !self.renderer.as_ref().is_some_and(|(of, _)| Arc::ptr_eq(of, &scene.character)) {
            let renderer = Renderer::new(device, queue, model, target.format()).ok();
            self.renderer = Some((Arc::clone(&scene.character), renderer));
        }
        let renderer = self.renderer.as_mut().and_then(|(_, renderer)| renderer.as_mut()).ok_or(Refused)?;
        renderer.set_target(device, target.format()).map_err(|_| Refused)?;
        let list = self.poser.draw_list(scene);
        renderer.prepare(device, queue, model, list, view, scene.settings.filter).map_err(|_| Refused)?;

        let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        renderer.draw(&mut target.begin_pass(&mut encoder, wgpu::Color::TRANSPARENT));
        queue.submit([encoder.finish()]);
        // Minified by half with a linear filter, each pixel is the average of four.
        let filter = if factor == 1 { FilterMode::Nearest } else { FilterMode::Linear };
        Ok(is_new.then(|| NewTexture { view: target.view().clone(), filter }))
    }
}

/// The GPU cannot draw the scene; the CPU has to.
struct Refused;

/// Returns the supersampling factor and the number of samples per pixel.
fn enlargement(antialias: Antialias) -> (u32, u32) {
    match antialias {
        Antialias::None => (1, 1),
        Antialias::Msaa4 => (1, 4),
        Antialias::Ssaa2 => (2, 1),
        // Also sixteen samples per pixel: four in each of four pixels.
        Antialias::Ssaa4 => (2, 4),
    }
}

fn upload(device: &Device, queue: &Queue, picture: &Picture) -> NewTexture {
    let size = wgpu::Extent3d { width: picture.width(), height: picture.height(), depth_or_array_layers: 1 };
    let texture = device.create_texture(&wgpu::TextureDescriptor {
        label: Some("character"),
        size,
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format: OffscreenTarget::FORMAT,
        usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST,
        view_formats: &[],
    });
    let layout =
        wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(picture.width() * 4), rows_per_image: None };
    queue.write_texture(texture.as_image_copy(), picture.pixels(), layout, size);
    let view = texture.create_view(&wgpu::TextureViewDescriptor::default());
    NewTexture { view, filter: FilterMode::Nearest }
}
