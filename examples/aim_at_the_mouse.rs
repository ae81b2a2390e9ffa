//! A Spine character in another program, with interaction: skins, a bone that follows the mouse, hit tests, and
//! events of animations.
//!
//!     cargo run --release --example aim_at_the_mouse -- [FILE] [--bone NAME] [--frames N]
//!
//! Without FILE, it shows our own lamp. The bone `mouse`, or the one given by `--bone`, is a target of inverse
//! kinematics that follows the mouse. A click on the character plays its next animation; S changes skins, Esc
//! quits; `--frames N` quits after N frames.

use std::error::Error;
use std::sync::Arc;
use std::time::Instant;

use pchr::Animator;
use pchr::draw::{DrawList, Filter, View};
use pchr::gpu::{Renderer, TargetFormat};
use pchr::math::{Rect, Vec2, vec2};
use pchr::model::{AnimationId, SkinId};
use pchr::player::EventKind;
use winit::application::ApplicationHandler;
use winit::event::{ElementState, KeyEvent, MouseButton, WindowEvent};
use winit::event_loop::{ActiveEventLoop, EventLoop};
use winit::keyboard::{Key, NamedKey};
use winit::window::{Window, WindowId};

type Result<T> = std::result::Result<T, Box<dyn Error>>;

const LAMP: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/assets/paper-lamp.json");
const STENCIL: wgpu::TextureFormat = wgpu::TextureFormat::Stencil8;
const BACKGROUND: wgpu::Color = wgpu::Color { r: 0.85, g: 0.82, b: 0.76, a: 1.0 };

fn main() -> Result<()> {
    let (mut path, mut bone, mut frames_left) = (LAMP.to_owned(), "mouse".to_owned(), None);
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().ok_or(format!("{argument} takes a value"));
        match argument.as_str() {
            "--bone" => bone = value()?,
            "--frames" => frames_left = Some(value()?.parse()?),
            _ => path = argument,
        }
    }
    let mut animator = Animator::open(path)?;
    animator.set_fade_secs(0.2);
    animator.set_interpolate(true);
    animator.show(animator.model().default_animation());
    let actor = Actor { animator, target: bone, mouse: Vec2::ZERO };
    let event_loop = EventLoop::new()?;
    let display = Box::new(event_loop.owned_display_handle());
    let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_with_display_handle(display));
    let mut app = App { actor, instance, frames_left, stage: None, failure: None };
    event_loop.run_app(&mut app)?;
    app.failure.map_or(Ok(()), Err)
}

/// The character and its interaction with the user.
struct Actor {
    animator: Animator,
    /// The name of the bone that follows the mouse.
    target: String,
    /// Mouse position in world pixels.
    mouse: Vec2,
}

impl Actor {
    /// Lets time pass, and prints the events that animations fire.
    fn advance(&mut self, seconds: f64) {
        for event in self.animator.update(seconds) {
            if let EventKind::Fired(fired) = event.kind {
                println!("{} {}", fired.name, fired.int);
            }
        }
    }

    /// Moves the bone that follows the mouse. Has no effect on characters without it.
    fn aim(&mut self, mouse: Vec2) {
        self.mouse = mouse;
        _ = self.animator.move_bone(&self.target, mouse);
    }

    /// Plays the next animation if the mouse is over the character: over a bounding box or a picture.
    fn click(&mut self) {
        let Some(slot) = self.animator.hit_bounding_box(self.mouse).or_else(|| self.animator.hit(self.mouse))
        else {
            return;
        };
        println!("hit {}", self.animator.model().slot(slot).name);
        let motions: Vec<AnimationId> = self.animator.model().motions().collect();
        let at = motions.iter().position(|&motion| Some(motion) == self.animator.playback(0).animation());
        if let Some(at) = at {
            _ = self.animator.play(motions[(at + 1) % motions.len()]);
        }
    }

    /// Activates the next skin; after the last one, only the default skin.
    fn change(&mut self) {
        let worn = self.animator.skins().first().copied();
        let mut rest = self.animator.model().skin_ids().skip_while(|&skin| worn.is_some_and(|worn| worn != skin));
        let next: Option<SkinId> = if worn.is_some() { rest.nth(1) } else { rest.next() };
        _ = self.animator.set_skins(next);
        println!("skin {}", next.map_or("default", |skin| &*self.animator.model().skin(skin).name));
    }
}

struct App {
    actor: Actor,
    instance: wgpu::Instance,
    frames_left: Option<u32>,
    stage: Option<Stage>,
    failure: Option<Box<dyn Error>>,
}

impl App {
    fn handle(&mut self, event_loop: &ActiveEventLoop, event: WindowEvent) -> Result<()> {
        let Some(stage) = &mut self.stage else { return Ok(()) };
        match event {
            WindowEvent::CloseRequested => event_loop.exit(),
            WindowEvent::KeyboardInput {
                event: KeyEvent { logical_key, state: ElementState::Pressed, .. },
                ..
            } => match logical_key {
                Key::Named(NamedKey::Escape) => event_loop.exit(),
                Key::Character(key) if key.eq_ignore_ascii_case("s") => self.actor.change(),
                _ => {}
            },
            WindowEvent::CursorMoved { position, .. } => {
                let pixel = vec2(position.x as f32, position.y as f32);
                self.actor.aim(stage.view().world_from_pixel(pixel));
            }
            WindowEvent::MouseInput { state: ElementState::Pressed, button: MouseButton::Left, .. } => {
                self.actor.click();
            }
            WindowEvent::Resized(size) => {
                (stage.surface_config.width, stage.surface_config.height) =
                    (size.width.max(1), size.height.max(1));
                stage.surface.configure(&stage.device, &stage.surface_config);
                stage.stencil = stencil(&stage.device, &stage.surface_config);
            }
            WindowEvent::RedrawRequested => {
                let now = Instant::now();
                let passed = now.duration_since(stage.last).as_secs_f64();
                stage.last = now;
                self.actor.advance(passed);
                stage.draw(&self.actor.animator)?;
                if let Some(left) = &mut self.frames_left {
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
        self.actor.advance(0.0);
        match pollster::block_on(Stage::new(event_loop, &self.instance, &mut self.actor.animator)) {
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

/// A window and everything that draws into it.
struct Stage {
    window: Arc<Window>,
    surface: wgpu::Surface<'static>,
    surface_config: wgpu::SurfaceConfiguration,
    stencil: wgpu::TextureView,
    device: wgpu::Device,
    queue: wgpu::Queue,
    last: Instant,
    world: Rect,
    renderer: Renderer,
    list: DrawList,
}

impl Stage {
    async fn new(
        event_loop: &ActiveEventLoop,
        instance: &wgpu::Instance,
        animator: &mut Animator,
    ) -> Result<Self> {
        let attributes = Window::default_attributes().with_title("Aim at the mouse");
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
        // Clip masks are drawn into a stencil.
        let target = TargetFormat { color: surface_config.format, samples: 1, depth_stencil: Some(STENCIL) };
        let renderer = Renderer::new(&device, &queue, animator.model(), target)?;
        // Leave room for movements around the rest pose.
        let bounds = animator.bounds();
        let bounds = if bounds.is_empty() { Rect { min: -Vec2::ONE, max: Vec2::ONE } } else { bounds };
        let world = bounds.expand(bounds.size().max_element() / 2.0);
        window.request_redraw();
        let (last, list) = (Instant::now(), DrawList::default());
        let stencil = stencil(&device, &surface_config);
        Ok(Self { window, surface, surface_config, stencil, device, queue, last, world, renderer, list })
    }

    fn view(&self) -> View {
        View::fit(self.surface_config.width, self.surface_config.height, self.world)
    }

    fn draw(&mut self, animator: &Animator) -> Result<()> {
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
        let view = self.view();
        animator.build_draw_list(&view, &mut self.list);
        self.renderer.prepare(&self.device, &self.queue, animator.model(), &self.list, view, Filter::Auto)?;
        let mut encoder = self.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        let target = texture.texture.create_view(&wgpu::TextureViewDescriptor::default());
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view: &target,
                depth_slice: None,
                resolve_target: None,
                ops: wgpu::Operations { load: wgpu::LoadOp::Clear(BACKGROUND), store: wgpu::StoreOp::Store },
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
        self.renderer.draw(&mut pass);
        drop(pass);
        self.queue.submit([encoder.finish()]);
        self.queue.present(texture);
        Ok(())
    }
}
