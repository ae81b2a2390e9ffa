//! A window of the program on files in a folder of its own, driven with the mouse and the keyboard.
//!
//! Modules of tests add methods of their own to it.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use crate::WindowOptions;
use crate::app::App;
use crate::app::state::State;
use egui::accesskit::{Action, Role};
use egui::{
    DroppedFile, Event, Key, Modifiers, MouseWheelSource, MouseWheelUnit, PointerButton, Pos2, Rect, TouchPhase,
    Vec2,
};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT, Queryable};
use pchr::formats::image::encode_png;
use pchr_cli as cli;
use tempfile::TempDir;

/// A file dropped onto the window.
#[derive(Debug)]
struct Dropped(PathBuf);

impl DroppedFile for Dropped {
    fn path(&self) -> &Path {
        &self.0
    }

    fn bytes(&self) -> Result<Vec<u8>, String> {
        panic!("the window reads it itself")
    }
}

pub struct TestWindow {
    pub harness: Harness<'static, App>,
    pub folder: TempDir,
}

// ---- Opening

impl TestWindow {
    /// Opens a window of this size on `files`, names of the project's own characters, paused.
    pub fn open(size: [f32; 2], files: &[&str]) -> Self {
        Self::open_with(size, files, |_, _| {})
    }

    /// Like [`Self::open`]. `change` may add files to the folder, and change the options.
    pub fn open_with(size: [f32; 2], files: &[&str], change: impl FnOnce(&mut WindowOptions, &Path)) -> Self {
        let folder = folder_of_assets();
        let mut options = paused();
        options.subject.files.extend(files.iter().map(|file| folder.path().join(file)));
        change(&mut options, folder.path());
        Self::new(size, folder, &options)
    }

    /// Opens a window of this size on all of `files`, given by name and contents.
    pub fn of(size: [f32; 2], files: &[(&str, &[u8])], change: impl FnOnce(&mut WindowOptions)) -> Self {
        let folder = folder_of(files);
        let mut options = paused();
        options.subject.files.extend(files.iter().map(|(name, _)| folder.path().join(name)));
        change(&mut options);
        Self::new(size, folder, &options)
    }

    /// Opens a window on the files of `options`, which are in `folder`.
    pub fn new(size: [f32; 2], folder: TempDir, options: &WindowOptions) -> Self {
        let mut it = Self::show(size, folder, App::new(options));
        it.harness.run();
        it
    }

    /// Opens a window that shows `app`, and lays out one frame.
    pub fn show(size: [f32; 2], folder: TempDir, mut app: App) -> Self {
        if app.store.is_none() {
            // Not in the pictures of whoever runs the tests.
            app.state.screenshots = Some(folder.path().join("screenshots"));
        }
        let set_up = App::new(&WindowOptions::default());
        let harness = Harness::builder()
            .with_size(size)
            // New widgets request further frames: how many depends on the machine's load.
            .with_max_steps(30)
            .with_context_setup(move |ctx| set_up.set_up(ctx))
            .build_ui_state(|ui, app: &mut App| app.ui(ui), app);
        Self { harness, folder }
    }
}

/// Returns the options of a window that is paused and does not watch its files.
pub fn paused() -> WindowOptions {
    let mut options = WindowOptions::default();
    options.paused = true;
    options.no_watch = true;
    options
}

/// Returns a folder with copies of the project's own characters.
pub fn folder_of_assets() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let assets = crate::common::root().join("assets");
    for asset in fs::read_dir(assets).unwrap().map(|asset| asset.unwrap().path()) {
        fs::copy(&asset, folder.path().join(asset.file_name().unwrap())).unwrap();
    }
    folder
}

/// Returns a folder with these files, given by name and contents.
pub fn folder_of(files: &[(&str, &[u8])]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, bytes) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }
    folder
}

/// Runs one of the programs on this thread, and expects success.
#[track_caller]
pub fn run_program(words: impl IntoIterator<Item = OsString>) {
    let words: Vec<OsString> = words.into_iter().collect();
    let code = match words[0].to_str() {
        Some("pchr-view") => cli::pchr_view(words.clone(), None),
        Some("pchr") => cli::pchr(words.clone()),
        _ => panic!("{words:?} is no program of ours"),
    };
    assert_eq!(format!("{code:?}"), format!("{:?}", ExitCode::SUCCESS), "{words:?}");
}

// ---- Keyboard and mouse

impl TestWindow {
    /// Waits for the preview of the export dialog, which is drawn on another thread.
    #[track_caller]
    pub fn wait_for_preview(&mut self) {
        let begin = Instant::now();
        loop {
            self.harness.run_steps(1);
            let export = self.state().export.as_ref().expect("the dialog is open");
            if export.previewer.answer().is_some() && !export.previewer.is_busy() {
                return;
            }
            assert!(begin.elapsed() < Duration::from_secs(120), "the preview takes too long");
            thread::sleep(Duration::from_millis(5));
        }
    }

    pub fn press(&mut self, modifiers: Modifiers, key: Key) {
        self.harness.key_press_modifiers(modifiers, key);
        self.harness.run();
    }

    /// Presses a key without modifiers.
    pub fn key(&mut self, key: Key) {
        self.press(Modifiers::NONE, key);
    }

    pub fn type_text(&mut self, text: &str) {
        self.harness.event(Event::Text(text.to_owned()));
        self.harness.run();
    }

    /// Clicks the control with exactly this label.
    pub fn click(&mut self, label: &str) {
        self.harness.get_by_label(label).click();
        self.harness.run();
    }

    /// Clicks the control whose label contains `part`.
    pub fn click_part(&mut self, part: &str) {
        self.harness.get_by_label_contains(part).click();
        self.harness.run();
    }

    /// Clicks a button, not another control with the same label.
    pub fn click_button(&mut self, label: &str) {
        self.click_role(Role::Button, label);
    }

    pub fn click_role(&mut self, role: Role, label: &str) {
        let place = self.harness.get_by_role_and_label(role, label).rect().center();
        self.click_at(place);
    }

    /// Clicks a row of a menu or of the palette.
    pub fn click_row(&mut self, label: &str) {
        let is_row = |role| matches!(role, Role::MenuItem | Role::MenuItemCheckBox);
        let row = self.harness.get_by(|node| is_row(node.role()) && node.label().as_deref() == Some(label));
        let place = row.rect().center();
        self.click_at(place);
    }

    pub fn click_at(&mut self, pos: Pos2) {
        self.click_with(pos, PointerButton::Primary);
    }

    pub fn click_with(&mut self, pos: Pos2, button: PointerButton) {
        self.harness.hover_at(pos);
        self.harness.run_steps(1);
        for pressed in [true, false] {
            self.harness.event(Event::PointerButton { pos, button, pressed, modifiers: Modifiers::NONE });
            self.harness.run_steps(1);
        }
        self.harness.run();
    }

    /// Presses, moves and releases the mouse button.
    pub fn drag(&mut self, from: Pos2, to: Pos2) {
        self.harness.hover_at(from);
        self.harness.run_steps(1);
        self.harness.drag_at(from);
        self.harness.run_steps(2);
        self.harness.hover_at(to);
        self.harness.run_steps(2);
        self.harness.drop_at(to);
        self.harness.run();
    }

    /// Turns the wheel by `delta` points.
    pub fn wheel(&mut self, at: Pos2, delta: Vec2, modifiers: Modifiers) {
        self.harness.hover_at(at);
        self.harness.run_steps(1);
        let unit = MouseWheelUnit::Point;
        let (phase, source) = (TouchPhase::Move, MouseWheelSource::Wheel);
        self.harness.event(Event::MouseWheel { unit, delta, phase, source, modifiers });
        self.harness.run();
    }

    pub fn drop_files(&mut self, paths: impl IntoIterator<Item = PathBuf>) {
        let mut input = egui::RawInput::default();
        paths.into_iter().for_each(|path| input.dropped_files.push(Arc::new(Dropped(path))));
        self.app().take_dropped(&mut input);
    }

    /// Lets time pass as the window does: a frame, then its duration.
    pub fn let_seconds_pass(&mut self, seconds: f64) {
        for _ in 0..(seconds * 60.0).round() as u32 {
            self.harness.state_mut().advance(1.0 / 60.0);
            self.harness.run_steps(1);
        }
    }
}

// ---- What the window shows

impl TestWindow {
    pub fn app(&mut self) -> &mut App {
        self.harness.state_mut()
    }

    pub fn state(&self) -> &State {
        &self.harness.state().state
    }

    pub fn state_mut(&mut self) -> &mut State {
        &mut self.harness.state_mut().state
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Returns the shown frame.
    pub fn frame(&self) -> u32 {
        self.state().playback.animator.playback(0).frame()
    }

    /// Returns the name of the selected part.
    pub fn selected(&self) -> Option<String> {
        let state = self.state();
        state.parts.selected.map(|selected| selected.name(state.model().unwrap()).to_owned())
    }

    /// Returns the names of the worn skins.
    pub fn worn(&self) -> Vec<String> {
        let state = self.state();
        state
            .playback
            .animator
            .skins()
            .iter()
            .map(|&id| state.model().unwrap().skin(id).name.to_string())
            .collect()
    }

    /// Returns true if any text in the window contains `text`.
    pub fn says(&self, text: &str) -> bool {
        self.harness.root().children_recursive().any(|node| {
            let node = node.accesskit_node();
            [node.label(), node.value()].into_iter().flatten().any(|found| found.contains(text))
        })
    }

    /// Returns the controls by their id in the accessibility tree: description and rectangle.
    pub fn controls(&self) -> BTreeMap<u64, (String, Rect)> {
        let nodes = self.harness.root().children_recursive().filter_map(|node| {
            let inner = node.accesskit_node();
            let data = inner.data();
            let is_control = match inner.role() {
                // On the canvas the mouse moves the view; the keyboard has commands for that.
                Role::Image => data.supports_action(Action::Focus),
                // Scroll bars follow the focus.
                Role::ScrollBar => false,
                // Selectable text, and containers of widgets.
                Role::Label | Role::GenericContainer | Role::Window | Role::Unknown => false,
                _ => data.supports_action(Action::Focus) || data.supports_action(Action::Click),
            };
            let name = format!("{:?} {:?} {:?}", inner.role(), inner.label(), inner.value());
            let is_there = is_control && !inner.is_disabled();
            is_there.then(|| (inner.locate().0.0, (name, node.rect())))
        });
        nodes.collect()
    }

    /// Saves a screenshot into the folder named by `PCHR_SHOW`, for inspection.
    pub fn save(&mut self, name: &str) {
        let Ok(folder) = std::env::var("PCHR_SHOW") else { return };
        let picture = self.harness.render().expect("it renders");
        let png = encode_png(picture.width(), picture.height(), picture.as_raw()).expect("a PNG");
        fs::write(Path::new(&folder).join(format!("{name}.png")), png).expect("a folder");
    }
}
