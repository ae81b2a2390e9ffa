//! How far the first and the last instant of the shown animation are apart, in words. The distance is measured on
//! another thread.

use std::sync::Arc;

use crate::character::Character;
use crate::error::escaped;
use crate::model::{AnimationId, BoneId, SkinId};
use crate::motion::{LoopGap, loop_gap};
use crate::player::Animator;
use crate::viewer::cached::{ByAddress, Cached};
use crate::viewer::deferred::Deferred;
use crate::viewer::loading::Waker;

/// Longer names are cut.
const MAX_NAME: usize = 40;

/// The distance for what was last shown.
#[derive(Debug, Default)]
pub struct GapCache {
    gap: Deferred<Asked, Option<LoopGap>>,
    /// The text of a distance, and whether the animation loops.
    text: Cached<(ByAddress<Character>, LoopGap, bool), Option<GapText>>,
}

/// An animation in skins.
#[derive(Debug, Clone)]
struct Asked {
    character: Arc<Character>,
    animation: AnimationId,
    skins: Vec<SkinId>,
}

impl Asked {
    fn is(&self, character: &Arc<Character>, animation: AnimationId, skins: &[SkinId]) -> bool {
        Arc::ptr_eq(&self.character, character) && self.animation == animation && self.skins == skins
    }
}

impl PartialEq for Asked {
    fn eq(&self, other: &Self) -> bool {
        self.is(&other.character, other.animation, &other.skins)
    }
}

/// The distance as text.
#[derive(Debug, Clone, PartialEq)]
pub struct GapText {
    /// The distance and the bone.
    pub text: String,
    /// What it means.
    pub tooltip: String,
    /// The bone.
    pub bone: BoneId,
}

impl GapCache {
    /// Returns the text for the shown animation; `None` if it has a single frame or shows nothing, and until the
    /// distance was measured. `waker` is called then; without one, it is measured at once.
    pub fn text(&mut self, animator: &Animator, waker: Option<&Waker>) -> Option<&GapText> {
        let (character, skins, playback) = (animator.character(), animator.skins(), animator.playback(0));
        let animation = playback.animation()?;
        let is_asked = |asked: &Asked| asked.is(character, animation, skins);
        let ask = || Asked { character: Arc::clone(character), animation, skins: skins.to_vec() };
        let measure = |asked: &Asked| loop_gap(&asked.character, asked.animation, &asked.skins);
        let gap = (*self.gap.follow(is_asked, ask, waker, measure)?)?;
        let (key, wraps) = (ByAddress::of(character), playback.wraps());
        self.text.get((key, gap, wraps), || GapText::of(character, gap, wraps)).as_ref()
    }
}

impl GapText {
    fn of(character: &Character, gap: LoopGap, wraps: bool) -> Option<Self> {
        let bone = character.model().skeleton().bones().get(gap.bone.index())?;
        let name: String = bone.name.chars().take(MAX_NAME).collect();
        let place = if name.is_empty() { String::new() } else { format!(" at {}", escaped(&name)) };
        let distance = gap.distance;
        let (text, tooltip) = match (gap.step, wraps) {
            (None, true) => (
                format!("Loop gap: {distance:.1} px{place}"),
                "Largest distance of a vertex between the end of the loop and its start. \
                 0 px: the loop closes without a jump."
                    .to_owned(),
            ),
            (Some(step), true) => (
                format!("Loop step: {distance:.1} px{place}, neighbours: {step:.1} px"),
                "Largest distance of a vertex between the last frame and the first, and in the frame steps before and \
                 after. The loop has no visible jump if both are about equal."
                    .to_owned(),
            ),
            (None | Some(_), false) => (
                format!("First to last: {distance:.1} px{place}"),
                "Largest distance of a vertex between the first and the last frame. The animation does not loop."
                    .to_owned(),
            ),
        };
        Some(Self { text, tooltip: format!("{tooltip}\nClick to select the bone."), bone: gap.bone })
    }
}
