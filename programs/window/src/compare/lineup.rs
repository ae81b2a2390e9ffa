//! Several characters on one stage at their true relative size: one unit is one unit for all of them.
//!
//! The shown file is one of them, and all panels belong to it. The others, its companions, only play.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::member::Member;
use crate::base::memo::{ByAddress, Cached};
use crate::parts::hidden::MeshPatterns;
use crate::playback::Playback;
use crate::scene::camera::Camera;
use pchr::draw::Hidden;
use pchr::export::{Subject, TrackSpec, row};
use pchr::math::{Rect, Vec2, vec2};
use pchr::model::Timing;
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
