//! Constraints: everything that depends on their kind, except how each is solved and its timelines.

use super::links::Links;
use super::{
    ConstraintPose, Driver, Ik, PathConstraint, PhysicsConstraint, Posing, Rig, Scratch, Slider,
    TransformConstraint,
};
use crate::error::escaped;
use crate::model::Model;
use crate::motion::Setting;

/// Units of work for inverse kinematics of one or two bones, counted from IK constraints.
const IK: u64 = 400;
/// Units of work for a bone of a transform constraint, counted from transform constraints.
const TRANSFORMED: u64 = 200;
/// Units of work for a bone on a path, counted from path constraints.
const ON_PATH: u64 = 420;
/// Units of work for a physics constraint, counted from physics constraints.
const PHYSICS: u64 = 100;
/// Units of work for a step of a physics constraint, counted from its steps in a 60th of a second.
const PHYSICS_STEP: u64 = 40;

/// A constraint, which changes bones after animations.
#[derive(Debug, Clone)]
pub(crate) struct Constraint {
    pub kind: ConstraintKind,
    /// Only applied in skins that contain it.
    pub needs_skin: bool,
    /// Never applied, because of its place in the order.
    pub is_skipped: bool,
    /// State at rest.
    pub setup: ConstraintPose,
}

/// Kind of a constraint.
#[derive(Debug, Clone)]
pub(crate) enum ConstraintKind {
    Ik(Ik),
    Transform(TransformConstraint),
    Path(PathConstraint),
    Physics(PhysicsConstraint),
    Slider(Slider),
}

impl ConstraintKind {
    /// Returns the bone that must be active for the constraint at `index` to apply: its target, or the bone that drives
    /// it.
    pub(super) fn target(&self, index: usize, rig: &Rig, scratch: &Scratch) -> Option<usize> {
        match self {
            Self::Ik(ik) => Some(scratch.target(index, ik.target)),
            Self::Transform(transform) => Some(scratch.target(index, transform.target)),
            Self::Path(path) => Some(rig.slots[path.target].bone),
            Self::Physics(physics) => Some(physics.bone),
            Self::Slider(slider) => slider.driver.map(|driver| driver.bone),
        }
    }

    /// Adds the bones to the plan that the constraint reads, besides its target.
    pub(super) fn need(&self, rig: &Rig, scratch: &mut Scratch) {
        match self {
            Self::Ik(ik) => {
                rig.need(ik.bone, scratch);
                if let Some(child) = ik.child.filter(|_| !rig.rules.restarts_bones) {
                    rig.need(child, scratch);
                }
            }
            Self::Transform(transform) => {
                for &bone in &transform.bones {
                    let (bone, is_local) = (bone as usize, transform.changes_locally());
                    if is_local {
                        // It is computed even for inactive bones, whose own matrices are not.
                        rig.need_parent(bone, scratch);
                    }
                    if !(is_local && rig.rules.restarts_bones) {
                        rig.need(bone, scratch);
                    }
                }
            }
            Self::Path(path) => {
                let slot = &rig.slots[path.target];
                slot.path_bones.iter().chain(&path.bones).for_each(|&bone| rig.need(bone as usize, scratch));
            }
            Self::Physics(_) => {}
            Self::Slider(_) => scratch.has_sliders = true,
        }
    }

    /// Marks the bones that it places as up to date, and those below as outdated.
    pub(super) fn mark(&self, rig: &Rig, scratch: &mut Scratch) {
        match self {
            Self::Ik(ik) => {
                rig.mark_stale_below(&[ik.bone as u32], scratch);
                scratch.is_done[ik.bone] = true;
                if let Some(child) = ik.child {
                    scratch.is_done[child] = true;
                    scratch.was_done[child] = true;
                }
            }
            Self::Transform(TransformConstraint { bones, .. }) | Self::Path(PathConstraint { bones, .. }) => {
                rig.mark_stale_below(bones, scratch);
                let follows =
                    rig.rules.follows_parents && matches!(self, Self::Transform(it) if it.changes_locally());
                for bone in bones.iter().map(|&bone| bone as usize) {
                    let parent = rig.bones[bone].parent;
                    let is_moved = parent.is_some_and(|parent| scratch.is_stale[parent as usize]);
                    scratch.is_done[bone] = !(follows && is_moved && scratch.is_active[bone]);
                    scratch.was_done[bone] = true;
                }
            }
            Self::Physics(physics) => {
                rig.mark_stale_below(&[physics.bone as u32], scratch);
                scratch.is_done[physics.bone] = true;
            }
            Self::Slider(slider) => {
                rig.mark_stale_below(&slider.bones, scratch);
                for &bone in &slider.bones {
                    let is_active = scratch.is_active[bone as usize];
                    scratch.is_done[bone as usize] = !is_active;
                }
            }
        }
    }

    /// Applies it.
    #[inline(always)]
    pub(super) fn apply(&self, [index, target]: [usize; 2], now: &ConstraintPose, posing: &mut Posing<'_>) {
        match self {
            Self::Ik(ik) => ik.apply(posing.rig, target, now, posing.scratch),
            Self::Transform(it) => it.apply(posing.rig, target, now, posing.scratch),
            Self::Path(path) => path.apply(now, posing),
            Self::Physics(it) => it.apply(index, now, posing),
            Self::Slider(slider) => slider.apply(now, posing),
        }
    }

    /// The bones whose matrices it computes itself instead of changing them.
    pub(super) fn placed_bones(&self) -> impl Iterator<Item = usize> {
        let (child, bones): (_, &[u32]) = match self {
            Self::Ik(ik) => (ik.child, &[]),
            Self::Transform(transform) if transform.changes_locally() => (None, &transform.bones),
            Self::Transform(_) | Self::Path(_) | Self::Physics(_) | Self::Slider(_) => (None, &[]),
        };
        child.into_iter().chain(bones.iter().map(|&bone| bone as usize))
    }

    /// Returns the units of work for applying the constraint. `path` is the work for the longest path; `animation` returns
    /// the work for an animation.
    pub(super) fn work(&self, path: u64, animation: impl FnOnce(usize) -> u64) -> u64 {
        match self {
            Self::Ik(_) => IK,
            Self::Transform(transform) => transform.bones.len() as u64 * TRANSFORMED,
            Self::Path(constraint) => path + constraint.bones.len() as u64 * ON_PATH,
            Self::Physics(it) => PHYSICS + (it.rate.fps() / 60.0).ceil() as u64 * PHYSICS_STEP,
            Self::Slider(slider) => animation(slider.animation),
        }
    }

    /// Its settings, in the order of [`ConstraintPose::values`].
    pub(in crate::motion) fn settings(&self) -> &'static [Setting] {
        use Setting as S;
        match self {
            Self::Ik(_) => &[S::MIX, S::SOFTNESS],
            Self::Transform(_) => {
                &[S::MIX_ROTATE, S::MIX_X, S::MIX_Y, S::MIX_SCALE_X, S::MIX_SCALE_Y, S::MIX_SHEAR_Y]
            }
            Self::Path(_) => &[S::POSITION, S::SPACING, S::MIX_ROTATE, S::MIX_X, S::MIX_Y],
            Self::Physics(_) => &[S::INERTIA, S::STRENGTH, S::DAMPING, S::MASS, S::WIND, S::GRAVITY, S::MIX],
            Self::Slider(_) => &[S::TIME, S::MIX],
        }
    }

    /// Its settings that are not numbers, by name, unless they are the usual ones.
    pub(in crate::motion) fn notes(&self, model: &Model) -> Vec<(&'static str, String)> {
        let space = |is_local| if is_local { "local" } else { "world" };
        let note = |name, is: bool, text: &str| is.then(|| (name, text.to_owned()));
        let notes: [Option<(&str, String)>; 4] = match self {
            Self::Ik(Ik { scale_y, .. }) | Self::Physics(PhysicsConstraint { scale_y, .. }) => {
                [scale_y.name().map(|mode| ("scale y", mode.to_owned())), None, None, None]
            }
            Self::Path(_) => Default::default(),
            Self::Transform(it) => {
                let [from, to] = [it.is_local, it.changes_locally()];
                let drives = it.links.as_ref().and_then(Links::described);
                [
                    note("space", from && to, space(true)),
                    note("space", from != to, &format!("{} to {}", space(from), space(to))),
                    note("additive", it.is_relative, "yes"),
                    drives.map(|drives| ("drives", drives)),
                ]
            }
            Self::Slider(it) => {
                let animation = model.animations().get(it.animation);
                let time = |driver: &Driver| {
                    let (property, space) = (driver.property.name(), space(driver.is_local));
                    let [from, to, scale] = [driver.from, driver.to, driver.scale].map(|number| number as f32);
                    format!("{to} + ({property} - {from}) * {scale} s, {space}")
                };
                [
                    animation.map(|it| ("animation", escaped(&it.name))),
                    note("loops", it.is_looping, "yes"),
                    note("additive", it.is_additive, "yes"),
                    it.driver.as_ref().map(|driver| ("time", time(driver))),
                ]
            }
        };
        notes.into_iter().flatten().collect()
    }
}
