//! The GPU backend of a window.

use std::iter;
use std::sync::{Arc, Mutex, PoisonError};

use egui::{ClippedPrimitive, TextureId};
use egui_wgpu::{Renderer, RendererOptions, ScreenDescriptor};
use wgpu::{
    CurrentSurfaceTexture, Device, FilterMode, Queue, Surface, SurfaceConfiguration, SurfaceTexture, TextureView,
};
use winit::event_loop::OwnedDisplayHandle;
use winit::window::Window;

use super::scene_renderer::GpuSceneRenderer;
use super::textures::Textures;
use super::{Frame, Painted, Screen};
use crate::scene::cost::PictureCost;
use crate::scene::preparation::Preparation;
use pchr::Character;
use pchr::error::escaped;
use pchr::export::Backend;

/// A surface, its device, and the egui renderer on it.
pub struct GpuScreen {
    // Drop order: resources before their device, the surface before the window.
    pictures: Vec<CharacterPicture>,
    egui: Renderer,
    surface: Surface<'static>,
    configuration: SurfaceConfiguration,
    queue: Queue,
    device: Device,
    window: Arc<Window>,
    /// The texture of characters that have no picture.
    blank: TextureView,
    fault: Fault,
    is_software: bool,
    name: String,
    /// True until egui's textures were uploaded from the copy.
    is_new: bool,
}

/// What draws one character, and the texture of its picture.
#[derive(Debug)]
struct CharacterPicture {
    renderer: GpuSceneRenderer,
    texture: TextureId,
}

/// The first error of the device, recorded instead of wgpu's panic.
#[derive(Clone, Default)]
struct Fault(Arc<Mutex<Option<String>>>);

impl Fault {
    fn record(&self, message: String) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(message);
    }

    fn take(&self) -> Option<String> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

impl GpuScreen {
    /// Finds an adapter that can present to `window`. The error says what is missing.
    pub fn new(display: OwnedDisplayHandle, window: Arc<Window>, backend: Backend) -> Result<Self, String> {
        pollster::block_on(Self::request(display, window, backend))
    }

    async fn request(display: OwnedDisplayHandle, window: Arc<Window>, backend: Backend) -> Result<Self, String> {
        let mut descriptor = wgpu::InstanceDescriptor::new_with_display_handle(Box::new(display));
        descriptor.backends = pchr::gpu::Backend::from(backend).backends();
        let instance = wgpu::Instance::new(descriptor);
        let surface = instance.create_surface(Arc::clone(&window)).map_err(|error| error.to_string())?;
        let options = wgpu::RequestAdapterOptions {
            compatible_surface: Some(&surface),
            ..wgpu::RequestAdapterOptions::default()
        };
        let adapter = instance.request_adapter(&options).await.map_err(|error| error.to_string())?;
        let info = adapter.get_info();
        let is_software = info.device_type == wgpu::DeviceType::Cpu;
        let name = escaped(&format!("{:?}, {}", info.backend, info.name));
        if is_software && backend == Backend::Auto {
            return Err("the driver is a software renderer, which is slower than the built-in one".to_owned());
        }
        let wanted = wgpu::Limits::downlevel_defaults().using_resolution(adapter.limits());
        let descriptor = wgpu::DeviceDescriptor {
            label: Some("pchr-view"),
            required_limits: wanted.or_worse_values_from(&adapter.limits()),
            ..wgpu::DeviceDescriptor::default()
        };
        let (device, queue) = adapter.request_device(&descriptor).await.map_err(|error| error.to_string())?;
        let fault = listen(&device, &window);
        let configuration = configure(&surface, &adapter, &window)?;
        surface.configure(&device, &configuration);
        let egui = Renderer::new(&device, configuration.format, RendererOptions::default());
        let blank = placeholder(&device);
        let is_new = true;
        Ok(Self {
            pictures: Vec::new(),
            egui,
            surface,
            configuration,
            queue,
            device,
            window,
            blank,
            fault,
            is_software,
            name,
            is_new,
        })
    }

    /// Makes sure that there are at least `count` pictures. Their textures are numbered from 0, as in
    /// [`texture_of`](super::texture_of): the renderer numbers them as they are registered.
    fn add_pictures(&mut self, count: usize) {
        while self.pictures.len() < count {
            let texture = self.egui.register_native_texture(&self.device, &self.blank, FilterMode::Nearest);
            self.pictures.push(CharacterPicture { renderer: GpuSceneRenderer::default(), texture });
        }
    }

    fn update_textures(&mut self, frame: &Frame<'_>) {
        let Self { egui, device, queue, .. } = self;
        if std::mem::take(&mut self.is_new) {
            upload_all(egui, device, queue, frame.textures);
            return;
        }
        for (id, deltas) in &frame.changes.set {
            deltas.iter().for_each(|delta| egui.update_texture(device, queue, *id, delta));
        }
    }

    fn acquire_and_present(&mut self, frame: &Frame<'_>, primitives: &[ClippedPrimitive]) -> Painted {
        let mut surface_texture = self.surface.get_current_texture();
        if matches!(surface_texture, CurrentSurfaceTexture::Outdated | CurrentSurfaceTexture::Lost) {
            self.surface.configure(&self.device, &self.configuration);
            surface_texture = self.surface.get_current_texture();
        }
        match surface_texture {
            CurrentSurfaceTexture::Success(texture) => self.present(frame, primitives, texture),
            CurrentSurfaceTexture::Suboptimal(texture) => {
                self.present(frame, primitives, texture);
                self.surface.configure(&self.device, &self.configuration);
            }
            CurrentSurfaceTexture::Timeout | CurrentSurfaceTexture::Occluded => return Painted::Later,
            CurrentSurfaceTexture::Outdated | CurrentSurfaceTexture::Lost => {
                return Painted::Lost("the surface is lost".to_owned());
            }
            CurrentSurfaceTexture::Validation => return Painted::Lost("the surface failed validation".to_owned()),
        }
        Painted::Shown
    }

    fn present(&mut self, frame: &Frame<'_>, primitives: &[ClippedPrimitive], surface_texture: SurfaceTexture) {
        let Self { egui, device, queue, .. } = self;
        let screen = ScreenDescriptor { size_in_pixels: frame.size, pixels_per_point: frame.pixels_per_point };
        let view = surface_texture.texture.create_view(&wgpu::TextureViewDescriptor::default());
        let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        let mut buffers = egui.update_buffers(device, queue, &mut encoder, primitives, &screen);
        let [r, g, b, _] = frame.clear.to_array().map(|value| f64::from(value) / 255.0);
        let pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("window"),
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view: &view,
                depth_slice: None,
                resolve_target: None,
                ops: wgpu::Operations {
                    load: wgpu::LoadOp::Clear(wgpu::Color { r, g, b, a: 1.0 }),
                    store: wgpu::StoreOp::Store,
                },
            })],
            ..wgpu::RenderPassDescriptor::default()
        });
        egui.render(&mut pass.forget_lifetime(), primitives, &screen);
        buffers.push(encoder.finish());
        queue.submit(buffers);
        self.window.pre_present_notify();
        queue.present(surface_texture);
    }
}

impl Screen for GpuScreen {
    fn prepare(&mut self, character: &Arc<Character>) -> Preparation {
        self.add_pictures(1);
        match self.pictures.first_mut() {
            Some(CharacterPicture { renderer, .. }) => renderer.prepare(&self.device, &self.queue, character),
            None => Preparation::Ready,
        }
    }

    fn paint(&mut self, mut frame: Frame<'_>) -> Painted {
        if [self.configuration.width, self.configuration.height] != frame.size {
            [self.configuration.width, self.configuration.height] = frame.size;
            self.surface.configure(&self.device, &self.configuration);
        }
        self.update_textures(&frame);
        self.add_pictures(frame.scenes.len());
        let Self { pictures, blank, egui, device, queue, .. } = self;
        let scenes = frame.scenes.iter().map(Option::as_ref).chain(iter::repeat(None));
        for (CharacterPicture { renderer, texture }, scene) in pictures.iter_mut().zip(scenes) {
            match scene.map(|scene| renderer.draw(device, queue, scene)) {
                Some(Some(new)) => {
                    egui.update_egui_texture_from_wgpu_texture(device, &new.view, new.filter, *texture);
                }
                Some(None) => {}
                None if renderer.forget() => {
                    egui.update_egui_texture_from_wgpu_texture(device, blank, FilterMode::Nearest, *texture);
                }
                None => {}
            }
        }
        let primitives = frame.ctx.tessellate(std::mem::take(&mut frame.shapes), frame.pixels_per_point);
        let painted = self.acquire_and_present(&frame, &primitives);
        frame.changes.free.iter().for_each(|id| self.egui.free_texture(id));
        match self.fault.take() {
            Some(message) => Painted::Lost(message),
            None => painted,
        }
    }

    /// Every frame is painted as a whole.
    fn forget(&mut self) {}

    fn max_texture_side(&self) -> usize {
        self.device.limits().max_texture_dimension_2d as usize
    }

    fn paces_itself(&self) -> bool {
        true
    }

    fn is_too_heavy(&self) -> bool {
        self.pictures.iter().any(|it| it.renderer.is_too_heavy())
    }

    fn cost(&self) -> Option<PictureCost> {
        self.pictures.first()?.renderer.cost()
    }

    fn name(&self) -> String {
        self.name.clone()
    }

    fn is_slow(&self) -> bool {
        self.is_software
    }
}

/// Records device errors for the next frame, and requests that frame if the device is lost.
fn listen(device: &Device, window: &Arc<Window>) -> Fault {
    let fault = Fault::default();
    let (lost, other) = (fault.clone(), fault.clone());
    let wake = Arc::downgrade(window);
    device.set_device_lost_callback(move |reason, message| {
        // A device that was dropped on purpose is no error.
        if let Some(window) = wake.upgrade() {
            lost.record(format!("the graphics device was lost ({reason:?}): {message}"));
            window.request_redraw();
        }
    });
    device.on_uncaptured_error(Arc::new(move |error: wgpu::Error| other.record(error.to_string())));
    fault
}

/// Prefers a format without sRGB conversion, as egui's colours are already encoded.
fn configure(
    surface: &Surface<'_>,
    adapter: &wgpu::Adapter,
    window: &Window,
) -> Result<SurfaceConfiguration, String> {
    let size = window.inner_size();
    let capabilities = surface.get_capabilities(adapter);
    let plain = [wgpu::TextureFormat::Bgra8Unorm, wgpu::TextureFormat::Rgba8Unorm];
    let format = plain.into_iter().find(|format| capabilities.formats.contains(format));
    let mut configuration = surface
        .get_default_config(adapter, size.width.max(1), size.height.max(1))
        .ok_or("the adapter cannot present to this window")?;
    configuration.format = format.unwrap_or(configuration.format);
    configuration.present_mode = wgpu::PresentMode::AutoVsync;
    Ok(configuration)
}

fn upload_all(egui: &mut Renderer, device: &Device, queue: &Queue, textures: &Textures) {
    for (id, delta) in textures.all() {
        egui.update_texture(device, queue, id, &delta);
    }
}

/// Returns a transparent 1×1 texture, used until a character is loaded.
fn placeholder(device: &Device) -> wgpu::TextureView {
    let texture = device.create_texture(&wgpu::TextureDescriptor {
        label: Some("no character"),
        size: wgpu::Extent3d { width: 1, height: 1, depth_or_array_layers: 1 },
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format: wgpu::TextureFormat::Rgba8Unorm,
        usage: wgpu::TextureUsages::TEXTURE_BINDING,
        view_formats: &[],
    });
    texture.create_view(&wgpu::TextureViewDescriptor::default())
}
