//! Replaces constraints and inheritance by keys of the bones that they move.
//!
//! The poses of the source are sampled; what is written are the local poses that give each bone the same matrix
//! inside its parent.

use std::collections::{BTreeSet, HashSet};

use super::jumps::jumps;
use super::plan::Plan;
use crate::character::Character;
use crate::error::{Error, Place, Result};
use crate::formats::keyframes::kept;
use crate::formats::spine::schema::{Bone, BoneKey, BoneTimelines, Entries, Number, Root, Text};
use crate::formats::spine::translate::remove;
use crate::limits::Budget;
use crate::math::{DAffine2, dvec2};
use crate::model::{AnimationId, SkinId};
use crate::motion::spine::{BoneLocal, Inherit, local_within};
use crate::motion::{Cue, Dynamics, Evaluator, PoseWork, Position};
use crate::pose::Pose;

/// How far a value may be from the line between two keys.
const TRANSLATION: f64 = 1e-4;
const ROTATION: f64 = 1e-4;
const SCALE: f64 = 1e-6;
const SHEAR: f64 = 1e-4;

/// The largest turn between two keys that are further apart than two samples.
const MAX_TURN: f64 = 170.0;

/// Maximum number of samples of an animation.
const MAX_SAMPLES: f64 = 1e6;

/// Bakes what `plan` contains, at `fps` keys per second. `source` is the character of the document.
pub fn bake(
    root: &mut Root<'_>,
    source: &Character,
    plan: &Plan,
    fps: f64,
    budget: &mut Budget<'_>,
) -> Result<()> {
    let bones = plan.all_bones(root, source);
    let mut sampler = Sampler::new(source, plan.has_physics(), plan.skins(root, source), fps, budget);
    let rest: Vec<BoneLocal> = root.bones.iter().map(at_rest).collect();
    let mut baked = Vec::with_capacity(root.animations.0.len());
    let setup = sampler.locals(&Cue::default(), &bones, &rest);
    for index in 0..root.animations.0.len() {
        let changed = plan.inherits.iter().filter(|(animation, _)| *animation == index).map(|(_, bone)| *bone);
        let bones: BTreeSet<usize> = bones.iter().copied().chain(changed).collect();
        let jumps = jumps(&root.animations.0[index].1);
        baked.push(sampler.sample_all(AnimationId::new(index), bones, &rest, &jumps)?);
    }
    remove(root, &plan.constraints.iter().map(|(constraint, _)| constraint.clone()).collect());
    for (&bone, local) in bones.iter().zip(setup) {
        settle(&mut root.bones[bone], local);
    }
    let rest: Vec<BoneLocal> = root.bones.iter().map(at_rest).collect();
    let names: Vec<Text<'_>> = root.bones.iter().map(|bone| bone.name.clone()).collect();
    let is_four = root.version.is_four();
    for ((_, animation), samples) in root.animations.0.iter_mut().zip(baked) {
        let replaced: HashSet<&str> = samples.locals.iter().map(|(bone, _)| names[*bone].as_str()).collect();
        animation.bones.0.retain(|(name, _)| !replaced.contains(name.as_str()));
        for (bone, locals) in samples.locals {
            let timelines = timelines(&samples.times, &locals, &rest[bone], is_four);
            add(&mut animation.bones, &names[bone], timelines);
        }
    }
    Ok(())
}

fn at_rest(bone: &Bone<'_>) -> BoneLocal {
    use crate::formats::spine::schema::Inherit as Stated;
    let number = |number: Number| f64::from(number.0);
    BoneLocal {
        translation: dvec2(number(bone.x), number(bone.y)),
        rotation: number(bone.rotation),
        scale: dvec2(number(bone.scale_x), number(bone.scale_y)),
        shear: dvec2(number(bone.shear_x), number(bone.shear_y)),
        inherit: match bone.inherits() {
            Stated::Normal => Inherit::Normal,
            Stated::OnlyTranslation => Inherit::OnlyTranslation,
            Stated::NoRotationOrReflection => Inherit::NoRotationOrReflection,
            Stated::NoScale => Inherit::NoScale,
            Stated::NoScaleOrReflection => Inherit::NoScaleOrReflection,
        },
    }
}

/// Gives a bone the pose at rest that constraints gave it. Keys are relative to it, so none of its scales is 0.
fn settle(bone: &mut Bone<'_>, local: Option<BoneLocal>) {
    let Some(local) = local else { return };
    let set = |stated: &mut Number, value: f64, tolerance: f64| {
        // What is stated has more digits than the sample.
        if (f64::from(stated.0) - value).abs() > tolerance {
            *stated = Number(value as f32);
        }
    };
    let turns = ((f64::from(bone.rotation.0) - local.rotation) / 360.0).round() * 360.0;
    set(&mut bone.x, local.translation.x, 1e-3);
    set(&mut bone.y, local.translation.y, 1e-3);
    set(&mut bone.rotation, local.rotation + turns, 1e-3);
    set(&mut bone.shear_y, local.shear.y, 1e-3);
    for (stated, value) in [(&mut bone.scale_x, local.scale.x), (&mut bone.scale_y, local.scale.y)] {
        if value.abs() > 1e-5 {
            set(stated, value, 1e-5);
        }
    }
}

/// Samples poses of the source.
struct Sampler<'c, 'l> {
    source: &'c Character,
    physics: bool,
    fps: f64,
    budget: &'c mut Budget<'l>,
    work: PoseWork,
    skins: Vec<SkinId>,
    evaluator: Evaluator,
    pose: Pose,
}

/// The local poses of bones at times.
struct Samples {
    times: Vec<f32>,
    /// `None` where no local pose gives the matrix.
    locals: Vec<(usize, Vec<Option<BoneLocal>>)>,
}

impl<'c, 'l> Sampler<'c, 'l> {
    fn new(
        source: &'c Character,
        physics: bool,
        skins: Vec<SkinId>,
        fps: f64,
        budget: &'c mut Budget<'l>,
    ) -> Self {
        Self {
            source,
            physics,
            fps,
            budget,
            work: PoseWork::new(source, &skins),
            skins,
            evaluator: Evaluator::default(),
            pose: Pose::for_model(source.model()),
        }
    }

    /// The local poses of bones at one cue.
    fn locals(&mut self, cue: &Cue, bones: &BTreeSet<usize>, rest: &[BoneLocal]) -> Vec<Option<BoneLocal>> {
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

    fn sample_all(
        &mut self,
        id: AnimationId,
        bones: BTreeSet<usize>,
        rest: &[BoneLocal],
        jumps: &[f32],
    ) -> Result<Samples> {
        let animation = self.source.model().animation(id);
        let place = || Place { path: format!("animations/{}", animation.name), ..Place::default() };
        let samples = samples(animation.duration_secs(), self.fps, jumps, self.physics).ok_or_else(|| {
            Error::unsupported("too-many", place(), "the animation is too long to be baked at this rate")
        })?;
        let count = samples.len() as u64;
        self.budget.charge_work(count, self.work.of(self.source, Some(id)), place)?;
        self.budget.charge_memory(count * bones.len() as u64, size_of::<Option<BoneLocal>>(), place)?;
        self.evaluator = Evaluator::with_dynamics(self.physics.then(Dynamics::default));
        let mut locals: Vec<(usize, Vec<Option<BoneLocal>>)> =
            bones.iter().map(|&bone| (bone, Vec::with_capacity(samples.len()))).collect();
        for sample in &samples {
            let position = Position::Seconds(sample.position);
            let cue = Cue { animation: Some(id), position, hold: true, ..Cue::default() };
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
/// before. Physics makes steps, and its state before a jump is that of an earlier step.
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

/// The timelines of a bone that is baked.
fn timelines(times: &[f32], locals: &[Option<BoneLocal>], rest: &BoneLocal, is_four: bool) -> BoneTimelines {
    let mut last = *rest;
    // A pose that does not exist repeats the one before, and rotations continue.
    let locals: Vec<BoneLocal> = locals
        .iter()
        .map(|local| {
            let mut local = local.unwrap_or(last);
            local.rotation += ((last.rotation - local.rotation) / 360.0).round() * 360.0;
            last = local;
            local
        })
        .collect();
    let share = |now: f64, rest: f64| if now == rest || rest == 0.0 { 1.0 } else { now / rest };
    let pair = |x, y| BoneKey { x: Some(Number(x as f32)), y: Some(Number(y as f32)), ..BoneKey::default() };
    let rotation = locals.iter().map(|local| [local.rotation - rest.rotation]).collect::<Vec<_>>();
    let translation = locals.iter().map(|local| (local.translation - rest.translation).to_array());
    let scale = locals.iter().map(|it| [share(it.scale.x, rest.scale.x), share(it.scale.y, rest.scale.y)]);
    let shear = locals.iter().map(|local| (local.shear - rest.shear).to_array());
    let angle = |[angle]: [f64; 1]| {
        let value = Some(Number(angle as f32));
        if is_four {
            BoneKey { value, ..BoneKey::default() }
        } else {
            BoneKey { angle: value, ..BoneKey::default() }
        }
    };
    BoneTimelines {
        rotate: keys(times, &rotation, [0.0], [ROTATION], [MAX_TURN], angle),
        translate: keys(times, &translation.collect::<Vec<_>>(), [0.0; 2], [TRANSLATION; 2], FAR, |[x, y]| {
            pair(x, y)
        }),
        scale: keys(times, &scale.collect::<Vec<_>>(), [1.0; 2], [SCALE; 2], FAR, |[x, y]| pair(x, y)),
        shear: keys(times, &shear.collect::<Vec<_>>(), [0.0; 2], [SHEAR; 2], FAR, |[x, y]| pair(x, y)),
        ..BoneTimelines::default()
    }
}

const FAR: [f64; 2] = [f64::INFINITY; 2];

/// As few keys as give all values by linear interpolation; none if they are always `rest`.
fn keys<const N: usize>(
    times: &[f32],
    values: &[[f64; N]],
    rest: [f64; N],
    tolerance: [f64; N],
    reach: [f64; N],
    key: impl Fn([f64; N]) -> BoneKey,
) -> Vec<BoneKey> {
    if values.iter().all(|value| (0..N).all(|i| (value[i] - rest[i]).abs() <= tolerance[i])) {
        return Vec::new();
    }
    let mut places: Vec<usize> = Vec::new();
    for run in even_runs(times) {
        let start = run.start;
        places.extend(kept(&values[run.clone()], tolerance, reach).into_iter().map(|at| start + at));
        // The next run begins elsewhere, so the value at the end of this one counts.
        places.push(run.end - 1);
    }
    places.dedup();
    let is_same = |a: usize, b: usize| (0..N).all(|i| (values[a][i] - values[b][i]).abs() <= tolerance[i]);
    // Where nothing jumps, one key is enough.
    places.dedup_by(|at, before| times[*at] == times[*before] && is_same(*at, *before));
    places.into_iter().map(|at| BoneKey { time: Number(times[at]), ..key(values[at]) }).collect()
}

/// Ranges of evenly spaced times, one after another.
fn even_runs(times: &[f32]) -> Vec<std::ops::Range<usize>> {
    let mut runs = Vec::new();
    let mut start = 0;
    for at in 2..times.len() {
        let [before, now] = [times[at - 1] - times[at - 2], times[at] - times[at - 1]].map(f64::from);
        if at - start >= 2
            && (now - before).abs() > 1e-4 * before.max(now) + 4.0 * f64::from(f32::EPSILON * times[at])
        {
            runs.push(start..at);
            start = at;
        }
    }
    runs.push(start..times.len());
    runs
}

/// Adds the timelines of a bone.
fn add<'a>(bones: &mut Entries<'a, BoneTimelines>, name: &Text<'a>, timelines: BoneTimelines) {
    let lists = [&timelines.rotate, &timelines.translate, &timelines.scale, &timelines.shear];
    if lists.iter().any(|keys| !keys.is_empty()) {
        bones.0.push((name.clone(), timelines));
    }
}
