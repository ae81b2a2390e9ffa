//! Evaluation with state: smoothing and physics.

use super::ease::{Handles, ease};
use super::{Body, Scratch, SkelForm, angle};
use crate::math::DAffine2;
use crate::model::{Identity, Model};
use crate::motion::{Cue, Swinging};
use crate::pose::Pose;

/// The state that is carried from one step to the next.
#[derive(Debug, Clone, Default)]
pub(crate) struct Carried {
    /// The motion that it belongs to; the default is none.
    prepared_for: Identity,
    numbers: Vec<f64>,
    is_moved: Vec<bool>,
    bodies: Vec<Body>,
}

/// How a pose follows from the previous state.
#[derive(Debug)]
pub(crate) struct Following<'a> {
    /// The previous state.
    pub carried: &'a mut Carried,
    pub physics: bool,
    /// Smoothing in frames; 0 disables it.
    pub smoothing: f64,
    /// True to advance the state by one step, false to leave it unchanged.
    pub is_step: bool,
}

impl Carried {
    /// Forgets everything.
    pub fn reset(&mut self) {
        self.prepared_for = Identity::default();
    }

    /// Moves the state into the space in which the character stands now.
    pub fn carry(&mut self, now_from_before: DAffine2) {
        let turn = angle(now_from_before.matrix2.x_axis);
        for body in &mut self.bodies {
            body.position = now_from_before.transform_point2(body.position);
            body.rotation += turn;
            body.orbit += turn;
        }
    }

    /// Returns true if the state belongs to `motion`.
    pub fn is_of(&self, motion: &SkelForm) -> bool {
        self.prepared_for == motion.id
    }
}

impl SkelForm {
    pub(crate) fn follow(
        &self,
        model: &Model,
        cue: &Cue,
        following: Following<'_>,
        scratch: &mut Scratch,
        pose: &mut Pose,
    ) {
        let Following { carried, physics, smoothing, is_step } = following;
        let rig = &self.rig;
        if carried.prepared_for != self.id {
            carried.prepared_for = self.id;
            carried.numbers.clone_from(&rig.rest.numbers);
            carried.bodies.clear();
            carried.bodies.extend(rig.physics.iter().map(|physics| physics.start));
        }
        self.animate(model, cue, scratch);
        if smoothing > 0.0 {
            if is_step {
                self.smooth(model, cue, smoothing, carried);
            }
            scratch.numbers.clone_from(&carried.numbers);
        } else {
            carried.numbers.clone_from(&scratch.numbers);
        }
        let bodies: Swinging<'_, [Body]> = match (physics && !rig.physics.is_empty(), is_step) {
            (false, _) => Swinging::Off,
            (true, false) => Swinging::Held(&carried.bodies),
            (true, true) => Swinging::Moving(&mut carried.bodies),
        };
        self.finish(bodies, cue, scratch, pose);
    }

    /// Moves the state towards the keyed values; values without keys move towards rest.
    fn smooth(&self, model: &Model, cue: &Cue, smoothing: f64, carried: &mut Carried) {
        let Carried { numbers, is_moved, .. } = carried;
        is_moved.clear();
        is_moved.resize(numbers.len(), false);
        let mut first = None;
        self.for_each_animation(model, cue, |animation, frame, _| {
            first.get_or_insert(frame);
            animation.smooth(frame, smoothing, numbers, is_moved);
        });
        // Without an animation, the time since its start is unknown.
        let frame = first.unwrap_or(smoothing);
        for ((now, &rest), _) in
            numbers.iter_mut().zip(&self.rig.rest.numbers).zip(&*is_moved).filter(|(_, is_moved)| !**is_moved)
        {
            *now = ease(frame, smoothing, *now, rest, Handles::SMOOTH);
        }
    }
}
