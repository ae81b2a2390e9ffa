//! A character on the stage, and what it plays while the panels show another one.

use std::path::PathBuf;
use std::sync::Arc;

use crate::files::loading::job::Job;
use crate::playback::Playback;
use crate::scene::id_map::IdMap;
use crate::scene::loaded::Loaded;
use crate::tracks::saved::SavedTracks;
use pchr::draw::Hidden;
use pchr::export::{StagedCharacter, Subject};
use pchr::math::{Rect, Vec2};
use pchr::model::AnimationId;
use pchr::{Animator, Character};

/// A character on the stage.
#[derive(Debug)]
pub struct Member {
    /// Its file, which is one of the list.
    pub path: PathBuf,
    /// Its playback while it is a companion.
    pub playback: Playback,
    /// What is not drawn of it while it is a companion.
    pub hidden: Arc<Hidden>,
    /// Reads the file, while it is being read.
    pub job: Option<Job>,
    /// What a scene states of it: where no control changes it, exports and screenshots show it as stated.
    pub spec: StagedCharacter,
    /// The place of its origin in the row, in units.
    pub place: Vec2,
    /// Its area around its origin; `None` without a picture.
    pub area: Option<Rect>,
}

impl Member {
    /// Creates a member from a file of the list.
    pub fn new(path: PathBuf) -> Self {
        let (playback, hidden, spec) = Default::default();
        Self { path, playback, hidden, job: None, spec, place: Vec2::ZERO, area: None }
    }

    /// Returns true if it does not show this character yet.
    pub fn is_new(&self, character: &Arc<Character>) -> bool {
        !self.playback.has_character || !Arc::ptr_eq(self.playback.animator.character(), character)
    }

    /// Takes over the character of the file when it was read. It goes on if there was an earlier version of it. `skins` are
    /// the names of the skins that the user has put on, `name` that of the animation to play at first.
    pub fn follow(&mut self, loaded: &Loaded, skins: Option<&[String]>, name: Option<&str>, work: u64) {
        let character = &loaded.character;
        if !self.is_new(character) {
            return;
        }
        let before = self.playback.has_character.then(|| self.playback.animator.clone());
        self.playback.has_character = true;
        self.playback.animator.set_character(Arc::clone(character));
        self.put_on(skins, character);
        let stated = self.spec.animation.as_deref();
        let first = || first_animation(loaded, stated, name, work);
        match before {
            Some(before) => go_on_as(&before, &mut self.playback.animator, first),
            None => {
                let first = first();
                self.begin(first);
            }
        }
    }

    /// Applies the skins that the user chose; if there are none, those of the scene; if it states none either, those that the
    /// file opens with.
    fn put_on(&mut self, skins: Option<&[String]>, character: &Character) {
        let stated = Some(&self.spec.skins[..]).filter(|skins| !skins.is_empty());
        // The ids are those of the model, so neither fails.
        drop(match skins.or(stated) {
            Some(names) => self.playback.put_on_again(names, character),
            None => self.playback.add_initial_skins(character),
        });
    }

    /// Plays its first animation, and shows everything else that its scene states.
    fn begin(&mut self, first: Option<AnimationId>) {
        let Self { spec, playback: Playback { animator, later, .. }, .. } = self;
        animator.show(first);
        if let Some(playback) = animator.playback_mut(0) {
            playback.seek_secs(spec.start);
        }
        let StagedCharacter { tracks, bones, attachments, .. } = spec.clone();
        let stated = Subject { tracks, bones, attachments, ..Subject::default() };
        // What the character does not have, it does not show.
        *later = stated.begin_in(animator).unwrap_or_default();
    }

    /// Plays as the controls say, which are about all characters on the stage: those of the `shown` one.
    pub fn follow_controls(&mut self, shown: &Animator) {
        let animator = &mut self.playback.animator;
        animator.set_playing(shown.is_playing());
        animator.set_speed(shown.speed());
        animator.set_interpolate(shown.interpolates());
        animator.set_fade_secs(shown.fade_secs());
        // Tracks that have a loop mode of their own keep it until the user chooses another one.
        if animator.loop_mode() != shown.loop_mode() {
            animator.set_loop_mode(shown.loop_mode());
        }
    }

    /// Takes over the playback and the hidden parts of the shown file, which becomes a companion.
    pub fn go_on(&mut self, shown: &Playback, hidden: &Arc<Hidden>) {
        self.hidden = Arc::clone(hidden);
        self.playback.animator = shown.animator.clone();
        self.playback.later.clone_from(&shown.later);
        // No control shows its in and out points, and no export of the stage has them.
        if self.playback.range().is_some() {
            self.playback.set_range(None);
        }
        self.playback.has_character = shown.has_character;
    }
}

/// Returns the animation that a scene states, or else the one called `name`, or else the first that moves.
fn first_animation(loaded: &Loaded, stated: Option<&str>, name: Option<&str>, work: u64) -> Option<AnimationId> {
    let stated = stated.and_then(|name| loaded.find_animation(name));
    let same = || loaded.character.model().find_animation(name?);
    stated.or_else(same).or_else(|| loaded.first_animation(work))
}

/// Lets `animator` of a saved file go on as it was with the version `before`: with its tracks, moved bones and chosen
/// attachments. If the animation on track 0 has gone, it plays `first` there.
fn go_on_as(before: &Animator, animator: &mut Animator, first: impl FnOnce() -> Option<AnimationId>) {
    let tracks = SavedTracks::of(before);
    tracks.restore(animator);
    if tracks.needs_first()
        && animator.playback(0).animation().is_none()
        && let Some(first) = first()
    {
        // The id is one of the model, so this does not fail.
        _ = animator.play_on(0, first);
    }
    let map = IdMap::between(before.model(), animator.model());
    let bones = before.bone_overrides().iter().filter_map(|put| map.bone_override(*put));
    bones.for_each(|put| animator.override_bone(put));
    let slots = before.slot_overrides().iter().filter_map(|put| map.slot_override(*put));
    slots.for_each(|put| animator.override_slot(put));
}
