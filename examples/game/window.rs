//! The window of the game: keys and pointer → [`Input`], and the lists of the game → wgpu.

use std::sync::Arc;
use std::time::Instant;

use pchr::draw::Filter;
use pchr::gpu::{Member, Renderer, TargetFormat};
use pchr::math::{Vec2, vec2};
use winit::application::ApplicationHandler;
use winit::event::{ElementState, KeyEvent, MouseButton, WindowEvent};
use winit::event_loop::{ActiveEventLoop, EventLoop};
use winit::keyboard::{Key, NamedKey};
use winit::window::{Window, WindowId};

use super::Result;
use super::play::{Game, Input, Lists, view};

const STENCIL: wgpu::TextureFormat = wgpu::TextureFormat::Stencil8;
const SKY: wgpu::Color = wgpu::Color { r: 0.74, g: 0.8, b: 0.82, a: 1.0 };

/// Opens the window, for a number of frames or until it is closed.
pub fn open(game: Game, frames: Option<u32>) -> Result<()> {
    let event_loop = EventLoop::new()?;
    let display = Box::new(event_loop.owned_display_handle());
    let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_with_display_handle(display));
    let keys = Keys::default();
    let mut app = App { game, instance, frames, keys, input: Input::default(), stage: None, failure: None };
    event_loop.run_app(&mut app)?;
    app.failure.map_or(Ok(()), Err)
}

/// What is held.
#[derive(Default)]
struct Keys {
    left: bool,
    right: bool,
    aims: bool,
    pointer: Vec2,
}

struct App {
    game: Game,
    instance: wgpu::Instance,
    frames: Option<u32>,
    keys: Keys,
    /// What was pressed since the last frame.
    input: Input,
    stage: Option<Stage>,
    failure: Option<Box<dyn std::error::Error>>,
}

impl App {
    fn key(&mut self, event_loop: &ActiveEventLoop, key: &Key, is_pressed: bool) -> Result<()> {
        match key {
            Key::Named(NamedKey::ArrowLeft) => self.keys.left = is_pressed,
            Key::Named(NamedKey::ArrowRight) => self.keys.right = is_pressed,
            Key::Named(NamedKey::Space) => self.input.jump |= is_pressed,
            Key::Named(NamedKey::Escape) => event_loop.exit(),
            Key::Character(text) => match text.to_lowercase().as_str() {
                "a" => self.keys.left = is_pressed,
                "d" => self.keys.right = is_pressed,
                "e" => self.input.change_weapon |= is_pressed,
                "t" => self.input.throw |= is_pressed,
                "r" if is_pressed => self.game.restart()?,
                _ => {}
            },
            _ => {}
        }
        Ok(())
    }

    fn handle(&mut self, event_loop: &ActiveEventLoop, event: WindowEvent) -> Result<()> {
        let Some(stage) = &mut self.stage else { return Ok(()) };
        match event {
            WindowEvent::CloseRequested => event_loop.exit(),
            WindowEvent::KeyboardInput { event: KeyEvent { logical_key, state, repeat: false, .. }, .. } => {
                self.key(event_loop, &logical_key, state == ElementState::Pressed)?;
            }
            WindowEvent::CursorMoved { position, .. } => {
                self.keys.pointer = vec2(position.x as f32, position.y as f32);
            }
            WindowEvent::MouseInput { state, button: MouseButton::Right, .. } => {
                self.keys.aims = state == ElementState::Pressed;
            }
            WindowEvent::MouseInput { state: ElementState::Pressed, button: MouseButton::Left, .. } => {
                self.input.attack = true;
            }
            WindowEvent::Resized(size) => stage.resize(size.width.max(1), size.height.max(1)),
            WindowEvent::RedrawRequested => {
                let now = Instant::now();
                let passed = now.duration_since(stage.last).as_secs_f64().min(0.1);
                stage.last = now;
                let mut input = std::mem::take(&mut self.input);
                input.walk = f32::from(i8::from(self.keys.right) - i8::from(self.keys.left));
                let shown = view(stage.config.width, stage.config.height);
                input.aim = self.keys.aims.then(|| shown.world_from_pixel(self.keys.pointer));
                self.game.update(&input, passed)?;
                stage.draw(&mut self.game)?;
                if let Some(left) = &mut self.frames {
                    *left = left.saturating_sub(1);
                    if *left == 0 {
                        event_loop.exit();
                    }
                }
                stage.window.request_redraw();
            }
            _ => {}
        }
        Ok(())
    }
}

impl ApplicationHandler for App {
    fn resumed(&mut self, event_loop: &ActiveEventLoop) {
        match pollster::block_on(Stage::new(event_loop, &self.instance, &self.game)) {
            Ok(stage) => self.stage = Some(stage),
            Err(error) => {
                self.failure = Some(error);
                event_loop.exit();
            }
        }
    }

    fn window_event(&mut self, event_loop: &ActiveEventLoop, _: WindowId, event: WindowEvent) {
        if let Err(error) = self.handle(event_loop, event) {
            self.failure = Some(error);
            event_loop.exit();
        }
    }
}

/// A window and everything that draws into it.
struct Stage {
    window: Arc<Window>,
    surface: wgpu::Surface<'static>,
    config: wgpu::SurfaceConfiguration,
    stencil: wgpu::TextureView,
    device: wgpu::Device,
    queue: wgpu::Queue,
    last: Instant,
    /// The crowd, the hero behind the lamp, the lamp, and the hero in front of it.
    renderers: [Renderer; 4],
    lists: Lists,
}

impl Stage {
    async fn new(event_loop: &ActiveEventLoop, instance: &wgpu::Instance, game: &Game) -> Result<Self> {
        let attributes = Window::default_attributes()
            .with_title("A ranger of paper")
            .with_inner_size(winit::dpi::LogicalSize::new(960.0, 540.0));
        let window = Arc::new(event_loop.create_window(attributes)?);
        let surface = instance.create_surface(Arc::clone(&window))?;
        let options = wgpu::RequestAdapterOptions {
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
        let mut config = surface
            .get_default_config(&adapter, size.width.max(1), size.height.max(1))
            .ok_or("the adapter cannot draw into this window")?;
        config.present_mode = wgpu::PresentMode::AutoVsync;
        // Characters are blended in gamma space, which requires a format without sRGB encoding.
        let formats = surface.get_capabilities(&adapter).formats;
        if let Some(&format) = formats.iter().find(|format| !format.is_srgb()) {
            config.format = format;
        }
        surface.configure(&device, &config);
        let target = TargetFormat { color: config.format, samples: 1, depth_stencil: Some(STENCIL) };
        let hero = Renderer::new(&device, &queue, game.hero.animator.model(), target)?;
        let pipelines = hero.pipelines();
        let with = |model| Renderer::with_pipelines(&device, &queue, model, pipelines);
        let (crowd, lamp) = (with(game.crowd.knights[0].model())?, with(game.lamp.model())?);
        // The same model twice in a frame: another set of buffers.
        let front = Renderer::of_model(&device, hero.model(), pipelines)?;
        window.request_redraw();
        let stencil = stencil(&device, &config);
        let (last, lists, renderers) = (Instant::now(), Lists::default(), [crowd, hero, lamp, front]);
        Ok(Self { window, surface, config, stencil, device, queue, last, renderers, lists })
    }

    fn resize(&mut self, width: u32, height: u32) {
        (self.config.width, self.config.height) = (width, height);
        self.surface.configure(&self.device, &self.config);
        self.stencil = stencil(&self.device, &self.config);
    }

    fn prepare(&mut self, game: &mut Game) -> Result<()> {
        let Self { device, queue, lists, renderers: [crowd, behind, lamp, front], .. } = self;
        let shown = view(self.config.width, self.config.height);
        game.build(&shown, lists)?;
        let members: Vec<Member<'_>> = game.crowd.lists.iter().map(Member::from).collect();
        let knight = game.crowd.knights[0].model();
        crowd.prepare_crowd(device, queue, knight, &members, shown, Filter::Auto)?;
        let hero = game.hero.animator.model();
        behind.prepare(device, queue, hero, &lists.behind, shown, Filter::Auto)?;
        lamp.prepare(device, queue, game.lamp.model(), &lists.lamp, shown, Filter::Auto)?;
        front.prepare(device, queue, hero, &lists.front, shown, Filter::Auto)?;
        Ok(())
    }

    fn draw(&mut self, game: &mut Game) -> Result<()> {
        let texture = match self.surface.get_current_texture() {
            wgpu::CurrentSurfaceTexture::Success(texture) | wgpu::CurrentSurfaceTexture::Suboptimal(texture) => {
                texture
            }
            // Resized or hidden: wait for the next frame.
            _ => {
                self.surface.configure(&self.device, &self.config);
                return Ok(());
            }
        };
        self.prepare(game)?;
        let mut encoder = self.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        let target = texture.texture.create_view(&wgpu::TextureViewDescriptor::default());
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view: &target,
                depth_slice: None,
                resolve_target: None,
                ops: wgpu::Operations { load: wgpu::LoadOp::Clear(SKY), store: wgpu::StoreOp::Store },
            })],
            depth_stencil_attachment: Some(wgpu::RenderPassDepthStencilAttachment {
                view: &self.stencil,
                depth_ops: None,
                stencil_ops: Some(wgpu::Operations {
                    load: wgpu::LoadOp::Clear(0),
                    store: wgpu::StoreOp::Discard,
                }),
            }),
            ..wgpu::RenderPassDescriptor::default()
        });
        for renderer in &self.renderers {
            renderer.draw(&mut pass);
        }
        drop(pass);
        self.queue.submit([encoder.finish()]);
        self.queue.present(texture);
        Ok(())
    }
}

/// Creates a stencil texture of the window's size.
fn stencil(device: &wgpu::Device, surface: &wgpu::SurfaceConfiguration) -> wgpu::TextureView {
    let texture = device.create_texture(&wgpu::TextureDescriptor {
        label: Some("stencil"),
        size: wgpu::Extent3d { width: surface.width, height: surface.height, depth_or_array_layers: 1 },
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format: STENCIL,
        usage: wgpu::TextureUsages::RENDER_ATTACHMENT,
        view_formats: &[],
    });
    texture.create_view(&wgpu::TextureViewDescriptor::default())
}
