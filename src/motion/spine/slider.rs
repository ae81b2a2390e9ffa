//! Sliders: constraints that apply an animation at a time of their own, or at one given by a property of a bone.

use super::keys::Time;
use super::links::BoneProperty;
use super::parts::Applied;
use super::{Blend, ConstraintPose, Moment, Posing, timeline};
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

impl Posing<'_> {
    /// Notes the state that the next frame continues, before sliders change it.
    pub(super) fn save_before_sliders(&mut self) {
        if !self.scratch.has_sliders {
            self.scratch.before_sliders = None;
            return;
        }
        let mut saved = self.scratch.before_sliders.take().unwrap_or_default();
        saved.slots.clone_from(&self.pose.slots);
        saved.draw_order.clone_from(&self.pose.draw_order);
        saved.deform.clone_from(&self.pose.deform);
        saved.constraints.clone_from(&self.scratch.constraints);
        saved.pictures.clone_from(&self.scratch.pictures);
        self.scratch.before_sliders = Some(saved);
    }

    /// Undoes what sliders have changed in the last frame, apart from bones.
    pub(super) fn undo_sliders(&mut self) {
        let Some(saved) = &self.scratch.before_sliders else { return };
        self.pose.slots.clone_from(&saved.slots);
        self.pose.draw_order.clone_from(&saved.draw_order);
        self.pose.deform.clone_from(&saved.deform);
        self.scratch.constraints.clone_from(&saved.constraints);
        self.scratch.pictures.clone_from(&saved.pictures);
    }
}

impl Slider {
    /// The indices of its values.
    pub const TIME: usize = 0;
    pub const MIX: usize = 1;

    pub(super) fn apply(&self, now: &ConstraintPose, posing: &mut Posing<'_>) {
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
            *posing.scratch.local.after_animations(bone) = posing.rig.applied(bone, posing.scratch);
        }
        let mix = if self.is_additive { Mix::Add } else { Mix::Replace };
        let blend = Blend { alpha, mix, direction: Direction::In, is_added: false };
        let time = Time::new(time);
        let moment = Moment { stored: posing.stored, time, blend, turns: None };
        timeline::apply(0, &animation.timelines, &moment, posing);
        for &bone in &self.bones {
            posing.scratch.local.compute_one(bone as usize, posing.rig);
            posing.scratch.applied[bone as usize] = Applied::AsAnimated;
        }
    }
}
