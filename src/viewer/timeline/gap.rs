//! How far the first and the last instant of the shown animation are apart, in words.

use std::sync::Arc;

use crate::character::Character;
use crate::error::escaped;
use crate::model::{AnimationId, BoneId, SkinId};
use crate::motion::{LoopGap, loop_gap};
use crate::player::Animator;

/// Longer names are cut.
const MAX_NAME: usize = 40;

/// The distance for what was last shown.
#[derive(Debug, Default)]
pub struct GapCache {
    of: Option<(Arc<Character>, AnimationId, Vec<SkinId>)>,
    gap: Option<LoopGap>,
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
    /// Returns the text for the shown animation; `None` if it has a single frame or shows nothing.
    pub fn text(&mut self, animator: &Animator) -> Option<GapText> {
        let (character, skins) = (animator.character(), animator.skins());
        let animation = animator.playback(0).animation()?;
        let is_known = self.of.as_ref().is_some_and(|(of, of_animation, of_skins)| {
            Arc::ptr_eq(of, character) && (*of_animation, &of_skins[..]) == (animation, skins)
        });
        if !is_known {
            self.gap = loop_gap(character, animation, skins);
            self.of = Some((Arc::clone(character), animation, skins.to_vec()));
        }
        let gap = self.gap?;
        let bone = character.model().skeleton().bones().get(gap.bone.index())?;
        let name: String = bone.name.chars().take(MAX_NAME).collect();
        let place = if name.is_empty() { String::new() } else { format!(" at {}", escaped(&name)) };
        let distance = gap.distance;
        let (text, tooltip) = match (gap.step, animator.playback(0).wraps()) {
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
        Some(GapText { text, tooltip: format!("{tooltip}\nClick to select the bone."), bone: gap.bone })
    }
}
