//! Sliders: constraints that apply an animation at a time of their own, or at one given by a property of a bone.

use super::links::BoneProperty;
use super::{Blend, ConstraintPose, Moment, Posing};
use crate::motion::{Direction, Mix};

/// An animation that is applied after others, to the pose as constraints have left it.
#[derive(Debug, Clone)]
pub(crate) struct Slider {
    /// Index of the animation.
    pub animation: usize,
    /// The bones that it moves.
    pub bones: Vec<u32>,
    /// Adds its values instead of mixing them.
    pub is_additive: bool,
    pub is_looping: bool,
    /// The property that gives the time; without one, the time is a value of the constraint.
    pub driver: Option<Driver>,
}

/// A property of a bone that gives a time: `to + (value - from) * scale`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Driver {
    pub bone: usize,
    pub property: BoneProperty,
    pub is_local: bool,
    pub from: f64,
    /// Seconds.
    pub to: f64,
    /// Seconds per unit of the property.
    pub scale: f64,
}

impl Slider {
    /// The indices of its values.
    pub const TIME: usize = 0;
    pub const MIX: usize = 1;

    pub(super) fn apply(&self, now: ConstraintPose, posing: &mut Posing<'_>) {
        let alpha = now.values[Self::MIX];
        if alpha == 0.0 {
            return;
        }
        let animation = &posing.animations[self.animation];
        let time = match self.driver {
            None => now.values[Self::TIME],
            Some(it) => {
                let value = it.property.of(it.bone, it.is_local, 0.0, posing.rig, posing.scratch);
                it.to + (value - it.from) * it.scale
            }
        };
        let time = match self.is_looping && animation.duration > 0.0 {
            true => time.rem_euclid(animation.duration),
            false => time.max(0.0),
        };
        for &bone in &self.bones {
            let bone = bone as usize;
            posing.scratch.local[bone] = posing.rig.applied(bone, posing.scratch);
        }
        let mix = if self.is_additive { Mix::Add } else { Mix::Replace };
        let blend = Blend { alpha, mix, direction: Direction::In };
        let moment = Moment { beziers: posing.beziers, time, blend, kept: None, from_rest: false };
        for timeline in &animation.timelines {
            timeline.apply(moment, posing);
        }
        for &bone in &self.bones {
            let scratch = &mut *posing.scratch;
            scratch.applied[bone as usize] = scratch.local[bone as usize];
        }
    }
}
