//! A bind pose that does not fit the vertices, although another stored frame does.
//!
//! Vertices shared by a bone and its parent surround their joint, because authors model the bend there. So the
//! centroid of the shared vertices is compared with the joint, in the used frame and in others. A joint within the
//! spread of its vertices is plausible, so a frame is only doubted if joints are outside.

use super::subject::frames;
use super::{Report, Subject};
use crate::formats::pchr::build::world_from_bone;
use crate::formats::pchr::document::At;
use crate::math::DAffine2;

/// Another frame fits better if its joints are outside by less than this fraction of the used frame's.
const RATIO: f64 = 0.5;
/// And if they are closer to the centroid by at least this fraction of the character's size.
const MIN_GAIN: f64 = 0.02;
/// Maximum number of bone transforms to examine in a file; if there are more, frames are sampled evenly.
const MAX_TRANSFORMS: usize = 1 << 22;

/// Weighted moments of the vertices that a bone shares with its parent.
#[derive(Clone, Copy, Default)]
struct Shared {
    weight: f64,
    sum: [f64; 2],
    sum_of_squares: f64,
}

/// The joint position that the vertices suggest.
struct Joint {
    bone: usize,
    middle: [f64; 2],
    /// Standard distance of the shared vertices from their centroid.
    spread: f64,
}

/// How well a frame fits, in pixels, averaged over all joints.
struct Score {
    /// Distance from the centroid of the shared vertices.
    distance: f64,
    /// The part of the distance beyond their spread.
    outside: f64,
}

/// Searches for a frame that fits better.
pub fn check(subject: &Subject<'_>, report: &mut Report<'_>) {
    let Some((bind, (chosen_animation, chosen_frame))) =
        subject.checked.bind.as_ref().and_then(|bind| Some((bind, bind.frame?)))
    else {
        return;
    };
    let joints = joints(subject);
    let Some(chosen) = Score::new(&joints, &bind.world_from_bone) else { return };
    let most = MAX_TRANSFORMS / subject.file.bones.len().max(1);
    let mut best: Option<(Score, usize, usize)> = None;
    for (animation, frame) in frames(subject.stored(), most) {
        let world = world_from_bone(subject.file, animation, frame, subject.options.y_down);
        let Some(score) = Score::new(&joints, &world) else { continue };
        if best.as_ref().is_none_or(|(best, ..)| score.distance < best.distance) {
            best = Some((score, animation, frame));
        }
    }
    let fits_better = |(best, ..): &(Score, usize, usize)| {
        best.outside < RATIO * chosen.outside && chosen.distance - best.distance > MIN_GAIN * subject.size
    };
    let finding = best.filter(fits_better).map(|(best, animation, frame)| {
        let name = subject.animation_name(animation);
        let message = format!(
            "the vertices do not fit the bind pose (frame {chosen_frame} of `{}`): joints are {:.1} pixels from the \
             centre of the vertices that they bend, but only {:.1} in frame {frame} of `{name}`; use `--bind-pose \
             {name}:{frame}` for that frame",
            subject.animation_name(chosen_animation),
            chosen.distance,
            best.distance
        );
        (At::Frame(chosen_animation, chosen_frame), message)
    });
    report.warn_all("doubtful-bind-pose", finding);
}

/// Returns the joints of bones that share vertices with their parents.
fn joints(subject: &Subject<'_>) -> Vec<Joint> {
    let bones = &subject.file.bones;
    let mut shared = vec![Shared::default(); bones.len()];
    for (index, ..) in subject.meshes() {
        subject.each_vertex(index, |_, vertex, influences| {
            for &(bone, weight) in influences.iter().filter(|(_, weight)| *weight > 0.0) {
                let Some(parent) = bones.get(usize::from(bone)).and_then(|bone| u16::try_from(bone.parent).ok())
                else {
                    continue;
                };
                let of_parent = influences.iter().find(|(of, weight)| *of == parent && *weight > 0.0);
                let (Some(&(_, parents)), Some(shared)) = (of_parent, shared.get_mut(usize::from(bone))) else {
                    continue;
                };
                // Largest where both weights are similar, which is where it bends.
                let both = f64::from(weight) * f64::from(parents);
                let (x, y) = (f64::from(vertex.x), f64::from(vertex.y));
                let y = if subject.options.y_down { -y } else { y };
                shared.weight += both;
                shared.sum[0] += both * x;
                shared.sum[1] += both * y;
                shared.sum_of_squares += both * (x * x + y * y);
            }
        });
    }
    let joint = |(bone, shared): (usize, &Shared)| {
        let middle = shared.sum.map(|sum| sum / shared.weight);
        let [x, y] = middle;
        let spread = (shared.sum_of_squares / shared.weight - x * x - y * y).max(0.0).sqrt();
        (x + y + spread).is_finite().then_some(Joint { bone, middle, spread })
    };
    shared.iter().enumerate().filter(|(_, shared)| shared.weight > 0.0).filter_map(joint).collect()
}

impl Score {
    /// Returns `None` without joints, or if the result is not finite.
    fn new(joints: &[Joint], world_from_bone: &[DAffine2]) -> Option<Self> {
        let mut sum = Self { distance: 0.0, outside: 0.0 };
        for joint in joints {
            let distance = world_from_bone.get(joint.bone)?.translation.distance(joint.middle.into());
            sum.distance += distance;
            sum.outside += (distance - joint.spread).max(0.0);
        }
        let count = joints.len() as f64;
        let mean = Self { distance: sum.distance / count, outside: sum.outside / count };
        mean.distance.is_finite().then_some(mean)
    }
}
