//! Bones that the caller puts somewhere: after animations, before constraints.

use crate::math::Vec2;
use crate::model::BoneId;

/// A bone that the caller moves: a dragged target of inverse kinematics, a head that looks somewhere.
///
/// What is given replaces what animations say; what is `None` stays. Constraints act afterwards, and may move the
/// bone again. Of several for one bone the later ones go on from what the earlier ones left. A number that is not
/// finite counts as not given, and so does a bone that the character does not have.
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
    /// Which bone.
    pub bone: BoneId,
    /// Where its origin is.
    pub position: Option<BonePlace>,
    /// Radians counter-clockwise, relative to its parent.
    pub rotation_radians: Option<f32>,
    /// Along its own axes, relative to its parent.
    pub scale: Option<Vec2>,
}

/// Where a bone is put.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum BonePlace {
    /// Pixels in the space of its parent; of a bone without one, in the world.
    Local(Vec2),
    /// Pixels in the world. Where the parent is flat, as without width, it does not count: no place in the space of
    /// the parent leads there.
    World(Vec2),
}

impl BoneOverride {
    /// Changes nothing yet.
    pub fn new(bone: BoneId) -> Self {
        Self { bone, position: None, rotation_radians: None, scale: None }
    }

    /// Puts a bone somewhere in the world.
    pub fn at(bone: BoneId, world_position: Vec2) -> Self {
        Self { position: Some(BonePlace::World(world_position)), ..Self::new(bone) }
    }

    /// The place in the space of the parent, where one is given.
    pub(crate) fn local_position(&self) -> Option<Vec2> {
        match self.position {
            Some(BonePlace::Local(position)) if position.is_finite() => Some(position),
            _ => None,
        }
    }

    /// The place in the world, where one is given.
    pub(crate) fn world_position(&self) -> Option<Vec2> {
        match self.position {
            Some(BonePlace::World(position)) if position.is_finite() => Some(position),
            _ => None,
        }
    }

    /// Degrees, where an angle is given.
    pub(crate) fn rotation_degrees(&self) -> Option<f32> {
        self.rotation_radians.map(f32::to_degrees).filter(|degrees| degrees.is_finite())
    }

    /// Both factors, where they are given.
    pub(crate) fn finite_scale(&self) -> Option<Vec2> {
        self.scale.filter(|scale| scale.is_finite())
    }
}
