//! What is always true of the window, whatever the user does.

use std::path::{Path, PathBuf};

use egui::{Key, Popup};

use super::Wild;
use crate::WindowOptions;
use crate::app::state::State;
use crate::scene::camera::Camera;
use crate::scene::{CpuSceneRenderer, Poser};
use crate::settings::{Settings, Store};
use pchr::draw::{Antialias, Command, Hideable, Overlays, Settings as Look};
use pchr::export::Emptiness;

/// How often Escape may be needed to close and undo everything.
const MOST_ESCAPES: usize = 20;

impl Wild {
    /// Checks what is quickly checked.
    pub fn check(&mut self) {
        let state = self.window.state();
        let files = &state.files;
        let is_listed = files.current < files.documents.len().max(1);
        assert!(is_listed || files.shows_gallery(), "the shown file is in the list");
        let Some(model) = state.model() else {
            assert_eq!(state.parts.selected, None, "nothing is selected if there is no character");
            assert!(!state.playback.has_character, "no character is played if none is there");
            return;
        };
        // Panics if the part is not there.
        _ = state.parts.selected.map(|selected| selected.name(model));
        let hidden = &state.parts.hidden;
        for item in hidden.hidden().chain(hidden.solo()) {
            match item {
                Hideable::Slot(slot) => _ = model.slot(slot),
                Hideable::Attachment(attachment) => _ = model.attachment(attachment),
            }
        }
        let animator = &state.playback.animator;
        animator.skins().iter().for_each(|skin| _ = model.skin(*skin));
        for (track, playback) in animator.playbacks() {
            let (position, length) = (playback.position(), playback.length());
            assert!((0.0..=length.max(0.0)).contains(&position), "track {track}: {position} of {length}");
            let (frame, count) = (playback.frame(), playback.frame_count());
            assert!(frame < count.max(1), "track {track}: frame {frame} of {count}");
            assert!(playback.animation().is_none_or(|id| model.animation_ids().any(|known| known == id)));
            let range = playback.range();
            assert!(
                range.as_ref().is_none_or(|it| *it.end() < count.max(1) && it.start() <= it.end()),
                "{range:?}"
            );
        }
        assert!(animator.speed().is_finite());
        if let Camera::Free { center, scale } = state.canvas.camera {
            assert!(center.is_finite() && scale.is_finite() && scale > 0.0, "{center} {scale}");
        }
    }

    /// Checks what takes a while.
    pub fn check_thoroughly(&mut self) {
        self.check_settings();
        self.check_picture();
        if self.one_in(3) {
            self.check_that_escape_ends_everything();
        }
        self.check_rest();
        let kept = self.window.folder.path().to_owned();
        remove_pictures(&kept, &self.files);
    }

    /// What is written as settings is what is read.
    fn check_settings(&mut self) {
        let message = self.window.app().save_settings();
        assert_eq!(message, None, "settings can be written");
        let settings = self.window.state().settings();
        let file = self.window.path("settings.toml");
        let (_, read, message) = Store::open(file);
        assert_eq!(message, None, "settings can be read");
        let mut other = State::empty(&WindowOptions::default(), None);
        other.apply_settings(&read, &WindowOptions::default());
        // Places are those of recent files.
        let (recent, places) = (settings.recent.clone(), settings.places.clone());
        assert_eq!(Settings { recent, places, ..other.settings() }, settings, "applied settings are the same");
        assert_eq!(read.recent, settings.recent);
        assert_eq!(read.places, settings.places);
    }

    /// The canvas is not blank while something of the character is visible.
    fn check_picture(&mut self) {
        let app = self.window.app();
        let is_fitted = app.state.canvas.camera == Camera::Fit && app.state.parts.hidden.is_empty();
        let Some(mut scene) = app.scene() else { return };
        // A frame of a damaged sheet may have no area or lie far from the others, and one of a guessed grid may have no
        // visible pixel. Beside large characters on the stage, a frame may be so small that it falls between the pixels.
        let animator = &app.state.playback.animator;
        let is_damaged = scene.character.model().pages().is_empty();
        let bounds = animator.bounds();
        let bounds = if is_damaged { bounds.intersection(scene.view.world()) } else { bounds };
        let covers_area = !bounds.is_empty() && bounds.size().min_element() * scene.view.scale() >= 2.0;
        let has_pixels =
            Emptiness::of_pose(scene.character.model(), animator.pose(), &scene.hidden, None).is_drawn();
        scene.overlays = Overlays::default();
        scene.settings = Look { antialias: Antialias::None, ..scene.settings };
        let mut poser = Poser::default();
        let is_drawn = |command: &Command| match command {
            Command::Sprite(sprite) => sprite.color.light[3] > 0.05,
            _ => false,
        };
        let is_drawn = poser.draw_list(&scene).commands.iter().any(is_drawn);
        let [width, height] = [scene.view.width(), scene.view.height()];
        if !is_fitted || !is_drawn || !covers_area || !has_pixels || width < 40 || height < 40 {
            return;
        }
        let mut renderer = CpuSceneRenderer::default();
        let (picture, _) = renderer.render(&scene);
        let is_blank = picture.pixels().iter().all(|value| *value == 0);
        assert!(!is_blank, "the picture of {width} × {height} is blank: {scene:?}, {}", contents(&app.state));
    }

    /// Escape leads to a window without dialogs, menus, selection and comparison.
    fn check_that_escape_ends_everything(&mut self) {
        let open = |it: &Self| {
            let state = it.window.state();
            let ctx = &it.window.harness.ctx;
            [
                (Popup::is_any_open(ctx), "a menu is open"),
                (ctx.memory(|memory| memory.top_modal_layer().is_some()), "a dialog is open"),
                (ctx.text_edit_focused(), "text is edited"),
                (state.export.is_some(), "the export dialog is open"),
                (state.palette.is_some(), "the palette is open"),
                (state.help.is_open, "the list of keys is open"),
                (state.files.prompt.is_some(), "a path is asked for"),
                (state.compare.is_choosing, "a file is chosen"),
                (state.compare.second.is_some(), "two files are compared"),
                (state.parts.selected.is_some(), "a part is selected"),
                (!state.files.loading.is_idle(), "a file is loading"),
            ]
            .into_iter()
            .filter_map(|(is_open, what)| is_open.then_some(what))
            .collect::<Vec<_>>()
        };
        self.done.push("press Escape until everything is closed".to_owned());
        for _ in 0..MOST_ESCAPES {
            if open(self).is_empty() {
                return;
            }
            self.window.harness.key_press(Key::Escape);
            self.frames(3);
            // An export ends when its thread has noticed.
            std::thread::sleep(std::time::Duration::from_millis(20));
            self.frames(2);
        }
        assert_eq!(open(self), Vec::<&str>::new(), "after {MOST_ESCAPES} times Escape");
    }

    /// Without anything to wait for, the window is at rest after a few frames.
    fn check_rest(&mut self) {
        let state = self.window.state();
        let waits = !state.files.loading.is_idle()
            || state.export.is_some()
            || state.compare.second.is_some()
            || state.files.opening.is_some();
        if !waits && let Err(error) = self.window.harness.try_run() {
            panic!("the window does not come to rest: {error}");
        }
    }
}

/// Describes the shown file and its images.
fn contents(state: &State) -> String {
    let path = state.current().map(|document| document.path().display().to_string());
    let Some(loaded) = state.loaded() else { return format!("{path:?}") };
    let drawn = |pixels: &[u8]| pixels.chunks_exact(4).filter(|pixel| pixel[3] > 0).count();
    let pages = loaded.character.model().pages().iter();
    let pages: Vec<_> = pages.map(|page| (&page.name, page.width, page.height, drawn(&page.pixels))).collect();
    format!("{path:?}, {:?}, pages with visible pixels: {pages:?}", loaded.diagnostics.missing_image())
}

/// Removes screenshots and exports.
fn remove_pictures(folder: &Path, kept: &[PathBuf]) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_file() && !kept.contains(&path) && path.file_name().is_some_and(|name| name != "settings.toml")
        {
            std::fs::remove_file(path).unwrap();
        }
    }
}
