//! Two characters → everything in which they differ.

use std::mem::discriminant;

use super::meshes::{self, Comparison, Meshes};
use super::poses::Poses;
use super::posing::Posed;
use super::report::{Diff, Side, ThingDifference};
use super::tolerance::Tolerance;
use super::{animations, bones, images, things};
use crate::character::Character;
use crate::cli::json_output::JsonOutput;
use crate::error::Result;
use crate::limits::Limits;

/// Compares `b` with `a`. `sides` tells of both.
pub fn compare(
    a: &Character,
    b: &Character,
    sides: [Side; 2],
    tolerance: Tolerance,
    limits: &Limits,
) -> Result<Diff> {
    let (in_a, in_b) = (a.model(), b.model());
    let images = images::matched(in_a, in_b, sides.each_ref().map(|side| side.file.as_str()));
    let bones = bones::matched(in_a, in_b);
    let animations = animations::matched(in_a, in_b);
    let skins = things::skins(in_a, in_b);
    let has_skins = !in_a.skins().is_empty() && !in_b.skins().is_empty();
    let (meshes_a, meshes_b) = (Meshes::of(in_a, has_skins), Meshes::of(in_b, has_skins));
    let meshes = meshes::matched(&meshes_a, &meshes_b);
    let (posed_a, posed_b) = (Posed::new(a, &meshes_a), Posed::new(b, &meshes_b));
    let mut all_poses = Poses::new(posed_a, posed_b, &bones, &meshes, tolerance, limits);
    let (mut poses, mut frames) = all_poses.compare(&animations)?;
    frames += all_poses.compare_in_skins(&animations, &skins, &mut poses)?;
    let comparison =
        Comparison { models: [in_a, in_b], meshes: &meshes, bones: &bones, images: &images, tolerance };
    let [side_a, side_b] = sides;
    // What a baked character has lost is told by its poses, where it can be seen.
    let is_one_kind = discriminant(a.motion()) == discriminant(b.motion());
    let things = |found: Vec<ThingDifference>| if is_one_kind { found } else { Vec::new() };
    let mut diff = Diff {
        a: side_a,
        animations: animations::compare(a, b, &animations, tolerance),
        b: side_b,
        bones: bones::compare(in_a, in_b, &bones),
        constraints: things(things::compare_constraints(in_a, in_b)),
        epsilon: tolerance.epsilon(),
        events: things(things::compare_events(in_a, in_b)),
        frames,
        images: images::compare(in_a, in_b, &images),
        meshes: comparison.compare(&meshes_a, &meshes_b),
        poses,
        same: false,
        schema: Diff::SCHEMA,
        skins: things(things::compare_skins(in_a, in_b, &skins)),
        slots: things(things::compare_slots(in_a, in_b)),
    };
    diff.same = diff.animations.is_empty()
        && diff.bones.is_empty()
        && diff.constraints.is_empty()
        && diff.events.is_empty()
        && diff.skins.is_empty()
        && diff.slots.is_empty()
        && diff.images.is_empty()
        && diff.meshes.is_empty()
        && diff.poses.is_empty();
    Ok(diff)
}
