//! Two characters → everything in which they differ.

use super::meshes::{self, Comparison, Meshes};
use super::poses::Poses;
use super::posing::Posed;
use super::report::{Diff, Side};
use super::tolerance::Tolerance;
use super::{animations, bones, images};
use crate::character::Character;
use crate::cli::schema::JsonOutput;

/// Compares `b` with `a`. `sides` tells of both.
pub fn compare(a: &Character, b: &Character, sides: [Side; 2], tolerance: Tolerance) -> Diff {
    let (in_a, in_b) = (a.model(), b.model());
    let images = images::matched(in_a, in_b);
    let bones = bones::matched(in_a, in_b);
    let animations = animations::matched(in_a, in_b);
    let (meshes_a, meshes_b) = (Meshes::of(in_a), Meshes::of(in_b));
    let meshes = meshes::matched(&meshes_a, &meshes_b);
    let (posed_a, posed_b) = (Posed::new(a, &meshes_a), Posed::new(b, &meshes_b));
    let (poses, frames) = Poses::new(posed_a, posed_b, &bones, &meshes, tolerance).compare(&animations);
    let comparison =
        Comparison { models: [in_a, in_b], meshes: &meshes, bones: &bones, images: &images, tolerance };
    let [side_a, side_b] = sides;
    let mut diff = Diff {
        a: side_a,
        animations: animations::compare(in_a, in_b, &animations, tolerance),
        b: side_b,
        bones: bones::compare(in_a, in_b, &bones),
        epsilon: tolerance.epsilon(),
        frames,
        images: images::compare(in_a, in_b, &images),
        meshes: comparison.compare(&meshes_a, &meshes_b),
        poses,
        same: false,
        schema: Diff::SCHEMA,
    };
    diff.same = diff.animations.is_empty()
        && diff.bones.is_empty()
        && diff.images.is_empty()
        && diff.meshes.is_empty()
        && diff.poses.is_empty();
    diff
}
