//! Motion stored frame by frame: one parent-local transform per bone and frame.
//!
//! Frames remain in the file's encoding, 23 bytes per bone: a long animation takes no more memory than on disk,
//! and evaluation only accesses the frames it needs.

use bytes::Bytes;

use super::{BoneOverride, Cue, Played};
use crate::bytes::{f32_at, u16_at};
use crate::math::angle::{atan2_degrees, shortest_turn_degrees, sin_cos_degrees};
use crate::math::{Affine2, Mat2, Vec2, vec2};
use crate::model::{Animation, AnimationId, BoneId, Model, SlotId};
use crate::pose::{DeformSpan, Pose, SlotPose};

/// The stored frames of every animation of a character.
#[derive(Debug, Clone, Default)]
pub struct Sampled {
    animations: Vec<SampledAnimation>,
    /// The pose in which vertices were authored, one matrix per bone.
    bind_world_from_bone: Vec<Affine2>,
    /// The file's y axis points down and its angles turn clockwise.
    y_down: bool,
}

/// The stored frames of one animation.
#[derive(Debug, Clone, Default)]
pub(crate) struct SampledAnimation {
    bytes: Bytes,
}

/// The transform of a bone in a stored frame, in the units of the file: pixels and degrees counter-clockwise,
/// relative to the parent.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct BoneSample {
    /// Offset from the parent's origin.
    pub translation: Vec2,
    /// Rotation in degrees, counter-clockwise.
    pub rotation_degrees: f32,
    /// Scale along the bone's x and y axes.
    pub scale: Vec2,
}

/// Everything that is stored for one bone in one frame.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct StoredBone {
    pub sample: BoneSample,
    pub is_visible: bool,
    pub z_order: i16,
}

/// The encoded bytes of one bone in one frame.
type Record = [u8; SampledAnimation::STRIDE];

impl SampledAnimation {
    /// Bytes per bone and frame.
    pub const STRIDE: usize = 23;

    /// Creates an animation from its encoded frames, each with a record for every bone. All numbers are finite.
    pub(crate) fn new(bytes: Bytes) -> Self {
        Self { bytes }
    }

    /// Returns the records of a frame with `bone_count` bones.
    fn frame(&self, frame: u32, bone_count: usize) -> &[Record] {
        &self.bytes.as_chunks().0[frame as usize * bone_count..][..bone_count]
    }
}

impl BoneSample {
    #[inline]
    fn decode(record: &Record) -> Self {
        Self {
            translation: vec2(f32_at(record, 0), f32_at(record, 4)),
            rotation_degrees: f32_at(record, 8),
            scale: vec2(f32_at(record, 12), f32_at(record, 16)),
        }
    }

    /// Interpolates between two samples, turning the short way round.
    #[inline]
    fn lerp(self, other: Self, t: f32) -> Self {
        Self {
            translation: self.translation + (other.translation - self.translation) * t,
            rotation_degrees: self.rotation_degrees
                + shortest_turn_degrees(self.rotation_degrees, other.rotation_degrees) * t,
            scale: self.scale + (other.scale - self.scale) * t,
        }
    }

    /// Decomposes a matrix. Reflections go into the scale of the y axis.
    pub(super) fn of(matrix: Affine2) -> Self {
        let Affine2 { matrix2: Mat2 { x_axis, y_axis }, translation } = matrix;
        let length = x_axis.length();
        let x = if length > 0.0 { x_axis / length } else { -y_axis.perp().normalize_or(Vec2::NEG_X) };
        Self {
            translation,
            rotation_degrees: atan2_degrees(x.y.into(), x.x.into()) as f32,
            scale: vec2(length, y_axis.dot(x.perp())),
        }
    }

    /// Converts the sample to y up.
    fn upright(mut self, y_down: bool) -> Self {
        if y_down {
            self.translation.y = -self.translation.y;
            self.rotation_degrees = -self.rotation_degrees;
        }
        self
    }

    /// Applies the overrides of this bone.
    pub(super) fn put(mut self, bone: usize, overrides: &[BoneOverride], world_from_parent: Affine2) -> Self {
        for put in overrides.iter().filter(|put| put.bone.index() == bone) {
            if let Some(position) = put.local_position() {
                self.translation = position;
            }
            if let Some(position) = put.world_position()
                && world_from_parent.matrix2.determinant() != 0.0
            {
                self.translation = world_from_parent.inverse().transform_point2(position);
            }
            self.rotation_degrees = put.rotation_degrees().unwrap_or(self.rotation_degrees);
            self.scale = put.finite_scale().unwrap_or(self.scale);
        }
        self
    }

    /// Returns `T · R · S`. With `y_down`, the sample is mirrored into a world with y up.
    #[inline]
    pub(super) fn parent_from_bone(self, y_down: bool) -> Affine2 {
        let (sin, cos) = sin_cos_degrees(self.rotation_degrees);
        let (sin, y) = if y_down { (-sin, -self.translation.y) } else { (sin, self.translation.y) };
        Affine2 {
            matrix2: Mat2::from_cols(vec2(cos, sin) * self.scale.x, vec2(-sin, cos) * self.scale.y),
            translation: vec2(self.translation.x, y),
        }
    }
}

/// Encodes a visible bone.
fn encode(parent_from_bone: &Affine2) -> Record {
    let BoneSample { translation, rotation_degrees, scale } = BoneSample::of(*parent_from_bone);
    let mut record = [0; SampledAnimation::STRIDE];
    let numbers = [translation.x, translation.y, rotation_degrees, scale.x, scale.y];
    for (bytes, number) in record.as_chunks_mut::<4>().0.iter_mut().zip(numbers) {
        *bytes = number.to_le_bytes();
    }
    record[20] = 1;
    record
}

/// Reads bit 0 of a record's flags.
#[inline]
fn is_visible(record: &Record) -> bool {
    record[20] & 1 != 0
}

#[inline]
fn z_order(record: &Record) -> i16 {
    u16_at(record, 21) as i16
}

impl Sampled {
    /// Creates the motion with an entry for each animation of the model, in the same order.
    pub(crate) fn new(
        animations: Vec<SampledAnimation>,
        bind_world_from_bone: Vec<Affine2>,
        y_down: bool,
    ) -> Self {
        Self { animations, bind_world_from_bone, y_down }
    }

    /// Creates the motion from local transforms, `parent_from_bone` of every bone in the order of `model`: for the rest
    /// pose, and for all frames of each animation, one frame after another. Shear is lost. Every bone is
    /// visible, and slots are drawn in their order. [`Character::new`](crate::Character::new) checks the numbers.
    pub fn from_frames(model: &Model, rest: &[Affine2], animations: &[Vec<Affine2>]) -> Self {
        let mut bind: Vec<Affine2> = Vec::with_capacity(rest.len());
        for (bone, local) in model.skeleton().bones().iter().zip(rest) {
            let parent = bone.parent.map_or(Affine2::IDENTITY, |parent| bind[parent.index()]);
            bind.push(parent * *local);
        }
        // Of another number of bones, which is an error later.
        bind.resize(rest.len(), Affine2::IDENTITY);
        let encoded =
            animations.iter().map(|frames| SampledAnimation::new(frames.iter().flat_map(encode).collect()));
        Self::new(encoded.collect(), bind, false)
    }

    /// Returns the number of animations.
    pub(super) fn animation_count(&self) -> usize {
        self.animations.len()
    }

    /// Describes the first fault in the frames; `None` if they suit `model`. The numbers of bones and animations were
    /// checked before.
    pub(super) fn misfit(&self, model: &Model) -> Option<String> {
        let bones = model.skeleton().bones().len();
        if !self.bind_world_from_bone.iter().all(Affine2::is_finite) {
            return Some("the rest pose has a number that is infinite or NaN".to_owned());
        }
        let misfit = |(animation, stored): (&Animation, &SampledAnimation)| {
            let name = &animation.name;
            let found = stored.bytes.len() / SampledAnimation::STRIDE;
            let expected = (animation.frame_count() as usize).checked_mul(bones);
            if animation.is_keyed() || expected != Some(found) {
                let frames = animation.frame_count();
                return Some(format!(
                    "the animation `{name}` has {found} stored bones, {frames} stored frames of {bones} bones needed"
                ));
            }
            let samples = stored.bytes.as_chunks().0.iter().map(BoneSample::decode);
            let is_finite = |sample: BoneSample| {
                sample.translation.is_finite() && sample.rotation_degrees.is_finite() && sample.scale.is_finite()
            };
            let is_bad = !samples.into_iter().all(is_finite);
            is_bad.then(|| format!("the animation `{name}` has a number that is infinite or NaN"))
        };
        model.animations().iter().zip(&self.animations).find_map(misfit)
    }

    /// Returns the pose in which vertices were authored, one matrix per bone.
    pub(crate) fn bind_world_from_bone(&self) -> &[Affine2] {
        &self.bind_world_from_bone
    }

    /// Returns every bone in an existing stored frame, y up.
    pub(crate) fn stored(
        &self,
        model: &Model,
        animation: AnimationId,
        frame: u32,
    ) -> impl ExactSizeIterator<Item = StoredBone> {
        let bone_count = model.skeleton().bones().len();
        let records = self.animations[animation.index()].frame(frame, bone_count);
        records.iter().map(|record| self.decode(record))
    }

    /// Returns one bone in an existing stored frame, y up.
    pub(crate) fn stored_bone(
        &self,
        model: &Model,
        animation: AnimationId,
        frame: u32,
        bone: BoneId,
    ) -> StoredBone {
        let bone_count = model.skeleton().bones().len();
        self.decode(&self.animations[animation.index()].frame(frame, bone_count)[bone.index()])
    }

    /// See [`rest_position`](super::rest_position).
    pub(super) fn rest_position(&self, model: &Model, bone: BoneId) -> Option<Vec2> {
        let bind = *self.bind_world_from_bone.get(bone.index())?;
        match model.skeleton().bones().get(bone.index())?.parent {
            Some(parent) => {
                let parent = self.bind_world_from_bone[parent.index()];
                Some(parent.inverse().transform_point2(bind.translation)).filter(|position| position.is_finite())
            }
            None => Some(bind.translation),
        }
    }

    /// See [`bone_position`](super::bone_position).
    pub(super) fn position_in(&self, model: &Model, played: Played, bone: BoneId) -> Option<Vec2> {
        let Played { animation, position, hold } = played;
        let timing = model.animation(animation);
        model.skeleton().bones().get(bone.index())?;
        let instant = position.resolve_as(timing, timing.looping && !hold)?;
        let [from, to] = [instant.frame, instant.next]
            .map(|frame| self.stored_bone(model, animation, frame, bone).sample.translation);
        Some(from.lerp(to, instant.fraction))
    }

    fn decode(&self, record: &Record) -> StoredBone {
        let mut sample = BoneSample::decode(record);
        if self.y_down {
            sample.translation.y = -sample.translation.y;
            sample.rotation_degrees = -sample.rotation_degrees;
        }
        StoredBone { sample, is_visible: is_visible(record), z_order: z_order(record) }
    }

    /// Evaluates a cue. `order_keys` are the sort keys of the last draw order.
    pub(super) fn evaluate(&self, model: &Model, cue: &Cue, order_keys: &mut Vec<u64>, pose: &mut Pose) {
        let Some((id, instant)) = cue.instant(model) else {
            pose.world_from_bone.clone_from(&self.bind_world_from_bone);
            if !cue.bones.is_empty() {
                self.put(model, &cue.bones, pose);
            }
            return arrange(model, order_keys, pose, |_| Some(0));
        };
        let animation = &self.animations[id.index()];
        let bone_count = model.skeleton().bones().len();
        let records = animation.frame(instant.frame, bone_count);
        if cue.interpolate && instant.fraction > 0.0 {
            let samples = records
                .iter()
                .zip(animation.frame(instant.next, bone_count))
                .map(|(record, next)| BoneSample::decode(record).lerp(BoneSample::decode(next), instant.fraction));
            self.compose(model, samples, &cue.bones, pose);
        } else {
            self.compose(model, records.iter().map(BoneSample::decode), &cue.bones, pose);
        }
        arrange(model, order_keys, pose, |bone| {
            let record = &records[bone];
            is_visible(record).then(|| z_order(record))
        });
    }

    /// Composes local samples to world matrices. Parents precede their children.
    #[inline]
    fn compose(
        &self,
        model: &Model,
        samples: impl Iterator<Item = BoneSample>,
        overrides: &[BoneOverride],
        pose: &mut Pose,
    ) {
        let bones = model.skeleton().bones();
        pose.world_from_bone.resize(bones.len(), Affine2::IDENTITY);
        let world = &mut pose.world_from_bone[..];
        for (index, (bone, sample)) in bones.iter().zip(samples).enumerate() {
            let parent_from_bone = if overrides.iter().any(|put| put.bone.index() == index) {
                let world_from_parent = bone.parent.map_or(Affine2::IDENTITY, |parent| world[parent.index()]);
                let sample = sample.upright(self.y_down).put(index, overrides, world_from_parent);
                sample.parent_from_bone(false)
            } else {
                sample.parent_from_bone(self.y_down)
            };
            world[index] = match bone.parent {
                Some(parent) => world[parent.index()] * parent_from_bone,
                None => parent_from_bone,
            };
        }
    }

    /// Applies overrides to the bind pose, including the descendants of moved bones. Descendants of a flat bone
    /// stay in place, because their positions relative to it are lost.
    fn put(&self, model: &Model, overrides: &[BoneOverride], pose: &mut Pose) {
        let (before, world) = (&self.bind_world_from_bone, &mut pose.world_from_bone);
        for (index, bone) in model.skeleton().bones().iter().enumerate() {
            let is_put = overrides.iter().any(|put| put.bone.index() == index);
            let [old, new] = match bone.parent {
                Some(parent) => [before[parent.index()], world[parent.index()]],
                None => [Affine2::IDENTITY; 2],
            };
            if (old == new && !is_put) || old.matrix2.determinant() == 0.0 {
                continue;
            }
            let mut local = old.inverse() * before[index];
            if is_put {
                local = BoneSample::of(local).put(index, overrides, new).parent_from_bone(false);
            }
            world[index] = new * local;
        }
    }
}

/// Returns the transform of a root bone that only the caller moves.
pub(super) fn put_root(overrides: &[BoneOverride]) -> Affine2 {
    if overrides.is_empty() {
        return Affine2::IDENTITY;
    }
    BoneSample::of(Affine2::IDENTITY).put(0, overrides, Affine2::IDENTITY).parent_from_bone(false)
}

/// Determines the draw order: sorted by the order of each slot's bone, then by slot. `order_of_bone` returns
/// `None` for a hidden bone.
fn arrange(model: &Model, keys: &mut Vec<u64>, pose: &mut Pose, order_of_bone: impl Fn(usize) -> Option<i16>) {
    let slots = model.slots();
    pose.inactive_bones.clear();
    pose.slots.clear();
    pose.slots.extend(slots.iter().map(|slot| SlotPose {
        attachment: slot.attachment,
        tint: slot.tint,
        deform: DeformSpan::NONE,
    }));
    let order_of = |slot: usize| {
        let order = slots[slot].bone.map_or(Some(0), |bone| order_of_bone(bone.index()));
        order.map_or(HIDDEN, i32::from)
    };
    let sorted = sort_slots(keys, slots.len(), order_of);
    pose.draw_order.clear();
    let shown = sorted.take_while(|(order, _)| *order != HIDDEN);
    pose.draw_order.extend(shown.map(|(_, slot)| SlotId::new(slot)));
}

/// The order of hidden slots, after all others.
const HIDDEN: i32 = i32::MAX;

/// Sorts slots by `order_of`, then by their indices, and returns the order and the index of each. `keys` are those of
/// the last pose, in whose order they are mostly sorted already.
#[inline]
pub(super) fn sort_slots(
    keys: &mut Vec<u64>,
    count: usize,
    order_of: impl Fn(usize) -> i32,
) -> impl Iterator<Item = (i32, usize)> {
    if keys.len() != count {
        keys.clear();
        keys.extend(0..count as u64);
    }
    // A key is the order, counted from the lowest, above the slot.
    for key in keys.iter_mut() {
        let slot = u64::from(*key as u32);
        *key = u64::from(order_of(slot as usize).wrapping_sub(i32::MIN) as u32) << 32 | slot;
    }
    // Unstable sorting does not allocate; all keys are distinct.
    keys.sort_unstable();
    keys.iter().map(|&key| (((key >> 32) as i32).wrapping_add(i32::MIN), (key as u32) as usize))
}
