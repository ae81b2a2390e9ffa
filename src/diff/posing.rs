//! A posed character with the data needed to compare it. Buffers are reused from frame to frame.

use super::meshes::Meshes;
use crate::character::Character;
use crate::math::Vec2;
use crate::model::Model;
use crate::motion::{Cue, Dynamics, Evaluator, plays_physics};
use crate::pose::{DeformSpan, Pose, SkinMatrix, palette};

/// A posed character.
pub struct Posed<'a> {
    character: &'a Character,
    pub meshes: &'a Meshes<'a>,
    evaluator: Evaluator,
    pub pose: Pose,
    pub palette: Vec<SkinMatrix>,
    /// Indices of the drawn meshes, back to front.
    pub drawn: Vec<usize>,
    /// Whether each mesh is drawn.
    pub is_drawn: Vec<bool>,
    /// Deform span of each mesh in the pose.
    deform: Vec<DeformSpan>,
    /// Indices of the meshes whose deform span may be set.
    deformed: Vec<usize>,
}

impl<'a> Posed<'a> {
    pub fn new(character: &'a Character, meshes: &'a Meshes<'a>) -> Self {
        Self {
            character,
            meshes,
            evaluator: Evaluator::with_dynamics(plays_physics(character, None).then(Dynamics::default)),
            pose: Pose::for_model(character.model()),
            palette: Vec::new(),
            drawn: Vec::new(),
            is_drawn: vec![false; meshes.list.len()],
            deform: vec![DeformSpan::NONE; meshes.list.len()],
            deformed: Vec::new(),
        }
    }

    pub fn character(&self) -> &'a Character {
        self.character
    }

    /// Returns the number of steps of physics, which is played as programs play it by default, while these cues are shown one
    /// after the other.
    pub fn steps(&self, cues: impl Iterator<Item = Cue>) -> u64 {
        if plays_physics(self.character, None) { Dynamics::steps_of_all(self.character, cues) } else { 0 }
    }

    pub fn model(&self) -> &'a Model {
        self.character.model()
    }

    pub fn set(&mut self, cue: &Cue) {
        self.evaluator.evaluate(self.character, cue, &mut self.pose);
        palette(self.character.model(), &self.pose, &mut self.palette);
        // Reset only entries that were set: a sheet has thousands of meshes but draws one.
        for place in self.drawn.drain(..) {
            self.is_drawn[place] = false;
        }
        for place in self.deformed.drain(..) {
            self.deform[place] = DeformSpan::NONE;
        }
        // Attachments that are not meshes have no index.
        let places = self.pose.visible_attachments(self.character.model()).map(|id| self.meshes.place[id.index()]);
        self.drawn.extend(places.filter(|&place| place < self.meshes.list.len()));
        self.drawn.iter().for_each(|&place| self.is_drawn[place] = true);
        for slot in &self.pose.slots {
            let place = slot.attachment.map(|id| self.meshes.place[id.index()]);
            if let Some(place) = place.filter(|&place| place < self.deform.len()) {
                self.deform[place] = slot.deform;
                self.deformed.push(place);
            }
        }
    }

    /// Returns the deform offsets of the influences of mesh `place`; empty if it is not deformed.
    pub fn deform_of(&self, place: usize) -> &[Vec2] {
        self.pose.deform.get(self.deform[place].range()).unwrap_or_default()
    }
}
