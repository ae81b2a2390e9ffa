//! A window on copies of the project's own characters, for the tests of its menus, dialogs and settings.

use std::fs;
use std::path::Path;

use egui::accesskit::Role;
use egui::{Event, Key, Modifiers, PointerButton, Pos2};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT, Queryable};
use pchr::viewer::WindowOptions;
use pchr::viewer::app::App;
use pchr::viewer::state::State;
use tempfile::TempDir;

pub struct Desk {
    pub harness: Harness<'static, App>,
    pub folder: TempDir,
}

impl Desk {
    /// Opens a window of this size on `files`, paused.
    pub fn open(size: [f32; 2], files: &[&str]) -> Self {
        Self::open_with(size, files, |_, _| {})
    }

    /// Opens a window with other options, which `change` gets with the folder of the files.
    pub fn open_with(size: [f32; 2], files: &[&str], change: impl FnOnce(&mut WindowOptions, &Path)) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let assets = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets");
        for asset in fs::read_dir(assets).unwrap().map(|asset| asset.unwrap().path()) {
            fs::copy(&asset, folder.path().join(asset.file_name().unwrap())).unwrap();
        }
        let mut options = WindowOptions::default();
        options.paused = true;
        options.watch = false;
        options.subject.files.extend(files.iter().map(|file| folder.path().join(file)));
        change(&mut options, folder.path());
        let app = App::new(&options);
        let set_up = App::new(&WindowOptions::default());
        let mut harness = Harness::builder()
            .with_size(size)
            .with_max_steps(30)
            .with_context_setup(move |ctx| set_up.set_up(ctx))
            .build_ui_state(|ui, app: &mut App| app.ui(ui), app);
        harness.run();
        Self { harness, folder }
    }

    pub fn state(&self) -> &State {
        &self.harness.state().state
    }

    pub fn press(&mut self, modifiers: Modifiers, key: Key) {
        self.harness.key_press_modifiers(modifiers, key);
        self.harness.run();
    }

    pub fn type_text(&mut self, text: &str) {
        self.harness.event(Event::Text(text.to_owned()));
        self.harness.run();
    }

    pub fn click(&mut self, role: Role, name: &str) {
        let place = self.harness.get_by_role_and_label(role, name).rect().center();
        self.click_at(place);
    }

    /// Clicks a row of a menu or of the palette.
    pub fn click_row(&mut self, name: &str) {
        let is_row = |role| matches!(role, Role::MenuItem | Role::MenuItemCheckBox);
        let row = self.harness.get_by(|node| is_row(node.role()) && node.label().as_deref() == Some(name));
        let place = row.rect().center();
        self.click_at(place);
    }

    pub fn click_at(&mut self, pos: Pos2) {
        self.harness.hover_at(pos);
        self.harness.run_steps(1);
        for pressed in [true, false] {
            let button = PointerButton::Primary;
            self.harness.event(Event::PointerButton { pos, button, pressed, modifiers: Modifiers::NONE });
            self.harness.run_steps(1);
        }
        self.harness.run();
    }

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
