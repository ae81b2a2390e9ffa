//! Physics constraints: bones that lag behind their own movement and swing.
//!
//! Each component of a bone hangs on a spring. A movement of the bone deflects it, by as much as the bone's inertia
//! says; the spring is then stepped at the constraint's own rate. Between steps nothing swings up to 4.2; since 4.3 what
//! is shown goes from the last step but one to the last one meanwhile.
//!
//! Time is counted in whole nanoseconds, and steps are derived from that count, so that the number of steps after
//! a time does not depend on how it was divided or on rounding.

use std::f64::consts::TAU;

use super::axes::turn;
use super::{ConstraintPose, Posing, ScaleY, Spine};
use crate::math::angle::{atan2_radians, sin_cos_radians};
use crate::math::{DAffine2, DMat2, DVec2, dvec2};
use crate::model::{AnimationId, Identity, Model};
use crate::motion::{Cue, Layer, Passing, Played, Swinging};

/// A physics constraint.
#[derive(Debug, Clone)]
pub(crate) struct PhysicsConstraint {
    pub bone: usize,
    /// How much of the deflection each component of the bone takes on.
    pub x: f64,
    pub y: f64,
    pub rotate: f64,
    pub scale_x: f64,
    pub shear_x: f64,
    pub scale_y: ScaleY,
    /// Maximum speed in pixels per second that is taken into account; not negative.
    pub limit: f64,
    pub rate: Rate,
    /// Pixels per unit of wind and gravity.
    pub reference_scale: f64,
    /// Whether timelines of all constraints change each of [`PhysicsValue`].
    pub globals: [bool; 7],
}

/// A number of steps per second.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Rate {
    /// Positive, and at most [`Self::MAX_FPS`].
    fps: f64,
    /// Steps in a thousand seconds: rates are exact to a thousandth of a step per second.
    per_1000_secs: u64,
    /// Seconds.
    step: f64,
}

/// A value of a physics constraint that timelines change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PhysicsValue {
    Inertia,
    Strength,
    Damping,
    Mass,
    Wind,
    Gravity,
    Mix,
}

/// The state of the physics of a character.
#[derive(Debug, Clone, Default)]
pub(crate) struct Swings {
    /// The motion that it belongs to; the default is none.
    motion: Identity,
    /// Time since the start.
    nanos: u64,
    /// By constraint; entries of other kinds are unused.
    swings: Vec<Swing>,
    /// What was played at the last update, and when in it, in seconds.
    played: Vec<(AnimationId, f64)>,
    /// What is played now.
    playing: Vec<(AnimationId, f64)>,
    push: Push,
    /// See [`Passing::is_unseen`].
    is_unseen: bool,
}

/// The directions of wind and gravity in the space of the character, by which the values of constraints are multiplied.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Push {
    pub wind: DVec2,
    pub gravity: DVec2,
}

/// The state of one constraint.
#[derive(Debug, Clone, Copy, Default)]
struct Swing {
    /// `None` until the first update, and after a reset.
    seen: Option<Seen>,
    x: Spring,
    y: Spring,
    rotate: Spring,
    scale: Spring,
    /// See [`Spring::shown`].
    late: f64,
    /// A value of damping, and [`Stepping::damping`] for it. A power takes long to compute.
    damping: (f64, f64),
}

/// What a constraint remembers of the last update.
#[derive(Debug, Clone, Copy)]
struct Seen {
    /// Time of the first update, from which steps are counted.
    start: u64,
    /// Steps up to the last update.
    steps: u64,
    /// Time of the last update.
    last: u64,
    /// Where the bone was before physics.
    target: DVec2,
    /// Where the bone was after physics.
    bone: DVec2,
    /// From there to its tip.
    tip: DVec2,
}

/// A deflection and its change per second.
#[derive(Debug, Clone, Copy, Default)]
struct Spring {
    offset: f64,
    velocity: f64,
    /// By how much the steps of the last update that made any changed the offset.
    change: f64,
}

/// An update of the springs.
#[derive(Debug, Clone, Copy)]
struct Update {
    /// Time since the start.
    nanos: u64,
    push: Push,
    /// See [`Rules::shows_steps_late`](super::Rules).
    shows_late: bool,
}

/// Steps of springs, and what moves them.
#[derive(Debug, Clone, Copy)]
struct Stepping {
    count: u64,
    /// Seconds.
    step: f64,
    inertia: f64,
    strength: f64,
    mass: f64,
    /// Share of the velocity that is left after a step.
    damping: f64,
    /// By wind and gravity.
    push: DVec2,
    /// Maximum way of the bone that is taken into account.
    reach: f64,
    /// [`Swing::late`] before.
    was_late: f64,
}

impl Stepping {
    /// Deflects a spring that is pushed evenly, and makes all of its steps.
    fn slide(&self, spring: &mut Spring, way: f64, push: f64) {
        spring.offset += way;
        if self.count > 0 {
            spring.change = 0.0;
        }
        (0..self.count).for_each(|_| self.step(spring, push));
        spring.bound();
    }

    fn step(&self, spring: &mut Spring, push: f64) {
        spring.velocity += (push - spring.offset * self.strength) * self.step / self.mass;
        let way = spring.velocity * self.step;
        spring.offset += way;
        spring.change += way;
        spring.velocity *= self.damping;
    }

    fn within_reach(&self, way: DVec2) -> DVec2 {
        way.clamp(DVec2::splat(-self.reach), DVec2::splat(self.reach))
    }
}

/// Greatest deflection. Only springs that swing further with every step exceed it.
const MAX_OFFSET: f64 = 1e9;

impl Spring {
    /// Puts a spring to rest that has left all bounds, as without mass or with a strength that its rate cannot follow.
    fn bound(&mut self) {
        let is_bounded = |number: f64| number.abs() <= MAX_OFFSET * MAX_OFFSET;
        if !(self.offset.abs() <= MAX_OFFSET && is_bounded(self.velocity)) {
            *self = Self::default();
        }
    }

    /// Returns the offset that is shown. `late`: the share of a step that is missing to the next one.
    fn shown(self, late: f64) -> f64 {
        self.offset - self.change * late
    }
}

impl Swings {
    /// Returns true if the state belongs to `motion`.
    pub fn is_of(&self, motion: &Spine) -> bool {
        self.motion == motion.id
    }

    /// See [`Passing::is_unseen`].
    pub fn is_unseen(&self) -> bool {
        self.is_unseen
    }

    /// Forgets everything.
    pub fn reset(&mut self) {
        (self.motion, self.nanos) = (Identity::default(), 0);
        self.swings.clear();
        self.played.clear();
    }

    /// Prepares for an update of `motion` after some time.
    pub fn pass(&mut self, motion: &Spine, model: &Model, cue: &Cue, passing: Passing) {
        if self.motion != motion.id {
            self.reset();
            self.motion = motion.id;
            self.swings.resize(motion.rig.constraints.len(), Swing::default());
        }
        let Passing { nanos, is_unseen } = passing;
        (self.push, self.is_unseen) = (cue.forces.push(), is_unseen);
        self.nanos = self.nanos.saturating_add(nanos);
        self.reset_by_keys(motion, model, cue, nanos);
    }

    /// Moves the state into the space in which the character stands now.
    pub fn carry(&mut self, now_from_before: DAffine2) {
        for seen in self.swings.iter_mut().filter_map(|swing| swing.seen.as_mut()) {
            seen.target = now_from_before.transform_point2(seen.target);
            seen.bone = now_from_before.transform_point2(seen.bone);
            seen.tip = now_from_before.transform_vector2(seen.tip);
        }
    }

    /// Resets the constraints whose reset keys have passed since the last update.
    fn reset_by_keys(&mut self, motion: &Spine, model: &Model, cue: &Cue, nanos: u64) {
        self.playing.clear();
        let layers = cue.layers.iter().filter(|layer| !layer.fade.is_waiting).filter_map(Layer::played);
        for played in cue.played().into_iter().chain(layers) {
            let Played { animation, .. } = played;
            let time = super::time_of(played, model.animation(animation));
            // Of several playbacks of the animation, the one that was nearest before.
            let same = self.played.iter().enumerate().filter(|(_, (id, _))| *id == animation);
            let distance = |from: f64| if from <= time { time - from } else { f64::MAX };
            let before = same.min_by(|(_, a), (_, b)| distance(a.1).total_cmp(&distance(b.1))).map(|(at, _)| at);
            let from = before.map_or(-1.0, |at| self.played.remove(at).1);
            // Otherwise it plays backwards. In a long update it may have wrapped to any earlier time.
            let half = model.animation(animation).duration_secs() / 2.0;
            let wraps = from - time > half || nanos as f64 * 1e-9 >= half;
            self.playing.push((animation, time));
            for (constraint, times) in &motion.animations[animation.index()].resets {
                let has_passed = |key: &f32| {
                    let key = f64::from(*key);
                    if from <= time { key > from && key <= time } else { wraps && (key > from || key <= time) }
                };
                if times.iter().any(has_passed) {
                    let all = 0..self.swings.len();
                    let these = constraint.map_or(all, |it| it as usize..it as usize + 1);
                    self.swings[these].fill(Swing::default());
                }
            }
        }
        std::mem::swap(&mut self.played, &mut self.playing);
    }
}

impl Rate {
    /// The rate of a constraint that does not state a usable one.
    pub const DEFAULT_FPS: f64 = 60.0;
    /// Maximum steps per second.
    pub const MAX_FPS: f64 = 1000.0;
    /// Nanoseconds in a thousand seconds.
    const NANOS_PER_1000_SECS: u128 = 1_000_000_000_000;

    /// Numbers that are not positive become [`Self::DEFAULT_FPS`], and those above [`Self::MAX_FPS`] become that.
    pub fn new(fps: f64) -> Self {
        let fps = if fps > 0.0 { fps.min(Self::MAX_FPS) } else { Self::DEFAULT_FPS };
        Self { fps, per_1000_secs: (fps * 1000.0).round() as u64, step: 1.0 / fps }
    }

    pub fn fps(self) -> f64 {
        self.fps
    }

    /// Returns the number of steps in some nanoseconds.
    fn steps(self, nanos: u64) -> u64 {
        (u128::from(nanos) * u128::from(self.per_1000_secs) / Self::NANOS_PER_1000_SECS) as u64
    }

    /// Returns the share of the next step that has passed after some nanoseconds.
    fn share(self, nanos: u64) -> f64 {
        (u128::from(nanos) * u128::from(self.per_1000_secs) % Self::NANOS_PER_1000_SECS) as f64 * 1e-12
    }
}

/// Maximum time in seconds of one update that is stepped through.
const MAX_STEPPED_SECS: u64 = 60;

/// Turns that differ by less are equal but for rounding.
const EXACT: f64 = 1e-9;

impl PhysicsConstraint {
    /// Deflects the bone.
    pub(super) fn apply(&self, index: usize, now: &ConstraintPose, posing: &mut Posing<'_>) {
        let mix = now.values[PhysicsValue::Mix as usize];
        if mix == 0.0 {
            return;
        }
        let world = &mut posing.scratch.world[self.bone];
        let length = posing.rig.bones[self.bone].length;
        let shows_late = posing.rig.rules.shows_steps_late;
        match &mut posing.swinging {
            Swinging::Off => return,
            Swinging::Held(swings) => {
                let swing = &swings.swings[index];
                self.place(swing, mix, world);
                if self.changes_axes() {
                    self.deflect(swing, mix, world);
                }
            }
            Swinging::Moving(swings) => {
                let update = Update { nanos: swings.nanos, push: swings.push, shows_late };
                self.swing(&mut swings.swings[index], now, update, length, world);
            }
        }
        posing.rig.moved_in_world(self.bone, posing.scratch);
    }

    /// Lets time pass, and deflects the bone.
    fn swing(
        &self,
        swing: &mut Swing,
        now: &ConstraintPose,
        Update { nanos, push, shows_late }: Update,
        length: f64,
        world: &mut DAffine2,
    ) {
        let [inertia, strength, damping, mass, wind, gravity, mix] = now.values;
        let target = world.translation;
        let seen = swing.seen.as_ref();
        let (start, before, last) = seen.map_or((nanos, 0, nanos), |seen| (seen.start, seen.steps, seen.last));
        let steps = self.rate.steps(nanos - start);
        let Rate { step, per_1000_secs, .. } = self.rate;
        if swing.damping.0 != damping {
            // The same on every platform.
            swing.damping = (damping, libm::pow(damping, 60.0 * step));
        }
        let stepping = Stepping {
            count: (steps - before).min(per_1000_secs * MAX_STEPPED_SECS / 1000),
            step,
            inertia,
            strength,
            mass,
            damping: swing.damping.1,
            push: push.wind * wind + push.gravity * gravity,
            reach: self.limit * ((nanos - last) as f64 * 1e-9),
            was_late: swing.late,
        };
        let way = seen.map_or(DVec2::ZERO, |seen| stepping.within_reach((seen.target - target) * inertia));
        if self.x > 0.0 {
            stepping.slide(&mut swing.x, way.x, stepping.push.x * self.reference_scale);
        }
        if self.y > 0.0 {
            stepping.slide(&mut swing.y, way.y, stepping.push.y * self.reference_scale);
        }
        swing.late = if shows_late { 1.0 - self.rate.share(nanos - start) } else { 0.0 };
        self.place(swing, mix, world);
        let mut tip = DVec2::ZERO;
        if self.changes_axes() {
            self.swing_axes(swing, &stepping, mix, length, world);
            self.deflect(swing, mix, world);
            tip = world.matrix2.x_axis * length;
        }
        swing.seen = Some(Seen { start, steps, last: nanos, target, bone: world.translation, tip });
    }

    /// Lets time pass for the springs that turn and stretch the bone.
    fn swing_axes(&self, swing: &mut Swing, stepping: &Stepping, mix: f64, length: f64, world: &DAffine2) {
        let &Stepping { inertia, push, was_late, .. } = stepping;
        let (is_turned, is_scaled) = (self.turns(), self.scale_x > 0.0);
        let turns = (self.rotate + self.shear_x) * mix;
        let x_axis = world.matrix2.x_axis;
        let direction = atan2_radians(x_axis.y, x_axis.x);
        let mut heading = direction;
        let seen = swing.seen.as_ref();
        let way = seen.map_or(DVec2::ZERO, |seen| stepping.within_reach(seen.bone - world.translation));
        if let Some(seen) = seen.filter(|_| is_turned) {
            let to = way + seen.tip;
            let by = atan2_radians(to.y, to.x) - direction - swing.rotate.shown(was_late) * turns;
            // Half a turn, as when the bone is stretched through zero, is counter-clockwise despite rounding.
            swing.rotate.offset += (by - (by / TAU - 0.5 - EXACT).ceil() * TAU) * inertia;
            heading += swing.rotate.shown(was_late) * turns;
        }
        let (mut sin, mut cos) = sin_cos_radians(heading);
        if is_scaled && seen.is_some() {
            let mut length = length * x_axis.length();
            if !is_turned {
                // As the goldens show, although it is no length.
                length -= swing.scale.change * was_late;
            }
            if length > 0.0 {
                swing.scale.offset += way.dot(dvec2(cos, sin)) * inertia / length;
            }
        }
        if stepping.count > 0 {
            swing.rotate.change = 0.0;
            swing.scale.change = 0.0;
        }
        for made in 0..stepping.count {
            if made > 0 {
                (sin, cos) = sin_cos_radians(direction + swing.rotate.offset * turns);
            }
            if is_scaled {
                stepping.step(&mut swing.scale, push.x * cos + push.y * sin);
            }
            if is_turned {
                let turn = (push.y * cos - push.x * sin) * length / self.reference_scale;
                stepping.step(&mut swing.rotate, turn);
            }
        }
        swing.rotate.bound();
        swing.scale.bound();
    }

    /// Returns true if the bone turns or stretches.
    fn changes_axes(&self) -> bool {
        self.turns() || self.scale_x > 0.0
    }

    /// Returns true if the bone turns.
    fn turns(&self) -> bool {
        self.rotate > 0.0 || self.shear_x > 0.0
    }

    /// Moves the bone by its deflection.
    fn place(&self, swing: &Swing, mix: f64, world: &mut DAffine2) {
        if self.x > 0.0 {
            world.translation.x += swing.x.shown(swing.late) * mix * self.x;
        }
        if self.y > 0.0 {
            world.translation.y += swing.y.shown(swing.late) * mix * self.y;
        }
    }

    /// Turns and stretches the bone by its deflection.
    fn deflect(&self, swing: &Swing, mix: f64, world: &mut DAffine2) {
        let by = swing.rotate.shown(swing.late) * mix;
        let mut axes = world.matrix2;
        if self.rotate > 0.0 {
            axes = turn((by * self.rotate).to_degrees()) * axes;
        }
        if self.shear_x > 0.0 {
            axes.x_axis = turn((by * self.shear_x).to_degrees()) * axes.x_axis;
        }
        if self.scale_x > 0.0 {
            let factor = 1.0 + swing.scale.shown(swing.late) * mix * self.scale_x;
            axes.x_axis *= factor;
            axes.y_axis *= self.scale_y.factor(factor);
        }
        world.matrix2 = DMat2::from_cols(axes.x_axis, axes.y_axis);
    }
}
