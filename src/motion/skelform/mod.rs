//! Motion with keys, chains and physics, as SkelForm has it.
//!
//! Bones take over rotation and scale from their parents each by itself: rotations add up, scales multiply, nothing
//! shears. Evaluating goes from keys to numbers and switches, from those to joints in the world, lets chains reach for
//! their targets, and places the joints again. Pixels, y up, radians counter-clockwise, frames; 64 bits.

mod carry;
mod ease;
mod inherit;
mod joint;
mod physics;
mod reach;
mod scratch;
mod show;
mod track;
mod work;

use std::sync::atomic::{AtomicU64, Ordering};

use super::{Cover, Cue, Layer, Mix};
use crate::math::{DVec2, dvec2};
use crate::model::{AnimationId, AttachmentId, BoneId, Model, SkinId};
use crate::pose::Pose;

pub(super) use carry::{Carried, Following};
pub(crate) use ease::Handles;
pub(crate) use physics::{Body, Physics};
pub(crate) use reach::{Chain, Constraint, Mode};
pub(crate) use scratch::Scratch;
pub(crate) use show::{Entry, EntryKind, Pivot, Slot};
pub(crate) use track::{Key, SwitchKey, SwitchTrack, Track};

use track::{Covering, Share, frame_of};

/// Keys and chains of a character. Everything that it points to is in its model.
#[derive(Debug, Clone)]
pub struct SkelForm {
    rig: Rig,
    animations: Vec<Animation>,
    /// Tells this motion from every other, for what is kept between evaluations.
    id: u64,
}

/// What moves without animations.
#[derive(Debug, Clone, Default)]
pub(crate) struct Rig {
    /// By bone, parents before children; without the helpers of the model.
    pub bones: Vec<Bone>,
    /// By slot.
    pub slots: Vec<Slot>,
    /// In the order in which they reach for their targets.
    pub chains: Vec<Chain>,
    /// Chains do nothing: what they would do is in the keys.
    pub is_baked: bool,
    /// What swings.
    pub physics: Vec<Physics>,
    /// By helper bone of the model: how it moves vertices.
    pub entries: Vec<Entry>,
    /// By skin: what of all that slots can show it has, and what that is. Later skins go before earlier ones.
    pub skins: Vec<Vec<(u32, AttachmentId)>>,
    /// The skins that are worn always, the last one first to be asked.
    pub default_skins: Vec<SkinId>,
    /// By attachment: width and height in pixels.
    pub sizes: Vec<DVec2>,
    /// How many things all slots together can show.
    pub shown_count: usize,
    pub rest: Rest,
}

/// Everything that keys can change, as it is without them.
#[derive(Debug, Clone, Default)]
pub(crate) struct Rest {
    /// [`NUMBERS_A_BONE`] of each bone, then [`NUMBERS_A_VISUAL`] of each visual.
    pub numbers: Vec<f64>,
    /// Of each bone whether it is hidden, then [`SWITCHES_A_VISUAL`] of each visual, then [`SWITCHES_A_CHAIN`] of each
    /// chain.
    pub switches: Vec<i32>,
}

/// Position, rotation, scale.
pub(crate) const NUMBERS_A_BONE: usize = 5;
/// Red, green, blue, alpha.
pub(crate) const NUMBERS_A_VISUAL: usize = 4;
/// Which of the things that its slots can show it is, -1 for none; and its place in the draw order.
pub(crate) const SWITCHES_A_VISUAL: usize = 2;
/// [`Constraint`], [`Mode`], and whether the last bone turns like the target.
pub(crate) const SWITCHES_A_CHAIN: usize = 3;

/// A bone, without what the model has of it.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Bone {
    /// An earlier bone.
    pub parent: Option<u32>,
    pub physics: Option<u32>,
}

/// One animation.
#[derive(Debug, Clone, Default)]
pub(crate) struct Animation {
    pub tracks: Vec<Track>,
    pub keys: Vec<Key>,
    pub switch_tracks: Vec<SwitchTrack>,
    pub switch_keys: Vec<SwitchKey>,
    /// The targets of all tracks, those of switches with [`SWITCH`], sorted.
    pub changes: Vec<u32>,
}

/// Tells switches from numbers.
const SWITCH: u32 = 1 << 31;

/// What swings, if anything.
enum Bodies<'a> {
    Nothing,
    /// As they are.
    Held(&'a [Body]),
    /// One step on.
    Moving(&'a mut [Body]),
}

impl SkelForm {
    /// Every index in it is one of the model's that it goes with.
    pub(crate) fn new(rig: Rig, mut animations: Vec<Animation>) -> Self {
        for animation in &mut animations {
            let switches = animation.switch_tracks.iter().map(|track| track.target | SWITCH);
            animation.changes = animation.tracks.iter().map(|track| track.target).chain(switches).collect();
            animation.changes.sort_unstable();
        }
        static NEXT: AtomicU64 = AtomicU64::new(1);
        Self { rig, animations, id: NEXT.fetch_add(1, Ordering::Relaxed) }
    }

    pub(super) fn evaluate(&self, model: &Model, cue: &Cue, scratch: &mut Scratch, pose: &mut Pose) {
        self.animate(model, cue, scratch);
        self.finish(Bodies::Nothing, cue, scratch, pose);
    }

    /// Whether any bone swings.
    pub(super) fn has_physics(&self) -> bool {
        let Rig { bones, physics, .. } = &self.rig;
        let of_bones = bones.iter().filter_map(|bone| physics.get(bone.physics? as usize));
        of_bones.into_iter().any(Physics::swings)
    }

    /// The skins that are worn always, the last one first to be asked.
    pub(super) fn default_skins(&self) -> &[SkinId] {
        &self.rig.default_skins
    }

    /// The bones that chains reach for, in the order of the chains.
    pub(super) fn targets(&self) -> impl Iterator<Item = BoneId> {
        let chains = self.rig.chains.iter().filter(|chain| !self.rig.is_baked && chain.bones.len() > 1);
        chains.filter_map(|chain| Some(BoneId::new(chain.target? as usize)))
    }

    /// Whether there is something that both animations change.
    pub(super) fn change_the_same(&self, a: AnimationId, b: AnimationId) -> bool {
        let [Some(a), Some(b)] = [a, b].map(|id| self.animations.get(id.index())) else { return false };
        a.changes.iter().any(|&target| b.changes(target))
    }

    /// Numbers and switches as keys say.
    fn animate(&self, model: &Model, cue: &Cue, scratch: &mut Scratch) {
        let rest = &self.rig.rest;
        scratch.numbers.clone_from(&rest.numbers);
        scratch.switches.clone_from(&rest.switches);
        self.for_each_animation(model, cue, |animation, frame, share| {
            animation.apply(frame, share, rest, scratch);
        });
    }

    /// The animations of `cue` in their order, at their frames.
    fn for_each_animation(&self, model: &Model, cue: &Cue, mut visit: impl FnMut(&Animation, f64, Share<'_>)) {
        let first = cue.played().map(|played| (played, Share::WHOLE));
        let others = cue.layers.iter().map(|layer| {
            let Layer { mix, direction, cover, .. } = *layer;
            let of_cover = |cover: Cover| Covering {
                by: cover.by.and_then(|by| self.animations.get(by.index())),
                share: cover.finite_share(),
            };
            let cover = cover.filter(|_| mix == Mix::Fade).map(of_cover);
            (layer.played(), Share { alpha: layer.finite_alpha(), mix, direction, cover })
        });
        for (played, share) in first.into_iter().chain(others) {
            let frame = frame_of(played, model.animation(played.animation));
            if let (Some(animation), Some(frame)) = (self.animations.get(played.animation.index()), frame) {
                visit(animation, frame, share);
            }
        }
    }

    /// From numbers and switches to the pose.
    fn finish(&self, mut bodies: Bodies<'_>, cue: &Cue, scratch: &mut Scratch, pose: &mut Pose) {
        let (rig, skins) = (&self.rig, &cue.skins[..]);
        scratch.turns.clear();
        scratch.turns.resize(rig.bones.len(), f64::NAN);
        if !cue.overrides.is_empty() {
            rig.put(&cue.overrides, scratch);
        }
        rig.inherit(None, scratch);
        if !rig.is_baked && rig.reach(scratch) {
            rig.inherit(None, scratch);
        }
        if let Bodies::Moving(bodies) = &mut bodies {
            rig.swing(&scratch.joints, bodies);
        }
        match &bodies {
            Bodies::Nothing => {}
            Bodies::Held(bodies) => rig.inherit(Some(bodies), scratch),
            Bodies::Moving(bodies) => rig.inherit(Some(bodies), scratch),
        }
        if !scratch.made_for.is(self.id, skins) {
            rig.resolve(skins, &mut scratch.shown);
            scratch.made_for.set(self.id, skins);
        }
        rig.show(scratch, pose);
    }
}

impl Rig {
    /// Where the switches of the visuals begin.
    fn visual_switches(&self) -> usize {
        self.bones.len()
    }

    /// Where the switches of the chains begin.
    fn chain_switches(&self) -> usize {
        self.rest.switches.len() - SWITCHES_A_CHAIN * self.chains.len()
    }

    /// Where the numbers of the visuals begin.
    fn visual_numbers(&self) -> usize {
        NUMBERS_A_BONE * self.bones.len()
    }
}

/// `vector` turned.
#[inline]
fn turned(vector: DVec2, cos_sin: DVec2) -> DVec2 {
    dvec2(vector.x * cos_sin.x - vector.y * cos_sin.y, vector.x * cos_sin.y + vector.y * cos_sin.x)
}

/// The direction at an angle.
#[inline]
fn direction(radians: f64) -> DVec2 {
    let (sin, cos) = crate::math::angle::sin_cos_radians(radians);
    dvec2(cos, sin)
}

/// The vector of length 1 in the same direction; that without a direction stays none.
#[inline]
fn unit(vector: DVec2) -> DVec2 {
    let length = vector.length();
    if length > 0.0 { vector / length } else { DVec2::ZERO }
}

/// The angle of a vector.
#[inline]
fn angle(vector: DVec2) -> f64 {
    crate::math::angle::atan2_radians(vector.y, vector.x)
}
