//! One character in one pose, with what the comparison needs of it. Memory is reused from frame to frame.

use super::meshes::Meshes;
use crate::character::Character;
use crate::math::Vec2;
use crate::model::Model;
use crate::motion::{Cue, Evaluator};
use crate::pose::{DeformSpan, Pose, SkinMatrix, palette};

/// A character, posed.
pub struct Posed<'a> {
    character: &'a Character,
    pub meshes: &'a Meshes<'a>,
    evaluator: Evaluator,
    pub pose: Pose,
    pub palette: Vec<SkinMatrix>,
    /// The places of the meshes that are drawn, back to front.
    pub drawn: Vec<usize>,
    /// Whether it is drawn, for the mesh at each place.
    pub is_drawn: Vec<bool>,
    /// Where the pose says how it is deformed, for the mesh at each place.
    deform: Vec<DeformSpan>,
    /// The places where it may say so.
    deformed: Vec<usize>,
}

impl<'a> Posed<'a> {
    pub fn new(character: &'a Character, meshes: &'a Meshes<'a>) -> Self {
        Self {
            character,
            meshes,
            evaluator: Evaluator::default(),
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

    pub fn model(&self) -> &'a Model {
        self.character.model()
    }

    pub fn set(&mut self, cue: &Cue) {
        self.evaluator.evaluate(self.character, cue, &mut self.pose);
        palette(self.character.model(), &self.pose, &mut self.palette);
        // Only what was touched: a sheet has thousands of meshes and draws one.
        for place in self.drawn.drain(..) {
            self.is_drawn[place] = false;
        }
        for place in self.deformed.drain(..) {
            self.deform[place] = DeformSpan::NONE;
        }
        // What is no mesh has no place.
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

    /// By how much the influences of the mesh at `place` have moved; empty where it keeps its shape.
    pub fn deform_of(&self, place: usize) -> &[Vec2] {
        self.pose.deform.get(self.deform[place].range()).unwrap_or_default()
    }
}
