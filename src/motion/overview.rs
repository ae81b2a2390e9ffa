//! What a character shows in evenly spaced frames of some animations.

use std::collections::HashMap;
use std::ops::Range;

use super::{Cue, Dynamics, Evaluator, PoseWork, Position, has_physics};
use crate::character::Character;
use crate::model::{AnimationId, AttachmentId, SkinId, SlotId};
use crate::pose::{Extent, Pose, bounds_work, palette};

/// Maximum number of frames that are evaluated of one animation.
const MAX_LOOKS: u32 = 96;
/// Maximum number of frames that are evaluated of all animations, apart from [`FEWEST_LOOKS`] of each.
const MAX_LOOKS_TOGETHER: u32 = 384;
/// Number of frames that are evaluated of each of many animations.
const FEWEST_LOOKS: u32 = 4;

/// What a character shows in evenly spaced frames of some animations, for fitting a view and choosing a still picture
/// without evaluating every frame.
///
/// ```
/// # use pchr::{Character, motion::{Overview, first_animation, initial_skins}};
/// let knight = Character::open("assets/paper-knight.pchr")?;
/// let animation = first_animation(&knight, 1 << 28);
/// let overview = Overview::of(&knight, &[animation], &initial_skins(&knight), false, 1 << 28);
/// assert_eq!(overview.first_frame(animation), 0);
/// assert!(overview.extent().seen().size().y > 100.0); // world pixels
/// # Ok::<(), pchr::Error>(())
/// ```
#[derive(Debug, Default)]
pub struct Overview {
    extent: Extent,
    /// The frame of each pose of the extent, and the poses of each animation.
    frames: Vec<u32>,
    poses: HashMap<Option<AnimationId>, Range<usize>>,
}

impl Overview {
    /// Looks at up to 96 frames of each of `animations` in `skins`, at fewer if there are many; `None` is the rest pose. With
    /// `physics`, simulated motion is included.
    ///
    /// Looks at fewer frames if they take more than `work`, in the units of
    /// [`Limits::work`](crate::limits::Limits::work), but at least at the first one of the first animation.
    ///
    /// # Panics
    ///
    /// Panics if `character` does not have one of `animations`.
    #[track_caller]
    pub fn of(
        character: &Character,
        animations: &[Option<AnimationId>],
        skins: &[SkinId],
        physics: bool,
        work: u64,
    ) -> Self {
        Self::without(character, animations, skins, physics, work, |_, _| false)
    }

    /// Like [`Self::of`], but what `is_hidden` shows nothing.
    #[track_caller]
    pub(crate) fn without(
        character: &Character,
        animations: &[Option<AnimationId>],
        skins: &[SkinId],
        physics: bool,
        work: u64,
        is_hidden: impl Fn(SlotId, AttachmentId) -> bool,
    ) -> Self {
        let model = character.model();
        let physics = physics && has_physics(character);
        let count = u32::try_from(animations.len()).unwrap_or(u32::MAX).max(1);
        let most = (MAX_LOOKS_TOGETHER / count).clamp(FEWEST_LOOKS, MAX_LOOKS);
        let pose_work = PoseWork::new(character, skins);
        let (mut pose, mut matrices) = (Pose::for_model(model), Vec::new());
        let mut overview = Self::default();
        let mut left = work;
        for &animation in animations {
            let mut evaluator = Evaluator::with_dynamics(physics.then(Dynamics::default));
            let mut look = |frame: u32| {
                let position = Position::frame(frame);
                let cue = Cue { animation, position, skins: skins.to_vec(), ..Cue::default() };
                evaluator.evaluate(character, &cue, &mut pose);
                palette(model, &pose, &mut matrices);
                overview.extent.add_without(model, &pose, &matrices, &is_hidden);
                overview.frames.push(frame);
                bounds_work(model, &pose)
            };
            let seconds = animation.map_or(0.0, |id| model.animation(id).duration_secs());
            let of_pose = pose_work.of(character, animation).saturating_mul(steps_of_look(seconds, physics));
            let of_look = of_pose.saturating_add(look(0)).max(1);
            let frame_count = animation.map_or(1, |id| model.animation(id).frame_count());
            let affordable = u32::try_from(work / u64::from(count) / of_look).unwrap_or(u32::MAX).max(1);
            let looks = frame_count.min(most).min(affordable).max(1);
            for index in 1..looks {
                look((u64::from(index) * u64::from(frame_count) / u64::from(looks)) as u32);
            }
            let end = overview.frames.len();
            overview.poses.insert(animation, end - looks as usize..end);
            left = left.saturating_sub(of_look.saturating_mul(looks.into()));
            if left == 0 {
                break;
            }
        }
        overview
    }

    /// Returns the area that the frames cover.
    pub fn extent(&self) -> &Extent {
        &self.extent
    }

    /// Returns the frame of `animation` to show in a still picture: the [first that shows](Extent::first_shown) at least a
    /// tenth of the largest visible area of all its frames that were looked at; 0 if none shows anything, or none was looked at.
    pub fn first_frame(&self, animation: Option<AnimationId>) -> u32 {
        let first = self.poses.get(&animation).and_then(|poses| self.extent.first_shown(poses.clone()));
        first.and_then(|at| self.frames.get(at)).copied().unwrap_or_default()
    }
}

/// Returns how many steps a pose takes in an animation of this duration: with physics, a long one is replayed each time.
fn steps_of_look(seconds: f64, physics: bool) -> u64 {
    let is_replayed = physics && seconds > Dynamics::MAX_REPLAY_SECS;
    if is_replayed { (Dynamics::MAX_REPLAY_SECS / Dynamics::STEP_SECS) as u64 } else { 1 }
}
