//! Golden pictures of the main screens with our own characters: in both themes, at three widths and two scales.
//!
//! The CPU painter draws them, so that they do not depend on drivers. With `PCHR_UPDATE=1` they are written.

use std::cell::RefCell;
use std::fs;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::thread;
use std::time::Duration;

use crate::app::App;
use crate::app::paint::Frame;
use crate::app::paint::painter::Painter;
use crate::app::paint::textures::Textures;
use crate::parts::side::Section;
use crate::scene::Scene;
use crate::scene::selection::Selected;
use crate::widgets::command::Command;
use egui::ThemePreference;
use egui::accesskit::Role;
use egui::{Color32, Context, FullOutput, TexturesDelta};
use egui_kittest::kittest::Queryable;
use egui_kittest::{Harness, TestRenderer};
use image::RgbaImage;
use pchr::draw::{Overlay, Picture};
use pchr::export::Alpha;
use pchr::golden::{difference, heat_map, read_picture};
use pchr::limits::Limits;

use crate::WindowOptions;

/// egui lays out text and curves in `f32` with the functions of the system's C library, which differ in the last bit
/// between systems. At edges that makes a difference of a few levels.
const TOLERANCE: u8 = 8;

const THEMES: [(ThemePreference, &str); 2] = [(ThemePreference::Light, "light"), (ThemePreference::Dark, "dark")];
/// Width and height in points.
const SIZES: [[f32; 2]; 3] = [[400.0, 600.0], [800.0, 600.0], [1600.0, 900.0]];
const SCALES: [f32; 2] = [1.0, 2.0];

/// The harness leaves this margin around the contents, in points.
const MARGIN: f32 = 8.0;

/// Paints a harness as the window does without a GPU.
#[derive(Default)]
struct CpuRenderer {
    textures: Textures,
    scenes: Rc<RefCell<Vec<Option<Scene>>>>,
}

impl TestRenderer for CpuRenderer {
    fn handle_delta(&mut self, delta: &mut TexturesDelta) {
        self.textures.apply(delta);
        self.textures.free(delta);
        delta.clear();
    }

    fn render(&mut self, ctx: &Context, output: &FullOutput) -> Result<RgbaImage, String> {
        let pixels_per_point = ctx.pixels_per_point();
        let size = ctx.content_rect().size() * pixels_per_point;
        let size = [size.x.round() as u32, size.y.round() as u32];
        let scenes = self.scenes.borrow();
        let mut frame = Frame {
            ctx,
            size,
            pixels_per_point,
            shapes: output.shapes.clone(),
            textures: &self.textures,
            changes: &TexturesDelta::default(),
            scenes: &scenes,
            clear: Color32::BLACK,
        };
        let (mut painter, mut pixels) = (Painter::default(), vec![0; size[0] as usize * size[1] as usize]);
        painter.take(&mut frame);
        painter.paint(&frame, &painter.since(0), &mut pixels);
        let bytes = pixels.iter().flat_map(|pixel| [(pixel >> 16) as u8, (pixel >> 8) as u8, *pixel as u8, 255]);
        RgbaImage::from_raw(size[0], size[1], bytes.collect()).ok_or_else(|| "too few pixels".to_owned())
    }
}

/// A window with one of our own characters.
struct Window {
    harness: Harness<'static, App>,
    scenes: Rc<RefCell<Vec<Option<Scene>>>>,
}

impl Window {
    fn open(files: &[&str], theme: ThemePreference, size: [f32; 2], scale: f32) -> Self {
        // Relative to the repository, since the export dialog shows it. Other tests do not depend on the folder.
        std::env::set_current_dir(crate::common::root()).unwrap();
        let assets = Path::new("assets");
        let mut options = WindowOptions::default();
        options.paused = true;
        options.no_watch = true;
        options.theme = Some(theme);
        let set_up = App::new(&options);
        options.subject.files.extend(files.iter().map(|file| assets.join(file)));
        let app = App::new(&options);
        let renderer = CpuRenderer::default();
        let scenes = Rc::clone(&renderer.scenes);
        let mut harness = Harness::builder()
            .with_size(size.map(|side| side + 2.0 * MARGIN))
            .with_pixels_per_point(scale)
            .with_theme(if theme == ThemePreference::Dark { egui::Theme::Dark } else { egui::Theme::Light })
            .with_max_steps(60)
            .with_context_setup(move |ctx| set_up.set_up(ctx))
            .renderer(renderer)
            .build_ui_state(|ui, app: &mut App| app.ui(ui), app);
        harness.run();
        Self { harness, scenes }
    }

    fn run(&mut self, command: Command) {
        self.harness.state_mut().state.run(command);
        self.harness.run();
    }

    /// Shows the animation of this name.
    fn show_animation(&mut self, name: &str) {
        let state = &mut self.harness.state_mut().state;
        let animation = state.model().and_then(|model| model.find_animation(name)).expect("an animation");
        state.show_animation(animation);
        self.harness.run();
    }

    /// Waits for the preview of the export dialog, which is drawn on another thread.
    fn wait_for_preview(&mut self) {
        loop {
            self.harness.run_steps(1);
            let export = self.harness.state().state.export.as_ref().expect("the dialog is open");
            if export.previewer.answer().is_some() && !export.previewer.is_busy() {
                break;
            }
            thread::sleep(Duration::from_millis(5));
        }
        self.harness.run();
    }

    fn picture(&mut self) -> Picture {
        // A pointer left on a button would show its name.
        self.harness.event(egui::Event::PointerGone);
        self.harness.run();
        *self.scenes.borrow_mut() = self.harness.state_mut().scenes();
        let image = self.harness.render().expect("the window is painted");
        let margin = (MARGIN * self.harness.ctx.pixels_per_point()) as u32;
        let size = [image.width(), image.height()].map(|side| side - 2 * margin);
        let image = image::imageops::crop_imm(&image, margin, margin, size[0], size[1]).to_image();
        let mut picture = Picture::default();
        picture.reset(image.width(), image.height());
        picture.pixels_mut().copy_from_slice(&image);
        picture
    }
}

/// Compares a screen with its golden pictures, in each theme, width and scale.
#[track_caller]
fn assert_looks_as_before(name: &str, files: &[&str], prepare: impl Fn(&mut Window)) {
    let mut differing = Vec::new();
    for (theme, theme_name) in THEMES {
        for size in SIZES {
            for scale in SCALES {
                let mut window = Window::open(files, theme, size, scale);
                prepare(&mut window);
                let file = format!("{name}-{theme_name}-{}@{scale}.png", size[0]);
                differing.extend(compare(&file, &window.picture()));
            }
        }
    }
    assert!(differing.is_empty(), "{}", differing.join("\n"));
}

/// Returns how a picture differs from its golden one, and saves both where they can be looked at.
fn compare(file: &str, now: &Picture) -> Option<String> {
    let golden = crate::common::root().join("tests/fixtures/window").join(file);
    if std::env::var_os("PCHR_UPDATE").is_some() {
        fs::create_dir_all(golden.parent().unwrap()).unwrap();
        fs::write(&golden, png(now)).unwrap();
        return None;
    }
    let reference = match read_picture(&golden, &Limits::default()) {
        Ok(reference) => reference,
        Err(error) => return Some(error.to_string()),
    };
    let found = difference(&reference, now, TOLERANCE, Alpha::Straight);
    if found.as_ref().is_some_and(|found| found.pixels == 0) {
        return None;
    }
    let folder = std::env::temp_dir().join("pchr-window");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join(file), png(now)).unwrap();
    if let Some(map) = heat_map(&reference, now, TOLERANCE, Alpha::Straight) {
        fs::write(folder.join(format!("diff-{file}")), png(&map)).unwrap();
    }
    Some(format!("{} differs: {found:?}; see {}", golden.display(), folder.display()))
}

fn png(picture: &Picture) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut png = png::Encoder::new(&mut bytes, picture.width(), picture.height());
    // Opaque; the smallest file counts.
    png.set_color(png::ColorType::Rgb);
    png.set_compression(png::Compression::High);
    let pixels: Vec<u8> = picture.pixels().as_chunks().0.iter().flat_map(|&[r, g, b, _]| [r, g, b]).collect();
    png.write_header().and_then(|mut png| png.write_image_data(&pixels)).unwrap();
    bytes
}

const LAMP: &[&str] = &["paper-lamp.json"];

#[test]
fn a_character() {
    assert_looks_as_before("character", &["paper-lamp.json", "paper-knight.pchr"], |_| {});
}

#[test]
fn an_inspected_part() {
    assert_looks_as_before("inspector", LAMP, |window| {
        window.harness.state_mut().state.parts.side.toggle(Section::Tree);
        let state = &mut window.harness.state_mut().state;
        let bone = state.model().and_then(|model| model.skeleton().bone_ids().nth(3)).expect("a bone");
        state.parts.selected = Some(Selected::Bone(bone));
        window.harness.run();
    });
}

#[test]
fn overlays() {
    assert_looks_as_before("overlays", LAMP, |window| {
        for overlay in [Overlay::Bones, Overlay::Names, Overlay::Wire] {
            window.run(Command::Show(overlay));
        }
        [Command::Grid, Command::Ground].into_iter().for_each(|command| window.run(command));
    });
}

#[test]
fn the_dopesheet() {
    assert_looks_as_before("dopesheet", LAMP, |window| {
        window.show_animation("hop");
        window.run(Command::Dopesheet);
        let timeline = &mut window.harness.state_mut().state.timeline;
        let targets = timeline.keys.shown().into_iter().flat_map(|keyed| &keyed.targets);
        timeline.expanded = std::sync::Arc::new(targets.map(|target| target.target).collect());
        window.harness.run();
    });
}

#[test]
fn curves() {
    assert_looks_as_before("curves", LAMP, |window| {
        window.show_animation("hop");
        let state = &mut window.harness.state_mut().state;
        let bone = state.model().and_then(|model| model.skeleton().find("base")).expect("a bone");
        state.parts.selected = Some(Selected::Bone(bone));
        window.run(Command::Curves);
    });
}

#[test]
fn tracks() {
    assert_looks_as_before("tracks", LAMP, |window| {
        window.run(Command::Tracks);
        let state = &mut window.harness.state_mut().state;
        let hop = state.model().and_then(|model| model.find_animation("hop")).expect("an animation");
        let idle = state.model().and_then(|model| model.find_animation("idle")).expect("an animation");
        state.play_on_track(1, idle);
        state.playback.animator.set_playing(true);
        state.advance(0.5);
        state.play_on_track(0, hop);
        state.queue_on_track(0, idle);
        // In the middle of the fade.
        state.advance(0.1);
        state.playback.animator.set_playing(false);
        window.harness.run();
    });
}

#[test]
fn a_comparison() {
    assert_looks_as_before("compare", &["paper-lamp.json", "paper-lamp-4.2.json"], |window| {
        window.harness.state_mut().state.compare_with(1);
        window.harness.run();
    });
}

#[test]
fn the_export_dialog() {
    assert_looks_as_before("export", LAMP, |window| {
        window.run(Command::Export);
        let state = &mut window.harness.state_mut().state;
        state.name_export(Path::new("/pictures/paper-lamp.gif"));
        window.wait_for_preview();
    });
}

#[test]
fn the_end_of_the_export_dialog() {
    assert_looks_as_before("export-end", LAMP, |window| {
        window.run(Command::Export);
        let state = &mut window.harness.state_mut().state;
        state.name_export(Path::new("/pictures/paper-lamp.gif"));
        window.wait_for_preview();
        window.harness.get_by_role_and_label(Role::ComboBox, "Antialiasing").scroll_to_me();
        window.harness.get_by_role_and_label(Role::SpinButton, "Speed").scroll_to_me();
        window.harness.run();
    });
}

#[test]
fn the_command_palette() {
    assert_looks_as_before("palette", LAMP, |window| window.run(Command::Palette));
}

#[test]
fn the_list_of_keys() {
    assert_looks_as_before("help", LAMP, |window| window.run(Command::Help));
}

#[test]
fn recent_files() {
    assert_looks_as_before("recent", &[], |window| {
        // Missing: the same on every machine.
        let files = ["/characters/lamp/paper-lamp.json", "/characters/knight/paper-knight.pchr"];
        window.harness.state_mut().state.files.recent.restore(files.map(PathBuf::from));
        window.harness.run();
    });
}

#[test]
fn the_empty_window() {
    assert_looks_as_before("empty", &[], |_| {});
}
