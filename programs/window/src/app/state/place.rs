//! The user's place in a file: saved when the file is left, restored when it is shown again.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;
use std::sync::Arc;

use super::State;
use crate::files::Wanted;
use crate::files::loading::read::Outlook;
use crate::overlays::targets::Targets;
use crate::parts::hidden::MeshPatterns;
use crate::parts::tree::Tree;
use crate::playback::skins::find_skin;
use crate::scene::camera::Camera;
use crate::scene::fitted::Fitted;
use crate::scene::id_map::IdMap;
use crate::scene::loaded::{CoverageNames, Loaded};
use crate::scene::placing::Placing;
use crate::scene::selection::Selected;
use crate::tracks::saved::{SavedTracks, missing_message};
use crate::widgets::actions::Request;
use pchr::Character;
use pchr::draw::Hidden;
use pchr::export::{NO_SKIN, hidden_meshes};
use pchr::model::SkinId;
use pchr::motion::KeyTarget;

/// The user's place in a file. Its ids belong to the character that was shown; the file may have changed since.
#[derive(Debug)]
pub struct Place {
    /// The character that was shown.
    pub of: Arc<Character>,
    /// Playback and its position.
    pub tracks: SavedTracks,
    /// The tracks that the user added to the strip.
    pub added_tracks: Vec<usize>,
    /// The frames between the in and out points.
    pub range: Option<RangeInclusive<u32>>,
    /// The active skins, in order.
    pub skins: Vec<String>,
    /// The camera, and the view that was fitted.
    pub camera: Camera,
    pub fitted: Option<Fitted>,
    /// The selected part.
    pub selected: Option<Selected>,
    /// Hidden parts, and the patterns that have hidden some of them.
    pub hidden: Arc<Hidden>,
    pub mesh_patterns: MeshPatterns,
    /// Folded branches of the tree.
    pub tree: Tree,
    /// The first and the last visible position of the timeline, in frames; `None`: the whole animation is visible.
    pub visible: Option<(f64, f64)>,
    /// The rows of the dopesheet whose channels are shown.
    pub expanded: Arc<BTreeSet<KeyTarget>>,
}

impl Place {
    /// Returns what will be shown of the file when it is read again.
    pub fn outlook(&self, coverage: CoverageNames, physics: Option<bool>, work: u64) -> Outlook {
        let animation = self.tracks.playing(0).map(str::to_owned);
        Outlook { was_shown: true, animation, coverage, tones: None, skins: self.skins.clone(), physics, work }
    }
}

impl State {
    /// Saves the user's place in the shown file.
    pub fn leave(&mut self) {
        let Some(document) = self.files.current().filter(|document| document.loaded().is_some()) else { return };
        let path = document.path().to_owned();
        self.places.insert(path, self.place_in_file());
        self.keep_place();
    }

    /// Returns the user's place in the shown character.
    pub fn place_in_file(&self) -> Place {
        let animator = &self.playback.animator;
        let (model, playback) = (animator.model(), animator.playback(0));
        Place {
            of: Arc::clone(animator.character()),
            tracks: SavedTracks::of(animator),
            added_tracks: self.mixer.added.clone(),
            range: playback.range(),
            skins: animator.skins().iter().map(|&id| model.skin(id).name.to_string()).collect(),
            camera: self.canvas.camera,
            fitted: self.canvas.fitted,
            selected: self.parts.selected,
            hidden: Arc::clone(&self.parts.hidden),
            mesh_patterns: self.parts.mesh_patterns.clone(),
            tree: self.parts.side.tree.clone_folding(),
            visible: self.timeline.visible(playback.length()),
            expanded: Arc::clone(&self.timeline.expanded),
        }
    }

    /// Restores the user's place in the file that is now shown, or starts at its beginning.
    pub fn arrive(&mut self) {
        let arrival = self.lineup.arrival.take();
        let is_same = |loaded: &Loaded| Arc::ptr_eq(&loaded.character, self.playback.animator.character());
        if self.loaded().is_some_and(is_same) {
            return;
        }
        self.playback.auto_skins.clear();
        self.parts.selected = None;
        self.parts.hidden = Arc::default();
        self.parts.mesh_patterns = MeshPatterns::default();
        self.parts.picking.forget();
        self.mixer.added.clear();
        self.mixer.log.clear();
        self.playback.fired.clear();
        self.playback.later.clear();
        self.playback.paused = None;
        self.parts.side.tree = Tree::default();
        self.timeline.forget();
        self.overlays.slide.forget();
        self.go_to_place();
        let document = self.files.documents.get_mut(self.files.current);
        let wanted = document.and_then(|document| document.reading.then_show.take());
        if let Some(animation) = wanted.and_then(|name| self.model()?.find_animation(&name)) {
            self.show_animation(animation);
        }
        if let Some(arrival) = arrival {
            self.join(arrival);
        }
        self.measure_tones();
        self.overlays.targets =
            Targets::of(self.loaded().map(|loaded| &*loaded.character), self.overlays.targets.are_shown);
        self.follow_stated_physics();
        self.mark();
    }

    fn go_to_place(&mut self) {
        let shown = self.files.documents.get(self.files.current);
        let Some((document, loaded)) = shown.and_then(|document| Some((document, document.loaded()?))) else {
            self.playback.has_character = false;
            return self.playback.animator.set_character(Character::default());
        };
        let (character, name, path) = (Arc::clone(&loaded.character), document.name(), document.path().to_owned());
        // It keeps the character that was shown before alive.
        let place = self.places.remove(&path);
        self.playback.has_character = true;
        self.playback.animator.set_character(Arc::clone(&character));
        match place {
            Some(place) => self.return_to(&character, &place),
            None => self.begin(&character, &name),
        }
    }

    /// Shows a file for the first time. The first file is shown as requested on the command line.
    fn begin(&mut self, character: &Character, name: &str) {
        let Some(path) = self.current().map(|document| document.path().to_owned()) else { return };
        let name_of_first = self.files.wanted_animation(&path);
        let Wanted { subject: wanted, show, background } = std::mem::take(&mut self.files.wanted);
        let model = character.model();
        let mut error = None;
        self.canvas.fit();
        // What is requested is about the stage.
        self.playback.place(Placing::default());
        let mut named = self.overlays.shown;
        for overlay in show {
            if let Err(unknown) = overlay.add_to(&mut named, model) {
                error = Some(unknown.to_string());
            }
        }
        self.parts.selected = named.bone.map(Selected::Bone);
        if let Some(file) = background {
            self.requests.push(Request::ReadUnderlay { file, is_background: true });
        }
        let of_stage = self.lineup.patterns.remove(&path);
        self.parts.mesh_patterns = of_stage.unwrap_or_else(|| match wanted.stage.is_empty() {
            true => {
                let (solo, hidden) = (wanted.meshes.clone(), wanted.hidden_meshes.clone());
                MeshPatterns { solo, hidden, on_stage: None }
            }
            // They name parts of the whole stage.
            false => MeshPatterns::default(),
        });
        let MeshPatterns { solo, hidden, on_stage } = &self.parts.mesh_patterns;
        // A pattern of a stage may be about another character.
        if on_stage.is_none()
            && let Err(unmatched) = hidden_meshes(model, solo, hidden)
        {
            error = Some(unmatched.to_string());
        }
        self.parts.hidden = self.parts.mesh_patterns.find(model).into();
        let Some(loaded) = self.files.loaded() else { return };
        let work = self.files.read.limits.frame_work();
        let animation = loaded.animation_or_first(name_of_first.as_deref(), work);
        let is_unknown = |wanted: &&String| loaded.find_animation(wanted).is_none();
        let unknown = wanted.animations.first().filter(is_unknown);
        self.playback.animator.show(animation);
        let start = wanted.stage.first().map_or(0.0, |first| first.start);
        if let Some(playback) = self.playback.animator.playback_mut(0).filter(|_| start != 0.0) {
            playback.seek_secs(start);
        }
        let is_anywhere = wanted.frames.is_none() && wanted.time.is_none();
        if wanted.animations.is_empty() && is_anywhere && wanted.tracks.is_empty() {
            self.resume();
        }
        if let Some(unknown) = unknown {
            error = Some(format!("{name} has no animation “{unknown}”"));
        }
        if wanted.skins.is_empty() {
            self.add_initial_skins(character);
        } else {
            let mut skins = Vec::new();
            for skin in &wanted.skins {
                match find_skin(model, skin) {
                    Some(skin) => skins.push(skin),
                    None if skin == NO_SKIN => {}
                    None => error = Some(format!("{name} has no skin “{skin}”")),
                }
            }
            self.set_skins(skins);
        }
        if let Some(animation) = animation.map(|id| model.animation(id)) {
            let mut position = wanted.time.map(|seconds| animation.position_at(seconds));
            match wanted.frames.as_ref().map(|spec| spec.resolve(animation.frame_count())) {
                Some(Ok(frames)) => position = frames.first().copied().map(f64::from),
                Some(Err(frame)) => error = Some(format!("{} has no frame {frame}", animation.name)),
                None => {}
            }
            if let Some(position) = position {
                self.playback.animator.set_playing(false);
                self.playback
                    .animator
                    .set_interpolate(self.playback.animator.interpolates() || wanted.time.is_some());
                self.playback.animator.seek(position);
            }
        }
        match wanted.begin_in(&mut self.playback.animator) {
            Ok(later) => {
                self.playback.later = later;
                self.mixer.is_shown |= !wanted.tracks.is_empty();
            }
            Err(unknown) => error = Some(unknown.to_string()),
        }
        if let Some(error) = error {
            self.notify_error(error);
        }
    }

    /// Shows a file as the user left it.
    fn return_to(&mut self, character: &Character, place: &Place) {
        let model = character.model();
        self.canvas.fit();
        (self.canvas.camera, self.canvas.fitted) = (place.camera, place.fitted);
        let map = IdMap::between(place.of.model(), model);
        self.parts.selected = place.selected.and_then(|selected| map.part(selected));
        self.parts.hidden = place.mesh_patterns.carry(&place.hidden, place.of.model(), model).into();
        self.parts.mesh_patterns = place.mesh_patterns.clone();
        self.parts.side.tree = place.tree.carry(&map);
        // Do not unfold what is above it.
        self.parts.side.revealed = self.parts.selected;
        if let Err(error) = self.playback.put_on_again(&place.skins, character) {
            self.notify_error(error.to_string());
        }
        self.mixer.added.clone_from(&place.added_tracks);
        let missing = place.tracks.restore(&mut self.playback.animator);
        // If the animation no longer exists, show the first one from the beginning.
        if self.playback.animator.playback(0).animation().is_some() {
            self.playback.set_range(place.range.clone());
            let length = self.playback.animator.playback(0).length();
            self.timeline.return_to(place.visible, &place.expanded, &map, length);
        } else if place.tracks.needs_first()
            && let Some(loaded) = self.files.loaded()
            && let Some(animation) = loaded.first_animation(self.files.read.limits.frame_work())
        {
            // It may be another character altogether.
            self.canvas.fitted = None;
            self.mixer.play(&mut self.playback.animator, 0, animation);
            self.follow_animation();
        }
        if !missing.is_empty() {
            self.notify(missing_message(&missing));
        }
    }

    /// Activates exactly these skins of the shown character.
    pub fn set_skins(&mut self, skins: Vec<SkinId>) {
        if let Err(error) = self.playback.animator.set_skins(skins) {
            self.notify_error(error.to_string());
        }
    }

    fn add_initial_skins(&mut self, character: &Character) {
        if let Err(error) = self.playback.add_initial_skins(character) {
            self.notify_error(error.to_string());
        }
    }
}
