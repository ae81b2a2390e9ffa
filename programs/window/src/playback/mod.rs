//! Playback of the shown animation: playhead, in and out points, skins and physics.

pub mod bone_motion;
pub mod panel;
pub mod physics_choice;
pub mod playhead;
pub mod range;
pub mod skins;

use std::sync::Arc;

use crate::scene::events::{Fired, Mark};
use crate::scene::placing::Placing;
use crate::scene::skinned::{Skinned, SkinnedBuffers};
use pchr::draw::Hidden;
use pchr::export::TrackSpec;
use pchr::math::Vec2;
use pchr::model::{AnimationId, Model, SkinId};
use pchr::motion::{has_physics, plays_physics};
use pchr::pose::Pose;
use pchr::{Animator, Character};
use physics_choice::choice;

/// The shown character with its playback state.
#[derive(Debug, Default)]
pub struct Playback {
    /// Plays the character.
    pub animator: Animator,
    /// The animator plays a character, not the empty one in its place.
    pub has_character: bool,
    /// The skins that were put on because most slots are empty without them, until skins are changed.
    pub auto_skins: Vec<SkinId>,
    /// The events of the shown animation.
    pub marks: Vec<Mark>,
    /// The events that were fired recently.
    pub fired: Vec<Fired>,
    /// Whether physics is simulated if the file has it; `None`: by default for its format.
    pub physics: Option<bool>,
    /// The same for this character alone, as a scene states it, until the user turns physics on or off.
    pub stated_physics: Option<bool>,
    /// How it stands on the stage, as the view was laid out last.
    pub placing: Placing,
    /// What tracks begin to play later, at their seconds from now, in order.
    pub later: Vec<TrackSpec>,
    /// The user drags the character: its physics follows.
    pub is_shaken: bool,
    /// The user is dragging the playhead: time stands still.
    pub scrubbing: bool,
    /// The pause that went back to a frame.
    pub paused: Option<Paused>,
}

/// A pause between two frames, which shows the first of them.
#[derive(Debug, Clone, Copy)]
pub struct Paused {
    /// The animation of track 0.
    pub animation: AnimationId,
    /// The shown frame.
    pub frame: f64,
    /// Where playback was.
    pub position: f64,
}

impl Playback {
    /// Returns the shown character.
    pub fn character(&self) -> Option<&Arc<Character>> {
        self.has_character.then(|| self.animator.character())
    }

    /// Returns the shown model.
    pub fn model(&self) -> Option<&Model> {
        self.character().map(|character| character.model())
    }

    /// Returns the model and its current pose; `None` if there is no character.
    pub fn posed(&mut self) -> Option<(&Model, &Pose)> {
        if !self.has_character {
            return None;
        }
        self.animator.refresh();
        Some((self.animator.model(), self.animator.pose()))
    }

    /// Returns the pose as it stands on the stage, with its skinning matrices, without what is `hidden`; `None` if there is no character.
    pub fn skinned<'a>(&'a mut self, buffers: &'a mut SkinnedBuffers, hidden: &Hidden) -> Option<Skinned<'a>> {
        self.posed()?;
        Some(buffers.skin(self.animator.model(), self.animator.pose(), hidden, &self.placing))
    }

    /// Lets the character stand on the stage like this. The wind keeps its direction there.
    pub fn place(&mut self, placing: Placing) {
        let forces = self.placing.turned(self.animator.forces());
        self.animator.set_forces(placing.turned(forces));
        self.placing = placing;
    }

    /// Returns true if the shown frames are interpolated; keyed animations always are.
    pub fn interpolates(&self) -> bool {
        self.animator.interpolates() || self.has_character && self.animator.playback(0).is_keyed()
    }

    /// Returns true if the shown character has physics.
    pub fn has_physics(&self) -> bool {
        self.character().is_some_and(|character| has_physics(character))
    }

    /// Returns true if the shown character has physics and it is simulated: as chosen, or by default for its format.
    pub fn plays_physics(&self) -> bool {
        self.character().is_some_and(|character| plays_physics(character, self.chosen_physics()))
    }

    /// Returns the choice for this character.
    pub fn chosen_physics(&self) -> Option<bool> {
        self.stated_physics.or(self.physics)
    }

    /// Enables or disables physics, if the character has it.
    pub fn toggle_physics(&mut self) {
        let Some(character) = self.character() else { return };
        self.physics = choice(character, !self.plays_physics());
        self.stated_physics = None;
        self.apply_physics();
    }

    /// Applies the setting to the animator.
    pub fn apply_physics(&mut self) {
        self.animator.set_physics(self.plays_physics());
    }

    /// Lets physics follow if the user drags the character by `by` pixels of the world. Paused, it would do so later at once.
    pub fn shake(&mut self, by: Vec2) {
        if self.is_shaken && self.animator.is_playing() {
            self.animator.move_physics(self.placing.inside(by), Vec2::ZERO, 0.0);
        }
    }

    /// Lets `dt_secs` seconds pass for what begins later, and begins what is due.
    pub fn begin_later(&mut self, dt_secs: f64) {
        if self.animator.is_playing() && !self.later.is_empty() {
            let dt_secs = dt_secs * self.animator.speed();
            self.later.iter_mut().for_each(|spec| spec.at_secs -= dt_secs);
            let due = self.later.iter().take_while(|spec| spec.at_secs <= 0.0).count();
            // Their names were found when the file was opened.
            self.later.drain(..due).for_each(|spec| spec.begin_in(&mut self.animator).unwrap_or_default());
        }
    }

    /// Returns true if something other than a single animation on track 0 is shown.
    pub fn is_mixing(&self) -> bool {
        let sole = self.animator.playback(0);
        self.animator.playbacks().any(|(track, _)| track != 0)
            || self.animator.playbacks().count() > 1
            || sole.weight() < 1.0
            || sole.is_additive()
    }
}

#[cfg(test)]
pub mod tests;
