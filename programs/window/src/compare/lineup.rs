//! Several characters on one stage at their true relative size: one unit is one unit for all of them.
//!
//! The shown file is one of them, and all panels belong to it. The others, its companions, only play.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::base::memo::{ByAddress, Cached};
use crate::files::loading::job::Job;
use crate::parts::hidden::MeshPatterns;
use crate::playback::Playback;
use crate::scene::camera::Camera;
use crate::scene::id_map::IdMap;
use crate::scene::loaded::Loaded;
use crate::tracks::saved::SavedTracks;
use pchr::draw::Hidden;
use pchr::export::{StagedCharacter, Subject, TrackSpec, row};
use pchr::math::{Rect, Vec2, vec2};
use pchr::model::{AnimationId, Timing};
use pchr::motion::{Actor, Stage};
use pchr::{Animator, Character};

/// Number of characters on the stage at most.
pub const MOST: usize = 12;

/// The characters on the stage. It is empty or has several.
#[derive(Debug, Default)]
pub struct Lineup {
    /// The characters, from left to right.
    pub members: Vec<Member>,
    /// How far the user has moved each file from its place in the row, in units. Kept until the window closes.
    pub moved: HashMap<PathBuf, Vec2>,
    /// The places of origins that a scene states, instead of those in the row.
    pub fixed: HashMap<PathBuf, Vec2>,
    /// What a scene hides of each file, until the file is shown.
    pub patterns: HashMap<PathBuf, MeshPatterns>,
    /// The file that is being dragged.
    pub dragged: Option<PathBuf>,
    /// Camera and playback of a companion that becomes the shown file.
    pub arrival: Option<Arrival>,
    /// All characters as one.
    together: Cached<Vec<ByAddress<Character>>, Option<Arc<Character>>>,
}

/// Camera and playback of a companion that becomes the shown file, so that nothing moves on the stage.
#[derive(Debug)]
pub struct Arrival {
    /// The camera, in the coordinates of the new file.
    pub camera: Camera,
    /// What the companion plays, in its skins.
    pub animator: Animator,
    /// What its tracks begin to play later.
    pub later: Vec<TrackSpec>,
}

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
    place: Vec2,
    /// Its area around its origin; `None` without a picture.
    area: Option<Rect>,
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

    /// Puts on the skins of the user, or else those of its scene, or else those that a file opens with.
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
    fn go_on(&mut self, shown: &Playback, hidden: &Arc<Hidden>) {
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

impl Lineup {
    /// Returns true if the file at `path` is on the stage with others.
    pub fn is_shown(&self, path: &Path) -> bool {
        self.members.iter().any(|member| member.path == path)
    }

    /// Returns the other characters on the stage that were read, if the file at `path` is on it.
    pub fn companions(&self, path: Option<&Path>) -> impl Iterator<Item = &Member> {
        let is_shown = path.is_some_and(|path| self.is_shown(path));
        let members = self.members.iter().filter(move |_| is_shown);
        members.filter(move |member| Some(member.path.as_path()) != path && member.playback.has_character)
    }

    /// Returns the origin of a file on the stage, in units from the origin of the first file in the row.
    pub fn place(&self, path: &Path) -> Vec2 {
        let member = self.members.iter().find(|member| member.path == path);
        let fixed = self.fixed.get(path).copied();
        fixed.or(member.map(|member| member.place)).unwrap_or_default()
            + self.moved.get(path).copied().unwrap_or_default()
    }

    /// Returns true if a character does not stand in its place in the row.
    pub fn has_moved(&self) -> bool {
        !self.moved.is_empty() || !self.fixed.is_empty()
    }

    /// Returns what a character covers, in the coordinates of the file at `path`; `None` without a picture.
    pub fn area_from(&self, path: &Path, member: &Member) -> Option<Rect> {
        let moved = self.place(&member.path) - self.place(path);
        member.area.map(|area| Rect { min: area.min + moved, max: area.max + moved })
    }

    /// Puts the characters in a row by the areas that they cover around their origins; `None` for those
    /// without a picture. All keep the same ground.
    pub fn arrange(&mut self, areas: &[Option<Rect>]) {
        let known = |area: &Option<Rect>| area.filter(|area| !area.is_empty() && Camera::reaches(*area));
        let areas: Vec<Option<Rect>> = areas.iter().map(known).collect();
        for ((member, x), area) in self.members.iter_mut().zip(row(&areas)).zip(areas) {
            (member.place, member.area) = (vec2(x, 0.0), area);
        }
    }

    /// Lets the shown file at `path`, which becomes a companion, go on with its playback and its hidden parts.
    pub fn leave(&mut self, path: &Path, shown: &Playback, hidden: &Arc<Hidden>) {
        if let Some(member) = self.members.iter_mut().find(|member| member.path == path) {
            member.go_on(shown, hidden);
        }
    }

    /// Prepares for showing the companion at `to` instead of the file at `from`: what it plays and the camera go on.
    /// The controls may have been changed since it last followed them.
    pub fn hand_over(&mut self, [from, to]: [&Path; 2], shown: &Animator, camera: Camera) {
        let moved = self.place(to) - self.place(from);
        let camera = match camera {
            Camera::Fit => Camera::Fit,
            Camera::Free { center, scale } => Camera::Free { center: center - moved, scale },
        };
        let Some(member) = self.members.iter_mut().find(|member| member.path == to) else { return };
        member.follow_controls(shown);
        let Playback { animator, later, .. } = &member.playback;
        self.arrival = Some(Arrival { camera, animator: animator.clone(), later: later.clone() });
    }

    /// Returns several characters, back to front, as one, in which none is placed. `None` if that cannot be counted.
    pub fn together(&mut self, cast: &[Arc<Character>]) -> Option<Arc<Character>> {
        if cast.len() < 2 {
            return None;
        }
        let together = self.together.get(cast.iter().map(ByAddress::of).collect(), || {
            let actor = |(index, character): (usize, &Arc<Character>)| {
                Actor::new(&index.to_string(), Arc::clone(character))
            };
            let actors = cast.iter().enumerate().map(actor).collect();
            let timing = Timing::Frames { count: 1, fps: 1.0 };
            Stage::character(actors, "stage", timing, false).ok().map(Arc::new)
        });
        together.clone()
    }

    /// Takes over which parts of its characters a stage shows and hides.
    pub fn hide(&mut self, stage: &Subject) {
        let specs = stage.stage.iter().zip(stage.names_on_stage());
        self.patterns = specs
            .map(|(spec, name)| {
                let (solo, hidden) = (stage.meshes.clone(), stage.hidden_meshes.clone());
                (PathBuf::from(&spec.file), MeshPatterns { solo, hidden, on_stage: Some(name) })
            })
            .collect();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_row_leaves_a_gap_between_areas() {
        let mut lineup = Lineup::default();
        lineup.members.extend(["a", "b", "c", "d"].map(|path| Member::new(path.into())));
        let area = |min: f32, max: f32| Some(Rect { min: vec2(min, 0.0), max: vec2(max, 10.0) });
        lineup.arrange(&[area(-50.0, 50.0), None, area(-10.0, 90.0), area(0.0, 100.0)]);
        let places = ["a", "b", "c", "d"].map(|path| lineup.place(Path::new(path)).x);
        assert_eq!(places, [0.0, 65.0, 75.0, 180.0]);
        lineup.moved.insert("c".into(), vec2(5.0, 7.0));
        assert_eq!(lineup.place(Path::new("c")), vec2(80.0, 7.0));
    }
}
