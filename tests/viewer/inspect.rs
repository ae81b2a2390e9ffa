//! Selecting parts of the character, and what the window shows about them.

use std::fs;
use std::path::Path;

use egui::{Key, Modifiers};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT, Queryable};
use pchr::viewer::WindowOptions;
use pchr::viewer::app::App;
use pchr::viewer::selection::Selected;
use tempfile::TempDir;

/// A window on copies of the project's own characters.
pub struct Fixture {
    pub harness: Harness<'static, App>,
    pub folder: TempDir,
}

impl Fixture {
    pub fn open(size: [f32; 2], files: &[&str]) -> Self {
        Self::open_with(size, files, |_, _| {})
    }

    /// Like [`Self::open`]; `prepare` may add files to the folder and change the options first.
    pub fn open_with(size: [f32; 2], files: &[&str], prepare: impl FnOnce(&Path, &mut WindowOptions)) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let assets = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets");
        for asset in fs::read_dir(assets).unwrap().map(|asset| asset.unwrap().path()) {
            fs::copy(&asset, folder.path().join(asset.file_name().unwrap())).unwrap();
        }
        let mut options = WindowOptions::default();
        options.paused = true;
        options.watch = false;
        options.subject.files.extend(files.iter().map(|file| folder.path().join(file)));
        prepare(folder.path(), &mut options);
        let app = App::new(&options);
        let set_up = App::new(&options);
        let mut harness = Harness::builder()
            .with_size(size)
            .with_max_steps(30)
            .with_context_setup(move |ctx| set_up.set_up(ctx))
            .build_ui_state(|ui, app: &mut App| app.ui(ui), app);
        harness.run();
        Self { harness, folder }
    }

    pub fn press(&mut self, modifiers: Modifiers, key: Key) {
        self.harness.key_press_modifiers(modifiers, key);
        self.harness.run();
    }

    /// Clicks the control whose label contains `label`.
    pub fn click(&mut self, label: &str) {
        self.harness.get_by_label_contains(label).click();
        self.harness.run();
    }

    /// Returns the name of what is selected.
    pub fn selected(&self) -> Option<String> {
        let state = &self.harness.state().state;
        state.selected.map(|selected| selected.name(state.model().unwrap()).to_owned())
    }

    /// Returns true if any text in the window contains `text`.
    pub fn says(&self, text: &str) -> bool {
        self.harness.root().children_recursive().any(|node| {
            let node = node.accesskit_node();
            [node.label(), node.value()].into_iter().flatten().any(|found| found.contains(text))
        })
    }

    /// Saves a screenshot into the folder named by `PCHR_SHOW`, for inspection.
    pub fn save(&mut self, name: &str) {
        let Ok(folder) = std::env::var("PCHR_SHOW") else { return };
        let picture = self.harness.render().expect("it renders");
        let file = fs::File::create(Path::new(&folder).join(format!("{name}.png"))).expect("a file");
        let mut png = png::Encoder::new(file, picture.width(), picture.height());
        png.set_color(png::ColorType::Rgba);
        png.write_header().and_then(|mut png| png.write_image_data(picture.as_raw())).expect("a PNG");
    }
}

#[test]
fn a_click_on_a_slot_selects_it_and_escape_clears_the_selection() {
    let mut it = Fixture::open([1000.0, 800.0], &["paper-lamp.json"]);
    it.click("SLOTS");
    it.harness.get_by_label("shade").click();
    it.harness.run();
    assert_eq!(it.selected().as_deref(), Some("shade"));
    assert!(matches!(it.harness.state().state.selected, Some(Selected::Slot(_))));
    assert!(it.says("shade"));
    it.save("inspect-slots");
    it.press(Modifiers::NONE, Key::Escape);
    it.press(Modifiers::NONE, Key::Escape);
    assert_eq!(it.selected(), None, "the first press releases the focus, the second clears the selection");
}

#[test]
fn the_selection_is_kept_by_name_when_the_file_is_read_again() {
    let mut it = Fixture::open([1000.0, 800.0], &["paper-lamp.json", "paper-knight.pchr"]);
    it.click("SLOTS");
    it.harness.get_by_label("shade").click();
    it.harness.run();
    let before = it.harness.state().state.selected;
    // Another bone and another slot come first.
    let path = it.folder.path().join("paper-lamp.json");
    let text = fs::read_to_string(&path).unwrap();
    let slots = text.find("\"slots\"").and_then(|at| text[at..].find('[').map(|open| at + open + 1)).unwrap();
    fs::write(&path, format!("{}{{\"name\":\"new\",\"bone\":\"root\"}},{}", &text[..slots], &text[slots..]))
        .unwrap();
    it.press(Modifiers::NONE, Key::F5);
    assert_eq!(it.selected().as_deref(), Some("shade"));
    assert_ne!(it.harness.state().state.selected, before, "it has another index now");

    it.press(Modifiers::COMMAND, Key::PageDown);
    assert_eq!(it.selected(), None, "another file is shown");
    it.press(Modifiers::COMMAND, Key::PageUp);
    assert_eq!(it.selected().as_deref(), Some("shade"), "every file keeps its own");

    fs::write(&path, text.replace("\"shade\"", "\"cover\"")).unwrap();
    it.press(Modifiers::NONE, Key::F5);
    assert_eq!(it.selected(), None, "it no longer exists");
}
