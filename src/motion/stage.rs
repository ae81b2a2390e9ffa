//! Several characters on one stage: each shows its own cue, and all of them are one pose.
//!
//! Their models are merged into one; see [`Stage::characters`]. What each of them shows is a cue of [`Cue::cast`]; without
//! one, it shows its rest pose.

use std::sync::Arc;

use super::{Cue, Dynamics, Motion, PoseWork, evaluate_in, has_physics};
use crate::character::Character;
use crate::error::{Error, Result};
use crate::math::Affine2;
use crate::model::{Animation, Firsts, Model, SkinId, SlotId, Timing, Tint};
use crate::pose::{DeformSpan, Pose, SlotPose};

use super::scratch::Scratch;

/// Characters on a stage.
#[derive(Debug, Clone)]
pub struct Stage {
    cast: Arc<[Actor]>,
    /// Where the parts of each are in the model.
    firsts: Arc<[Firsts]>,
}

/// A character on a stage.
#[derive(Debug, Clone)]
pub struct Actor {
    /// The character.
    pub character: Arc<Character>,
    /// Its name on the stage, with which the names of its parts begin.
    pub name: String,
    /// Its place.
    pub stage_from_world: Affine2,
    /// The tint of all of it.
    pub tint: Tint,
    /// The skins that it wears: the most that its cues have.
    pub skins: Vec<SkinId>,
    /// Whether its physics is simulated.
    pub physics: bool,
}

/// Working memory of one character.
#[derive(Debug, Clone, Default)]
pub(crate) struct ActorScratch {
    scratch: Scratch,
    pub pose: Pose,
}

impl Actor {
    /// Puts a character at the origin.
    pub fn new(name: &str, character: Arc<Character>) -> Self {
        let (stage_from_world, tint) = (Affine2::IDENTITY, Tint::NONE);
        let physics = super::plays_physics(&character, None);
        Self { character, name: name.to_owned(), stage_from_world, tint, skins: Vec::new(), physics }
    }

    fn swings(&self) -> bool {
        self.physics && has_physics(&self.character)
    }
}

impl Stage {
    /// Returns a character that is made of others, back to front, with one animation of this name and timing.
    ///
    /// # Errors
    ///
    /// Fails if a number of a placement or tint is not finite, or if the characters have more vertices or bones together than
    /// can be counted.
    pub fn character(cast: Vec<Actor>, animation: &str, timing: Timing, looping: bool) -> Result<Character> {
        if let Some(actor) = cast.iter().find(|it| !it.stage_from_world.is_finite() || !it.tint.has_only_numbers())
        {
            let message = format!("the place or tint of `{}` is infinite or NaN", actor.name);
            return Err(Error::misuse("not-finite", message));
        }
        let models: Vec<(&str, &Model)> = cast.iter().map(|it| (it.name.as_str(), it.character.model())).collect();
        let (mut model, firsts) = Model::merged(&models)?;
        model.add_animation(Animation { name: animation.to_owned(), looping, timing, is_bind_pose: false });
        Ok(Character::of(model, Motion::Stage(Self { cast: cast.into(), firsts: firsts.into() })))
    }

    /// Returns the characters, back to front.
    pub fn cast(&self) -> &[Actor] {
        &self.cast
    }

    /// Returns whether any of the characters has physics that is simulated.
    pub(super) fn has_physics(&self) -> bool {
        self.cast.iter().any(Actor::swings)
    }

    /// Returns the work of all characters at rest.
    pub(super) fn rest_work(&self) -> u64 {
        let rest = |it: &Actor| PoseWork::new(&it.character, &it.skins).of(&it.character, None);
        self.cast.iter().map(rest).fold(0, u64::saturating_add)
    }

    /// Returns the work of the keys of all characters.
    pub(super) fn keys_work(&self, cue: &Cue) -> u64 {
        let keys = |(actor, cue): (&Actor, &Cue)| {
            let work = PoseWork::new(&actor.character, &[]);
            work.of_cue(&actor.character, cue) - work.of(&actor.character, None)
        };
        self.cast.iter().zip(&cue.cast).map(keys).fold(0, u64::saturating_add)
    }

    /// Returns the steps of physics before a cue: those of the character that needs most.
    pub(super) fn replay_steps(&self, cue: &Cue) -> u64 {
        let cast = self.cast.iter().zip(&cue.cast).filter(|(actor, _)| actor.swings());
        cast.map(|(actor, cue)| Dynamics::replay_steps(&actor.character, cue)).max().unwrap_or(0)
    }

    /// Returns the numbers of bones, slots and animations of the model.
    pub(super) fn counts(&self) -> [usize; 3] {
        self.firsts.last().map_or([0; 3], |last| [last.root.index() + 1, last.curtain.index() + 1, 1])
    }

    pub(super) fn evaluate(&self, cue: &Cue, scratch: &mut Vec<ActorScratch>, pose: &mut Pose) {
        scratch.resize_with(self.cast.len(), ActorScratch::default);
        for ((actor, cue), ActorScratch { scratch, pose }) in self.shown(cue).zip(&mut *scratch) {
            evaluate_in(scratch, &actor.character, cue, None, pose);
        }
        self.assemble(scratch.iter().map(|it| &it.pose), pose);
    }

    /// Like [`Self::evaluate`], with the physics of the characters that have any, as if each had been played.
    pub(super) fn replay(&self, cue: &Cue, dynamics: &mut Vec<(Dynamics, Pose)>, pose: &mut Pose) {
        dynamics.resize_with(self.cast.len(), Default::default);
        for ((actor, cue), (dynamics, pose)) in self.shown(cue).zip(&mut *dynamics) {
            dynamics.is_stiff = !actor.physics;
            dynamics.replay(&actor.character, cue, pose);
        }
        self.assemble(dynamics.iter().map(|(_, pose)| pose), pose);
    }

    /// Returns each character with what it shows.
    fn shown<'a>(&'a self, cue: &'a Cue) -> impl Iterator<Item = (&'a Actor, &'a Cue)> {
        const REST: &Cue = &Cue::REST;
        self.cast.iter().zip(cue.cast.iter().chain(std::iter::repeat(REST)))
    }

    /// Writes poses of the characters, in their order, into one. Characters without a pose leave it incomplete.
    pub fn assemble<'a>(&self, poses: impl Iterator<Item = &'a Pose> + Clone, pose: &mut Pose) {
        let Pose { world_from_bone, slots, draw_order, deform, inactive_bones } = pose;
        world_from_bone.clear();
        slots.clear();
        draw_order.clear();
        deform.clear();
        inactive_bones.clear();
        let placed = || self.cast.iter().zip(&*self.firsts).zip(poses.clone());
        let authored = |actor: &Actor| actor.character.model().skeleton().authored_bones().len();
        for ((actor, _), from) in placed() {
            let bones = from.world_from_bone.iter().take(authored(actor));
            world_from_bone.extend(bones.map(|bone| actor.stage_from_world * *bone));
        }
        for ((actor, firsts), from) in placed() {
            let helpers = from.world_from_bone.iter().skip(authored(actor));
            world_from_bone.extend(helpers.map(|bone| actor.stage_from_world * *bone));
            world_from_bone.push(actor.stage_from_world);
            let first = deform.len() as u32;
            deform.extend_from_slice(&from.deform);
            let moved = |span: DeformSpan| {
                if span.count > 0 { DeformSpan { first: first.saturating_add(span.first), ..span } } else { span }
            };
            slots.extend(from.slots.iter().map(|slot| SlotPose {
                attachment: slot.attachment.map(|id| firsts.attachment(id)),
                tint: if actor.tint == Tint::NONE { slot.tint } else { slot.tint.followed_by(&actor.tint) },
                deform: moved(slot.deform),
            }));
            slots.push(SlotPose { attachment: None, tint: Tint::NONE, deform: DeformSpan::NONE });
            draw_order.extend(from.draw_order.iter().map(|slot: &SlotId| firsts.slot(*slot)));
            draw_order.push(firsts.curtain);
            inactive_bones.extend(from.inactive_bones.iter().map(|bone| firsts.bone(*bone)));
        }
        // Helpers follow all authored bones.
        inactive_bones.sort_unstable();
    }
}
