//! Two characters compared in the window: driven as a user would, and painted on the CPU.

mod arrangement;
mod difference;
mod difference_sizes;
mod files;
mod findings;
mod hand_over;
mod lineup;
mod reopened;
mod review;
mod staged;
mod timing;

use std::fs;
use std::path::Path;
use std::time::Duration;

use crate::app::App;
use crate::app::paint::Frame;
use crate::app::paint::painter::Painter;
use crate::app::paint::textures::Textures;
use crate::common::v1::{self as schema, write};
use crate::compare::Arrangement;
use crate::scene::selection::Selected;
use crate::widgets::command::Command;
use egui::ThemePreference;
use egui::accesskit::Role;
use egui::{Context, Key, Modifiers, Pos2, RawInput, Rect, UiBuilder, vec2};
use egui_kittest::kittest::Queryable;

use crate::WindowOptions;

use crate::app::tests::harness::TestWindow;

/// A square that moves right by `step` world units in every frame of its animations, given by name and number of
/// frames.
pub struct Square<'a> {
    pub color: [u8; 3],
    pub fps: u16,
    pub step: f32,
    pub animations: &'a [(&'a str, u8)],
    /// Number of further bones, which nothing follows.
    pub bones: u16,
}

impl Default for Square<'_> {
    fn default() -> Self {
        Self { color: [200, 80, 40], fps: 10, step: 10.0, animations: &[("walk", 10)], bones: 0 }
    }
}

impl Square<'_> {
    pub fn bytes(&self) -> Vec<u8> {
        let corner = |x: f32, y: f32| schema::Vertex {
            x,
            y,
            bone_weights: [1.0, 0.0, 0.0, 0.0],
            ..schema::Vertex::default()
        };
        let corners = [corner(-50.0, -50.0), corner(50.0, -50.0), corner(50.0, 50.0), corner(-50.0, 50.0)];
        let frame = |index: u8| {
            let moved =
                schema::BoneTransform { x: f32::from(index) * self.step, ..schema::BoneTransform::default() };
            let mut frame = vec![schema::BoneTransform::default(); usize::from(self.bones) + 1];
            frame[0] = moved;
            frame
        };
        let animations = self
            .animations
            .iter()
            .map(|(name, count)| schema::Animation::new(*name, true, &(0..*count).map(frame).collect::<Vec<_>>()));
        let [r, g, b] = self.color;
        let file = schema::File {
            fps: self.fps,
            images: vec![schema::Image {
                name: "page".to_owned(),
                width: 1,
                height: 1,
                format: schema::Image::RGBA8888,
                data: vec![r, g, b, 255].into(),
                offset: 0,
            }],
            bones: (0..=self.bones)
                .map(|index| schema::Bone {
                    name: if index == 0 { "root".to_owned() } else { format!("extra {index}") },
                    parent: if index == 0 { -1 } else { 0 },
                    offset: 0,
                })
                .collect(),
            meshes: vec![schema::Mesh::new("square", 0, &corners, &[0, 1, 2, 0, 2, 3])],
            animations: animations.collect(),
            ..schema::File::default()
        };
        write(&file).unwrap()
    }
}

impl TestWindow {
    /// Compares two squares that only differ in their colour.
    pub fn squares(size: [f32; 2]) -> Self {
        let green = Square { color: [40, 160, 80], ..Square::default() };
        Self::compared(size, &Square::default().bytes(), &green.bytes())
    }

    /// Compares `a.pchr` with `b.pchr`.
    pub fn compared(size: [f32; 2], a: &[u8], b: &[u8]) -> Self {
        let mut it = Self::of(size, &[("a.pchr", a), ("b.pchr", b)], |_| {});
        it.start();
        it
    }

    /// Starts the comparison with the second file by keyboard.
    pub fn start(&mut self) {
        self.press(Modifiers::COMMAND, Key::D);
        self.press(Modifiers::NONE, Key::Enter);
        assert!(self.app().state.compare.second.is_some(), "the comparison has started");
    }

    /// Hides the first slot of the second file on the stage, and shows the first file again.
    pub fn hide_slot_of_second(&mut self) {
        self.state_mut().select(1);
        self.harness.run();
        let slot = self.state().model().expect("a character").slot_ids().next().expect("a slot");
        self.state_mut().parts.selected = Some(Selected::Slot(slot));
        self.state_mut().run(Command::HideSelected);
        self.state_mut().select(0);
        self.harness.run();
    }

    /// Shows the differences and waits until they are known.
    pub fn show_differences(&mut self) {
        self.harness.get_by_role_and_label(Role::Button, Arrangement::Difference.label()).click();
        self.harness.run_steps(2);
        self.wait_for_differences();
    }

    pub fn wait_for_differences(&mut self) {
        for _ in 0..2000 {
            self.harness.run_steps(1);
            if !self.app().state.compare.are_differences_pending() {
                self.harness.run();
                return;
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        panic!("the differences are never computed");
    }

    /// Returns the rectangle of the canvas.
    pub fn canvas(&self) -> Rect {
        self.harness.get_by(|node| node.role() == Role::Image && is_canvas(&node.label())).rect()
    }

    /// Rewrites a file and lets the window notice it.
    pub fn rewrite(&mut self, name: &str, bytes: &[u8]) {
        let path = self.folder.path().join(name);
        fs::write(&path, bytes).unwrap();
        self.app().state.files_changed(&|file: &Path| file == path);
        self.harness.run();
    }

    /// Paints the window on the CPU at one pixel per point, with the margin that the harness leaves around it.
    pub fn painted(&mut self) -> Painting {
        self.painted_in(ThemePreference::Dark, 8.0)
    }

    fn painted_in(&mut self, theme: ThemePreference, margin: f32) -> Painting {
        let [width, height]: [f32; 2] = self.harness.ctx.content_rect().size().into();
        let mut options = WindowOptions::default();
        options.theme = Some(theme);
        let ctx = Context::default();
        App::new(&options).set_up(&ctx);
        self.app().state.interface.theme = theme;
        let (mut textures, mut painter) = (Textures::default(), Painter::default());
        let mut pixels = vec![0; width as usize * height as usize];
        for step in 0..6u8 {
            let screen_rect = Some(Rect::from_min_size(Pos2::ZERO, vec2(width, height)));
            let input = RawInput { screen_rect, time: Some(f64::from(step) * 0.1), ..RawInput::default() };
            let app = self.harness.state_mut();
            let output = ctx.run_ui(input, |ui| {
                let inner = ui.max_rect().shrink(margin);
                app.ui(&mut ui.new_child(UiBuilder::new().max_rect(inner)));
            });
            textures.apply(&output.textures_delta);
            let scenes = app.scenes();
            let mut changes = output.textures_delta;
            let mut frame = Frame {
                ctx: &ctx,
                size: [width as u32, height as u32],
                pixels_per_point: 1.0,
                shapes: output.shapes,
                textures: &textures,
                changes: &changes,
                scenes: &scenes,
                clear: egui::Color32::BLACK,
            };
            painter.take(&mut frame);
            let damage = painter.since(1);
            painter.paint(&frame, &damage, &mut pixels);
            textures.free(&changes);
            changes.clear();
        }
        Painting { pixels, width: width as usize }
    }

    /// Saves pictures of the window into the folder named by `PCHR_SHOW`, for inspection.
    pub fn save_themes(&mut self, name: &str) {
        let Ok(folder) = std::env::var("PCHR_SHOW") else { return };
        for (theme, suffix) in [(ThemePreference::Dark, "dark"), (ThemePreference::Light, "light")] {
            let painting = self.painted_in(theme, 0.0);
            let bytes: Vec<u8> = painting
                .pixels
                .iter()
                .flat_map(|pixel| [(pixel >> 16) as u8, (pixel >> 8) as u8, *pixel as u8, 255])
                .collect();
            let [width, height] = <[f32; 2]>::from(self.harness.ctx.content_rect().size()).map(|side| side as u32);
            let png = pchr::formats::image::encode_png(width, height, &bytes).unwrap();
            fs::write(Path::new(&folder).join(format!("{name}-{width}-{suffix}.png")), png).unwrap();
        }
    }
}

fn is_canvas(label: &Option<String>) -> bool {
    label.as_deref().is_some_and(|label| label.contains(", ") && !label.starts_with("Sheet"))
}

/// A painted window.
pub struct Painting {
    pixels: Vec<u32>,
    width: usize,
}

impl Painting {
    /// Returns the red, green and blue of a pixel.
    pub fn at(&self, x: usize, y: usize) -> [u8; 3] {
        let [_, r, g, b] = self.pixels[y * self.width + x].to_be_bytes();
        [r, g, b]
    }

    /// Returns the horizontal middle of the pixels of one colour in `within`, and their number.
    pub fn middle_of(&self, [r, g, b]: [u8; 3], within: Rect) -> Option<(f32, usize)> {
        let color = u32::from_be_bytes([0, r, g, b]);
        let (mut sum, mut count) = (0, 0);
        for (index, pixel) in self.pixels.iter().enumerate() {
            let at = Pos2::new((index % self.width) as f32 + 0.5, (index / self.width) as f32 + 0.5);
            if *pixel == color && within.contains(at) {
                sum += index % self.width;
                count += 1;
            }
        }
        (count > 0).then(|| (sum as f32 / count as f32, count))
    }
}
