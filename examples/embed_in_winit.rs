//! A character in another program, with its own window, wgpu device, render pass, clear colour and target format.
//! The relevant parts are in `Scene::new` and `Scene::draw`.
//!
//!     cargo run --release --example embed_in_winit -- FILE [--frames N]
//!
//! Esc quits; `--frames N` quits after N frames.

use std::error::Error;
use std::sync::Arc;
use std::time::Instant;

use pchr::Animator;
use pchr::draw::{DrawList, Filter, View};
use pchr::gpu::{Renderer, TargetFormat};
use pchr::math::Rect;
use winit::application::ApplicationHandler;
use winit::event::{KeyEvent, WindowEvent};
use winit::event_loop::{ActiveEventLoop, EventLoop};
use winit::keyboard::{Key, NamedKey};
use winit::window::{Window, WindowId};

type Result<T> = std::result::Result<T, Box<dyn Error>>;

const BACKGROUND: wgpu::Color = wgpu::Color { r: 0.16, g: 0.22, b: 0.28, a: 1.0 };

fn main() -> Result<()> {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().ok_or("usage: embed_in_winit FILE [--frames N]")?;
    let frames_left = match (arguments.next().as_deref(), arguments.next()) {
        (Some("--frames"), Some(number)) => Some(number.parse()?),
        _ => None,
    };
    let event_loop = EventLoop::new()?;
    let display = Box::new(event_loop.owned_display_handle());
    let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_with_display_handle(display));
    let mut animator = Animator::open(path)?;
    animator.set_interpolate(true);
    animator.show(animator.model().default_animation());
    let mut app = App { animator, instance, frames_left, scene: None, failure: None };
    event_loop.run_app(&mut app)?;
    app.failure.map_or(Ok(()), Err)
}

struct App {
    animator: Animator,
    instance: wgpu::Instance,
    frames_left: Option<u32>,
    scene: Option<Scene>,
    failure: Option<Box<dyn Error>>,
}

impl App {
    fn handle(&mut self, event_loop: &ActiveEventLoop, event: WindowEvent) -> Result<()> {
        let Some(scene) = &mut self.scene else { return Ok(()) };
        match event {
            WindowEvent::CloseRequested => event_loop.exit(),
            WindowEvent::KeyboardInput {
                event: KeyEvent { logical_key: Key::Named(NamedKey::Escape), .. },
                ..
            } => event_loop.exit(),
            WindowEvent::Resized(size) => {
                (scene.surface_config.width, scene.surface_config.height) =
                    (size.width.max(1), size.height.max(1));
                scene.surface.configure(&scene.device, &scene.surface_config);
            }
            WindowEvent::RedrawRequested => {
                scene.draw(&mut self.animator)?;
                if let Some(left) = &mut self.frames_left {
                    *left = left.saturating_sub(1);
                    if *left == 0 {
                        event_loop.exit();
                    }
                }
                scene.window.request_redraw();
            }
            _ => {}
        }
        Ok(())
    }
}

impl ApplicationHandler for App {
    fn resumed(&mut self, event_loop: &ActiveEventLoop) {
        match pollster::block_on(Scene::new(event_loop, &self.instance, &mut self.animator)) {
            Ok(scene) => self.scene = Some(scene),
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

/// The state of the host program, including pchr's renderer and draw list.
struct Scene {
    window: Arc<Window>,
    surface: wgpu::Surface<'static>,
    surface_config: wgpu::SurfaceConfiguration,
    device: wgpu::Device,
    queue: wgpu::Queue,
    last: Instant,
    world: Rect,
    renderer: Renderer,
    list: DrawList,
}

impl Scene {
    async fn new(
        event_loop: &ActiveEventLoop,
        instance: &wgpu::Instance,
        animator: &mut Animator,
    ) -> Result<Self> {
        let attributes = Window::default_attributes().with_title("A character in another program");
        let window = Arc::new(event_loop.create_window(attributes)?);
        let surface = instance.create_surface(Arc::clone(&window))?;
        let adapter = instance
            .request_adapter(&wgpu::RequestAdapterOptions {
                compatible_surface: Some(&surface),
                ..wgpu::RequestAdapterOptions::default()
            })
            .await?;
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
        let renderer = Renderer::new(&device, &queue, animator.model(), target)?;
        let world = surroundings(animator);
        let (list, last) = (DrawList::default(), Instant::now());
        window.request_redraw();
        Ok(Self { window, surface, surface_config, device, queue, last, world, renderer, list })
    }

    fn draw(&mut self, animator: &mut Animator) -> Result<()> {
        let texture = match self.surface.get_current_texture() {
            wgpu::CurrentSurfaceTexture::Success(texture) | wgpu::CurrentSurfaceTexture::Suboptimal(texture) => {
                texture
            }
            // Resized or hidden: wait for the next frame.
            _ => {
                self.surface.configure(&self.device, &self.surface_config);
                return Ok(());
            }
        };

        // Let time pass, and turn the pose into commands.
        let now = Instant::now();
        animator.update(now.duration_since(self.last).as_secs_f64());
        self.last = now;
        let view = View::fit(self.surface_config.width, self.surface_config.height, self.world);
        animator.build_draw_list(&view, &mut self.list);
        self.renderer.prepare(&self.device, &self.queue, animator.model(), &self.list, view, Filter::Auto)?;

        // The host's own pass, which could draw other things, too.
        let mut encoder = self.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        let target = texture.texture.create_view(&wgpu::TextureViewDescriptor::default());
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view: &target,
                depth_slice: None,
                resolve_target: None,
                ops: wgpu::Operations { load: wgpu::LoadOp::Clear(BACKGROUND), store: wgpu::StoreOp::Store },
            })],
            ..wgpu::RenderPassDescriptor::default()
        });
        self.renderer.draw(&mut pass);
        drop(pass);
        self.queue.submit([encoder.finish()]);
        self.queue.present(texture);
        Ok(())
    }
}

/// Returns a rectangle around everything that the character shows in its default animation.
fn surroundings(animator: &mut Animator) -> Rect {
    let frames = animator.playback(0).frame_count();
    let mut around = animator.bounds();
    for frame in 0..frames {
        animator.seek(frame.into());
        animator.refresh();
        around = around.union(animator.bounds());
    }
    animator.seek(0.0);
    if around.is_empty() { Rect { min: -pchr::math::Vec2::ONE, max: pchr::math::Vec2::ONE } } else { around }
}
