//! The event loop: turns events into frames. Nothing is painted unless something has changed.

use std::collections::HashSet;
use std::error::Error;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use egui::{Context, ViewportId};
use egui_winit::accesskit_winit;
use winit::application::ApplicationHandler;
use winit::event::{StartCause, WindowEvent};
use winit::event_loop::{ActiveEventLoop, ControlFlow, EventLoop, EventLoopProxy};
use winit::window::WindowId;

use super::App;
use super::clipboard::Clipboard;
use super::dialog::{self, Chosen};
use super::paint::Painted;
use super::paint::textures::Textures;
use super::preflight;
use super::repaints::{self, Repaints};
use super::shell::Shell;
use super::state::State;
use crate::app::error::ViewerError;
use crate::app::state::scene_file::SCENE;
use crate::base::waker::Waker;
use crate::files::gallery;
use crate::scene::preparation::Preparation;
use crate::settings::options::WindowOptions;
use crate::widgets::actions::{Dialog, Request};
use crate::widgets::fonts::FallbackFonts;
use crate::widgets::tooltips;
use pchr::export::Backend;
use pchr::watch::{Changes, Watcher};

/// Events that do not come from the window system.
#[derive(Debug)]
pub enum Wake {
    /// A request from a screen reader.
    Accessibility(accesskit_winit::Event),
    /// Files have changed.
    Changed(Changes),
    /// A file dialog was closed.
    Chosen(Chosen),
    /// A file was loaded.
    Loaded,
    /// Fonts of the system were found.
    Fonts,
}

impl From<accesskit_winit::Event> for Wake {
    fn from(event: accesskit_winit::Event) -> Self {
        Self::Accessibility(event)
    }
}

/// Maximum time step between two frames, however long the machine was busy.
const LONGEST_STEP: Duration = Duration::from_millis(250);
/// Pause between checks whether the first file is there.
const FIRST_PAUSE: Duration = Duration::from_millis(1);
/// Time between two looks at what a thread prepares for the screen.
const COMPUTING: Duration = Duration::from_millis(30);
/// How long the window stays hidden for a file that is being loaded.
const FIRST_WAIT: Duration = Duration::from_millis(250);
/// A screen lost again within this time is not recreated again.
const MIN_RECOVERY_INTERVAL: Duration = Duration::from_secs(5);

/// Opens the window and blocks until it is closed. Call it once, from the main thread.
///
/// # Errors
///
/// Fails if there is no display, a system library is missing, the window cannot be opened, or `options` ask for a
/// backend that cannot draw here. Also fails if settings cannot be saved when the window is closed, unless that has
/// failed before.
pub fn run(options: WindowOptions) -> Result<(), Box<dyn Error + Send + Sync>> {
    Ok(open(options)?)
}

fn open(options: WindowOptions) -> Result<(), ViewerError> {
    preflight::check()?;
    let event_loop = EventLoop::<Wake>::with_user_event().build().map_err(|error| {
        // The variables are set, but no server answers.
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
    repaints: Repaints,
    proxy: EventLoopProxy<Wake>,
    watcher: Option<Watcher>,
    /// A pattern in each folder of the gallery that is watched.
    watched_folders: Vec<PathBuf>,
    backend: Backend,
    fullscreen: bool,
    clipboard: Clipboard,
    is_occluded: bool,
    /// The time at which the last frame of a moving character was laid out.
    last_frame: Option<Instant>,
    /// The time at which the last frame was begun.
    last_begin: Option<Instant>,
    last_loss: Option<Instant>,
    /// The time at which to lay out a frame without any event.
    wake_at: Option<Instant>,
    failure: Option<ViewerError>,
}

impl Viewer {
    fn new(options: WindowOptions, proxy: EventLoopProxy<Wake>) -> Self {
        let notify = proxy.clone();
        // The event loop may have ended by then; nothing needs to be notified.
        let watcher = (!options.no_watch).then(|| {
            Watcher::new(move |changes| notify.send_event(Wake::Changed(changes)).unwrap_or_default()).ok()
        });
        let mut watcher = watcher.flatten();
        if let Some(watcher) = &mut watcher {
            // Watch the files before they are read, so that no change is missed.
            options
                .subject
                .files
                .iter()
                .filter(|file| file.as_os_str() != "-")
                .for_each(|file| drop(watcher.follow(file)));
        }
        let ctx = Context::default();
        let wake = proxy.clone();
        let waker = Waker::new(move || wake.send_event(Wake::Loaded).unwrap_or_default());
        // Pictures are kept where settings are.
        let cache = options.settings.as_ref().and_then(|_| gallery::cache::default_folder());
        let mut app = App::in_background(&options, cache, waker);
        app.state.files.loading.asks_screen = true;
        app.set_up(&ctx);
        tooltips::wait_for_move(&ctx);
        let notify = proxy.clone();
        FallbackFonts::of_system(&ctx, move || notify.send_event(Wake::Fonts).unwrap_or_default());
        Self {
            shell: None,
            app,
            repaints: Repaints::of(&ctx),
            ctx,
            proxy,
            watcher,
            watched_folders: Vec::new(),
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
        let waits = show_loaded(&mut self.app.state, shell);
        let mut input = shell.take_input();
        self.app.take_dropped(&mut input);
        if let Err(error) = self.clipboard.translate(&mut input) {
            self.app.state.notify_error(format!("Cannot paste: {error}"));
        }
        self.app.state.canvas.is_slow = shell.screen().is_some_and(|screen| screen.is_slow());
        self.app.state.is_full_screen = shell.window().fullscreen().is_some();
        let is_mere_move = repaints::is_mere_move(&input);
        self.repaints.begin();
        let output = self.ctx.run_ui(input, |ui| self.app.ui(ui));
        if let Err(error) = self.clipboard.take_over(&output.platform_output) {
            self.app.state.notify_error(format!("Cannot copy: {error}"));
        }
        let delay = output.viewport_output.get(&ViewportId::ROOT).map_or(Duration::MAX, |root| root.repaint_delay);
        let delay = self.repaints.delay(is_mere_move && self.app.is_over_panels(&self.ctx), delay);
        let posing = Instant::now();
        let scenes = self.app.scenes();
        let posing = posing.elapsed();
        shell.set_title(self.app.state.title());
        let painted = shell.paint(&self.ctx, output, &scenes);
        let is_too_heavy =
            scenes.iter().any(Option::is_some) && shell.screen().is_some_and(|screen| screen.is_too_heavy());
        // The next frame shows the message.
        let delay = if is_too_heavy == self.app.state.canvas.is_too_heavy { delay } else { Duration::ZERO };
        self.app.state.canvas.is_too_heavy = is_too_heavy;
        let delay = waits.map_or(delay, |wait| delay.min(wait));
        let statistics = &mut self.app.state.overlays.statistics;
        let mut delay = delay;
        if statistics.is_shown()
            && statistics.record(now.elapsed(), posing, shell.screen().and_then(|screen| screen.cost()))
        {
            statistics.screen = shell.screen().map(|screen| screen.name()).unwrap_or_default();
            delay = Duration::ZERO;
        }
        self.schedule(now, delay, &painted);
        if let Painted::Lost(reason) = painted {
            self.recover(event_loop, now, &reason);
        }
        self.follow_files();
        self.answer_requests(event_loop);
    }

    /// Schedules the next frame: now, later, or not at all.
    fn schedule(&mut self, now: Instant, delay: Duration, painted: &Painted) {
        let Some(shell) = &self.shell else { return };
        let is_moving = self.app.is_moving();
        self.last_frame = is_moving.then_some(now);
        let unchanged = is_moving.then(|| self.next_cue());
        let delay = repaints::until_next(painted, paces_itself(shell), unchanged, delay);
        if delay.is_zero() {
            self.redraw();
        } else {
            // `None` if the time cannot be represented, which means never.
            self.wake_at = now.checked_add(delay);
        }
    }

    /// Returns how long the characters stay unchanged.
    fn next_cue(&self) -> Duration {
        let secs = self.app.state.secs_to_next_change();
        secs.and_then(|secs| Duration::try_from_secs_f64(secs).ok()).unwrap_or(Duration::MAX)
    }

    /// Recovers from a lost device: tries the same backend, then the CPU, then gives up.
    fn recover(&mut self, event_loop: &ActiveEventLoop, now: Instant, reason: &str) {
        let again_so_soon = self.last_loss.is_some_and(|last| now - last < MIN_RECOVERY_INTERVAL);
        self.last_loss = Some(now);
        if again_so_soon && self.backend == Backend::Cpu {
            return self.fail(event_loop, ViewerError::Window(reason.into()));
        }
        let Some(shell) = &mut self.shell else { return };
        if !again_so_soon && shell.reopen_screen(event_loop, self.backend).is_ok() {
            return;
        }
        self.app.state.notify(format!("Switched to CPU rendering: {reason}"));
        self.backend = Backend::Cpu;
        // Not every system allows the CPU to paint a window that a GPU has painted.
        let textures = self.shell.take().map(Shell::close).unwrap_or_default();
        if let Err(error) = self.open(event_loop, textures) {
            self.fail(event_loop, error);
        }
    }

    fn open(&mut self, event_loop: &ActiveEventLoop, textures: Textures) -> Result<(), ViewerError> {
        let proxy = self.proxy.clone();
        let place = self.app.state.place;
        let opened = Shell::open(event_loop, proxy, &self.ctx, textures, self.backend, self.fullscreen, place)?;
        self.shell = Some(opened);
        // Nobody waits for a hidden window: small files are there when it opens.
        let begin = Instant::now();
        self.app.state.wait_for_loading(FIRST_WAIT);
        if let Some(shell) = &mut self.shell {
            while begin.elapsed() < FIRST_WAIT && show_loaded(&mut self.app.state, shell).is_some() {
                thread::sleep(FIRST_PAUSE);
            }
        }
        // Paint before showing the window, which avoids a blank flash.
        self.frame(event_loop);
        if let Some(shell) = &mut self.shell {
            shell.show();
            // Not every system keeps what was painted while hidden.
            shell.forget();
            shell.redraw();
        }
        Ok(())
    }

    fn fail(&mut self, event_loop: &ActiveEventLoop, error: ViewerError) {
        self.failure = Some(error);
        event_loop.exit();
    }

    /// Updates the watched files after files were opened, reloaded (links may have changed) or closed.
    fn follow_files(&mut self) {
        let folders = self.app.state.files.gallery.take_watched();
        let is_due = std::mem::take(&mut self.app.state.files.has_read) | folders.is_some();
        self.watched_folders = folders.unwrap_or_else(|| std::mem::take(&mut self.watched_folders));
        let Some(watcher) = self.watcher.as_mut().filter(|_| is_due) else { return };
        let documents = self.app.state.files.documents.iter().filter(|document| !document.is_piped());
        let files = documents.flat_map(|document| document.files());
        let files: HashSet<&Path> = files.chain(self.watched_folders.iter().map(PathBuf::as_path)).collect();
        watcher.retain(|file| files.contains(file));
        // Files that cannot be watched are only reloaded on demand.
        files.into_iter().for_each(|file| drop(watcher.follow(file)));
    }

    fn answer_requests(&mut self, event_loop: &ActiveEventLoop) {
        for request in std::mem::take(&mut self.app.state.requests) {
            let proxy = self.proxy.clone();
            let done = move |chosen| proxy.send_event(Wake::Chosen(chosen)).unwrap_or_default();
            match request {
                Request::Dialog(Dialog::Save) => {
                    let Some(export) = &self.app.state.export else { continue };
                    dialog::choose_name(Dialog::Save, export.path.as_ref(), &export.extensions(), done);
                }
                Request::Dialog(Dialog::Scene) => {
                    dialog::choose_name(Dialog::Scene, &self.app.state.scene_path(), &[SCENE], done);
                }
                Request::Dialog(dialog) => dialog::choose(dialog, done),
                Request::ReadUnderlay { file, is_background } => {
                    dialog::read_underlay(file, is_background, self.app.state.files.read.limits.clone(), done);
                }
                Request::CopyPicture => {
                    self.copy_picture();
                    self.redraw();
                }
                Request::Paste => {
                    match self.clipboard.text() {
                        Ok(text) => self.app.state.open_pasted(&text),
                        Err(error) => self.app.state.notify_error(format!("Cannot paste: {error}")),
                    }
                    self.redraw();
                }
                Request::OpenFolder(folder) => {
                    if let Err(error) = open::that_detached(&folder) {
                        self.app.state.notify_error(format!("Cannot open {}: {error}", folder.display()));
                    }
                }
                Request::FullScreen => self.shell.iter().for_each(Shell::toggle_fullscreen),
                Request::Quit => event_loop.exit(),
            }
        }
    }

    fn copy_picture(&mut self) {
        let state = &mut self.app.state;
        let Some(picture) = state.screenshot() else { return };
        match self.clipboard.copy_picture(&picture) {
            Ok(()) => {
                state.notify(format!("Copied the picture, {} × {} pixels", picture.width(), picture.height()))
            }
            Err(error) => state.notify_error(format!("Cannot copy the picture: {error}")),
        }
    }

    fn redraw(&self) {
        self.shell.iter().for_each(Shell::redraw);
    }

    /// Requests a frame after input. Without vertical sync, at most one frame per interval is requested: a mouse
    /// reports moves faster than needed.
    fn redraw_for_input(&mut self) {
        let paces_itself = self.shell.as_ref().is_some_and(paces_itself);
        match repaints::after_input(self.last_begin, paces_itself, Instant::now()) {
            Some(next) => self.wake_at = Some(self.wake_at.map_or(next, |wake_at| wake_at.min(next))),
            None => self.redraw(),
        }
    }
}

/// Returns true if painting waits for vertical sync.
fn paces_itself(shell: &Shell) -> bool {
    shell.screen().is_some_and(|screen| screen.paces_itself())
}

/// Shows the file that was loaded, once the screen is ready for it. Returns when to ask the screen again.
fn show_loaded(state: &mut State, shell: &mut Shell) -> Option<Duration> {
    state.take_loaded();
    let character = Arc::clone(state.files.loading.character()?);
    match shell.prepare(&character) {
        Preparation::Ready => state.show_uploaded(),
        Preparation::Computing => return Some(COMPUTING),
        Preparation::Uploading(done, total) => {
            state.files.loading.set_uploaded(done, total);
            return Some(Duration::ZERO);
        }
    }
    None
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
            WindowEvent::Resized(_) | WindowEvent::Moved(_) => {
                self.app.state.place = shell.place(self.app.state.place);
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
                    self.app.state.files.has_read = true;
                    self.follow_files();
                }
                let watcher = self.watcher.as_ref();
                // The files of a replaced folder are different ones, although no change of theirs was reported.
                let has_changed = |file: &Path| {
                    watcher.is_some_and(|it| it.has_changed(file, &changes)) || is_replaced && file.exists()
                };
                self.app.state.files_changed(&has_changed);
                self.app.state.files.gallery.note_changes(changes.paths());
            }
            // The frame takes it.
            Wake::Loaded => {}
            Wake::Chosen(Chosen::Paths(dialog, paths)) => self.app.state.take_paths(dialog, paths),
            Wake::Chosen(Chosen::Underlay(read)) => self.app.state.lay_under(read),
            Wake::Chosen(Chosen::Nothing) | Wake::Fonts => {}
            Wake::Chosen(Chosen::NoDialog(dialog)) => self.app.state.ask_for_path(dialog),
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
        if let Some(message) = self.app.save_settings() {
            self.failure.get_or_insert(ViewerError::Settings(message));
        }
        // Drop the screen before the connection that it was created with.
        self.shell = None;
    }
}
