//! How far the bones of two characters with the same bones and animations are apart.

use crate::character::Character;
use crate::model::{AnimationId, BoneId, SkinId};
use crate::motion::{Cue, Cycle, Dynamics, Evaluator, PoseWork, bone_distance, default_skins};
use crate::pose::Pose;

/// The largest distances of bones.
#[derive(Debug, Default)]
pub struct Worst {
    by_bone: Vec<f32>,
}

impl Worst {
    /// The largest distance of a bone in any pose, in units.
    pub fn of_bone(&self, bone: usize) -> f32 {
        self.by_bone.get(bone).copied().unwrap_or_default()
    }

    /// The largest distance of any bone.
    pub fn of_all(&self) -> f32 {
        self.by_bone.iter().copied().fold(0.0, f32::max)
    }
}

/// Who plays physics while two characters are compared.
#[derive(Debug, Clone, Copy)]
pub enum Physics<'a> {
    Nobody,
    /// The source, in these passes of each animation, because the result states what it does.
    Source(&'a [Cycle]),
    Both,
}

/// Compares all animations in every skin, `rate` times per second, or less often if that takes more than `work`. Physics
/// needs all poses. Returns `None` if that takes too much, or if a single pose of every animation in every skin does.
pub fn compare(both: [&Character; 2], physics: Physics<'_>, rate: f64, work: u64) -> Option<Worst> {
    let [source, result] = both;
    let mut worst = Worst { by_bone: vec![0.0; source.model().skeleton().bones().len()] };
    let choices: Vec<Choice> = skin_choices(source).into_iter().map(|skins| Choice::new(skins, both)).collect();
    let animations: Vec<(Option<AnimationId>, u64)> = courses(source, rate).collect();
    let needed = |step: u64| -> u128 {
        let pairs = choices.iter().flat_map(|choice| animations.iter().map(move |course| (choice, course)));
        let needed = pairs.map(|(choice, &(animation, frames))| {
            (u128::from(frames / step) + 1) * u128::from(choice.work(both, animation))
        });
        needed.fold(0, u128::saturating_add)
    };
    let [of_source, of_result] = match physics {
        Physics::Nobody => [false, false],
        Physics::Source(_) => [true, false],
        Physics::Both => [true, true],
    };
    let step = if of_source { 1 } else { needed(1).div_ceil(u128::from(work.max(1))).max(1) };
    let step = u64::try_from(step).unwrap_or(u64::MAX);
    // Every animation has a first pose, however far apart the others are.
    if needed(step) > 2 * u128::from(work) {
        return None;
    }
    for choice in choices {
        let mut sides = [Side::new(source, of_source), Side::new(result, of_result)];
        for &(animation, frames) in &animations {
            for at in 0..=frames / step {
                let cue = Cue { animation, skins: choice.skins.clone(), ..Cue::default() };
                let cycle = match physics {
                    Physics::Source(cycles) => animation.and_then(|id| cycles.get(id.index()).copied()),
                    Physics::Nobody | Physics::Both => None,
                };
                let cycle = cycle.unwrap_or_default();
                let seconds = (at * step) as f64 / rate;
                sides[0].show(&cycle.cue(source, &cue, seconds));
                sides[1].show(&Cycle::default().cue(result, &cue, seconds));
                worst.add(&sides[0].pose, &sides[1].pose);
            }
        }
    }
    Some(worst)
}

/// The rest pose and all animations, with the number of frames after the first.
fn courses(character: &Character, rate: f64) -> impl Iterator<Item = (Option<AnimationId>, u64)> {
    let model = character.model();
    let frames = move |id| (model.animation(id).duration_secs() * rate).floor() as u64;
    std::iter::once((None, 0)).chain(model.animation_ids().map(move |id| (Some(id), frames(id))))
}

/// Skins to compare, and the work of a pose on both sides.
struct Choice {
    skins: Vec<SkinId>,
    work: [PoseWork; 2],
}

impl Choice {
    fn new(skins: Vec<SkinId>, both: [&Character; 2]) -> Self {
        Self { work: both.map(|side| PoseWork::new(side, &skins)), skins }
    }

    fn work(&self, both: [&Character; 2], animation: Option<AnimationId>) -> u64 {
        let works = self.work.iter().zip(both).map(|(work, side)| work.of(side, animation));
        works.fold(0, u64::saturating_add)
    }
}

/// No skin, and each besides the default ones alone.
fn skin_choices(character: &Character) -> Vec<Vec<SkinId>> {
    let always = default_skins(character);
    let skins = character.model().skin_ids().filter(|skin| !always.contains(skin));
    std::iter::once(Vec::new()).chain(skins.map(|skin| vec![skin])).collect()
}

/// A character and its pose.
struct Side<'a> {
    character: &'a Character,
    evaluator: Evaluator,
    pose: Pose,
}

impl<'a> Side<'a> {
    fn new(character: &'a Character, physics: bool) -> Self {
        let evaluator = Evaluator::with_dynamics(physics.then(Dynamics::default));
        Self { character, evaluator, pose: Pose::for_model(character.model()) }
    }

    fn show(&mut self, cue: &Cue) {
        self.evaluator.evaluate(self.character, cue, &mut self.pose);
    }
}

impl Worst {
    fn add(&mut self, expected: &Pose, found: &Pose) {
        for (index, worst) in self.by_bone.iter_mut().enumerate() {
            if expected.inactive_bones.binary_search(&BoneId::new(index)).is_ok() {
                continue;
            }
            let both = [expected, found].map(|pose| pose.world_from_bone[index]);
            *worst = worst.max(bone_distance(both));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{character, read};
    use super::*;
    use crate::diagnostics::Diagnostics;
    use crate::limits::{Budget, Limits};

    /// Two bones; in an animation of `secs` seconds, one is at `x` in the end.
    fn moving(secs: f32, x: f32) -> Character {
        let text = format!(
            r#"{{"skeleton":{{"spine":"4.2.43"}},"bones":[{{"name":"root"}},{{"name":"a","parent":"root","x":{x}}}],
            "animations":{{"far":{{"bones":{{"a":{{"translatex":[{{}},{{"time":{secs},"value":{x}}}]}}}}}}}}}}"#
        );
        let limits = Limits::default();
        let root = read::read(text.as_bytes(), &mut Budget::new(&limits), &mut Diagnostics::default()).unwrap();
        character(&root, &limits).unwrap()
    }

    #[test]
    fn long_animations_are_compared_at_fewer_times() {
        for secs in [1.0, 1e6, 1e30, 3e38] {
            let [a, b] = [1.0, 3.0].map(|x| moving(secs, x));
            let worst = compare([&a, &b], Physics::Nobody, 60.0, 1 << 20).expect("a few poses fit");
            assert!(worst.of_bone(1) >= 2.0 && worst.of_bone(0) == 0.0, "{secs}: {worst:?}");
        }
    }

    #[test]
    fn physics_needs_all_poses() {
        let [a, b] = [1.0, 3.0].map(|x| moving(1e30, x));
        assert!(compare([&a, &b], Physics::Source(&[]), 60.0, 1 << 20).is_none());
        assert!(compare([&a, &b], Physics::Nobody, 60.0, 1).is_none(), "not even one pose fits");
    }
}
