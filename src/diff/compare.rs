//! Two characters → everything in which they differ.

use std::mem::discriminant;

use super::meshes::{self, Comparison, Meshes};
use super::poses::{Paired, Poses};
use super::posing::Posed;
use super::tolerance::Tolerance;
use super::{Diff, ItemDifference, Options, Side, animations, bones, images, items};
use crate::error::Result;

/// Compares `b` with `a`. The [module](super) has an example.
///
/// Fails where the frames of the characters take more work than [`Options::limits`] allows.
pub fn compare(a: Side<'_>, b: Side<'_>, options: &Options) -> Result<Diff> {
    let tolerance = Tolerance::new(options.epsilon);
    let (in_a, in_b) = (a.character.model(), b.character.model());
    let images = images::matched(in_a, in_b, [a.file, b.file]);
    let bones = bones::matched(in_a, in_b);
    let animations = animations::matched(in_a, in_b);
    let skins = items::skins(in_a, in_b);
    let has_skins = !in_a.skins().is_empty() && !in_b.skins().is_empty();
    let (meshes_a, meshes_b) = (Meshes::of(in_a, has_skins), Meshes::of(in_b, has_skins));
    let meshes = meshes::matched(&meshes_a, &meshes_b);
    let posed = [Posed::new(a.character, &meshes_a), Posed::new(b.character, &meshes_b)];
    let mut poses = Poses::new(posed, Paired { bones: &bones, meshes: &meshes }, tolerance, &options.limits);
    poses.compare(&animations)?;
    poses.compare_in_skins(&animations, &skins)?;
    let comparison =
        Comparison { models: [in_a, in_b], meshes: &meshes, bones: &bones, images: &images, tolerance };
    // What a baked character has lost shows in its poses, where it can be seen.
    let is_one_kind = discriminant(a.character.motion()) == discriminant(b.character.motion());
    let of_one_kind = |found: Vec<ItemDifference>| if is_one_kind { found } else { Vec::new() };
    Ok(Diff {
        animations: animations::compare(a.character, b.character, &animations, tolerance),
        bones: bones::compare(in_a, in_b, &bones),
        constraints: of_one_kind(items::compare_constraints(in_a, in_b)),
        events: of_one_kind(items::compare_events(in_a, in_b)),
        images: images::compare(in_a, in_b, &images),
        meshes: comparison.compare(&meshes_a, &meshes_b),
        poses_compared: poses.compared,
        poses: poses.differences,
        skins: of_one_kind(items::compare_skins(in_a, in_b, &skins)),
        slots: of_one_kind(items::compare_slots(in_a, in_b)),
    })
}
