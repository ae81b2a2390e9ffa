//! Lends the panels what they show and change.

use super::State;
use crate::compare::panel::ComparePanel;
use crate::overlays::panel::OverlayPanel;
use crate::parts::panel::PartsPanel;
use crate::scene::canvas::squares;
use crate::timeline::panel::TimelinePanel;
use crate::tracks::panel::TracksPanel;
use crate::widgets::actions::Actions;

impl State {
    /// Lends the lists, the inspector and the selection.
    pub fn parts_panel<'a>(&'a mut self, actions: &'a mut Actions) -> PartsPanel<'a> {
        let (view, content) = (self.view(), self.own_content());
        PartsPanel {
            playback: &mut self.playback,
            parts: &mut self.parts,
            files: &mut self.files,
            canvas: &mut self.canvas,
            view,
            content,
            has_tracks: self.mixer.is_shown,
            actions,
        }
    }

    /// Lends the timeline and the controls below it.
    pub fn timeline_panel<'a>(&'a mut self, actions: &'a mut Actions) -> TimelinePanel<'a> {
        TimelinePanel {
            has_several: self.mixer.has_several(&self.playback.animator),
            shows_tracks: self.mixer.is_shown,
            playback: &mut self.playback,
            parts: &mut self.parts,
            timeline: &mut self.timeline,
            waker: self.files.loading.waker.as_ref(),
            actions,
        }
    }

    /// Lends the strip of tracks.
    pub fn tracks_panel<'a>(&'a mut self, actions: &'a mut Actions) -> TracksPanel<'a> {
        TracksPanel { playback: &mut self.playback, parts: &mut self.parts, mixer: &mut self.mixer, actions }
    }

    /// Lends what is over and behind the character, in a dark or a light window.
    pub fn overlay_panel<'a>(&'a mut self, is_dark: bool, actions: &'a mut Actions) -> OverlayPanel<'a> {
        let (view, content) = (self.view(), self.content());
        OverlayPanel {
            squares: squares(self.files.loaded(), is_dark),
            playback: &mut self.playback,
            parts: &mut self.parts,
            canvas: &mut self.canvas,
            view,
            content,
            overlays: &mut self.overlays,
            waker: self.files.loading.waker.as_ref(),
            actions,
        }
    }

    /// Lends the comparison.
    pub fn compare_panel<'a>(&'a mut self, actions: &'a mut Actions) -> ComparePanel<'a> {
        ComparePanel { files: &self.files, playback: &self.playback, compare: &mut self.compare, actions }
    }
}
