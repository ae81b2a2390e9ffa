//! Bones: name, parent, and place in the timelines of symbols. Their transforms are compared pose by pose.

use super::differences::{BoneDifference, Change};
use super::matching::{Entry, Matching};
use crate::character::Character;
use crate::model::{BoneId, Model};
use crate::outline;

/// Matches the bones of two models by name.
pub fn matched<'a>(a: &'a Model, b: &'a Model) -> Matching<'a> {
    let names = |model: &'a Model| model.skeleton().authored_bones().iter().map(|bone| &*bone.name);
    Matching::new(names(a), names(b))
}

/// Returns the bones that differ.
pub fn compare(character_a: &Character, character_b: &Character, bones: &Matching<'_>) -> Vec<BoneDifference> {
    let (a, b) = (character_a.model(), character_b.model());
    let facts = |character, bone| outline::Bone::timeline_facts(character, BoneId::new(bone));
    let parent = |model: &Model, bone: usize| model.skeleton().authored_bones()[bone].parent.map(BoneId::index);
    let difference = |entry| {
        let (named, found_in) = bones.named(entry);
        let mut difference = BoneDifference { found_in, named, ..BoneDifference::default() };
        if let Entry::Both(in_a, in_b) = entry {
            let (a, b) = (parent(a, in_a), parent(b, in_b));
            difference.changes = outline::changes(&facts(character_a, in_a), &facts(character_b, in_b));
            if !bones.is_pair(a, b) {
                difference.parent =
                    Some(Change { a: a.map(|bone| bones.named_a(bone)), b: b.map(|bone| bones.named_b(bone)) });
            } else if difference.changes.is_empty() {
                return None;
            }
        }
        Some(difference)
    };
    bones.entries().filter_map(difference).collect()
}
