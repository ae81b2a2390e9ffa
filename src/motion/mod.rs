//! What moves a character. Evaluation is pure: the same cue gives the same pose, in any order. What depends on what
//! was shown before is asked for apart, with [`Dynamics`].
//!
//! [`evaluate`] makes a single pose. An [`Evaluator`] makes one after the other in memory that it keeps, and
//! [`Dynamics`] keeps its own.
//!
//! Never parses, never touches files, has no clock.

// Every kind of motion is in every build; only readers construct most of them.
#![cfg_attr(not(feature = "formats-all"), allow(dead_code, unused_imports))]

mod cue;
mod dynamics;
mod evaluator;
mod event;
mod flipbook;
mod made_for;
mod overrides;
mod sampled;
mod scratch;
pub(crate) mod skelform;
pub(crate) mod spine;
mod work;

use cue::Played;
pub use cue::{Cover, Cue, Direction, Instant, Layer, Mix, Position};
pub use dynamics::Dynamics;
pub use evaluator::Evaluator;
pub use event::{FiredEvent, Span};
pub use flipbook::Flipbook;
pub use overrides::{BoneOverride, BonePlace};
pub use sampled::Sampled;
pub(crate) use sampled::{BoneSample, SampledAnimation};
pub use skelform::SkelForm;
pub use spine::Spine;
pub use work::PoseWork;

use crate::character::Character;
use crate::model::{AnimationId, BoneId, ConstraintKind, ConstraintTarget, SkinId};
use crate::pose::Pose;
use scratch::Scratch;

/// What moves a character, in the terms of the format it came from. Every build has every variant.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum Motion {
    /// Every bone's transform, stored frame by frame.
    Sampled(Sampled),
    /// Pictures one after the other.
    Flipbook(Flipbook),
    /// Keys, curves and constraints.
    Spine(Spine),
    /// Keys, chains, and bones that take over rotation and scale each by itself.
    SkelForm(SkelForm),
}

impl Default for Motion {
    /// No frames at all.
    fn default() -> Self {
        Self::Sampled(Sampled::default())
    }
}

/// Writes what `character` looks like at `cue`, once: for one pose after the other use an [`Evaluator`], which keeps the
/// working memory that this allocates.
///
/// # Panics
///
/// If `cue` names an animation that `character` does not have.
#[track_caller]
pub fn evaluate(character: &Character, cue: &Cue, pose: &mut Pose) {
    evaluate_in(&mut Scratch::default(), character, cue, None, pose);
}

/// [`evaluate`] in working memory that was used before. With `ids`, which tell the playbacks of the layers from each other,
/// it goes on from what was shown before, as players of the format do.
#[track_caller]
fn evaluate_in(scratch: &mut Scratch, character: &Character, cue: &Cue, ids: Option<&[u64]>, pose: &mut Pose) {
    let model = character.model();
    cue.expect_of(model);
    match character.motion() {
        Motion::Sampled(sampled) => sampled.evaluate(model, cue, &mut scratch.order_keys, pose),
        Motion::Flipbook(flipbook) => flipbook.evaluate(model, cue, pose),
        Motion::Spine(spine) => spine.evaluate(model, cue, ids, &mut scratch.spine, pose),
        Motion::SkelForm(skelform) => skelform.evaluate(model, cue, &mut scratch.skelform, pose),
    }
}

/// Whether `character` has physics, which [`Dynamics`] shows.
pub fn has_physics(character: &Character) -> bool {
    match character.motion() {
        Motion::Sampled(_) | Motion::Flipbook(_) | Motion::Spine(_) => false,
        Motion::SkelForm(skelform) => skelform.has_physics(),
    }
}

/// Whether frames of `character` depend on the rate that it was read with, [`ReadOptions::fps`](crate::formats::ReadOptions):
/// keys are frames at that rate, and pictures without durations are shown at it.
pub fn takes_rate(character: &Character) -> bool {
    match character.motion() {
        // Both say how many frames a second they have.
        Motion::Sampled(_) | Motion::SkelForm(_) => false,
        Motion::Flipbook(flipbook) => !flipbook.is_timed(),
        Motion::Spine(_) => true,
    }
}

/// The skins that are always worn, below those of a [`Cue`]. A later one overrides an earlier one.
pub fn default_skins(character: &Character) -> &[SkinId] {
    match character.motion() {
        Motion::Sampled(_) | Motion::Flipbook(_) => &[],
        Motion::Spine(spine) => spine.rig.default_skin.as_slice(),
        Motion::SkelForm(skelform) => skelform.default_skins(),
    }
}

/// The skin to use when the user has chosen none: the only skin with any content, if the default skin is empty. Evaluating
/// does not apply it by itself; put it into [`Cue::skins`].
pub fn sole_skin(character: &Character) -> Option<SkinId> {
    match character.motion() {
        Motion::Sampled(_) | Motion::Flipbook(_) => None,
        Motion::Spine(spine) => {
            let model = character.model();
            let holds_something = |id: &SkinId| {
                let skin = model.skin(*id);
                !(skin.entries.is_empty() && skin.bones.is_empty())
            };
            let mut filled = model.skin_ids().filter(holds_something);
            let sole = filled.next().filter(|_| filled.next().is_none());
            sole.filter(|sole| spine.rig.default_skin != Some(*sole))
        }
        // The file says which of its styles are worn.
        Motion::SkelForm(_) => None,
    }
}

/// Whether the order of skins in the file decides which of two overrides the other (the first one does), instead of the
/// order in [`Cue::skins`].
pub fn ranks_skins(character: &Character) -> bool {
    match character.motion() {
        Motion::Sampled(_) | Motion::Flipbook(_) | Motion::Spine(_) => false,
        Motion::SkelForm(_) => true,
    }
}

/// The targets of inverse kinematics, each once, in the order in which their constraints act. Moving one with a
/// [`BoneOverride`] moves the bones that reach for it.
pub fn ik_targets(character: &Character) -> Vec<BoneId> {
    let iks = character.model().constraints().iter().filter(|constraint| constraint.kind == ConstraintKind::Ik);
    let targets = iks.filter_map(|constraint| match constraint.target {
        ConstraintTarget::Bone(bone) => Some(bone),
        ConstraintTarget::Slot(_) => None,
    });
    let mut found = Vec::new();
    let mut add = |bone| {
        if !found.contains(&bone) {
            found.push(bone);
        }
    };
    targets.for_each(&mut add);
    if let Motion::SkelForm(skelform) = character.motion() {
        skelform.targets().for_each(&mut add);
    }
    found
}

/// Calls `visit` for each event that `animation` fires in `span`, in order.
///
/// # Panics
///
/// If `character` does not have `animation`.
#[track_caller]
pub fn for_each_event<'a>(
    character: &'a Character,
    animation: AnimationId,
    span: Span,
    mut visit: impl FnMut(FiredEvent<'a>),
) {
    for_each_event_index(character, animation, span, |index| {
        if let Some(fired) = fired_event(character, animation, index) {
            visit(fired);
        }
    });
}

/// [`for_each_event`] for the place of each event among those of the animation.
#[track_caller]
pub(crate) fn for_each_event_index(
    character: &Character,
    animation: AnimationId,
    span: Span,
    visit: impl FnMut(u32),
) {
    character.model().animation(animation);
    match character.motion() {
        Motion::Spine(spine) => spine.events_in(character.model(), animation, span, visit),
        // Only Spine has events.
        Motion::Sampled(_) | Motion::Flipbook(_) | Motion::SkelForm(_) => {}
    }
}

/// The event at a place among those of the animation.
pub(crate) fn fired_event(character: &Character, animation: AnimationId, index: u32) -> Option<FiredEvent<'_>> {
    match character.motion() {
        Motion::Spine(spine) => spine.event(character.model(), animation, index),
        Motion::Sampled(_) | Motion::Flipbook(_) | Motion::SkelForm(_) => None,
    }
}

/// Whether there is something that both animations change.
pub(crate) fn change_the_same(character: &Character, a: AnimationId, b: AnimationId) -> bool {
    [a, b].into_iter().for_each(|id| _ = character.model().animation(id));
    match character.motion() {
        // Stored frames are of every bone.
        Motion::Sampled(_) => true,
        // Only one picture can be shown.
        Motion::Flipbook(_) => true,
        Motion::Spine(spine) => spine.change_the_same(a, b),
        Motion::SkelForm(skelform) => skelform.change_the_same(a, b),
    }
}
