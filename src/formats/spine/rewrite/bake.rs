//! Replaces constraints and inheritance by keys of the bones that they move.
//!
//! The poses of the source are sampled. The written local poses give each bone the same matrix relative to its parent.

use std::collections::{BTreeSet, HashSet};

use super::jumps::jumps;
use super::plan::Plan;
use super::sampler::Sampler;
use crate::character::Character;
use crate::error::Result;
use crate::formats::keyframes::kept;
use crate::formats::spine::schema::{Bone, BoneTimelines, Curve, Keys, MAX_WIDTH, Number, Property, Root, Text};
use crate::formats::spine::translate::remove;
use crate::limits::Budget;
use crate::math::dvec2;
use crate::model::AnimationId;
use crate::motion::spine::{BoneLocal, Inherit};
use crate::motion::{Cue, Cycle};

/// How far a value may be from the line between two keys.
const TRANSLATION: f64 = 1e-4;
const ROTATION: f64 = 1e-4;
const SCALE: f64 = 1e-6;
const SHEAR: f64 = 1e-4;

/// The largest turn between two keys that are further apart than two samples.
const MAX_TURN: f64 = 170.0;

/// Bakes what `plan` contains, at `fps` keys per second, and at more where bones would be off, as far as the work `extra`
/// allows for each animation. `source` is the character of the document. With `cycles`, it plays physics.
pub fn bake(
    root: &mut Root<'_>,
    source: &Character,
    plan: &Plan,
    cycles: Option<&[Cycle]>,
    (fps, extra): (f64, u64),
    budget: &mut Budget<'_>,
) -> Result<()> {
    let bones = plan.all_bones(root, source);
    let mut sampler = Sampler::new(source, cycles, plan.skins(root, source), (fps, extra), budget);
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
            if !timelines.is_empty() {
                animation.bones.0.push((names[bone].clone(), timelines));
            }
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

/// The timelines of a bone that is baked.
fn timelines(
    times: &[f32],
    locals: &[Option<BoneLocal>],
    rest: &BoneLocal,
    is_four: bool,
) -> BoneTimelines<'static> {
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
    let rotation = locals.iter().map(|local| [local.rotation - rest.rotation]).collect::<Vec<_>>();
    let translation = locals.iter().map(|local| (local.translation - rest.translation).to_array());
    let scale = locals.iter().map(|it| [share(it.scale.x, rest.scale.x), share(it.scale.y, rest.scale.y)]);
    let shear = locals.iter().map(|local| (local.shear - rest.shear).to_array());
    let mut timelines = BoneTimelines::default();
    let mut put = |property, places: Vec<usize>, values: &dyn Fn(usize) -> [f64; 2]| {
        let mut keys = Keys::new(property);
        for at in places {
            let mut numbers = [0.0; MAX_WIDTH];
            numbers.iter_mut().zip(values(at)).for_each(|(number, value)| *number = value as f32);
            keys.add(times[at], Curve::Linear, &numbers, is_four);
        }
        timelines.put(keys);
    };
    let places = keys(times, &rotation, [0.0], [ROTATION], [MAX_TURN]);
    put(Property::Rotate, places, &|at| [rotation[at][0], 0.0]);
    for (property, values, rest, tolerance) in [
        (Property::Translate, translation.collect::<Vec<_>>(), 0.0, TRANSLATION),
        (Property::Scale, scale.collect(), 1.0, SCALE),
        (Property::Shear, shear.collect(), 0.0, SHEAR),
    ] {
        put(property, keys(times, &values, [rest; 2], [tolerance; 2], FAR), &|at| values[at]);
    }
    timelines
}

const FAR: [f64; 2] = [f64::INFINITY; 2];

/// The indices of as few keys as give all values by linear interpolation; none if they are always `rest`.
fn keys<const N: usize>(
    times: &[f32],
    values: &[[f64; N]],
    rest: [f64; N],
    tolerance: [f64; N],
    reach: [f64; N],
) -> Vec<usize> {
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
    places
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
