//! Samples the poses of a character, as local poses of bones.

use std::collections::BTreeSet;

use crate::character::Character;
use crate::error::{Error, Place, Result};
use crate::limits::Budget;
use crate::math::DAffine2;
use crate::model::{AnimationId, SkinId};
use crate::motion::spine::{BoneLocal, local_within};
use crate::motion::{Cue, Cycle, Dynamics, Evaluator, PoseWork};
use crate::pose::Pose;

/// Maximum number of samples of an animation.
const MAX_SAMPLES: f64 = 1e6;

/// Samples poses of the source.
pub struct Sampler<'c, 'l> {
    source: &'c Character,
    cycles: Option<&'c [Cycle]>,
    fps: f64,
    budget: &'c mut Budget<'l>,
    work: PoseWork,
    skins: Vec<SkinId>,
    evaluator: Evaluator,
    pose: Pose,
}

/// The local poses of bones at times.
pub struct Samples {
    pub times: Vec<f32>,
    /// `None` where no local pose gives the matrix.
    pub locals: Vec<(usize, Vec<Option<BoneLocal>>)>,
}

impl<'c, 'l> Sampler<'c, 'l> {
    pub fn new(
        source: &'c Character,
        cycles: Option<&'c [Cycle]>,
        skins: Vec<SkinId>,
        fps: f64,
        budget: &'c mut Budget<'l>,
    ) -> Self {
        Self {
            source,
            cycles,
            fps,
            budget,
            work: PoseWork::new(source, &skins),
            skins,
            evaluator: Evaluator::default(),
            pose: Pose::for_model(source.model()),
        }
    }

    /// The local poses of bones at one cue.
    pub fn locals(&mut self, cue: &Cue, bones: &BTreeSet<usize>, rest: &[BoneLocal]) -> Vec<Option<BoneLocal>> {
        let cue = Cue { skins: self.skins.clone(), ..cue.clone() };
        self.evaluator.evaluate(self.source, &cue, &mut self.pose);
        let world = |bone: usize| {
            let matrix = self.pose.world_from_bone[bone];
            DAffine2 { matrix2: matrix.matrix2.as_dmat2(), translation: matrix.translation.as_dvec2() }
        };
        let parents = self.source.model().skeleton().bones();
        let local = |&bone: &usize| {
            local_within(parents[bone].parent.map(|parent| world(parent.index())), world(bone), &rest[bone])
        };
        bones.iter().map(local).collect()
    }

    /// The local poses of bones in an animation. `jumps`: the times at which bones jump.
    ///
    /// # Errors
    ///
    /// The animation is too long for the rate, or a limit is exceeded.
    pub fn sample_all(
        &mut self,
        id: AnimationId,
        bones: BTreeSet<usize>,
        rest: &[BoneLocal],
        jumps: &[f32],
    ) -> Result<Samples> {
        let animation = self.source.model().animation(id);
        let place = || Place { path: format!("animations/{}", animation.name), ..Place::default() };
        let samples =
            samples(animation.duration_secs(), self.fps, jumps, self.cycles.is_some()).ok_or_else(|| {
                Error::unsupported("too-many", place(), "the animation is too long to be baked at this rate")
            })?;
        let count = samples.len() as u64;
        let cycle = self.cycles.map(|cycles| cycles.get(id.index()).copied().unwrap_or_default());
        let played = cycle.map_or(0.0, |cycle| (f64::from(cycle.passes) + 1.0) * animation.duration_secs());
        let steps = (played / Dynamics::STEP_SECS) as u64;
        self.budget.charge_work(count + steps, self.work.of(self.source, Some(id)), place)?;
        self.budget.charge_memory(count * bones.len() as u64, size_of::<Option<BoneLocal>>(), place)?;
        self.evaluator = Evaluator::with_dynamics(cycle.map(|_| Dynamics::default()));
        let mut locals: Vec<(usize, Vec<Option<BoneLocal>>)> =
            bones.iter().map(|&bone| (bone, Vec::with_capacity(samples.len()))).collect();
        for sample in &samples {
            let cue = Cue { animation: Some(id), ..Cue::default() };
            let cue = cycle.unwrap_or_default().cue(self.source, &cue, sample.position);
            let sampled = self.locals(&cue, &bones, rest);
            locals.iter_mut().zip(sampled).for_each(|((_, locals), local)| locals.push(local));
        }
        Ok(Samples { times: samples.iter().map(|sample| sample.time).collect(), locals })
    }
}

/// A time at which poses are sampled.
#[derive(Debug, Clone, Copy)]
struct Sample {
    /// The time of the key.
    time: f32,
    /// The position in the animation, in seconds.
    position: f64,
}

/// Evenly spaced samples, the end, and both sides of each jump: of two keys at one time, the first ends what comes
/// before. Physics advances in fixed steps, so the state before a jump comes from the previous step.
fn samples(duration: f64, fps: f64, jumps: &[f32], physics: bool) -> Option<Vec<Sample>> {
    let count = (duration * fps).ceil();
    if count.is_nan() || count > MAX_SAMPLES {
        return None;
    }
    let both = jumps.iter().flat_map(|&time| sides(time, physics)).filter(|sample| sample.position >= 0.0);
    let even = (0..count as u32).map(|frame| f64::from(frame) / fps).chain([duration]);
    let even = even.map(|position| Sample { time: position as f32, position });
    let even = even.filter(|sample| jumps.binary_search_by(|jump| jump.total_cmp(&sample.time)).is_err());
    let mut samples: Vec<Sample> = both.chain(even).collect();
    samples.sort_by(|a, b| a.time.total_cmp(&b.time));
    Some(samples)
}

/// The samples on both sides of a jump. A step of physics at nearly the same time is on the side on which players
/// that make it see the jump.
fn sides(time: f32, physics: bool) -> [Sample; 2] {
    /// More than the rounding errors of times.
    const SIDE: f64 = 1e-5;
    let exact = f64::from(time);
    let side = if physics { SIDE } else { 0.0 };
    let step = (exact / Dynamics::STEP_SECS).round() * Dynamics::STEP_SECS;
    let is_near = (step - exact).abs() < 0.1 * SIDE;
    let [before, after] = match step < exact {
        true if is_near => [step, exact + side],
        false if is_near => [f64::from(time.next_down()) - side, step],
        _ => [f64::from(time.next_down()) - side, exact + side],
    };
    [before, after].map(|position| Sample { time, position })
}
