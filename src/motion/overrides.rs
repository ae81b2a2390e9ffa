//! Bones moved by the caller: after animations and before constraints, or after those.

use super::Lifetime;
use crate::math::{Affine2, Vec2};
use crate::model::{BoneId, Model};
use crate::pose::Pose;

/// A bone moved by the caller, such as a dragged target of inverse kinematics or a head that follows the mouse.
///
/// Values replace the animated ones, `None` keeps them. Constraints are applied afterwards and may move the
/// bone again; only [`world`](Self::world) is final. Several overrides of the same bone are applied in order. Non-finite
/// values and bones that the character does not have are ignored.
///
/// ```
/// # use pchr::{Character, math::vec2, motion::{BoneOverride, Cue, evaluate}, pose::Pose};
/// # let character = Character::from_bytes(std::fs::read("assets/paper-knight.pchr")?)?;
/// let hand = character.model().skeleton().find("hand_l").or(character.model().skeleton().find("root"));
/// let mouse = vec2(120.0, 80.0);
/// let overrides = hand.map(|bone| BoneOverride::at(bone, mouse)).into_iter().collect();
/// let mut pose = Pose::default();
/// evaluate(&character, &Cue { bones: overrides, ..Cue::default() }, &mut pose);
/// # for bone in hand { assert!(pose.world_from_bone[bone.index()].translation.distance(mouse) < 1e-3); }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BoneOverride {
    /// The bone.
    pub bone: BoneId,
    /// Position of its origin.
    pub position: Option<BonePlace>,
    /// Rotation in radians, counter-clockwise, relative to its parent.
    pub rotation_radians: Option<f32>,
    /// Scale along its own axes, relative to its parent.
    pub scale: Option<Vec2>,
    /// The transform of the bone in the world, after constraints and physics, as a ragdoll needs it. Its descendants
    /// follow.
    pub world: Option<Affine2>,
    /// Moves, turns and scales the bone in its own space, from where constraints, physics and `world` put it. Its
    /// descendants follow.
    pub after: Option<Affine2>,
    /// How long an animator keeps it.
    pub lifetime: Lifetime,
}

/// Position of a moved bone.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum BonePlace {
    /// Pixels in the space of its parent; for a root bone, in the world.
    Local(Vec2),
    /// Pixels in the world. Ignored if the parent is flat, for example scaled to a width of 0: then no position in
    /// its space corresponds to it.
    World(Vec2),
}

impl BoneOverride {
    /// Creates an override that changes nothing yet.
    pub fn new(bone: BoneId) -> Self {
        let lifetime = Lifetime::default();
        Self { bone, position: None, rotation_radians: None, scale: None, world: None, after: None, lifetime }
    }

    /// Creates an override that moves a bone to a position in the world.
    pub fn at(bone: BoneId, world_position: Vec2) -> Self {
        Self { position: Some(BonePlace::World(world_position)), ..Self::new(bone) }
    }

    /// Creates an override that places a bone in the world, after constraints and physics.
    pub fn placed(bone: BoneId, world_from_bone: Affine2) -> Self {
        Self { world: Some(world_from_bone), ..Self::new(bone) }
    }

    /// Returns the position in the space of the parent, if given.
    pub(crate) fn local_position(&self) -> Option<Vec2> {
        match self.position {
            Some(BonePlace::Local(position)) if position.is_finite() => Some(position),
            _ => None,
        }
    }

    /// Returns the position in the world, if given.
    pub(crate) fn world_position(&self) -> Option<Vec2> {
        match self.position {
            Some(BonePlace::World(position)) if position.is_finite() => Some(position),
            _ => None,
        }
    }

    /// Returns the rotation in degrees, if given.
    pub(crate) fn rotation_degrees(&self) -> Option<f32> {
        self.rotation_radians.map(f32::to_degrees).filter(|degrees| degrees.is_finite())
    }

    /// Returns both scale factors, if given.
    pub(crate) fn finite_scale(&self) -> Option<Vec2> {
        self.scale.filter(|scale| scale.is_finite())
    }
}

/// Places bones in the world, after everything else. Descendants of a placed bone follow it; descendants of a flat one
/// stay, because their positions relative to it are lost.
pub(super) fn place(overrides: &[BoneOverride], model: &Model, pose: &mut Pose, before: &mut Vec<Affine2>) {
    let last = |bone: usize, of: fn(&BoneOverride) -> Option<Affine2>| {
        let mut those = overrides.iter().rev().filter(|put| put.bone.index() == bone);
        those.find_map(|put| of(put).filter(Affine2::is_finite))
    };
    if overrides.iter().all(|put| put.world.is_none() && put.after.is_none()) {
        return;
    }
    before.clone_from(&pose.world_from_bone);
    let world = &mut pose.world_from_bone;
    for (index, bone) in model.skeleton().bones().iter().enumerate().take(before.len()) {
        let parent = bone.parent.map(|parent| parent.index());
        if let Some(place) = last(index, |put| put.world) {
            world[index] = place;
        } else if let Some(parent) = parent
            && world[parent] != before[parent]
            && before[parent].matrix2.determinant() != 0.0
        {
            world[index] = world[parent] * before[parent].inverse() * before[index];
        }
        if let Some(after) = last(index, |put| put.after) {
            world[index] *= after;
        }
    }
}
