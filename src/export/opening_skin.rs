//! Selects an initial skin for characters whose default skin is empty.

use std::cmp::Reverse;

use crate::character::Character;
use crate::draw::{Command, DrawList, View};
use crate::math::Vec2;
use crate::model::{AnimationId, Model, SkinId};
use crate::motion::{Cue, Evaluator, PoseWork, default_skins};
use crate::pose::Pose;

/// Number of sampled times of the animation.
const SAMPLES: u32 = 8;
/// Maximum number of skins tried.
const MAX_TRIES: usize = 64;

/// Returns a skin to apply if the default skin of `character` shows nothing in the rest pose and at some sampled
/// times of `animation`. Returns `None` if the default skin shows something or no other skin does.
///
/// Among the skins that show something, the first one whose name suggests a complete skin wins: a component of its
/// path begins with “full”, as in `full-skins/girl`. Otherwise it is the one with the most drawable attachments,
/// and the first of the file in a tie. Each pose costs work as in [`PoseWork`]; the search ends when `work` is
/// used up.
///
/// [`sole_skin`](crate::motion::sole_skin) covers files with a single skin, based on the contents of skins.
///
/// # Panics
///
/// Panics if `character` does not have `animation`.
#[track_caller]
pub fn opening_skin(character: &Character, animation: Option<AnimationId>, work: u64) -> Option<SkinId> {
    let model = character.model();
    let default = default_skins(character);
    let others = model.skin_ids().filter(|id| !default.contains(id));
    let (whole, mut parts): (Vec<SkinId>, Vec<SkinId>) =
        others.partition(|id| is_name_of_whole(&model.skin(*id).name));
    if whole.is_empty() && parts.is_empty() {
        return None;
    }
    let mut trial = SkinTrial::new(character, animation, work);
    if trial.shows_something(&[])? {
        return None;
    }
    parts.sort_by_cached_key(|id| Reverse(drawn_attachments(model, *id)));
    let mut candidates = whole.into_iter().chain(parts).take(MAX_TRIES);
    candidates.find(|skin| trial.shows_something(&[*skin]) == Some(true))
}

fn is_name_of_whole(name: &str) -> bool {
    let begins_with_full = |part: &str| part.get(..4).is_some_and(|begin| begin.eq_ignore_ascii_case("full"));
    name.split(['/', '\\']).any(|part| begins_with_full(part.trim_start()))
}

fn drawn_attachments(model: &Model, skin: SkinId) -> usize {
    let entries = model.skin(skin).entries.iter();
    entries.filter(|entry| model.attachment(entry.attachment).mesh().is_some()).count()
}

/// Evaluates poses with candidate skins and checks whether they draw anything.
struct SkinTrial<'a> {
    character: &'a Character,
    animation: Option<AnimationId>,
    /// The remaining work.
    work: u64,
    evaluator: Evaluator,
    pose: Pose,
    list: DrawList,
}

impl<'a> SkinTrial<'a> {
    fn new(character: &'a Character, animation: Option<AnimationId>, work: u64) -> Self {
        let (evaluator, list) = Default::default();
        let pose = Pose::for_model(character.model());
        Self { character, animation, work, evaluator, pose, list }
    }

    /// Returns true if anything is drawn with `skins`, or `None` if the work is used up first.
    fn shows_something(&mut self, skins: &[SkinId]) -> Option<bool> {
        let model = self.character.model();
        let posing = PoseWork::new(self.character, skins);
        for cue in Cue::samples(model, self.animation, skins, SAMPLES) {
            self.work = self.work.checked_sub(posing.of(self.character, cue.animation))?;
            self.evaluator.evaluate(self.character, &cue, &mut self.pose);
            self.list.build(model, &self.pose, &View::new(1, 1, Vec2::ZERO, 1.0));
            if self.list.commands.iter().any(|command| matches!(command, Command::Sprite(_))) {
                return Some(true);
            }
        }
        Some(false)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_full_skins_have_a_component_that_begins_with_full() {
        for name in ["full-skins/girl", "Full", "outfits/fullBody", "FULL SKINS\\boy", "a/ full"] {
            assert!(is_name_of_whole(name), "{name}");
        }
        for name in ["", "ful", "armful", "hat/half-full", "tüll", "eyes/blue"] {
            assert!(!is_name_of_whole(name), "{name}");
        }
    }
}
