//! What the canvas shows: the scene, the view and the background.

use std::sync::Arc;

use super::{FRAMES_A_LIMIT, State};
use crate::draw::{Antialias, Overlays, Settings, View};
use crate::math::Rect;
use crate::viewer::files::document::{Document, Loaded};
use crate::viewer::scene::Scene;
use crate::viewer::scene::camera::Camera;
use crate::viewer::scene::checkerboard::Squares;

impl State {
    /// Returns what to draw on the canvas; `None` if there is no character.
    pub fn scene(&mut self) -> Option<Scene> {
        let view = self.view()?;
        let character = Arc::clone(&self.loaded()?.character);
        self.animator.refresh();
        // Physics depends on earlier instants, and so do rotations while animations are mixed.
        let is_evaluated = self.animator.shows_physics() || !self.animator.cue().layers.is_empty();
        let pose = is_evaluated.then(|| Arc::new(self.animator.pose().clone()));
        let is_brief = self.is_slow && (self.animator.is_moving() || self.scrubbing);
        let antialias = self.antialias.unwrap_or_else(|| automatic_antialias(view.scale(), is_brief));
        let settings = Settings { filter: self.filter, antialias };
        let work = self.read.limits.work / FRAMES_A_LIMIT;
        let cue = self.animator.cue().clone();
        let (hidden, overlays) = (Arc::clone(&self.hidden), self.shown_overlays());
        Some(Scene { character, cue, pose, hidden, overlays, view, settings, work, is_brief })
    }

    /// Returns the overlays with the bone whose weights they show, which is the selected one.
    pub fn shown_overlays(&self) -> Overlays {
        let mut overlays = self.overlays;
        overlays.bone = self.model().and_then(|model| self.selected?.bone(model));
        overlays.scale = self.pixels_per_point;
        overlays
    }

    /// Returns the view of the canvas; `None` if there is no character.
    pub fn view(&mut self) -> Option<View> {
        let content = self.content()?;
        let pixel_art = self.loaded()?.is_pixel_art();
        Some(self.camera.view(self.canvas, content, pixel_art))
    }

    /// Returns what the view is fitted to, in world pixels: the bounding rectangle of [`Self::own_content`] and of the
    /// character that it is compared with. While the strip of tracks is shown, what is put on a track does not count,
    /// so that a fade can be judged.
    pub fn content(&mut self) -> Option<Rect> {
        let own = self.own_content()?;
        let content = match self.mixer.is_shown {
            true => self.mixer.framing.hold(&self.animator, own),
            false => self.mixer.framing.release(own),
        };
        let second = self.second_content(self.read.limits.work / FRAMES_A_LIMIT);
        Some(second.map_or(content, |second| content.union(second)))
    }

    /// Returns the bounding rectangle of the shown animation and those of the other tracks, in world pixels. What is
    /// being replaced does not count: the view would change at the beginning and at the end of a fade.
    pub fn own_content(&mut self) -> Option<Rect> {
        let work = self.read.limits.work / FRAMES_A_LIMIT;
        let loaded = self.documents.get_mut(self.current)?.loaded_mut()?;
        let animator = &self.animator;
        let mut content_of = |track: usize| {
            let animation = animator.playback(track).animation();
            loaded.content(animation, animator.skins(), animator.shows_physics(), work)
        };
        let others = animator.playbacks().map(|(track, _)| track);
        let others = others.filter(|track| *track != 0 && animator.playback(*track).animation().is_some());
        let others: Vec<usize> = others.collect();
        let content = others.into_iter().fold(content_of(0), |content, track| content.union(content_of(track)));
        Some(content)
    }

    /// Measures the brightness of the shown character, once after it was read.
    pub fn measure_tones(&mut self) {
        let (animation, work) = (self.animator.playback(0).animation(), self.read.limits.work / FRAMES_A_LIMIT);
        if let Some(loaded) = self.documents.get_mut(self.current).and_then(Document::loaded_mut) {
            loaded.measure_tones(animation, self.animator.skins(), work);
        }
    }

    /// Returns the squares behind the character in a dark or a light window, chosen for contrast.
    pub fn squares(&self, is_dark: bool) -> Squares {
        let tones = self.loaded().and_then(Loaded::tones);
        tones.map_or(Squares::default_for(is_dark), |tones| tones.squares(is_dark))
    }

    /// Changes the camera, if there is a character.
    pub fn look(&mut self, change: impl FnOnce(Camera, &View) -> Camera) {
        if let Some(view) = self.view() {
            self.camera = change(self.camera, &view);
        }
    }
}

/// Chooses the antialiasing. Below three quarters of the native size, `ssaa2` shows more detail. Files use it
/// below the full size, but for moving pictures it is not worth four times the cost there, and never for pictures
/// that are only visible for a moment.
fn automatic_antialias(scale: f32, is_brief: bool) -> Antialias {
    if scale < 0.75 && !is_brief { Antialias::Ssaa2 } else { Antialias::Msaa4 }
}
