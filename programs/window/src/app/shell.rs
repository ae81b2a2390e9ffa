//! A window with its input and screen.

use std::cell::Cell;
use std::sync::Arc;

use egui::{Context, FullOutput, Pos2, RawInput, ViewportId};
use egui_winit::State as Input;
use winit::dpi::{LogicalSize, PhysicalPosition};
use winit::event::WindowEvent;
use winit::event_loop::{ActiveEventLoop, EventLoopProxy};
use winit::monitor::MonitorHandle;
use winit::window::{Fullscreen, Window};

use super::identity;
use super::paint::textures::Textures;
use super::paint::{Frame, GpuScreen, Painted, Screen, SoftScreen};
use super::pointer;
use super::window::Wake;
use crate::app::error::ViewerError;
use crate::scene::Scene;
use crate::scene::preparation::Preparation;
use crate::settings::window::{Monitor, WindowPlace};
use crate::widgets::theme::Palette;
use pchr::Character;
use pchr::export::Backend;

/// Default size of the window, and its minimum size, in points.
const SIZE: LogicalSize<f64> = LogicalSize::new(1180.0, 780.0);
const MIN_SIZE: LogicalSize<f64> = LogicalSize::new(240.0, 160.0);

/// A window.
pub struct Shell {
    // Declared before `window`, so that it is dropped first. `None` while the screen is lost.
    screen: Option<Box<dyn Screen>>,
    input: Input,
    textures: Textures,
    window: Arc<Window>,
    title: String,
    /// Whether the program requested the next frame; otherwise the system did.
    is_asked: Cell<bool>,
}

impl Shell {
    /// Opens a window with a screen. The window is hidden until [`Self::show`]. `textures` contains egui's
    /// textures from a previous window.
    pub fn open(
        event_loop: &ActiveEventLoop,
        proxy: EventLoopProxy<Wake>,
        ctx: &Context,
        textures: Textures,
        backend: Backend,
        fullscreen: bool,
        place: WindowPlace,
    ) -> Result<Self, ViewerError> {
        let monitors: Vec<Monitor> = event_loop.available_monitors().map(|monitor| monitor_of(&monitor)).collect();
        let place = place.on(&monitors);
        let size = place.size.map(|[width, height]| LogicalSize::new(width.into(), height.into()));
        let attributes = Window::default_attributes()
            .with_title("pchr")
            .with_visible(false)
            .with_maximized(place.is_maximized)
            .with_inner_size(size.unwrap_or_else(|| first_size(event_loop)))
            .with_min_inner_size(MIN_SIZE)
            .with_fullscreen(fullscreen.then_some(Fullscreen::Borderless(None)))
            .with_window_icon(identity::icon());
        let attributes = match place.position {
            Some([x, y]) => attributes.with_position(PhysicalPosition::new(x, y)),
            None => attributes,
        };
        let attributes = identity::name(attributes);
        let window = event_loop.create_window(attributes).map_err(|error| ViewerError::Window(Box::new(error)))?;
        let window = Arc::new(window);
        let screen = open_screen(event_loop, &window, backend)?;
        let scale = Some(window.scale_factor() as f32);
        let side = Some(screen.max_texture_side());
        let mut input = Input::new(ctx.clone(), ViewportId::ROOT, &window, scale, window.theme(), side);
        // The clipboard of the system is read when a frame is laid out.
        input.set_clipboard_shortcuts(false);
        input.init_accesskit(event_loop, &window, proxy);
        let screen = Some(screen);
        Ok(Self { screen, input, textures, window, title: "pchr".to_owned(), is_asked: Cell::new(false) })
    }

    /// Closes the window and returns egui's textures.
    pub fn close(self) -> Textures {
        self.textures
    }

    /// Returns the window.
    pub fn window(&self) -> &Window {
        &self.window
    }

    /// Returns egui's input state.
    pub fn input(&mut self) -> &mut Input {
        &mut self.input
    }

    /// Returns the place of the window. While it is minimised, maximised or in full screen, its size and position
    /// are taken from `before`.
    pub fn place(&self, before: WindowPlace) -> WindowPlace {
        let window = &self.window;
        let size = window.inner_size().to_logical::<u32>(window.scale_factor());
        let is_maximized = window.is_maximized();
        let is_hidden = window.is_minimized() == Some(true) || size.width == 0 || size.height == 0;
        if is_hidden || window.fullscreen().is_some() {
            return before;
        }
        if is_maximized {
            return WindowPlace { is_maximized, ..before };
        }
        let position = window.outer_position().ok().map(|position| [position.x, position.y]);
        WindowPlace { size: Some([size.width, size.height]), position, is_maximized }
    }

    /// Passes an event to egui. Returns true if the event may change the contents of the window.
    pub fn on_event(&mut self, event: &WindowEvent) -> bool {
        self.input.on_window_event(&self.window, event).repaint
    }

    /// Returns the pointer position if egui has not processed it yet.
    pub fn pending_pointer(&mut self) -> Option<Pos2> {
        pointer::pending(self.input.egui_input_mut())
    }

    /// Drops all unprocessed pointer moves except the last.
    pub fn join_moves(&mut self) {
        pointer::join_moves(self.input.egui_input_mut());
    }

    /// Requests a frame.
    pub fn redraw(&self) {
        self.is_asked.set(true);
        self.window.request_redraw();
    }

    /// Begins a frame when the system asks for a redraw. If the program did not request it, a part of the window
    /// was lost, so the whole window is repainted.
    pub fn begin_frame(&mut self) {
        if !self.is_asked.take() {
            self.forget();
        }
    }

    /// Marks the contents of the screen as unknown, so that the next frame repaints the whole window.
    pub fn forget(&mut self) {
        self.screen.iter_mut().for_each(|screen| screen.forget());
    }

    /// Returns the input since the last frame.
    pub fn take_input(&mut self) -> RawInput {
        self.input.take_egui_input(&self.window)
    }

    /// Prepares for drawing `character`. Call it once per frame until it is ready.
    pub fn prepare(&mut self, character: &Arc<Character>) -> Preparation {
        // A screen that is recreated prepares everything when it draws.
        self.screen.as_mut().map_or(Preparation::Ready, |screen| screen.prepare(character))
    }

    /// Returns the screen, unless it is lost.
    pub fn screen(&self) -> Option<&dyn Screen> {
        self.screen.as_deref()
    }

    /// Paints a laid-out frame.
    pub fn paint(&mut self, ctx: &Context, mut output: FullOutput, scenes: &[Option<Scene>]) -> Painted {
        self.input.handle_platform_output(&self.window, output.platform_output);
        self.textures.apply(&output.textures_delta);
        let size = self.window.inner_size();
        let frame = Frame {
            ctx,
            size: [size.width, size.height],
            pixels_per_point: output.pixels_per_point,
            shapes: output.shapes,
            textures: &self.textures,
            changes: &output.textures_delta,
            scenes,
            clear: Palette::of(&ctx.global_style().visuals).panel,
        };
        let painted = self.screen.as_mut().map_or(Painted::Later, |screen| screen.paint(frame));
        self.textures.free(&output.textures_delta);
        output.textures_delta.clear();
        painted
    }

    /// Recreates a lost screen with `backend`. Its contents are restored from memory.
    pub fn reopen_screen(&mut self, event_loop: &ActiveEventLoop, backend: Backend) -> Result<(), ViewerError> {
        // A window can only have one surface at a time.
        self.screen = None;
        self.screen = Some(open_screen(event_loop, &self.window, backend)?);
        self.redraw();
        Ok(())
    }

    /// Shows the window. Call this after the first frame has been painted.
    pub fn show(&self) {
        self.window.set_visible(true);
    }

    /// Sets the title, if it has changed.
    pub fn set_title(&mut self, title: String) {
        if title != self.title {
            self.window.set_title(&title);
            self.title = title;
        }
    }

    /// Enters or leaves full screen.
    pub fn toggle_fullscreen(&self) {
        let next = if self.window.fullscreen().is_some() { None } else { Some(Fullscreen::Borderless(None)) };
        self.window.set_fullscreen(next);
    }
}

fn monitor_of(monitor: &MonitorHandle) -> Monitor {
    let (corner, size) = (monitor.position(), monitor.size());
    Monitor { corner: [corner.x, corner.y], size: [size.width, size.height], scale: monitor.scale_factor() }
}

/// Returns the default size of the window, limited to most of the monitor.
fn first_size(event_loop: &ActiveEventLoop) -> LogicalSize<f64> {
    let Some(monitor) = event_loop.primary_monitor().or_else(|| event_loop.available_monitors().next()) else {
        return SIZE;
    };
    let room = monitor.size().to_logical::<f64>(monitor.scale_factor());
    LogicalSize::new(SIZE.width.min(room.width * 0.92), SIZE.height.min(room.height * 0.88))
}

fn open_screen(
    event_loop: &ActiveEventLoop,
    window: &Arc<Window>,
    backend: Backend,
) -> Result<Box<dyn Screen>, ViewerError> {
    let display = event_loop.owned_display_handle();
    let soft = || -> Result<Box<dyn Screen>, ViewerError> {
        Ok(Box::new(SoftScreen::new(display.clone(), Arc::clone(window))?))
    };
    if backend == Backend::Cpu {
        return soft();
    }
    match GpuScreen::new(display.clone(), Arc::clone(window), backend) {
        Ok(screen) => Ok(Box::new(screen)),
        Err(_) if backend == Backend::Auto => soft(),
        Err(reason) => Err(ViewerError::NoAdapter { backend, reason }),
    }
}
