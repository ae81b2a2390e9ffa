//! The character's texture on the GPU, at screen resolution.

use std::sync::Arc;
use std::task::Poll;

use wgpu::{Device, FilterMode, Queue, TextureView};

use crate::scene::cost::PictureCost;
use crate::scene::preparation::{Computation, Preparation};
use crate::scene::{CpuSceneRenderer, Poser, Scene, plain};
use pchr::Character;
use pchr::draw::{Antialias, Picture};
use pchr::gpu::{
    Backdrop, GpuError, GpuModel, ModelLevels, ModelUpload, OffscreenTarget, Pipelines, Renderer, TargetFormat,
};

/// Draws scenes into a texture. What the device cannot handle is drawn on the CPU and uploaded.
#[derive(Debug, Default)]
pub struct GpuSceneRenderer {
    poser: Poser,
    /// The renderer is `None` if the device refused the character.
    renderer: Option<(Arc<Character>, Option<Renderer>)>,
    target: Option<OffscreenTarget>,
    fallback: CpuSceneRenderer,
    /// The model of the next character.
    next: Next,
    pipelines: Option<Pipelines>,
    /// What blended slots blend with: a colour, for a kind of target.
    backdrop: Option<(([u8; 3], TargetFormat), Backdrop)>,
    drawn: Option<Scene>,
    drawn_pictures: u64,
}

/// A character that is not drawn yet.
#[derive(Debug, Default)]
enum Next {
    #[default]
    Nothing,
    Computing(Computation<ModelLevels>),
    Uploading(Arc<Character>, Box<ModelUpload>),
    Ready(Arc<Character>, GpuModel),
    /// The device refused it, so the CPU draws it.
    Refused(Arc<Character>),
}

impl Next {
    fn is_of(&self, character: &Arc<Character>) -> bool {
        match self {
            Self::Nothing => false,
            Self::Computing(computation) => computation.is_of(character),
            Self::Uploading(of, _) | Self::Ready(of, _) | Self::Refused(of) => Arc::ptr_eq(of, character),
        }
    }
}

/// A newly created texture.
pub struct NewTexture {
    /// The view to bind.
    pub view: TextureView,
    /// The filter to show it with.
    pub filter: FilterMode,
}

impl GpuSceneRenderer {
    /// Returns true if the last scene was skipped because drawing it would take too long.
    pub fn is_too_heavy(&self) -> bool {
        self.poser.is_too_heavy()
    }

    /// Returns the cost of the last picture; `None` if none was drawn.
    pub fn cost(&self) -> Option<PictureCost> {
        let character = &self.drawn.as_ref()?.character;
        let number = self.drawn_pictures;
        let renderer = self.renderer.as_ref().and_then(|(_, renderer)| renderer.as_ref());
        // Without a target, the CPU has drawn.
        let Some(renderer) = renderer.filter(|_| self.target.is_some()) else {
            return self.fallback.cost().map(|cost| PictureCost { number, ..cost });
        };
        Some(PictureCost {
            number,
            draws: renderer.draw_calls() as u64,
            uploaded_bytes: renderer.uploaded_bytes(),
            texture_bytes: renderer.model().texture_bytes(),
            ..self.poser.cost(character)
        })
    }

    /// Releases everything about the character. Returns false if there was nothing. The bound texture keeps its memory
    /// until another one replaces it.
    pub fn forget(&mut self) -> bool {
        let has_drawn = self.drawn.is_some();
        if has_drawn {
            let (next, pipelines) = (std::mem::take(&mut self.next), self.pipelines.take());
            *self = Self { next, pipelines, ..Self::default() };
        }
        has_drawn
    }

    /// Bytes of textures that are uploaded in one frame.
    pub const SLICE_BYTES: u64 = 8 << 20;

    /// Prepares for drawing `character`: computes its mipmap levels on another thread, then uploads a slice of its
    /// pages. Call it once per frame until it is ready.
    pub fn prepare(&mut self, device: &Device, queue: &Queue, character: &Arc<Character>) -> Preparation {
        if !self.next.is_of(character) {
            let limits = device.limits();
            let compute = move |character: &Character| ModelLevels::new(character.model(), &limits);
            self.next = Next::Computing(Computation::start(character, compute));
        }
        let model = character.model();
        if let Next::Computing(computation) = &self.next {
            let Poll::Ready(levels) = computation.take() else { return Preparation::Computing };
            let upload = levels.ok_or(Refused).and_then(|levels| {
                let pipelines = self.pipelines(device)?;
                ModelUpload::new(device, &pipelines, model, levels).map_err(|_| Refused)
            });
            self.next = match upload {
                Ok(upload) => Next::Uploading(Arc::clone(character), Box::new(upload)),
                Err(Refused) => Next::Refused(Arc::clone(character)),
            };
        }
        if let Next::Uploading(_, upload) = &mut self.next {
            if upload.advance(device, queue, model, Self::SLICE_BYTES).is_err() {
                self.next = Next::Refused(Arc::clone(character));
            } else if !upload.is_done() {
                let (done, total) = upload.bytes();
                return Preparation::Uploading(done, total);
            }
        }
        self.next = match std::mem::take(&mut self.next) {
            Next::Uploading(of, upload) => Next::Ready(of, upload.finish()),
            next @ (Next::Nothing | Next::Computing(_) | Next::Ready(..) | Next::Refused(_)) => next,
        };
        match &self.next {
            Next::Refused(_) => self.fallback.prepare(character),
            Next::Nothing | Next::Computing(_) | Next::Uploading(..) | Next::Ready(..) => Preparation::Ready,
        }
    }

    /// Returns the pipelines, whose target does not matter yet.
    fn pipelines(&mut self, device: &Device) -> Result<Pipelines, Refused> {
        if let Some(pipelines) = &self.pipelines {
            return Ok(pipelines.clone());
        }
        let target = TargetFormat { color: OffscreenTarget::FORMAT, samples: 1, depth_stencil: None };
        let pipelines = Pipelines::new(device, target).map_err(|_| Refused)?;
        Ok(self.pipelines.insert(pipelines).clone())
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
        self.drawn_pictures += 1;
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
            let format = target.format();
            let renderer = match std::mem::take(&mut self.next) {
                Next::Ready(of, uploaded) if Arc::ptr_eq(&of, &scene.character) => {
                    let pipelines = self.pipelines.as_ref().ok_or(Refused)?.for_target(format);
                    Renderer::of_model(device, &uploaded, &pipelines).ok()
                }
                Next::Refused(of) if Arc::ptr_eq(&of, &scene.character) => None,
                next @ (Next::Nothing
                | Next::Computing(_)
                | Next::Uploading(..)
                | Next::Ready(..)
                | Next::Refused(_)) => {
                    self.next = next;
                    Renderer::new(device, queue, model, format).ok()
                }
            };
            self.renderer = Some((Arc::clone(&scene.character), renderer));
        }
        let renderer = self.renderer.as_mut().and_then(|(_, renderer)| renderer.as_mut()).ok_or(Refused)?;
        renderer.set_target(device, target.format()).map_err(|_| Refused)?;
        let list = self.poser.draw_list(scene);
        renderer.prepare(device, queue, model, list, view, scene.settings.filter).map_err(|_| Refused)?;

        let backdrop = match scene.behind.filter(|_| list.blends_with_background()) {
            None => None,
            Some(color) => {
                let key = (color, target.format());
                Some(match self.backdrop.take() {
                    Some((known, backdrop)) if known == key => &self.backdrop.insert((known, backdrop)).1,
                    _ => &self.backdrop.insert((key, of_color(device, queue, key).map_err(|_| Refused)?)).1,
                })
            }
        };
        let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        let mut pass = target.begin_pass(&mut encoder, wgpu::Color::TRANSPARENT);
        backdrop.iter().for_each(|backdrop| backdrop.fill(&mut pass));
        renderer.draw(&mut pass);
        backdrop.iter().for_each(|backdrop| backdrop.lift(&mut pass));
        drop(pass);
        queue.submit([encoder.finish()]);
        // Minified by half with a linear filter, each pixel is the average of four.
        let filter = if factor == 1 { FilterMode::Nearest } else { FilterMode::Linear };
        Ok(is_new.then(|| NewTexture { view: target.view().clone(), filter }))
    }
}

/// The GPU cannot draw the scene; the CPU has to.
struct Refused;

/// Returns a backdrop of one pixel, which is enlarged to any size.
fn of_color(
    device: &Device,
    queue: &Queue,
    (color, target): ([u8; 3], TargetFormat),
) -> Result<Backdrop, GpuError> {
    Backdrop::new(device, queue, &Arc::new(plain(1, 1, color)), target, u32::MAX)
}

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
