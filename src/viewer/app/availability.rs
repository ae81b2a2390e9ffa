//! Which commands are on, and which cannot be used now.

use super::state::State;
use crate::viewer::parts::hiding::NOT_HIDEABLE;
use crate::viewer::scene::camera::Camera;
use crate::viewer::scene::selection::Selected;
use crate::viewer::timeline::Lower;
use crate::viewer::widgets::command::Command;
use egui::ThemePreference;

const NO_CHARACTER: &str = "No character is open";

impl State {
    /// Returns whether a command that switches something is on; `None` for all others.
    pub fn is_on(&self, command: Command) -> Option<bool> {
        match command {
            Command::Interpolate => Some(self.interpolates()),
            Command::Physics => Some(self.plays_physics()),
            Command::ZoomFit => Some(self.loaded().is_some() && self.camera == Camera::Fit),
            Command::Show(overlay) => Some(self.overlays.contains(overlay)),
            Command::ZoomActual => Some(self.is_zoomed_to(1.0)),
            Command::ZoomHalf => Some(self.is_zoomed_to(0.5)),
            Command::ZoomDouble => Some(self.is_zoomed_to(2.0)),
            Command::Targets => Some(self.targets.are_shown),
            Command::Compare => Some(self.compare.second.is_some()),
            Command::Grid => Some(self.guides.grid),
            Command::Ground => Some(self.guides.ground),
            Command::Origin => Some(self.guides.origin),
            Command::Statistics => Some(self.statistics.is_shown()),
            Command::Export => Some(self.export.is_some()),
            Command::FullScreen => Some(self.is_full_screen),
            Command::Sheet => Some(self.sheet.is_shown),
            Command::Tracks => Some(self.mixer.is_shown),
            Command::EventLog => Some(self.mixer.is_shown && self.mixer.log.is_shown),
            Command::Dopesheet => Some(self.timeline.lower == Some(Lower::Dopesheet)),
            Command::Curves => Some(self.timeline.lower == Some(Lower::Curves)),
            Command::Panels => Some(self.panels),
            Command::SystemTheme => Some(self.interface.theme == ThemePreference::System),
            Command::LightTheme => Some(self.interface.theme == ThemePreference::Light),
            Command::DarkTheme => Some(self.interface.theme == ThemePreference::Dark),
            Command::PlayPause
            | Command::StepBack
            | Command::StepForward
            | Command::TenBack
            | Command::TenForward
            | Command::First
            | Command::Last
            | Command::Slower
            | Command::Faster
            | Command::LoopMode
            | Command::SetIn
            | Command::SetOut
            | Command::ClearRange
            | Command::PreviousKey
            | Command::NextKey
            | Command::WholeTimeline
            | Command::PreviousAnimation
            | Command::NextAnimation
            | Command::Animation(_)
            | Command::ZoomIn
            | Command::ZoomOut
            | Command::HideSelected
            | Command::SoloSelected
            | Command::ShowAll
            | Command::PutBack
            | Command::Underlay
            | Command::RemoveUnderlay
            | Command::CopyPicture
            | Command::Paste
            | Command::Filter
            | Command::Open
            | Command::Reload
            | Command::Close
            | Command::PreviousFile
            | Command::NextFile
            | Command::Screenshot
            | Command::AddTrack
            | Command::LargerInterface
            | Command::SmallerInterface
            | Command::ResetInterface
            | Command::Palette
            | Command::ClearRecent
            | Command::Help
            | Command::Quit => None,
        }
    }

    /// Returns why `command` has no effect now, or `None` if it has one.
    pub fn unavailable(&self, command: Command) -> Option<&'static str> {
        let unless = |is_usable: bool, reason: &'static str| (!is_usable).then_some(reason);
        let character = || unless(self.loaded().is_some(), NO_CHARACTER);
        let animations = self.model().map_or(0, |model| model.animations().len());
        match command {
            Command::PlayPause
            | Command::StepBack
            | Command::StepForward
            | Command::TenBack
            | Command::TenForward
            | Command::First
            | Command::Last
            | Command::ZoomFit
            | Command::ZoomActual
            | Command::ZoomHalf
            | Command::ZoomDouble
            | Command::ZoomIn
            | Command::ZoomOut
            | Command::Export
            | Command::Screenshot
            | Command::Tracks
            | Command::AddTrack
            | Command::EventLog
            | Command::CopyPicture => character(),
            Command::RemoveUnderlay => unless(self.underlay.is_some(), "There is no picture behind the character"),
            Command::Interpolate => {
                let is_keyed = self.loaded().is_some() && self.animator.playback(0).is_keyed();
                unless(!is_keyed, "Keyed animations always are")
            }
            Command::Physics => character().or(unless(self.has_physics(), "The file has no physics")),
            Command::SetIn | Command::SetOut => {
                let frames = self.animator.playback(0).frame_count();
                character().or(unless(frames > 1, "The animation has a single frame"))
            }
            Command::ClearRange => character().or(unless(self.range().is_some(), "No in or out point is set")),
            Command::PreviousKey | Command::NextKey | Command::Dopesheet | Command::Curves => character(),
            Command::WholeTimeline => {
                character().or(unless(!self.timeline.zoom.is_whole(), "The whole animation is visible"))
            }
            Command::PreviousAnimation | Command::NextAnimation => {
                character().or(unless(animations > 1, "There is no other animation"))
            }
            Command::Animation(place) => {
                character().or(unless(usize::from(place) < animations, "There is no animation with this number"))
            }
            Command::HideSelected | Command::SoloSelected => {
                let can_hide = matches!(
                    self.selected,
                    Some(Selected::Bone(_) | Selected::Slot(_) | Selected::Attachment(..))
                );
                character().or(unless(can_hide, NOT_HIDEABLE))
            }
            Command::ShowAll => {
                unless(!self.hidden.is_empty() || !self.mesh_patterns.is_empty(), "Nothing is hidden")
            }
            Command::Filter => unless(self.current().is_some(), "No file is open"),
            Command::PutBack => {
                let is_idle = self.selected.is_none() && self.compare.second.is_none();
                let is_loading = !self.loading.is_idle();
                let has_effect = !is_idle || is_loading || !self.animator.overrides().is_empty();
                unless(has_effect, "Nothing to cancel, reset, clear or end")
            }
            Command::Compare | Command::Reload | Command::Close => {
                unless(self.current().is_some(), "No file is open")
            }
            Command::ClearRecent => unless(!self.recent.files().is_empty(), "There are no recent files"),
            Command::PreviousFile | Command::NextFile => {
                unless(self.documents().len() > 1, "No other file is open")
            }
            Command::Sheet => unless(self.has_book(), "Only sprite sheets have pages"),
            Command::Slower
            | Command::Faster
            | Command::LoopMode
            | Command::Show(_)
            | Command::Targets
            | Command::Grid
            | Command::Ground
            | Command::Origin
            | Command::Underlay
            | Command::Statistics
            | Command::Paste
            | Command::Open
            | Command::FullScreen
            | Command::Panels
            | Command::SystemTheme
            | Command::LightTheme
            | Command::DarkTheme
            | Command::LargerInterface
            | Command::SmallerInterface
            | Command::ResetInterface
            | Command::Palette
            | Command::Help
            | Command::Quit => None,
        }
    }

    fn is_zoomed_to(&self, wanted: f32) -> bool {
        matches!(self.camera, Camera::Free { scale, .. } if scale == wanted) && self.loaded().is_some()
    }

    /// Returns true if the shown frames are interpolated; keyed animations always are.
    fn interpolates(&self) -> bool {
        self.animator.interpolates() || self.loaded().is_some() && self.animator.playback(0).is_keyed()
    }
}
