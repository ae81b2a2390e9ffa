//! Events → frames. Nothing is painted unless something has changed.

use std::collections::HashSet;
use std::path::Path;
use std::time::{Duration, Instant};

use egui::{Context, ViewportId};
use egui_winit::accesskit_winit;
use winit::application::ApplicationHandler;
use winit::event::{StartCause, WindowEvent};
use winit::event_loop::{ActiveEventLoop, ControlFlow, EventLoop, EventLoopProxy};
use winit::window::WindowId;

use super::app::App;
use super::clipboard::Clipboard;
use super::dialog::{self, Chosen};
use super::paint::Painted;
use super::paint::textures::Textures;
use super::shell::Shell;
use super::state::Request;
use super::{ViewerError, WindowOptions, preflight};
use crate::export::Backend;
use crate::watch::{Changes, Watcher};

/// What wakes a window that sleeps, beside the system.
#[derive(Debug)]
pub enum Wake {
    /// A screen reader wants something.
    Accessibility(accesskit_winit::Event),
    /// Files have changed.
    Changed(Changes),
    /// The dialog was closed.
    Chosen(Chosen),
}

impl From<accesskit_winit::Event> for Wake {
    fn from(event: accesskit_winit::Event) -> Self {
        Self::Accessibility(event)
    }
}

/// Between frames where the screen does not set the pace.
const FRAME: Duration = Duration::from_millis(16);
/// No more time than this goes by between two frames, whatever the machine did meanwhile.
const LONGEST_STEP: Duration = Duration::from_millis(250);
/// When to try again to paint what could not be painted, where nothing moves.
const RETRY: Duration = Duration::from_secs(1);
/// A screen that is lost again this soon is not worth another try.
const HOPELESS: Duration = Duration::from_secs(5);

/// Opens a window and returns when it is closed. Call it from the main thread, once.
pub fn run(options: WindowOptions) -> Result<(), ViewerError> {
    preflight::check()?;
    let event_loop = EventLoop::<Wake>::with_user_event().build().map_err(|error| {
        // The variables are set, so the server they name is not there.
        if cfg!(all(unix, not(target_vendor = "apple"))) {
            ViewerError::NoDisplay
        } else {
            ViewerError::Window(Box::new(error))
        }
    })?;
    let mut viewer = Viewer::new(options, event_loop.create_proxy());
    event_loop.run_app(&mut viewer).map_err(|error| ViewerError::Window(Box::new(error)))?;
    viewer.failure.map_or(Ok(()), Err)
}

struct Viewer {
    // Dropped first: it holds the window.
    shell: Option<Shell>,
    app: App,
    ctx: Context,
    proxy: EventLoopProxy<Wake>,
    watcher: Option<Watcher>,
    backend: Backend,
    fullscreen: bool,
    clipboard: Clipboard,
    is_occluded: bool,
    /// When the last frame of something that moves was laid out.
    last_frame: Option<Instant>,
    /// When the last frame of anything was begun.
    last_begin: Option<Instant>,
    last_loss: Option<Instant>,
    /// When to lay out a frame that nobody else asks for.
    wake_at: Option<Instant>,
    failure: Option<ViewerError>,
}

impl Viewer {
    fn new(options: WindowOptions, proxy: EventLoopProxy<Wake>) -> Self {
        let notify = proxy.clone();
        // The loop may be gone by then, and nobody is left to tell.
        let watcher = options.watch.then(|| {
            Watcher::new(move |changes| notify.send_event(Wake::Changed(changes)).unwrap_or_default()).ok()
        });
        let mut watcher = watcher.flatten();
        if let Some(watcher) = &mut watcher {
            // Before they are read: what is saved meanwhile is read again.
            options
                .subject
                .files
                .iter()
                .filter(|file| file.as_os_str() != "-")
                .for_each(|file| drop(watcher.follow(file)));
        }
        let ctx = Context::default();
        let app = App::new(&options);
        app.set_up(&ctx);
        Self {
            shell: None,
            app,
            ctx,
            proxy,
            watcher,
            backend: options.look.backend,
            fullscreen: options.fullscreen,
            clipboard: Clipboard::default(),
            is_occluded: false,
            last_frame: None,
            last_begin: None,
            last_loss: None,
            wake_at: None,
            failure: None,
        }
    }

    /// Lays out a frame and paints it.
    fn frame(&mut self, event_loop: &ActiveEventLoop) {
        let Some(shell) = &mut self.shell else { return };
        let size = shell.window().inner_size();
        if self.is_occluded || size.width == 0 || size.height == 0 {
            self.last_frame = None;
            return;
        }
        let now = Instant::now();
        self.wake_at = None;
        self.last_begin = Some(now);
        if let Some(last) = self.last_frame.take() {
            self.app.advance((now - last).min(LONGEST_STEP).as_secs_f64());
        }
        let mut input = shell.take_input();
        self.app.take_dropped(&mut input);
        self.app.texture = shell.texture();
        self.app.state.is_slow = shell.is_slow();
        let output = self.ctx.run_ui(input, |ui| self.app.ui(ui));
        if let Err(error) = self.clipboard.take_over(&output.platform_output) {
            self.app.state.complain(format!("Nothing is copied: {error}"));
        }
        let delay = output.viewport_output.get(&ViewportId::ROOT).map_or(Duration::MAX, |root| root.repaint_delay);
        let scene = self.app.scene();
        shell.set_title(self.app.state.title());
        let painted = shell.paint(&self.ctx, output, scene.as_ref());
        let is_too_heavy = scene.is_some() && shell.is_too_heavy();
        // The next frame says so.
        let delay = if is_too_heavy == self.app.state.is_too_heavy { delay } else { Duration::ZERO };
        self.app.state.is_too_heavy = is_too_heavy;
        self.schedule(now, delay, &painted);
        if let Painted::Lost(reason) = painted {
            self.recover(event_loop, now, &reason);
        }
        self.follow_files();
        self.answer_requests(event_loop);
    }

    /// Asks for the next frame: at once, later, or not at all.
    fn schedule(&mut self, now: Instant, delay: Duration, painted: &Painted) {
        let Some(shell) = &self.shell else { return };
        let is_moving = self.app.is_moving();
        self.last_frame = is_moving.then_some(now);
        let delay = match painted {
            // A surface that shows nothing does not wait for the screen either.
            Painted::Later if is_moving || delay.is_zero() => FRAME,
            Painted::Later => delay.min(RETRY),
            Painted::Shown | Painted::Lost(_) if is_moving => {
                // Where it costs the processor, only what looks different is painted.
                if shell.paces_itself() { Duration::ZERO } else { self.next_cue().min(delay).max(FRAME) }
            }
            Painted::Shown | Painted::Lost(_) => delay,
        };
        if delay.is_zero() {
            self.redraw();
        } else {
            // `None` when it is later than a clock can say: never.
            self.wake_at = now.checked_add(delay);
        }
    }

    /// How long the character stays as it is.
    fn next_cue(&self) -> Duration {
        let secs = self.app.state.animator.secs_to_next_change();
        secs.and_then(|secs| Duration::try_from_secs_f64(secs).ok()).unwrap_or(Duration::MAX)
    }

    /// The driver was reset, or taken away: once more with it, then without, then not at all.
    fn recover(&mut self, event_loop: &ActiveEventLoop, now: Instant, reason: &str) {
        let again_so_soon = self.last_loss.is_some_and(|last| now - last < HOPELESS);
        self.last_loss = Some(now);
        if again_so_soon && self.backend == Backend::Cpu {
            return self.fail(event_loop, ViewerError::Window(reason.into()));
        }
        let Some(shell) = &mut self.shell else { return };
        if !again_so_soon && shell.reopen_screen(event_loop, self.backend).is_ok() {
            return;
        }
        self.app.state.tell(format!("Painted by the processor from now on: {reason}"));
        self.backend = Backend::Cpu;
        // Not every system lets the processor paint a window that a GPU has painted.
        let textures = self.shell.take().map(Shell::close).unwrap_or_default();
        if let Err(error) = self.open(event_loop, textures) {
            self.fail(event_loop, error);
        }
    }

    fn open(&mut self, event_loop: &ActiveEventLoop, textures: Textures) -> Result<(), ViewerError> {
        let proxy = self.proxy.clone();
        self.shell = Some(Shell::open(event_loop, proxy, &self.ctx, textures, self.backend, self.fullscreen)?);
        // Painted before it is shown: no flash of nothing.
        self.frame(event_loop);
        if let Some(shell) = &mut self.shell {
            shell.show();
            // Not every system keeps what was painted before.
            shell.forget();
            shell.redraw();
        }
        Ok(())
    }

    fn fail(&mut self, event_loop: &ActiveEventLoop, error: ViewerError) {
        self.failure = Some(error);
        event_loop.exit();
    }

    /// Watches what was opened or read again since the last time, as a link may lead elsewhere by then, and no longer what
    /// was closed.
    fn follow_files(&mut self) {
        let is_due = std::mem::take(&mut self.app.state.has_read);
        let Some(watcher) = self.watcher.as_mut().filter(|_| is_due) else { return };
        let documents = self.app.state.documents().iter().filter(|document| !document.is_piped());
        let files = documents.flat_map(|document| document.files());
        let files: HashSet<&Path> = files.collect();
        watcher.retain(|file| files.contains(file));
        // What cannot be watched is read again when asked.
        files.into_iter().for_each(|file| drop(watcher.follow(file)));
    }

    fn answer_requests(&mut self, event_loop: &ActiveEventLoop) {
        for request in std::mem::take(&mut self.app.state.requests) {
            match request {
                Request::OpenDialog => {
                    let proxy = self.proxy.clone();
                    dialog::choose(move |chosen| proxy.send_event(Wake::Chosen(chosen)).unwrap_or_default());
                }
                Request::SaveDialog => {
                    let Some(export) = &self.app.state.export else { continue };
                    let proxy = self.proxy.clone();
                    let done = move |chosen| proxy.send_event(Wake::Chosen(chosen)).unwrap_or_default();
                    dialog::choose_name(export.path.as_ref(), export.options.format().extensions(), done);
                }
                Request::FullScreen => self.shell.iter().for_each(Shell::toggle_fullscreen),
                Request::Quit => event_loop.exit(),
            }
        }
    }

    fn redraw(&self) {
        self.shell.iter().for_each(Shell::redraw);
    }

    /// Asks for a frame after input. Where the screen does not set the pace, not sooner than the last one ends: a mouse
    /// reports moves faster than anybody sees them.
    fn redraw_for_input(&mut self) {
        let paces_itself = self.shell.as_ref().is_some_and(Shell::paces_itself);
        let next = self.last_begin.filter(|_| !paces_itself).and_then(|last| last.checked_add(FRAME));
        match next.filter(|next| *next > Instant::now()) {
            Some(next) => self.wake_at = Some(self.wake_at.map_or(next, |wake_at| wake_at.min(next))),
            None => self.redraw(),
        }
    }
}

impl ApplicationHandler<Wake> for Viewer {
    fn resumed(&mut self, event_loop: &ActiveEventLoop) {
        if self.shell.is_none()
            && let Err(error) = self.open(event_loop, Textures::default())
        {
            self.fail(event_loop, error);
        }
    }

    fn window_event(&mut self, event_loop: &ActiveEventLoop, _: WindowId, event: WindowEvent) {
        let Some(shell) = &mut self.shell else { return };
        match event {
            WindowEvent::RedrawRequested => {
                shell.begin_frame();
                return self.frame(event_loop);
            }
            WindowEvent::CloseRequested => return event_loop.exit(),
            WindowEvent::Occluded(is_occluded) => {
                self.is_occluded = is_occluded;
                shell.forget();
            }
            _ => {}
        }
        if !shell.on_event(&event) {
            return;
        }
        if let (WindowEvent::CursorMoved { .. }, Some(to)) = (&event, shell.pending_pointer())
            && self.app.is_idle_move(&self.ctx, to)
        {
            return shell.join_moves();
        }
        self.redraw_for_input();
    }

    fn user_event(&mut self, _: &ActiveEventLoop, wake: Wake) {
        match wake {
            Wake::Accessibility(event) => {
                use accesskit_winit::WindowEvent::{
                    AccessibilityDeactivated, ActionRequested, InitialTreeRequested,
                };
                let Some(shell) = &mut self.shell else { return };
                match event.window_event {
                    InitialTreeRequested => self.ctx.enable_accesskit(),
                    ActionRequested(request) => shell.input().on_accesskit_action_request(request),
                    AccessibilityDeactivated => self.ctx.disable_accesskit(),
                }
            }
            Wake::Changed(changes) => {
                let is_replaced = self.watcher.as_mut().is_some_and(|watcher| watcher.forget(&changes));
                if is_replaced {
                    self.app.state.has_read = true;
                    self.follow_files();
                }
                let watcher = self.watcher.as_ref();
                // A folder in the place of another one has other files, of which nothing was said.
                let has_changed = |file: &Path| {
                    watcher.is_some_and(|it| it.has_changed(file, &changes)) || is_replaced && file.exists()
                };
                self.app.state.files_changed(&has_changed);
            }
            Wake::Chosen(Chosen::Files(files)) => self.app.state.open(files),
            Wake::Chosen(Chosen::SaveAs(path)) => self.app.state.name_export(&path),
            Wake::Chosen(Chosen::Nothing) => {}
            Wake::Chosen(Chosen::NoDialog) => self.app.state.complain(
                "This system has no file dialog: drop a file here, name it on the command line, \
                 or install xdg-desktop-portal or zenity",
            ),
        }
        self.redraw();
    }

    fn new_events(&mut self, _: &ActiveEventLoop, cause: StartCause) {
        if let StartCause::ResumeTimeReached { .. } = cause {
            self.wake_at = None;
            self.redraw();
        }
    }

    fn about_to_wait(&mut self, event_loop: &ActiveEventLoop) {
        event_loop.set_control_flow(self.wake_at.map_or(ControlFlow::Wait, ControlFlow::WaitUntil));
    }

    fn exiting(&mut self, _: &ActiveEventLoop) {
        // The screen goes before the connection that it was made with.
        self.shell = None;
    }
}
