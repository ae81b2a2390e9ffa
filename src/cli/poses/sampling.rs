//! A character and a rate → the times of its poses, and the poses, one after another.

use crate::error::Place;
use crate::limits::{Budget, Limits};
use crate::model::{AnimationId, SkinId};
use crate::motion::{Cue, Dynamics, Evaluator, PoseWork, Position};
use crate::pose::{Pose, SkinMatrix, palette};
use crate::{Character, Result};

/// How animations are sampled.
pub struct Sampling<'a> {
    pub character: &'a Character,
    pub skins: Vec<SkinId>,
    pub physics: bool,
    /// Poses per second; `None`: one for each frame.
    pub fps: Option<f64>,
}

/// An animation, or the rest pose of a character without any.
pub struct Motion {
    pub animation: Option<AnimationId>,
    pub looping: bool,
    /// In seconds.
    pub duration: f64,
    /// Number of poses.
    pub count: u64,
}

/// A pose and what is needed to place vertices in it.
pub struct Posed<'a> {
    pub seconds: f64,
    pub pose: &'a Pose,
    pub palette: &'a [SkinMatrix],
}

impl Sampling<'_> {
    /// Returns the rest pose.
    pub fn rest(&self) -> Motion {
        Motion { animation: None, looping: false, duration: 0.0, count: 1 }
    }

    pub fn motion(&self, id: AnimationId) -> Motion {
        let animation = self.character.model().animation(id);
        let duration = animation.duration_secs().max(0.0);
        let looping = animation.looping;
        let count = match self.fps.map(|fps| (duration * fps).round() as u64) {
            // An animation without frames shows the rest pose.
            None => u64::from(animation.frame_count()).max(1),
            Some(steps) if looping => steps.max(1),
            Some(steps) => steps.saturating_add(1),
        };
        Motion { animation: Some(id), looping, duration, count }
    }

    /// Returns the poses per second; 0 without a rate.
    pub fn fps(&self, motion: &Motion) -> f64 {
        let rate = |id| self.fps.unwrap_or_else(|| self.character.model().animation(id).fps());
        motion.animation.map_or(0.0, rate)
    }

    /// Fails if posing all of `motions` takes more work than allowed.
    pub fn charge(&self, motions: &[Motion], limits: &Limits) -> Result<()> {
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

    /// Returns the number of steps of physics. Each pose continues from the one before, unless the replay of a long
    /// animation starts over.
    fn steps(&self, motion: &Motion) -> u64 {
        let (mut before, mut cue) = (0, self.cue(motion));
        let of_each = (0..motion.count).map(|index| {
            cue.position = self.position(motion, index);
            let steps = Dynamics::replay_steps(self.character, &cue);
            let made = std::mem::replace(&mut before, steps);
            if made <= steps { steps - made } else { steps }
        });
        of_each.fold(0, u64::saturating_add)
    }

    /// Returns the name of the animation.
    pub fn name(&self, motion: &Motion) -> Option<&str> {
        motion.animation.map(|id| self.character.model().animation(id).name.as_str())
    }

    /// What is shown at the first pose.
    fn cue(&self, motion: &Motion) -> Cue {
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

    fn position(&self, motion: &Motion, index: u64) -> Position {
        match self.fps {
            // At most as many as a `u32` counts.
            None => Position::frame(index as u32),
            Some(_) => Position::Seconds(self.seconds(motion, index)),
        }
    }

    fn seconds(&self, motion: &Motion, index: u64) -> f64 {
        let Some(id) = motion.animation else { return 0.0 };
        match self.fps {
            None => self.character.model().animation(id).seconds_at(index as f64),
            Some(_) if !motion.looping && index + 1 == motion.count => motion.duration,
            Some(fps) => index as f64 / fps,
        }
    }

    /// Poses the character at each time, in order, until `visit` fails.
    pub fn for_each<E>(
        &self,
        motion: &Motion,
        mut visit: impl FnMut(&Posed<'_>) -> Result<(), E>,
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
            visit(&Posed { seconds: self.seconds(motion, index), pose: &pose, palette: &matrices })?;
        }
        Ok(())
    }
}
