//! The export dialog on the knight, driven as users do.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use egui::accesskit::Role;
use egui::{Event, Key, Modifiers, PointerButton, Pos2, Rect};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT, Queryable};
use pchr::viewer::WindowOptions;
use pchr::viewer::app::App;
use pchr::viewer::export::{Ended, Export, Stage};
use tempfile::TempDir;

pub struct Fixture {
    pub harness: Harness<'static, App>,
    pub folder: TempDir,
}

impl Fixture {
    /// A window of that size on the knight, which walks, with the dialog open.
    pub fn open(size: [f32; 2]) -> Self {
        let folder = TempDir::new().expect("a temporary folder");
        let knight = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/paper-knight.pchr");
        let path = folder.path().join("my knight.pchr");
        fs::copy(knight, &path).expect("the knight can be copied");
        let mut options = WindowOptions::default();
        options.paused = true;
        options.watch = false;
        options.subject.animations = vec!["walk".to_owned()];
        options.subject.files.push(path);
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

    pub fn new() -> Self {
        Self::open([1100.0, 800.0])
    }

    pub fn press(&mut self, modifiers: Modifiers, key: Key) {
        self.harness.key_press_modifiers(modifiers, key);
        self.harness.run();
    }

    pub fn click(&mut self, label: &str) {
        self.harness.get_by_role_and_label(Role::Button, label).click();
        self.harness.run();
    }

    /// Presses and releases within one frame, as touchpads do and a slow machine sees it.
    pub fn tap(&mut self, pos: Pos2) {
        self.tap_at(pos, None);
        self.harness.run();
    }

    /// The same at that time in egui's seconds, and no frame more.
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

    /// One frame at that time.
    pub fn frame_at(&mut self, secs: f64) {
        self.harness.input_mut().time = Some(secs);
        self.harness.run_steps(1);
    }

    /// The middle of a button.
    pub fn button(&self, label: &str) -> Rect {
        self.harness.get_by_role_and_label(Role::Button, label).rect()
    }

    /// Picks `choice` from the list that is called `name`.
    pub fn choose(&mut self, name: &str, choice: &str) {
        self.harness.get_by_role_and_label(Role::ComboBox, name).click();
        self.harness.run();
        self.click(choice);
    }

    pub fn export(&mut self) -> &mut Export {
        self.harness.state_mut().state.export.as_mut().expect("the dialog is open")
    }

    /// Changes what is chosen, as the choices do.
    pub fn set(&mut self, change: impl FnOnce(&mut Export)) {
        let export = self.export();
        change(export);
        export.changed();
        self.harness.run();
    }

    pub fn is_open(&self) -> bool {
        self.harness.state().state.export.is_some()
    }

    /// Frame after frame until `is_so`, and fails where that takes far too long.
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

    /// Clicks `Export` and gives what came of it.
    #[track_caller]
    pub fn write(&mut self) -> Ended {
        self.click("Export");
        self.ended()
    }

    #[track_caller]
    pub fn ended(&mut self) -> Ended {
        self.wait("the export", |export| !export.is_running());
        match &self.export().stage {
            Stage::Ended(ended) => ended.clone(),
            stage => panic!("{stage:?}"),
        }
    }

    /// Everything that is written anywhere.
    pub fn says(&self, text: &str) -> bool {
        self.harness.root().children_recursive().any(|node| {
            let node = node.accesskit_node();
            [node.label(), node.value()].into_iter().flatten().any(|found| found.contains(text))
        })
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Every file but the character.
    pub fn files(&self) -> BTreeMap<String, Vec<u8>> {
        let entries = fs::read_dir(self.folder.path()).expect("the folder").map(|entry| entry.expect("an entry"));
        let named = entries.map(|entry| (entry.file_name().to_string_lossy().into_owned(), entry.path()));
        let others = named.filter(|(name, path)| name != "my knight.pchr" && path.is_file());
        others.map(|(name, path)| (name, fs::read(path).expect("a file"))).collect()
    }

    /// Keeps what is seen, for who wants to look at it.
    pub fn save(&mut self, name: &str) {
        let Ok(folder) = std::env::var("PCHR_SHOW") else { return };
        let picture = self.harness.render().expect("it renders");
        let file = fs::File::create(Path::new(&folder).join(format!("{name}.png"))).expect("a file");
        let mut png = png::Encoder::new(file, picture.width(), picture.height());
        png.set_color(png::ColorType::Rgba);
        png.write_header().and_then(|mut png| png.write_image_data(picture.as_raw())).expect("a PNG");
    }

    /// The command line that was copied.
    pub fn copied(&mut self) -> String {
        let is_copied = self.harness.query_by_role_and_label(Role::Button, "Copied").is_some();
        if !is_copied {
            self.click("Copy");
        }
        // The command is told in the frame of the click, which is not the last one.
        self.export().copied.clone().expect("it is copied")
    }

    /// Runs the command that is shown, and gives what it writes in the place of what is there.
    #[track_caller]
    pub fn command_line_files(&mut self) -> BTreeMap<String, Vec<u8>> {
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
