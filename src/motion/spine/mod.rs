//! Motion of Spine 3.0 to 4.3: keys, curves and constraints. [`Rules`] states what the versions do differently.
//!
//! Timelines set local poses of bones, states of slots and mixes of constraints. A plan then determines the order
//! in which matrices are computed and constraints applied. Positions are pixels, y up, angles degrees
//! counter-clockwise, times seconds. Matrices are computed in 64 bits.

mod axes;
mod bone;
mod chain;
mod changed;
mod classes;
mod constraint;
mod dressing;
mod event;
mod ik;
mod keyed;
mod keys;
mod links;
#[cfg(feature = "convert")]
mod local_within;
mod locals;
mod mix;
mod old;
mod overrides;
mod parts;
mod path;
mod physics;
mod plan;
mod playing;
mod rules;
mod scratch;
mod sequence;
mod slider;
mod timeline;
mod transform;
mod turning;
mod values;
mod work;

use super::{Cue, Direction, Layer, Mix, Played, Swinging};
use crate::math::{Affine2, DAffine2, DVec2, Mat2, Vec2, wrap};
use crate::model::{AttachmentId, BoneId, Identity, Model, SkinId, SlotId};
use crate::pose::{DeformSpan, Pose, SlotPose};

pub(crate) use bone::Bone;
#[cfg(feature = "convert")]
pub(crate) use bone::world_within;
pub(crate) use classes::Chains;
pub(crate) use constraint::{Constraint, ConstraintKind};
pub(crate) use event::EventKey;
pub(crate) use ik::Ik;
use keys::Time;
pub(crate) use keys::{Bezier, Curve, Keys, Stored};
pub(crate) use links::{BoneProperty, Link, Links};
#[cfg(feature = "convert")]
pub(crate) use local_within::local_within;
use mix::Blend;
pub(crate) use old::OldInherit;
use parts::{Applied, Step};
pub(crate) use parts::{BoneLocal, ConstraintPose, Inherit, ScaleY};
pub(crate) use path::{PathConstraint, RotateMode, SpacingMode};
pub(crate) use physics::{PhysicsConstraint, PhysicsValue, Push, Rate, Swings};
pub(crate) use plan::MAX_STEPS;
pub(crate) use rules::{QueuesAfter, Rules};
pub(crate) use scratch::Scratch;
pub(crate) use sequence::{Sequence, SequenceKey, SequenceKeys, SequenceMode};
pub(crate) use slider::{Driver, Slider};
pub(crate) use timeline::{Axis, DeformKeys, StepKeys, Switches, Timeline};
pub(crate) use transform::TransformConstraint;
use values::Changes;

/// Keys and constraints of a character. All references are valid in its model.
#[derive(Debug, Clone)]
pub struct Spine {
    pub(super) rig: Rig,
    animations: Vec<Animation>,
    /// The values that each animation changes.
    changes: Vec<Changes>,
    stored: Stored,
    /// Unique id, which identifies the motion in state kept between evaluations.
    id: Identity,
}

/// The parts that do not depend on animations.
#[derive(Debug, Clone, Default)]
pub(crate) struct Rig {
    /// The rules of its version.
    pub rules: Rules,
    /// Bones of the model.
    pub bones: Vec<Bone>,
    /// Local pose of each bone at rest.
    pub rest: Vec<BoneLocal>,
    /// Matrix of each bone at rest, relative to its parent.
    pub rest_within: Vec<DAffine2>,
    /// Slots of the model.
    pub slots: Vec<Slot>,
    /// Constraints, in the order in which they are applied.
    pub constraints: Vec<Constraint>,
    /// For each [`PhysicsValue`], the constraints that timelines of all of them change.
    pub global_physics: Box<[Vec<u32>; 7]>,
    /// For each skin, the attachments that names stand for: sorted pairs of a name of [`Slot::key`] or a timeline
    /// and its attachment.
    pub skins: Vec<Skin>,
    /// The skin that is always active.
    pub default_skin: Option<SkinId>,
    /// Number of attachment names.
    pub key_count: usize,
    /// Number of timelines of the longest animation.
    pub most_timelines: usize,
    /// For each attachment, the one whose timelines it uses.
    pub timed_as: Vec<AttachmentId>,
    /// Attachments and other slots that show attachments linked to them, sorted: their deformations apply there, too.
    pub followers: Vec<(AttachmentId, u32)>,
    /// Attachments with several pictures, sorted by attachment.
    pub sequences: Vec<Sequence>,
    /// Number of influences of all slots that may be deformed.
    pub deform_len: usize,
}

/// The properties of a slot that the model does not have.
#[derive(Debug, Clone, Default)]
pub(crate) struct Slot {
    /// Index of its bone.
    pub bone: usize,
    /// Name of its attachment at rest.
    pub key: Option<u32>,
    /// First index of its part of [`Pose::deform`], which is as long as its longest deformed attachment.
    pub deform: u32,
    /// Bones that move the paths it can show.
    pub path_bones: Vec<u32>,
}

/// The properties of a skin that the model does not have.
#[derive(Debug, Clone, Default)]
pub(crate) struct Skin {
    /// Names and their attachments, sorted.
    pub entries: Vec<(u32, AttachmentId)>,
    /// Bones that are only active in skins that contain them.
    pub bones: Vec<BoneId>,
    /// Constraints that are only applied in skins that contain them.
    pub constraints: Vec<u32>,
}

/// One animation.
#[derive(Debug, Clone, Default)]
pub(crate) struct Animation {
    /// Timelines, in the order in which they are applied.
    pub timelines: Vec<Timeline>,
    /// Event keys, sorted by time.
    pub events: Vec<EventKey>,
    /// Physics constraints that start anew at these times; `None`: all of them.
    pub resets: Vec<(Option<u32>, Vec<f32>)>,
    /// Time of the last key in seconds.
    pub duration: f64,
}

/// The input and output of an evaluation.
struct Posing<'a> {
    rig: &'a Rig,
    animations: &'a [Animation],
    stored: &'a Stored,
    model: &'a Model,
    swinging: Swinging<'a, Swings>,
    scratch: &'a mut Scratch,
    pose: &'a mut Pose,
}

/// An animation at an instant, and how it is applied.
#[derive(Clone, Copy)]
struct Moment<'a> {
    stored: &'a Stored,
    time: Time,
    blend: Blend,
    /// How rotations that are mixed turn; `None`: straight from one number to the other.
    turns: Option<Turns>,
}

/// How a rotation that is mixed turns.
#[derive(Debug, Clone, Copy)]
enum Turns {
    /// In the direction in which it began. The index of its playback in this frame.
    Kept(usize),
    /// The shortest way.
    Shortest,
}

impl Spine {
    /// Creates the motion. Every index must be valid in its model.
    pub(crate) fn new(mut rig: Rig, animations: Vec<Animation>, stored: Stored) -> Self {
        for (at, constraint) in rig.constraints.iter().enumerate() {
            let ConstraintKind::Physics(physics) = &constraint.kind else { continue };
            let takes_part =
                rig.global_physics.iter_mut().zip(physics.globals).filter(|(_, is_global)| *is_global);
            takes_part.for_each(|(all, _)| all.push(at as u32));
        }
        let changes = animations.iter().map(|animation| Changes::of(animation, &rig)).collect();
        Self { rig, animations, changes, stored, id: Identity::unique() }
    }

    /// Returns the number of animations.
    pub(super) fn animation_count(&self) -> usize {
        self.animations.len()
    }

    /// Returns true if any bone swings.
    pub(super) fn has_physics(&self) -> bool {
        self.rig.constraints.iter().any(|it| matches!(it.kind, ConstraintKind::Physics(_)))
    }

    /// Evaluates `cue` into `pose`. With `ids`, one for each layer, the result depends on the previous pose.
    pub(super) fn evaluate(
        &self,
        model: &Model,
        cue: &Cue,
        ids: Option<&[u64]>,
        swinging: Swinging<'_, Swings>,
        scratch: &mut Scratch,
        pose: &mut Pose,
    ) {
        let has_targets = cue.constraints.is_empty() && scratch.targets.is_empty()
            || scratch.targets.iter().copied().eq(overrides::targets(&cue.constraints));
        if !scratch.prepared_for.is(self.id, &cue.skins) || !has_targets {
            scratch.targets.clear();
            scratch.targets.extend(overrides::targets(&cue.constraints));
            self.rig.plan(&cue.skins, scratch);
            scratch.shown.reserve(self.rig.slots.len());
            scratch.prepared_for.set(self.id, &cue.skins);
            scratch.turning.reset();
        }
        if let Some(ids) = ids {
            scratch.turning.begin(ids);
        }
        let mut chains = std::mem::take(&mut scratch.chains);
        let on_tracks = cue.layers.iter().any(|layer| layer.mix == Mix::Fade);
        if on_tracks {
            chains.decide(self, &cue.layers);
        }
        let Self { rig, animations, stored, .. } = self;
        let mut posing = Posing { rig, animations, stored, model, swinging, scratch, pose };
        let continues = ids.is_some();
        let had_frame = std::mem::replace(&mut posing.scratch.turning.has_frame, continues);
        if continues && had_frame && !(on_tracks && chains.starts_from_rest) {
            posing.resume();
        } else {
            posing.rest();
        }
        if !(cue.slots.is_empty() && posing.scratch.held.is_empty()) {
            posing.hold_attachments(&cue.slots);
        }
        let mut ids = ids.map(|ids| ids.iter().copied());
        let mut next_id = || ids.as_mut().and_then(Iterator::next);
        if let Some(played) = cue.played() {
            // Of the only animation of a player, rotations start from what is there if they take the short way.
            let continues = next_id().is_some() && rig.rules.turns_short_way && !rig.rules.starts_over_when_whole;
            let mix = if continues { Mix::First } else { Mix::Setup };
            self.apply(played, Blend { alpha: 1.0, mix, direction: Direction::In, is_added: false }, &mut posing);
        }
        for (at, layer) in cue.layers.iter().enumerate() {
            let id = next_id();
            if layer.mix == Mix::Fade {
                self.play(&cue.layers, at, id, &chains, &mut posing);
            } else if let Some(played) = layer.played() {
                let Layer { mix, direction, .. } = *layer;
                let blend = Blend { alpha: layer.finite_alpha(), mix, direction, is_added: false };
                self.apply(played, blend, &mut posing);
            }
        }
        posing.scratch.chains = chains;
        posing.reset_loose_slots();
        if continues {
            posing.save_before_sliders();
        }
        if !cue.bones.is_empty() {
            overrides::put_locally(&cue.bones, posing.scratch);
        }
        posing.solve(cue);
        posing.resolve_pictures();
    }

    /// See [`bone_position`](super::bone_position).
    pub(super) fn position_in(&self, model: &Model, played: Played, bone: BoneId) -> Option<Vec2> {
        let time = Time::new(time_of(played, model.animation(played.animation)));
        let mut moved = None;
        for timeline in &self.animations[played.animation.index()].timelines {
            let Some(by) = timeline.translation_of(bone, &self.stored, time) else { continue };
            moved = Some(moved.unwrap_or(DVec2::ZERO) + by);
        }
        let rest = self.rig.rest.get(bone.index())?.translation;
        moved.map(|moved| (rest + moved).as_vec2())
    }

    fn apply(&self, played: Played, blend: Blend, posing: &mut Posing<'_>) {
        let animation = &self.animations[played.animation.index()];
        let moment = self.moment(played, blend, posing.model);
        timeline::apply(0, &animation.timelines, &moment, posing);
    }

    fn moment(&self, played: Played, blend: Blend, model: &Model) -> Moment<'_> {
        let time = Time::new(time_of(played, model.animation(played.animation)));
        Moment { stored: &self.stored, time, blend, turns: None }
    }
}

impl Posing<'_> {
    /// Resets everything to the rest pose.
    fn rest(&mut self) {
        let Self { rig, model, scratch, pose, .. } = self;
        scratch.local.reset(rig);
        scratch.shown.clear();
        scratch.constraints.clear();
        scratch.constraints.extend(rig.constraints.iter().map(|constraint| constraint.setup));
        pose.slots.clear();
        pose.slots.extend(scratch.rest_attachments.iter().zip(model.slots()).map(|(attachment, slot)| SlotPose {
            attachment: *attachment,
            tint: slot.tint,
            deform: DeformSpan::NONE,
        }));
        scratch.pictures.clear();
        scratch.held.clear();
        pose.deform.resize(rig.deform_len, crate::math::Vec2::ZERO);
        set_order(pose, None, rig.slots.len());
        pose.inactive_bones.clone_from(&scratch.inactive);
    }

    /// Continues from the previous frame: values that are no longer animated keep their values.
    fn resume(&mut self) {
        self.scratch.local.resume();
        self.scratch.shown.clear();
        self.undo_sliders();
        self.unresolve_pictures();
    }

    /// Computes bones and applies constraints, in the order of the plan.
    fn solve(&mut self, cue: &Cue) {
        let Cue { bones: overrides, constraints, .. } = cue;
        let rig = self.rig;
        let scratch = &mut *self.scratch;
        let puts_in_world = overrides.iter().any(|put| put.world_position().is_some());
        scratch.local.compute(rig);
        scratch.applied.iter_mut().for_each(|applied| *applied = Applied::AsAnimated);
        // Inactive bones have zero matrices; all others are computed.
        if scratch.world.len() != rig.bones.len() || !self.pose.inactive_bones.is_empty() {
            scratch.world.clear();
            scratch.world.resize(rig.bones.len(), DAffine2::ZERO);
        }
        let plan = std::mem::take(&mut scratch.plan);
        let is_unseen = matches!(&self.swinging, Swinging::Moving(swings) if swings.is_unseen());
        let mut steps = if is_unseen { &plan[..scratch.swinging_steps] } else { plan.as_slice() };
        while let Some((&step, after)) = steps.split_first() {
            let scratch = &mut *self.scratch;
            match step {
                Step::Bone { .. } if !puts_in_world => {
                    steps = rig.place_first(steps, scratch);
                    continue;
                }
                Step::Bone { bone, .. } | Step::Again(bone) => {
                    let bone = bone as usize;
                    if puts_in_world {
                        rig.put_in_world(bone, overrides, scratch);
                    }
                    if rig.rules.restarts_bones {
                        scratch.applied[bone] = Applied::AsAnimated;
                    }
                    rig.place_applied(bone, scratch);
                }
                Step::Constraint { index, target } => {
                    let (index, target) = (index as usize, target as usize);
                    let mut now = scratch.constraints[index];
                    if !constraints.is_empty() {
                        overrides::set(constraints, index, rig.constraints[index].kind.settings(), &mut now);
                    }
                    if matches!(rig.constraints[index].kind, ConstraintKind::Physics(_)) {
                        now.values[PhysicsValue::Mix as usize] *= cue.forces.mix();
                    }
                    if puts_in_world {
                        rig.put_constrained_in_world(index, overrides, scratch);
                    }
                    rig.constraints[index].kind.apply([index, target], &now, self);
                }
            }
            steps = after;
        }
        self.scratch.plan = plan;
        if is_unseen {
            return;
        }
        self.pose.world_from_bone.clear();
        self.pose.world_from_bone.extend(self.scratch.world.iter().map(|world| Affine2 {
            matrix2: Mat2::from_cols(world.matrix2.x_axis.as_vec2(), world.matrix2.y_axis.as_vec2()),
            translation: world.translation.as_vec2(),
        }));
    }
}

/// Returns the time in the animation in seconds.
fn time_of(played: Played, animation: &crate::model::Animation) -> f64 {
    let seconds = played.position.seconds(animation.fps());
    let duration = animation.duration_secs();
    if !seconds.is_finite() || duration <= 0.0 {
        return 0.0;
    }
    if played.hold || !animation.looping {
        // After the last key everything stays, except that sequences of pictures go on.
        return seconds.max(0.0);
    }
    wrap(seconds, duration)
}

/// Sets the draw order; `None` resets it to the order of the slots.
fn set_order(pose: &mut Pose, order: Option<&[u32]>, slots: usize) {
    pose.draw_order.clear();
    match order {
        Some(order) => pose.draw_order.extend(order.iter().map(|&slot| SlotId::new(slot as usize))),
        None => pose.draw_order.extend((0..slots).map(SlotId::new)),
    }
}

impl Rig {
    /// Returns `slot`, and the other slots in which timelines of its `attachment` deform something.
    pub(crate) fn deformed_slots(&self, slot: u32, attachment: AttachmentId) -> impl Iterator<Item = usize> {
        let from = self.followers.partition_point(|(source, _)| *source < attachment);
        let others = self.followers[from..].iter().take_while(move |(source, _)| *source == attachment);
        std::iter::once(slot).chain(others.map(|(_, slot)| *slot)).map(|slot| slot as usize)
    }

    /// Returns true if both share their timelines.
    fn share_timelines(&self, one: Option<AttachmentId>, other: Option<AttachmentId>) -> bool {
        let source = |shown: Option<AttachmentId>| shown.and_then(|shown| self.timed_as.get(shown.index()));
        source(one).is_some() && source(one) == source(other)
    }

    /// Returns true if the timelines of `keyed` apply to the attachment that is shown.
    fn is_timed_as(&self, shown: Option<AttachmentId>, keyed: AttachmentId) -> bool {
        // Pictures that are added at run time have no timelines.
        shown.is_some_and(|shown| self.timed_as.get(shown.index()) == Some(&keyed))
    }
}
