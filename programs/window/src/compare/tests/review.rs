//! Review on save: what a save has changed, and the version before it.

use std::fs;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use egui::accesskit::Role;
use egui::{Key, Modifiers};
use egui_kittest::kittest::Queryable;

use super::{Square, TestWindow};
use crate::app::App;
use crate::app::tests::harness::{folder_of, paused};
use crate::base::waker::Waker;
use crate::compare::Arrangement;
use pchr::watch::{Changes, Watcher};

const RED: [u8; 3] = [200, 80, 40];
const GREEN: [u8; 3] = [40, 160, 80];
const LAMP: &str = "paper-lamp.json";

fn lamp() -> TestWindow {
    TestWindow::open([1300.0, 800.0], &[LAMP])
}

fn squares() -> TestWindow {
    TestWindow::of([900.0, 600.0], &[("a.pchr", &Square::default().bytes())], |_| {})
}

fn green() -> Vec<u8> {
    Square { color: GREEN, ..Square::default() }.bytes()
}

impl TestWindow {
    /// Saves a file with other contents, a while after the last save.
    fn save_as(&mut self, name: &str, bytes: &[u8]) {
        self.app().state.compare.review.end_save();
        self.rewrite(name, bytes);
    }

    /// Changes the lamp as JSON and saves it.
    fn edit(&mut self, change: impl FnOnce(&mut serde_json::Value)) {
        let path = self.path(LAMP);
        let mut value = serde_json::from_slice(&fs::read(path).unwrap()).unwrap();
        change(&mut value);
        self.save_as(LAMP, value.to_string().as_bytes());
    }

    fn summary(&self) -> Option<String> {
        let state = self.state();
        let changes = state.compare.review.changes(state.current()?.path())?;
        Some(changes.summary.clone())
    }
}

#[test]
fn a_save_says_what_it_has_changed() {
    let mut it = lamp();
    assert_eq!(it.summary(), None);
    it.edit(|lamp| {
        let hop = lamp["animations"]["hop"].take();
        lamp["animations"].as_object_mut().unwrap().remove("hop");
        lamp["animations"]["jump"] = hop;
        let keys = &mut lamp["animations"]["idle"]["bones"]["hold"]["translate"];
        keys[1]["y"] = (-9).into();
        keys[2]["y"] = 2.into();
    });
    let text = "hop removed, jump added, idle: bone hold, 2 keys";
    assert_eq!(it.summary().as_deref(), Some(text));
    assert!(it.says(&format!("Reloaded {LAMP}: {text}")));
    assert!(it.says(&format!("Changed by the last save: {text}")), "it stays beside the name");
    // A save without changes keeps what was found before.
    it.edit(|_| ());
    assert!(it.says(&format!("Reloaded {LAMP}: nothing changed")));
    assert_eq!(it.summary().as_deref(), Some(text));
    it.edit(|lamp| {
        lamp["bones"].as_array_mut().unwrap().push(serde_json::json!({"name": "tail", "parent": "root"}));
        lamp["animations"]["jump"]["events"][0]["time"] = 0.3.into();
    });
    assert_eq!(it.summary().as_deref(), Some("jump changed, bone tail added"));
}

#[test]
fn a_changed_picture_of_the_atlas_is_named() {
    let mut it = lamp();
    let page = it.path("paper-lamp.png");
    let size = it.state().model().unwrap().pages()[0].clone();
    let pixels = vec![90; size.width as usize * size.height as usize * 4];
    let png = pchr::formats::image::encode_png(size.width, size.height, &pixels).unwrap();
    it.save_as(page.file_name().unwrap().to_str().unwrap(), &png);
    assert_eq!(it.summary().as_deref(), Some("image paper-lamp.png changed"));
}

#[test]
fn a_key_shows_the_version_before_the_save() {
    let mut it = squares();
    it.key(Key::V);
    assert!(it.says("has not changed since it was opened") && it.state().compare.second.is_none());
    it.save_as("a.pchr", &green());
    let whole = it.canvas();
    it.key(Key::V);
    assert!(it.state().compare.is_review() && it.says("The version before"));
    assert!(it.state().notice.is_none(), "its name would be below the notice");
    let painting = it.painted();
    assert!(painting.middle_of(RED, whole).is_some(), "the old one is seen");
    assert_eq!(painting.middle_of(GREEN, whole), None, "the new one is not");
    it.key(Key::V);
    let painting = it.painted();
    assert!(it.says("This version") && painting.middle_of(GREEN, whole).is_some());
    assert_eq!(painting.middle_of(RED, whole), None);
    it.key(Key::Escape);
    assert!(it.state().compare.second.is_none() && !it.says("This version"));
    it.key(Key::V);
    assert!(it.says("The version before"), "it always starts with the old one");
}

#[test]
fn blinking_keeps_the_stage_in_its_place() {
    let mut it = squares();
    it.save_as("a.pchr", &green());
    let place = |it: &mut TestWindow, color| it.painted().middle_of(color, egui::Rect::EVERYTHING).unwrap();
    let before = place(&mut it, GREEN);
    it.key(Key::V);
    assert_eq!(place(&mut it, RED), before);
    it.key(Key::V);
    assert_eq!(place(&mut it, GREEN), before);
}

#[test]
fn the_old_version_is_left_of_the_new_one() {
    let mut it = squares();
    it.save_as("a.pchr", &green());
    it.press(Modifiers::SHIFT, Key::V);
    for arrangement in [Arrangement::SideBySide, Arrangement::Swipe] {
        it.click_button(arrangement.label());
        let painting = it.painted();
        let (left, right) = it.canvas().split_left_right_at_fraction(0.5);
        assert!(painting.middle_of(RED, left).is_some(), "{arrangement:?}");
        assert!(painting.middle_of(GREEN, right).is_some(), "{arrangement:?}");
        assert_eq!(painting.middle_of(RED, right.shrink(2.0)), None);
    }
    assert!(it.harness.query_by_role_and_label(Role::Button, "Swap").is_none(), "only one of them is a file");
    it.press(Modifiers::SHIFT, Key::V);
    assert!(it.state().compare.second.is_none());
}

#[test]
fn onion_shows_both_half_transparent() {
    let mut it = squares();
    it.save_as("a.pchr", &green());
    it.press(Modifiers::SHIFT, Key::V);
    let before = it.painted();
    it.click_button(Arrangement::Onion.label());
    let (canvas, painting) = (it.canvas(), it.painted());
    assert!(it.says("This version and The version before"));
    for color in [RED, GREEN] {
        assert!(before.middle_of(color, canvas).is_some());
        assert_eq!(painting.middle_of(color, canvas), None, "neither is opaque");
    }
}

#[test]
fn a_broken_save_is_skipped() {
    let mut it = squares();
    it.save_as("a.pchr", b"PCHR\x01");
    assert!(it.says("its last readable version is shown") && it.summary().is_none());
    let longer = Square { animations: &[("walk", 12)], ..Square::default() };
    it.save_as("a.pchr", &longer.bytes());
    assert!(it.summary().unwrap().starts_with("walk changed"), "{:?}", it.summary());
}

#[test]
fn files_written_together_are_one_save() {
    let mut it = squares();
    let original = Arc::clone(&it.state().loaded().unwrap().character);
    let animations: &[_] = &[("walk", 10), ("run", 4)];
    it.save_as("a.pchr", &Square { animations, ..Square::default() }.bytes());
    assert_eq!(it.summary().as_deref(), Some("run added"));
    // The picture follows within a moment.
    it.rewrite("a.pchr", &Square { color: GREEN, animations, ..Square::default() }.bytes());
    assert_eq!(it.summary().as_deref(), Some("run added, image page changed"));
    let state = it.state();
    let earlier = state.compare.review.earlier(state.current().unwrap().path()).unwrap();
    assert!(Arc::ptr_eq(&earlier.loaded().unwrap().character, &original));
}

/// A window as the program opens it: files are watched, and read and compared on other threads.
struct Watched {
    window: TestWindow,
    watcher: Watcher,
    changes: Receiver<Changes>,
}

impl Watched {
    fn open(bytes: &[u8]) -> Self {
        let folder = folder_of(&[("a.pchr", bytes)]);
        let (send, changes) = channel();
        let mut watcher = Watcher::new(move |changes| send.send(changes).unwrap_or_default()).unwrap();
        watcher.follow(&folder.path().join("a.pchr")).unwrap();
        let mut options = paused();
        options.subject.files.push(folder.path().join("a.pchr"));
        let app = App::in_background(&options, None, Waker::new(|| {}));
        let window = TestWindow::show([900.0, 600.0], folder, app);
        let mut it = Self { window, watcher, changes };
        it.wait_for("the character", |window| window.state().loaded().is_some());
        it
    }

    /// Lays out frames until `is_there`.
    #[track_caller]
    fn wait_for(&mut self, what: &str, is_there: impl Fn(&TestWindow) -> bool) {
        let begin = Instant::now();
        while !is_there(&self.window) {
            assert!(begin.elapsed() < Duration::from_secs(60), "{what} does not appear");
            while let Ok(changes) = self.changes.try_recv() {
                let has_changed = |file: &std::path::Path| self.watcher.has_changed(file, &changes);
                self.window.state_mut().files_changed(&has_changed);
            }
            self.window.harness.run_steps(1);
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// Saves the file and waits for the notice.
    #[track_caller]
    fn save(&mut self, bytes: &[u8], notice: &str) {
        self.window.state_mut().notice = None;
        fs::write(self.window.path("a.pchr"), bytes).unwrap();
        self.wait_for(notice, |window| {
            let state = window.state();
            state.notice.is_some() && window.says(&format!("Reloaded a.pchr: {notice}"))
        });
    }
}

#[test]
fn saves_are_noticed_read_and_compared_in_the_background() {
    let animations: &[_] = &[("walk", 10), ("run", 4)];
    let longer = Square { animations, ..Square::default() };
    let mut it = Watched::open(&Square::default().bytes());
    it.save(&longer.bytes(), "run added");
    assert_eq!(it.window.summary().as_deref(), Some("run added"));
    it.window.state_mut().compare.review.end_save();
    it.save(&longer.bytes(), "nothing changed");
    assert_eq!(it.window.summary().as_deref(), Some("run added"), "a save without changes keeps what is known");
    it.save(&Square { color: GREEN, ..longer }.bytes(), "image page changed");
    it.window.state_mut().compare.review.continue_save();
    it.save(&Square { color: GREEN, ..Square::default() }.bytes(), "run removed, image page changed");
    it.window.key(Key::V);
    assert!(it.window.says("The version before"));
    assert!(it.window.painted().middle_of(RED, it.window.canvas()).is_some(), "the one before both saves");
}

#[test]
fn only_one_earlier_version_is_kept() {
    let mut it = squares();
    let original = Arc::downgrade(&it.state().loaded().unwrap().character);
    let mut versions = vec![original];
    for step in 0..10u8 {
        it.save_as("a.pchr", &Square { color: [step, 0, 0], ..Square::default() }.bytes());
        versions.push(Arc::downgrade(&it.state().loaded().unwrap().character));
        it.key(Key::V);
    }
    it.key(Key::Escape);
    it.harness.run_steps(3);
    let alive = versions.iter().filter(|version| version.strong_count() > 0).count();
    assert_eq!(alive, 2, "the shown one and the one before");
    it.press(Modifiers::COMMAND, Key::W);
    it.harness.run_steps(3);
    let alive = versions.iter().filter(|version| version.strong_count() > 0).count();
    assert_eq!(alive, 0, "closing the file forgets both");
}

#[test]
fn another_file_ends_the_review_and_another_way_of_reading_forgets_it() {
    let square = Square::default().bytes();
    let mut it = TestWindow::of([900.0, 600.0], &[("a.pchr", &square), ("b.pchr", &square)], |_| {});
    it.save_as("a.pchr", &green());
    it.key(Key::V);
    it.press(Modifiers::COMMAND, Key::PageDown);
    assert!(it.state().compare.second.is_none() && it.summary().is_none());
    it.press(Modifiers::COMMAND, Key::PageUp);
    assert_eq!(it.summary().as_deref(), Some("image page changed"), "it is still known");
    it.key(Key::V);
    it.app().state.set_page_alpha(pchr::formats::PageAlpha::Premultiplied);
    it.harness.run();
    assert!(it.state().compare.second.is_none() && it.summary().is_none(), "nobody has saved the file");
}

#[test]
fn the_list_names_what_was_removed_and_added() {
    let mut it = lamp();
    it.edit(|lamp| {
        let animations = lamp["animations"].as_object_mut().unwrap();
        let hop = animations.remove("hop").unwrap();
        animations.insert("jump".to_owned(), hop);
    });
    it.press(Modifiers::SHIFT, Key::V);
    it.click_button("List");
    assert!(it.says("- hop, removed") && it.says("+ jump, added"));
    it.click_part("+ jump, added");
    let state = it.state();
    let shown = state.playback.animator.playback(0).animation().unwrap();
    assert_eq!(&*state.model().unwrap().animation(shown).name, "jump");
    it.click_part("- hop, removed");
    assert!(it.says("“hop” was removed"));
}
