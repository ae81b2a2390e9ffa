//! The skin to open a character in that shows nothing in its default one.

use std::cmp::Reverse;

use crate::character::Character;
use crate::draw::{Command, DrawList, View};
use crate::math::Vec2;
use crate::model::{AnimationId, Model, SkinId};
use crate::motion::{Cue, Evaluator, PoseWork, default_skins};
use crate::pose::Pose;

/// How many instants of the animation are looked at.
const LOOKS: u32 = 8;
/// No more skins are tried on than this.
const MAX_TRIES: usize = 64;

/// The skin to wear where the default skin of `character` shows nothing, neither in the rest pose nor at some instants
/// of `animation`; `None` where it shows something, or no other skin does.
///
/// Of the skins that show something it is the first whose name says that it is a whole one: a part of its path begins
/// with “full”, as in `full-skins/girl`. Without such a name it is the one with the most attachments that are drawn, and
/// of several the first of the file. Each pose counts as [`PoseWork`] says, and where all of them would take more than
/// `work`, those that are left are not looked at.
///
/// [`sole_skin`](crate::motion::sole_skin) answers the same for a file with one skin, from what skins hold.
///
/// # Panics
///
/// If `character` does not have `animation`.
#[track_caller]
pub fn opening_skin(character: &Character, animation: Option<AnimationId>, work: u64) -> Option<SkinId> {
    let model = character.model();
    let usual = default_skins(character);
    let others = model.skin_ids().filter(|id| !usual.contains(id));
    let (whole, mut parts): (Vec<SkinId>, Vec<SkinId>) =
        others.partition(|id| is_name_of_whole(&model.skin(*id).name));
    if whole.is_empty() && parts.is_empty() {
        return None;
    }
    let mut mirror = Mirror::new(character, animation, work);
    if mirror.shows_something(&[])? {
        return None;
    }
    parts.sort_by_cached_key(|id| Reverse(drawn_attachments(model, *id)));
    let mut candidates = whole.into_iter().chain(parts).take(MAX_TRIES);
    candidates.find(|skin| mirror.shows_something(&[*skin]) == Some(true))
}

fn is_name_of_whole(name: &str) -> bool {
    let begins_with_full = |part: &str| part.get(..4).is_some_and(|begin| begin.eq_ignore_ascii_case("full"));
    name.split(['/', '\\']).any(|part| begins_with_full(part.trim_start()))
}

fn drawn_attachments(model: &Model, skin: SkinId) -> usize {
    let entries = model.skin(skin).entries.iter();
    entries.filter(|entry| model.attachment(entry.attachment).mesh().is_some()).count()
}

/// Where skins are tried on.
struct Mirror<'a> {
    character: &'a Character,
    animation: Option<AnimationId>,
    /// What is left to spend.
    work: u64,
    evaluator: Evaluator,
    pose: Pose,
    list: DrawList,
}

impl<'a> Mirror<'a> {
    fn new(character: &'a Character, animation: Option<AnimationId>, work: u64) -> Self {
        let (evaluator, list) = Default::default();
        let pose = Pose::for_model(character.model());
        Self { character, animation, work, evaluator, pose, list }
    }

    /// `None` where nothing was seen and there is no more work to spend on it.
    fn shows_something(&mut self, skins: &[SkinId]) -> Option<bool> {
        let model = self.character.model();
        let posing = PoseWork::new(self.character, skins);
        for cue in Cue::samples(model, self.animation, skins, LOOKS) {
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
    fn names_of_whole_skins_have_a_part_that_begins_with_full() {
        for name in ["full-skins/girl", "Full", "outfits/fullBody", "FULL SKINS\\boy", "a/ full"] {
            assert!(is_name_of_whole(name), "{name}");
        }
        for name in ["", "ful", "armful", "hat/half-full", "tüll", "eyes/blue"] {
            assert!(!is_name_of_whole(name), "{name}");
        }
    }
}
