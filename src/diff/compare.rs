//! Compares two characters and collects all differences.

use std::mem::discriminant;

use super::differences::Contents;
use super::meshes::{self, Comparison, Meshes};
use super::poses::{Paired, Poses};
use super::posing::Posed;
use super::tolerance::Tolerance;
use super::{Diff, ItemDifference, Options, Side, animations, bones, images, items};
use crate::error::Result;

/// Compares `b` with `a`. The [module](super) has an example.
///
/// # Errors
///
/// If posing and comparing takes more work than [`Options::limits`] allows.
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
    // What a baked character has lost shows in its poses, if it is visible at all.
    let is_one_kind = discriminant(a.character.motion()) == discriminant(b.character.motion());
    let of_one_kind = |found: Vec<ItemDifference>| if is_one_kind { found } else { Vec::new() };
    let mut diff = Diff {
        a: Contents::of(a),
        animations: animations::compare(a.character, b.character, &animations, tolerance),
        b: Contents::of(b),
        bones: bones::compare(a.character, b.character, &bones),
        constraints: of_one_kind(items::compare_constraints(a.character, b.character)),
        epsilon: options.epsilon,
        events: of_one_kind(items::compare_events(a.character, b.character)),
        frames: poses.compared,
        images: images::compare(in_a, in_b, &images),
        keys: Vec::new(),
        meshes: comparison.compare(&meshes_a, &meshes_b),
        more_keys: 0,
        poses: poses.differences,
        same: false,
        #[cfg(feature = "schemas")]
        schema: Diff::SCHEMA,
        skins: of_one_kind(items::compare_skins(a.character, b.character, &skins)),
        slots: of_one_kind(items::compare_slots(a.character, b.character)),
    };
    diff.same = diff.lines().is_empty();
    Ok(diff)
}

#[cfg(test)]
#[cfg(feature = "convert")]
mod tests {
    use super::*;
    use crate::character::Character;
    use crate::diff::FoundIn;
    use crate::formats::pchr::schema::{Animation, Bone, BoneTransform, File, Image};
    use crate::formats::pchr::write;
    use crate::limits::Limits;

    /// A bone that moves to `x`, and another one named `extra`.
    fn character(x: f32, extra: &str) -> Character {
        let at = |x: f32| vec![BoneTransform { x, ..BoneTransform::default() }, BoneTransform::default()];
        let bone = |name: &str, parent| Bone { name: name.to_owned(), parent, offset: 0 };
        let image =
            Image { width: 1, height: 1, format: Image::RGBA8888, data: vec![255; 4].into(), ..Image::default() };
        let file = File {
            fps: 24,
            images: vec![image],
            bones: vec![bone("root", -1), bone(extra, 0)],
            animations: vec![Animation::new("walk", true, &[at(0.0), at(x)])],
            ..File::default()
        };
        Character::from_bytes(write(&file).unwrap()).unwrap()
    }

    fn diff(a: &Character, b: &Character, options: &Options) -> Result<Diff> {
        compare(Side { character: a, file: "a.pchr" }, Side { character: b, file: "b.pchr" }, options)
    }

    #[test]
    fn each_kind_of_difference_is_listed_once() {
        let (a, b) = (character(1.0, "tail"), character(5.0, "wing"));
        let found = diff(&a, &b, &Options::default()).unwrap();
        let bones: Vec<_> = found.bones.iter().map(|bone| (bone.named.name.as_str(), bone.found_in)).collect();
        assert_eq!(bones, [("tail", FoundIn::A), ("wing", FoundIn::B)]);
        let [pose] = &found.poses[..] else { panic!("{found:?}") };
        let farthest = pose.bones.as_ref().unwrap();
        assert_eq!((&*farthest.bone.name, farthest.distance, farthest.frame), ("root", 4.0, 1));
        assert_eq!(found.poses_compared(), 3);
        assert!(!found.is_empty());
        assert!(diff(&a, &a, &Options::default()).unwrap().is_empty());
    }

    #[test]
    fn an_epsilon_that_is_not_positive_compares_exactly() {
        let (a, b) = (character(1.0, "tail"), character(1.0f32.next_up(), "tail"));
        let with = |epsilon: f32| diff(&a, &b, &Options { epsilon, ..Options::default() }).unwrap().is_empty();
        assert!(with(0.001));
        for exact in [0.0, -0.0, -1.0, f32::NAN, f32::NEG_INFINITY] {
            assert!(!with(exact), "{exact}");
        }
    }

    #[test]
    fn exceeding_the_work_limit_is_an_error() {
        let (a, b) = (character(1.0, "tail"), character(2.0, "tail"));
        let options = Options { limits: Limits { work: 1, ..Limits::default() }, ..Options::default() };
        let error = diff(&a, &b, &options).unwrap_err();
        assert_eq!(error.code(), "limit-exceeded");
    }
}
