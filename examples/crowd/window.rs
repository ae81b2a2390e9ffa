//! The window: events, the camera, and the count.

use std::sync::Arc;
use std::time::Instant;

use pchr::draw::View;
use pchr::gpu::TargetFormat;
use pchr::math::vec2;
use winit::application::ApplicationHandler;
use winit::event::{ElementState, KeyEvent, MouseButton, MouseScrollDelta, WindowEvent};
use winit::event_loop::{ActiveEventLoop, EventLoop};
use winit::keyboard::{Key, NamedKey};
use winit::window::{Window, WindowId};

use super::Result;
use super::arguments::{Arguments, MAX_COUNT};
use super::camera::Camera;
use super::figure::Figure;
use super::ground;
use super::report::Report;
use super::scene::{Gpu, Scene};

const COUNT: usize = 10_000;
/// Time that passes at most from frame to frame, so that nobody misses much while the window is hidden.
const MAX_STEP_SECS: f64 = 1.0;

pub fn open(figure: Figure, arguments: &Arguments) -> Result<()> {
    let event_loop = EventLoop::new()?;
    let display = Box::new(event_loop.owned_display_handle());
    let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_with_display_handle(display));
    let count = arguments.count.unwrap_or(COUNT);
    let mut app =
        App { start: Some((figure, count)), frames: arguments.frames, instance, stage: None, failure: None };
    event_loop.run_app(&mut app)?;
    app.failure.map_or(Ok(()), Err)
}

struct App {
    /// Until the window is open.
    start: Option<(Figure, usize)>,
    frames: Option<u32>,
    instance: wgpu::Instance,
    stage: Option<Stage>,
    failure: Option<Box<dyn std::error::Error>>,
}

impl ApplicationHandler for App {
    fn resumed(&mut self, event_loop: &ActiveEventLoop) {
        let Some((figure, count)) = self.start.take() else { return };
        match pollster::block_on(Stage::new(event_loop, &self.instance, figure, count)) {
            Ok(stage) => self.stage = Some(stage),
            Err(error) => self.fail(event_loop, error),
        }
    }

    fn window_event(&mut self, event_loop: &ActiveEventLoop, _: WindowId, event: WindowEvent) {
        let Some(stage) = &mut self.stage else { return };
        let is_frame = event == WindowEvent::RedrawRequested;
        match stage.handle(event_loop, event) {
            Ok(()) if is_frame => {
                if let Some(left) = &mut self.frames {
                    *left -= 1;
                    if *left == 0 {
                        event_loop.exit();
                        self.frames = None;
                    }
                }
            }
            Ok(()) => {}
            Err(error) => self.fail(event_loop, error),
        }
    }
}

impl App {
    fn fail(&mut self, event_loop: &ActiveEventLoop, error: Box<dyn std::error::Error>) {
        self.failure = Some(error);
        event_loop.exit();
    }
}

/// A window and the scene in it.
struct Stage {
    window: Arc<Window>,
    surface: wgpu::Surface<'static>,
    surface_config: wgpu::SurfaceConfiguration,
    gpu: Gpu,
    scene: Scene,
    report: Report,
    camera: Camera,
    count: usize,
    last: Instant,
    /// Seconds that the crowd has been marching.
    time: f64,
    is_paused: bool,
}

impl Stage {
    async fn new(
        event_loop: &ActiveEventLoop,
        instance: &wgpu::Instance,
        figure: Figure,
        count: usize,
    ) -> Result<Self> {
        let attributes = Window::default_attributes()
            .with_title("A crowd")
            .with_inner_size(winit::dpi::LogicalSize::new(1280.0, 720.0));
        let window = Arc::new(event_loop.create_window(attributes)?);
        let surface = instance.create_surface(Arc::clone(&window))?;
        let options = wgpu::RequestAdapterOptions {
            power_preference: wgpu::PowerPreference::HighPerformance,
            compatible_surface: Some(&surface),
            ..wgpu::RequestAdapterOptions::default()
        };
        let adapter = instance.request_adapter(&options).await?;
        let (device, queue) = adapter
            .request_device(&wgpu::DeviceDescriptor {
                required_limits: pchr::gpu::limits(&adapter.limits()),
                ..wgpu::DeviceDescriptor::default()
            })
            .await?;
        let size = window.inner_size();
        let mut surface_config = surface
            .get_default_config(&adapter, size.width.max(1), size.height.max(1))
            .ok_or("the adapter cannot draw into this window")?;
        surface_config.present_mode = wgpu::PresentMode::AutoVsync;
        // Characters are blended in gamma space, which requires a format without sRGB encoding.
        let formats = surface.get_capabilities(&adapter).formats;
        if let Some(&format) = formats.iter().find(|format| !format.is_srgb()) {
            surface_config.format = format;
        }
        surface.configure(&device, &surface_config);
        let target = TargetFormat { color: surface_config.format, samples: 1, depth_stencil: None };
        let gpu = Gpu { device, queue };
        let scene = Scene::new(gpu.clone(), target, figure)?;
        let (report, camera, last) = (Report::new(), Camera::default(), Instant::now());
        let mut stage = Self {
            window,
            surface,
            surface_config,
            gpu,
            scene,
            report,
            camera,
            count,
            last,
            time: 0.0,
            is_paused: false,
        };
        stage.muster(count)?;
        stage.window.request_redraw();
        Ok(stage)
    }

    fn handle(&mut self, event_loop: &ActiveEventLoop, event: WindowEvent) -> Result<()> {
        match event {
            WindowEvent::CloseRequested => event_loop.exit(),
            WindowEvent::KeyboardInput {
                event: KeyEvent { logical_key, state: ElementState::Pressed, .. },
                ..
            } => self.press(event_loop, &logical_key)?,
            WindowEvent::MouseWheel { delta, .. } => {
                let steps = match delta {
                    MouseScrollDelta::LineDelta(_, lines) => lines,
                    MouseScrollDelta::PixelDelta(pixels) => pixels.y as f32 / 100.0,
                };
                self.camera.zoom(self.fit(), steps);
            }
            WindowEvent::CursorMoved { position, .. } => {
                self.camera.point(self.fit(), vec2(position.x as f32, position.y as f32));
            }
            WindowEvent::MouseInput { state, button: MouseButton::Left, .. } => {
                self.camera.is_dragging = state == ElementState::Pressed;
            }
            WindowEvent::Resized(size) => {
                (self.surface_config.width, self.surface_config.height) = (size.width.max(1), size.height.max(1));
                self.surface.configure(&self.gpu.device, &self.surface_config);
            }
            WindowEvent::RedrawRequested => {
                self.draw()?;
                self.window.request_redraw();
            }
            _ => {}
        }
        Ok(())
    }

    fn press(&mut self, event_loop: &ActiveEventLoop, key: &Key) -> Result<()> {
        let count = match key.as_ref() {
            Key::Named(NamedKey::Escape) => {
                event_loop.exit();
                return Ok(());
            }
            Key::Named(NamedKey::Space) => {
                self.is_paused = !self.is_paused;
                return Ok(());
            }
            Key::Named(NamedKey::ArrowUp) | Key::Character("+" | "=") => (self.count * 2).min(MAX_COUNT),
            Key::Named(NamedKey::ArrowDown) | Key::Character("-") => (self.count / 2).max(1),
            Key::Character("1") => 1,
            Key::Character("2") => 10,
            Key::Character("3") => 100,
            Key::Character("4") => 1_000,
            Key::Character("5") => 10_000,
            Key::Character("6") => 100_000,
            _ => return Ok(()),
        };
        if count == self.count { Ok(()) } else { self.muster(count) }
    }

    /// Shows that many members.
    fn muster(&mut self, count: usize) -> Result<()> {
        let aspect = self.surface_config.width as f32 / self.surface_config.height as f32;
        self.scene.muster(count, aspect, None)?;
        (self.count, self.time) = (count, 0.0);
        self.report = Report::new();
        self.camera.reset();
        Ok(())
    }

    /// The view of the whole crowd.
    fn fit(&self) -> View {
        View::fit(self.surface_config.width, self.surface_config.height, self.scene.formation().area)
    }

    fn draw(&mut self) -> Result<()> {
        let texture = match self.surface.get_current_texture() {
            wgpu::CurrentSurfaceTexture::Success(texture) | wgpu::CurrentSurfaceTexture::Suboptimal(texture) => {
                texture
            }
            // Resized or hidden: wait for the next frame.
            _ => {
                self.surface.configure(&self.gpu.device, &self.surface_config);
                return Ok(());
            }
        };
        let passed = self.last.elapsed().as_secs_f64();
        self.last = Instant::now();
        if !self.is_paused {
            self.time += passed.min(MAX_STEP_SECS);
        }
        self.scene.advance(self.time);
        let mut encoder = self.gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        let dot = self.window.scale_factor().round().max(1.0) as u32;
        let (view, report) = (self.camera.view(self.fit()), &self.report);
        let prepared =
            self.scene.prepare(&mut encoder, view, self.time, |list, view| report.draw(list, view, dot));
        match prepared {
            Ok(()) => self.report.count(&self.scene),
            Err(error) => self.report.fail(&self.scene, &error),
        }
        let target = texture.texture.create_view(&wgpu::TextureViewDescriptor::default());
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view: &target,
                depth_slice: None,
                resolve_target: None,
                ops: wgpu::Operations { load: wgpu::LoadOp::Clear(ground::clear()), store: wgpu::StoreOp::Store },
            })],
            ..wgpu::RenderPassDescriptor::default()
        });
        self.scene.draw(&mut pass);
        drop(pass);
        self.gpu.queue.submit([encoder.finish()]);
        self.gpu.queue.present(texture);
        Ok(())
    }
}
