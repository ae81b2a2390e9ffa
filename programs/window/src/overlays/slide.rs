//! How far the tip of a bone moves along the ground while it touches it, measured on another thread.
//!
//! A planted foot of a character that walks in place moves evenly against its direction. What differs from that is seen as
//! sliding in a game.

use crate::base::answer::Deferred;
use crate::base::waker::Waker;
use crate::playback::bone_motion::BoneMotion;
use pchr::Animator;
use pchr::math::{Vec2, vec2};
use pchr::model::BoneId;
use pchr::motion::{Cue, Evaluator, Position, bone_length};
use pchr::pose::Pose;

/// Maximum number of frames that are looked at, and of bones that are evaluated for all of them.
const MAX_FRAMES: u32 = 1024;
const MAX_BONES: usize = 1_000_000;
/// The tip is on the ground up to this share of its vertical extent above its lowest place, and at least this many pixels.
const NEAR_GROUND: f32 = 0.05;
const LEAST_NEAR: f32 = 1.0;

/// The meter.
#[derive(Debug, Default)]
pub struct SlideMeter {
    /// It is shown for the selected bone.
    pub is_shown: bool,
    measured: Deferred<BoneMotion, Option<Slide>>,
}

/// What was measured.
#[derive(Debug, Clone, PartialEq)]
pub struct Slide {
    /// The place of the tip in each frame, in world pixels.
    pub tips: Vec<Vec2>,
    /// The highest place of a tip that is on the ground.
    pub ground: f32,
    /// The result as text.
    pub text: String,
}

impl SlideMeter {
    /// Returns what was measured for `bone` in the shown animation; `None` if it has a single frame or shows nothing, and
    /// until it was measured. `waker` is called then; without one, it is measured at once.
    pub fn measure(&mut self, animator: &Animator, bone: BoneId, waker: Option<&Waker>) -> Option<&Slide> {
        let animation = animator.playback(0).animation()?;
        self.measured.follow(BoneMotion::of(animator, animation, bone), waker, Slide::of)?.as_ref()
    }

    /// Forgets what was measured.
    pub fn forget(&mut self) {
        self.measured = Deferred::default();
    }
}

impl Slide {
    fn of(asked: &BoneMotion) -> Option<Self> {
        let BoneMotion { character, animation, skins, bone } = asked;
        let model = character.model();
        let timing = model.animation(*animation);
        let affordable = u32::try_from(MAX_BONES / model.skeleton().bones().len().max(1)).unwrap_or(MAX_FRAMES);
        let count = timing.frame_count().min(affordable.clamp(2, MAX_FRAMES));
        let length = vec2(bone_length(character, *bone).unwrap_or(0.0), 0.0);
        let mut cue = Cue { animation: Some(*animation), hold: true, skins: skins.clone(), ..Cue::default() };
        let (mut evaluator, mut pose) = (Evaluator::default(), Pose::default());
        let mut tips = Vec::with_capacity(count as usize);
        for frame in 0..count {
            cue.position = match timing.is_keyed() {
                true => Position::Seconds(timing.seconds_at(frame.into())),
                false => Position::frame(frame),
            };
            evaluator.evaluate(character, &cue, &mut pose);
            let tip = pose.world_from_bone.get(bone.index())?.transform_point2(length);
            tips.push(Some(tip).filter(|tip| tip.is_finite())?);
        }
        Self::along(tips)
    }

    /// Measures a tip that is at `tips`, one for each frame.
    fn along(tips: Vec<Vec2>) -> Option<Self> {
        let (low, high) = tips
            .iter()
            .fold((f32::INFINITY, f32::NEG_INFINITY), |(low, high), tip| (low.min(tip.y), high.max(tip.y)));
        let ground = low + (NEAR_GROUND * (high - low)).max(LEAST_NEAR);
        let steps = tips.windows(2).filter(|pair| pair.iter().all(|tip| tip.y <= ground));
        let steps: Vec<f32> = steps.map(|pair| pair[1].x - pair[0].x).collect();
        if tips.len() < 2 {
            return None;
        }
        let distance: f32 = steps.iter().map(|step| step.abs()).sum();
        let mean = steps.iter().sum::<f32>() / steps.len().max(1) as f32;
        let off = steps.iter().map(|step| (step - mean).abs()).fold(0.0, f32::max);
        let text = match steps.len() {
            0 => "never two frames on the ground".to_owned(),
            count => format!(
                "{distance:.1} px in {count} steps on the ground, {mean:+.1} px each, up to {off:.1} px off"
            ),
        };
        Some(Self { tips, ground, text: text.replace('-', "−") })
    }

    /// Returns true if the tip is on the ground at a place.
    pub fn is_on_ground(&self, tip: Vec2) -> bool {
        tip.y <= self.ground
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_steps_on_the_ground_count() {
        // Down at 0, evenly back by 5, up and forward again.
        let even = [(0.0, 0.2), (-5.0, 0.0), (-10.0, 0.3), (-6.0, 20.0), (0.0, 30.0)].map(|(x, y)| vec2(x, y));
        let slide = Slide::along(even.to_vec()).unwrap();
        assert_eq!(slide.text, "10.0 px in 2 steps on the ground, −5.0 px each, up to 0.0 px off");
        assert_eq!(slide.tips.iter().filter(|tip| slide.is_on_ground(**tip)).count(), 3);
        let uneven = [(0.0, 0.0), (-2.0, 0.0), (-10.0, 0.0), (0.0, 40.0)].map(|(x, y)| vec2(x, y));
        assert!(Slide::along(uneven.to_vec()).unwrap().text.ends_with("up to 3.0 px off"));
        let hop = [(0.0, 0.0), (5.0, 30.0), (9.0, 60.0)].map(|(x, y)| vec2(x, y));
        assert_eq!(Slide::along(hop.to_vec()).unwrap().text, "never two frames on the ground");
        assert_eq!(Slide::along(vec![vec2(0.0, 0.0)]), None, "a pose");
    }
}
