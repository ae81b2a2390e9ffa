//! Samples the poses of a character, as local poses of bones: evenly, and more densely where the line between two samples is
//! too far off.

use std::collections::BTreeSet;

use crate::character::Character;
use crate::error::{Error, Place, Result};
use crate::limits::Budget;
use crate::math::DAffine2;
use crate::model::{AnimationId, SkinId};
use crate::motion::spine::{BoneLocal, local_within, world_within};
use crate::motion::{Cue, Cycle, Dynamics, Evaluator, PoseWork, bone_distance};
use crate::pose::Pose;

/// Maximum number of samples of an animation.
const MAX_SAMPLES: f64 = 1e6;

/// How far a bone may be from the line between two samples, in units, if more samples are allowed.
const TOLERANCE: f32 = 0.05;

/// How often the time between two even samples is halved.
const HALVINGS: u32 = 8;

/// How many samples are added even to a short animation.
const MORE: u64 = 16_384;

/// Samples poses of the source.
pub struct Sampler<'c, 'l> {
    source: &'c Character,
    cycles: Option<&'c [Cycle]>,
    fps: f64,
    budget: &'c mut Budget<'l>,
    work: PoseWork,
    skins: Vec<SkinId>,
    /// The work that further samples of each animation may take.
    extra: u64,
    evaluator: Evaluator,
    pose: Pose,
}

/// The local poses of bones at times.
#[derive(Default)]
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
        (fps, extra): (f64, u64),
        budget: &'c mut Budget<'l>,
    ) -> Self {
        Self {
            source,
            cycles,
            fps,
            budget,
            work: PoseWork::new(source, &skins),
            skins,
            extra,
            evaluator: Evaluator::default(),
            pose: Pose::for_model(source.model()),
        }
    }

    /// The local poses of bones at one cue.
    pub fn locals(&mut self, cue: &Cue, bones: &BTreeSet<usize>, rest: &[BoneLocal]) -> Vec<Option<BoneLocal>> {
        let cue = Cue { skins: self.skins.clone(), ..cue.clone() };
        self.evaluator.evaluate(self.source, &cue, &mut self.pose);
        let local = |&bone: &usize| {
            local_within(self.parent_of(bone), self.pose.world_from_bone[bone].as_daffine2(), &rest[bone])
        };
        bones.iter().map(local).collect()
    }

    /// The matrix of a bone's parent in the last pose.
    fn parent_of(&self, bone: usize) -> Option<DAffine2> {
        let parent = self.source.model().skeleton().bones()[bone].parent;
        parent.map(|parent| self.pose.world_from_bone[parent.index()].as_daffine2())
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
        let place = || Place::inside(format!("animations/{}", animation.name));
        let samples =
            samples(animation.duration_secs(), self.fps, jumps, self.cycles.is_some()).ok_or_else(|| {
                Error::unsupported("too-many", place(), "the animation is too long to be baked at this rate")
            })?;
        let count = samples.len() as u64;
        let cycle = self.cycles.map(|cycles| cycles.get(id.index()).copied().unwrap_or_default());
        let played = cycle.map_or(0.0, |cycle| (f64::from(cycle.passes) + 1.0) * animation.duration_secs());
        let steps = (played / Dynamics::STEP_SECS) as u64;
        self.budget.charge_work(count + steps, self.work.of(self.source, Some(id)), place)?;
        let unit = self.work.of(self.source, Some(id)).max(1);
        // Physics needs its steps in order.
        let more = if cycle.is_some() { 0 } else { (self.extra / unit).min(2 * count + MORE) };
        self.budget.charge_memory((count + more) * bones.len() as u64, size_of::<Option<BoneLocal>>(), place)?;
        self.evaluator = Evaluator::with_dynamics(cycle.map(|_| Dynamics::default()));
        let cycle = cycle.unwrap_or_default();
        let course = Course { id, cycle, bones: &bones, rest };
        let dense = (more > 0).then(|| self.sample(&samples, &course, Some(more))).flatten();
        Ok(dense.or_else(|| self.sample(&samples, &course, None)).unwrap_or_default())
    }

    /// The local poses at these times. With `left`, the number of further poses that may be evaluated, also at times
    /// between them; `None` if that does not suffice, since then the bones move too fast everywhere.
    fn sample(&mut self, even: &[Sample], course: &Course<'_>, mut left: Option<u64>) -> Option<Samples> {
        let column = |&bone: &usize| (bone, Vec::with_capacity(even.len()));
        let mut samples = Samples { times: Vec::new(), locals: course.bones.iter().map(column).collect() };
        let mut before: Option<Row> = None;
        for &sample in even {
            let row = self.row(sample, course);
            if let (Some(left), Some(before)) = (&mut left, &before) {
                self.fill([before, &row], HALVINGS, course, left, &mut samples)?;
            }
            samples.push(&row);
            before = Some(row);
        }
        Some(samples)
    }

    fn row(&mut self, sample: Sample, course: &Course<'_>) -> Row {
        let cue = Cue { animation: Some(course.id), ..Cue::default() };
        let cue = course.cycle.cue(self.source, &cue, sample.position);
        Row { sample, locals: self.locals(&cue, course.bones, course.rest) }
    }

    /// Adds samples between two others, until the lines between them are near enough.
    fn fill(
        &mut self,
        ends: [&Row; 2],
        halvings: u32,
        course: &Course<'_>,
        left: &mut u64,
        samples: &mut Samples,
    ) -> Option<()> {
        let [from, to] = ends.map(|end| end.sample);
        let position = from.position.midpoint(to.position);
        let middle = Sample { time: position as f32, position };
        if halvings == 0 || !(from.time < middle.time && middle.time < to.time) {
            return Some(());
        }
        *left = left.checked_sub(1)?;
        let middle = self.row(middle, course);
        if self.distance(ends, course) > TOLERANCE {
            self.fill([ends[0], &middle], halvings - 1, course, left, samples)?;
            samples.push(&middle);
            self.fill([&middle, ends[1]], halvings - 1, course, left, samples)?;
        }
        Some(())
    }

    /// How far bones of the last pose are from the middle of the line between two samples.
    fn distance(&self, ends: [&Row; 2], course: &Course<'_>) -> f32 {
        let of = |(at, &bone): (usize, &usize)| {
            let [from, to] = [ends[0].locals[at]?, ends[1].locals[at]?];
            let turn = to.rotation - from.rotation;
            let middle = BoneLocal {
                translation: from.translation.midpoint(to.translation),
                rotation: from.rotation + (turn - (turn / 360.0).round() * 360.0) / 2.0,
                scale: from.scale.midpoint(to.scale),
                shear: from.shear.midpoint(to.shear),
                inherit: from.inherit,
            };
            let line = world_within(self.parent_of(bone).as_ref(), &middle);
            Some(bone_distance([self.pose.world_from_bone[bone], line.into()]))
        };
        course.bones.iter().enumerate().filter_map(of).fold(0.0, f32::max)
    }
}

/// What is sampled.
struct Course<'s> {
    id: AnimationId,
    cycle: Cycle,
    bones: &'s BTreeSet<usize>,
    rest: &'s [BoneLocal],
}

/// The local poses at one time.
struct Row {
    sample: Sample,
    locals: Vec<Option<BoneLocal>>,
}

impl Samples {
    fn push(&mut self, row: &Row) {
        self.times.push(row.sample.time);
        self.locals.iter_mut().zip(&row.locals).for_each(|((_, locals), local)| locals.push(*local));
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
