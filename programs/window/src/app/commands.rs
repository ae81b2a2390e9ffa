//! What the commands do to the [`State`]: one row for each. Their texts and keys are in
//! [`COMMANDS`](crate::widgets::command::COMMANDS).

use egui::ThemePreference;

use super::state::State;
use super::state::files::NOT_CUT;
use crate::files::document::Document;
use crate::parts::hiding::NOT_HIDEABLE;
use crate::playback::playhead;
use crate::playback::range::RangeEnd;
use crate::scene::camera::Camera;
use crate::scene::selection::Selected;
use crate::timeline::Lower;
use crate::widgets::actions::Request;
use crate::widgets::command::Command;
use crate::widgets::command_row::Status;
use pchr::Animator;
use pchr::draw::Filter;

const NO_CHARACTER: &str = "No character is open";
const NO_FILE: &str = "No file is open";
const NOT_SAVED: &str = "The file has not changed since it was opened";

/// What a command does, whether it is on if it is a switch, and why it has no effect now. All get the command, as some
/// rows stand for several.
#[derive(Clone, Copy)]
struct Row {
    run: fn(&mut State, Command),
    is_on: Option<fn(&State, Command) -> bool>,
    unavailable: fn(&State, Command) -> Option<&'static str>,
}

/// A command that is always available.
fn row(run: fn(&mut State, Command)) -> Row {
    Row { run, is_on: None, unavailable: |_, _| None }
}

/// A command that needs a character.
fn shown(run: fn(&mut State, Command)) -> Row {
    row(run).unless(|state, _| character(state))
}

impl Row {
    /// Makes it a switch.
    fn on(self, is_on: fn(&State, Command) -> bool) -> Self {
        Self { is_on: Some(is_on), ..self }
    }

    /// States why it may have no effect.
    fn unless(self, unavailable: fn(&State, Command) -> Option<&'static str>) -> Self {
        Self { unavailable, ..self }
    }
}

/// Returns the row of a command.
fn row_of(command: Command) -> Row {
    match command {
        Command::PlayPause => shown(|it, _| playhead::toggle(&mut it.playback)),
        Command::StepBack => shown(|it, _| playhead::step(animator(it), -1)),
        Command::StepForward => shown(|it, _| playhead::step(animator(it), 1)),
        Command::TenBack => shown(|it, _| playhead::step(animator(it), -10)),
        Command::TenForward => shown(|it, _| playhead::step(animator(it), 10)),
        Command::First => shown(|it, _| match it.timeline.is_pointed && !it.timeline.shows_all() {
            true => it.timeline.show_all(),
            false => animator(it).seek(0.0),
        }),
        Command::Last => shown(|it, _| playhead::seek_last(animator(it))),
        Command::Slower => row(|it, _| playhead::step_speed(animator(it), false)),
        Command::Faster => row(|it, _| playhead::step_speed(animator(it), true)),
        Command::LoopMode => row(|it, _| {
            let next = animator(it).loop_mode().next();
            animator(it).set_loop_mode(next);
        }),
        Command::Interpolate => row(|it, _| {
            let interpolates = animator(it).interpolates();
            animator(it).set_interpolate(!interpolates);
        })
        .on(|it, _| it.playback.interpolates())
        .unless(|it, _| {
            let is_keyed = it.playback.has_character && it.playback.animator.playback(0).is_keyed();
            is_keyed.then_some("Keyed animations always are")
        }),
        Command::Physics => row(|it, _| match it.playback.character() {
            Some(_) if !it.playback.has_physics() => it.notify("This file has no physics"),
            Some(_) | None => it.playback.toggle_physics(),
        })
        .on(|it, _| it.playback.plays_physics())
        .unless(|it, _| character(it).or(unless(it.playback.has_physics(), "The file has no physics"))),
        Command::SetIn => row(|it, _| it.playback.set_range_end_here(RangeEnd::In)).unless(|it, _| has_frames(it)),
        Command::SetOut => {
            row(|it, _| it.playback.set_range_end_here(RangeEnd::Out)).unless(|it, _| has_frames(it))
        }
        Command::ClearRange => row(|it, _| it.playback.set_range(None))
            .unless(|it, _| character(it).or(unless(it.playback.range().is_some(), "No in or out point is set"))),
        Command::PreviousKey => shown(|it, _| it.go_to_key(false)),
        Command::NextKey => shown(|it, _| it.go_to_key(true)),
        Command::Dopesheet => shown(|it, _| it.toggle_lower(Lower::Dopesheet))
            .on(|it, _| it.timeline.lower == Some(Lower::Dopesheet)),
        Command::Curves => {
            shown(|it, _| it.toggle_lower(Lower::Curves)).on(|it, _| it.timeline.lower == Some(Lower::Curves))
        }
        Command::Normalize => row(|it, _| it.timeline.normalizes ^= true).on(|it, _| it.timeline.normalizes),
        Command::WholeTimeline => row(|it, _| it.timeline.show_all())
            .unless(|it, _| character(it).or(unless(!it.timeline.shows_all(), "The whole animation is visible"))),
        Command::PreviousAnimation => row(|it, _| it.show_animation_by(-1)).unless(|it, _| has_others(it)),
        Command::NextAnimation => row(|it, _| it.show_animation_by(1)).unless(|it, _| has_others(it)),
        Command::Animation(_) => {
            row(|it, command| it.show_animation_at(place_of(command))).unless(|it, command| {
                let is_there = place_of(command) < animation_count(it);
                character(it).or(unless(is_there, "There is no animation with this number"))
            })
        }
        Command::ZoomFit => shown(|it, _| {
            it.mixer.framing = Default::default();
            it.canvas.fit();
        })
        .on(|it, _| it.playback.has_character && it.canvas.camera == Camera::Fit),
        Command::FitAnimation => row(|it, _| {
            it.canvas.fits_animation ^= true;
            it.mixer.framing = Default::default();
            it.canvas.fit();
        })
        .on(|it, _| it.canvas.fits_animation),
        Command::Sampling => row(|it, _| {
            let (next, name) = match it.canvas.filter {
                Filter::Auto => (Filter::Nearest, "Sharp pixels: the nearest of the picture"),
                Filter::Nearest => (Filter::Linear, "Smooth pixels: interpolated"),
                Filter::Linear => (Filter::Auto, "Sampling is automatic: pixel art is sharp at whole zooms"),
            };
            it.canvas.filter = next;
            it.notify(name);
        })
        .on(|it, _| it.canvas.filter == Filter::Nearest),
        Command::ZoomActual => {
            shown(|it, _| it.look(|camera, view| camera.scaled(view, 1.0))).on(|it, _| is_zoomed_to(it, 1.0))
        }
        Command::ZoomHalf => {
            shown(|it, _| it.look(|camera, view| camera.scaled(view, 0.5))).on(|it, _| is_zoomed_to(it, 0.5))
        }
        Command::ZoomDouble => {
            shown(|it, _| it.look(|camera, view| camera.scaled(view, 2.0))).on(|it, _| is_zoomed_to(it, 2.0))
        }
        Command::ZoomIn => shown(|it, _| it.look(|camera, view| camera.stepped(view, true))),
        Command::ZoomOut => shown(|it, _| it.look(|camera, view| camera.stepped(view, false))),
        Command::Show(_) => row(|it, command| it.toggle_overlay(command))
            .on(|it, command| matches!(command, Command::Show(overlay) if it.overlays.shown.contains(overlay))),
        Command::Targets => row(|it, _| {
            if !it.overlays.targets.toggle(&it.playback) {
                it.notify("This file has no IK targets");
            }
        })
        .on(|it, _| it.overlays.targets.are_shown),
        Command::FootSlide => row(|it, _| it.toggle_foot_slide()).on(|it, _| it.overlays.slide.is_shown),
        Command::HideSelected => row(|it, _| it.hide_selected(false)).unless(|it, _| can_hide(it)),
        Command::SoloSelected => row(|it, _| it.hide_selected(true)).unless(|it, _| can_hide(it)),
        Command::ShowAll => row(|it, _| it.parts.show_all()).unless(|it, _| {
            unless(!it.parts.hidden.is_empty() || !it.parts.mesh_patterns.is_empty(), "Nothing is hidden")
        }),
        Command::PutBack => row(|it, _| it.back_out()).unless(|it, _| {
            let has_gallery = it.files.gallery.is_open() && it.current().is_some();
            let is_idle = it.parts.selected.is_none() && it.compare.second.is_none() && !has_gallery;
            let is_loading = !it.files.loading.is_idle();
            let has_effect = !is_idle || is_loading || !it.playback.animator.overrides().is_empty();
            unless(has_effect, "Nothing to cancel, reset, clear or end")
        }),
        Command::Grid => row(|it, _| it.overlays.guides.grid ^= true).on(|it, _| it.overlays.guides.grid),
        Command::Ground => row(|it, _| it.overlays.guides.ground ^= true).on(|it, _| it.overlays.guides.ground),
        Command::Origin => row(|it, _| it.overlays.guides.origin ^= true).on(|it, _| it.overlays.guides.origin),
        Command::Underlay => row(|it, _| it.requests.push(Request::UnderlayDialog)),
        Command::RemoveUnderlay => row(|it, _| match it.overlays.underlay.take() {
            Some(underlay) => it.notify(format!("Removed {}", underlay.name)),
            None => it.notify("There is no picture behind the character"),
        })
        .unless(|it, _| unless(it.overlays.underlay.is_some(), "There is no picture behind the character")),
        Command::Statistics => {
            row(|it, _| it.overlays.statistics.toggle()).on(|it, _| it.overlays.statistics.is_shown())
        }
        Command::CopyPicture => shown(|it, _| match it.playback.has_character {
            true => it.requests.push(Request::CopyPicture),
            false => it.notify_error("There is no picture to copy"),
        }),
        Command::Paste => row(|it, _| it.requests.push(Request::Paste)),
        Command::Open => row(|it, _| it.requests.push(Request::OpenDialog)),
        Command::OpenFolder => row(|it, _| it.requests.push(Request::FolderDialog)),
        Command::Gallery => row(|it, _| it.toggle_gallery())
            .on(|it, _| it.files.shows_gallery())
            .unless(|it, _| if it.files.gallery.is_open() { None } else { file(it) }),
        Command::Reload => row(|it, _| it.reload_and_notify()).unless(|it, _| file_or_gallery(it)),
        Command::Close => row(|it, _| it.close_and_notify()).unless(|it, _| file_or_gallery(it)),
        Command::PreviousFile => row(|it, _| it.select_by(-1)).unless(|it, _| has_other_files(it)),
        Command::NextFile => row(|it, _| it.select_by(1)).unless(|it, _| has_other_files(it)),
        Command::Compare => {
            row(|it, _| it.toggle_compare()).on(|it, _| it.compare.second.is_some()).unless(|it, _| file(it))
        }
        Command::Findings => row(|it, _| it.files.check.is_shown ^= true)
            .on(|it, _| it.files.check.is_shown)
            .unless(|it, _| file(it)),
        Command::Review => row(|it, _| it.toggle_review())
            .on(|it, _| it.compare.is_review())
            .unless(|it, _| file(it).or(unless(it.has_earlier(), NOT_SAVED))),
        Command::Blink => row(|it, _| it.blink())
            .unless(|it, _| file(it).or(unless(it.compare.second.is_some() || it.has_earlier(), NOT_SAVED))),
        Command::Arrangement => row(|it, _| it.compare.arrangement = it.compare.arrangement.next())
            .unless(|it, _| unless(it.compare.second.is_some(), "Nothing is compared")),
        Command::Lineup => {
            row(|it, _| it.toggle_lineup()).on(|it, _| it.has_companions()).unless(|it, _| file(it))
        }
        Command::AddToStage => row(|it, _| it.requests.push(Request::StageDialog)).unless(|it, _| file(it)),
        Command::Rearrange => row(|it, _| it.rearrange())
            .unless(|it, _| unless(!it.lineup.moved.is_empty(), "No character was moved")),
        Command::Export => row(|it, _| it.toggle_export()).on(|it, _| it.export.is_some()).unless(|it, _| {
            character(it).filter(|_| !(it.files.shows_gallery() && it.files.gallery.has_several()))
        }),
        Command::Screenshot => shown(|it, _| it.save_screenshot()),
        Command::ScreenshotFolder => row(|it, _| it.requests.push(Request::ScreenshotFolder)),
        Command::FullScreen => row(|it, _| it.requests.push(Request::FullScreen)).on(|it, _| it.is_full_screen),
        Command::Tracks => shown(|it, _| it.toggle_tracks()).on(|it, _| it.mixer.is_shown),
        Command::AddTrack => shown(|it, _| it.add_track()),
        Command::EventLog => {
            shown(|it, _| it.toggle_event_log()).on(|it, _| it.mixer.is_shown && it.mixer.log.is_shown)
        }
        Command::Sheet => row(|it, _| match it.sheet.layout(it.playback.character()) {
            Some(_) => it.sheet.is_shown ^= true,
            None => it.notify("Only sprite sheets have pages to show"),
        })
        .on(|it, _| it.sheet.is_shown)
        .unless(|it, _| unless(it.sheet.has_layout(), "Only sprite sheets have pages")),
        Command::ListVisible => {
            row(|it, _| it.parts.side.only_visible ^= true).on(|it, _| it.parts.side.only_visible)
        }
        Command::CutAgain => row(|it, _| it.cut_again()).unless(|it, _| {
            let is_cut = it.current().is_some_and(|document| document.reading.grid.is_some());
            file(it).or(unless(is_cut, NOT_CUT))
        }),
        Command::Filter => row(|it, _| {
            (it.panels, it.parts.lists, it.parts.side.wants_filter) = (true, true, true);
        })
        .unless(|it, _| file(it)),
        Command::Panels => row(|it, _| it.panels ^= true).on(|it, _| it.panels),
        Command::SystemTheme => row(|it, _| it.interface.theme = ThemePreference::System)
            .on(|it, _| it.interface.theme == ThemePreference::System),
        Command::LightTheme => row(|it, _| it.interface.theme = ThemePreference::Light)
            .on(|it, _| it.interface.theme == ThemePreference::Light),
        Command::DarkTheme => row(|it, _| it.interface.theme = ThemePreference::Dark)
            .on(|it, _| it.interface.theme == ThemePreference::Dark),
        Command::LargerInterface => row(|it, _| it.interface.step(true)),
        Command::SmallerInterface => row(|it, _| it.interface.step(false)),
        Command::ResetInterface => row(|it, _| it.interface.scale = 1.0),
        Command::Palette => row(|it, _| it.toggle_palette()),
        Command::ClearRecent => row(|it, _| it.files.recent.clear())
            .unless(|it, _| unless(!it.files.recent.files().is_empty(), "There are no recent files")),
        Command::Help => row(|it, _| it.help.toggle()),
        Command::Quit => row(|it, _| it.requests.push(Request::Quit)),
    }
}

fn animator(state: &mut State) -> &mut Animator {
    &mut state.playback.animator
}

fn unless(is_usable: bool, reason: &'static str) -> Option<&'static str> {
    (!is_usable).then_some(reason)
}

fn character(state: &State) -> Option<&'static str> {
    unless(state.playback.has_character, NO_CHARACTER)
}

fn file(state: &State) -> Option<&'static str> {
    unless(state.current().is_some(), NO_FILE)
}

fn file_or_gallery(state: &State) -> Option<&'static str> {
    if state.files.gallery.is_open() { None } else { file(state) }
}

fn has_other_files(state: &State) -> Option<&'static str> {
    let has_others = |document: &Document| state.files.gallery.has_others(document.path());
    let is_usable = state.files.documents.len() > 1 || state.current().is_some_and(has_others);
    file(state).or(unless(is_usable, "No other file is open"))
}

fn has_frames(state: &State) -> Option<&'static str> {
    let frames = state.playback.animator.playback(0).frame_count();
    character(state).or(unless(frames > 1, "The animation has a single frame"))
}

fn has_others(state: &State) -> Option<&'static str> {
    character(state).or(unless(animation_count(state) > 1, "There is no other animation"))
}

fn can_hide(state: &State) -> Option<&'static str> {
    let can_hide =
        matches!(state.parts.selected, Some(Selected::Bone(_) | Selected::Slot(_) | Selected::Attachment(..)));
    character(state).or(unless(can_hide, NOT_HIDEABLE))
}

fn is_zoomed_to(state: &State, scale: f32) -> bool {
    state.canvas.is_zoomed_to(scale) && state.playback.has_character
}

fn animation_count(state: &State) -> usize {
    state.playback.model().map_or(0, |model| model.animations().len())
}

fn place_of(command: Command) -> usize {
    match command {
        Command::Animation(place) => place.into(),
        _ => usize::MAX,
    }
}

impl State {
    /// Runs `command`.
    pub fn run(&mut self, command: Command) {
        (row_of(command).run)(self, command);
    }

    /// Returns whether a command that switches something is on; `None` for all others.
    pub fn is_on(&self, command: Command) -> Option<bool> {
        row_of(command).is_on.map(|is_on| is_on(self, command))
    }

    /// Returns why `command` has no effect now, or `None` if it has one.
    pub fn unavailable(&self, command: Command) -> Option<&'static str> {
        (row_of(command).unavailable)(self, command)
    }

    /// Returns both for display.
    pub fn status(&self, command: Command) -> Status {
        Status { is_on: self.is_on(command), unavailable: self.unavailable(command) }
    }
}
