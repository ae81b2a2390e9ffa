//! The export dialog on the paper knight, driven as a user would.

use std::collections::BTreeMap;
use std::fs;
use std::ops::{Deref, DerefMut};
use std::process::Command;
use std::time::{Duration, Instant};

use crate::app::state::State;
use crate::export::{Ended, Export, Phase};
use egui::accesskit::Role;
use egui::{Event, Key, Modifiers, PointerButton, Pos2, Rect};
use egui_kittest::kittest::Queryable;
use tempfile::TempDir;

use crate::app::tests::harness::{self, TestWindow, run_program};

pub struct Dialog {
    pub desk: TestWindow,
    /// Names of the character's files, the main one first.
    pub inputs: Vec<&'static str>,
}

impl Deref for Dialog {
    type Target = TestWindow;

    fn deref(&self) -> &TestWindow {
        &self.desk
    }
}

impl DerefMut for Dialog {
    fn deref_mut(&mut self) -> &mut TestWindow {
        &mut self.desk
    }
}

impl Dialog {
    /// Opens a window of this size with the walking knight and the export dialog.
    pub fn open(size: [f32; 2]) -> Self {
        Self::open_files(size, &[("paper-knight.pchr", "my knight.pchr")], "walk", |_| {})
    }

    /// Opens a window with the paper lamp, a Spine skeleton with an atlas, and the export dialog.
    pub fn of_lamp() -> Self {
        Self::of_lamp_as([1100.0, 800.0], |_| {})
    }

    /// Like [`Self::of_lamp`]; the lamp is brought into a state before the dialog is opened.
    pub fn of_lamp_as(size: [f32; 2], change: impl FnOnce(&mut State)) -> Self {
        let files = [
            ("paper-lamp.json", "my lamp.json"),
            ("paper-lamp.atlas", "my lamp.atlas"),
            ("paper-lamp.png", "paper-lamp.png"),
        ];
        Self::open_files(size, &files, "idle", change)
    }

    /// Copies files from `assets` and opens the first one.
    fn open_files(
        size: [f32; 2],
        files: &[(&str, &'static str)],
        animation: &str,
        change: impl FnOnce(&mut State),
    ) -> Self {
        let folder = TempDir::new().expect("a temporary folder");
        for (asset, name) in files {
            let asset = crate::common::root().join("assets").join(asset);
            fs::copy(asset, folder.path().join(name)).expect("it can be copied");
        }
        let mut options = harness::paused();
        options.subject.animations = vec![animation.to_owned()];
        options.subject.files.push(folder.path().join(files[0].1));
        let mut it = Self {
            desk: TestWindow::new(size, folder, &options),
            inputs: files.iter().map(|(_, name)| *name).collect(),
        };
        change(it.desk.state_mut());
        it.press(Modifiers::COMMAND, Key::E);
        it
    }

    pub fn new() -> Self {
        Self::open([1100.0, 800.0])
    }

    /// Presses and releases within one frame, as touchpads do, or any mouse on a slow machine.
    pub fn tap(&mut self, pos: Pos2) {
        self.tap_at(pos, None);
        self.harness.run();
    }

    /// Like [`Self::tap`], at a given time in egui seconds, and in a single frame.
    pub fn tap_at(&mut self, pos: Pos2, secs: Option<f64>) {
        let input = self.harness.input_mut();
        input.time = secs.or(input.time);
        input.events.push(Event::PointerMoved(pos));
        input.events.extend([true, false].map(|pressed| Event::PointerButton {
            pos,
            button: PointerButton::Primary,
            pressed,
            modifiers: Modifiers::NONE,
        }));
        self.harness.run_steps(1);
    }

    /// Runs one frame at the given time.
    pub fn frame_at(&mut self, secs: f64) {
        self.harness.input_mut().time = Some(secs);
        self.harness.run_steps(1);
    }

    /// Returns the rectangle of a button.
    pub fn button(&self, label: &str) -> Rect {
        self.harness.get_by_role_and_label(Role::Button, label).rect()
    }

    /// Selects `choice` in the combo box `name`, which may have to be scrolled into view.
    pub fn choose(&mut self, name: &str, choice: &str) {
        self.harness.get_by_role_and_label(Role::ComboBox, name).scroll_to_me();
        self.harness.run_steps(4);
        self.harness.get_by_role_and_label(Role::ComboBox, name).click();
        self.harness.run();
        self.click_button(choice);
    }

    pub fn export(&mut self) -> &mut Export {
        self.harness.state_mut().state.export.as_mut().expect("the dialog is open")
    }

    /// Changes the choices as the dialog does.
    pub fn set(&mut self, change: impl FnOnce(&mut Export)) {
        let export = self.export();
        change(export);
        export.changed();
        self.harness.run();
    }

    pub fn is_open(&self) -> bool {
        self.harness.state().state.export.is_some()
    }

    /// Runs frames until `is_so` returns true. Panics after two minutes.
    #[track_caller]
    pub fn wait(&mut self, what: &str, is_so: impl Fn(&mut Export) -> bool) {
        let begin = Instant::now();
        while !is_so(self.export()) {
            assert!(begin.elapsed() < Duration::from_secs(120), "{what} takes too long");
            std::thread::sleep(Duration::from_millis(5));
            self.harness.run_steps(1);
        }
        self.harness.run_steps(2);
    }

    /// Waits for the preview.
    #[track_caller]
    pub fn settle(&mut self) {
        self.wait("the preview", |export| export.previewer.answer().is_some() && !export.previewer.is_busy());
    }

    /// Clicks `Export` and returns the result.
    #[track_caller]
    pub fn write(&mut self) -> Ended {
        self.click_button("Export");
        self.ended()
    }

    #[track_caller]
    pub fn ended(&mut self) -> Ended {
        self.wait("the export", |export| !export.is_running());
        match &self.export().phase {
            Phase::Ended(ended) => ended.clone(),
            phase => panic!("{phase:?}"),
        }
    }

    /// Returns every file except the character's.
    pub fn files(&self) -> BTreeMap<String, Vec<u8>> {
        let entries = fs::read_dir(self.folder.path()).expect("the folder").map(|entry| entry.expect("an entry"));
        let named = entries.map(|entry| (entry.file_name().to_string_lossy().into_owned(), entry.path()));
        let others = named.filter(|(name, path)| !self.inputs.contains(&&**name) && path.is_file());
        others.map(|(name, path)| (name, fs::read(path).expect("a file"))).collect()
    }

    /// Returns the copied command line.
    pub fn copied(&mut self) -> String {
        let is_copied = self.harness.query_by_role_and_label(Role::Button, "Copied").is_some();
        if !is_copied {
            self.click_button("Copy");
        }
        // The text is put out in the frame of the click, which is not the last one.
        self.export().copied.clone().expect("it is copied")
    }

    /// Runs the displayed command and returns the files that it writes in place of the existing ones.
    #[track_caller]
    pub fn command_line_files(&mut self) -> BTreeMap<String, Vec<u8>> {
        for name in self.files().keys() {
            fs::remove_file(self.path(name)).expect("it goes");
        }
        let line = self.copied();
        self.run_line(&line);
        self.files()
    }

    /// Runs a command.
    #[track_caller]
    pub fn run_line(&self, line: &str) {
        run_program(shlex_split(line).iter().map(Into::into));
    }
}

/// Splits a command line into words with a POSIX shell.
pub fn shlex_split(line: &str) -> Vec<String> {
    let script = format!("for word in {line}; do printf '%s\\0' \"$word\"; done");
    let output = Command::new("sh").args(["-c", &script]).output().expect("a shell");
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    text.split_terminator('\0').map(str::to_owned).collect()
}
