//! The targets of inverse kinematics: their positions, and those set by the user. World pixels, y up.

use std::sync::Arc;

use crate::playback::Playback;
use pchr::Character;
use pchr::error::escaped;
use pchr::math::Vec2;
use pchr::model::BoneId;
use pchr::motion::{BoneOverride, ik_targets};

/// The targets of one character.
#[derive(Debug, Clone, Default)]
pub struct Targets {
    /// The bones and their labels.
    bones: Vec<(BoneId, Arc<str>)>,
    /// The target that is being dragged.
    held: Option<Held>,
    /// Their rings are drawn even if the pointer is far away.
    pub are_shown: bool,
}

/// A target that the user is dragging.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Held {
    bone: BoneId,
    /// Offset from the pointer to the bone.
    offset: Vec2,
}

/// A target at one instant.
#[derive(Debug, Clone, PartialEq)]
pub struct Target {
    /// The bone.
    pub bone: BoneId,
    /// Its label for people, with the name of the bone.
    pub label: Arc<str>,
    /// Its position in world pixels.
    pub position: Vec2,
    /// The user has moved it.
    pub is_put: bool,
    /// The user is dragging it.
    pub is_held: bool,
}

impl Targets {
    /// Returns the targets of `character`, all controlled by animations.
    pub fn of(character: Option<&Character>, are_shown: bool) -> Self {
        let labelled = |character: &Character| {
            let bones = character.model().skeleton().bones();
            let label = |id: BoneId| {
                let bone = bones.get(id.index())?;
                Some((id, format!("IK target {}", escaped(&bone.name)).into()))
            };
            ik_targets(character).into_iter().filter_map(label).collect()
        };
        Self { bones: character.map(labelled).unwrap_or_default(), are_shown, ..Self::default() }
    }

    /// Returns the targets of active bones.
    pub fn active(&self, playback: &mut Playback) -> Vec<Target> {
        if self.bones.is_empty() {
            return Vec::new();
        }
        playback.animator.refresh();
        let (Targets { bones, held, .. }, pose) = (self, playback.animator.pose());
        let moved = playback.animator.bone_overrides();
        let is_active = |(bone, _): &&(BoneId, _)| pose.inactive_bones.binary_search(bone).is_err();
        let target = |(bone, label): &(BoneId, Arc<str>)| {
            Some(Target {
                bone: *bone,
                label: Arc::clone(label),
                position: pose.world_from_bone.get(bone.index())?.translation,
                is_put: moved.iter().any(|moved| moved.bone == *bone),
                is_held: held.is_some_and(|held| held.bone == *bone),
            })
        };
        bones.iter().filter(is_active).filter_map(target).collect()
    }

    /// Starts to drag `target` with the pointer at `pointer`.
    pub fn grab(&mut self, target: &Target, pointer: Vec2) {
        self.held = Some(Held { bone: target.bone, offset: target.position - pointer });
    }

    /// Drags `target` to the pointer, unless it was reset meanwhile.
    pub fn drag(&mut self, playback: &mut Playback, target: &Target, pointer: Vec2) {
        let Some(Held { bone, offset }) = self.held.filter(|held| held.bone == target.bone) else {
            return;
        };
        let position = pointer + offset;
        if !position.is_finite() {
            return;
        }
        let moved = BoneOverride::at(bone, position);
        if playback.animator.bone_overrides().contains(&moved) {
            return;
        }
        playback.animator.override_bone(moved);
        settle_physics(playback);
    }

    /// Stops dragging.
    pub fn release(&mut self) {
        self.held = None;
    }

    /// Returns true if the user has moved any target.
    pub fn are_put(playback: &Playback) -> bool {
        !playback.animator.bone_overrides().is_empty()
    }

    /// Resets all targets to their animated positions.
    pub fn put_back(&mut self, playback: &mut Playback) {
        self.held = None;
        if Self::are_put(playback) {
            playback.animator.release_bones();
            settle_physics(playback);
        }
    }

    /// Shows their rings, or hides them while the pointer is far away. Returns false if a character is shown that has no targets.
    pub fn toggle(&mut self, playback: &Playback) -> bool {
        let has_some = !playback.has_character || !self.bones.is_empty();
        self.are_shown ^= has_some;
        has_some
    }
}

/// Restarts physics while time stands still, so that it reacts to the moved target.
fn settle_physics(playback: &mut Playback) {
    if !playback.animator.is_moving() || playback.scrubbing {
        playback.animator.restart_physics();
    }
}
