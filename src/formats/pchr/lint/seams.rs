//! Looping animations that jump from the last frame to the first.

use super::subject::frames;
use super::{Report, Subject};
use crate::formats::pchr::build::{is_bind_name, world_from_bone};
use crate::formats::pchr::document::At;
use crate::formats::pchr::schema::{Animation, BoneTransform};
use crate::math::angle::shortest_turn_degrees;
use crate::math::{DAffine2, DVec2};

/// Minimum ratio of a jump to the largest step of that bone in the animation. A well-made loop steps over the seam
/// as elsewhere; even one that ends in a fast movement hardly doubles it.
const RATIO: f64 = 3.0;
/// Minimum visible movement of a joint, as a fraction of the character's size.
const MIN_MOVE: f64 = 0.02;
/// Minimum visible rotation.
const MIN_TURN_DEGREES: f64 = 10.0;
/// Maximum number of bone transforms to examine in a file; if there are more, steps are sampled evenly.
const MAX_TRANSFORMS: usize = 1 << 22;

/// The movement of a bone between two frames.
#[derive(Clone, Copy, Default)]
struct Step {
    /// Distance of its joint in world pixels.
    moved: f64,
    /// Rotation relative to its parent.
    turned_degrees: f64,
}

/// Compares the step from the last frame to the first with the other steps, for each bone that moves vertices.
pub fn check(subject: &Subject<'_>, report: &mut Report<'_>) {
    let bone_count = subject.file.bones.len();
    if subject.checked.bind.is_none() || bone_count == 0 {
        return;
    }
    let is_looping = |animation: &Animation| {
        // Two frames return the way they came.
        animation.flags & Animation::LOOP != 0 && animation.frame_count > 2 && !is_bind_name(animation)
    };
    let looping = || subject.stored().filter(|(_, animation)| is_looping(animation));
    // Each step needs two frames.
    let chosen = frames(looping(), MAX_TRANSFORMS / 2 / bone_count);
    let mut jumps = Vec::new();
    let mut rest = chosen.as_slice();
    for (index, animation) in looping() {
        let own = rest.iter().take_while(|(of, _)| *of == index).count();
        let (own, later) = rest.split_at(own);
        rest = later;
        jumps.extend(jump(subject, index, animation, own));
    }
    report.warn_all("loop-jump", jumps);
}

/// Returns the worst jump of an animation, if any. `chosen` are the first frames of the steps to examine.
fn jump(
    subject: &Subject<'_>,
    index: usize,
    animation: &Animation,
    chosen: &[(usize, usize)],
) -> Option<(At, String)> {
    let last = usize::from(animation.frame_count) - 1;
    let mut largest = vec![Step::default(); subject.file.bones.len()];
    let mut before: Option<(usize, Frame)> = None;
    // Animations without a chosen frame are not judged.
    for frame in chosen.iter().map(|(_, frame)| *frame).filter(|frame| *frame < last) {
        let from = match before.take() {
            Some((number, known)) if number == frame => known,
            _ => Frame::new(subject, index, frame),
        };
        let to = Frame::new(subject, index, frame + 1);
        for (bone, largest) in largest.iter_mut().enumerate() {
            let step = from.step_to(&to, bone);
            largest.moved = largest.moved.max(step.moved);
            largest.turned_degrees = largest.turned_degrees.max(step.turned_degrees);
        }
        before = Some((frame + 1, to));
    }
    before.as_ref()?;
    let (from, to) = (Frame::new(subject, index, last), Frame::new(subject, index, 0));
    let mut worst: Option<(f64, String)> = None;
    for (bone, largest) in largest.iter().enumerate().filter(|(bone, _)| subject.is_used.get(*bone) == Some(&true))
    {
        let step = from.step_to(&to, bone);
        let name = subject.bone_name(bone);
        let moved = step.moved / (RATIO * largest.moved).max(MIN_MOVE * subject.size);
        if moved > worst.as_ref().map_or(1.0, |(worst, _)| *worst) {
            let what = format!(
                "bone `{name}` moves by {:.1} pixels, but by at most {:.1} between the other frames",
                step.moved, largest.moved
            );
            worst = Some((moved, what));
        }
        let turned = step.turned_degrees / (RATIO * largest.turned_degrees).max(MIN_TURN_DEGREES);
        if turned > worst.as_ref().map_or(1.0, |(worst, _)| *worst) {
            let what = format!(
                "bone `{name}` turns by {:.1}°, but by at most {:.1}° between the other frames",
                step.turned_degrees, largest.turned_degrees
            );
            worst = Some((turned, what));
        }
    }
    let (_, what) = worst?;
    let message = format!("`{}` loops, but jumps from its last frame to its first: {what}", animation.name);
    Some((At::Frame(index, last), message))
}

/// One stored frame.
struct Frame {
    world_from_bone: Vec<DAffine2>,
    rotations: Vec<f32>,
}

impl Frame {
    fn new(subject: &Subject<'_>, animation: usize, frame: usize) -> Self {
        let file = subject.file;
        let size = file.bones.len() * BoneTransform::SIZE;
        let bytes = file.animations.get(animation).map_or(&[][..], |animation| &animation.frames.bytes);
        let records = bytes.get(frame * size..(frame + 1) * size).unwrap_or_default();
        let records = records.chunks_exact(BoneTransform::SIZE);
        Self {
            world_from_bone: world_from_bone(file, animation, frame, subject.options.y_down),
            rotations: records.map(|record| BoneTransform::read(record).rotation).collect(),
        }
    }

    fn step_to(&self, to: &Self, bone: usize) -> Step {
        let joint = |frame: &Self| frame.world_from_bone.get(bone).map_or(DVec2::ZERO, |bone| bone.translation);
        let rotation = |frame: &Self| frame.rotations.get(bone).copied().unwrap_or_default();
        Step {
            moved: joint(to).distance(joint(self)),
            turned_degrees: shortest_turn_degrees(rotation(self), rotation(to)).abs().into(),
        }
    }
}
