//! Bones: name and parent. Their transforms are compared pose by pose.

use super::differences::{BoneDifference, Change};
use super::matching::{Entry, Matching};
use crate::model::{BoneId, Model};

/// Matches the bones of two models by name.
pub fn matched<'a>(a: &'a Model, b: &'a Model) -> Matching<'a> {
    let names = |model: &'a Model| model.skeleton().authored_bones().iter().map(|bone| &*bone.name);
    Matching::new(names(a), names(b))
}

/// Returns the bones that differ.
pub fn compare(a: &Model, b: &Model, bones: &Matching<'_>) -> Vec<BoneDifference> {
    let parent = |model: &Model, bone: usize| model.skeleton().authored_bones()[bone].parent.map(BoneId::index);
    let difference = |entry| {
        let (named, found_in) = bones.named(entry);
        let mut difference = BoneDifference { found_in, named, ..BoneDifference::default() };
        if let Entry::Both(in_a, in_b) = entry {
            let (a, b) = (parent(a, in_a), parent(b, in_b));
            if bones.is_pair(a, b) {
                return None;
            }
            difference.parent =
                Some(Change { a: a.map(|bone| bones.named_a(bone)), b: b.map(|bone| bones.named_b(bone)) });
        }
        Some(difference)
    };
    bones.entries().filter_map(difference).collect()
}
