//! The search for the pass, and its cues.

use super::Cycle;
use crate::character::Character;
use crate::math::Affine2;
use crate::model::{AnimationId, SkinId};
use crate::motion::{Cue, Dynamics, Evaluator, Position, has_physics};
use crate::pose::Pose;

impl Cycle {
    /// The largest difference of two passes that are considered the same, in units.
    pub(crate) const TOLERANCE: f32 = 0.05;
    /// How far the end of a loop may be from its start, in units, without physics.
    const GAP: f32 = 0.1;
    /// Instants of each pass that are compared.
    const INSTANTS: u32 = 16;
    /// The largest number of passes that are played.
    const MAX_PASSES: u32 = 1000;
    /// Ensures that an instant is not before its pass, nor before a step of physics, despite rounding, in seconds.
    const LATER: f64 = 1e-6;

    /// Plays `animation` in `skins` until a pass looks like the one before it. `charge` is called with the number of poses before they are
    /// evaluated.
    ///
    /// # Errors
    ///
    /// The error of `charge`.
    ///
    /// # Panics
    ///
    /// Panics if `character` does not have `animation`.
    #[track_caller]
    pub(crate) fn of<E>(
        character: &Character,
        animation: AnimationId,
        skins: &[SkinId],
        mut charge: impl FnMut(u64) -> Result<(), E>,
    ) -> Result<Self, E> {
        let timing = character.model().animation(animation);
        let duration = timing.duration_secs();
        let most = (Dynamics::MAX_REPLAY_SECS / duration) as u32;
        if !has_physics(character) || !timing.looping || duration <= 0.0 || most < 2 {
            return Ok(Self::default());
        }
        charge(2)?;
        let cue = Cue { animation: Some(animation), interpolate: true, skins: skins.to_vec(), ..Cue::default() };
        let still = |seconds| {
            let mut pose = Pose::default();
            let cue = Cue { position: Position::Seconds(seconds), hold: true, ..cue.clone() };
            Evaluator::default().evaluate(character, &cue, &mut pose);
            pose.world_from_bone
        };
        if farthest(&still(0.0), &still(duration)) > Self::GAP {
            return Ok(Self::default());
        }
        let mut evaluator = Evaluator::with_dynamics(Some(Dynamics::default()));
        let mut pose = Pose::default();
        let mut before = vec![Vec::new(); Self::INSTANTS as usize];
        let mut cycle = Self::default();
        for passes in 0..most.min(Self::MAX_PASSES) {
            charge(u64::from(Self::INSTANTS) + (duration / Dynamics::STEP_SECS) as u64)?;
            let mut difference: f32 = 0.0;
            for (instant, before) in (0..).zip(&mut before) {
                let seconds = duration * f64::from(instant) / f64::from(Self::INSTANTS);
                let pass = Self { passes, difference };
                evaluator.evaluate(character, &pass.cue(character, &cue, seconds), &mut pose);
                difference = difference.max(farthest(before, &pose.world_from_bone));
                before.clone_from(&pose.world_from_bone);
            }
            if passes > 0 && difference <= Self::TOLERANCE {
                return Ok(Self { passes: passes - 1, difference });
            }
            cycle = Self { passes, difference };
        }
        Ok(cycle)
    }

    /// Returns `cue` at `seconds` of this pass of its animation.
    #[must_use]
    pub(crate) fn cue(self, character: &Character, cue: &Cue, seconds: f64) -> Cue {
        let duration = cue.animation.map_or(0.0, |id| character.model().animation(id).duration_secs());
        let start = if self.passes == 0 { 0.0 } else { f64::from(self.passes) * duration + Self::LATER };
        Cue { position: Position::Seconds(start + seconds), hold: self.passes == 0, ..cue.clone() }
    }

    /// Which pass it is, in words for a report on a bake. `None` if that is the first, and the second looks the same.
    pub(crate) fn remark(self) -> Option<String> {
        let Self { passes, difference } = self;
        let baked = passes + 1;
        if difference > Self::TOLERANCE {
            return Some(format!(
                "pass {baked} of the loop was baked, in which physics does not repeat itself yet: bones are up to \
                 {difference:.3} units from where they were in the previous pass"
            ));
        }
        (passes > 0).then(|| {
            format!(
                "pass {baked} of the loop was baked; in the next one, as pchr plays it, bones are up to {difference:.3} \
                 units from there"
            )
        })
    }
}

/// The largest distance of bones from their places in another pose.
fn farthest(a: &[Affine2], b: &[Affine2]) -> f32 {
    a.iter().zip(b).map(|(a, b)| bone_distance([*a, *b])).fold(0.0, f32::max)
}

/// The largest distance of two places of a bone: of its origin, and of points on both axes.
pub fn bone_distance([a, b]: [Affine2; 2]) -> f32 {
    /// The distance of these points from the origin, in units.
    const REACH: f32 = 100.0;
    let tips = |at: Affine2| [at.translation, at.matrix2.x_axis * REACH, at.matrix2.y_axis * REACH];
    let distances = tips(a).into_iter().zip(tips(b)).map(|(a, b)| match (a.is_nan(), b.is_nan()) {
        (true, true) => 0.0,
        (false, false) => a.distance(b),
        (true, false) | (false, true) => f32::INFINITY,
    });
    // Infinite on both sides is no difference.
    distances.filter(|distance| !distance.is_nan()).fold(0.0, f32::max)
}
