//! The contents of the window. Depends on egui but not on a window, so tests can drive it as a user would.

pub mod clipboard;
pub mod commands;
pub mod dialog;
pub mod error;
pub mod identity;
pub mod kept;
pub mod keyboard;
pub mod low_window;
pub mod paint;
pub mod panel;
pub mod pointer;
pub mod preflight;
pub mod repaints;
pub mod screenshot;
pub mod shell;
pub mod state;
pub mod window;

use std::path::PathBuf;

use egui::{CentralPanel, Context, Frame, Id, Margin, Panel, Pos2, RawInput, Rect, Ui};

use crate::base::waker::Waker;
use crate::compare::Arrangement;
use crate::files::panel::findings;
use crate::files::panel::path_prompt;
use crate::palette::panel::{help, palette};
use crate::parts::panel::lists;
use crate::parts::side::SidePanel;
use crate::scene::Scene;
use crate::scene::fitted::Surroundings;
use crate::settings::Store;
use crate::settings::options::WindowOptions;
use crate::timeline::panel::transport;
use crate::widgets::actions::Actions;
use crate::widgets::focus;
use crate::widgets::theme::{self, MIN_WIDTH_FOR_LISTS, Palette};
use crate::widgets::tooltips;
use crate::{compare, export, scene, sheet, timeline, tracks};
use keyboard::Keyboard;
use low_window::{OpenPanels, VisiblePanels};
use panel::{canvas, stage_bar, top};
use pchr::draw::Picture;
use state::State;

/// Window height in points below which the controls are hidden.
const MIN_HEIGHT_FOR_CONTROLS: f32 = 200.0;
/// Window height in points below which there is only the timeline with a button, and the height of that bar.
const MIN_HEIGHT_FOR_TRANSPORT: f32 = 340.0;
const LOW_BAR: f32 = 48.0;
/// Window height in points below which the strip of tracks is hidden.
const MIN_HEIGHT_FOR_TRACKS: f32 = 320.0;
/// Window width in points from which the lists have two columns.
const MIN_WIDTH_FOR_COLUMNS: f32 = 1200.0;
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
    /// The widget id of the canvas, once laid out.
    canvas: Option<Id>,
    /// The places of the lists and of the bars in the last frame.
    steady: Vec<Rect>,
    /// Where settings are kept, if they are.
    store: Option<Store>,
    /// What was open in the last frame.
    open: OpenPanels,
}

impl App {
    /// Opens what `options` specify.
    #[cfg(test)]
    pub fn new(options: &WindowOptions) -> Self {
        Self::with(options, State::empty(options, None))
    }

    /// Opens what `options` specify. Files are loaded on another thread, which calls `waker` when a frame can show
    /// one. Pictures of the gallery are kept in the folder `cache`, if there is one.
    pub fn in_background(options: &WindowOptions, cache: Option<PathBuf>, waker: Waker) -> Self {
        let mut state = State::empty(options, Some(waker));
        state.files.gallery.cache = cache;
        Self::with(options, state)
    }

    fn with(options: &WindowOptions, mut state: State) -> Self {
        let Some(file) = options.settings.clone() else {
            state.open_first(options);
            return Self::of(state, None);
        };
        let (mut store, kept, message) = Store::open(file);
        state.apply_settings(&kept, options);
        let recent = state.settings().recent;
        let has_stage = options.subject.files.is_empty() && state.reopen_stage(&store.stage_file());
        if !has_stage {
            state.open_first(options);
        }
        let mut known = state.settings();
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
        let open = OpenPanels::of(&state);
        Self { state, canvas: None, steady: Vec::new(), store, open }
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
        if !self.state.playback.scrubbing && self.state.export.is_none() {
            self.state.advance(dt_secs);
            self.state.advance_companions(dt_secs);
        }
    }

    /// Returns true if the next frame differs from this one without any input.
    pub fn is_moving(&self) -> bool {
        let is_held = self.state.playback.scrubbing || self.state.export.is_some();
        let moves = self.state.playback.animator.is_moving() || self.state.are_companions_moving();
        moves && !is_held && self.state.loaded().is_some()
    }

    /// Returns true if moving the pointer to `to` changes nothing in the window.
    pub fn is_idle_move(&self, ctx: &Context, to: Pos2) -> bool {
        self.canvas.is_some_and(|canvas| pointer::is_idle_move(ctx, canvas, &self.steady, to))
    }

    /// Returns true if the pointer is over the lists or the bars.
    pub fn is_over_panels(&self, ctx: &Context) -> bool {
        let at = ctx.input(|input| input.pointer.latest_pos());
        at.is_some_and(|at| self.steady.iter().any(|panel| panel.contains(at)))
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
        tooltips::follow(ui.ctx());
        self.state.take_loaded();
        self.state.follow_review();
        self.state.follow_lineup();
        self.state.take_looked_up();
        self.state.files.gallery.update();
        for text in Keyboard::take_pasted(ui.ctx()) {
            self.state.open_pasted(&text);
        }
        for command in Keyboard::take(ui.ctx()) {
            self.state.run(command);
        }
        let mut actions = Actions::default();
        self.state.follow_findings();
        let size = ui.available_size();
        let state = &mut self.state;
        let around = surroundings(state, size * ui.pixels_per_point());
        // A timeline that is hidden cannot be dragged; a visible one sets this again.
        state.playback.scrubbing = false;
        let mut visible = VisiblePanels::default();
        let is_low = size.y < MIN_HEIGHT_FOR_TRANSPORT;
        self.steady.clear();
        if state.panels {
            let panel = Frame::new().fill(Palette::of(ui.visuals()).panel);
            let bar = panel.inner_margin(Margin::symmetric(8, 0));
            let top = Panel::top("top").exact_size(44.0).frame(bar);
            self.steady.push(top.show(ui, |ui| top::show(ui, state, &mut actions)).response.rect);
            let frame = panel.inner_margin(Margin::same(8));
            if is_low && size.y >= MIN_HEIGHT_FOR_CONTROLS && state.loaded().is_some() {
                let bar = Panel::bottom("timeline, low").exact_size(LOW_BAR).resizable(false);
                bar.frame(panel.inner_margin(Margin::symmetric(8, 4)))
                    .show(ui, |ui| timeline::panel::show_low(ui, &mut state.timeline_panel(&mut actions)));
            }
            if !is_low && state.loaded().is_some() {
                let bar = Panel::bottom("transport").resizable(false).show_separator_line(false);
                let bar = bar.frame(frame.inner_margin(Margin { top: 0, ..frame.inner_margin }));
                let bar = bar.show(ui, |ui| transport::show(ui, &mut state.timeline_panel(&mut actions)));
                self.steady.push(bar.response.rect);
            }
            // Beside everything that may open below the canvas, so that the lists keep their height.
            let is_wide = size.x >= MIN_WIDTH_FOR_LISTS;
            if is_wide && state.has_lists() {
                self.steady.push(side_panel(ui, state, size.x, &mut actions));
            }
            if !is_low && state.loaded().is_some() {
                let room = ui.available_height() - MIN_CANVAS_HEIGHT;
                let is_open = state.timeline.lower.is_some() && room >= MIN_DOPESHEET;
                visible.lower = is_open;
                let panel = if is_open {
                    let height = state.timeline.height.within(room);
                    Panel::bottom("dopesheet").resizable(false).exact_size(height)
                } else {
                    Panel::bottom("timeline").resizable(false)
                };
                let frame = frame.inner_margin(Margin { bottom: 2, ..frame.inner_margin });
                panel
                    .frame(frame)
                    .show(ui, |ui| timeline::panel::show(ui, &mut state.timeline_panel(&mut actions), is_open));
            }
            if size.y >= MIN_HEIGHT_FOR_TRACKS && state.mixer.is_shown && state.loaded().is_some() {
                visible.tracks = true;
                let frame = panel.inner_margin(Margin { left: 8, right: 8, top: 6, bottom: 2 });
                Panel::bottom("tracks").resizable(false).frame(frame).show(ui, |ui| {
                    tracks::panel::show(ui, &mut state.tracks_panel(&mut actions));
                });
            }
            if !is_wide && state.has_lists() && state.parts.lists {
                self.steady.push(side_panel(ui, state, size.x, &mut actions));
            }
        }
        let layout = state.sheet.layout(state.playback.character());
        let layout = layout.filter(|_| state.panels && state.sheet.is_shown && size.x >= MIN_WIDTH_FOR_SHEET);
        match layout {
            Some(layout) => {
                let squares = canvas::checker(ui, state);
                let frame = Frame::new().fill(Palette::of(ui.visuals()).panel).inner_margin(Margin::same(10));
                let panel = Panel::right("sheet").default_size(state.sheet.width).size_range(160.0..=720.0);
                let panel = panel.frame(frame).show(ui, |ui| {
                    sheet::panel::show(ui, &mut state.sheet, &mut state.playback, &layout, squares, &mut actions)
                });
                state.sheet.width = panel.response.rect.width();
            }
            None => sheet::panel::forget(ui),
        }
        if let Some(what) = self.open.opened_without_room(state, visible) {
            state.notify(format!("Make the window taller to see the {what}"));
        }
        if state.panels && size.y >= MIN_HEIGHT_FOR_CONTROLS {
            compare::panel::bar(ui, &mut state.compare_panel(&mut actions));
            compare::panel::findings(ui, &mut state.compare_panel(&mut actions));
            findings::show(ui, &mut state.files, &mut actions);
            if !is_low {
                stage_bar::show(ui, state, &mut actions);
            }
        }
        // Together with the size of the canvas, which it sets: panels that are shown before it ask for the view.
        state.canvas.around = around;
        let canvas = CentralPanel::default().frame(Frame::NONE);
        let canvas = canvas.show(ui, |ui| canvas::show(ui, state, &mut actions));
        self.canvas = Some(canvas.inner);
        compare::panel::choose(ui, &mut state.compare_panel(&mut actions));
        path_prompt::show(ui, &mut state.files, &mut actions);
        state.follow_export();
        let squares = canvas::checker(ui, state);
        export::panel::show(ui, state.export.as_deref_mut(), squares, &mut actions);
        help::show(ui, &mut state.help);
        self.show_palette(ui, &mut actions);
        focus::paint(ui);
        self.state.perform(actions);
        if let Some(text) = self.state.take_pointers() {
            ui.copy_text(text);
        }
        self.state.interface.apply(ui.ctx());
        self.keep_settings(ui.ctx());
    }

    /// Shows the palette while it is open, and chooses or closes.
    fn show_palette(&mut self, ui: &Ui, actions: &mut Actions) {
        let state = &mut self.state;
        state.update_palette();
        let Some(mut shown) = state.palette.take() else { return };
        let input = palette::show(ui, &mut shown, &|entry| state.entry_status(entry));
        state.palette = (input != Some(palette::PaletteInput::Close)).then_some(shown);
        if input == Some(palette::PaletteInput::Choose) {
            state.choose_entry().into_iter().for_each(|command| actions.push(command));
        }
    }

    /// Writes changed settings, a moment after the change.
    fn keep_settings(&mut self, ctx: &Context) {
        let (now, has_input) = ctx.input(|input| (input.time, !input.events.is_empty()));
        // Options such as --time only have their effect once the first file is there.
        if self.state.files.loading.is_first && !self.state.files.loading.is_idle() {
            return;
        }
        let is_only_playing = self.is_moving() && !has_input;
        let Some(store) = self.store.as_mut().filter(|store| !is_only_playing || store.is_due(now)) else {
            return;
        };
        let settings = self.state.settings();
        if store.is_due(now) {
            if let Some(message) = store.write(&settings) {
                self.state.notify(format!("{message}. The next change and quitting try again."));
            }
        } else if let Some(delay) = store.compare(now, &settings) {
            ctx.request_repaint_after_secs(delay as f32);
        }
    }

    /// Writes changed settings, and what is on the stage, at once. Call it before the program ends. Returns a message if
    /// this fails and the user does not know it yet.
    pub fn save_settings(&mut self) -> Option<String> {
        let store = self.store.as_mut()?;
        let kept = self.state.keep_stage(&store.stage_file());
        let message = kept.err().map(|error| format!("Cannot keep the stage: {error}"));
        store.write(&self.state.settings()).or(message)
    }

    /// Returns the scene of the shown character.
    #[cfg(test)]
    pub fn scene(&mut self) -> Option<Scene> {
        self.state.scene()
    }

    /// Returns the scenes whose pictures this frame shows: see [`paint::Frame::scenes`].
    pub fn scenes(&mut self) -> Vec<Option<Scene>> {
        self.state.drawn_scenes()
    }
}

/// Shows the lists in a window of this width, and returns their place.
fn side_panel(ui: &mut Ui, state: &mut State, window: f32, actions: &mut Actions) -> Rect {
    let side = &mut state.parts.side;
    let (panel, kept) = match window {
        width if width < MIN_WIDTH_FOR_LISTS => {
            let width = (width - MIN_CANVAS).clamp(MIN_LISTS, SidePanel::WIDTH);
            (Panel::left("lists, narrow").resizable(false).exact_size(width), None)
        }
        width if width < MIN_WIDTH_FOR_COLUMNS => {
            (Panel::left("lists").default_size(side.width).size_range(150.0..=420.0), Some(false))
        }
        _ => (Panel::left("lists, wide").default_size(side.wide_width).size_range(150.0..=700.0), Some(true)),
    };
    let frame = Frame::new().fill(Palette::of(ui.visuals()).panel).inner_margin(Margin::same(10));
    let rect = panel.frame(frame).show(ui, |ui| lists::show(ui, &mut state.parts_panel(actions))).response.rect;
    match kept {
        Some(true) => state.parts.side.wide_width = rect.width(),
        Some(false) => state.parts.side.width = rect.width(),
        None => {}
    }
    rect
}

/// Returns what surrounds the canvas in a window of `size` physical pixels, except the dopesheet, the curves and the bar of
/// the stage: the view is fitted again with them.
fn surroundings(state: &State, size: egui::Vec2) -> Surroundings {
    let panels = [
        state.panels,
        state.mixer.is_shown,
        state.parts.lists,
        state.sheet.is_shown,
        state.compare.second.is_some(),
        state.compare.findings.is_shown,
    ];
    let bits = panels.iter().enumerate().map(|(at, is_open)| u8::from(*is_open) << at);
    let is_halved = state.compare.shown() == Some(Arrangement::SideBySide);
    Surroundings { window: [size.x, size.y].map(|side| side.round() as u32), panels: bits.sum(), is_halved }
}

/// Returns the picture that the canvas of a window with these options shows first, if it has this size in pixels;
/// `None` if it shows no character.
pub fn picture(options: &WindowOptions, size: [u32; 2]) -> Option<Picture> {
    let mut state = State::new(options);
    state.canvas.size = size;
    let scene = state.scene()?;
    Some(scene::picture(&scene))
}

#[cfg(test)]
pub mod tests;
