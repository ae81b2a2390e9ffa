//! Motion that is stored frame by frame: one transform a bone and frame, parent-local.
//!
//! The frames stay the bytes of the file, 23 a bone: a long animation costs no more memory
//! than it has on disk, and evaluating touches only the frames it needs.

use bytes::Bytes;

use super::{Cue, Instant};
use crate::bytes::{f32_at, u16_at};
use crate::math::angle::{shortest_turn_degrees, sin_cos_degrees};
use crate::math::{Affine2, Mat2, Vec2, vec2};
use crate::model::{Model, SlotId};
use crate::pose::{Pose, SlotPose};

/// Stored frames of every animation of a character.
#[derive(Debug, Clone)]
pub struct Sampled {
    animations: Vec<SampledAnimation>,
    /// The pose in which vertices were authored, one matrix a bone.
    bind_world_from_bone: Vec<Affine2>,
    /// The file's y points down and its angles turn clockwise.
    y_down: bool,
}

/// The stored frames of one animation.
#[derive(Debug, Clone, Default)]
pub struct SampledAnimation {
    bytes: Bytes,
}

/// One bone in one stored frame. Pixels, degrees counter-clockwise, relative to the parent.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BoneSample {
    /// Offset from the parent's origin.
    pub translation: Vec2,
    /// Degrees, counter-clockwise.
    pub rotation_degrees: f32,
    /// Across and along the bone.
    pub scale: Vec2,
}

impl SampledAnimation {
    /// Bytes of one bone in one frame.
    pub const STRIDE: usize = 23;

    /// `bytes` is frame after frame, in each bone after bone. Every number in it is finite.
    pub(crate) fn new(bytes: Bytes) -> Self {
        Self { bytes }
    }

    /// The records of one frame of `bone_count` bones.
    fn frame(&self, frame: u32, bone_count: usize) -> &[u8] {
        let len = bone_count * Self::STRIDE;
        &self.bytes[frame as usize * len..][..len]
    }
}

impl BoneSample {
    #[inline]
    fn decode(record: &[u8]) -> Self {
        Self {
            translation: vec2(f32_at(record, 0), f32_at(record, 4)),
            rotation_degrees: f32_at(record, 8),
            scale: vec2(f32_at(record, 12), f32_at(record, 16)),
        }
    }

    /// Between two samples, turning the short way round.
    #[inline]
    fn lerp(self, other: Self, t: f32) -> Self {
        Self {
            translation: self.translation + (other.translation - self.translation) * t,
            rotation_degrees: self.rotation_degrees
                + shortest_turn_degrees(self.rotation_degrees, other.rotation_degrees) * t,
            scale: self.scale + (other.scale - self.scale) * t,
        }
    }

    /// `T · R · S`. With `y_down` the sample is mirrored into a world with y up.
    #[inline]
    fn parent_from_bone(self, y_down: bool) -> Affine2 {
        let (sin, cos) = sin_cos_degrees(self.rotation_degrees);
        let (sin, y) = if y_down { (-sin, -self.translation.y) } else { (sin, self.translation.y) };
        Affine2 {
            matrix2: Mat2::from_cols(vec2(cos, sin) * self.scale.x, vec2(-sin, cos) * self.scale.y),
            translation: vec2(self.translation.x, y),
        }
    }
}

/// Bit 0 of a record's flags.
#[inline]
fn is_visible(record: &[u8]) -> bool {
    record[20] & 1 != 0
}

#[inline]
fn z_order(record: &[u8]) -> i16 {
    u16_at(record, 21) as i16
}

impl Sampled {
    /// One entry an animation of the model, in its order.
    pub(crate) fn new(
        animations: Vec<SampledAnimation>,
        bind_world_from_bone: Vec<Affine2>,
        y_down: bool,
    ) -> Self {
        Self { animations, bind_world_from_bone, y_down }
    }

    pub(super) fn evaluate(&self, model: &Model, cue: &Cue, pose: &mut Pose) {
        let shown = cue.animation.and_then(|id| {
            let instant = cue.position.resolve(model.animation(id))?;
            Some((&self.animations[id.index()], instant))
        });
        match shown {
            Some((animation, instant)) => self.evaluate_frame(model, animation, instant, cue.interpolate, pose),
            None => self.evaluate_bind_pose(model, pose),
        }
    }

    fn evaluate_bind_pose(&self, model: &Model, pose: &mut Pose) {
        pose.world_from_bone.clear();
        pose.world_from_bone.extend_from_slice(&self.bind_world_from_bone);
        arrange(model, pose, |_| Some(0));
    }

    fn evaluate_frame(
        &self,
        model: &Model,
        animation: &SampledAnimation,
        instant: Instant,
        interpolate: bool,
        pose: &mut Pose,
    ) {
        let bone_count = model.skeleton().bones().len();
        let records = animation.frame(instant.frame, bone_count);
        pose.world_from_bone.clear();
        if interpolate && instant.fraction > 0.0 {
            let next = animation.frame(instant.next, bone_count).chunks_exact(SampledAnimation::STRIDE);
            let samples = records
                .chunks_exact(SampledAnimation::STRIDE)
                .zip(next)
                .map(|(record, next)| BoneSample::decode(record).lerp(BoneSample::decode(next), instant.fraction));
            self.compose(model, samples, pose);
        } else {
            self.compose(model, records.chunks_exact(SampledAnimation::STRIDE).map(BoneSample::decode), pose);
        }
        arrange(model, pose, |bone| {
            let record = &records[bone * SampledAnimation::STRIDE..];
            is_visible(record).then(|| z_order(record))
        });
    }

    /// Local samples to world matrices; parents come before their children.
    #[inline]
    fn compose(&self, model: &Model, samples: impl Iterator<Item = BoneSample>, pose: &mut Pose) {
        let world = &mut pose.world_from_bone;
        for (bone, sample) in model.skeleton().bones().iter().zip(samples) {
            let parent_from_bone = sample.parent_from_bone(self.y_down);
            world.push(match bone.parent {
                Some(parent) => world[parent.index()] * parent_from_bone,
                None => parent_from_bone,
            });
        }
    }
}

/// Which slots are drawn and in which order: by the order of their bone, then as the file has them.
/// `order_of_bone` is `None` for a bone that is hidden.
fn arrange(model: &Model, pose: &mut Pose, order_of_bone: impl Fn(usize) -> Option<i16>) {
    let order = |slot: SlotId| match model.slot(slot).bone {
        Some(bone) => order_of_bone(bone.index()),
        None => Some(0),
    };
    pose.slots.clear();
    pose.slots.extend(model.slots().iter().map(|slot| SlotPose { attachment: slot.attachment }));
    pose.draw_order.clear();
    pose.draw_order.extend((0..model.slots().len()).map(SlotId::new).filter(|&slot| order(slot).is_some()));
    // Unstable sorting allocates nothing; the slot itself makes it stable.
    pose.draw_order.sort_unstable_by_key(|&slot| (order(slot), slot));
}
