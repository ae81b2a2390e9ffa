//! A character and a rate → the times of its poses, and the poses, one after another.

use crate::error::Place;
use crate::limits::{Budget, Limits};
use crate::model::{AnimationId, SkinId};
use crate::motion::{Cue, Dynamics, Evaluator, PoseWork, Position};
use crate::pose::{Pose, SkinMatrix, palette};
use crate::{Character, Result};

/// How the poses of animations are sampled, as `pchr poses` prints them.
#[derive(Debug, Clone)]
pub struct PoseSampling<'a> {
    /// The character.
    pub character: &'a Character,
    /// The skins over the default one.
    pub skins: Vec<SkinId>,
    /// Simulates physics from the first pose of each animation.
    pub physics: bool,
    /// Poses per second, a positive number; `None`: one for each frame.
    pub fps: Option<f64>,
}

/// An animation, or the rest pose of a character without any.
#[derive(Debug, Clone, Copy)]
pub struct SampledMotion {
    /// `None`: the rest pose.
    pub animation: Option<AnimationId>,
    /// Whether it loops.
    pub looping: bool,
    /// In seconds.
    pub duration: f64,
    /// Number of poses.
    pub count: u64,
}

/// A pose and what is needed to place vertices in it.
#[derive(Debug, Clone, Copy)]
pub struct SampledPose<'a> {
    /// Time in the animation.
    pub seconds: f64,
    /// The pose.
    pub pose: &'a Pose,
    /// The skinning matrices of the pose.
    pub palette: &'a [SkinMatrix],
}

impl PoseSampling<'_> {
    /// Returns the rest pose.
    pub fn rest(&self) -> SampledMotion {
        SampledMotion { animation: None, looping: false, duration: 0.0, count: 1 }
    }

    /// Returns an animation.
    ///
    /// # Panics
    ///
    /// Panics if the character does not have it.
    #[track_caller]
    pub fn motion(&self, id: AnimationId) -> SampledMotion {
        let animation = self.character.model().animation(id);
        let duration = animation.duration_secs().max(0.0);
        let looping = animation.looping;
        let count = match self.fps.map(|fps| (duration * fps).round() as u64) {
            // An animation without frames shows the rest pose.
            None => u64::from(animation.frame_count()).max(1),
            Some(steps) if looping => steps.max(1),
            Some(steps) => steps.saturating_add(1),
        };
        SampledMotion { animation: Some(id), looping, duration, count }
    }

    /// Returns the poses per second; 0 without a rate.
    pub fn fps(&self, motion: &SampledMotion) -> f64 {
        let rate = |id| self.fps.unwrap_or_else(|| self.character.model().animation(id).fps());
        motion.animation.map_or(0.0, rate)
    }

    /// Checks that posing all of `motions` takes no more work than allowed.
    ///
    /// # Errors
    ///
    /// [`Error::LimitExceeded`](crate::Error::LimitExceeded).
    pub fn charge(&self, motions: &[SampledMotion], limits: &Limits) -> Result<()> {
        let mut budget = Budget::new(limits);
        let work = PoseWork::new(self.character, &self.skins);
        for motion in motions {
            let of_pose = work.of(self.character, motion.animation);
            let place = || Place { path: self.name(motion).unwrap_or_default().to_owned(), ..Place::default() };
            budget.charge_work(motion.count, of_pose, place)?;
            if self.physics {
                budget.charge_work(self.steps(motion), of_pose, place)?;
            }
        }
        Ok(())
    }

    /// Returns the number of steps of physics.
    fn steps(&self, motion: &SampledMotion) -> u64 {
        let cues = (0..motion.count).map(|at| Cue { position: self.position(motion, at), ..self.cue(motion) });
        Dynamics::steps_of_all(self.character, cues)
    }

    /// Returns the name of the animation.
    pub fn name(&self, motion: &SampledMotion) -> Option<&str> {
        motion.animation.map(|id| self.character.model().animation(id).name.as_str())
    }

    /// What is shown at the first pose.
    fn cue(&self, motion: &SampledMotion) -> Cue {
        let (is_interpolated, skins) = (self.fps.is_some(), self.skins.clone());
        Cue {
            animation: motion.animation,
            position: self.position(motion, 0),
            interpolate: is_interpolated,
            // The end of an animation shows its last frame.
            hold: is_interpolated && !motion.looping,
            skins,
            ..Cue::default()
        }
    }

    fn position(&self, motion: &SampledMotion, index: u64) -> Position {
        match self.fps {
            // At most as many as a `u32` counts.
            None => Position::frame(index as u32),
            Some(_) => Position::Seconds(self.seconds(motion, index)),
        }
    }

    fn seconds(&self, motion: &SampledMotion, index: u64) -> f64 {
        let Some(id) = motion.animation else { return 0.0 };
        match self.fps {
            None => self.character.model().animation(id).seconds_at(index as f64),
            Some(_) if !motion.looping && index + 1 == motion.count => motion.duration,
            Some(fps) => index as f64 / fps,
        }
    }

    /// Poses the character at each time, in order, until `visit` fails.
    ///
    /// # Errors
    ///
    /// The error of `visit`.
    pub fn for_each<E>(
        &self,
        motion: &SampledMotion,
        mut visit: impl FnMut(&SampledPose<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        let model = self.character.model();
        // Nothing moves in the rest pose.
        let physics = self.physics && motion.animation.is_some();
        let mut evaluator = Evaluator::with_dynamics(physics.then(Dynamics::default));
        let (mut pose, mut matrices) = (Pose::for_model(model), Vec::new());
        let mut cue = self.cue(motion);
        for index in 0..motion.count {
            cue.position = self.position(motion, index);
            evaluator.evaluate(self.character, &cue, &mut pose);
            palette(model, &pose, &mut matrices);
            visit(&SampledPose { seconds: self.seconds(motion, index), pose: &pose, palette: &matrices })?;
        }
        Ok(())
    }
}
