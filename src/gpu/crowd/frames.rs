//! The stored frames of all animations: samples that are interpolated on the GPU, or finished poses.

use crate::character::Character;
use crate::gpu::shaders::crowd_data::{CrowdAnimation, CrowdShare};
use crate::math::{Vec2, vec2};
use crate::model::AnimationId;
use crate::motion::{Cue, Evaluator, Position, Sampled};
use crate::pose::Pose;

/// The stored frames of all animations, in their order.
#[derive(Debug, Clone)]
pub enum Frames {
    /// Of each bone its translation, its scale, and its rotation in degrees, relative to the parent, y up.
    Samples(Vec<[f32; 5]>),
    /// [`write_pose`] of every frame.
    Poses(Vec<Vec2>),
}

/// The number of pairs of numbers in a pose: three columns for each bone, and a number for each part.
pub fn pose_stride(bone_count: usize, part_count: usize) -> usize {
    3 * bone_count + part_count.div_ceil(2)
}

/// Returns every frame of `animations`.
pub fn all<'a>(
    character: &'a Character,
    animations: &'a [CrowdAnimation],
) -> impl Iterator<Item = (AnimationId, u32)> + 'a {
    let frames =
        |(id, animation): (AnimationId, &CrowdAnimation)| (0..animation.frame_count).map(move |frame| (id, frame));
    character.model().animation_ids().zip(animations).flat_map(frames)
}

/// Calls `visit` with the pose of every frame.
pub fn poses(character: &Character, animations: &[CrowdAnimation], mut visit: impl FnMut(&Pose)) {
    let (mut evaluator, mut pose) = (Evaluator::default(), Pose::default());
    for (id, frame) in all(character, animations) {
        let cue = Cue { animation: Some(id), position: Position::frame(frame), ..Cue::default() };
        evaluator.evaluate(character, &cue, &mut pose);
        visit(&pose);
    }
}

impl Frames {
    /// Frames to be interpolated.
    pub fn samples(character: &Character, sampled: &Sampled, animations: &[CrowdAnimation]) -> Self {
        let of_frame = |(id, frame)| sampled.stored(character.model(), id, frame);
        let numbers = |sample: crate::motion::BoneSample| {
            let (translation, scale) = (sample.translation, sample.scale);
            [translation.x, translation.y, scale.x, scale.y, sample.rotation_degrees]
        };
        Self::Samples(all(character, animations).flat_map(of_frame).map(|stored| numbers(stored.sample)).collect())
    }

    /// Finished poses with `part_count` parts, whose areas are sums of `shares`.
    pub fn finished(
        character: &Character,
        animations: &[CrowdAnimation],
        shares: &[CrowdShare],
        part_count: usize,
    ) -> Self {
        let (mut out, mut areas) = (Vec::new(), Vec::new());
        poses(character, animations, |pose| {
            for bone in &pose.world_from_bone {
                out.extend([bone.matrix2.x_axis, bone.matrix2.y_axis, bone.translation]);
            }
            areas.clear();
            // One more than there are, if the number is odd.
            areas.resize(part_count.next_multiple_of(2), 0.0);
            for share in shares {
                let bone = pose.world_from_bone.get(share.bone as usize);
                let growth = bone.map_or(1.0, |bone| bone.matrix2.determinant().abs());
                areas[share.part as usize] += share.area * growth;
            }
            out.extend(areas.chunks_exact(2).map(|pair| vec2(pair[0], pair[1])));
        });
        Self::Poses(out)
    }

    /// The bytes on the GPU.
    pub fn bytes(&self) -> &[u8] {
        match self {
            Self::Samples(samples) => bytemuck::cast_slice(samples),
            Self::Poses(poses) => bytemuck::cast_slice(poses),
        }
    }
}
