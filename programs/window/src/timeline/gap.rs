//! How far the first and the last instant of the shown animation are apart, in words. The distance is measured on
//! another thread.

use std::ops::RangeInclusive;

use crate::base::answer::Deferred;
use crate::base::memo::{ByAddress, Cached, Shared};
use crate::base::name::short;
use crate::base::waker::Waker;
use pchr::model::{AnimationId, BoneId, SkinId};
use pchr::motion::{LoopGap, loop_gap_in};
use pchr::{Animator, Character};

/// Longer names are cut.
const MAX_NAME: usize = 40;

/// The distance for what was last shown.
#[derive(Debug, Default)]
pub struct GapCache {
    gap: Deferred<Asked, Option<LoopGap>>,
    text: Cached<Worded, Option<GapText>>,
}

/// What a text depends on: the distance, the range, and whether the animation loops.
type Worded = (ByAddress<Character>, LoopGap, Option<RangeInclusive<u32>>, bool);

/// An animation in skins, or a range of its frames.
#[derive(Debug, Clone, PartialEq)]
struct Asked {
    character: Shared<Character>,
    animation: AnimationId,
    skins: Vec<SkinId>,
    range: Option<RangeInclusive<u32>>,
}

/// The distance as text.
#[derive(Debug, Clone, PartialEq)]
pub struct GapText {
    /// The distance.
    pub text: String,
    /// Its meaning, and the name of the bone.
    pub tooltip: String,
    /// The bone.
    pub bone: BoneId,
    /// For a loop, how it closes.
    pub seam: Option<Seam>,
}

/// How a loop closes.
#[derive(Debug, Clone, PartialEq)]
pub struct Seam {
    /// There is no visible jump.
    pub is_closed: bool,
    /// A description.
    pub text: String,
}

/// Smaller distances in pixels are no visible jump. They are shown as 0.
const CLOSED: f32 = 0.05;
/// A loop of stored frames closes if its last step is at most this many times as large as those next to it.
const EVEN_STEPS: f32 = 1.5;

impl Seam {
    /// Describes the end of a loop. `bone` is the bone that is furthest apart.
    fn of(gap: LoopGap, bone: &str) -> Self {
        let is_closed = gap.distance <= CLOSED + EVEN_STEPS * gap.step.unwrap_or(0.0);
        let text = match is_closed {
            true => "Loop seam: closed".to_owned(),
            false => format!("Loop seam: {bone} is off by {:.1} px", gap.distance),
        };
        Self { is_closed, text }
    }
}

impl GapCache {
    /// Returns the text for the shown animation or its range; `None` if it has a single frame or shows nothing, and
    /// until the distance was measured. `waker` is called then; without one, it is measured at once.
    pub fn text(&mut self, animator: &Animator, waker: Option<&Waker>) -> Option<&GapText> {
        let (character, skins, playback) = (animator.character(), animator.skins(), animator.playback(0));
        let (animation, range) = (playback.animation()?, playback.range());
        let (of, skins) = (Shared::of(character), skins.to_vec());
        let asked = Asked { character: of, animation, skins, range: range.clone() };
        let measure =
            |asked: &Asked| loop_gap_in(&asked.character, asked.animation, &asked.skins, asked.range.clone());
        let gap = (*self.gap.follow(asked, waker, measure)?)?;
        let (key, wraps) = (ByAddress::of(character), playback.wraps());
        let text = self.text.get((key, gap, range.clone(), wraps), || {
            let bone = character.model().skeleton().bones().get(gap.bone.index())?;
            Some(GapText::of(gap, &short(&bone.name, MAX_NAME), range, wraps))
        });
        text.as_ref()
    }
}

impl GapText {
    /// Returns the text for the first and the last frame of `range`, or of the animation. `name` is the bone's.
    fn of(gap: LoopGap, name: &str, range: Option<RangeInclusive<u32>>, wraps: bool) -> Self {
        let frames = match range {
            Some(range) => format!("Frame {} ↔ {}", range.start(), range.end()),
            None => "First ↔ last frame".to_owned(),
        };
        let (text, meaning) = match (gap.step, wraps) {
            (Some(step), true) => (
                format!("{frames}: {:.1} px (steps {step:.1} px)", gap.distance),
                "In brackets, the largest distance in the frame steps before and after. The loop has no visible jump \
                 if both are about equal.",
            ),
            (None, true) => (format!("{frames}: {:.1} px", gap.distance), "0 px: the loop closes without a jump."),
            (_, false) => (format!("{frames}: {:.1} px", gap.distance), "The animation does not loop."),
        };
        let bone = if name.is_empty() { "a bone without a name".to_owned() } else { format!("“{name}”") };
        let tooltip = format!(
            "The largest distance between the two positions of a vertex; it is at {bone}.\n{meaning}\n\
             Click to select the bone."
        );
        Self { text, tooltip, bone: gap.bone, seam: wraps.then(|| Seam::of(gap, &bone)) }
    }
}
