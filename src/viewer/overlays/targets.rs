//! The targets of inverse kinematics: their positions, and those set by the user. World pixels, y up.

use std::sync::Arc;

use crate::Character;
use crate::error::escaped;
use crate::math::Vec2;
use crate::model::BoneId;
use crate::motion::{BoneOverride, ik_targets};
use crate::viewer::app::state::State;

/// The targets of one character.
#[derive(Debug, Clone)]
pub struct Targets {
    /// The bones and their labels.
    bones: Vec<(BoneId, Arc<str>)>,
    /// The target that is being dragged.
    held: Option<Held>,
    /// Their handles are drawn.
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

impl Default for Targets {
    fn default() -> Self {
        Self { bones: Vec::new(), held: None, are_shown: true }
    }
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
}

impl State {
    /// Returns the current targets; none if their handles are hidden.
    pub fn shown_targets(&mut self) -> Vec<Target> {
        if !self.targets.are_shown || self.targets.bones.is_empty() {
            return Vec::new();
        }
        self.animator.refresh();
        let (Targets { bones, held, .. }, pose) = (&self.targets, self.animator.pose());
        let moved = self.animator.overrides();
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
    pub fn grab_target(&mut self, target: &Target, pointer: Vec2) {
        self.targets.held = Some(Held { bone: target.bone, offset: target.position - pointer });
    }

    /// Drags `target` to the pointer, unless it was reset meanwhile.
    pub fn drag_target(&mut self, target: &Target, pointer: Vec2) {
        let Some(Held { bone, offset }) = self.targets.held.filter(|held| held.bone == target.bone) else {
            return;
        };
        let position = pointer + offset;
        if !position.is_finite() {
            return;
        }
        let moved = BoneOverride::at(bone, position);
        if self.animator.overrides().contains(&moved) {
            return;
        }
        self.animator.override_bone(moved);
        self.settle_physics();
    }

    /// Stops dragging.
    pub fn release_target(&mut self) {
        self.targets.held = None;
    }

    /// Returns true if the user has moved any target.
    pub fn are_targets_put(&self) -> bool {
        !self.animator.overrides().is_empty()
    }

    /// Resets all targets to their animated positions.
    pub fn put_targets_back(&mut self) {
        self.targets.held = None;
        if self.are_targets_put() {
            self.animator.release_bones();
            self.settle_physics();
        }
    }

    /// Shows or hides the handles of targets.
    pub fn toggle_targets(&mut self) {
        if self.loaded().is_some() && self.targets.bones.is_empty() {
            return self.notify("This file has no IK targets");
        }
        self.targets.are_shown = !self.targets.are_shown;
    }

    /// Restarts physics while time stands still, so that it reacts to the moved target.
    fn settle_physics(&mut self) {
        if !self.animator.is_moving() || self.scrubbing {
            self.animator.restart_physics();
        }
    }
}
