//! The contents of the window. Depends on egui but not on a window, so tests can drive it as a user would.

pub mod actions;
pub mod availability;
pub mod clipboard;
pub mod dialog;
pub mod error;
pub mod fitting;
pub mod identity;
pub mod keyboard;
pub mod options;
pub mod paint;
pub mod panel;
pub mod pointer;
pub mod preflight;
pub mod screenshot;
pub mod shell;
pub mod state;
pub mod window;

use egui::{CentralPanel, Context, Frame, Id, Margin, Panel, Pos2, RawInput, TextureId, Ui};

use crate::draw::Picture;
use crate::viewer::files::loading::Waker;
use crate::viewer::palette::panel::{help, palette};
use crate::viewer::parts::panel::lists;
use crate::viewer::playback::panel::transport;
use crate::viewer::scene::Scene;
use crate::viewer::settings::{Settings, Store};
use crate::viewer::widgets::focus;
use crate::viewer::widgets::theme::{self, Palette};
use crate::viewer::{WindowOptions, compare, export, scene, sheet, timeline, tracks};
use fitting::{Fitting, Open};
use keyboard::Keyboard;
use panel::{canvas, top};
use state::State;

/// Window width in points below which the lists are only shown on demand.
pub const MIN_WIDTH_FOR_LISTS: f32 = 620.0;
/// Window height in points below which the controls are hidden.
const MIN_HEIGHT_FOR_CONTROLS: f32 = 200.0;
/// Window height in points below which there is only the timeline with a button, and the height of that bar.
const MIN_HEIGHT_FOR_TRANSPORT: f32 = 340.0;
const LOW_BAR: f32 = 48.0;
/// Window height in points below which the strip of tracks is hidden.
const MIN_HEIGHT_FOR_TRACKS: f32 = 320.0;
/// Width in points that the canvas keeps in a narrow window, unless the lists would become too narrow.
const MIN_CANVAS: f32 = 100.0;
const MIN_LISTS: f32 = 140.0;
/// Height in points that the canvas keeps above the dopesheet, and minimum height of the dopesheet with the ruler.
const MIN_CANVAS_HEIGHT: f32 = 120.0;
const MIN_DOPESHEET: f32 = 170.0;
/// Window width in points below which the pages of a sprite sheet are hidden.
const MIN_WIDTH_FOR_SHEET: f32 = 820.0;

/// The contents of the window.
#[derive(Debug)]
pub struct App {
    /// What is shown.
    pub state: State,
    /// The textures that hold the rendered character, and the one that it is compared with.
    pub textures: [TextureId; 2],
    /// The widget id of the canvas, once laid out.
    canvas: Option<Id>,
    /// Where settings are kept, if they are.
    store: Option<Store>,
    /// What was open in the last frame.
    open: Open,
}

impl App {
    /// Opens what `options` specify.
    #[cfg(test)]
    pub fn new(options: &WindowOptions) -> Self {
        Self::with(options, State::empty(options))
    }

    /// Opens what `options` specify. Files are loaded on another thread, which calls `waker` when a frame can show
    /// one.
    pub fn in_background(options: &WindowOptions, waker: Waker) -> Self {
        Self::with(options, State::empty_in_background(options, waker))
    }

    fn with(options: &WindowOptions, mut state: State) -> Self {
        let Some(file) = options.settings.clone() else {
            state.open_first(options);
            return Self::of(state, None);
        };
        let (mut store, kept, message) = Store::open(file);
        kept.apply(&mut state, options);
        let recent = Settings::of(&state).recent;
        state.open_first(options);
        let mut known = Settings::of(&state);
        if !store.is_broken() {
            // The files are kept as recent ones. A broken file is only replaced when the user changes something.
            known.recent = recent;
        }
        // A time between frames turns interpolation on once the file is loaded.
        known.playback.interpolate |= options.subject.time.is_some();
        store.know(known);
        message.into_iter().for_each(|message| state.notify_error(message));
        Self::of(state, Some(store))
    }

    fn of(state: State, store: Option<Store>) -> Self {
        let open = Open::of(&state);
        Self { state, textures: [TextureId::User(0), TextureId::User(1)], canvas: None, store, open }
    }

    /// Prepares `ctx` for [`Self::ui`]. Call it once, before the first frame.
    pub fn set_up(&self, ctx: &Context) {
        theme::apply(ctx);
        self.state.interface.apply(ctx);
        // The viewer binds these keys itself.
        ctx.options_mut(|options| options.zoom_with_keyboard = false);
        Keyboard::listen(ctx);
    }

    /// Advances time by `dt_secs` seconds.
    pub fn advance(&mut self, dt_secs: f64) {
        // Behind the export dialog the character is frozen; only the preview plays.
        if !self.state.scrubbing && self.state.export.is_none() {
            self.state.advance(dt_secs);
        }
    }

    /// Returns true if the next frame differs from this one without any input.
    pub fn is_moving(&self) -> bool {
        let is_held = self.state.scrubbing || self.state.export.is_some();
        self.state.animator.is_moving() && !is_held && self.state.loaded().is_some()
    }

    /// Returns true if moving the pointer to `to` changes nothing in the window.
    pub fn is_idle_move(&self, ctx: &Context, to: Pos2) -> bool {
        self.canvas.is_some_and(|canvas| pointer::is_idle_move(ctx, canvas, to))
    }

    /// Opens the files dropped onto the window.
    pub fn take_dropped(&mut self, input: &mut RawInput) {
        let paths = std::mem::take(&mut input.dropped_files).into_iter().map(|file| file.path().to_owned());
        let paths: Vec<_> = paths.collect();
        if !paths.is_empty() {
            self.state.open(paths);
        }
    }

    /// Lays out one frame and runs the commands issued in it.
    pub fn ui(&mut self, ui: &mut Ui) {
        self.state.take_loaded();
        self.state.take_looked_up();
        for text in Keyboard::take_pasted(ui.ctx()) {
            self.state.open_pasted(&text);
        }
        let mut commands = Keyboard::take(ui.ctx());
        for command in commands.drain(..) {
            self.state.run(command);
        }
        self.state.follow_findings();
        let size = ui.available_size();
        let state = &mut self.state;
        // A timeline that is hidden cannot be dragged; a visible one sets this again.
        state.scrubbing = false;
        let mut fitting = Fitting::default();
        if state.panels {
            let panel = Frame::new().fill(Palette::of(ui.visuals()).panel);
            let bar = panel.inner_margin(Margin::symmetric(8, 0));
            Panel::top("top").exact_size(44.0).frame(bar).show(ui, |ui| top::show(ui, state, &mut commands));
            let is_low = size.y < MIN_HEIGHT_FOR_TRANSPORT;
            if is_low && size.y >= MIN_HEIGHT_FOR_CONTROLS && state.loaded().is_some() {
                let bar = Panel::bottom("timeline, low").exact_size(LOW_BAR).resizable(false);
                bar.frame(panel.inner_margin(Margin::symmetric(8, 4)))
                    .show(ui, |ui| timeline::panel::show_low(ui, state, &mut commands));
            }
            if !is_low && state.loaded().is_some() {
                let frame = panel.inner_margin(Margin { left: 8, right: 8, top: 8, bottom: 8 });
                let bar = Panel::bottom("transport").resizable(false).show_separator_line(false);
                bar.frame(frame.inner_margin(Margin { top: 0, ..frame.inner_margin })).show(ui, |ui| {
                    transport::show(ui, state, &mut commands);
                });
                let room = ui.available_height() - MIN_CANVAS_HEIGHT;
                let is_open = state.timeline.lower.is_some() && room >= MIN_DOPESHEET;
                fitting.lower = is_open;
                let panel = if is_open {
                    let height = state.timeline.height.within(room);
                    Panel::bottom("dopesheet").resizable(false).exact_size(height)
                } else {
                    Panel::bottom("timeline").resizable(false)
                };
                let frame = frame.inner_margin(Margin { bottom: 2, ..frame.inner_margin });
                panel.frame(frame).show(ui, |ui| timeline::panel::show(ui, state, is_open, &mut commands));
            }
            if size.y >= MIN_HEIGHT_FOR_TRACKS && state.mixer.is_shown && state.loaded().is_some() {
                fitting.tracks = true;
                let frame = panel.inner_margin(Margin { left: 8, right: 8, top: 6, bottom: 2 });
                Panel::bottom("tracks").resizable(false).frame(frame).show(ui, |ui| {
                    tracks::panel::show(ui, state, &mut commands);
                });
            }
            if state.current().is_some() {
                let frame = panel.inner_margin(Margin::same(10));
                let lists = if size.x >= MIN_WIDTH_FOR_LISTS {
                    Some(Panel::left("lists").default_size(230.0).size_range(150.0..=420.0))
                } else {
                    let width = (size.x - MIN_CANVAS).clamp(MIN_LISTS, 230.0);
                    state.lists.then(|| Panel::left("lists, narrow").resizable(false).exact_size(width))
                };
                if let Some(panel) = lists {
                    panel.frame(frame).show(ui, |ui| lists::show(ui, state));
                }
            }
        }
        let book = state.book().filter(|_| state.panels && state.sheet.is_shown && size.x >= MIN_WIDTH_FOR_SHEET);
        match book {
            Some(book) => {
                let frame = Frame::new().fill(Palette::of(ui.visuals()).panel).inner_margin(Margin::same(10));
                let panel = Panel::right("sheet").default_size(300.0).size_range(160.0..=720.0);
                panel.frame(frame).show(ui, |ui| sheet::panel::show(ui, state, &book, &mut commands));
            }
            None => sheet::panel::forget(ui),
        }
        self.open.follow(state, fitting);
        if state.panels && size.y >= MIN_HEIGHT_FOR_CONTROLS {
            compare::panel::bar(ui, state, &mut commands);
            compare::panel::findings(ui, state);
        }
        let canvas = CentralPanel::default().frame(Frame::NONE);
        let canvas = canvas.show(ui, |ui| canvas::show(ui, state, self.textures, &mut commands));
        self.canvas = Some(canvas.inner);
        compare::panel::choose(ui, state);
        export::panel::show(ui, state);
        help::show(ui, state);
        palette::show(ui, state, &mut commands);
        focus::paint(ui);
        for command in commands {
            self.state.run(command);
        }
        self.state.interface.apply(ui.ctx());
        self.keep_settings(ui.ctx());
    }

    /// Writes changed settings, a moment after the change.
    fn keep_settings(&mut self, ctx: &Context) {
        let (now, has_input) = ctx.input(|input| (input.time, !input.events.is_empty()));
        // Options such as --time only have their effect once the first file is there.
        if self.state.loading.is_first && !self.state.loading.is_idle() {
            return;
        }
        let is_only_playing = self.is_moving() && !has_input;
        let Some(store) = self.store.as_mut().filter(|store| !is_only_playing || store.is_due(now)) else {
            return;
        };
        let settings = Settings::of(&self.state);
        if store.is_due(now) {
            if let Some(message) = store.write(&settings) {
                self.state.notify(format!("{message}. The next change and quitting try again."));
            }
        } else if let Some(delay) = store.compare(now, &settings) {
            ctx.request_repaint_after_secs(delay as f32);
        }
    }

    /// Writes changed settings at once. Call it before the program ends. Returns a message if this fails and the user
    /// does not know it yet.
    pub fn save_settings(&mut self) -> Option<String> {
        self.store.as_mut()?.write(&Settings::of(&self.state))
    }

    /// Returns the scene of the shown character.
    #[cfg(test)]
    pub fn scene(&mut self) -> Option<Scene> {
        self.state.scene()
    }

    /// Returns the scenes to draw into [`Self::textures`] before this frame is painted.
    pub fn scenes(&mut self) -> [Option<Scene>; 2] {
        self.state.drawn_scenes()
    }
}

/// Returns the picture that the canvas of a window with these options shows first, if it has this size in pixels;
/// `None` if it shows no character.
pub fn picture(options: &WindowOptions, size: [u32; 2]) -> Option<Picture> {
    let mut state = State::new(options);
    state.canvas = size;
    let scene = state.scene()?;
    Some(scene::picture(&scene, state.background))
}

#[cfg(test)]
pub mod tests;
