//! Motion of SkelForm files: keys, chains and physics.
//!
//! Bones inherit rotation and scale from their parents separately: rotations add up, scales multiply, and there is
//! no shear. Evaluation turns keys into numbers and switches, and those into joints in the world; then chains
//! reach for their targets, and the joints are computed again. Units are pixels, y up, radians counter-clockwise
//! and frames, in 64 bits.

mod carry;
mod ease;
mod inherit;
mod joint;
mod keyed;
mod physics;
mod reach;
mod scratch;
mod show;
mod track;
mod work;

use super::{Cue, Direction, Layer, Mix, Played, Swinging};
use crate::math::{DVec2, Vec2, dvec2, vec2};
use crate::model::{AttachmentId, BoneId, Identity, Model, SkinId};
use crate::pose::Pose;

pub(super) use carry::{Carried, Following};
pub(crate) use ease::Handles;
pub(crate) use physics::{Body, Physics};
pub(crate) use reach::{Chain, Constraint, Mode};
pub(crate) use scratch::Scratch;
pub(crate) use show::{Entry, EntryKind, Pivot, Slot};
pub(crate) use track::{Key, SwitchKey, Track};

use track::{Covering, Share, frame_of};

/// Keys and chains of a character. All references are valid in its model.
#[derive(Debug, Clone)]
pub struct SkelForm {
    rig: Rig,
    animations: Vec<Animation>,
    /// Unique id, which identifies the motion in state kept between evaluations.
    id: Identity,
    /// Without the reader, this type has no value, and the compiler removes what would play it.
    #[cfg(not(feature = "skelform"))]
    absent: std::convert::Infallible,
}

/// The parts that do not depend on animations.
#[derive(Debug, Clone, Default)]
pub(crate) struct Rig {
    /// Bones, parents before children, without the helper bones of the model.
    pub bones: Vec<Bone>,
    /// Slots of the model.
    pub slots: Vec<Slot>,
    /// Chains, in the order in which they are solved.
    pub chains: Vec<Chain>,
    /// Chains are not solved: their results are baked into the keys.
    pub is_baked: bool,
    /// Physics of bones.
    pub physics: Vec<Physics>,
    /// For each helper bone of the model: how it moves vertices.
    pub entries: Vec<Entry>,
    /// For each skin: which of all displayable items of slots it has, and their attachments. Later skins override
    /// earlier ones.
    pub skins: Vec<Vec<(u32, AttachmentId)>>,
    /// The skins that are always active; later ones override earlier ones.
    pub default_skins: Vec<SkinId>,
    /// Width and height of each attachment in pixels.
    pub sizes: Vec<DVec2>,
    /// Number of displayable items of all slots.
    pub shown_count: usize,
    pub rest: Rest,
}

/// All values that keys can change, at rest.
#[derive(Debug, Clone, Default)]
pub(crate) struct Rest {
    /// [`NUMBERS_A_BONE`] of each bone, then [`NUMBERS_A_VISUAL`] of each visual.
    pub numbers: Vec<f64>,
    /// Whether each bone is hidden, then [`SWITCHES_A_VISUAL`] of each visual, then [`SWITCHES_A_CHAIN`] of each
    /// chain.
    pub switches: Vec<i32>,
}

/// Position, rotation, scale.
pub(crate) const NUMBERS_A_BONE: usize = 5;
/// Red, green, blue, alpha.
pub(crate) const NUMBERS_A_VISUAL: usize = 4;
/// The index of the displayable item, -1 for none, and the draw order.
pub(crate) const SWITCHES_A_VISUAL: usize = 2;
/// [`Constraint`], [`Mode`], and whether the last bone is rotated like the target.
pub(crate) const SWITCHES_A_CHAIN: usize = 3;

/// The properties of a bone that the model does not have.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Bone {
    /// Index of the parent, an earlier bone.
    pub parent: Option<u32>,
    pub physics: Option<u32>,
}

/// One animation.
#[derive(Debug, Clone, Default)]
pub(crate) struct Animation {
    pub tracks: Vec<Track<Key>>,
    pub switch_tracks: Vec<Track<SwitchKey>>,
    /// The targets of all tracks, sorted; targets of switches have the bit [`SWITCH`].
    pub changes: Vec<u32>,
}

/// The bit that distinguishes switches from numbers.
const SWITCH: u32 = 1 << 31;

impl SkelForm {
    /// Creates the motion. Every index must be valid in its model.
    #[cfg(feature = "skelform")]
    pub(crate) fn new(rig: Rig, mut animations: Vec<Animation>) -> Self {
        for animation in &mut animations {
            let switches = animation.switch_tracks.iter().map(|track| track.target | SWITCH);
            animation.changes = animation.tracks.iter().map(|track| track.target).chain(switches).collect();
            animation.changes.sort_unstable();
        }
        Self { rig, animations, id: Identity::unique() }
    }

    pub(super) fn evaluate(&self, model: &Model, cue: &Cue, scratch: &mut Scratch, pose: &mut Pose) {
        self.animate(model, cue, scratch);
        self.finish(Swinging::Off, cue, scratch, pose);
    }

    /// Returns the numbers of bones, slots, animations and attachments of its model.
    pub(super) fn counts(&self) -> [usize; 4] {
        let Rig { bones, entries, slots, sizes, .. } = &self.rig;
        [bones.len() + entries.len(), slots.len(), self.animations.len(), sizes.len()]
    }

    /// Returns true if any bone has physics.
    pub(super) fn has_physics(&self) -> bool {
        let Rig { bones, physics, .. } = &self.rig;
        let of_bones = bones.iter().filter_map(|bone| physics.get(bone.physics? as usize));
        of_bones.into_iter().any(Physics::swings)
    }

    /// See [`rest_position`](super::rest_position).
    pub(super) fn rest_position(&self, bone: BoneId) -> Option<Vec2> {
        let first = NUMBERS_A_BONE * self.rig.bones.get(bone.index()).map(|_| bone.index())?;
        let &[x, y] = self.rig.rest.numbers.get(first..first + 2)? else { return None };
        Some(dvec2(x, y).as_vec2())
    }

    /// See [`bone_position`](super::bone_position).
    pub(super) fn position_in(&self, model: &Model, played: Played, bone: BoneId) -> Option<Vec2> {
        let rest = self.rest_position(bone)?;
        let animation = self.animations.get(played.animation.index())?;
        let frame = frame_of(played, model.animation(played.animation))?;
        let first = NUMBERS_A_BONE * bone.index();
        let [x, y] = [first, first + 1].map(|target| animation.number(target, frame, &self.rig.rest));
        x.or(y)?;
        let coordinate = |moved: Option<f64>, rest| moved.map_or(rest, |moved| moved as f32);
        Some(vec2(coordinate(x, rest.x), coordinate(y, rest.y)))
    }

    /// Returns the skins that are always active; later ones override earlier ones.
    pub(super) fn default_skins(&self) -> &[SkinId] {
        &self.rig.default_skins
    }

    /// Computes numbers and switches from keys.
    fn animate(&self, model: &Model, cue: &Cue, scratch: &mut Scratch) {
        let rest = &self.rig.rest;
        scratch.numbers.clone_from(&rest.numbers);
        scratch.switches.clone_from(&rest.switches);
        self.for_each_animation(model, cue, |animation, frame, share| {
            animation.apply(frame, share, rest, scratch);
        });
    }

    /// Visits the animations of `cue` in order, with their frames.
    fn for_each_animation(&self, model: &Model, cue: &Cue, mut visit: impl FnMut(&Animation, f64, Share<'_>)) {
        let first = cue.played().map(|played| (played, Share::WHOLE));
        let others = cue.layers.iter().enumerate().filter_map(|(at, layer)| {
            let share = if layer.mix == Mix::Fade { self.fade(&cue.layers, at) } else { Share::of(layer) };
            Some((layer.played()?, share))
        });
        for (played, share) in first.into_iter().chain(others) {
            let frame = frame_of(played, model.animation(played.animation));
            if let (Some(animation), Some(frame)) = (self.animations.get(played.animation.index()), frame) {
                visit(animation, frame, share);
            }
        }
    }

    /// Returns how the layer at `at` of a track is mixed: it fades with the next layer, unless that changes a value, too.
    fn fade(&self, layers: &[Layer], at: usize) -> Share<'_> {
        let layer = &layers[at];
        let alpha = layer.finite_alpha() * layer.fade.finite_share();
        let by = layers.get(at + 1).filter(|by| by.is_on(layer.track));
        let cover = by.map(|by| Covering {
            by: by.animation.filter(|_| !by.fade.is_additive).and_then(|by| self.animations.get(by.index())),
            share: by.fade.finite_share(),
        });
        let direction = if by.is_some() { Direction::Out } else { Direction::In };
        match (layer.fade.is_additive, by) {
            (true, by) => {
                let left = by.map_or(1.0, |by| 1.0 - by.fade.finite_share());
                Share { alpha: alpha * left, mix: Mix::Add, direction, cover: None }
            }
            (false, _) => Share { alpha, mix: Mix::Fade, direction, cover },
        }
    }

    /// Computes the pose from numbers and switches.
    fn finish(&self, mut bodies: Swinging<'_, [Body]>, cue: &Cue, scratch: &mut Scratch, pose: &mut Pose) {
        let (rig, skins) = (&self.rig, &cue.skins[..]);
        scratch.turns.clear();
        scratch.turns.resize(rig.bones.len(), f64::NAN);
        if !cue.bones.is_empty() {
            rig.put(&cue.bones, scratch);
        }
        rig.inherit(None, scratch);
        if !rig.is_baked && rig.reach(&cue.constraints, scratch) {
            rig.inherit(None, scratch);
        }
        if let Swinging::Moving(bodies) = &mut bodies {
            rig.swing(&scratch.joints, bodies);
        }
        match &bodies {
            Swinging::Off => {}
            Swinging::Held(bodies) => rig.inherit(Some((bodies, cue.forces.mix())), scratch),
            Swinging::Moving(bodies) => rig.inherit(Some((bodies, cue.forces.mix())), scratch),
        }
        if !scratch.prepared_for.is(self.id, skins) {
            rig.resolve(skins, &mut scratch.shown);
            scratch.prepared_for.set(self.id, skins);
        }
        rig.show(scratch, pose);
    }
}

impl Rig {
    /// Returns the index of the first switch of the visuals.
    fn visual_switches(&self) -> usize {
        self.bones.len()
    }

    /// Returns the index of the first switch of the chains.
    fn chain_switches(&self) -> usize {
        self.rest.switches.len() - SWITCHES_A_CHAIN * self.chains.len()
    }

    /// Returns the index of the first number of the visuals.
    fn visual_numbers(&self) -> usize {
        NUMBERS_A_BONE * self.bones.len()
    }
}

/// Rotates `vector`.
#[inline]
fn turned(vector: DVec2, cos_sin: DVec2) -> DVec2 {
    dvec2(vector.x * cos_sin.x - vector.y * cos_sin.y, vector.x * cos_sin.y + vector.y * cos_sin.x)
}

/// Returns the unit vector at an angle.
#[inline]
fn direction(radians: f64) -> DVec2 {
    let (sin, cos) = crate::math::angle::sin_cos_radians(radians);
    dvec2(cos, sin)
}

/// Normalises a vector; zero stays zero.
#[inline]
fn unit(vector: DVec2) -> DVec2 {
    let length = vector.length();
    if length > 0.0 { vector / length } else { DVec2::ZERO }
}

/// Returns the angle of a vector.
#[inline]
fn angle(vector: DVec2) -> f64 {
    crate::math::angle::atan2_radians(vector.y, vector.x)
}
