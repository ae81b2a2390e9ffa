//! Settings and recent files are kept from one session to the next.

use egui::ThemePreference;
use std::fs;
use std::path::{Path, PathBuf};

use crate::WindowOptions;
use crate::parts::side::Section;
use crate::scene::background::Background;
use crate::scene::camera::Camera;
use crate::timeline::Lower;
use crate::widgets::command::Command;
use egui::accesskit::Role;
use egui::{Key, Modifiers};
use egui_kittest::Node;
use egui_kittest::kittest::{NodeT, Queryable};
use pchr::draw::{Onion, Overlay};
use pchr::player::LoopMode;
use tempfile::TempDir;
use toml::Table;

use crate::app::tests::harness::TestWindow;

/// A folder with a settings file, which windows share.
struct Home {
    folder: TempDir,
}

impl Home {
    fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap() }
    }

    fn with(text: &str) -> Self {
        let home = Self::new();
        fs::create_dir_all(home.file().parent().unwrap()).unwrap();
        fs::write(home.file(), text).unwrap();
        home
    }

    fn file(&self) -> PathBuf {
        self.folder.path().join("config").join("pchr").join("settings.toml")
    }

    fn text(&self) -> String {
        fs::read_to_string(self.file()).unwrap_or_default()
    }

    fn table(&self) -> Table {
        self.text().parse().expect("valid TOML")
    }

    fn open(&self, files: &[&str]) -> TestWindow {
        self.open_with(files, |_| {})
    }

    fn open_with(&self, files: &[&str], change: impl FnOnce(&mut WindowOptions)) -> TestWindow {
        TestWindow::open_with([1000.0, 800.0], files, |options, _| {
            options.settings = Some(self.file());
            change(options);
        })
    }

    fn backups(&self) -> Vec<String> {
        let entries = fs::read_dir(self.file().parent().unwrap()).unwrap();
        let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let mut names: Vec<String> = names.filter(|name| name != "settings.toml").collect();
        names.sort();
        names
    }
}

/// Lets more time pass than changes wait before they are written.
fn wait(it: &mut TestWindow) {
    it.harness.run_steps(8);
}

fn run(it: &mut TestWindow, command: Command) {
    it.harness.state_mut().state.run(command);
    it.harness.run();
}

fn close(mut it: TestWindow) {
    it.harness.state_mut().save_settings();
}

#[test]
fn what_the_user_chooses_is_there_the_next_time() {
    let home = Home::new();
    let mut it = home.open(&["paper-knight.pchr"]);
    for command in [
        Command::LightTheme,
        Command::LargerInterface,
        Command::Show(Overlay::Bones),
        Command::LoopMode,
        Command::Interpolate,
        Command::Grid,
        Command::Curves,
        Command::Tracks,
        Command::Panels,
    ] {
        run(&mut it, command);
    }
    it.harness.state_mut().state.overlays.shown.onion = Onion { before: 1, after: 4 };
    it.harness.state_mut().state.parts.side.toggle(Section::Tree);
    it.harness.state_mut().state.overlays.background = Background::Color([1, 2, 3]);
    it.harness.state_mut().state.sheet.is_shown = false;
    it.harness.state_mut().state.overlays.targets.are_shown = true;
    it.harness.state_mut().state.parts.side.only_visible = true;
    it.harness.state_mut().state.timeline.normalizes = true;
    let mode = it.state().playback.animator.loop_mode();
    assert_ne!(mode, LoopMode::default());
    close(it);

    let it = home.open(&["paper-knight.pchr"]);
    let state = it.state();
    assert_eq!((state.interface.theme, state.interface.scale), (ThemePreference::Light, 1.1));
    assert!(state.overlays.shown.contains(Overlay::Bones) && !state.overlays.shown.contains(Overlay::Names));
    assert_eq!(state.playback.animator.loop_mode(), mode);
    assert!(
        state.playback.animator.interpolates()
            && state.overlays.targets.are_shown
            && (state.parts.side.only_visible && state.timeline.normalizes)
            && !state.panels
            && !state.sheet.is_shown
    );
    assert_eq!(state.overlays.background, Background::Color([1, 2, 3]));
    assert!(state.overlays.guides.grid && state.overlays.guides.coordinates && !state.overlays.guides.ground);
    assert_eq!((state.timeline.lower, state.mixer.is_shown), (Some(Lower::Curves), true));
    assert_eq!(state.overlays.shown.onion, Onion { before: 1, after: 4 });
    assert!(state.parts.side.is_open(Section::Tree) && state.parts.side.is_open(Section::Files));
    assert_eq!(state.playback.animator.speed(), 1.0, "the speed is not kept");
}

#[test]
fn a_change_is_written_a_moment_later_and_not_in_every_frame() {
    let home = Home::new();
    let mut it = home.open(&[]);
    wait(&mut it);
    assert!(!home.file().exists(), "nothing has changed");
    it.press(Modifiers::NONE, Key::B);
    wait(&mut it);
    let written = fs::metadata(home.file()).expect("it is written").modified().unwrap();
    assert!(home.text().contains("overlays = [\"bones\"]"), "{}", home.text());
    std::thread::sleep(std::time::Duration::from_millis(20));
    it.harness.run_steps(30);
    close(it);
    assert_eq!(fs::metadata(home.file()).unwrap().modified().unwrap(), written);
}

#[test]
fn a_paused_window_comes_to_rest_after_a_change() {
    let home = Home::new();
    let mut it = home.open(&["paper-knight.pchr"]);
    it.press(Modifiers::NONE, Key::B);
    it.harness.run_steps(40);
    let viewport = it.harness.output().viewport_output.values().next().expect("a viewport");
    assert!(viewport.repaint_delay > std::time::Duration::from_secs(60), "{:?}", viewport.repaint_delay);
}

#[test]
fn options_of_the_command_line_override_settings_and_are_not_kept() {
    let home = Home::with(
        "[interface]\ntheme = \"light\"\nscale = 1.5\n[canvas]\nbackground = \"#010203\"\noverlays = [\"bones\"]",
    );
    let before = home.text();
    let it = home.open_with(&[], |options| {
        options.theme = Some(ThemePreference::Dark);
        options.ui_scale = Some(2.0);
        options.look.background = pchr::export::Background::Color([9, 9, 9, 255]);
        options.look.show = vec![Overlay::Names.into()];
    });
    assert_eq!((it.state().interface.theme, it.state().interface.scale), (ThemePreference::Dark, 2.0));
    assert_eq!(it.state().overlays.background, Background::Color([9, 9, 9]));
    assert!(
        it.state().overlays.shown.contains(Overlay::Names) && !it.state().overlays.shown.contains(Overlay::Bones)
    );
    close(it);
    assert_eq!(home.text(), before);
    // Even where they equal the defaults.
    let it = home.open_with(&[], |options| {
        options.theme = Some(ThemePreference::System);
        options.ui_scale = Some(1.0);
        options.background_given = true;
    });
    assert_eq!((it.state().interface.theme, it.state().interface.scale), (ThemePreference::System, 1.0));
    assert_eq!(it.state().overlays.background, Background::Checker);
}

#[test]
fn a_broken_file_is_reported_and_kept_until_something_changes() {
    let broken = "[interface]\ntheme = \"light\"\nscale = \"large\"\n";
    let home = Home::with(broken);
    let mut it = home.open(&["paper-knight.pchr"]);
    let notice = it.state().notice.clone().expect("a notice");
    assert!(notice.is_error && notice.text.contains("settings.toml, line 3"), "{}", notice.text);
    assert!(notice.text.contains("expected") || notice.text.contains("invalid type"), "{}", notice.text);
    assert_eq!(it.state().interface.theme, ThemePreference::System, "defaults");
    it.harness.state_mut().state.place.size = Some([640, 480]);
    wait(&mut it);
    it.harness.state_mut().save_settings();
    assert_eq!(home.text(), broken, "neither a recent file nor the place of the window replaces it");
    run(&mut it, Command::DarkTheme);
    wait(&mut it);
    assert!(home.text().contains("theme = \"dark\""), "{}", home.text());
    assert_eq!(home.backups(), ["settings.broken.toml"]);
    assert_eq!(fs::read_to_string(home.file().with_file_name("settings.broken.toml")).unwrap(), broken);
}

#[test]
fn every_kind_of_damage_is_reported_with_the_name_of_the_file() {
    let damages: [&[u8]; 6] =
        [b"\xff\xfe", b"[interface", b"interface = 3", b"[window]\nsize = [-1, 2]", b"a = 1\na = 2", b"\0"];
    for damage in damages {
        let home = Home::with("");
        fs::write(home.file(), damage).unwrap();
        let it = home.open(&[]);
        let notice = it.state().notice.clone().expect("a notice");
        assert!(notice.is_error && notice.text.contains("settings.toml"), "{damage:?}: {}", notice.text);
        close(it);
        assert_eq!(fs::read(home.file()).unwrap(), damage);
    }
    let home = Home::new();
    fs::create_dir_all(home.file()).unwrap();
    let mut it = home.open(&[]);
    assert!(it.says("is not a file"));
    run(&mut it, Command::DarkTheme);
    close(it);
    let home = Home::with("");
    fs::write(home.file(), vec![b'#'; 2 << 20]).unwrap();
    assert!(home.open(&[]).says("is larger than"));
}

#[test]
fn unknown_keys_and_names_are_no_error_and_stay_in_the_file() {
    let home = Home::with(
        "future = 1\n[interface]\ntheme = \"light\"\nfont = \"Serif\"\n[telepathy]\nrange = 3\n[canvas]\noverlays = [\"bones\", \"auras\"]\n",
    );
    let mut it = home.open(&[]);
    assert!(it.state().notice.is_none());
    assert_eq!(it.state().interface.theme, ThemePreference::Light);
    assert!(it.state().overlays.shown.contains(Overlay::Bones));
    run(&mut it, Command::DarkTheme);
    close(it);
    let table = home.table();
    assert_eq!(table["future"].as_integer(), Some(1));
    assert_eq!(table["interface"]["font"].as_str(), Some("Serif"));
    assert_eq!(table["interface"]["theme"].as_str(), Some("dark"));
    assert_eq!(table["telepathy"]["range"].as_integer(), Some(3));
    assert_eq!(table["canvas"]["overlays"].as_array().map(Vec::len), Some(2), "unchanged keys are not written");
}

#[test]
fn two_windows_keep_what_the_other_has_changed() {
    let home = Home::new();
    let (mut one, mut two) = (home.open(&[]), home.open(&[]));
    run(&mut one, Command::LightTheme);
    run(&mut two, Command::Show(Overlay::Bones));
    run(&mut two, Command::LargerInterface);
    close(one);
    close(two);
    let it = home.open(&[]);
    assert_eq!((it.state().interface.theme, it.state().interface.scale), (ThemePreference::Light, 1.1));
    assert!(it.state().overlays.shown.contains(Overlay::Bones));
}

#[test]
fn a_folder_that_cannot_be_written_is_reported_once() {
    let home = Home::new();
    // A file in place of the folder: even root cannot create files in it.
    fs::create_dir_all(home.folder.path().join("config")).unwrap();
    fs::write(home.folder.path().join("config").join("pchr"), "").unwrap();
    let mut it = home.open(&[]);
    it.harness.state_mut().state.notice = None;
    for command in [Command::LightTheme, Command::DarkTheme, Command::Show(Overlay::Bones)] {
        run(&mut it, command);
        wait(&mut it);
        if let Some(notice) = it.harness.state_mut().state.notice.take() {
            assert_eq!(command, Command::LightTheme, "{}", notice.text);
            assert!(!notice.is_error && notice.text.contains("Cannot save the settings"), "{}", notice.text);
        } else {
            assert_ne!(command, Command::LightTheme, "the first failure is reported");
        }
    }
}

#[cfg(unix)]
#[test]
fn a_linked_file_stays_a_link() {
    let home = Home::new();
    let target = home.folder.path().join("dotfiles.toml");
    fs::write(&target, "").unwrap();
    fs::create_dir_all(home.file().parent().unwrap()).unwrap();
    std::os::unix::fs::symlink(&target, home.file()).unwrap();
    let mut it = home.open(&[]);
    run(&mut it, Command::DarkTheme);
    close(it);
    assert!(fs::symlink_metadata(home.file()).unwrap().is_symlink());
    assert!(fs::read_to_string(&target).unwrap().contains("dark"));
}

#[test]
fn without_a_settings_file_nothing_is_written() {
    let mut it = TestWindow::open([800.0, 600.0], &[]);
    let before = files_below(it.folder.path());
    run(&mut it, Command::DarkTheme);
    wait(&mut it);
    it.harness.state_mut().save_settings();
    assert_eq!(files_below(it.folder.path()), before);
}

fn files_below(folder: &Path) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

// ---- Recent files

/// Returns the button on the empty canvas, whose label continues with the folder.
fn recent_button<'a>(it: &'a TestWindow, name: &'a str) -> Node<'a> {
    it.harness.get_by(move |node| {
        node.role() == Role::Button && node.label().is_some_and(|label| label.starts_with(name))
    })
}

#[test]
fn opened_files_are_recent_files_the_next_time() {
    let home = Home::new();
    let first = home.open(&["paper-lamp.json", "paper-knight.pchr"]);
    let folder = first.folder.path().to_owned();
    first.harness.state().state.files.recent.files().iter().for_each(|file| assert!(file.path.is_absolute()));
    let mut first = first;
    first.harness.state_mut().save_settings();

    let mut it = home.open(&[]);
    let names: Vec<String> = it.state().files.recent.files().iter().map(|file| file.name()).collect();
    assert_eq!(names, ["paper-knight.pchr", "paper-lamp.json"]);
    it.save("recent-empty");
    // By keyboard, on the empty canvas.
    recent_button(&it, "paper-lamp.json").focus();
    it.harness.run();
    it.press(Modifiers::NONE, Key::Enter);
    let shown = it.state().current().expect("a file");
    assert_eq!(shown.path(), folder.join("paper-lamp.json"));
    assert_eq!(it.state().files.recent.files()[0].name(), "paper-lamp.json", "it moves to the front");
    // In the menu.
    it.click_role(Role::Button, "Menu");
    it.click_role(Role::Button, "File");
    it.click_role(Role::Button, "Open recent");
    it.save("recent-menu");
    it.click_row("paper-knight.pchr");
    assert_eq!(it.state().current().expect("a file").path(), folder.join("paper-knight.pchr"));
    // In the palette.
    it.press(Modifiers::COMMAND, Key::K);
    it.type_text("lampjson");
    it.press(Modifiers::NONE, Key::Enter);
    assert_eq!(it.state().current().expect("a file").path(), folder.join("paper-lamp.json"));
    run(&mut it, Command::ClearRecent);
    close(it);
    assert!(home.open(&[]).state().files.recent.files().is_empty());
}

#[test]
fn missing_files_are_shown_as_missing() {
    let home = Home::new();
    let first = home.open(&["paper-lamp.json"]);
    let gone = first.folder.path().join("paper-lamp.json");
    close(first);
    assert!(!gone.exists(), "its folder was temporary");
    let mut it = home.open(&[]);
    let button = recent_button(&it, "paper-lamp.json");
    assert!(button.accesskit_node().is_disabled());
    assert!(it.says("missing"));
    it.harness.state_mut().state.open_recent(gone);
    assert!(it.state().notice.as_ref().is_some_and(|notice| notice.text.contains("does not exist")));
    assert!(it.state().documents().is_empty());
}

#[test]
fn the_list_of_recent_files_is_limited_and_has_no_duplicates() {
    let home = Home::new();
    let mut it = home.open(&[]);
    let folder = it.folder.path().to_owned();
    let paths: Vec<PathBuf> = (0..30).map(|index| folder.join(format!("{index}.json"))).collect();
    paths.iter().for_each(|path| fs::write(path, "{}").unwrap());
    it.harness.state_mut().state.open(paths.clone());
    it.harness.state_mut().state.open(vec![paths[25].clone(), folder.join("never.json"), PathBuf::from("-")]);
    let recent: Vec<PathBuf> = it.state().files.recent.files().iter().map(|file| file.path.clone()).collect();
    assert_eq!(recent.len(), 20);
    assert_eq!(recent[..2], [paths[25].clone(), paths[29].clone()]);
    assert_eq!(recent.iter().filter(|path| **path == paths[25]).count(), 1);
}

#[test]
fn odd_lists_of_recent_files_do_no_harm() {
    let long = "x".repeat(10_000);
    let home = Home::with(&format!(
        "[recent]\nfiles = [\"\", \"relative.json\", \"/no/such\\u001b[31m\\nfile\", \"/{long}\", \"/\"]\n"
    ));
    let mut it = home.open(&[]);
    assert_eq!(it.state().files.recent.files().len(), 3);
    it.click_role(Role::Button, "Menu");
    it.click_role(Role::Button, "File");
    it.click_role(Role::Button, "Open recent");
    it.press(Modifiers::NONE, Key::Escape);
    it.press(Modifiers::COMMAND, Key::K);
    it.type_text("file");
    assert!(it.says("\\u{1b}") || it.says("file"));
}

#[test]
fn the_widths_of_panels_are_there_the_next_time() {
    let home = Home::new();
    let mut it = home.open(&["paper-knight.pchr"]);
    let usual = it.state().parts.side.width;
    close(it);
    let right =
        |it: &TestWindow| it.harness.get_by_role_and_label(Role::Splitter, "Resize panel").rect().center().x;
    let wide = Home::with("[panels]\nlists_width = 310.0\n");
    it = wide.open(&["paper-knight.pchr"]);
    assert!(it.state().parts.side.width > usual + 60.0 && right(&it) > 290.0, "{usual}, {}", right(&it));
    assert_eq!(it.state().settings().panels.lists_width, it.state().parts.side.width, "it is kept");
    // Numbers that make no sense do no harm.
    let odd = Home::with("[panels]\nlists_width = nan\nsheet_width = -1e30\n");
    assert_eq!(odd.open(&["paper-knight.pchr"]).state().parts.side.width, usual);
}

#[test]
fn range_camera_and_tracks_of_a_file_are_there_the_next_time() {
    let home = Home::new();
    let file = home.folder.path().join("lamp.json");
    for name in ["json", "atlas", "png"] {
        let to = home.folder.path().join(format!("paper-lamp.{name}"));
        fs::copy(crate::common::root().join(format!("assets/paper-lamp.{name}")), to).unwrap();
    }
    fs::rename(home.folder.path().join("paper-lamp.json"), &file).unwrap();
    let open = || home.open_with(&[], |options| options.subject.files.push(file.clone()));
    let mut it = open();
    let ids: Vec<_> = it.state().model().unwrap().animation_ids().collect();
    it.state_mut().set_range(Some(2..=5));
    it.state_mut().play_on_track(2, ids[1]);
    it.app().state.playback.animator.playback_mut(2).unwrap().set_weight(0.25);
    it.state_mut().canvas.camera = Camera::Free { center: pchr::math::vec2(3.0, 4.5), scale: 2.0 };
    it.harness.run();
    close(it);

    let it = open();
    let state = it.state();
    assert_eq!(state.range(), Some(2..=5));
    assert_eq!(state.canvas.camera, Camera::Free { center: pchr::math::vec2(3.0, 4.5), scale: 2.0 });
    let track = state.playback.animator.playback(2);
    assert_eq!((track.animation(), track.weight()), (Some(ids[1]), 0.25));
    close(it);
    // Another file is not affected, and what the command line asks for comes first.
    assert_eq!(home.open(&["paper-knight.pchr"]).state().range(), None);
    let it = home.open_with(&[], |options| {
        options.subject.files.push(file.clone());
        options.subject.time = Some(0.5);
    });
    assert_eq!((it.state().range(), it.state().canvas.camera), (None, Camera::Fit));
    // Places that make no sense are ignored.
    let mut table = home.table();
    let place = &mut table["places"][file.to_str().unwrap()];
    place["range"] = vec![7, 4_000_000_000_i64].into();
    place["camera"] = vec![f64::NAN, 0.0, -1.0].into();
    fs::write(home.file(), table.to_string()).unwrap();
    let it = open();
    assert_eq!((it.state().range(), it.state().canvas.camera), (None, Camera::Fit));
    assert_eq!(it.state().playback.animator.playback(2).animation(), Some(ids[1]), "the tracks are fine");
}
