//! Those who leave the march now and then: one stops, does something else, falls behind, and hurries back.
//!
//! Everything happens at fixed times, so it does not depend on the frame rate, and a recording can repeat it.

use pchr::gpu::{Crowd, MemberId};
use pchr::model::AnimationId;

use super::formation::Place;

/// The number of members among which there is one actor.
const MEMBERS_PER_ACTOR: usize = 25;
const MAX_ACTORS: usize = 24;
const FADE_SECS: f32 = 0.2;
/// How much faster one marches to catch up.
const HURRY: f64 = 1.6;

/// The number of actors among `members`.
pub fn count(members: usize) -> usize {
    (members / MEMBERS_PER_ACTOR).clamp(1, MAX_ACTORS)
}

/// An animation for an actor.
#[derive(Clone, Copy)]
pub struct Act {
    pub animation: AnimationId,
    pub secs: f64,
}

impl Act {
    /// The seconds until the actor is back.
    pub fn total_secs(self) -> f64 {
        self.secs + self.hurry_secs()
    }

    fn hurry_secs(self) -> f64 {
        self.secs / (HURRY - 1.0)
    }
}

enum Stage {
    Marching,
    Acting,
    Hurrying,
}

pub struct Actor {
    pub member: MemberId,
    pub home: Place,
    act: Act,
    march: AnimationId,
    /// Seconds from one act to the next.
    period: f64,
    stage: Stage,
    /// When the stage began and when it ends.
    since: f64,
    until: f64,
}

impl Actor {
    /// Someone who acts at `begin`, and again after every `period`.
    pub fn new(member: MemberId, home: Place, act: Act, march: AnimationId, begin: f64, period: f64) -> Self {
        Self { member, home, act, march, period, stage: Stage::Marching, since: begin, until: begin }
    }

    /// Does what is due at `now`. Returns a place if the actor moves: the ground moves `ground_speed` a second.
    pub fn advance(&mut self, crowd: &mut Crowd, now: f64, ground_speed: f64) -> Option<Place> {
        let was_marching = matches!(self.stage, Stage::Marching);
        while self.until <= now {
            self.next(crowd);
        }
        let passed = now - self.since;
        let behind = match self.stage {
            Stage::Marching if was_marching => return None,
            Stage::Marching => 0.0,
            Stage::Acting => passed,
            Stage::Hurrying => self.act.secs - passed * (HURRY - 1.0),
        };
        Some(Place { x: self.home.x - (behind * ground_speed) as f32, ..self.home })
    }

    fn next(&mut self, crowd: &mut Crowd) {
        let now = self.until;
        let secs = match self.stage {
            Stage::Marching => {
                self.stage = Stage::Acting;
                crowd.switch(self.member, self.act.animation, now, FADE_SECS);
                self.act.secs
            }
            Stage::Acting => {
                self.stage = Stage::Hurrying;
                crowd.switch(self.member, self.march, now, FADE_SECS);
                crowd.set_speed(self.member, HURRY, now);
                self.act.hurry_secs()
            }
            Stage::Hurrying => {
                self.stage = Stage::Marching;
                crowd.set_speed(self.member, 1.0, now);
                self.period - self.act.total_secs()
            }
        };
        (self.since, self.until) = (now, now + secs);
    }
}
