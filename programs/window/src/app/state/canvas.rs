//! What the canvas shows: the scene, the view and the background.

use std::iter;
use std::sync::Arc;

use super::State;
use crate::base::memo::Shared;
use crate::files::document::Document;
use crate::overlays::targets::Targets;
use crate::parts::hiding::NOT_HIDEABLE;
use crate::parts::picking::Picking;
use crate::scene::Scene;
use crate::scene::camera::Camera;
use crate::scene::loaded::{Covered, Loaded};
use crate::widgets::actions::Actions;
use crate::widgets::command::Command;
use pchr::Animator;
use pchr::draw::{Antialias, Overlay, Overlays, Settings, View};
use pchr::math::{Rect, Vec2};
use pchr::model::AnimationId;

impl State {
    /// Returns what to draw on the canvas; `None` if there is no character.
    pub fn scene(&mut self) -> Option<Scene> {
        let view = self.view()?;
        let character = Shared::of(&self.loaded()?.character);
        self.playback.animator.refresh();
        // Physics depends on earlier instants, and so do rotations while animations are mixed.
        let is_evaluated = self.playback.animator.shows_physics() || self.playback.animator.keeps_values();
        let pose = is_evaluated.then(|| Arc::new(self.playback.animator.pose().clone()));
        let is_brief = self.canvas.is_slow && (self.playback.animator.is_moving() || self.playback.scrubbing);
        let antialias = self.canvas.antialias.unwrap_or_else(|| automatic_antialias(view.scale(), is_brief));
        let settings = Settings { filter: self.canvas.filter, antialias };
        let work = self.files.read.limits.frame_work();
        let cue = self.playback.animator.cue().clone();
        let (hidden, overlays) = (Arc::clone(&self.parts.hidden), self.shown_overlays());
        let (behind, placing) = (self.overlays.background.color(), self.playback.placing);
        Some(Scene { character, cue, pose, hidden, placing, overlays, view, settings, behind, work, is_brief })
    }

    /// Returns the overlays with the bone whose weights they show, which is the selected one.
    pub fn shown_overlays(&self) -> Overlays {
        let scale = self.canvas.pixels_per_point;
        self.overlays.of_selection(self.model(), self.parts.selected, scale)
    }

    /// Shows or hides an overlay.
    pub fn toggle_overlay(&mut self, command: Command) {
        let Command::Show(overlay) = command else { return };
        self.overlays.shown.toggle(overlay);
        let is_shown = self.overlays.shown.contains(overlay);
        if overlay == Overlay::Weights && is_shown && self.shown_overlays().bone.is_none() {
            self.notify("Select a bone to see its weights");
        }
    }

    /// Shows or hides how far the selected bone slides on the ground.
    pub fn toggle_foot_slide(&mut self) {
        self.overlays.slide.is_shown ^= true;
        let has_bone =
            self.model().is_some_and(|model| self.parts.selected.and_then(|it| it.bone(model)).is_some());
        if self.overlays.slide.is_shown && !has_bone {
            self.notify("Select a bone, such as a foot, to see how far it slides");
        }
    }

    /// Hides or shows the selected part, or shows it alone.
    pub fn hide_selected(&mut self, alone: bool) {
        let character = self.playback.character().map(Arc::clone);
        let Some((character, part)) = character.zip(self.parts.selected) else { return self.notify(NOT_HIDEABLE) };
        let mut actions = Actions::default();
        self.parts.toggle(&character, part, alone, &mut actions);
        self.perform(actions);
    }

    /// Selects what [`Picking::pick`](crate::parts::picking::Picking::pick) finds at `at`, a point of the world,
    /// within `reach` pixels of it, or clears the selection.
    pub fn pick(&mut self, at: Vec2, reach: f32) {
        let at = self.playback.placing.inside(at);
        if let Some((model, pose)) = self.playback.posed() {
            self.parts.selected = self.parts.picking.pick(model, pose, &self.parts.hidden, at, reach);
        }
    }

    /// Returns true if something of the shown character is at a point in the world.
    pub fn is_shown_at(&mut self, at: Vec2) -> bool {
        if self.on_stage().is_some() {
            return self.front_at(at).as_deref() == self.on_stage();
        }
        let at = self.playback.placing.inside(at);
        let posed = self.playback.posed();
        posed.is_some_and(|(model, pose)| {
            Picking::default().pick(model, pose, &self.parts.hidden, at, 0.0).is_some()
        })
    }

    /// Cancels, in this order: loading, moved targets, the selection, the comparison. Then it returns to the gallery.
    pub fn back_out(&mut self) {
        if self.cancel_loading() {
            return;
        }
        if self.files.shows_gallery() && self.files.gallery.selection.clear() {
            return;
        }
        if Targets::are_put(&self.playback) {
            self.overlays.targets.put_back(&mut self.playback);
        } else if self.parts.selected.take().is_none()
            && self.compare.second.take().is_none()
            && self.files.gallery.is_open()
            && self.current().is_some()
        {
            self.show_gallery();
        }
    }

    /// Returns the view of the canvas; `None` if there is no character.
    pub fn view(&mut self) -> Option<View> {
        let content = self.content()?;
        let pixel_art = self.loaded()?.is_pixel_art();
        Some(self.canvas.view(content, pixel_art))
    }

    /// Fits the view, if that was requested, to the animations shown so far. If it is fitted to them already, to all
    /// animations, and back.
    pub fn fit_if_requested(&mut self) {
        if !std::mem::take(&mut self.canvas.is_fit_requested) {
            return;
        }
        let before = self.view();
        self.mixer.framing = Default::default();
        self.canvas.fit();
        if before != self.view() || self.canvas.fits_animation {
            return;
        }
        let document = self.files.documents.get_mut(self.files.current);
        let Some(loaded) = document.and_then(Document::loaded_mut) else { return };
        if loaded.character.model().motions().nth(1).is_some() {
            let is_everything = loaded.toggle_whole_coverage();
            self.canvas.fit();
            self.notify(if is_everything {
                "The view is fitted to all animations"
            } else {
                "The view is fitted to the animations shown so far"
            });
        }
    }

    /// Returns what the view is fitted to, in world pixels, with the character that it is compared with: all animations
    /// shown so far, so that the ground and the size stay when another one fits as well, or [`Self::own_content`]. In
    /// the second case, while the strip of tracks is shown, what is put on a track does not count, so that a fade can
    /// be judged.
    pub fn content(&mut self) -> Option<Rect> {
        self.playback.place(self.shown_placing());
        let content = if self.canvas.fits_animation {
            let own = self.own_content()?;
            match self.mixer.is_shown {
                true => self.mixer.framing.hold(&self.playback.animator, own),
                false => self.mixer.framing.release(own),
            }
        } else {
            let work = self.files.read.limits.frame_work();
            let loaded = self.files.documents.get_mut(self.files.current)?.loaded_mut()?;
            shown_content(loaded, &self.playback.animator, work)
        };
        let second = self.second_content(self.files.read.limits.frame_work());
        let others = second.into_iter().chain(self.companions_content());
        Some(others.fold(self.playback.placing.area(content), |content, other| content.union(other)))
    }

    /// Returns the bounding rectangle of the animations on all tracks, in world pixels. What is
    /// being replaced does not count: the view would change at the beginning and at the end of a fade.
    pub fn own_content(&mut self) -> Option<Rect> {
        let work = self.files.read.limits.frame_work();
        let loaded = self.files.documents.get_mut(self.files.current)?.loaded_mut()?;
        let animator = &self.playback.animator;
        let content_of = |animation| {
            loaded.content(Covered::Animation(animation), animator.skins(), animator.shows_physics(), work)
        };
        Some(shown_animations(animator).map(content_of).fold(Rect::NOTHING, Rect::union))
    }

    /// Measures the brightness of the shown character, once after it was read.
    pub fn measure_tones(&mut self) {
        let (animation, work) =
            (self.playback.animator.playback(0).animation(), self.files.read.limits.frame_work());
        if let Some(loaded) = self.files.documents.get_mut(self.files.current).and_then(Document::loaded_mut) {
            loaded.measure_tones(animation, self.playback.animator.skins(), work);
        }
    }

    /// Changes the camera, if there is a character.
    pub fn look(&mut self, change: impl FnOnce(Camera, &View) -> Camera) {
        if let Some(view) = self.view() {
            self.canvas.camera = change(self.canvas.camera, &view);
        }
    }
}

/// Returns the area of everything that was shown of a character so far, with what its animator shows.
pub fn shown_content(loaded: &mut Loaded, animator: &Animator, work: u64) -> Rect {
    shown_animations(animator).for_each(|animation| loaded.cover(animation));
    loaded.content(Covered::Shown, animator.skins(), animator.shows_physics(), work)
}

/// Returns the animations on all tracks; `None` is the setup pose.
fn shown_animations(animator: &Animator) -> impl Iterator<Item = Option<AnimationId>> {
    let first = animator.playback(0).animation();
    let others = animator.playbacks().filter(|(track, _)| *track != 0);
    iter::once(first).chain(others.map(|(_, playback)| playback.animation()).filter(Option::is_some))
}

/// Chooses the antialiasing. Below three quarters of the native size, `ssaa2` shows more detail. Files use it
/// below the full size, but for moving pictures it is not worth four times the cost there, and never for pictures
/// that are only visible for a moment.
fn automatic_antialias(scale: f32, is_brief: bool) -> Antialias {
    if scale < 0.75 && !is_brief { Antialias::Ssaa2 } else { Antialias::Msaa4 }
}
