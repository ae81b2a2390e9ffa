//! Runs [`Command`]s on the [`State`].

use egui::ThemePreference;

use super::screenshot;
use super::state::{Request, State};
use crate::draw::Overlay;
use crate::viewer::files::document::Document;
use crate::viewer::playback::playhead;
use crate::viewer::scene;
use crate::viewer::scene::camera::Camera;
use crate::viewer::timeline::{Lower, RangeEnd, Zoom};
use crate::viewer::widgets::command::Command;

/// Playback speeds that the keys step through.
const SPEEDS: [f64; 9] = [0.1, 0.25, 0.5, 0.75, 1.0, 1.5, 2.0, 4.0, 8.0];

impl State {
    /// Runs `command`.
    pub fn run(&mut self, command: Command) {
        match command {
            Command::PlayPause => playhead::toggle(&mut self.animator),
            Command::StepBack => playhead::step(&mut self.animator, -1),
            Command::StepForward => playhead::step(&mut self.animator, 1),
            Command::TenBack => playhead::step(&mut self.animator, -10),
            Command::TenForward => playhead::step(&mut self.animator, 10),
            Command::First => self.animator.seek(0.0),
            Command::Last => playhead::seek_last(&mut self.animator),
            Command::Slower => self.step_speed(false),
            Command::Faster => self.step_speed(true),
            Command::LoopMode => self.animator.set_loop_mode(self.animator.loop_mode().next()),
            Command::Interpolate => self.animator.set_interpolate(!self.animator.interpolates()),
            Command::Physics => self.toggle_physics(),
            Command::SetIn => self.set_range_end_here(RangeEnd::In),
            Command::SetOut => self.set_range_end_here(RangeEnd::Out),
            Command::ClearRange => self.set_range(None),
            Command::PreviousKey => self.go_to_key(false),
            Command::NextKey => self.go_to_key(true),
            Command::Dopesheet => self.toggle_lower(Lower::Dopesheet),
            Command::Curves => self.toggle_lower(Lower::Curves),
            Command::WholeTimeline => self.timeline.zoom = Zoom::default(),
            Command::PreviousAnimation => self.show_animation_by(-1),
            Command::NextAnimation => self.show_animation_by(1),
            Command::Animation(place) => {
                let id = self.model().and_then(|model| model.animation_ids().nth(place.into()));
                id.into_iter().for_each(|id| self.show_animation(id));
            }
            Command::ZoomFit => {
                self.mixer.framing = Default::default();
                self.camera = Camera::Fit;
            }
            Command::ZoomActual => self.look(|camera, view| camera.scaled(view, 1.0)),
            Command::ZoomHalf => self.look(|camera, view| camera.scaled(view, 0.5)),
            Command::ZoomDouble => self.look(|camera, view| camera.scaled(view, 2.0)),
            Command::ZoomIn => self.look(|camera, view| camera.stepped(view, true)),
            Command::ZoomOut => self.look(|camera, view| camera.stepped(view, false)),
            Command::Show(overlay) => self.toggle_overlay(overlay),
            Command::Targets => self.toggle_targets(),
            Command::HideSelected => self.toggle_selected(),
            Command::SoloSelected => self.solo_selected(),
            Command::ShowAll => self.show_all(),
            Command::PutBack => self.back_out(),
            Command::Grid => self.guides.grid = !self.guides.grid,
            Command::Ground => self.guides.ground = !self.guides.ground,
            Command::Origin => self.guides.origin = !self.guides.origin,
            Command::Underlay => self.requests.push(Request::UnderlayDialog),
            Command::RemoveUnderlay => match self.underlay.take() {
                Some(underlay) => self.notify(format!("Removed {}", underlay.name)),
                None => self.notify("There is no picture behind the character"),
            },
            Command::Statistics => self.statistics.toggle(),
            Command::CopyPicture if self.loaded().is_none() => self.notify_error("There is no picture to copy"),
            Command::CopyPicture => self.requests.push(Request::CopyPicture),
            Command::Paste => self.requests.push(Request::Paste),
            Command::Open => self.requests.push(Request::OpenDialog),
            Command::Reload => self.reload_and_notify(),
            Command::Close => self.close_and_notify(),
            Command::PreviousFile => self.select_by(-1),
            Command::NextFile => self.select_by(1),
            Command::Compare => self.toggle_compare(),
            Command::Export => self.toggle_export(),
            Command::Screenshot => self.save_screenshot(),
            Command::FullScreen => self.requests.push(Request::FullScreen),
            Command::Tracks => self.toggle_tracks(),
            Command::AddTrack => self.add_track(),
            Command::EventLog => self.toggle_event_log(),
            Command::Sheet => self.toggle_sheet(),
            Command::Filter => self.focus_filter(),
            Command::Panels => self.panels = !self.panels,
            Command::SystemTheme => self.interface.theme = ThemePreference::System,
            Command::LightTheme => self.interface.theme = ThemePreference::Light,
            Command::DarkTheme => self.interface.theme = ThemePreference::Dark,
            Command::LargerInterface => self.interface.step(true),
            Command::SmallerInterface => self.interface.step(false),
            Command::ResetInterface => self.interface.scale = 1.0,
            Command::Palette => self.toggle_palette(),
            Command::ClearRecent => self.recent.clear(),
            Command::Help => self.help.toggle(),
            Command::Quit => self.requests.push(Request::Quit),
        }
    }

    /// Undoes the most passing state: loading, moved targets, the selection, or the comparison.
    fn back_out(&mut self) {
        if self.cancel_loading() {
            return;
        }
        if self.are_targets_put() {
            self.put_targets_back();
        } else if self.selected.take().is_none() {
            self.compare.second = None;
        }
    }

    fn focus_filter(&mut self) {
        (self.panels, self.lists, self.side.wants_filter) = (true, true, true);
    }

    fn toggle_export(&mut self) {
        match &self.export {
            Some(_) => self.close_export(),
            None => self.open_export(),
        }
    }

    fn close_and_notify(&mut self) {
        match self.current().map(Document::name) {
            // The dialog closes with its file and could not report the result of the export.
            Some(_) if self.export.as_ref().is_some_and(|export| export.is_running()) => {}
            Some(name) => {
                self.close();
                self.notify(format!("Closed {name}"));
            }
            None => self.notify("No file is open"),
        }
    }

    fn toggle_overlay(&mut self, overlay: Overlay) {
        self.overlays.toggle(overlay);
        if overlay == Overlay::Weights && self.overlays.contains(overlay) && self.shown_overlays().bone.is_none() {
            self.notify("Select a bone to see its weights");
        }
    }

    fn toggle_sheet(&mut self) {
        match self.book() {
            Some(_) => self.sheet.is_shown = !self.sheet.is_shown,
            None => self.notify("Only sprite sheets have pages to show"),
        }
    }

    fn step_speed(&mut self, faster: bool) {
        let speed = self.animator.speed();
        let next = if faster {
            SPEEDS.into_iter().find(|&step| step > speed + 1e-9)
        } else {
            SPEEDS.into_iter().rfind(|&step| step < speed - 1e-9)
        };
        if let Some(next) = next {
            self.animator.set_speed(next);
        }
    }

    fn reload_and_notify(&mut self) {
        self.notice = None;
        self.reload();
        self.announce();
    }

    fn save_screenshot(&mut self) {
        let Some(scene) = self.scene() else {
            self.notify_error("There is nothing to take a screenshot of");
            return;
        };
        let Some(document) = self.current() else { return };
        let name =
            document.path().file_stem().map_or_else(|| document.name(), |stem| stem.to_string_lossy().into());
        let animation = self.animator.playback(0).animation();
        let animation = animation.map_or("bind pose", |id| &scene.character.model().animation(id).name);
        let stem = screenshot::stem(&[&name, animation, &format!("{:04}", self.animator.playback(0).frame())]);
        let folder = if document.is_piped() { None } else { document.path().parent() };
        match screenshot::save(scene::picture(&scene, self.background), folder, &stem) {
            Ok(path) => self.notify(format!("Saved {}", path.display())),
            Err(error) => self.notify_error(format!("Cannot save the screenshot: {error}")),
        }
    }
}
