//! The user's place in a file: saved when the file is left, restored when it is shown again.

use std::sync::Arc;

use super::document::{Loaded, Place};
use crate::Character;
use crate::export::{NO_SKIN, hidden_meshes};
use crate::model::{AnimationId, Model, SkinId};
use crate::viewer::app::state::State;
use crate::viewer::overlays::targets::Targets;
use crate::viewer::parts::folding::Folding;
use crate::viewer::parts::hidden::{HiddenNames, MeshPatterns};
use crate::viewer::parts::tree::Tree;
use crate::viewer::playback::skins::find_skin;
use crate::viewer::scene::camera::Camera;
use crate::viewer::scene::selection::{ByName, Selected};
use crate::viewer::tracks::saved::{SavedTracks, missing_message};

impl State {
    /// Saves the user's place in the shown file.
    pub fn leave(&mut self) {
        let Some(document) = self.documents.get_mut(self.current) else { return };
        let Some(loaded) = document.loaded() else { return };
        let model = loaded.character.model();
        let skins = self.animator.skins().iter().map(|&id| model.skin(id).name.to_string()).collect();
        let selected = self.selected.and_then(|selected| ByName::of(model, selected));
        let hidden = HiddenNames::of(&self.hidden, &self.mesh_patterns, model);
        let folding = Folding::of(&self.side.tree, model);
        let timeline = self.timeline.place(model, self.animator.playback(0).length());
        let range = self.animator.playback(0).range();
        let (tracks, added_tracks) = (SavedTracks::of(&self.animator), self.mixer.added.clone());
        let camera = self.camera;
        document.place =
            Some(Place { tracks, added_tracks, range, skins, camera, selected, hidden, folding, timeline });
    }

    /// Restores the user's place in the file that is now shown, or starts at its beginning.
    pub fn arrive(&mut self) {
        let is_same = |loaded: &Loaded| Arc::ptr_eq(&loaded.character, self.animator.character());
        if self.loaded().is_some_and(is_same) {
            return;
        }
        self.auto_skins.clear();
        self.selected = None;
        self.hidden = Arc::default();
        self.mesh_patterns = MeshPatterns::default();
        self.picking.forget();
        self.mixer.added.clear();
        self.mixer.log.clear();
        self.fired.clear();
        self.side.tree = Tree::default();
        self.inspector.forget();
        self.timeline.forget();
        self.go_to_place();
        self.measure_tones();
        self.targets = Targets::of(self.loaded().map(|loaded| &*loaded.character), self.targets.are_shown);
        self.apply_physics();
        self.mark();
    }

    fn go_to_place(&mut self) {
        let shown = self.documents.get(self.current);
        let Some((document, loaded)) = shown.and_then(|document| Some((document, document.loaded()?))) else {
            return self.animator.set_character(Character::default());
        };
        let (character, name) = (Arc::clone(&loaded.character), document.name());
        let place = document.place.clone();
        self.animator.set_character(Arc::clone(&character));
        match place {
            Some(place) => self.return_to(&character, &place),
            None => self.begin(&character, &name),
        }
    }

    /// Shows a file for the first time. The first file is shown as requested on the command line.
    fn begin(&mut self, character: &Character, name: &str) {
        let model = character.model();
        let mut error = None;
        self.camera = Camera::Fit;
        let mut named = self.overlays;
        for overlay in std::mem::take(&mut self.wanted_show) {
            if let Err(unknown) = overlay.add_to(&mut named, model) {
                error = Some(unknown.to_string());
            }
        }
        self.selected = named.bone.map(Selected::Bone);
        self.mesh_patterns = std::mem::take(&mut self.wanted_meshes);
        let MeshPatterns { solo, hidden } = &self.mesh_patterns;
        if let Err(unmatched) = hidden_meshes(model, solo, hidden) {
            error = Some(unmatched.to_string());
        }
        self.hidden = self.mesh_patterns.find(model).into();
        let wanted = self.wanted_animation.take();
        let found = wanted.as_deref().and_then(|wanted| find_animation(model, wanted));
        let animation = found.or_else(|| model.default_animation());
        self.animator.show(animation);
        if let (Some(wanted), None) = (wanted, found) {
            error = Some(format!("{name} has no animation “{wanted}”"));
        }
        let wanted_skins = std::mem::take(&mut self.wanted_skins);
        if wanted_skins.is_empty() {
            self.wear_initial_skins(character);
        } else {
            let mut skins = Vec::new();
            for wanted in wanted_skins {
                match find_skin(model, &wanted) {
                    Some(skin) => skins.push(skin),
                    None if wanted == NO_SKIN => {}
                    None => error = Some(format!("{name} has no skin “{wanted}”")),
                }
            }
            self.wear_only(skins);
        }
        if let Some(animation) = animation.map(|id| model.animation(id)) {
            let time = self.wanted_time.take();
            let mut position = time.map(|seconds| animation.position_at(seconds));
            match self.wanted_frames.take().map(|spec| spec.resolve(animation.frame_count())) {
                Some(Ok(frames)) => position = frames.first().copied().map(f64::from),
                Some(Err(frame)) => error = Some(format!("{} has no frame {frame}", animation.name)),
                None => {}
            }
            if let Some(position) = position {
                self.animator.set_playing(false);
                self.animator.set_interpolate(self.animator.interpolates() || time.is_some());
                self.animator.seek(position);
            }
        }
        if let Some(error) = error {
            self.notify_error(error);
        }
    }

    /// Shows a file as the user left it.
    fn return_to(&mut self, character: &Character, place: &Place) {
        let model = character.model();
        self.camera = place.camera;
        self.selected = place.selected.as_ref().and_then(|selected| selected.find(model));
        self.hidden = place.hidden.find(model).into();
        self.mesh_patterns = place.hidden.patterns().clone();
        self.side.tree = place.folding.tree(model);
        // Do not unfold what is above it.
        self.side.revealed = self.selected;
        let skins: Vec<SkinId> = place.skins.iter().filter_map(|name| model.find_skin(name)).collect();
        if skins.is_empty() && !place.skins.is_empty() {
            // The file was saved without any of the skins.
            self.wear_initial_skins(character);
        } else {
            self.wear_only(skins);
        }
        self.mixer.added.clone_from(&place.added_tracks);
        let missing = place.tracks.restore(&mut self.animator);
        // If the animation no longer exists, show the default one from the beginning.
        if self.animator.playback(0).animation().is_some() {
            self.set_range(place.range.clone());
            self.timeline.return_to(&place.timeline, model, self.animator.playback(0).length());
        } else if place.tracks.needs_first()
            && let Some(animation) = model.default_animation()
        {
            self.play_on_track(0, animation);
        }
        if !missing.is_empty() {
            self.notify(missing_message(&missing));
        }
    }
}

/// Finds an animation by name, or by `#index`.
fn find_animation(model: &Model, wanted: &str) -> Option<AnimationId> {
    model.find_animation(wanted).or_else(|| {
        let index: usize = wanted.strip_prefix('#')?.parse().ok()?;
        model.animation_ids().nth(index)
    })
}
