//! Which keys of an animation have changed between two versions of a character.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use super::findings::Pair;
use crate::base::name::many;
use pchr::Character;
use pchr::diff::Named;
use pchr::error::escaped;
use pchr::math::Affine2;
use pchr::model::{AnimationId, Model};
use pchr::motion::{Cue, Evaluator, KeyTarget, Position, keys};
use pchr::pose::Pose;

/// Largest difference of positions in units, and of directions, that still counts as equal.
const EPSILON: f32 = 0.001;
/// Number of instants that are compared at most.
const MOST_INSTANTS: usize = 4096;

/// The keys that differ.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChangedKeys {
    /// The bones whose place relative to their parents differs at a key, or that only one version keys there, and the
    /// number of such keys: most first.
    pub bones: Vec<(String, usize)>,
    /// Number of keys of everything else at instants at which only one version has one.
    pub others: usize,
    /// The file stores frames instead of keys: a bone has one in each frame in which it moves.
    pub are_frames: bool,
}

impl fmt::Display for ChangedKeys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.bones[..] {
            [] => {}
            [(bone, _)] => write!(f, "bone {bone}, ")?,
            [(first, _), (second, _)] => write!(f, "bones {first} and {second}, ")?,
            [(first, _), rest @ ..] => write!(f, "bone {first} and {} more, ", rest.len())?,
        }
        let count = match self.bones.iter().map(|(_, count)| count).sum() {
            0 => self.others,
            count => count,
        };
        let what = if self.are_frames { "frame" } else { "key" };
        f.write_str(&many(count, what))
    }
}

/// An instant in microseconds: rates may differ between the versions.
type Instant = i64;

/// The instants of the keys of one version, by bone and by anything else.
#[derive(Default)]
struct Keyed {
    bones: BTreeMap<String, BTreeSet<Instant>>,
    others: BTreeSet<(String, Instant)>,
}

/// Returns the keys of an animation that differ; `None` if there are none, or more instants than can be compared.
pub fn of(pair: &Pair, animation: &Named) -> Option<ChangedKeys> {
    let [a, b] = pair.characters.each_ref();
    let ids = [animation_of(a.model(), animation)?, animation_of(b.model(), animation)?];
    let keyed = [Keyed::of(a, ids[0])?, Keyed::of(b, ids[1])?];
    let instants: BTreeSet<Instant> =
        keyed.iter().flat_map(|keyed| keyed.bones.values().flatten().copied()).collect();
    if instants.len() > MOST_INSTANTS {
        return None;
    }
    let mut posed = [Posed::new(a, ids[0]), Posed::new(b, ids[1])];
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for instant in instants {
        posed.iter_mut().for_each(|posed| posed.go_to(instant));
        let names: BTreeSet<&str> = keyed
            .iter()
            .flat_map(|keyed| &keyed.bones)
            .filter(|(_, at)| at.contains(&instant))
            .map(name_of)
            .collect();
        for name in names {
            let is_keyed =
                keyed.each_ref().map(|keyed| keyed.bones.get(name).is_some_and(|at| at.contains(&instant)));
            let [first, second] = posed.each_ref().map(|posed| posed.place(name));
            if is_keyed[0] != is_keyed[1] || !are_equal(first, second) {
                *counts.entry(name).or_default() += 1;
            }
        }
    }
    let mut bones: Vec<(String, usize)> = counts.into_iter().map(|(name, count)| (escaped(name), count)).collect();
    bones.sort_by_key(|(_, count)| usize::MAX - count);
    let others = keyed[0].others.symmetric_difference(&keyed[1].others).count();
    let are_frames = !b.model().animation(ids[1]).is_keyed();
    (!bones.is_empty() || others > 0).then_some(ChangedKeys { bones, others, are_frames })
}

fn name_of<'a>((name, _): (&'a String, &BTreeSet<Instant>)) -> &'a str {
    name
}

/// Returns the animation that `named` means.
pub fn animation_of(model: &Model, named: &Named) -> Option<AnimationId> {
    let mut same = model.animation_ids().filter(|id| *model.animation(*id).name == *named.name);
    same.nth(named.occurrence as usize)
}

impl Keyed {
    /// Returns `None` if there are too many keys.
    fn of(character: &Character, animation: AnimationId) -> Option<Self> {
        let (model, mut keyed) = (character.model(), Self::default());
        let timing = model.animation(animation);
        for row in keys(character, animation) {
            if row.times.len() > MOST_INSTANTS {
                return None;
            }
            let instants = row.times.iter().map(|position| (timing.seconds_at(position) * 1e6).round() as Instant);
            match row.target {
                KeyTarget::Bone(bone) => {
                    let name = model.skeleton().bones().get(bone.index())?.name.to_string();
                    keyed.bones.entry(name).or_default().extend(instants);
                }
                KeyTarget::Slot(slot) => {
                    let name = format!("{} {:?}", model.slot(slot).name, row.channel.name());
                    keyed.others.extend(instants.map(|instant| (name.clone(), instant)));
                }
                KeyTarget::Constraint(_) | KeyTarget::AllPhysics | KeyTarget::DrawOrder | KeyTarget::Events => {
                    let name = format!("{:?} {}", row.target, row.channel.name());
                    keyed.others.extend(instants.map(|instant| (name.clone(), instant)));
                }
            }
        }
        Some(keyed)
    }
}

/// A version at an instant of the animation.
struct Posed<'a> {
    character: &'a Character,
    animation: AnimationId,
    evaluator: Evaluator,
    pose: Pose,
}

impl<'a> Posed<'a> {
    fn new(character: &'a Character, animation: AnimationId) -> Self {
        Self { character, animation, evaluator: Evaluator::default(), pose: Pose::for_model(character.model()) }
    }

    fn go_to(&mut self, instant: Instant) {
        let timing = self.character.model().animation(self.animation);
        let seconds = instant as f64 / 1e6;
        let position = match timing.is_keyed() {
            true => Position::Seconds(seconds),
            false => Position::frame(timing.position_at(seconds).round() as u32),
        };
        let cue = Cue { animation: Some(self.animation), position, hold: true, ..Cue::default() };
        self.evaluator.evaluate(self.character, &cue, &mut self.pose);
    }

    /// Returns the place of a bone relative to its parent.
    fn place(&self, bone: &str) -> Option<Affine2> {
        let model = self.character.model();
        self.pose.parent_from_bone(model, model.skeleton().find(bone)?)
    }
}

fn are_equal(first: Option<Affine2>, second: Option<Affine2>) -> bool {
    match (first, second) {
        (Some(first), Some(second)) => first.abs_diff_eq(second, EPSILON),
        (first, second) => first.is_none() && second.is_none(),
    }
}
