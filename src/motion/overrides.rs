//! Bones moved by the caller, after animations and before constraints.

use crate::math::Vec2;
use crate::model::BoneId;

/// A bone moved by the caller, such as a dragged target of inverse kinematics or a head that follows the mouse.
///
/// Values replace those of the animations, `None` keeps them. Constraints are applied afterwards and may move the
/// bone again. Several overrides of the same bone are applied in order. Non-finite values and bones that the
/// character does not have are ignored.
///
/// ```
/// # use pchr::{Character, math::vec2, motion::{BoneOverride, Cue, evaluate}, pose::Pose};
/// # let character = Character::from_bytes(std::fs::read("assets/paper-knight.pchr")?)?;
/// let hand = character.model().skeleton().find("hand_l").or(character.model().skeleton().find("root"));
/// let mouse = vec2(120.0, 80.0);
/// let overrides = hand.map(|bone| BoneOverride::at(bone, mouse)).into_iter().collect();
/// let mut pose = Pose::default();
/// evaluate(&character, &Cue { overrides, ..Cue::default() }, &mut pose);
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
        Self { bone, position: None, rotation_radians: None, scale: None }
    }

    /// Creates an override that moves a bone to a position in the world.
    pub fn at(bone: BoneId, world_position: Vec2) -> Self {
        Self { position: Some(BonePlace::World(world_position)), ..Self::new(bone) }
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
