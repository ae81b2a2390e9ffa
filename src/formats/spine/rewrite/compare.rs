//! How far the bones of two characters with the same bones and animations are apart.

use crate::character::Character;
use crate::error::{Error, Place, Result};
use crate::limits::{Budget, Limits};
use crate::math::Affine2;
use crate::model::{BoneId, SkinId};
use crate::motion::{Cue, Dynamics, Evaluator, PoseWork, Position, default_skins};
use crate::pose::Pose;

/// The axes of a bone are compared at this distance in units.
const REACH: f32 = 100.0;

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

/// The work of comparing exceeded the limits.
pub const UNMEASURED: Option<Worst> = None;

/// Compares all animations in every skin, `rate` times per second. With `physics`, `source` plays its physics. Returns
/// [`UNMEASURED`] if that takes more work than `limits` allow.
pub fn compare(
    [source, result]: [&Character; 2],
    physics: bool,
    rate: f64,
    limits: &Limits,
) -> Result<Option<Worst>> {
    let mut budget = Budget::new(limits);
    let model = source.model();
    let mut worst = Worst { by_bone: vec![0.0; model.skeleton().bones().len()] };
    for skins in skin_choices(source) {
        let mut sides = [Side::new(source, physics), Side::new(result, false)];
        let work = [source, result].map(|side| (side, PoseWork::new(side, &skins)));
        let animations = model.animation_ids().map(Some);
        for animation in std::iter::once(None).chain(animations) {
            let count =
                animation.map_or(0, |id| (source.model().animation(id).duration_secs() * rate).floor() as u64);
            for (side, work) in &work {
                match budget.charge_work(count + 1, work.of(side, animation), Place::default) {
                    Err(Error::LimitExceeded(_)) => return Ok(UNMEASURED),
                    charged => charged?,
                }
            }
            for frame in 0..=count {
                let position = Position::Seconds(frame as f64 / rate);
                let cue = Cue { animation, position, hold: true, skins: skins.clone(), ..Cue::default() };
                sides.iter_mut().for_each(|side| side.show(&cue));
                worst.add(&sides[0].pose, &sides[1].pose);
            }
        }
    }
    Ok(Some(worst))
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
            *worst = worst.max(distance(both));
        }
    }
}

/// The largest distance of the origin, and of points on both axes.
fn distance([a, b]: [Affine2; 2]) -> f32 {
    let tips = |at: Affine2| [at.translation, at.matrix2.x_axis * REACH, at.matrix2.y_axis * REACH];
    let distances = tips(a).into_iter().zip(tips(b)).map(|(a, b)| a.distance(b));
    distances.filter(|distance| !distance.is_nan()).fold(0.0, f32::max)
}
