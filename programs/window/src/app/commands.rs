//! What the commands do to the [`State`]: one row for each. Their texts and keys are in
//! [`COMMANDS`](crate::widgets::command::COMMANDS).

use egui::ThemePreference;

use super::state::State;
use super::state::files::NOT_CUT;
use crate::files::document::Document;
use crate::parts::hiding::NOT_HIDEABLE;
use crate::parts::inspection::states_keys;
use crate::playback::playhead;
use crate::playback::range::RangeEnd;
use crate::scene::camera::Camera;
use crate::scene::selection::Selected;
use crate::timeline::Lower;
use crate::widgets::actions::{Dialog, Request};
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

/// A command that is always available, unless [`Row::unavailable`] follows.
fn always(run: fn(&mut State, Command)) -> Row {
    Row { run, is_on: None, unavailable: |_, _| None }
}

/// A command that needs a character.
fn with_character(run: fn(&mut State, Command)) -> Row {
    always(run).unavailable(|state, _| no_character(state))
}

/// A command for the shown character on the stage.
fn on_stage(run: fn(&mut State, Command)) -> Row {
    always(run).unavailable(|state, _| require(state.has_companions(), "Only one character is shown"))
}

impl Row {
    /// Makes it a switch, which `is_on` or off.
    fn switch(self, is_on: fn(&State, Command) -> bool) -> Self {
        Self { is_on: Some(is_on), ..self }
    }

    /// Makes it unavailable while this returns a reason.
    fn unavailable(self, unavailable: fn(&State, Command) -> Option<&'static str>) -> Self {
        Self { unavailable, ..self }
    }
}

/// Returns the row of a command.
fn row_of(command: Command) -> Row {
    match command {
        Command::PlayPause => with_character(|it, _| playhead::toggle(&mut it.playback)),
        Command::StepBack => with_character(|it, _| playhead::step(animator(it), -1)),
        Command::StepForward => with_character(|it, _| playhead::step(animator(it), 1)),
        Command::TenBack => with_character(|it, _| playhead::step(animator(it), -10)),
        Command::TenForward => with_character(|it, _| playhead::step(animator(it), 10)),
        Command::First => with_character(|it, _| match it.timeline.is_pointed && !it.timeline.shows_all() {
            true => it.timeline.show_all(),
            false => animator(it).seek(0.0),
        }),
        Command::Last => with_character(|it, _| playhead::seek_last(animator(it))),
        Command::Slower => always(|it, _| playhead::step_speed(animator(it), false)),
        Command::Faster => always(|it, _| playhead::step_speed(animator(it), true)),
        Command::LoopMode => always(|it, _| {
            let next = animator(it).loop_mode().next();
            animator(it).set_loop_mode(next);
        }),
        Command::Interpolate => always(|it, _| {
            let interpolates = animator(it).interpolates();
            animator(it).set_interpolate(!interpolates);
        })
        .switch(|it, _| it.playback.interpolates())
        .unavailable(|it, _| {
            let is_keyed = it.playback.has_character && it.playback.animator.playback(0).is_keyed();
            is_keyed.then_some("Keyed animations always are")
        }),
        Command::Physics => always(|it, _| match it.playback.character() {
            Some(_) if !it.playback.has_physics() => it.notify("This file has no physics"),
            Some(_) | None => it.toggle_physics(),
        })
        .switch(|it, _| it.playback.plays_physics())
        .unavailable(|it, _| no_character(it).or(require(it.playback.has_physics(), "The file has no physics"))),
        Command::SetIn => {
            always(|it, _| it.playback.set_range_end_here(RangeEnd::In)).unavailable(|it, _| single_frame(it))
        }
        Command::SetOut => {
            always(|it, _| it.playback.set_range_end_here(RangeEnd::Out)).unavailable(|it, _| single_frame(it))
        }
        Command::ClearRange => always(|it, _| it.playback.set_range(None)).unavailable(|it, _| {
            no_character(it).or(require(it.playback.range().is_some(), "No in or out point is set"))
        }),
        Command::PreviousKey => with_character(|it, _| it.go_to_key(false)),
        Command::NextKey => with_character(|it, _| it.go_to_key(true)),
        Command::Dopesheet => with_character(|it, _| it.toggle_lower(Lower::Dopesheet))
            .switch(|it, _| it.timeline.lower == Some(Lower::Dopesheet)),
        Command::Curves => with_character(|it, _| it.toggle_lower(Lower::Curves))
            .switch(|it, _| it.timeline.lower == Some(Lower::Curves)),
        Command::Normalize => {
            always(|it, _| it.timeline.normalizes ^= true).switch(|it, _| it.timeline.normalizes)
        }
        Command::WholeTimeline => always(|it, _| it.timeline.show_all()).unavailable(|it, _| {
            no_character(it).or(require(!it.timeline.shows_all(), "The whole animation is visible"))
        }),
        Command::PreviousAnimation => {
            always(|it, _| it.show_animation_by(-1)).unavailable(|it, _| no_other_animation(it))
        }
        Command::NextAnimation => {
            always(|it, _| it.show_animation_by(1)).unavailable(|it, _| no_other_animation(it))
        }
        Command::Animation(_) => {
            always(|it, command| it.show_animation_at(place_of(command))).unavailable(|it, command| {
                let is_there = place_of(command) < animation_count(it);
                no_character(it).or(require(is_there, "There is no animation with this number"))
            })
        }
        Command::ZoomFit => with_character(|it, _| it.canvas.is_fit_requested = true)
            .switch(|it, _| it.playback.has_character && it.canvas.camera == Camera::Fit),
        Command::FitAnimation => always(|it, _| {
            it.canvas.fits_animation ^= true;
            it.mixer.framing = Default::default();
            it.canvas.fit();
        })
        .switch(|it, _| it.canvas.fits_animation),
        Command::Sampling => always(|it, _| {
            let (next, name) = match it.canvas.filter {
                Filter::Auto => (Filter::Nearest, "Sharp pixels: the nearest of the picture"),
                Filter::Nearest => (Filter::Linear, "Smooth pixels: interpolated"),
                Filter::Linear => (Filter::Auto, "Sampling is automatic: pixel art is sharp at whole zooms"),
            };
            it.canvas.filter = next;
            it.notify(name);
        })
        .switch(|it, _| it.canvas.filter == Filter::Nearest),
        Command::ZoomActual => with_character(|it, _| it.look(|camera, view| camera.scaled(view, 1.0)))
            .switch(|it, _| is_zoomed_to(it, 1.0)),
        Command::ZoomHalf => with_character(|it, _| it.look(|camera, view| camera.scaled(view, 0.5)))
            .switch(|it, _| is_zoomed_to(it, 0.5)),
        Command::ZoomDouble => with_character(|it, _| it.look(|camera, view| camera.scaled(view, 2.0)))
            .switch(|it, _| is_zoomed_to(it, 2.0)),
        Command::ZoomIn => with_character(|it, _| it.look(|camera, view| camera.stepped(view, true))),
        Command::ZoomOut => with_character(|it, _| it.look(|camera, view| camera.stepped(view, false))),
        Command::Show(_) => always(|it, command| it.toggle_overlay(command)).switch(
            |it, command| matches!(command, Command::Show(overlay) if it.overlays.shown.contains(overlay)),
        ),
        Command::Targets => always(|it, _| {
            if !it.overlays.targets.toggle(&it.playback) {
                it.notify("This file has no IK targets");
            }
        })
        .switch(|it, _| it.overlays.targets.are_shown),
        Command::FootSlide => always(|it, _| it.toggle_foot_slide()).switch(|it, _| it.overlays.slide.is_shown),
        Command::HideSelected => always(|it, _| it.hide_selected(false)).unavailable(|it, _| not_hideable(it)),
        Command::SoloSelected => always(|it, _| it.hide_selected(true)).unavailable(|it, _| not_hideable(it)),
        Command::ShowAll => always(|it, _| it.parts.show_all()).unavailable(|it, _| {
            require(!it.parts.hidden.is_empty() || !it.parts.mesh_patterns.is_empty(), "Nothing is hidden")
        }),
        Command::PutBack => always(|it, _| it.back_out()).unavailable(|it, _| {
            let has_gallery = it.files.gallery.is_open() && it.current().is_some();
            let is_idle = it.parts.selected.is_none() && it.compare.second.is_none() && !has_gallery;
            let is_loading = !it.files.loading.is_idle();
            let has_effect = !is_idle || is_loading || !it.playback.animator.bone_overrides().is_empty();
            require(has_effect, "Nothing to cancel, reset, clear or end")
        }),
        Command::Grid => always(|it, _| it.overlays.guides.grid ^= true).switch(|it, _| it.overlays.guides.grid),
        Command::Ground => {
            always(|it, _| it.overlays.guides.ground ^= true).switch(|it, _| it.overlays.guides.ground)
        }
        Command::Origin => {
            always(|it, _| it.overlays.guides.origin ^= true).switch(|it, _| it.overlays.guides.origin)
        }
        Command::Underlay => always(|it, _| it.requests.push(Request::Dialog(Dialog::Underlay))),
        Command::RemoveUnderlay => always(|it, _| match it.overlays.underlay.take() {
            Some(underlay) => it.notify(format!("Removed {}", underlay.name)),
            None => it.notify("There is no picture behind the character"),
        })
        .unavailable(|it, _| require(it.overlays.underlay.is_some(), "There is no picture behind the character")),
        Command::Statistics => {
            always(|it, _| it.overlays.statistics.toggle()).switch(|it, _| it.overlays.statistics.is_shown())
        }
        Command::CopyPicture => with_character(|it, _| match it.playback.has_character {
            true => it.requests.push(Request::CopyPicture),
            false => it.notify_error("There is no picture to copy"),
        }),
        Command::CopyPointer => always(|it, _| it.copy_pointer_of_selection()).unavailable(|it, _| {
            no_character(it)
                .or(require(
                    it.playback.character().is_some_and(|of| states_keys(of)),
                    "The file stores frames, not keys",
                ))
                .or(require(it.parts.selected.is_some(), "Nothing is selected"))
        }),
        Command::Paste => always(|it, _| it.requests.push(Request::Paste)),
        Command::Open => always(|it, _| it.requests.push(Request::Dialog(Dialog::Open))),
        Command::OpenFolder => always(|it, _| it.requests.push(Request::Dialog(Dialog::Folder))),
        Command::Gallery => always(|it, _| it.toggle_gallery())
            .switch(|it, _| it.files.shows_gallery())
            .unavailable(|it, _| if it.files.gallery.is_open() { None } else { no_file(it) }),
        Command::Reload => always(|it, _| it.reload_and_notify()).unavailable(|it, _| no_file_or_gallery(it)),
        Command::Close => always(|it, _| it.close_and_notify()).unavailable(|it, _| no_file_or_gallery(it)),
        Command::PreviousFile => always(|it, _| it.select_by(-1)).unavailable(|it, _| no_other_file(it)),
        Command::NextFile => always(|it, _| it.select_by(1)).unavailable(|it, _| no_other_file(it)),
        Command::Compare => always(|it, _| it.toggle_compare())
            .switch(|it, _| it.compare.second.is_some())
            .unavailable(|it, _| no_file(it)),
        Command::Findings => always(|it, _| it.files.check.is_shown ^= true)
            .switch(|it, _| it.files.check.is_shown)
            .unavailable(|it, _| no_file(it)),
        Command::Review => always(|it, _| it.toggle_review())
            .switch(|it, _| it.compare.is_review())
            .unavailable(|it, _| no_file(it).or(require(it.has_earlier(), NOT_SAVED))),
        Command::Blink => always(|it, _| it.blink()).unavailable(|it, _| {
            no_file(it).or(require(it.compare.second.is_some() || it.has_earlier(), NOT_SAVED))
        }),
        Command::Arrangement => always(|it, _| it.compare.arrangement = it.compare.arrangement.next())
            .unavailable(|it, _| require(it.compare.second.is_some(), "Nothing is compared")),
        Command::Lineup => {
            always(|it, _| it.toggle_lineup()).switch(|it, _| it.has_companions()).unavailable(|it, _| no_file(it))
        }
        Command::AddToStage => {
            always(|it, _| it.requests.push(Request::Dialog(Dialog::Stage))).unavailable(|it, _| no_file(it))
        }
        Command::Rearrange => always(|it, _| it.rearrange())
            .unavailable(|it, _| require(it.lineup.has_moved(), "No character was moved")),
        Command::Enlarge => on_stage(|it, _| it.scale_staged(true)),
        Command::Shrink => on_stage(|it, _| it.scale_staged(false)),
        Command::Mirror => {
            on_stage(|it, _| it.restage(|spec| spec.flip_x ^= true)).switch(|it, _| it.staged_spec().flip_x)
        }
        Command::Upend => {
            on_stage(|it, _| it.restage(|spec| spec.flip_y ^= true)).switch(|it, _| it.staged_spec().flip_y)
        }
        Command::BringForward => on_stage(|it, _| it.reorder(true)),
        Command::SendBackward => on_stage(|it, _| it.reorder(false)),
        Command::SaveScene => on_stage(|it, _| it.requests.push(Request::Dialog(Dialog::Scene))),
        Command::ResetStaged => on_stage(|it, _| it.reset_staged()),
        Command::Export => {
            always(|it, _| it.toggle_export()).switch(|it, _| it.export.is_some()).unavailable(|it, _| {
                no_character(it).filter(|_| !(it.files.shows_gallery() && it.files.gallery.has_several()))
            })
        }
        Command::Screenshot => with_character(|it, _| it.save_screenshot()),
        Command::ScreenshotFolder => always(|it, _| it.requests.push(Request::Dialog(Dialog::Screenshots))),
        Command::FullScreen => {
            always(|it, _| it.requests.push(Request::FullScreen)).switch(|it, _| it.is_full_screen)
        }
        Command::Tracks => with_character(|it, _| it.toggle_tracks()).switch(|it, _| it.mixer.is_shown),
        Command::AddTrack => with_character(|it, _| it.add_track()),
        Command::EventLog => with_character(|it, _| it.toggle_event_log())
            .switch(|it, _| it.mixer.is_shown && it.mixer.log.is_shown),
        Command::Sheet => always(|it, _| match it.sheet.layout(it.playback.character()) {
            Some(_) => it.sheet.is_shown ^= true,
            None => it.notify("Only sprite sheets have pages to show"),
        })
        .switch(|it, _| it.sheet.is_shown)
        .unavailable(|it, _| require(it.sheet.has_layout(), "Only sprite sheets have pages")),
        Command::ListVisible => {
            always(|it, _| it.parts.side.only_visible ^= true).switch(|it, _| it.parts.side.only_visible)
        }
        Command::CutAgain => always(|it, _| it.cut_again()).unavailable(|it, _| {
            let is_cut = it.current().is_some_and(|document| document.reading.grid.is_some());
            no_file(it).or(require(is_cut, NOT_CUT))
        }),
        Command::Filter => always(|it, _| match it.files.shows_gallery() {
            true => it.files.gallery.wants_filter = true,
            false => (it.panels, it.parts.lists, it.parts.side.wants_filter) = (true, true, true),
        })
        .unavailable(|it, _| no_file_or_gallery(it)),
        Command::Panels => always(|it, _| it.panels ^= true).switch(|it, _| it.panels),
        Command::SystemTheme => always(|it, _| it.interface.theme = ThemePreference::System)
            .switch(|it, _| it.interface.theme == ThemePreference::System),
        Command::LightTheme => always(|it, _| it.interface.theme = ThemePreference::Light)
            .switch(|it, _| it.interface.theme == ThemePreference::Light),
        Command::DarkTheme => always(|it, _| it.interface.theme = ThemePreference::Dark)
            .switch(|it, _| it.interface.theme == ThemePreference::Dark),
        Command::LargerInterface => always(|it, _| it.interface.step(true)),
        Command::SmallerInterface => always(|it, _| it.interface.step(false)),
        Command::ResetInterface => always(|it, _| it.interface.scale = 1.0),
        Command::Palette => always(|it, _| it.toggle_palette()),
        Command::ClearRecent => always(|it, _| it.files.recent.clear())
            .unavailable(|it, _| require(!it.files.recent.files().is_empty(), "There are no recent files")),
        Command::Help => always(|it, _| it.help.toggle()),
        Command::Quit => always(|it, _| it.requests.push(Request::Quit)),
    }
}

fn animator(state: &mut State) -> &mut Animator {
    &mut state.playback.animator
}

/// Returns `reason` unless the command can be used.
fn require(is_usable: bool, reason: &'static str) -> Option<&'static str> {
    (!is_usable).then_some(reason)
}

// Reasons why commands are unavailable.

fn no_character(state: &State) -> Option<&'static str> {
    require(state.playback.has_character, NO_CHARACTER)
}

fn no_file(state: &State) -> Option<&'static str> {
    require(state.current().is_some(), NO_FILE)
}

fn no_file_or_gallery(state: &State) -> Option<&'static str> {
    if state.files.gallery.is_open() { None } else { no_file(state) }
}

fn no_other_file(state: &State) -> Option<&'static str> {
    let has_others = |document: &Document| state.files.gallery.has_others(document.path());
    let is_usable = state.files.documents.len() > 1 || state.current().is_some_and(has_others);
    no_file(state).or(require(is_usable, "No other file is open"))
}

fn single_frame(state: &State) -> Option<&'static str> {
    let frames = state.playback.animator.playback(0).frame_count();
    no_character(state).or(require(frames > 1, "The animation has a single frame"))
}

fn no_other_animation(state: &State) -> Option<&'static str> {
    no_character(state).or(require(animation_count(state) > 1, "There is no other animation"))
}

fn not_hideable(state: &State) -> Option<&'static str> {
    let can_hide =
        matches!(state.parts.selected, Some(Selected::Bone(_) | Selected::Slot(_) | Selected::Attachment(..)));
    no_character(state).or(require(can_hide, NOT_HIDEABLE))
}

fn is_zoomed_to(state: &State, scale: f32) -> bool {
    state.canvas.is_zoomed_to(scale) && state.playback.has_character
}

fn animation_count(state: &State) -> usize {
    state.playback.model().map_or(0, |model| model.animations().len())
}

fn place_of(command: Command) -> usize {
    if let Command::Animation(place) = command { place.into() } else { usize::MAX }
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
