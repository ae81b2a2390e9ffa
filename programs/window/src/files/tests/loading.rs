//! Files that take long to load: progress, Cancel, and what is shown meanwhile. Driven as a user would.
//!
//! Two things make loading last as long as a test wants: a pipe without a writer, and a screen that does not take the
//! character.

use std::fs;
use std::ops::{Deref, DerefMut};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use crate::app::App;
use crate::base::waker::Waker;
use crate::widgets::command::Command;
use egui::accesskit::Role;
use egui::{Key, Modifiers};
use egui_kittest::kittest::Queryable;
use tempfile::TempDir;

use crate::app::tests::harness::{self, TestWindow};

/// Longer than any of these files takes.
const PATIENCE: Duration = Duration::from_secs(60);

/// A window that loads on a thread, as the program does.
struct Loading {
    desk: TestWindow,
    /// The number of times that the thread woke the window.
    woken: Arc<AtomicUsize>,
}

impl Deref for Loading {
    type Target = TestWindow;

    fn deref(&self) -> &TestWindow {
        &self.desk
    }
}

impl DerefMut for Loading {
    fn deref_mut(&mut self) -> &mut TestWindow {
        &mut self.desk
    }
}

impl Loading {
    /// Opens a window with copies of the project's own characters. Returns before they are loaded.
    fn open(size: [f32; 2], files: &[&str]) -> Self {
        let folder = harness::folder_of_assets();
        fs::write(folder.path().join("broken.pchr"), b"PCHR\x01").unwrap();
        Self::within(size, folder, files)
    }

    fn within(size: [f32; 2], folder: TempDir, files: &[&str]) -> Self {
        let mut options = harness::paused();
        options.subject.files.extend(files.iter().map(|file| folder.path().join(file)));
        let woken = Arc::new(AtomicUsize::new(0));
        let count = Arc::clone(&woken);
        let waker = Waker::new(move || _ = count.fetch_add(1, Ordering::Relaxed));
        Self { desk: TestWindow::show(size, folder, App::in_background(&options, None, waker)), woken }
    }

    /// Opens a window that shows the paper knight, whose screen takes no other character from now on.
    fn with_stubborn_screen(size: [f32; 2]) -> Self {
        let mut it = Self::open(size, &["paper-knight.pchr"]);
        it.wait();
        it.app().state.files.loading.asks_screen = true;
        it
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Waits for the thread, and lays out frames until nothing changes.
    fn wait(&mut self) {
        self.app().state.wait_for_loading(PATIENCE);
        self.harness.run();
    }

    /// Lays out frames until the card must have appeared.
    fn look(&mut self) {
        self.harness.run_steps(4);
    }

    /// Presses a key, without waiting until nothing changes: loading may last.
    fn press(&mut self, modifiers: Modifiers, key: Key) {
        self.harness.key_press_modifiers(modifiers, key);
        self.harness.run_steps(2);
    }

    fn drop_file(&mut self, name: &str) {
        let path = self.path(name);
        self.desk.drop_files([path]);
    }

    fn shown(&self) -> Option<String> {
        let state = &self.harness.state().state;
        state.loaded()?;
        state.current().map(|document| document.name())
    }

    fn is_idle(&self) -> bool {
        self.harness.state().state.files.loading.is_idle()
    }
}

#[test]
fn the_command_line_and_drops_and_the_dialog_load_in_the_background() {
    let mut it = Loading::open([900.0, 600.0], &["paper-knight.pchr"]);
    it.wait();
    assert_eq!(it.shown().as_deref(), Some("paper-knight.pchr"));
    // The thread wakes the window just after it has stored the result.
    let begin = Instant::now();
    while it.woken.load(Ordering::Relaxed) == 0 {
        assert!(begin.elapsed() < PATIENCE, "the thread does not wake the window");
        std::thread::yield_now();
    }
    it.drop_file("paper-lamp.json");
    assert!(!it.is_idle() && it.shown().as_deref() == Some("paper-knight.pchr"), "the old file stays");
    it.wait();
    assert_eq!(it.shown().as_deref(), Some("paper-lamp.json"));
    let path = it.path("paper-lamp-4.2.json");
    it.app().state.open(vec![path]);
    assert!(!it.is_idle() && it.shown().as_deref() == Some("paper-lamp.json"));
    it.wait();
    assert_eq!(it.shown().as_deref(), Some("paper-lamp-4.2.json"));
    assert!(!it.says("Loading"), "small files show no progress");
}

#[test]
fn everything_the_panels_ask_for_was_computed_by_the_thread() {
    let mut it = Loading::open([900.0, 600.0], &[]);
    it.app().state.files.loading.asks_screen = true;
    it.drop_file("paper-knight.pchr");
    it.app().state.wait_for_loading(PATIENCE);
    it.app().state.show_uploaded();
    it.harness.run();
    let loaded = it.harness.state().state.loaded().expect("it is shown");
    assert_eq!(loaded.computed_unprepared(), 0, "nothing was left to the window");
}

#[test]
fn the_card_shows_the_stages_and_the_old_picture_stays() {
    let mut it = Loading::with_stubborn_screen([900.0, 600.0]);
    let before = it.app().scene();
    it.drop_file("paper-lamp.json");
    it.app().state.wait_for_loading(PATIENCE);
    it.harness.run_steps(1);
    assert!(!it.says("Loading"), "small files do not make it flash");
    it.look();
    assert!(it.says("Loading paper-lamp.json") && it.says("Preparing"));
    it.app().state.files.loading.set_uploaded(3 << 20, 12 << 20);
    it.look();
    assert!(it.says("Uploading textures: 3 of 12 MB"));
    it.harness.get_by_role(Role::ProgressIndicator);
    assert_eq!(it.app().scene(), before, "the picture stays");
    it.app().state.show_uploaded();
    it.harness.run();
    assert_eq!(it.shown().as_deref(), Some("paper-lamp.json"));
    assert!(!it.says("Loading"));
}

#[test]
fn a_canvas_without_room_shows_no_card() {
    let mut it = Loading::with_stubborn_screen([900.0, 600.0]);
    it.drop_file("paper-lamp.json");
    for (size, is_shown) in
        [([900.0, 600.0], true), ([60.0, 90.0], false), ([20.0, 20.0], false), ([300.0, 200.0], true)]
    {
        it.harness.set_size(size.into());
        it.look();
        it.look();
        assert_eq!(it.harness.query_by_role_and_label(Role::Button, "Cancel").is_some(), is_shown, "{size:?}");
    }
}

#[test]
fn cancel_by_click_and_by_escape_keeps_what_is_shown() {
    for by_key in [false, true] {
        let mut it = Loading::with_stubborn_screen([900.0, 600.0]);
        let before = it.app().scene();
        it.drop_file("paper-lamp.json");
        it.look();
        if by_key {
            it.press(Modifiers::NONE, Key::Escape);
        } else {
            it.harness.get_by_role_and_label(Role::Button, "Cancel").click();
            it.harness.run_steps(2);
        }
        assert!(it.is_idle(), "cancelled, by key: {by_key}");
        assert_eq!(it.app().scene(), before);
        assert_eq!(it.shown().as_deref(), Some("paper-knight.pchr"));
        assert!(it.says("Cancelled loading paper-lamp.json"));
        // It can be loaded again.
        it.app().state.files.loading.asks_screen = false;
        it.app().state.run(Command::NextFile);
        it.wait();
        assert_eq!(it.shown().as_deref(), Some("paper-lamp.json"));
    }
}

#[test]
fn a_cancelled_first_file_can_be_loaded_later() {
    let mut it = Loading::open([900.0, 600.0], &[]);
    it.app().state.files.loading.asks_screen = true;
    it.drop_file("paper-knight.pchr");
    it.look();
    assert!(it.says("Loading paper-knight.pchr") && !it.says("was not loaded"));
    it.press(Modifiers::NONE, Key::Escape);
    assert!(it.says("paper-knight.pchr was not loaded"));
    it.app().state.files.loading.asks_screen = false;
    it.harness.get_by_role_and_label(Role::Button, "Load").click();
    it.harness.run_steps(1);
    it.wait();
    assert_eq!(it.shown().as_deref(), Some("paper-knight.pchr"));
}

#[test]
fn a_reload_keeps_the_picture_and_the_place_until_it_is_done() {
    let mut it = Loading::with_stubborn_screen([900.0, 600.0]);
    it.app().state.playback.animator.seek(3.0);
    let before = it.app().scene();
    it.press(Modifiers::NONE, Key::F5);
    it.app().state.wait_for_loading(PATIENCE);
    it.look();
    assert_eq!(it.app().scene(), before, "no flicker");
    assert!(!it.says("Reloaded"));
    // The user goes on meanwhile.
    it.app().state.playback.animator.seek(5.0);
    it.app().state.show_uploaded();
    it.harness.run();
    assert_eq!(it.app().state.playback.animator.playback(0).frame(), 5, "the place is that at the end");
    assert!(it.says("Reloaded paper-knight.pchr"));
}

#[test]
fn a_broken_file_is_reported_and_the_last_good_picture_stays() {
    let mut it = Loading::open([900.0, 600.0], &["paper-knight.pchr"]);
    it.wait();
    fs::write(it.path("paper-knight.pchr"), b"PCHR\x01").unwrap();
    it.press(Modifiers::NONE, Key::F5);
    it.wait();
    assert!(it.says("its last readable version is shown") && it.shown().is_some());
    assert!(!it.says("Reloaded"));
    it.drop_file("broken.pchr");
    it.wait();
    assert!(it.says("broken.pchr cannot be opened"));
}

#[test]
fn the_last_of_many_requests_wins() {
    let mut it = Loading::open([900.0, 600.0], &["paper-knight.pchr", "paper-lamp.json", "paper-lamp-4.2.json"]);
    it.wait();
    // Each in a frame of its own, faster than any of them is read.
    for step in 1..=31 {
        it.harness.key_press(Key::PageDown);
        it.app().state.run(Command::NextFile);
        assert!(step < 3 || it.app().state.documents().len() == 3);
    }
    let wanted = it.app().state.files.loading_index().unwrap_or(it.app().state.current_index());
    assert_eq!(wanted, 31 % 3, "each step goes on from the one before");
    it.wait();
    assert_eq!(it.app().state.current_index(), wanted);
}

#[test]
fn a_file_that_changes_while_it_is_loaded_is_read_again() {
    let mut it = Loading::with_stubborn_screen([900.0, 600.0]);
    let name = "paper-lamp.json";
    it.drop_file(name);
    it.app().state.wait_for_loading(PATIENCE);
    assert!(it.app().state.files.loading.character().is_some(), "the old content is ready");
    fs::copy(it.path("paper-lamp-4.2.json"), it.path(name)).unwrap();
    let path = it.path(name);
    it.app().state.files_changed(&|changed: &Path| changed == path);
    assert!(it.app().state.files.loading.character().is_none(), "it is dropped");
    it.app().state.files.loading.asks_screen = false;
    it.wait();
    let animations = it.app().state.model().unwrap().animations().len();
    let expected = pchr::Character::open(it.path("paper-lamp-4.2.json")).unwrap();
    assert_eq!(animations, expected.model().animations().len());
}

#[test]
fn closing_while_loading_shows_what_is_loading() {
    let mut it = Loading::with_stubborn_screen([900.0, 600.0]);
    it.drop_file("paper-lamp.json");
    it.look();
    it.app().state.run(Command::Close);
    it.look();
    assert!(it.shown().is_none() && it.says("Loading paper-lamp.json"));
    it.app().state.run(Command::Close);
    it.look();
    assert!(it.is_idle() && it.app().state.documents().is_empty());
    assert!(it.says("Open a character"));
    it.app().state.show_uploaded();
    assert!(it.shown().is_none(), "the outdated result is dropped");
}

#[cfg(unix)]
mod pipes {
    use std::fs::OpenOptions;
    use std::io::Write;

    use nix::sys::stat::Mode;
    use nix::unistd::mkfifo;

    use super::*;

    #[test]
    fn a_slow_pipe_does_not_block_the_window() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("pipe");
        mkfifo(&path, Mode::S_IRWXU).unwrap();
        let mut it = Loading::within([900.0, 600.0], folder, &["pipe"]);
        it.look();
        assert!(it.says("Loading pipe") && it.says("0 %  ·  Reading: 0 MB"));
        let bytes = fs::read(crate::common::root().join("assets/paper-knight.pchr")).unwrap();
        let mut to = OpenOptions::new().write(true).open(&path).unwrap();
        to.write_all(&bytes[..10]).unwrap();
        it.look();
        // Cancelling does not lose what was read.
        it.press(Modifiers::NONE, Key::Escape);
        assert!(it.is_idle() && it.says("pipe was not loaded"));
        to.write_all(&bytes[10..]).unwrap();
        drop(to);
        it.harness.get_by_role_and_label(Role::Button, "Load").click();
        it.harness.run_steps(1);
        it.wait();
        assert_eq!(it.shown().as_deref(), Some("pipe"));
        // A pipe cannot be read twice, but the file can.
        it.press(Modifiers::NONE, Key::F5);
        it.wait();
        assert!(it.says("Reloaded pipe"));
    }
}

#[test]
fn tiles_replace_the_characters_of_an_earlier_stage() {
    let mut it = Loading::within([900.0, 600.0], harness::folder_of_assets(), &[""]);
    for names in [["paper-knight.pchr", "paper-lamp.json"], ["paper-lamp-4.2.json", "paper-lamp-4.3.json"]] {
        let paths = names.map(|name| it.path(name));
        it.app().state.stage_tiles(paths.to_vec());
        it.wait();
        let on_stage: Vec<_> = it.app().state.lineup.members.iter().map(|member| member.path.clone()).collect();
        assert_eq!(on_stage, paths);
        it.app().state.show_gallery();
        it.wait();
    }
}
