//! The export dialog, driven as users do: what it writes is what the command line that it shows writes.
#![cfg(feature = "viewer")]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use egui::accesskit::Role;
use egui::{Key, Modifiers, OutputCommand};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT, Queryable};
use pchr::export::{Format, Size};
use pchr::viewer::WindowOptions;
use pchr::viewer::app::App;
use pchr::viewer::export::{Ended, Export, Frames, Stage};
use pchr::viewer::state::Request;
use tempfile::TempDir;

struct Fixture {
    harness: Harness<'static, App>,
    folder: TempDir,
}

impl Fixture {
    /// A window of that size on the knight, which walks, with the dialog open.
    fn open(size: [f32; 2]) -> Self {
        let folder = TempDir::new().expect("a temporary folder");
        let knight = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/paper-knight.pchr");
        let path = folder.path().join("my knight.pchr");
        fs::copy(knight, &path).expect("the knight can be copied");
        let mut options = WindowOptions::default();
        options.paused = true;
        options.watch = false;
        options.animation = Some("walk".to_owned());
        options.files.push(path);
        let app = App::new(&options);
        let set_up = App::new(&WindowOptions::default());
        let harness = Harness::builder()
            .with_size(size)
            // A widget's first frame asks for another, and an export that ends meanwhile shows new ones: how many
            // frames that takes together depends on how busy the machine is.
            .with_max_steps(30)
            .with_context_setup(move |ctx| set_up.set_up(ctx))
            .build_ui_state(|ui, app: &mut App| app.ui(ui), app);
        let mut it = Self { harness, folder };
        it.harness.run();
        it.press(Modifiers::COMMAND, Key::E);
        it
    }

    fn new() -> Self {
        Self::open([1100.0, 800.0])
    }

    fn press(&mut self, modifiers: Modifiers, key: Key) {
        self.harness.key_press_modifiers(modifiers, key);
        self.harness.run();
    }

    fn click(&mut self, label: &str) {
        self.harness.get_by_role_and_label(Role::Button, label).click();
        self.harness.run();
    }

    /// Picks `choice` from the list that is called `name`.
    fn choose(&mut self, name: &str, choice: &str) {
        self.harness.get_by_role_and_label(Role::ComboBox, name).click();
        self.harness.run();
        self.click(choice);
    }

    fn export(&mut self) -> &mut Export {
        self.harness.state_mut().state.export.as_mut().expect("the dialog is open")
    }

    /// Changes what is chosen, as the choices do.
    fn set(&mut self, change: impl FnOnce(&mut Export)) {
        let export = self.export();
        change(export);
        export.changed();
        self.harness.run();
    }

    fn is_open(&self) -> bool {
        self.harness.state().state.export.is_some()
    }

    /// Frame after frame until `is_so`, and fails where that takes far too long.
    #[track_caller]
    fn wait(&mut self, what: &str, is_so: impl Fn(&mut Export) -> bool) {
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
    fn settle(&mut self) {
        self.wait("the preview", |export| export.previewer.answer().is_some() && !export.previewer.is_busy());
    }

    /// Clicks `Export` and gives what came of it.
    #[track_caller]
    fn write(&mut self) -> Ended {
        self.click("Export");
        self.ended()
    }

    #[track_caller]
    fn ended(&mut self) -> Ended {
        self.wait("the export", |export| !export.is_running());
        match &self.export().stage {
            Stage::Ended(ended) => ended.clone(),
            stage => panic!("{stage:?}"),
        }
    }

    /// Everything that is written anywhere.
    fn says(&self, text: &str) -> bool {
        self.harness.root().children_recursive().any(|node| {
            let node = node.accesskit_node();
            [node.label(), node.value()].into_iter().flatten().any(|found| found.contains(text))
        })
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Every file but the character.
    fn files(&self) -> BTreeMap<String, Vec<u8>> {
        let entries = fs::read_dir(self.folder.path()).expect("the folder").map(|entry| entry.expect("an entry"));
        let named = entries.map(|entry| (entry.file_name().to_string_lossy().into_owned(), entry.path()));
        let others = named.filter(|(name, path)| name != "my knight.pchr" && path.is_file());
        others.map(|(name, path)| (name, fs::read(path).expect("a file"))).collect()
    }

    /// The command line that was copied.
    fn copied(&mut self) -> String {
        let is_copied = self.harness.query_by_role_and_label(Role::Button, "Copied").is_some();
        if !is_copied {
            self.click("Copy");
        }
        // The command is told in the frame of the click, which is not the last one.
        self.export().copied.clone().expect("it is copied")
    }

    /// Runs the command that is shown, and gives what it writes in the place of what is there.
    #[track_caller]
    fn command_line_files(&mut self) -> BTreeMap<String, Vec<u8>> {
        for name in self.files().keys() {
            fs::remove_file(self.path(name)).expect("it goes");
        }
        let line = self.copied();
        let words = shlex_split(&line);
        assert_eq!(words[0], "pchr-view");
        let mut command = Command::new(env!("CARGO_BIN_EXE_pchr-view"));
        let output = command.args(&words[1..]).stdin(Stdio::null()).output().expect("it runs");
        assert!(output.status.success(), "{line}\n{}", String::from_utf8_lossy(&output.stderr));
        self.files()
    }
}

/// The words of a line as a POSIX shell reads it, asked of one.
fn shlex_split(line: &str) -> Vec<String> {
    let script = format!("for word in {line}; do printf '%s\\0' \"$word\"; done");
    let output = Command::new("sh").args(["-c", &script]).output().expect("a shell");
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    text.split_terminator('\0').map(str::to_owned).collect()
}

#[test]
fn it_opens_shows_what_it_comes_to_and_closes() {
    let mut it = Fixture::new();
    it.settle();
    assert!(it.says("24 frames of") && it.says("px in 1 file, 1.00 s"), "it tells what it comes to");
    assert!(it.says("pchr-view '") && it.says("my knight-walk.gif"));
    let preview = it.export().previewer.answer().expect("a preview");
    assert!(preview.picture.pixels().iter().any(|&byte| byte != 0), "the knight is seen");
    it.press(Modifiers::NONE, Key::Escape);
    assert!(!it.is_open());
    it.press(Modifiers::COMMAND, Key::E);
    assert!(it.is_open());
    it.click("Close export");
    assert!(!it.is_open());
    it.press(Modifiers::COMMAND, Key::E);
    it.press(Modifiers::COMMAND, Key::E);
    assert!(!it.is_open());
}

#[test]
fn every_format_is_what_its_command_line_writes() {
    for format in Format::ALL.into_iter().filter(|&format| format != Format::Sheet) {
        let mut it = Fixture::new();
        it.set(|export| {
            export.options.format = format;
            export.options.size = Size::Exact(90, 70);
            export.frames = Frames::Range { first: 2, last: 8, step: 3 };
            export.options.loops = Some(3);
            export.options.speed = 0.5;
            export.options.matte = Some([10, 20, 30]);
        });
        let Ended::Written(written) = it.write() else { panic!("{format:?}: {:?}", it.export().stage) };
        let files = it.files();
        assert_eq!(files.len(), if format == Format::Png { 3 } else { 1 }, "{format:?}");
        assert_eq!(written.files.len(), files.len());
        assert!(it.says("Saved"), "{format:?}");
        assert_eq!(it.command_line_files(), files, "{format:?}");
    }
}

#[test]
fn choices_made_by_hand_are_written_and_told() {
    let mut it = Fixture::new();
    it.choose("Format", "PNG, a file for each frame");
    it.choose("Animation", "All that move");
    it.choose("Frames", "The one that is shown");
    it.choose("Size", "Width");
    it.choose("Background", "Colour");
    it.choose("Edges", "Drawn twice as large (ssaa2)");
    it.choose("Show", "What is exported");
    let line = it.copied();
    for part in ["-a all", "-s 512x", "-b '#ffffff'", "--antialias ssaa2", "--fit frame", "--backend cpu"] {
        assert!(line.contains(part), "{part} in {line}");
    }
    for part in ["--force", "--matte", "--loops", "--format", "--scale"] {
        assert!(!line.contains(part), "{part} in {line}");
    }
    assert!(matches!(it.write(), Ended::Written(_)));
    let files = it.files();
    assert!(files.len() > 1 && files.contains_key("my knight-walk.png"), "{:?}", files.keys());
    assert_eq!(it.command_line_files(), files);
}

#[test]
fn the_command_line_goes_to_the_clipboard() {
    let mut it = Fixture::new();
    it.harness.get_by_role_and_label(Role::Button, "Copy").click();
    // Pressed in one frame and released in the next.
    let mut copied = Vec::new();
    for _ in 0..4 {
        it.harness.run_steps(1);
        copied.extend(it.harness.output().platform_output.commands.iter().filter_map(|command| match command {
            OutputCommand::CopyText(text) => Some(text.clone()),
            _ => None,
        }));
    }
    let line = it.export().wanted().command_line();
    assert_eq!(copied, [line]);
    assert!(it.says("Copied"));
    it.choose("Format", "Animated PNG");
    assert!(!it.says("Copied"), "another one is shown");
}

#[test]
fn a_cancelled_export_leaves_nothing_behind() {
    for format in [Format::Png, Format::Apng, Format::Gif] {
        let mut it = Fixture::new();
        fs::write(it.path("other.txt"), "kept").expect("a file");
        let path = it.path("new/folder/knight").display().to_string();
        it.set(|export| {
            export.options.format = format;
            // So that there is time to stop it.
            export.options.size = Size::Exact(2500, 2500);
            export.choose_path(&path);
        });
        it.click("Export");
        it.wait("the first picture", |export| match &export.stage {
            Stage::Running(job) => job.progress().0 > 0,
            stage => panic!("{stage:?}"),
        });
        assert!(it.path("new/folder").is_dir(), "{format:?}");
        // Neither Escape nor its key closes it meanwhile.
        it.press(Modifiers::NONE, Key::Escape);
        it.press(Modifiers::COMMAND, Key::E);
        assert!(it.export().is_running());
        it.click("Cancel");
        assert_eq!(it.ended(), Ended::Cancelled, "{format:?}");
        assert!(it.says("Stopped; nothing was written."));
        assert!(!it.path("new").exists(), "{format:?}");
        assert_eq!(it.files().into_keys().collect::<Vec<_>>(), ["other.txt"]);
    }
}

#[test]
fn a_window_that_is_closed_meanwhile_leaves_nothing_behind() {
    let mut it = Fixture::new();
    it.set(|export| export.options.size = Size::Exact(2500, 2500));
    it.click("Export");
    it.wait("the first picture", |export| match &export.stage {
        Stage::Running(job) => job.progress().0 > 0,
        stage => panic!("{stage:?}"),
    });
    let Fixture { harness, folder } = it;
    drop(harness);
    assert_eq!(fs::read_dir(folder.path()).expect("the folder").count(), 1);
}

#[test]
fn what_is_there_is_replaced_only_when_asked() {
    let mut it = Fixture::new();
    it.set(|export| export.options.size = Size::Exact(60, 60));
    let name = "my knight-walk.gif";
    fs::write(it.path(name), "theirs").expect("a file");
    assert!(matches!(it.write(), Ended::Exists { count: 1, .. }));
    assert!(it.says("exists already. Replace it?"));
    it.click("Keep");
    assert_eq!(it.files()[name], b"theirs");
    assert!(matches!(it.write(), Ended::Exists { .. }));
    it.click("Replace");
    assert!(matches!(it.ended(), Ended::Written(_)));
    assert!(it.files()[name].starts_with(b"GIF89a"));
    assert!(!it.export().options.force, "it asks the next time again");

    it.choose("Format", "PNG, a file for each frame");
    for frame in [3, 5] {
        fs::write(it.path(&format!("my knight-walk-{frame:04}.png")), "theirs").expect("a file");
    }
    assert!(matches!(it.write(), Ended::Exists { count: 2, .. }));
    assert_eq!(it.files().len(), 3, "nothing is written before it is asked");
    it.click("Replace");
    assert!(matches!(it.ended(), Ended::Written(_)));
    assert_eq!(it.files().len(), 25);
    assert!(it.files().values().all(|bytes| bytes != b"theirs"));
}

#[test]
fn mistakes_are_told_in_the_dialog() {
    let mut it = Fixture::new();
    let name = it.path("all.png").display().to_string();
    it.choose("Format", "PNG, a file for each frame");
    for (path, told) in [
        (name, "{frame:04}"),
        (it.path("a.gif").display().to_string(), "is not the name of a PNG"),
        (it.path("{frme}.png").display().to_string(), "nothing fills"),
        (it.path("my knight.pchr/{frame}.png").display().to_string(), "this is a file, not a folder"),
    ] {
        it.export().path = path;
        it.export().typed_path();
        let Ended::Failed(error) = it.write() else { panic!("{:?}", it.export().stage) };
        assert!(error.contains(told), "{error}");
        assert!(it.says("Nothing was written"));
    }
    it.set(|export| export.options.size = Size::Exact(32_000, 32_000));
    it.set(|export| export.options.antialias = pchr::draw::Antialias::Ssaa4);
    it.settle();
    assert!(it.says("memory-bytes"), "the preview tells it too");
    assert!(it.files().is_empty());
}

#[test]
fn the_name_follows_what_is_chosen_until_the_user_names_it() {
    let mut it = Fixture::new();
    let name = |it: &mut Fixture| {
        Path::new(&it.export().path).file_name().expect("a name").to_string_lossy().into_owned()
    };
    assert_eq!(name(&mut it), "my knight-walk.gif");
    it.choose("Format", "PNG, a file for each frame");
    assert_eq!(name(&mut it), "my knight-walk-{frame:04}.png");
    it.choose("Animation", "All that move");
    assert_eq!(name(&mut it), "my knight-{animation}-{frame:04}.png");
    it.click("Choose…");
    assert_eq!(it.harness.state().state.requests, [Request::SaveDialog]);
    let own = it.path("own {name.png");
    it.harness.state_mut().state.name_export(&own);
    it.harness.run();
    assert_eq!(name(&mut it), "own {{name-{animation}-{frame:04}.png");
    it.choose("Format", "Video (y4m)");
    assert_eq!(name(&mut it), "own {{name-{animation}.y4m");
}

#[test]
fn letters_are_for_its_fields_and_tab_goes_on() {
    let mut it = Fixture::new();
    it.press(Modifiers::NONE, Key::Space);
    assert!(!it.harness.state().state.player.is_playing());
    it.press(Modifiers::NONE, Key::Tab);
    assert!(it.harness.state().state.panels, "Tab hides nothing behind it");
    assert!(it.harness.ctx.memory(|memory| memory.focused().is_some()));
    it.harness.get_by_role_and_label(Role::TextInput, "Save as").focus();
    it.harness.run();
    let before = it.export().path.clone();
    it.harness.key_press_modifiers(Modifiers::NONE, Key::L);
    it.harness.event(egui::Event::Text("l".to_owned()));
    it.harness.run();
    assert_eq!(it.export().path.len(), before.len() + 1);
    assert_eq!(it.harness.state().state.player.loop_mode(), pchr::player::LoopMode::Authored);
}

#[test]
fn it_keeps_with_the_file_that_is_shown() {
    let mut it = Fixture::new();
    it.choose("Format", "Animated WebP");
    it.press(Modifiers::NONE, Key::F5);
    assert_eq!(it.export().options.format, Format::Webp, "read again, it goes on");
    let other = it.path("other.pchr");
    fs::copy(it.path("my knight.pchr"), &other).expect("a copy");
    it.harness.state_mut().state.open(vec![other.clone()]);
    it.harness.run();
    assert_eq!(it.export().options.files, [other]);
}

#[test]
fn the_preview_plays_and_nothing_else_moves() {
    let mut it = Fixture::new();
    it.settle();
    it.harness.get_by_label("Play the preview").click();
    it.harness.run_steps(2);
    let first = it.export().previewer.answer().expect("a preview").number;
    it.wait("another picture", |export| export.previewer.answer().is_some_and(|answer| answer.number > first + 2));
    it.harness.state_mut().state.player.set_playing(true);
    assert!(!it.harness.state().is_moving());
}

#[test]
fn every_size_of_window_lays_out() {
    for size in [[1.0, 1.0], [240.0, 160.0], [420.0, 300.0], [640.0, 900.0], [3000.0, 200.0], [1100.0, 800.0]] {
        let mut it = Fixture::open(size);
        it.settle();
        assert!(it.is_open());
        if let Ok(folder) = std::env::var("PCHR_SHOW") {
            let picture = it.harness.render().expect("it renders");
            let file = fs::File::create(Path::new(&folder).join(format!("{}.png", size[0]))).expect("a file");
            let mut png = png::Encoder::new(file, picture.width(), picture.height());
            png.set_color(png::ColorType::Rgba);
            png.write_header().and_then(|mut png| png.write_image_data(picture.as_raw())).expect("a PNG");
        }
    }
}
